//! Where the ranks of a group lie: the group signature of COMMUNICATION.md 4.3.

use super::Group;

/// How a group meets the sets of one level (pairs, nodes or segments of GPUs).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Sets that hold ranks of the worst group.
    pub(crate) sets: u32,
    /// Ranks in one such set.
    pub(crate) ranks: u32,
}

impl Cut {
    /// The cut of `group` by sets of `size` GPUs, of which the cluster has `total`. Groups that
    /// do not fill sets evenly straddle a border somewhere; the worst of them counts.
    pub(crate) fn new(group: Group, size: u64, total: u64) -> Self {
        let ranks = u64::from(group.ranks.max(1));
        let stride = u64::from(group.stride.max(1));
        let size = size.max(1);
        let sets = if stride >= size {
            ranks
        } else {
            let span = ranks * stride;
            let offset = size - gcd(span, size);
            (offset + span).div_ceil(size)
        };
        let sets = sets.clamp(1, total.max(1)).min(ranks);
        Self { sets: narrow(sets), ranks: narrow(ranks.div_ceil(sets)) }
    }
}

const fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn narrow(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
