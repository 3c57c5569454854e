//! Families in order of their promise, micro-batches in ascending order within each.
//!
//! Two cuts, both exact: memory does not fall with the micro-batch, so the first that does not
//! fit is found by halving and ends its family; and a layout whose lower bound is above every
//! time that could still change what is shown (the table, the best of each framework, the
//! runner-up of each knob) is not estimated.

use std::collections::BTreeMap;

use super::alternatives::Alternatives;
use super::{Alternative, Estimator, Fit, Knob};
use crate::estimate::{StepParts, Verdict};
use crate::strategy::{Framework, Gate, GateCounts, Layout, Space};
use crate::units::Seconds;

/// Rows kept for the candidates table.
const KEPT: usize = 100;

/// A layout that was fully estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    pub layout: Layout,
    pub fit: Fit,
    pub step: StepParts,
}

/// How far a search is, in layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub done: u64,
    pub total: u64,
}

/// What a finished search knows.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Best first: fitting before tight, then by time, ties by the layout itself.
    pub best: Vec<Scored>,
    /// The best of each framework, in the order of the enum.
    pub by_framework: Vec<Scored>,
    /// For each knob the best layout with another value.
    pub alternatives: Vec<Alternative>,
    /// When nothing fits: the layout that misses by the least.
    pub least: Option<(Layout, Fit)>,
    pub legal: u64,
    pub evaluated: u64,
    pub cut: GateCounts,
}

/// A search that can be advanced in slices.
#[derive(Clone, Debug)]
pub struct Search {
    families: Vec<(Seconds, Layout)>,
    next: usize,
    progress: Progress,
    evaluated: u64,
    cut: GateCounts,
    best: Vec<Scored>,
    by_framework: BTreeMap<Framework, Scored>,
    alternatives: Alternatives,
    least: Option<(Layout, Fit)>,
    bounds: Bounds,
}

/// Times at or above which a layout changes nothing that is shown.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// The layout that is best so far.
    chosen: Option<Layout>,
    /// The last row of the table.
    table: Seconds,
    /// For each knob the best layout with another value than the chosen one.
    knobs: [Seconds; Knob::ALL.len()],
}

impl Search {
    pub fn new(space: &Space<'_>, estimator: &mut impl Estimator) -> Self {
        let (layouts, cut) = space.families();
        let mut total = 0;
        let mut families: Vec<(Seconds, Layout)> = Vec::with_capacity(layouts.len());
        for layout in layouts {
            let sizes = space.micro_batches(&layout);
            let (count, largest) = sizes.fold((0, 1), |(count, _), size| (count + 1, size));
            total += count;
            let largest = Layout { micro_batch: largest, ..layout };
            families.push((estimator.family_floor(&largest), layout));
        }
        families.sort_by_key(|(floor, layout)| (floor.base().to_bits(), *layout));
        Self {
            families,
            next: 0,
            progress: Progress { done: 0, total },
            evaluated: 0,
            cut,
            best: Vec::new(),
            by_framework: BTreeMap::new(),
            alternatives: Alternatives::default(),
            least: None,
            bounds: Bounds {
                chosen: None,
                table: Seconds::NEVER,
                knobs: [Seconds::NEVER; Knob::ALL.len()],
            },
        }
    }

    /// Works through families until about `layouts` layouts are done. True when all are.
    pub fn advance(
        &mut self,
        space: &Space<'_>,
        estimator: &mut impl Estimator,
        layouts: u64,
    ) -> bool {
        let until = self.progress.done.saturating_add(layouts);
        while self.progress.done < until {
            let Some((floor, family)) = self.families.get(self.next).copied() else {
                return true;
            };
            self.next += 1;
            self.walk_family(space, estimator, floor, family);
        }
        self.next >= self.families.len()
    }

    pub const fn progress(&self) -> Progress {
        self.progress
    }

    pub fn finish(self) -> Outcome {
        let alternatives = match self.best.first() {
            Some(best) => self.alternatives.against(&best.layout),
            None => Vec::new(),
        };
        Outcome {
            best: self.best,
            by_framework: self.by_framework.into_values().collect(),
            alternatives,
            least: self.least,
            legal: self.progress.total,
            evaluated: self.evaluated,
            cut: self.cut,
        }
    }

    fn walk_family(
        &mut self,
        space: &Space<'_>,
        estimator: &mut impl Estimator,
        floor: Seconds,
        family: Layout,
    ) {
        let of = |micro_batch| Layout { micro_batch, ..family };
        let sizes: Vec<u32> = space.micro_batches(&family).collect();
        self.progress.done += sizes.len() as u64;
        if sizes.iter().all(|size| floor >= self.bound(&of(*size))) {
            self.cut.add(Gate::Slower, sizes.len() as u64);
            sizes.iter().for_each(|size| self.alternatives.note_unseen(&of(*size)));
            return;
        }
        let mut fits = |size| estimator.memory(&of(size)).verdict != Verdict::DoesNotFit;
        // Most families that do not fit fail with their smallest member.
        let fitting = match sizes.split_first() {
            Some((first, larger)) if fits(*first) => 1 + larger.partition_point(|size| fits(*size)),
            _ => 0,
        };
        if let Some(first) = sizes.get(fitting) {
            self.note_too_large(estimator, of(*first), (sizes.len() - fitting) as u64);
        }
        for size in sizes.into_iter().take(fitting) {
            let layout = of(size);
            if estimator.floor(&layout) >= self.bound(&layout) {
                self.cut.add(Gate::Slower, 1);
                self.alternatives.note_unseen(&layout);
                continue;
            }
            self.evaluated += 1;
            let fit = estimator.memory(&layout);
            self.note(Scored { layout, fit, step: estimator.step(&layout) });
        }
    }

    /// The time from which on a layout changes nothing: it does not enter the table, is not the
    /// best of its framework, and is not the runner-up of a knob whose value it has other than
    /// the chosen layout. An axis on which nothing has fitted yet keeps all its candidates.
    fn bound(&self, layout: &Layout) -> Seconds {
        let (Some(chosen), Some(own)) =
            (&self.bounds.chosen, self.by_framework.get(&layout.framework))
        else {
            return Seconds::NEVER;
        };
        Knob::ALL
            .into_iter()
            .zip(self.bounds.knobs)
            .filter(|(knob, _)| knob.value(layout) != knob.value(chosen))
            .fold(self.bounds.table.max(time_if_fits(own)), |bound, (_, knob)| bound.max(knob))
    }

    /// Notes the smallest member of a family that does not fit, for `layouts` of them.
    fn note_too_large(&mut self, estimator: &mut impl Estimator, layout: Layout, layouts: u64) {
        let fit = estimator.memory(&layout);
        if fit.host_exceeded {
            self.cut.add(Gate::HostMemory, layouts);
        } else {
            self.cut.add(Gate::DeviceMemory, layouts);
            self.alternatives.note_too_large(layout, fit.device);
        }
        let smaller = self.least.as_ref().is_none_or(|(_, least)| {
            (fit.host_exceeded, fit.device.base().to_bits())
                < (least.host_exceeded, least.device.base().to_bits())
        });
        if smaller {
            self.least = Some((layout, fit));
        }
    }

    fn note(&mut self, scored: Scored) {
        self.alternatives.note(&scored);
        let own = self.by_framework.entry(scored.layout.framework).or_insert(scored);
        if order(&scored) < order(own) {
            *own = scored;
        }
        let place = self.best.partition_point(|kept| order(kept) < order(&scored));
        if place < KEPT {
            self.best.insert(place, scored);
            self.best.truncate(KEPT);
        }
        if self.evaluated.is_multiple_of(32) || place == 0 {
            self.update_bounds();
        }
    }

    fn update_bounds(&mut self) {
        let table = self.best.get(KEPT - 1).map_or(Seconds::NEVER, time_if_fits);
        if let Some(best) = self.best.first() {
            let chosen = best.layout;
            let knobs = self.alternatives.bounds(&chosen);
            self.bounds = Bounds { chosen: Some(chosen), table, knobs };
        }
    }
}

fn time_if_fits(scored: &Scored) -> Seconds {
    match scored.fit.verdict {
        Verdict::Fits => scored.step.total,
        Verdict::Tight | Verdict::DoesNotFit | Verdict::Invalid => Seconds::NEVER,
    }
}

/// Times are never negative, so the order of the bits is the order of the values.
fn order(scored: &Scored) -> (Verdict, u64, Layout) {
    (scored.fit.verdict, scored.step.total.base().to_bits(), scored.layout)
}
