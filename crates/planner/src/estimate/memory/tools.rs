//! What other tools print for the same job, beside our peak: model states only, by their own
//! formulas.

use crate::units::Bytes;

/// `DeepSpeed`'s `estimate_zero2_model_states_mem_needs` as it was: 16-bit weights and gradients
/// whole, fp32 states cut (`4 P + 16 P / N`; `stage_1_and_2.py` of 2021).
pub fn deepspeed_zero2_legacy(parameters: f64, gpus: f64) -> Bytes {
    Bytes::new(4.0 * parameters + 16.0 * parameters / gpus.max(1.0))
}

/// `estimate_zero3_model_states_mem_needs` without offload: `18 P / N` and the largest layer in fp32
/// (`stage3.py`).
pub fn deepspeed_zero3(parameters: f64, largest_layer: f64, gpus: f64) -> Bytes {
    Bytes::new(4.0 * largest_layer + 18.0 * parameters / gpus.max(1.0))
}

/// The same with optimizer and weights offloaded: the largest layer alone.
pub fn deepspeed_zero3_offloaded(largest_layer: f64) -> Bytes {
    Bytes::new(4.0 * largest_layer)
}

/// Bytes per parameter on one GPU that ZeRO 2 really keeps: weights whole, the rest cut
/// (`2 + 14 / N`).
pub fn deepspeed_zero2_corrected(parameters: f64, gpus: f64) -> Bytes {
    Bytes::new(2.0 * parameters + 14.0 * parameters / gpus.max(1.0))
}
