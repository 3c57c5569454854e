//! Pieces add up to the model, and a mean lies below its peak.

use crate::estimate::memory::{Variant, mean_device, peak, pieces, timelines};
use crate::strategy::{Framework, Recompute, Zero};

use super::fixtures::{Run, llama2_7b, llama3_70b};

#[test]
fn the_stages_hold_the_whole_model() {
    let mut run = Run::new(llama3_70b(80), Framework::MegatronCore, "h100-sxm");
    run.layout.pp = 4;
    let stages = 0..4;
    let held: f64 = stages
        .map(|stage| {
            let pieces = pieces(&run.setting(), &run.layout, &Variant::default(), stage);
            assert_eq!(pieces.stage, stage);
            pieces.dense + pieces.experts
        })
        .sum();
    // The test's model has no table beside its layers and embeddings.
    let millions = u32::try_from(run.model.counts.total / 1_000_000).unwrap();
    assert!((held / 1e6 / f64::from(millions) - 1.0).abs() < 1e-3, "{held} of {millions}e6");
}

#[test]
fn a_mean_lies_between_the_states_and_the_peak() {
    for recompute in [Recompute::None, Recompute::Full] {
        let mut run = Run::new(llama2_7b(), Framework::HuggingFace, "a100-sxm-80g");
        run.layout.zero = Zero::Weights;
        run.layout.dp = 8;
        run.layout.recompute = recompute;
        let mean = mean_device(&run.setting(), &run.layout, &Variant::default());
        let peak = peak(&run.setting(), &run.layout).worst;
        assert!(mean < peak.device);
        assert!(mean > peak.parts.weights + peak.parts.gradients + peak.parts.optimizer);
        let stages = timelines(&run.setting(), &run.layout, &Variant::default());
        assert_eq!(stages.len(), 1);
        assert!(stages[0].instants.iter().any(|one| one.device == peak.device));
    }
}
