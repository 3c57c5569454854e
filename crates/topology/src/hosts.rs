//! Slurm's host lists: `gpu[001-016,020],login` (slurm, `src/common/hostlist.c`).

use crate::error::ReadError;
use crate::limits::MOST_ELEMENTS;

/// The names a list stands for, in its order.
pub(crate) fn expand(list: &str, line: usize) -> Result<Vec<String>, ReadError> {
    let broken = || ReadError::HostList { line, list: list.chars().take(80).collect() };
    let mut names = Vec::new();
    for part in split_outside(list).ok_or_else(broken)? {
        let mut heads = vec![String::new()];
        let mut rest = part;
        while let Some((before, after)) = rest.split_once('[') {
            let (inside, tail) = after.split_once(']').ok_or_else(broken)?;
            let numbers = ranges(inside).ok_or_else(broken)?;
            if heads.len().saturating_mul(numbers.len()) > MOST_ELEMENTS {
                return Err(too_many(part, line));
            }
            heads = heads
                .iter()
                .flat_map(|head| numbers.iter().map(move |n| format!("{head}{before}{n}")))
                .collect();
            rest = tail;
        }
        if part.is_empty() || rest.contains(']') {
            return Err(broken());
        }
        names.extend(heads.into_iter().map(|head| head + rest));
        if names.len() > MOST_ELEMENTS {
            return Err(too_many(part, line));
        }
    }
    Ok(names)
}

fn too_many(element: &str, line: usize) -> ReadError {
    ReadError::TooManyElements { line, element: element.chars().take(80).collect() }
}

/// Pieces between the commas that stand outside brackets.
fn split_outside(list: &str) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut inside) = (Vec::new(), 0, false);
    for (at, c) in list.char_indices() {
        match c {
            '[' if inside => return None,
            '[' => inside = true,
            ']' => inside = false,
            ',' if !inside => {
                parts.push(list.get(start..at)?);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(list.get(start..)?);
    (!inside).then_some(parts)
}

/// `001-003,7` as written: the width of the first number pads all of its range.
fn ranges(inside: &str) -> Option<Vec<String>> {
    let mut numbers = Vec::new();
    for range in inside.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        if !first.bytes().chain(last.bytes()).all(|b| b.is_ascii_digit()) || first.len() > 9 {
            return None;
        }
        let (from, to): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        if to < from || to - from >= MOST_ELEMENTS || numbers.len() > MOST_ELEMENTS {
            return None;
        }
        let width = first.len();
        numbers.extend((from..=to).map(|n| format!("{n:0width$}")));
    }
    Some(numbers)
}
