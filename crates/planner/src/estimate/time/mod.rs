//! Step time of one layout, as a sum of parts: kernels, host, exposed communication, pipeline,
//! optimizer. The formulas are those of STUDY_TIME.md 2, the constants stand in
//! [`constants`], [`class`] and [`device`].

mod band;
mod case;
mod class;
mod constants;
mod device;
mod exchange;
mod explain;
mod gemm;
mod kernels;
mod layer;
mod reduce;
mod report;
mod shape;
mod sheet;
mod traffic;
mod variant;
mod wires;

use crate::collective::Network;
use crate::strategy::Layout;
use crate::units::Seconds;

use super::{Setting, StepParts};
use case::Case;
use sheet::Sheet;

pub use band::relative_band;
pub use class::{CLASSES, Class};
pub use constants::{Constant, TABLE};
pub use device::power_capped;
pub use explain::{TERM_KEYS, explain};
pub use kernels::Cache;
pub use report::report;
pub use variant::{Recipe, Variant};

/// Time of one optimizer step, by part. Does not allocate.
pub fn step(setting: &Setting<'_>, network: &Network, layout: &Layout) -> StepParts {
    step_of(setting, network, layout, Variant::default())
}

/// The same for a run with its own switches.
pub fn step_of(
    setting: &Setting<'_>,
    network: &Network,
    layout: &Layout,
    variant: Variant,
) -> StepParts {
    let case = Case::new(setting, network, layout, variant);
    Sheet::new(&case).parts(&case)
}

/// The same as [`step`], with kernels that `cache` remembers.
pub fn step_cached(
    setting: &Setting<'_>,
    network: &Network,
    layout: &Layout,
    cache: &mut Cache,
) -> StepParts {
    let case = Case::new(setting, network, layout, Variant::default());
    Sheet::with(&case, cache.kernels(&case)).parts(&case)
}

/// A time that [`step`] never undercuts, for a fraction of its cost.
pub fn lower_bound(
    setting: &Setting<'_>,
    network: &Network,
    layout: &Layout,
    cache: &mut Cache,
) -> Seconds {
    let case = Case::new(setting, network, layout, Variant::default());
    Sheet::floor(&case, cache.kernels(&case)).parts(&case).total
}

/// A time that [`step`] undercuts for no micro-batch up to that of `largest`: full tiles, no
/// waits, no hand-overs, no reductions and a pipeline that fills at once.
pub fn family_bound(
    setting: &Setting<'_>,
    network: &Network,
    largest: &Layout,
    cache: &mut Cache,
) -> Seconds {
    let case = Case::new(setting, network, largest, Variant::default());
    let floor = Sheet { fill: 0.0, ..Sheet::floor(&case, cache.ideal(&case)) };
    floor.parts(&case).total * (1.0 - 1e-9)
}

#[cfg(test)]
mod tests;
