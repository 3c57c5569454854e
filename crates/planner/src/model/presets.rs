//! Presets of known models, from `data/catalog/models.toml` through `build/models.rs`.

use super::Model;
use super::shape::Shape;

/// A known model with what is published about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelPreset {
    pub id: &'static str,
    pub name: &'static str,
    pub family: &'static str,
    pub year: u16,
    /// Published size, in 10^9 parameters.
    pub params_published_b: f64,
    /// Published active size, in 10^9 parameters; see the three conventions of
    /// [`super::ParamCounts`].
    pub active_published_b: Option<f64>,
    /// The catalog's own count. It holds [`Self::selection_biases`], a [`Model`] does not.
    pub params_computed: u64,
    /// Count of the library's class, where it was instantiated.
    pub params_library: Option<u64>,
    /// The catalog's active counts: all, no input embedding, layers only.
    pub active_computed: Option<[u64; 3]>,
    /// Router biases that training sets by rule, not by gradient: buffers of the library.
    pub selection_biases: u32,
    /// Modules for multi-token prediction; not counted.
    pub mtp_layers: u32,
    /// Tokens that a sparse attention attends to.
    pub index_topk: Option<u32>,
    /// Computed against published size, in percent.
    pub deviation_pct: f64,
    pub verified: &'static str,
    pub source: &'static str,
    pub note: &'static str,
    pub(super) shape: Shape,
}

/// All presets, in the order of the catalog.
pub fn presets() -> &'static [ModelPreset] {
    table::PRESETS
}

/// The model of one preset; none if there is no such id.
pub fn preset(id: &str) -> Option<Model> {
    presets().iter().find(|preset| preset.id == id)?.model()
}

impl ModelPreset {
    /// The model with its counts. None only for sizes that no row of the catalog has.
    pub fn model(&self) -> Option<Model> {
        let mut assumptions = Vec::new();
        if self.mtp_layers > 0 {
            assumptions.push("num_nextn_predict_layers=0".to_owned());
        }
        if self.index_topk.is_some() {
            assumptions.push("index_topk=none".to_owned());
        }
        self.shape.model(self.id, self.family, assumptions).ok()
    }
}

mod table {
    //! The generated rows.

    use super::super::shape::{AttentionExtras, ExpertExtras, Indexer, OutputGate, QkNorm, Shape};
    use super::super::{
        Attention, AttentionBias, FeedForward, LatentAttention, LinearAttention, MixtureOfExperts,
        Norm, SlidingWindow,
    };
    use super::ModelPreset;

    include!(concat!(env!("OUT_DIR"), "/models.rs"));
}
