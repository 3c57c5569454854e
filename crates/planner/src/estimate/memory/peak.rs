//! The peak of a layout and its verdict: fast for the search, complete for the report.

use crate::estimate::{Memory, Setting, StageMemory, Verdict};
use crate::strategy::Layout;
use crate::units::Bytes;

use super::band::band;
use super::capacity::{usable, verdict};
use super::case::Case;
use super::figures::Figures;
use super::host::host;
use super::instants::{figures, timeline};
use super::measured::MemoryKind;
use super::stages::candidates;
use super::variant::Variant;

/// Memory of the worst stage of a layout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    pub verdict: Verdict,
    pub worst: StageMemory,
    /// Usable memory of one GPU.
    pub capacity: Bytes,
    /// Host memory needed on one node.
    pub host: Bytes,
    pub host_capacity: Bytes,
    /// What the allocator holds at the peak of the worst stage.
    pub tensors: Bytes,
    /// What the allocator took from the driver.
    pub reserved: Bytes,
    /// Context and communicators there.
    pub outside: Bytes,
}

/// Memory of `layout` as the planner proposes it. Does not allocate; looks only at the stages
/// that can be the worst.
pub fn peak(setting: &Setting<'_>, layout: &Layout) -> Peak {
    peak_of(setting, layout, &Variant::default())
}

/// The same for a run with other choices than the planner's.
pub fn peak_of(setting: &Setting<'_>, layout: &Layout, variant: &Variant) -> Peak {
    let case = Case::new(setting, layout, variant);
    let worst = worst(&case);
    let capacity = usable(setting.accelerator);
    let host_capacity = setting.cluster.host_memory;
    let host = host(&case, &worst).peak();
    Peak {
        verdict: verdict(
            worst.needed(),
            worst.device(),
            capacity.base(),
            band(layout.framework, MemoryKind::Device).p90,
            host <= host_capacity,
        ),
        worst: stage_memory(&worst),
        capacity,
        host,
        host_capacity,
        tensors: Bytes::new(worst.allocated()),
        reserved: Bytes::new(worst.reserved()),
        outside: Bytes::new(worst.outside),
    }
}

/// Memory of every stage; the worst is that of [`peak`].
pub fn report(setting: &Setting<'_>, layout: &Layout) -> Memory {
    let variant = Variant::default();
    let case = Case::new(setting, layout, &variant);
    let peak = peak_of(setting, layout, &variant);
    Memory {
        verdict: peak.verdict,
        capacity: peak.capacity,
        worst: peak.worst,
        stages: (0..case.pp).map(|index| stage_memory(&figures(&case, index))).collect(),
        timeline: (0..case.pp).map(|index| timeline(&case, index)).collect(),
        host: host(&case, &worst(&case)),
        host_capacity: peak.host_capacity,
        band: band(layout.framework, MemoryKind::Device),
    }
}

/// Figures of the stage whose device memory is highest.
pub(super) fn worst(case: &Case<'_>) -> Figures {
    let [first, others @ ..] = candidates(case);
    let mut worst = figures(case, first);
    let mut seen = [first; 2];
    for index in others {
        if seen.contains(&index) {
            continue;
        }
        seen = [seen[1], index];
        let other = figures(case, index);
        if other.device() > worst.device() {
            worst = other;
        }
    }
    worst
}

fn stage_memory(figures: &Figures) -> StageMemory {
    StageMemory {
        stage: figures.stage.index,
        instant: figures.instant,
        parts: figures.memory_parts(),
        device: Bytes::new(figures.device()),
        allocated: Bytes::new(figures.needed()),
    }
}
