//! How far measured steps lie from predicted ones (STUDY_TIME.md 6).

use crate::strategy::JobKind;

use super::super::{Band, Setting};

/// Width below which a dense model is ruled by its host.
const NARROW: u32 = 2_048;

/// Measured over predicted time that holds 80 % of published runs of this kind whose software
/// stack is known: p10, 1 and p90.
pub fn relative_band(setting: &Setting<'_>) -> Band {
    let (p10, p90) = match setting.job.kind {
        JobKind::Lora => (0.87, 1.29),
        JobKind::FullFineTune => (0.90, 1.31),
        JobKind::Pretrain if setting.model.experts.is_some() => (0.82, 1.23),
        JobKind::Pretrain if setting.model.hidden <= NARROW => (0.89, 1.10),
        JobKind::Pretrain => (0.93, 1.12),
    };
    Band { p10, p50: 1.0, p90 }
}
