//! A DeepSpeed configuration with the line that starts it (deepspeed/runtime/config.py and
//! zero/config.py of 0.19.8; keys and rules: reference/export_keys.md, section 3).

use planner::model::Model;
use planner::strategy::{
    Adapter, BaseFormat, Framework, JobKind, Layout, Offload, Optimizer, Recompute, Zero,
};
use serde::Serialize;

use super::environment;
use crate::script::{Argument, Script};
use crate::{LaunchFile, Order, Refusal, Target, header};

pub(super) struct DeepSpeed;

const CONFIG: &str = "deepspeed.json";

/// Where the drives of a node are mounted, as in DeepSpeed's own examples.
const DRIVES: &str = "/local_nvme";

/// `buffer_size` where nothing else is said (`offload_config.py`).
const WEIGHT_BUFFER: u64 = 100_000_000;

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
    #[serde(skip_serializing_if = "Option::is_none")]
    nvme_path: Option<&'static str>,
    pin_memory: bool,
    /// Elements of one buffer of weights; each must hold the largest shard.
    #[serde(skip_serializing_if = "Option::is_none")]
    buffer_size: Option<u64>,
}

impl Device {
    fn of(offload: Offload) -> Self {
        let (device, nvme_path) =
            if offload.nvme() { ("nvme", Some(DRIVES)) } else { ("cpu", None) };
        Self { device, nvme_path, pin_memory: true, buffer_size: None }
    }

    fn of_weights(model: &Model, layout: &Layout) -> Self {
        let embedding = u64::from(model.vocab) * u64::from(model.hidden);
        let shard = embedding.div_ceil(u64::from(layout.dp.max(1)));
        let buffer_size = layout.offload.nvme().then_some(shard.max(WEIGHT_BUFFER));
        Self { buffer_size, ..Self::of(layout.offload) }
    }
}

impl Config {
    fn of(order: &Order<'_>) -> Self {
        let layout = &order.plan.layout;
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
                offload_optimizer: layout.offload.optimizer().then(|| Device::of(layout.offload)),
                offload_param: layout
                    .offload
                    .weights()
                    .then(|| Device::of_weights(&order.inputs.model, layout)),
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
        .require("TRAIN_SCRIPT", train_script(order))
        .require("MODEL_PATH", model_path(order))
        .require("OUTPUT_DIR", "folder for checkpoints on shared storage")
        .require("LR", "peak learning rate, which a plan does not choose");
    if cluster.nodes > 1 {
        script.require("MASTER_ADDR", "address of the first node, the same on every node");
    }
    script.blank();
    for (variable, value, reason) in environment::nccl(cluster) {
        script.comment(reason).export(variable, value);
    }
    if order.plan.layout.offload.nvme() {
        script
            .comment("local drives of every node, as deepspeed.json names them")
            .fixed("test -w /local_nvme");
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
    let optimizer = match order.inputs.job.optimizer {
        Optimizer::AdamW | Optimizer::AdamWBf16 => None,
        Optimizer::AdamW8bit => Some("adamw_bnb_8bit"),
        Optimizer::Sgd => Some("sgd"),
    };
    arguments.extend(optimizer.map(|name| Argument::value("--optim", name)));
    if layout.activation_offload {
        arguments.push(
            Argument::value("--activation_offloading", "true")
                .because("stored activations wait in host memory (TRL)"),
        );
    }
    if order.inputs.job.kind == JobKind::Lora {
        arguments.extend(adapter_arguments(order.inputs.job.adapter));
    }
    arguments
}

/// Adapters as `ModelConfig` of TRL reads them (trl/trainer/model_config.py; recalled).
fn adapter_arguments(adapter: Adapter) -> Vec<Argument> {
    let mut arguments = vec![
        Argument::value("--use_peft", "true"),
        Argument::value("--lora_r", adapter.rank),
        Argument::value("--lora_target_modules", "all-linear"),
    ];
    if adapter.dora {
        arguments.push(Argument::value("--use_dora", "true"));
    }
    match adapter.base {
        // A GPTQ base is quantised on disk.
        BaseFormat::SixteenBit | BaseFormat::Gptq4 => {}
        BaseFormat::EightBit => arguments.push(Argument::value("--load_in_8bit", "true")),
        BaseFormat::Nf4 => {
            arguments.push(Argument::value("--load_in_4bit", "true"));
            arguments.push(Argument::value("--bnb_4bit_quant_type", "nf4"));
        }
    }
    arguments
}

/// What the script must understand.
pub(super) fn train_script(order: &Order<'_>) -> &'static str {
    let trl = order.inputs.job.kind == JobKind::Lora || order.plan.layout.activation_offload;
    if trl {
        "a script that reads TRL's SFTConfig and ModelConfig, such as trl/scripts/sft.py"
    } else {
        "a script around the Hugging Face Trainer"
    }
}

pub(super) fn model_path(order: &Order<'_>) -> &'static str {
    match order.inputs.job.base() {
        BaseFormat::Gptq4 => "folder or name of the pretrained model, quantised by GPTQ to 4 bits",
        BaseFormat::SixteenBit | BaseFormat::EightBit | BaseFormat::Nf4 => {
            "folder or name of the pretrained model"
        }
    }
}
