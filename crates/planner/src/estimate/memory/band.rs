//! How far a peak can lie off, by framework and kind of number: measured over predicted at p10, p50
//! and p90 of the rows of quality A and B in `data/reference` (`meshwright score training` prints
//! how many of them it holds), rounded outwards. Where a framework has fewer than seven rows the band is wider: first passes
//! over a framework never seen missed by 5–10 % (STUDY_MEMORY.md 1).

use crate::estimate::Band;
use crate::strategy::Framework;

use super::measured::MemoryKind;

/// A stack of which nothing was measured.
const UNSEEN: Band = Band { p10: 0.9, p50: 1.0, p90: 1.12 };

/// Relative band of a peak as a source of that kind prints it.
pub fn band(framework: Framework, kind: MemoryKind) -> Band {
    let (p10, p50, p90) = match (framework, kind) {
        // 20 rows.
        (Framework::MegatronCore, MemoryKind::Allocated) => (0.995, 1.0, 1.007),
        // 43 rows; Megatron-Core's device memory has the same allocator under the same pipelines.
        (Framework::MegatronDeepSpeed | Framework::MegatronCore, _) => (0.95, 1.01, 1.06),
        // 21 rows.
        (Framework::DeepSpeed, _) => (0.955, 0.995, 1.05),
        // 9 rows allocated, 7 reserved; a device adds its context.
        (Framework::Torchtitan, MemoryKind::Allocated) => (0.955, 0.995, 1.015),
        (Framework::Torchtitan, MemoryKind::Reserved) => (0.98, 0.99, 1.005),
        (Framework::Torchtitan, MemoryKind::Device | MemoryKind::DeviceDecimal) => {
            (0.96, 0.99, 1.02)
        }
        // 18 rows reserved, 8 of the device.
        (Framework::HuggingFace, MemoryKind::Allocated | MemoryKind::Reserved) => {
            (1.0, 1.02, 1.045)
        }
        (Framework::HuggingFace, MemoryKind::Device | MemoryKind::DeviceDecimal) => {
            (0.89, 1.0, 1.04)
        }
        // Two rows, and ten of quality C.
        (Framework::FsdpEager, _) => (0.93, 1.01, 1.12),
        (Framework::MegatronLegacy | Framework::FusedCuda, _) => return UNSEEN,
    };
    Band { p10, p50, p90 }
}
