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
    pub(crate) fn new(group: Group, size: u32, total: u32) -> Self {
        let (ranks, stride, size) = (group.ranks.max(1), group.stride.max(1), size.max(1));
        let sets = if total <= 1 {
            1
        } else if stride >= size {
            ranks
        } else {
            // Groups start at multiples of the greatest common divisor of span and size.
            let span = ranks.saturating_mul(stride);
            let offset = size - gcd(span, size);
            offset.saturating_add(span).div_ceil(size)
        };
        let sets = sets.clamp(1, total.max(1)).min(ranks);
        Self { sets, ranks: ranks.div_ceil(sets).min(size) }
    }
}

const fn gcd(a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
