//! `--moe-layer-freq`: a period, or a Python list of 0 and 1 such as `([0]*3+[1]*58)`.

use super::bounds::{LAYERS, PERIOD};
use super::error::ConfigError;
use super::json::shortened;

/// How many layers have experts, and how many dense ones come first.
///
/// # Errors
/// Neither of the two forms, or a list of another length than the layers.
pub(super) fn places(field: &str, pattern: &str, layers: u32) -> Result<(u32, u32), ConfigError> {
    if let Ok(period) = pattern.parse::<u64>()
        && PERIOD.holds(period)
    {
        // Megatron puts experts into layer 0 and each `period`-th after it.
        let period = u32::try_from(period).unwrap_or(u32::MAX);
        return Ok((layers.div_ceil(period), 0));
    }
    let text: Vec<u8> = pattern.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let mut parser = Parser { text: &text, place: 0, depth: 0 };
    let listed = parser.sum().filter(|_| parser.peek().is_none());
    let Some(listed) = listed else {
        return Err(ConfigError::UnsupportedField {
            model_type: "megatron".to_owned(),
            field: field.to_owned(),
            value: shortened(pattern),
            supported: "N, ([0]*N+[1]*N)".to_owned(),
        });
    };
    let length = u32::try_from(listed.len()).unwrap_or(u32::MAX);
    if length != layers {
        return Err(ConfigError::OutOfBounds {
            field: field.to_owned(),
            value: length.to_string(),
            least: u64::from(layers),
            most: u64::from(layers),
        });
    }
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let sparse = count(listed.iter().filter(|one| **one).count());
    Ok((sparse, count(listed.iter().take_while(|one| !**one).count())))
}

/// Sums and multiples of lists; none where the text is something else or grows too long.
struct Parser<'a> {
    text: &'a [u8],
    place: usize,
    depth: u8,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.place).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.place += usize::from(found);
        found
    }

    fn sum(&mut self) -> Option<Vec<bool>> {
        let mut all = self.product()?;
        while self.take(b'+') {
            all.extend(self.product()?);
            short(&all)?;
        }
        Some(all)
    }

    fn product(&mut self) -> Option<Vec<bool>> {
        let mut list = self.list()?;
        while self.take(b'*') {
            let times = usize::try_from(self.number()?).ok()?;
            let length = list.len().checked_mul(times)?;
            u64::try_from(length).ok().filter(|length| *length <= LAYERS.most)?;
            list = list.repeat(times);
        }
        Some(list)
    }

    fn list(&mut self) -> Option<Vec<bool>> {
        if self.take(b'(') {
            self.depth = self.depth.checked_add(1).filter(|depth| *depth < 16)?;
            let inner = self.sum()?;
            self.depth -= 1;
            return self.take(b')').then_some(inner);
        }
        if !self.take(b'[') {
            return None;
        }
        let mut list = Vec::new();
        while !self.take(b']') {
            if !list.is_empty() && !self.take(b',') {
                return None;
            }
            list.push(match self.number()? {
                0 => false,
                1 => true,
                _ => return None,
            });
        }
        Some(list)
    }

    fn number(&mut self) -> Option<u64> {
        let start = self.place;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.place += 1;
        }
        std::str::from_utf8(self.text.get(start..self.place)?).ok()?.parse().ok()
    }
}

fn short(list: &[bool]) -> Option<()> {
    u64::try_from(list.len()).ok().filter(|length| *length <= LAYERS.most).map(|_| ())
}
