//! What a served token leaves in the key-value cache.

use serde::{Deserialize, Serialize};

use super::Model;
use crate::units::Bytes;

/// Number format of the cache. It is apart from the format of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KvFormat {
    /// Left to the engine: 16 bits, however the weights are quantised.
    Auto,
    Bf16,
    Fp16,
    Fp8,
}

impl KvFormat {
    /// The format that engines call `name` (`--kv-cache-dtype` of vLLM and SGLang).
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "auto" => Self::Auto,
            "bf16" | "bfloat16" => Self::Bf16,
            "fp16" | "float16" | "half" => Self::Fp16,
            "fp8" | "fp8_e4m3" | "fp8_e5m2" => Self::Fp8,
            _ => return None,
        })
    }

    /// Bytes of one cached element; scales are not counted.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::Auto | Self::Bf16 | Self::Fp16 => 2,
            Self::Fp8 => 1,
        }
    }
}

/// The layers of a model as the cache sees them, undivided by any parallelism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KvCache {
    /// Cached elements of one token in one layer: keys and values of all key-value heads, or
    /// the latent vector and the shared rotary key (DeepSeek-V2, arXiv 2405.04434, 2.1.2).
    pub elements_per_layer: u32,
    /// Layers whose cache grows with each token, windowed ones included.
    pub growing_layers: u32,
    /// Those of them that keep only the last `window` tokens.
    pub windowed_layers: u32,
    /// In tokens; 0 without windowed layers.
    pub window: u32,
}

impl KvCache {
    /// Bytes of one token in all layers while the sequence is within the window.
    pub fn bytes_per_token(&self, format: KvFormat) -> Bytes {
        Bytes::new(
            f64::from(self.growing_layers)
                * f64::from(self.elements_per_layer)
                * f64::from(format.bytes()),
        )
    }
}

impl Model {
    /// What one token leaves in the cache. Layers with linear attention keep a state of fixed
    /// size instead. The key cache of a sparse-attention indexer is not counted.
    pub fn kv_cache(&self) -> KvCache {
        let elements_per_layer = match self.attention.latent {
            Some(latent) => latent.kv_rank + latent.rope_dim,
            None => 2 * self.attention.kv_heads * self.attention.head_dim,
        };
        KvCache {
            elements_per_layer,
            growing_layers: self.layers - self.linear.map_or(0, |linear| linear.layers),
            windowed_layers: self.window.map_or(0, |window| window.layers),
            window: self.window.map_or(0, |window| window.size),
        }
    }

    /// Bytes that one token adds to the cache, all layers together.
    pub fn kv_bytes_per_token(&self, format: KvFormat) -> Bytes {
        self.kv_cache().bytes_per_token(format)
    }
}
