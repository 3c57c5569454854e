//! An sbatch script that starts Megatron-LM with torchrun, one per node.

use planner::strategy::Framework;

use super::environment;
use crate::script::Script;
use crate::{LaunchFile, Order, Refusal, Target, header, megatron, name};

pub(super) struct MegatronSlurm;

impl Target for MegatronSlurm {
    fn id(&self) -> &'static str {
        "megatron-slurm"
    }

    fn version(&self) -> &'static str {
        "Megatron-LM (Megatron-Core 0.19) under Slurm 22.05 or newer"
    }

    fn accepts(&self, framework: Framework) -> bool {
        framework == Framework::MegatronCore
    }

    fn files(&self, order: &Order<'_>) -> Result<Vec<LaunchFile>, Refusal> {
        let mut script = Script::bash();
        directives(&mut script, order);
        script.blank();
        for line in header::lines(order, self) {
            script.comment(&line);
        }
        script.blank().fixed("set -euo pipefail").blank();
        for (variable, meaning) in megatron::VARIABLES {
            script.require(variable, meaning);
        }
        script.blank();
        for (variable, value, reason) in environment::nccl(&order.inputs.cluster) {
            script.comment(reason).export(variable, value);
        }
        if megatron::needs_one_connection(order) {
            script
                .comment("asserted by Megatron-LM with TP or CP up to Hopper")
                .export("CUDA_DEVICE_MAX_CONNECTIONS", "1");
        }
        rendezvous(&mut script);
        let inputs = order.inputs;
        let layout = &order.plan.layout;
        let model = megatron::model_arguments(&inputs.model, inputs.job.sequence);
        let parallel = megatron::parallel_arguments(&inputs.model, layout);
        let training = megatron::training_arguments(order);
        script.blank().array("MODEL", &model).blank().array("PARALLEL", &parallel);
        script.blank().array("TRAINING", &training).blank();
        start(&mut script);
        let name = format!("{}.sbatch", name::job_name(order.project));
        Ok(vec![LaunchFile { name, text: script.text() }])
    }
}

fn directives(script: &mut Script, order: &Order<'_>) {
    let cluster = &order.inputs.cluster;
    script
        .sbatch("job-name", &name::job_name(order.project))
        .sbatch("nodes", &cluster.nodes.to_string())
        .sbatch("ntasks-per-node", "1")
        .sbatch("gpus-per-node", &cluster.gpus_per_node.to_string())
        .sbatch("mem", "0")
        .sbatch_flag("exclusive")
        .sbatch("time", &limit(order.plan.days.p90))
        .sbatch("output", "%x-%j.out")
        .sbatch_flag("requeue");
}

/// `D-HH:MM:SS`, the pessimistic duration rounded up to the hour.
fn limit(days: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "hours of a job, clamped"
    )]
    let hours = (days * 24.0).ceil().clamp(1.0, 1e6) as u32;
    format!("{}-{:02}:00:00", hours / 24, hours % 24)
}

fn rendezvous(script: &mut Script) {
    script
        .blank()
        .comment("the first node of the job, found outside any container")
        .fixed("MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)")
        .fixed("MASTER_PORT=$((20000 + SLURM_JOB_ID % 20000))")
        .fixed("export MASTER_ADDR MASTER_PORT");
}

fn start(script: &mut Script) {
    script
        .fixed("srun --kill-on-bad-exit=1 torchrun \\")
        .fixed("    --nnodes \"$SLURM_JOB_NUM_NODES\" --nproc-per-node \"$SLURM_GPUS_ON_NODE\" \\")
        .fixed("    --rdzv-id \"$SLURM_JOB_ID\" --rdzv-backend c10d \\")
        .fixed("    --rdzv-endpoint \"$MASTER_ADDR:$MASTER_PORT\" \\")
        .fixed("    \"$MEGATRON_PATH/pretrain_gpt.py\" \\")
        .fixed("    \"${MODEL[@]}\" \"${PARALLEL[@]}\" \"${TRAINING[@]}\"");
}
