//! The widest values that a model file may state, so that all range messages read alike and
//! no product overflows. Each bound lies far above any published model.

/// An inclusive range with the name that messages use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) least: u64,
    pub(super) most: u64,
}

impl Bound {
    pub(super) const fn holds(self, value: u64) -> bool {
        self.least <= value && value <= self.most
    }
}

/// Bytes of a config.json; published ones have below 100 KiB.
pub(super) const FILE_BYTES: Bound = Bound { least: 0, most: 1 << 20 };
/// Nesting of a config.json; published ones have below 8.
pub(super) const DEPTH: Bound = Bound { least: 0, most: 32 };

pub(super) const LAYERS: Bound = Bound { least: 1, most: 1 << 12 };
pub(super) const HIDDEN: Bound = Bound { least: 1, most: 1 << 18 };
pub(super) const VOCAB: Bound = Bound { least: 1, most: 1 << 24 };
pub(super) const HEADS: Bound = Bound { least: 1, most: 1 << 12 };
pub(super) const HEAD_DIM: Bound = Bound { least: 1, most: 1 << 14 };
pub(super) const FFN_WIDTH: Bound = Bound { least: 1, most: 1 << 20 };
/// 0: queries are projected directly.
pub(super) const Q_RANK: Bound = Bound { least: 0, most: 1 << 16 };
pub(super) const KV_RANK: Bound = Bound { least: 1, most: 1 << 16 };
pub(super) const EXPERTS: Bound = Bound { least: 1, most: 1 << 14 };
pub(super) const SHARED_EXPERTS: Bound = Bound { least: 0, most: 1 << 6 };
pub(super) const SHARED_WIDTH: Bound = Bound { least: 0, most: 1 << 20 };
pub(super) const POSITIONS: Bound = Bound { least: 1, most: 1 << 28 };
pub(super) const WINDOW: Bound = Bound { least: 1, most: 1 << 28 };
/// A layer index, a period or a number of layers out of all.
pub(super) const LAYER_INDEX: Bound = Bound { least: 0, most: 1 << 12 };
pub(super) const PERIOD: Bound = Bound { least: 1, most: 1 << 12 };
pub(super) const CONVOLUTION: Bound = Bound { least: 1, most: 1 << 10 };
/// The sum over the model; exact in an `f64`.
pub(super) const PARAMETERS: Bound = Bound { least: 1, most: 1_000_000_000_000_000 };
