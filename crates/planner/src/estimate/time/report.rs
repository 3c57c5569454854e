//! A step with its band, its utilisation and its traffic.

use crate::collective::Network;
use crate::strategy::{JobKind, Layout};
use crate::units::Flop;

use super::super::{Band, Setting, Step};
use super::Variant;
use super::band::relative_band;
use super::case::Case;
use super::sheet::Sheet;
use super::traffic::traffic;

/// Everything that is shown of a step; the same numbers as [`super::step`].
pub fn report(setting: &Setting<'_>, network: &Network, layout: &Layout) -> Step {
    let case = Case::new(setting, network, layout, Variant::default());
    let sheet = Sheet::new(&case);
    let parts = sheet.parts(&case);
    let total = parts.total.as_seconds();
    let relative = relative_band(setting);
    let work = model_flop(setting);
    Step {
        parts,
        band: Band {
            p10: total * relative.p10,
            p50: total * relative.p50,
            p90: total * relative.p90,
        },
        model_flop: work,
        mfu: utilisation(&case, work, total),
        traffic: traffic(&case, &sheet),
    }
}

/// Work of a step over all GPUs: 6 FLOP per active parameter and token and the causal half of
/// attention, without recomputation; a frozen base has no weight gradients and counts 4
/// (SOURCES.md, megatron-bridge).
pub(super) fn model_flop(setting: &Setting<'_>) -> Flop {
    let job = setting.job;
    let tokens = f64::from(job.global_batch) * f64::from(job.sequence);
    let passes = if job.kind == JobKind::Lora { 2.0 / 3.0 } else { 1.0 };
    setting.model.flop_per_token(job.sequence) * tokens * passes
}

fn utilisation(case: &Case<'_>, work: Flop, total: f64) -> f64 {
    let rate = total * f64::from(case.layout.gpus()) * case.device.peak_job;
    if rate > 0.0 { work.base() / rate } else { 0.0 }
}
