//! The one quickest layout that fits, without what a screen shows beside it.

use super::{Estimator, Scored};
use crate::estimate::Verdict;
use crate::strategy::{Layout, Space};

/// Whether any layout fits: one look at the memory of each family's smallest micro-batch, up to
/// the first that fits.
pub fn any_fits(space: &Space<'_>, estimator: &mut impl Estimator) -> bool {
    let (families, _) = space.families();
    // What shards, recomputes and offloads most comes last of each kind in the walk.
    families.into_iter().rev().any(|family| smallest_fits(space, estimator, family))
}

/// The layout that [`super::Search`] would choose, if it fits.
///
/// Families whose smallest member does not fit are dropped first, and the walk ends at the first
/// family whose lower bound is above the best time found.
pub fn quickest(space: &Space<'_>, estimator: &mut impl Estimator) -> Option<Scored> {
    let (families, _) = space.families();
    let mut promising: Vec<_> = families
        .into_iter()
        .filter_map(|family| {
            if !smallest_fits(space, estimator, family) {
                return None;
            }
            let largest = space.micro_batches(&family).last().unwrap_or(1);
            let largest = Layout { micro_batch: largest, ..family };
            Some((estimator.family_floor(&largest), family))
        })
        .collect();
    promising.sort_by_key(|(floor, family)| (floor.base().to_bits(), *family));
    let mut best: Option<Scored> = None;
    for (floor, family) in promising {
        if best.is_some_and(|best| floor > best.step.total) {
            break;
        }
        walk_family(space, estimator, family, &mut best);
    }
    best
}

fn walk_family(
    space: &Space<'_>,
    estimator: &mut impl Estimator,
    family: Layout,
    best: &mut Option<Scored>,
) {
    for micro_batch in space.micro_batches(&family) {
        let layout = Layout { micro_batch, ..family };
        let fit = estimator.memory(&layout);
        if fit.verdict != Verdict::Fits {
            // Memory never falls with the micro-batch.
            return;
        }
        if best.is_some_and(|best| estimator.floor(&layout) > best.step.total) {
            continue;
        }
        let scored = Scored { layout, fit, step: estimator.step(&layout) };
        let order = |one: &Scored| (one.step.total.base().to_bits(), one.layout);
        if best.is_none_or(|best| order(&scored) < order(&best)) {
            *best = Some(scored);
        }
    }
}

fn smallest_fits(space: &Space<'_>, estimator: &mut impl Estimator, family: Layout) -> bool {
    space.micro_batches(&family).next().is_some_and(|micro_batch| {
        estimator.memory(&Layout { micro_batch, ..family }).verdict == Verdict::Fits
    })
}
