//! The explanation tells the same memory as the estimate, for any part of any instant.

use proptest::prelude::*;

use crate::estimate::Instant;
use crate::estimate::memory::{TERM_KEYS, explain, explain_stage, peak, report};
use crate::explain::{Quantity, Term};
use crate::strategy::{Framework, JobKind, Layout, Precision, Schedule, Zero};

use super::fixtures::{Run, llama3_70b};
use super::properties::{layout, model, run};

fn keys(term: &Term, found: &mut Vec<String>) {
    found.push(term.key.to_string());
    for child in &term.children {
        keys(child, found);
    }
}

fn in_bytes(term: &Term) -> f64 {
    match term.value {
        Quantity::Bytes(bytes) => bytes.base(),
        _ => 0.0,
    }
}

/// Children in bytes add up to their parent wherever all that are counted are bytes.
fn check_sums(term: &Term) {
    let sums = ["device-memory", "memory-buffers", "memory-runtime"];
    if sums.contains(&term.key.as_ref())
        || Instant::ALL.iter().any(|at| term.key == format!("memory-{}", at.key()))
    {
        let sum: f64 = term.children.iter().map(in_bytes).sum();
        assert!((sum - in_bytes(term)).abs() <= 1e-6 * sum.max(1e6), "{term:?}");
    }
    term.children.iter().for_each(check_sums);
}

proptest! {
    #[test]
    fn every_instant_of_every_stage_is_explained(
        model in model(), layout in layout(), lora in any::<bool>()
    ) {
        let mut run = run(model, layout, 1024);
        if lora {
            run.job.kind = JobKind::Lora;
        }
        let report = report(&run.setting(), &run.layout);
        for stage in &report.timeline {
            for at in &stage.instants {
                let tree = explain_stage(&run.setting(), &run.layout, stage.stage, at.instant);
                prop_assert!((in_bytes(&tree) / at.device.base() - 1.0).abs() < 1e-12);
                check_sums(&tree);
                let mut found = Vec::new();
                keys(&tree, &mut found);
                for key in found {
                    prop_assert!(TERM_KEYS.contains(&key.as_str()), "{key}");
                }
            }
        }
    }

    #[test]
    fn the_explanation_tells_the_same_memory(
        model in model(), layout in layout(), lora in any::<bool>(), fp8 in any::<bool>()
    ) {
        let mut run = run(model, layout, 1024);
        if lora {
            run.job.kind = JobKind::Lora;
        }
        if fp8 {
            run.job.precision = Precision::Fp8Mixed;
        }
        let tree = explain(&run.setting(), &run.layout);
        let device = peak(&run.setting(), &run.layout).worst.device;
        prop_assert!((in_bytes(&tree) / device.base() - 1.0).abs() < 1e-12);
        check_sums(&tree);
        let mut found = Vec::new();
        keys(&tree, &mut found);
        for key in found {
            prop_assert!(TERM_KEYS.contains(&key.as_str()), "{key}");
        }
    }
}

/// Parameters times bytes, tokens times bytes: the factors multiply to what stands above them.
#[test]
fn factors_multiply_to_their_parent() {
    let mut run = Run::new(llama3_70b(80), Framework::MegatronCore, "h100-sxm");
    run.layout = Layout { tp: 8, pp: 4, dp: 2, sp: true, zero: Zero::Optimizer, ..run.layout };
    run.layout.schedule = Schedule::OneFOneB;
    run.job.global_batch = 64;
    let tree = explain(&run.setting(), &run.layout);
    let plain = |term: &Term| match term.value {
        Quantity::Count(value) | Quantity::Factor(value) => value,
        Quantity::Bytes(bytes) => bytes.base(),
        _ => 1.0,
    };
    let parts = &tree.children[1].children;
    let product = |index: usize, factors: usize| {
        parts[index].children.iter().take(factors).map(plain).product::<f64>()
            / in_bytes(&parts[index])
    };
    assert!((product(0, 2) - 1.0).abs() < 1e-9, "weights");
    assert!((product(2, 2) - 1.0).abs() < 1e-9, "optimizer");
    assert!((product(3, 4) - 1.0).abs() < 1e-9, "activations");
    assert!((product(4, 2) - 1.0).abs() < 1e-9, "working set");
}
