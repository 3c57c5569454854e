//! How far measured steps lie from predicted ones (STUDY_TIME.md 6).

use crate::catalog::Architecture;
use crate::strategy::JobKind;

use super::super::{Band, Setting};

/// Width below which a dense model is ruled by its host.
const NARROW: u32 = 2_048;

/// A framework is known by its class, its build is not: the band lies this far from that of a
/// known stack to that of an unknown one.
const UNKNOWN_BUILD: f64 = 0.15;

/// Measured over predicted time that holds 80 % of runs of this kind: p10, 1 and p90. GPUs that
/// no measured run used get the band of an unknown stack.
pub fn relative_band(setting: &Setting<'_>) -> Band {
    let (known, unknown) = match setting.job.kind {
        JobKind::Lora => ((0.87, 1.29), (0.79, 1.44)),
        JobKind::FullFineTune => ((0.90, 1.31), (0.71, 1.31)),
        JobKind::Pretrain if setting.model.experts.is_some() => ((0.82, 1.23), (0.68, 1.41)),
        JobKind::Pretrain if setting.model.hidden <= NARROW => ((0.89, 1.10), (0.77, 1.17)),
        JobKind::Pretrain => ((0.93, 1.12), (0.86, 1.25)),
    };
    let share = match setting.accelerator.architecture {
        Architecture::Ampere
        | Architecture::Ada
        | Architecture::Hopper
        | Architecture::Blackwell => UNKNOWN_BUILD,
        Architecture::Volta | Architecture::Turing | Architecture::Other => 1.0,
    };
    let between = |known: f64, unknown: f64| known + share * (unknown - known);
    Band { p10: between(known.0, unknown.0), p50: 1.0, p90: between(known.1, unknown.1) }
}
