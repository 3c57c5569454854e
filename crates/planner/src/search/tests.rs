use proptest::prelude::*;

use super::*;
use crate::estimate::{MemoryParts, StepParts, Verdict};
use crate::strategy::tests::{job, llama2_70b};
use crate::strategy::{Gate, Layout, Pins, Space};
use crate::units::{Bytes, Seconds};

/// Arbitrary but lawful: memory grows with the micro-batch, the floor stays below the step.
struct Arbitrary {
    seed: u64,
    capacity: f64,
    /// 1: the floor is exact; 0: it says nothing.
    sharpness: f64,
}

impl Arbitrary {
    fn noise(&self, layout: &Layout, salt: u64) -> f64 {
        let fields = [layout.tp, layout.pp, layout.cp, layout.dp, layout.vpp, layout.micro_batch];
        let kinds = [layout.zero as u32, layout.recompute as u32, layout.framework as u32];
        let mut state = self.seed ^ salt;
        for field in fields.into_iter().chain(kinds) {
            state = (state ^ u64::from(field)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
        f64::from(u32::try_from(state >> 40).unwrap()) / f64::from(1u32 << 24)
    }
}

impl Estimator for Arbitrary {
    fn memory(&mut self, layout: &Layout) -> Fit {
        let fixed = self.noise(&Layout { micro_batch: 1, ..*layout }, 1);
        let device = fixed + 0.05 * f64::from(layout.micro_batch);
        let verdict = if device > self.capacity {
            Verdict::DoesNotFit
        } else if device > 0.9 * self.capacity {
            Verdict::Tight
        } else {
            Verdict::Fits
        };
        let device = Bytes::new(device);
        Fit { verdict, device, parts: MemoryParts::default(), host_exceeded: false }
    }

    fn floor(&mut self, layout: &Layout) -> Seconds {
        self.step(layout).total * self.sharpness
    }

    fn family_floor(&mut self, largest: &Layout) -> Seconds {
        let sizes = (1..=largest.micro_batch).map(|micro_batch| Layout { micro_batch, ..*largest });
        let floors = sizes.map(|layout| self.step(&layout).total);
        floors.fold(Seconds::NEVER, Seconds::min) * self.sharpness
    }

    fn step(&mut self, layout: &Layout) -> StepParts {
        let total = Seconds::new(1.0 + self.noise(layout, 2));
        StepParts { total, ..StepParts::default() }
    }
}

fn run(seed: u64, capacity: f64, sharpness: f64) -> Outcome {
    let (model, job, pins) = (llama2_70b(), job(64), Pins::default());
    let space = Space::new(&model, &job, &pins, 16);
    let mut estimator = Arbitrary { seed, capacity, sharpness };
    let mut search = Search::new(&space, &mut estimator);
    while !search.advance(&space, &mut estimator, 100) {}
    search.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn pruning_loses_nothing_that_is_shown(seed: u64, capacity in 0.1f64..2.0) {
        let whole = run(seed, capacity, 0.0);
        let pruned = run(seed, capacity, 0.97);
        prop_assert!(pruned.evaluated <= whole.evaluated);
        prop_assert_eq!(&pruned.by_framework, &whole.by_framework);
        let fitting = |outcome: &Outcome| {
            let kept = outcome.best.iter().filter(|kept| kept.fit.verdict == Verdict::Fits);
            kept.copied().collect::<Vec<_>>()
        };
        prop_assert_eq!(fitting(&pruned), fitting(&whole));
        for alternative in &pruned.alternatives {
            let same = whole.alternatives.iter().find(|other| other.knob == alternative.knob);
            prop_assert_eq!(Some(alternative), same);
        }
    }

    #[test]
    fn the_quickest_is_the_best_of_the_search(seed: u64, capacity in 0.1f64..2.0) {
        let whole = run(seed, capacity, 0.97);
        let (model, job, pins) = (llama2_70b(), job(64), Pins::default());
        let space = Space::new(&model, &job, &pins, 16);
        let mut estimator = Arbitrary { seed, capacity, sharpness: 0.97 };
        let fitting = whole.best.first().filter(|best| best.fit.verdict == Verdict::Fits);
        prop_assert_eq!(quickest(&space, &mut estimator), fitting.copied());
        prop_assert_eq!(any_fits(&space, &mut estimator), fitting.is_some());
    }

    #[test]
    fn every_legal_layout_is_estimated_or_has_a_gate(seed: u64, capacity in 0.1f64..2.0) {
        let outcome = run(seed, capacity, 0.97);
        let late = [Gate::DeviceMemory, Gate::HostMemory, Gate::Slower];
        let gated: u64 =
            outcome.cut.iter().filter(|(gate, _)| late.contains(gate)).map(|(_, n)| n).sum();
        prop_assert_eq!(outcome.evaluated + gated, outcome.legal);
    }
}

#[test]
fn when_nothing_fits_the_nearest_miss_is_named() {
    let outcome = run(7, 0.0, 0.97);
    assert!(outcome.best.is_empty());
    let (layout, fit) = outcome.least.unwrap();
    assert_eq!(layout.micro_batch, 1);
    assert_eq!(fit.verdict, Verdict::DoesNotFit);
}
