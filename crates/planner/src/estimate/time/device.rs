//! What one GPU reaches: matmul rate by precision, attention rate by kernel generation, memory
//! bandwidth (STUDY_TIME.md 2.1, 2.2 and the rows of section 3 that vary with the GPU).

use crate::catalog::{Accelerator, Architecture, Link};
use crate::strategy::{AttentionKernel, Precision};
use crate::units::{FlopPerSecond, Watts};

use super::Recipe;
use super::constants::{HBM_SHARE, MXFP8, NVFP4};

/// Exponent of the matmul rate in a capped power (STUDY_TIME.md 3: three capped parts).
const CAP_EXPONENT: f64 = 0.84;

/// Rates of one GPU, in FLOP/s and B/s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Device {
    /// Highest measured matmul rate, 16-bit.
    pub(super) ceiling: f64,
    /// Highest measured matmul rate in the precision of the job.
    pub(super) ceiling_job: f64,
    /// Share of the ceiling that large training matmuls reach.
    pub(super) efficiency: f64,
    /// The same in the precision of the job.
    pub(super) efficiency_job: f64,
    /// Datasheet rate, 16-bit.
    pub(super) peak: f64,
    /// Datasheet rate in the precision of the job.
    pub(super) peak_job: f64,
    /// Share of the 16-bit datasheet rate that flash attention reaches forward.
    pub(super) flash: f64,
    /// Memory bandwidth that kernels see.
    pub(super) hbm: f64,
    pub(super) pcie: f64,
    /// Streaming multiprocessors.
    pub(super) processors: f64,
    pub(super) fp8: bool,
    pub(super) blackwell: bool,
}

/// The same GPU under a power cap: its matmul rates fall with the power.
#[must_use]
pub fn power_capped(accelerator: &Accelerator, cap: Watts) -> Accelerator {
    let share = cap.ratio(accelerator.power);
    if share <= 0.0 || share >= 1.0 {
        return *accelerator;
    }
    let factor = libm::pow(share, CAP_EXPONENT);
    let fall = |rate: Option<FlopPerSecond>| rate.map(|rate| rate * factor);
    Accelerator {
        measured_bf16: fall(accelerator.measured_bf16.or_else(|| matmul_ceiling(accelerator))),
        measured_fp8: fall(accelerator.measured_fp8),
        power: cap,
        ..*accelerator
    }
}

impl Device {
    pub(super) fn new(
        accelerator: &Accelerator,
        precision: Precision,
        kernel: AttentionKernel,
    ) -> Self {
        let peak = accelerator.bf16.or(accelerator.fp16).map_or(0.0, FlopPerSecond::base);
        let ceiling = matmul_ceiling(accelerator).map_or(0.0, FlopPerSecond::base);
        let efficiency = efficiency(accelerator);
        let fp8 = match (precision, accelerator.fp8) {
            (Precision::Fp8Mixed, Some(rate)) => Some(rate.base()),
            (Precision::Fp8Mixed | Precision::Bf16Mixed | Precision::PureBf16, _) => None,
        };
        let measured_fp8 = accelerator.measured_fp8.map(FlopPerSecond::base);
        let (gain, share) = fp8_factors(accelerator);
        Self {
            ceiling,
            ceiling_job: fp8.map_or(ceiling, |rate| measured_fp8.unwrap_or(rate * share)),
            efficiency,
            efficiency_job: if fp8.is_some() { efficiency * gain } else { efficiency },
            peak,
            peak_job: fp8.unwrap_or(peak),
            flash: flash(accelerator, kernel),
            hbm: accelerator.memory_bandwidth.base() * HBM_SHARE.value,
            pcie: accelerator.pcie_bandwidth.base(),
            processors: processors(accelerator),
            fp8: fp8.is_some(),
            blackwell: accelerator.architecture == Architecture::Blackwell,
        }
    }
}

impl Device {
    /// The rates under a recipe of scales (STUDY_TIME.md 3, e8).
    pub(super) fn with(self, recipe: Recipe) -> Self {
        let gain = match recipe {
            Recipe::Plain => 1.0,
            Recipe::MxFp8 => MXFP8.value,
            Recipe::NvFp4 => NVFP4.value,
        };
        if self.fp8 { Self { efficiency_job: self.efficiency_job * gain, ..self } } else { self }
    }
}

/// A part with GDDR memory: GeForce and workstation cards.
fn is_card(accelerator: &Accelerator) -> bool {
    accelerator.memory_bandwidth.as_gb_s() < 1_900.0
        && matches!(accelerator.link, Link::None | Link::NvLinkBridge)
        && matches!(
            accelerator.architecture,
            Architecture::Ampere | Architecture::Ada | Architecture::Blackwell
        )
}

/// Highest rate that a search over large matmuls found. Where none was published: the share of
/// the datasheet rate that parts of the same generation reach (ACCURACY.md b). The clocks of
/// GeForce cards exceed the datasheet, whose rate is then the ceiling.
fn matmul_ceiling(accelerator: &Accelerator) -> Option<FlopPerSecond> {
    if let Some(rate) = accelerator.measured_bf16 {
        return Some(rate);
    }
    let peak = accelerator.bf16.or(accelerator.fp16)?;
    let share = match accelerator.architecture {
        Architecture::Blackwell if is_card(accelerator) => card_share(accelerator),
        Architecture::Ampere | Architecture::Ada if is_card(accelerator) => card_share(accelerator),
        Architecture::Volta | Architecture::Turing => 0.75,
        Architecture::Ampere | Architecture::Ada => 0.869,
        Architecture::Hopper => 0.803,
        Architecture::Blackwell => 0.76,
        Architecture::Other => 0.6,
    };
    Some(peak * share)
}

/// Workstation cards accumulate at full rate, which their power does not carry: RTX PRO 6000
/// reaches 0.8 of its figure, RTX 6000 Ada falls with its power against the 450 W of the
/// GeForce with that chip (STUDY_TIME.md 3). GeForce figures are already halved.
fn card_share(accelerator: &Accelerator) -> f64 {
    let per_byte = accelerator.bf16.map_or(0.0, FlopPerSecond::base)
        / accelerator.memory_bandwidth.base().max(1.0);
    match accelerator.architecture {
        Architecture::Blackwell if per_byte > 200.0 => 0.8,
        Architecture::Ada if per_byte > 300.0 => {
            libm::pow((accelerator.power.base() / 450.0).min(1.0), CAP_EXPONENT)
        }
        _ => 1.0,
    }
}

/// Share of the ceiling that training matmuls reach (STUDY_TIME.md 3, e). Blackwell parts
/// follow one law of board power.
fn efficiency(accelerator: &Accelerator) -> f64 {
    let card = is_card(accelerator);
    match accelerator.architecture {
        Architecture::Ampere if card => 0.99,
        Architecture::Ada => 1.03,
        Architecture::Blackwell if card => 1.05,
        Architecture::Ampere => 0.857,
        Architecture::Hopper => 0.922,
        Architecture::Blackwell => 0.584 * libm::pow(accelerator.power.base() / 1_000.0, 1.83),
        Architecture::Volta | Architecture::Turing | Architecture::Other => 0.85,
    }
}

/// Gain of fp8 matmuls over the 16-bit efficiency, and the share of the datasheet rate taken
/// as ceiling where no search was published (STUDY_TIME.md 3, e8).
fn fp8_factors(accelerator: &Accelerator) -> (f64, f64) {
    match accelerator.architecture {
        Architecture::Blackwell if is_card(accelerator) => (0.88, card_share(accelerator)),
        Architecture::Ada => (0.88, card_share(accelerator)),
        Architecture::Hopper => (1.06, 0.709),
        Architecture::Blackwell => (1.0, 0.74),
        Architecture::Volta | Architecture::Turing | Architecture::Ampere | Architecture::Other => {
            (0.9, 0.6)
        }
    }
}

/// Share of the 16-bit peak that flash attention reaches forward (STUDY_TIME.md 3, phi).
fn flash(accelerator: &Accelerator, kernel: AttentionKernel) -> f64 {
    let card = is_card(accelerator);
    match (accelerator.architecture, kernel) {
        (Architecture::Ampere, _) if card => 0.59,
        (Architecture::Ada, _) => 0.86,
        (Architecture::Blackwell, _) if card => 0.70,
        (Architecture::Hopper, AttentionKernel::FlashTriton) => 0.20,
        (Architecture::Hopper, AttentionKernel::Flash2 | AttentionKernel::Unfused) => 0.27,
        (Architecture::Hopper, AttentionKernel::Flash3) => 0.49,
        (Architecture::Blackwell, _) => 0.48,
        (_, AttentionKernel::FlashTriton) => 0.43,
        (Architecture::Ampere, _) => 0.64,
        (Architecture::Volta | Architecture::Turing | Architecture::Other, _) => 0.45,
    }
}

/// Streaming multiprocessors, by part (vendor datasheets); the generation's usual number for
/// parts that are not listed.
fn processors(accelerator: &Accelerator) -> f64 {
    const PARTS: &[(&str, f64)] = &[
        ("v100", 80.0),
        ("t4", 40.0),
        ("a100", 108.0),
        ("a800", 108.0),
        ("a10", 72.0),
        ("a30", 56.0),
        ("a40", 84.0),
        ("l4", 58.0),
        ("l20", 92.0),
        ("l40", 142.0),
        ("rtx-3090", 82.0),
        ("rtx-4090", 128.0),
        ("rtx-5090", 170.0),
        ("rtx-a6000", 84.0),
        ("rtx-6000-ada", 142.0),
        ("rtx-pro-6000", 188.0),
        ("h100-pcie", 114.0),
        ("h20", 78.0),
        ("mi300", 304.0),
        ("mi325", 304.0),
        ("mi35", 256.0),
    ];
    let listed = PARTS
        .iter()
        .filter(|(id, _)| accelerator.id.starts_with(id))
        .max_by_key(|(id, _)| id.len())
        .map(|&(_, count)| count);
    listed.unwrap_or(match accelerator.architecture {
        Architecture::Volta | Architecture::Turing => 80.0,
        Architecture::Ampere | Architecture::Other => 108.0,
        Architecture::Ada => 128.0,
        Architecture::Hopper => 132.0,
        Architecture::Blackwell => 148.0,
    })
}
