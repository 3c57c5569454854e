//! A DeepSpeed configuration with the line that starts it (deepspeed/runtime/config.py and
//! zero/config.py of 0.19.8; keys and rules: reference/export_keys.md, section 3).

use planner::strategy::{Framework, Offload, Recompute, Zero};
use serde::Serialize;

use super::environment;
use crate::script::{Argument, Script};
use crate::{LaunchFile, Order, Refusal, Target, header};

pub(super) struct DeepSpeed;

const CONFIG: &str = "deepspeed.json";

impl Target for DeepSpeed {
    fn id(&self) -> &'static str {
        "deepspeed"
    }

    fn version(&self) -> &'static str {
        "DeepSpeed 0.19 with a Hugging Face Trainer script"
    }

    fn accepts(&self, framework: Framework) -> bool {
        framework == Framework::DeepSpeed
    }

    fn files(&self, order: &Order<'_>) -> Result<Vec<LaunchFile>, Refusal> {
        let config = Config::of(order);
        let text = serde_json::to_string_pretty(&config)
            .map_err(|_| Refusal::NothingFits { target: self.id(), knob: "framework" })?;
        Ok(vec![
            LaunchFile { name: CONFIG.to_owned(), text: text + "\n" },
            LaunchFile { name: "launch.sh".to_owned(), text: launch(order, self) },
        ])
    }
}

#[derive(Serialize)]
struct Config {
    train_batch_size: u32,
    train_micro_batch_size_per_gpu: u32,
    gradient_accumulation_steps: u32,
    bf16: Enabled,
    zero_optimization: ZeroOptimization,
}

#[derive(Serialize)]
struct Enabled {
    enabled: bool,
}

#[derive(Serialize)]
struct ZeroOptimization {
    stage: u8,
    overlap_comm: bool,
    contiguous_gradients: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stage3_gather_16bit_weights_on_model_save: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offload_optimizer: Option<Device>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offload_param: Option<Device>,
}

#[derive(Serialize)]
struct Device {
    device: &'static str,
    pin_memory: bool,
}

impl Config {
    fn of(order: &Order<'_>) -> Self {
        let layout = &order.plan.layout;
        let host = || Some(Device { device: "cpu", pin_memory: true });
        let stage = match layout.zero {
            Zero::None => 0,
            Zero::Optimizer => 1,
            Zero::Gradients => 2,
            Zero::Weights => 3,
        };
        Self {
            train_batch_size: order.inputs.job.global_batch,
            train_micro_batch_size_per_gpu: layout.micro_batch,
            gradient_accumulation_steps: order.plan.micro_batches,
            bf16: Enabled { enabled: true },
            zero_optimization: ZeroOptimization {
                stage,
                overlap_comm: true,
                contiguous_gradients: true,
                // Without it a ZeRO-3 run saves no usable weights.
                stage3_gather_16bit_weights_on_model_save: (stage == 3).then_some(true),
                offload_optimizer: match layout.offload {
                    Offload::None => None,
                    Offload::Optimizer | Offload::OptimizerAndWeights => host(),
                },
                offload_param: match layout.offload {
                    Offload::None | Offload::Optimizer => None,
                    Offload::OptimizerAndWeights => host(),
                },
            },
        }
    }
}

fn launch(order: &Order<'_>, target: &dyn Target) -> String {
    let cluster = &order.inputs.cluster;
    let mut script = Script::bash();
    for line in header::lines(order, target) {
        script.comment(&line);
    }
    script.blank().fixed("set -euo pipefail").blank();
    script
        .require("TRAIN_SCRIPT", "a script around the Hugging Face Trainer")
        .require("MODEL_PATH", "folder or name of the pretrained model")
        .require("OUTPUT_DIR", "folder for checkpoints on shared storage")
        .require("LR", "peak learning rate, which a plan does not choose");
    if cluster.nodes > 1 {
        script.require("MASTER_ADDR", "address of the first node, the same on every node");
    }
    script.blank();
    for (variable, value, reason) in environment::nccl(cluster) {
        script.comment(reason).export(variable, value);
    }
    if cluster.nodes > 1 {
        script.fixed("RENDEZVOUS=$MASTER_ADDR:${MASTER_PORT:-29500}");
    }
    let launcher = if cluster.nodes > 1 {
        vec![
            Argument::value("--nnodes", cluster.nodes),
            Argument::value("--nproc-per-node", cluster.gpus_per_node),
            Argument::value("--rdzv-backend", "c10d"),
            Argument::variable("--rdzv-endpoint", "RENDEZVOUS"),
        ]
    } else {
        vec![
            Argument::flag("--standalone"),
            Argument::value("--nproc-per-node", cluster.gpus_per_node),
        ]
    };
    script
        .array("LAUNCHER", &launcher)
        .array("TRAINER", &trainer(order, Argument::value("--deepspeed", CONFIG)))
        .blank();
    script.fixed("torchrun \"${LAUNCHER[@]}\" \"$TRAIN_SCRIPT\" \"${TRAINER[@]}\"");
    script.text()
}

/// Arguments of a Hugging Face Trainer script; `config` names the DeepSpeed file.
pub(super) fn trainer(order: &Order<'_>, config: Argument) -> Vec<Argument> {
    let layout = &order.plan.layout;
    let mut arguments = vec![
        config,
        Argument::variable("--model_name_or_path", "MODEL_PATH"),
        Argument::variable("--output_dir", "OUTPUT_DIR"),
        Argument::variable("--learning_rate", "LR"),
        Argument::value("--per_device_train_batch_size", layout.micro_batch),
        Argument::value("--gradient_accumulation_steps", order.plan.micro_batches),
        Argument::value("--max_steps", format!("{:.0}", order.plan.steps)),
        Argument::value("--bf16", "true"),
    ];
    if layout.recompute == Recompute::Full {
        arguments.push(
            Argument::value("--gradient_checkpointing", "true")
                .because("activations do not fit otherwise"),
        );
    }
    arguments
}
