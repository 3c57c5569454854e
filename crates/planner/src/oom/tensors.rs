//! Every single tensor that one GPU allocates, with the factors of its size. An allocation that
//! fails is one of them: PyTorch asks the driver for one tensor at a time.
//!
//! Counted from the frameworks' code: flat shards and their copies (DeepSpeed
//! runtime/zero/stage_1_and_2.py and stage3.py, Megatron-Core distrib_optimizer.py), logits and
//! their copies (transformers loss_utils.py, torch cross_entropy), scores of unfused attention
//! (arXiv 2205.05198, 4.1), projections and expert inputs as STUDY_MEMORY.md 3.2 counts them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::estimate::Setting;
use crate::estimate::memory::{Pieces, Variant, pieces};
use crate::explain::{Quantity, Source, Term};
use crate::remedy::Lever;
use crate::strategy::{AttentionKernel, BaseFormat, JobKind, Layout, LossPath, Zero};
use crate::units::Bytes;

/// Every key that a tensor's term can have; each needs a message `term-KEY` with a `.formula`.
pub const TERM_KEYS: [&str; 31] = [
    "oom-bucket",
    "oom-bytes-per-element",
    "oom-dequantized",
    "oom-embedding",
    "oom-embedding-fp32",
    "oom-expert-input",
    "oom-expert-projection",
    "oom-experts-here",
    "oom-feed-forward",
    "oom-flat-gradients",
    "oom-fp32-shard",
    "oom-fused-gate-up",
    "oom-gathered-layer",
    "oom-heads-here",
    "oom-hidden",
    "oom-hidden-fp32",
    "oom-keys",
    "oom-layer-parameters",
    "oom-logits",
    "oom-logits-fp32",
    "oom-mask",
    "oom-parameters-here",
    "oom-qkv",
    "oom-scores",
    "oom-scores-fp32",
    "oom-sub-group",
    "oom-top-k",
    "oom-weights-shard",
    "oom-whole-fp32",
    "oom-whole-model",
    "oom-width-here",
];

/// Elements of DeepSpeed's default buckets (`reduce_bucket_size`, `allgather_bucket_size`) and
/// of ZeRO 3's `sub_group_size` (deepspeed/runtime/zero/config.py).
const BUCKET: f64 = 5e8;
const SUB_GROUP: f64 = 1e9;

/// One allocation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tensor {
    /// Name, size and factors.
    pub term: Term,
    pub bytes: Bytes,
    /// The plan as given allocates it; otherwise it would with other software or a plain load.
    pub planned: bool,
    pub lever: Lever,
}

/// Every tensor of the GPUs of stage `stage`.
pub(super) fn tensors(
    setting: &Setting<'_>,
    layout: &Layout,
    variant: &Variant,
    stage: u32,
) -> Vec<Tensor> {
    let plan = Plan {
        setting,
        layout,
        pieces: pieces(setting, layout, variant, stage),
        t: f64::from(layout.tp.max(1)),
    };
    let mut found = Vec::new();
    plan.attention(&mut found);
    plan.loss(&mut found);
    plan.layer(&mut found);
    plan.experts(&mut found);
    plan.states(&mut found);
    plan.weights(&mut found);
    found.retain(|tensor| tensor.bytes > Bytes::ZERO);
    found
}

struct Plan<'a> {
    setting: &'a Setting<'a>,
    layout: &'a Layout,
    pieces: Pieces,
    t: f64,
}

/// A factor of a size.
type Factor = (&'static str, f64);

impl Plan<'_> {
    /// `b·heads/t·s·s` scores of one layer, and the mask that eager code builds.
    fn attention(&self, found: &mut Vec<Tensor>) {
        let unfused = self.setting.stack.attention == AttentionKernel::Unfused;
        let heads = f64::from(self.setting.model.attention.heads) / self.t;
        let keys = f64::from(self.setting.job.sequence);
        let pairs = [("memory-tokens", self.pieces.tokens), ("oom-keys", keys)];
        for (key, width) in [("oom-scores-fp32", 4.0), ("oom-scores", 2.0)] {
            let factors = [&pairs[..], &[("oom-heads-here", heads), bytes_each(width)]].concat();
            found.push(tensor(key, &factors, unfused, Lever::Attention));
        }
        let factors = [&pairs[..], &[bytes_each(2.0)]].concat();
        found.push(tensor("oom-mask", &factors, unfused && self.pieces.eager, Lever::Attention));
    }

    /// Logits in 16 bits and their fp32 copy.
    fn loss(&self, found: &mut Vec<Tensor>) {
        let whole =
            !matches!(self.setting.stack.loss, LossPath::FusedLinear) && self.pieces.head > 0.0;
        let fp32 = whole && !matches!(self.setting.stack.loss, LossPath::Chunked);
        let vocab = ("memory-vocabulary-here", f64::from(self.setting.model.vocab) / self.t);
        let tokens = ("memory-tokens", self.pieces.tokens);
        for (key, width, planned) in [("oom-logits-fp32", 4.0, fp32), ("oom-logits", 2.0, whole)] {
            let factors = [tokens, vocab, bytes_each(width)];
            found.push(tensor(key, &factors, planned, Lever::Loss));
        }
    }

    /// Activations of one layer.
    fn layer(&self, found: &mut Vec<Tensor>) {
        let model = self.setting.model;
        let hidden = f64::from(model.hidden);
        let head = f64::from(model.attention.head_dim);
        let attention = &model.attention;
        let qkv = (f64::from(attention.heads) + 2.0 * f64::from(attention.kv_heads)) * head;
        let ffn = f64::from(model.feed_forward.width) / self.t;
        let gated = model.feed_forward.gated;
        let widths = [
            ("oom-hidden", hidden, 2.0, true),
            ("oom-hidden-fp32", hidden, 4.0, self.pieces.eager),
            ("oom-qkv", qkv / self.t, 2.0, true),
            ("oom-feed-forward", ffn, 2.0, true),
            ("oom-fused-gate-up", 2.0 * ffn, 2.0, gated && !self.pieces.eager),
        ];
        for (key, width, bytes, planned) in widths {
            let factors = [
                ("memory-tokens", self.pieces.tokens),
                ("oom-width-here", width),
                bytes_each(bytes),
            ];
            found.push(tensor(key, &factors, planned, Lever::Activations));
        }
    }

    /// Permuted tokens of the routed experts, balanced.
    fn experts(&self, found: &mut Vec<Tensor>) {
        let Some(experts) = self.setting.model.experts else { return };
        let etp = f64::from(self.layout.etp.max(1));
        let sent = [
            ("memory-tokens", self.pieces.tokens * etp / self.t),
            ("oom-top-k", f64::from(experts.top_k)),
        ];
        let hidden = f64::from(self.setting.model.hidden);
        let width = f64::from(experts.width) / etp;
        for (key, width) in [("oom-expert-input", hidden), ("oom-expert-projection", width)] {
            let factors = [&sent[..], &[("oom-width-here", width), bytes_each(2.0)]].concat();
            found.push(tensor(key, &factors, true, Lever::Activations));
        }
    }

    /// Flat shards of the optimizer step, gradients and buckets.
    fn states(&self, found: &mut Vec<Tensor>) {
        let trained = self.trained();
        let shards = self.pieces.shards;
        let (flat, zero) = (self.pieces.flat, self.layout.zero);
        let over = |from: Zero| if zero >= from { shards } else { 1.0 };
        let parameters = ("oom-parameters-here", trained);
        let cut = |from: Zero| ("memory-shards", 1.0 / over(from));
        // One divided by the shards: sizes are products.
        let rows = [
            ("oom-fp32-shard", cut(Zero::Optimizer), 4.0, flat),
            ("oom-weights-shard", cut(Zero::Optimizer), 2.0, flat),
            ("oom-flat-gradients", cut(Zero::Gradients), self.gradient_width(), flat),
        ];
        for (key, share, bytes, planned) in rows {
            let factors = [parameters, share, bytes_each(bytes)];
            found.push(tensor(key, &factors, planned, Lever::States));
        }
        let sharded = zero == Zero::Weights;
        let group = ("oom-sub-group", (trained / shards).min(SUB_GROUP));
        if flat && sharded {
            found.push(tensor("oom-sub-group", &[group, bytes_each(4.0)], true, Lever::States));
        }
        let bucket = [("oom-bucket", BUCKET.min(trained)), bytes_each(2.0)];
        let bucketed = matches!(zero, Zero::Optimizer | Zero::Gradients) && flat;
        found.push(tensor("oom-bucket", &bucket, bucketed, Lever::States));
    }

    /// Weights gathered or loaded.
    fn weights(&self, found: &mut Vec<Tensor>) {
        let all = self.pieces.dense + self.pieces.experts;
        let model = self.setting.model;
        let embedding = f64::from(model.vocab) * f64::from(model.hidden) / self.t;
        let gathers = self.layout.zero == Zero::Weights && self.pieces.shards > 1.0;
        let layer = ("oom-layer-parameters", self.pieces.largest_layer);
        let lists = [
            ("oom-gathered-layer", layer, 2.0, gathers),
            ("oom-embedding", ("oom-parameters-here", embedding), 2.0, true),
            ("oom-embedding-fp32", ("oom-parameters-here", embedding), 4.0, true),
            ("oom-whole-model", ("oom-parameters-here", all), 2.0, false),
            ("oom-whole-fp32", ("oom-parameters-here", all), 4.0, false),
        ];
        for (key, factor, bytes, planned) in lists {
            found.push(tensor(key, &[factor, bytes_each(bytes)], planned, Lever::Weights));
        }
        if self.setting.job.base() != BaseFormat::SixteenBit {
            let matrix = f64::from(model.hidden) * f64::from(model.feed_forward.width) / self.t;
            let factors = [("oom-layer-parameters", matrix), bytes_each(2.0)];
            found.push(tensor("oom-dequantized", &factors, true, Lever::Weights));
        }
    }

    fn trained(&self) -> f64 {
        if self.setting.job.kind == JobKind::Lora {
            self.pieces.adapters
        } else {
            self.pieces.dense + self.pieces.experts
        }
    }

    fn gradient_width(&self) -> f64 {
        if self.setting.stack.fp32_gradients { 4.0 } else { 2.0 }
    }
}

const fn bytes_each(width: f64) -> Factor {
    ("oom-bytes-per-element", width)
}

/// The product of the factors.
fn tensor(key: &'static str, factors: &[Factor], planned: bool, lever: Lever) -> Tensor {
    let size = Bytes::new(factors.iter().map(|(_, value)| value).product());
    let children = factors
        .iter()
        .map(|(key, value)| match *key {
            "memory-shards" => Term::leaf(key, Quantity::Count(1.0 / value), Source::Computed),
            "oom-bytes-per-element" => Term::leaf(
                key,
                Quantity::Factor(*value),
                Source::Reference(Cow::Borrowed("docs/formulas/oom.md: tensors that are compared")),
            ),
            _ => Term::leaf(key, Quantity::Count(*value), Source::Computed),
        })
        .collect();
    let term = Term::computed(key, Quantity::Bytes(size), children);
    Tensor { term, bytes: size, planned, lever }
}
