//! torchtitan 0.3 command line of a plan (reference/export_keys.md, sections 0 and 2).

use planner::strategy::{Offload, Recompute, Zero};

use crate::Order;
use crate::script::Argument;

/// Variables that the plan cannot know.
pub(crate) const VARIABLES: [(&str, &str); 2] = [
    ("TITAN_MODULE", "torchtitan module of the model, such as llama3"),
    ("TITAN_CONFIG", "configuration function of the model, such as llama3_70b"),
];

pub(crate) fn arguments(order: &Order<'_>) -> Vec<Argument> {
    let layout = &order.plan.layout;
    let job = &order.inputs.job;
    let (replicate, shard) = match layout.zero {
        Zero::None => (layout.dp, 1),
        Zero::Optimizer | Zero::Gradients | Zero::Weights => (1, layout.dp),
    };
    // Under a pipeline the local batch is what one replica works through in a step.
    let local = if layout.pp > 1 {
        layout.micro_batch * order.plan.micro_batches
    } else {
        layout.micro_batch
    };
    let mut arguments = vec![
        Argument::variable("--module", "TITAN_MODULE"),
        Argument::variable("--config", "TITAN_CONFIG"),
        Argument::value("--parallelism.tensor_parallel_degree", layout.tp),
        Argument::value("--parallelism.pipeline_parallel_degree", layout.pp),
        Argument::value("--parallelism.context_parallel_degree", layout.cp),
        Argument::value("--parallelism.data_parallel_replicate_degree", replicate),
        Argument::value("--parallelism.data_parallel_shard_degree", shard),
        Argument::value("--training.local_batch_size", local),
        Argument::value("--training.global_batch_size", job.global_batch),
        Argument::value("--training.seq_len", job.sequence),
        Argument::value("--training.steps", format!("{:.0}", order.plan.steps)),
    ];
    if layout.ep > 1 {
        arguments.push(Argument::value("--parallelism.expert_parallel_degree", layout.ep));
    }
    if layout.pp > 1 {
        let schedule = if layout.vpp > 1 { "Interleaved1F1B" } else { "1F1B" };
        arguments.extend([
            Argument::value("--parallelism.pipeline_parallel_schedule", schedule),
            Argument::value("--parallelism.pipeline_parallel_microbatch_size", layout.micro_batch),
            Argument::flag("--training.disable_cuda_graphs")
                .because("refused together with a pipeline"),
        ]);
    }
    if layout.offload != Offload::None {
        arguments.push(Argument::flag("--training.enable_cpu_offload"));
    }
    arguments.push(Argument::flag(match layout.recompute {
        // Modules of Megatron-Core's list have no sub-command; the space has no such layout.
        Recompute::None
        | Recompute::Norms
        | Recompute::FeedForward
        | Recompute::NormsAndFeedForward => "activation-checkpoint:none",
        Recompute::Selective => "activation-checkpoint:selective",
        Recompute::Full => "activation-checkpoint:full",
    }));
    arguments
}
