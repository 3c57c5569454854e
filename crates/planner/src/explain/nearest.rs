//! The known name that a mistyped one most likely means.

/// The known name that differs in at most a third of its letters.
pub fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let letters: Vec<char> = name.chars().take(64).collect();
    known
        .map(|candidate| (distance(&letters, candidate), candidate))
        .filter(|(distance, candidate)| distance * 3 <= candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance: insertions, removals and replacements from one to the other.
fn distance(one: &[char], other: &str) -> usize {
    let mut row: Vec<usize> = (0..=one.len()).collect();
    for letter in other.chars() {
        let mut diagonal = row.first().copied().unwrap_or(0);
        let mut left = diagonal + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (cell, own) in row.iter_mut().skip(1).zip(one) {
            let replaced = diagonal + usize::from(*own != letter);
            diagonal = *cell;
            left = replaced.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
    }
    row.last().copied().unwrap_or(0)
}
