//! From the ids of a drawn cluster to places in its list of parts.

use super::sketch::{Id, Part};

/// Places by id. Documents whose ids count up from 0, as recipes write them, need no search.
pub(super) struct Index {
    dense: bool,
    sorted: Vec<(Id, usize)>,
    length: usize,
}

impl Index {
    pub(super) fn new(parts: &[Part]) -> Self {
        let dense = parts.iter().enumerate().all(|(at, part)| usize_of(part.id) == at);
        let mut sorted: Vec<(Id, usize)> = Vec::new();
        if !dense {
            sorted.extend(parts.iter().enumerate().map(|(at, part)| (part.id, at)));
            sorted.sort_unstable();
        }
        Self { dense, sorted, length: parts.len() }
    }

    /// Place of the first part of that id.
    pub(super) fn place(&self, id: Id) -> Option<usize> {
        if self.dense {
            return Some(usize_of(id)).filter(|at| *at < self.length);
        }
        let at = self.sorted.partition_point(|(other, _)| *other < id);
        self.sorted.get(at).filter(|(other, _)| *other == id).map(|(_, place)| *place)
    }

    /// Ids that more than one part has.
    pub(super) fn doubles(&self) -> impl Iterator<Item = Id> {
        self.sorted.windows(2).filter_map(|pair| match pair {
            [(one, _), (other, _)] if one == other => Some(*one),
            _ => None,
        })
    }
}

pub(super) fn usize_of(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}
