//! Bytes of keys and values: of one sequence, on one GPU, and how many tokens a pool holds.

use crate::model::{KvCache, KvFormat, Model};
use crate::units::Bytes;

/// What a sequence of `tokens` keeps in all layers; a windowed layer keeps its window at most.
pub fn sequence_bytes(cache: &KvCache, format: KvFormat, tokens: f64) -> Bytes {
    let each = f64::from(cache.elements_per_layer) * f64::from(format.bytes());
    let windowed = f64::from(cache.windowed_layers);
    let full = f64::from(cache.growing_layers) - windowed;
    let seen = tokens.min(f64::from(cache.window));
    Bytes::new(each * (full * tokens + windowed * seen))
}

/// Tokens that a pool holds for all layers in `share` of the cache, windows not counted.
pub fn capacity(cache: &KvCache, format: KvFormat, share: f64, pool: Bytes) -> f64 {
    pool.ratio(cache.bytes_per_token(format) * share)
}

/// Share of the cache on each GPU of a TP group: key-value heads are cut, and copied where there
/// are fewer of them than GPUs; a latent cache is on every one (vLLM, SGLang).
pub fn tp_share(model: &Model, tp: u32) -> f64 {
    match model.attention.latent {
        Some(_) => 1.0,
        None => 1.0 / f64::from(tp.clamp(1, model.attention.kv_heads.max(1))),
    }
}
