//! Models, jobs and layouts for the tests, by shape.

use crate::catalog::{Accelerator, accelerator};
use crate::cluster::{ClusterSpec, Fabric, IntraNode};
use crate::estimate::Setting;
use crate::model::{
    Attention, AttentionBias, FeedForward, LatentAttention, MixtureOfExperts, Model, Norm,
    ParamCounts,
};
use crate::strategy::{
    Adapter, Framework, Job, JobKind, Layout, Offload, Optimizer, Precision, Recompute, Schedule,
    Stack, Zero,
};
use crate::units::{BitsPerSecond, Bytes};

pub(super) struct Shape {
    pub(super) layers: u32,
    pub(super) hidden: u32,
    pub(super) heads: u32,
    pub(super) kv_heads: u32,
    pub(super) ffn: u32,
    pub(super) vocab: u32,
    pub(super) gated: bool,
    pub(super) tied: bool,
    /// Learned or other non-rotary positions.
    pub(super) rotary: bool,
}

pub(super) fn dense(shape: &Shape) -> Model {
    let (h, f) = (u64::from(shape.hidden), u64::from(shape.ffn));
    let head_dim = shape.hidden / shape.heads;
    let hk = u64::from(shape.kv_heads * head_dim);
    let embedding = u64::from(shape.vocab) * h;
    let attention_per_layer = 2 * h * h + 2 * h * hk;
    let dense_ffn_per_layer = if shape.gated { 3 } else { 2 } * h * f;
    let head = if shape.tied { 0 } else { embedding };
    let layer = attention_per_layer + dense_ffn_per_layer + 2 * h;
    Model {
        name: "test".into(),
        family: "test".into(),
        layers: shape.layers,
        hidden: shape.hidden,
        vocab: shape.vocab,
        attention: Attention {
            heads: shape.heads,
            kv_heads: shape.kv_heads,
            head_dim,
            bias: AttentionBias::None,
            latent: None,
        },
        feed_forward: FeedForward { width: shape.ffn, gated: shape.gated, bias: false },
        experts: None,
        window: None,
        linear: None,
        norm: Norm::Rms,
        tied: shape.tied,
        learned_positions: u32::from(!shape.rotary),
        max_positions: 8192,
        counts: ParamCounts {
            total: u64::from(shape.layers) * layer + embedding + head + h,
            embedding,
            head,
            outside_layers: h,
            attention_per_layer,
            norms_per_layer: 2 * h,
            dense_ffn_per_layer,
            ..ParamCounts::default()
        },
        assumptions: Vec::new(),
    }
}

fn llama(layers: u32, hidden: u32, heads: u32, kv_heads: u32, ffn: u32, vocab: u32) -> Shape {
    Shape { layers, hidden, heads, kv_heads, ffn, vocab, gated: true, tied: false, rotary: true }
}

pub(super) fn llama3_70b(layers: u32) -> Model {
    dense(&llama(layers, 8192, 64, 8, 28672, 128_256))
}

pub(super) fn llama3_8b() -> Model {
    dense(&llama(32, 4096, 32, 8, 14336, 128_256))
}

pub(super) fn llama2_7b() -> Model {
    dense(&llama(32, 4096, 32, 32, 11008, 32000))
}

pub(super) fn llama32_3b() -> Model {
    dense(&Shape { tied: true, ..llama(28, 3072, 24, 8, 8192, 128_256) })
}

pub(super) fn qwen_1_8b() -> Model {
    dense(&llama(24, 2048, 16, 16, 5504, 151_936))
}

pub(super) fn bloom(hidden: u32, layers: u32, heads: u32) -> Model {
    dense(&Shape {
        gated: false,
        tied: true,
        rotary: false,
        ..llama(layers, hidden, heads, heads, 4 * hidden, 250_880)
    })
}

/// DeepSeek-V3 cut to one dense layer and `layers − 1` layers with experts.
pub(super) fn deepseek_v3(layers: u32) -> Model {
    let mut model = dense(&llama(layers, 7168, 128, 128, 18432, 129_280));
    model.attention.head_dim = 192;
    model.attention.latent = Some(LatentAttention {
        q_rank: 1536,
        kv_rank: 512,
        nope_dim: 128,
        rope_dim: 64,
        v_dim: 128,
    });
    model.experts = Some(MixtureOfExperts {
        experts: 256,
        top_k: 8,
        width: 2048,
        shared_width: 2048,
        moe_layers: layers - 1,
        first_dense_layers: 1,
    });
    let counts = &mut model.counts;
    counts.attention_per_layer = 187_107_328;
    counts.expert = 3 * 7168 * 2048;
    counts.shared_per_layer = 3 * 7168 * 2048;
    counts.router_per_layer = 256 * 7168;
    let moe = counts.attention_per_layer + 257 * counts.expert + counts.router_per_layer;
    counts.total = u64::from(layers - 1) * moe
        + counts.attention_per_layer
        + counts.dense_ffn_per_layer
        + 2 * counts.embedding;
    model
}

/// A model, a job, a cluster and a layout together.
pub(super) struct Run {
    pub(super) model: Model,
    pub(super) job: Job,
    pub(super) accelerator: &'static Accelerator,
    pub(super) cluster: ClusterSpec,
    pub(super) stack: Stack,
    pub(super) layout: Layout,
}

impl Run {
    /// One GPU, micro-batch 1, no pipeline, 16-bit mixed, the framework's defaults.
    pub(super) fn new(model: Model, framework: Framework, accelerator_id: &str) -> Self {
        Self {
            model,
            job: Job {
                kind: JobKind::Pretrain,
                sequence: 4096,
                global_batch: 1,
                precision: Precision::Bf16Mixed,
                optimizer: Optimizer::AdamW,
                adapter: Adapter::default(),
                tokens: 1e9,
            },
            accelerator: accelerator(accelerator_id).unwrap(),
            cluster: ClusterSpec {
                accelerator: accelerator_id.into(),
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
                dp: 1,
                ep: 1,
                etp: 1,
                zero: Zero::None,
                sp: false,
                micro_batch: 1,
                recompute: Recompute::None,
                schedule: Schedule::Single,
                offload: Offload::None,
                activation_offload: false,
            },
        }
    }

    pub(super) fn setting(&self) -> Setting<'_> {
        Setting {
            model: &self.model,
            job: &self.job,
            accelerator: self.accelerator,
            cluster: &self.cluster,
            stack: self.stack,
        }
    }
}
