//! The first lines of every file: what it is, for which version, what was predicted.

use planner::strategy::{Framework, Layout, Recompute, Zero};

use crate::{Order, Target};

/// Lines without comment signs.
pub(crate) fn lines(order: &Order<'_>, target: &dyn Target) -> Vec<String> {
    let plan = order.plan;
    let memory = &plan.memory;
    let mut lines = vec![
        format!("Plan {:?}, written by Meshwright {}", order.project, env!("CARGO_PKG_VERSION")),
        format!("For {}", target.version()),
        format!("Layout {}", layout_words(&plan.layout)),
        format!(
            "Predicted: step {:.3} s ({:.3} to {:.3}), {:.2} of {:.2} GiB on the worst GPU, {:.2} days",
            plan.step.band.p50,
            plan.step.band.p10,
            plan.step.band.p90,
            memory.worst.device.as_gib(),
            memory.capacity.as_gib(),
            plan.days.p50,
        ),
    ];
    if order.inputs.model.experts.is_some() {
        lines.push(
            "Router scoring and balancing are not part of a plan: add those of your recipe".into(),
        );
    }
    lines
}

fn layout_words(layout: &Layout) -> String {
    let framework = match layout.framework {
        Framework::MegatronCore => "Megatron-Core",
        Framework::DeepSpeed => "DeepSpeed",
        Framework::Torchtitan => "torchtitan",
        Framework::MegatronLegacy
        | Framework::MegatronDeepSpeed
        | Framework::FsdpEager
        | Framework::HuggingFace
        | Framework::FusedCuda => "other",
    };
    let zero = match layout.zero {
        Zero::None => 0,
        Zero::Optimizer => 1,
        Zero::Gradients => 2,
        Zero::Weights => 3,
    };
    let recompute = match layout.recompute {
        Recompute::None => "none",
        Recompute::Norms => "layernorm",
        Recompute::FeedForward => "mlp",
        Recompute::NormsAndFeedForward => "layernorm and mlp",
        Recompute::Selective => "selective",
        Recompute::Full => "full",
    };
    format!(
        "{framework} TP {} PP {} VPP {} CP {} EP {} DP {} ZeRO {zero} micro-batch {} recompute {recompute}",
        layout.tp, layout.pp, layout.vpp, layout.cp, layout.ep, layout.dp, layout.micro_batch,
    )
}
