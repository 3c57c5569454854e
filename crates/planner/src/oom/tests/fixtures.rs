//! Whole settings for the tests.

use crate::catalog::{Accelerator, accelerator};
use crate::cluster::{ClusterSpec, Fabric, IntraNode};
use crate::estimate::Setting;
use crate::estimate::memory::Variant;
use crate::model::{Model, read_config};
use crate::oom::{Diagnosis, explain, parse};
use crate::strategy::{
    Adapter, Framework, Job, JobKind, Layout, Offload, Optimizer, Precision, Recompute, Schedule,
    Stack, Zero,
};
use crate::units::{BitsPerSecond, Bytes};

pub(super) struct Run {
    pub(super) model: Model,
    pub(super) job: Job,
    pub(super) accelerator: &'static Accelerator,
    pub(super) cluster: ClusterSpec,
    pub(super) stack: Stack,
    pub(super) layout: Layout,
    pub(super) variant: Variant,
}

/// `layers hidden heads ffn vocab` of a Llama-like model.
pub(super) fn dense(shape: [u32; 5]) -> Model {
    let [layers, hidden, heads, ffn, vocab] = shape;
    let config = format!(
        "{{\"model_type\":\"llama\",\"num_hidden_layers\":{layers},\"hidden_size\":{hidden},\
         \"num_attention_heads\":{heads},\"num_key_value_heads\":{heads},\
         \"intermediate_size\":{ffn},\"vocab_size\":{vocab},\"tie_word_embeddings\":false}}"
    );
    read_config("test", &config).unwrap()
}

impl Run {
    /// A fine-tune with full recomputation on `dp` GPUs.
    pub(super) fn new(model: Model, framework: Framework, gpu: &str, dp: u32) -> Self {
        Self {
            model,
            job: Job {
                kind: JobKind::FullFineTune,
                sequence: 4096,
                global_batch: dp,
                precision: Precision::Bf16Mixed,
                optimizer: Optimizer::AdamW,
                adapter: Adapter::default(),
                tokens: 1e9,
            },
            accelerator: accelerator(gpu).unwrap(),
            cluster: ClusterSpec {
                accelerator: gpu.into(),
                nodes: 1,
                gpus_per_node: 8,
                intra: IntraNode::NvSwitch,
                nics_per_node: 8,
                nic_speed: BitsPerSecond::gbps(400.0),
                fabric: Fabric::InfiniBand,
                rail_optimized: true,
                spine: None,
                host_memory: Bytes::gib(2048.0),
            },
            stack: Stack::of(framework),
            layout: Layout {
                framework,
                tp: 1,
                pp: 1,
                vpp: 1,
                cp: 1,
                dp,
                ep: 1,
                etp: 1,
                zero: Zero::None,
                sp: false,
                micro_batch: 1,
                recompute: Recompute::Full,
                schedule: Schedule::Single,
                offload: Offload::None,
                activation_offload: false,
            },
            variant: Variant::default(),
        }
    }

    pub(super) fn explain(&self, text: &str) -> Diagnosis {
        let setting = Setting {
            model: &self.model,
            job: &self.job,
            accelerator: self.accelerator,
            cluster: &self.cluster,
            stack: self.stack,
        };
        explain(&setting, &self.layout, &self.variant, parse(text).unwrap())
    }
}
