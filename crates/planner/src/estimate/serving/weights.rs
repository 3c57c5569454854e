//! Bytes of the weights by their format.

use serde::{Deserialize, Serialize};

use crate::model::Model;
use crate::units::Bytes;

/// How the matrices of the layers are kept; embeddings, head and norms stay in 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WeightFormat {
    SixteenBit,
    EightBit,
    /// 4 bits with scales and zeros per 128 weights (GPTQ, AWQ).
    FourBit,
}

impl WeightFormat {
    /// Bytes of one weight of a layer. Scales of 8-bit blocks of 128 × 128 are below 0.03 %.
    pub const fn bytes(self) -> f64 {
        match self {
            Self::SixteenBit => 2.0,
            Self::EightBit => 1.0,
            Self::FourBit => 0.535,
        }
    }
}

/// All weights of a model.
pub fn weights(model: &Model, format: WeightFormat) -> Bytes {
    let counts = &model.counts;
    let outside = count(counts.embedding + counts.head + counts.outside_layers);
    let layers = count(counts.total) - outside;
    Bytes::new(layers * format.bytes() + outside * WeightFormat::SixteenBit.bytes())
}

#[expect(clippy::cast_precision_loss, reason = "counts of parameters stay below 2^53")]
const fn count(parameters: u64) -> f64 {
    parameters as f64
}
