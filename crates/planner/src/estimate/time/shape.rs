//! The widths of a model as the kernels see them, and the parameters that one GPU holds.

use crate::model::Model;

use super::constants::LATENT_BYTES_HEAD;

/// Widths and counts of a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) layers: f64,
    pub(super) layer_count: u32,
    pub(super) hidden: f64,
    pub(super) vocab: f64,
    pub(super) heads: f64,
    pub(super) kv_heads: f64,
    pub(super) head: f64,
    pub(super) latent: Option<Latent>,
    /// Width of the feed-forward block of a dense layer.
    pub(super) ffn: f64,
    /// 2 with a gate, 1 without.
    pub(super) gate: f64,
    pub(super) experts: Option<Experts>,
    /// Layers that keep a state instead of keys.
    linear: f64,
    /// Layers with a window, and its size.
    pub(super) window: Option<(f64, f64)>,
    /// The softmax has a sink, which fused kernels of 2025 lack.
    pub(super) sinks: bool,
}

/// Widths of latent attention.
#[derive(Clone, Copy, Debug)]
pub(super) struct Latent {
    pub(super) q_rank: f64,
    pub(super) kv_rank: f64,
    pub(super) rope: f64,
    pub(super) nope: f64,
    pub(super) value: f64,
}

/// Widths of layers with experts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Experts {
    pub(super) count: f64,
    pub(super) top_k: f64,
    pub(super) width: f64,
    pub(super) shared: f64,
    /// Layers that have experts.
    pub(super) layers: f64,
}

impl Shape {
    pub(super) fn of(model: &Model) -> Self {
        let attention = &model.attention;
        Self {
            layers: f64::from(model.layers.max(1)),
            layer_count: model.layers.max(1),
            hidden: f64::from(model.hidden),
            vocab: f64::from(model.vocab),
            heads: f64::from(attention.heads),
            kv_heads: f64::from(attention.kv_heads),
            head: f64::from(attention.head_dim),
            latent: attention.latent.map(|latent| Latent {
                q_rank: f64::from(latent.q_rank),
                kv_rank: f64::from(latent.kv_rank),
                rope: f64::from(latent.rope_dim),
                nope: f64::from(latent.nope_dim),
                value: f64::from(latent.v_dim),
            }),
            ffn: f64::from(model.feed_forward.width),
            gate: if model.feed_forward.gated { 2.0 } else { 1.0 },
            experts: model.experts.map(|experts| Experts {
                count: f64::from(experts.experts.max(1)),
                top_k: f64::from(experts.top_k),
                width: f64::from(experts.width),
                shared: f64::from(experts.shared_width),
                layers: f64::from(experts.moe_layers.min(model.layers)),
            }),
            linear: model.linear.map_or(0.0, |linear| f64::from(linear.layers)),
            window: model
                .window
                .map(|window| (f64::from(window.layers), f64::from(window.size.max(1)))),
            sinks: model.family.starts_with("gpt_oss") || model.family.starts_with("gpt-oss"),
        }
    }

    /// Mean of query and value width of a head: what a FLOP count of attention uses
    /// (STUDY_TIME.md 2.2).
    pub(super) fn attention_head(&self) -> f64 {
        self.latent.map_or(self.head, |latent| (latent.nope + latent.rope + latent.value) / 2.0)
    }

    /// Head width that memory-bound operators touch.
    pub(super) fn bytes_head(&self) -> f64 {
        if self.latent.is_some() { LATENT_BYTES_HEAD.value } else { self.head }
    }

    /// Layers with experts.
    pub(super) fn expert_layers(&self) -> f64 {
        self.experts.map_or(0.0, |experts| experts.layers)
    }

    /// Layers with a dense feed-forward block.
    pub(super) fn dense_layers(&self) -> f64 {
        self.layers - self.expert_layers()
    }

    /// Sum over the layers of the keys that a token meets, counted without the causal half. A
    /// window of w meets 2w − w²/s of them, so that half of it is the mean.
    pub(super) fn keys(&self, sequence: f64) -> f64 {
        let full = (self.layers - self.linear).max(0.0);
        match self.window {
            Some((layers, size)) if size < sequence => {
                layers * (2.0 * size - size * size / sequence) + (full - layers).max(0.0) * sequence
            }
            _ => full * sequence,
        }
    }

    /// Matmul parameters of the attention of one layer: the part cut by TP, the part that is not.
    pub(super) fn attention_matrices(&self) -> (f64, f64) {
        match self.latent {
            Some(latent) => {
                let query = self.heads * (latent.nope + latent.rope);
                let cut =
                    if latent.q_rank > 0.0 { query * latent.q_rank } else { query * self.hidden };
                let cut = cut
                    + self.hidden * latent.value * self.heads
                    + (latent.nope + latent.value) * self.heads * latent.kv_rank;
                (cut, self.hidden * (latent.q_rank + latent.kv_rank + latent.rope))
            }
            None => {
                let width = self.heads * self.head;
                (self.hidden * (2.0 * width + 2.0 * self.kv_heads * self.head), 0.0)
            }
        }
    }

    /// Share of the feed-forward blocks in the matmul parameters that a token meets in all layers.
    pub(super) fn feed_forward_share(&self) -> f64 {
        let (cut, whole) = self.attention_matrices();
        let attention = (cut + whole) * self.layers;
        let met = self.experts.map_or(0.0, |moe| moe.layers * (moe.top_k * moe.width + moe.shared));
        let blocks = self.ffn_matrices(self.dense_layers() * self.ffn + met);
        blocks / (attention + blocks).max(1.0)
    }

    /// Inputs and outputs of all linears that a token meets in all layers: parameters of adapters
    /// of rank 1, as the memory model counts them without latent attention.
    pub(super) fn adapter_widths(&self) -> f64 {
        let heads = (2.0 * self.heads + 2.0 * self.kv_heads) * self.head;
        let attention = (4.0 * self.hidden + heads) * self.layers;
        let met = self.experts.map_or(0.0, |moe| {
            let both = moe.top_k + if moe.shared > 0.0 { 1.0 } else { 0.0 };
            moe.layers * (both * self.hidden + moe.top_k * moe.width + moe.shared)
        });
        attention + (self.gate + 1.0) * (self.dense_layers() * (self.hidden + self.ffn) + met)
    }

    /// Matmul parameters of one feed-forward block of this width.
    pub(super) fn ffn_matrices(&self, width: f64) -> f64 {
        (self.gate + 1.0) * self.hidden * width
    }
}
