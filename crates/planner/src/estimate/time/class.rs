//! What the software stack changes: one row of constants per framework class
//! (STUDY_TIME.md 3, the rows that vary with the framework class).

use crate::strategy::{Framework, Zero};

/// Constants of a framework class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    pub name: &'static str,
    /// Weight of memory-bound bytes; spread 17 to 20 %.
    pub memory: f64,
    /// Host seconds per layer, forward and backward; spread 7 to 19 %.
    pub host: f64,
    /// Exposed share of tensor-parallel collectives; spread 12 %.
    pub tp_exposed: f64,
    /// Exposed share of data-parallel collectives; spread 18 to 30 %.
    pub dp_exposed: f64,
    /// Seconds per ring step and bucket of data-parallel collectives.
    pub hop: f64,
    /// Factor on the optimizer's bytes.
    pub optimizer: f64,
    /// Share of the forward pass that full recomputation repeats.
    pub full: f64,
    /// The same for selective recomputation beside the attention core.
    pub selective: f64,
    /// Bytes over 2 that the adapters of low-rank tuning move per element they see.
    pub adapter_passes: f64,
    pub evidence: &'static str,
}

const FSDP_HOP: f64 = 4.9e-6;

/// ZeRO-1 and 2 of 2023 hand out weights by broadcasts.
const BROADCAST_HOP: f64 = 52e-6;

/// Release from which weights are gathered instead, years.
const GATHERED_SINCE: f64 = 2024.0;

const CORE: Class = Class {
    name: "megatron-core",
    memory: 0.65,
    host: 2.0e-3,
    tp_exposed: 0.57,
    dp_exposed: 0.28,
    hop: 2.1e-6,
    optimizer: 1.0,
    full: 1.0,
    selective: 0.0,
    adapter_passes: 2.4,
    evidence: "STUDY_TIME.md 3: dgxc, nemo-24, megatron-bridge, simumax-b200, megatron-lm",
};

const LEGACY: Class = Class {
    name: "megatron-2021-23",
    memory: 0.55,
    host: 2.2e-3,
    tp_exposed: 0.96,
    dp_exposed: 1.3,
    hop: BROADCAST_HOP,
    evidence: "STUDY_TIME.md 3: bigscience, vtrain, megatron-sc21, megatron-selrec22, megascale",
    ..CORE
};

const ENGINE: Class = Class {
    name: "megatron-deepspeed-engine",
    memory: 0.88,
    tp_exposed: 1.8,
    dp_exposed: 3.7,
    evidence: "STUDY_TIME.md 3: BLOOM-size rows with ZeRO-1",
    ..LEGACY
};

const EAGER: Class = Class {
    name: "fsdp-eager",
    memory: 1.01,
    host: 1.8e-3,
    tp_exposed: 1.0,
    dp_exposed: 0.83,
    hop: FSDP_HOP,
    optimizer: 1.0,
    full: 1.0,
    selective: 0.39,
    adapter_passes: 36.0,
    evidence: "STUDY_TIME.md 3: mosaicml, fms-fsdp, internevo",
};

const COMPILED: Class = Class {
    name: "torch-compile",
    memory: 0.54,
    host: 1.5e-3,
    tp_exposed: 1.06,
    dp_exposed: 0.45,
    adapter_passes: 14.0,
    evidence: "STUDY_TIME.md 3: torchtitan, torchtune",
    ..EAGER
};

const DEEPSPEED: Class = Class {
    name: "deepspeed",
    optimizer: 1.5,
    evidence: "STUDY_TIME.md 2.10 and 3: eager PyTorch under the DeepSpeed engine",
    ..EAGER
};

const HUGGING_FACE: Class = Class {
    name: "hugging-face",
    memory: 0.92,
    host: 5.2e-3,
    dp_exposed: 1.3,
    optimizer: 2.7,
    evidence: "STUDY_TIME.md 3: qwen-ft, llamafactory-4090",
    ..EAGER
};

const FUSED: Class = Class {
    name: "fused-cuda",
    memory: 0.44,
    host: 0.15e-3,
    dp_exposed: 0.31,
    full: 0.75,
    adapter_passes: 2.4,
    evidence: "STUDY_TIME.md 3: llmq; block recomputation leaves out the down projection",
    ..EAGER
};

/// All classes.
pub const CLASSES: &[Class] =
    &[CORE, LEGACY, ENGINE, EAGER, COMPILED, DEEPSPEED, HUGGING_FACE, FUSED];

impl Class {
    /// The class of a framework. Megatron-DeepSpeed without ZeRO runs Megatron's own engine
    /// (STUDY_TIME.md 7).
    pub fn of(framework: Framework, zero: Zero, release: f64) -> Self {
        let class = Self::of_framework(framework, zero);
        let hop = match zero {
            Zero::Weights => class.hop.min(FSDP_HOP),
            Zero::Optimizer | Zero::Gradients
                if framework == Framework::DeepSpeed && release < GATHERED_SINCE =>
            {
                BROADCAST_HOP
            }
            Zero::None | Zero::Optimizer | Zero::Gradients => class.hop,
        };
        Self { hop, ..class }
    }

    const fn of_framework(framework: Framework, zero: Zero) -> Self {
        match framework {
            Framework::MegatronCore => CORE,
            Framework::MegatronLegacy => LEGACY,
            Framework::MegatronDeepSpeed => match zero {
                Zero::None => LEGACY,
                Zero::Optimizer | Zero::Gradients | Zero::Weights => ENGINE,
            },
            Framework::FsdpEager => EAGER,
            Framework::Torchtitan => COMPILED,
            Framework::DeepSpeed => DEEPSPEED,
            Framework::HuggingFace => HUGGING_FACE,
            Framework::FusedCuda => FUSED,
        }
    }
}
