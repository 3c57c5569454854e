//! What must hold for any layout.

use proptest::prelude::*;

use crate::estimate::memory::{Variant, peak, peak_of, report};
use crate::estimate::{Instant, MemoryParts, Setting};
use crate::model::Model;
use crate::strategy::{Framework, Job, Layout, Offload, Optimizer, Recompute, Schedule, Zero};
use crate::units::Bytes;

use super::fixtures::{Run, bloom, deepseek_v3, llama3_8b, llama3_70b, llama32_3b};

pub(super) fn model() -> impl Strategy<Value = Model> {
    prop_oneof![
        Just(llama3_8b()),
        Just(llama3_70b(80)),
        Just(llama3_70b(61)),
        Just(llama32_3b()),
        Just(deepseek_v3(61)),
        Just(bloom(12288, 100, 64)),
    ]
}

fn framework() -> impl Strategy<Value = Framework> {
    prop_oneof![
        Just(Framework::MegatronCore),
        Just(Framework::DeepSpeed),
        Just(Framework::Torchtitan),
        Just(Framework::MegatronLegacy),
        Just(Framework::MegatronDeepSpeed),
        Just(Framework::FsdpEager),
        Just(Framework::HuggingFace),
        Just(Framework::FusedCuda),
    ]
}

fn zero() -> impl Strategy<Value = Zero> {
    prop_oneof![Just(Zero::None), Just(Zero::Optimizer), Just(Zero::Gradients), Just(Zero::Weights)]
}

fn recompute() -> impl Strategy<Value = Recompute> {
    prop_oneof![Just(Recompute::None), Just(Recompute::Selective), Just(Recompute::Full)]
}

fn offload() -> impl Strategy<Value = Offload> {
    prop_oneof![Just(Offload::None), Just(Offload::Optimizer), Just(Offload::OptimizerAndWeights)]
}

fn power(up_to: u32) -> impl Strategy<Value = u32> {
    (0..=up_to).prop_map(|exponent| 1 << exponent)
}

prop_compose! {
    pub(super) fn layout()(
        framework in framework(),
        (tp, pp, vpp) in (power(3), 1..=16_u32, 1..=3_u32),
        (cp, dp, ep) in (power(2), power(5), power(4)),
        (zero, recompute, offload) in (zero(), recompute(), offload()),
        (micro_batch, sp, expert_tp) in (power(3), any::<bool>(), any::<bool>()),
    ) -> Layout {
        let vpp = if pp == 1 { 1 } else { vpp };
        let schedule = match (pp, vpp) {
            (1, _) => Schedule::Single,
            (_, 1) => Schedule::OneFOneB,
            _ => Schedule::Interleaved,
        };
        let etp = if expert_tp { tp } else { 1 };
        Layout {
            framework, tp, pp, vpp, cp, dp, ep: ep.min(dp * cp), etp, zero, sp,
            micro_batch, recompute, schedule, offload, activation_offload: false,
        }
    }
}

pub(super) fn run(model: Model, layout: Layout, global_batch: u32) -> Run {
    let mut run = Run::new(model, layout.framework, "h100-sxm");
    run.layout = layout;
    run.job.global_batch = global_batch;
    run
}

proptest! {
    #[test]
    fn the_fast_path_finds_the_worst_stage(model in model(), layout in layout()) {
        let run = run(model, layout, 1024);
        let report = report(&run.setting(), &run.layout);
        let worst = report.stages.iter().map(|stage| stage.device.base()).fold(0.0, f64::max);
        prop_assert!(report.worst.device.base() >= worst * (1.0 - 1e-12));
        let layers: u32 = u32::try_from(report.stages.len()).unwrap();
        prop_assert_eq!(layers, run.layout.pp);
    }

    #[test]
    fn the_peak_is_the_worst_of_all_instants(model in model(), layout in layout()) {
        let run = run(model, layout, 1024);
        let report = report(&run.setting(), &run.layout);
        for (stage, timeline) in report.stages.iter().zip(&report.timeline) {
            let worst = timeline.instants.iter().map(|at| at.device.base()).fold(0.0, f64::max);
            let counted = if stage.instant == Instant::OverStep { stage.device.base() } else { worst };
            prop_assert!((stage.device.base() / counted - 1.0).abs() < 1e-12);
            prop_assert!(timeline.instants.iter().any(|at| at.instant == stage.instant));
            for at in &timeline.instants {
                prop_assert!(at.allocated + at.reclaimable <= at.device);
                prop_assert!((at.parts.total().ratio(at.device) - 1.0).abs() < 1e-9);
            }
        }
        let layers: u32 = report.timeline.iter().map(|stage| stage.layers).sum();
        prop_assert_eq!(layers, run.model.layers);
        prop_assert!(report.host.peak() >= report.host.at_load());
    }

    #[test]
    fn parts_add_up_and_none_is_negative(model in model(), layout in layout()) {
        let run = run(model, layout, 1024);
        for stage in report(&run.setting(), &run.layout).stages {
            let parts = stage.parts;
            let error = (parts.total().base() / stage.device.base() - 1.0).abs();
            prop_assert!(error < 1e-9);
            prop_assert!(stage.allocated <= stage.device);
            for part in [
                parts.weights, parts.gradients, parts.optimizer, parts.activations,
                parts.working, parts.logits, parts.buffers, parts.runtime,
            ] {
                prop_assert!(part.base() >= 0.0 && part.base().is_finite());
            }
        }
    }

    #[test]
    fn more_data_parallelism_with_sharding_never_costs_memory(
        model in model(), layout in layout()
    ) {
        prop_assume!(layout.zero != Zero::None && layout.dp > 1);
        let small = run(model, layout, 8192);
        let wide = Layout { dp: layout.dp * 2, ..layout };
        let before = peak(&small.setting(), &small.layout).worst.device;
        let after = peak(&small.setting(), &wide).worst.device;
        // Groups that now cross nodes have larger buffers.
        let wider = Bytes::gib(0.13 * 5.0);
        prop_assert!(after <= before * (1.0 + 1e-12) + wider, "{before:?} {after:?}");
    }

    #[test]
    fn a_larger_micro_batch_never_saves_memory(
        model in model(), layout in layout(), accumulation in 1..=32_u32
    ) {
        let run = run(model, layout, layout.dp * layout.micro_batch * accumulation * 2);
        let larger = Layout { micro_batch: layout.micro_batch * 2, ..layout };
        let before = peak(&run.setting(), &run.layout).worst.device;
        let after = peak(&run.setting(), &larger).worst.device;
        prop_assert!(after.base() >= before.base() * (1.0 - 1e-12), "{before:?} {after:?}");
    }

    #[test]
    fn a_longer_sequence_never_saves_memory(model in model(), layout in layout()) {
        let mut run = run(model, layout, 1024);
        run.job.sequence = 2048;
        let before = peak(&run.setting(), &run.layout).worst.device;
        run.job.sequence = 4096;
        let after = peak(&run.setting(), &run.layout).worst.device;
        prop_assert!(after.base() >= before.base() * (1.0 - 1e-12), "{before:?} {after:?}");
    }

    #[test]
    fn sharding_more_never_costs_states(model in model(), layout in layout()) {
        let run = run(model, layout, 1024);
        let states = |zero| {
            let timeline = report(&run.setting(), &Layout { zero, ..layout }).timeline;
            let mut most: f64 = 0.0;
            for at in timeline.iter().flat_map(|stage| &stage.instants) {
                let parts = at.parts;
                most = most.max((parts.weights + parts.gradients + parts.optimizer).base());
            }
            most
        };
        // Under FSDP2 "gradients" means that gathered weights are kept.
        let fsdp2 = matches!(layout.framework, Framework::Torchtitan | Framework::FsdpEager);
        let stages = [Zero::None, Zero::Optimizer, Zero::Gradients, Zero::Weights];
        // The Hugging Face Trainer changes its engine with the stage.
        let trainer = layout.framework == Framework::HuggingFace;
        let skipped = |pair: &[Zero]| trainer || fsdp2 && pair.contains(&Zero::Gradients);
        for pair in stages.windows(2).filter(|pair| !skipped(pair)) {
            prop_assert!(states(pair[1]) <= states(pair[0]) * (1.0 + 1e-12), "{pair:?}");
        }
    }

    #[test]
    fn wider_tensor_parallelism_never_costs_states_or_stored_activations(
        model in model(), layout in layout()
    ) {
        let run = run(model, layout, 1024);
        let parts = |tp| {
            let layout = Layout { tp, etp: if layout.etp > 1 { tp } else { 1 }, ..layout };
            let first = report(&run.setting(), &layout).timeline.swap_remove(0);
            let at = first.instants.into_iter().find(|at| at.instant == Instant::Forward).unwrap();
            at.parts
        };
        let (narrow, wide) = (parts(layout.tp), parts(layout.tp * 2));
        let states = |parts: MemoryParts| (parts.weights + parts.optimizer).base();
        prop_assert!(states(wide) <= states(narrow) * (1.0 + 1e-12));
        let (before, after) = (narrow.activations.base(), wide.activations.base());
        prop_assert!(after <= before * (1.0 + 1e-12), "{before} {after}");
    }

    #[test]
    fn no_extra_makes_a_run_smaller_than_it_should(
        model in model(), layout in layout(), factor in 1.0..2.0_f64
    ) {
        let run = run(model, layout, 1024);
        let device = |variant: &Variant| {
            peak_of(&run.setting(), &run.layout, variant).worst.device.base()
        };
        let plain = Variant::default();
        let at_least = |variant: Variant| device(&variant) >= device(&plain) * (1.0 - 1e-12);
        let at_most = |variant: Variant| device(&variant) <= device(&plain) * (1.0 + 1e-12);
        prop_assert!(at_least(Variant { expert_imbalance: Some(factor), ..plain }), "expert_imbalance");
        prop_assert!(at_least(Variant { loads_whole: true, ..plain }), "loads_whole");
        prop_assert!(at_most(Variant { expandable_segments: true, ..plain }), "expandable_segments");
        prop_assert!(at_most(Variant { embeddings_apart: true, ..plain }), "embeddings_apart");
    }

    #[test]
    fn what_a_user_may_state_never_costs_memory(model in model(), layout in layout()) {
        let run = run(model, layout, 1024);
        let plain = peak(&run.setting(), &run.layout).worst.device.base() * (1.0 + 1e-12);
        for optimizer in [Optimizer::Sgd, Optimizer::AdamW8bit, Optimizer::AdamWBf16] {
            let job = Job { optimizer, ..run.job.clone() };
            let setting = Setting { job: &job, ..run.setting() };
            prop_assert!(peak(&setting, &run.layout).worst.device.base() <= plain, "{optimizer:?}");
        }
        let away = Layout { activation_offload: true, ..run.layout };
        prop_assert!(peak(&run.setting(), &away).worst.device.base() <= plain, "activations");
        if layout.recompute == Recompute::None {
            for recompute in [Recompute::Norms, Recompute::FeedForward, Recompute::NormsAndFeedForward] {
                let again = Layout { recompute, ..run.layout };
                prop_assert!(peak(&run.setting(), &again).worst.device.base() <= plain, "{recompute:?}");
            }
        }
    }

    #[test]
    fn full_recomputation_never_costs_memory(model in model(), layout in layout()) {
        prop_assume!(layout.framework != Framework::MegatronDeepSpeed);
        let run = run(model, layout, 1024);
        let with = |recompute| {
            let layout = Layout { recompute, ..layout };
            peak(&run.setting(), &layout).worst.device.base()
        };
        prop_assert!(with(Recompute::Full) <= with(Recompute::None) * (1.0 + 1e-12));
        prop_assert!(with(Recompute::Selective) <= with(Recompute::None) * (1.0 + 1e-12));
    }

    #[test]
    fn every_layer_lies_in_one_stage(model in model(), layout in layout()) {
        use crate::estimate::memory::case::Case;
        use crate::estimate::memory::stages::stage;
        let run = run(model, layout, 1024);
        let (setting, variant) = (run.setting(), crate::estimate::memory::Variant::default());
        let case = Case::new(&setting, &run.layout, &variant);
        let sum: f64 = (0..case.pp).map(|index| stage(&case, index).layers()).sum();
        prop_assert!((sum - f64::from(run.model.layers)).abs() < 1e-9);
    }
}

/// STUDY_MEMORY.md 5, case A47: ten virtual stages lie a little under five.
#[test]
fn more_virtual_stages_store_less_than_few() {
    let mut run = Run::new(llama3_70b(80), Framework::MegatronCore, "h100-sxm");
    run.layout.pp = 4;
    run.layout.schedule = Schedule::Interleaved;
    run.job.global_batch = 1024;
    let with = |vpp| {
        let layout = Layout { vpp, ..run.layout };
        peak(&run.setting(), &layout).worst.parts.activations
    };
    let plain = peak(&run.setting(), &Layout { schedule: Schedule::OneFOneB, ..run.layout });
    assert!(with(10) < with(5) && with(5) > plain.worst.parts.activations);
    let expected = plain.worst.parts.activations * ((1.0 + 3.0 / (4.0 * 5.0)) / 1.0);
    assert!((with(5).ratio(expected) - 1.0).abs() < 1e-9);
}
