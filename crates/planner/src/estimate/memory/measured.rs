//! What a source would print for a peak, by the kind of number it prints
//! (STUDY_MEMORY.md 4, "Conversion by kind").

use crate::units::Bytes;

use super::peak::Peak;

/// Kinds of published peaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// Tensors that the allocator holds: "allocated" and "active".
    Allocated,
    /// What the allocator took from the driver.
    Reserved,
    /// `nvidia-smi`, in GiB although it is called GB.
    Device,
    /// Device memory in units of 10^9 bytes.
    DeviceDecimal,
}

impl MemoryKind {
    /// The word of tables.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Allocated => "allocated",
            Self::Reserved => "reserved",
            Self::Device => "device",
            Self::DeviceDecimal => "device-decimal",
        }
    }

    /// The kind that a `mem_kind` column names; none for an empty one.
    pub fn of(column: &str) -> Option<Self> {
        let has = |word: &str| column.contains(word);
        if column.trim().is_empty() {
            None
        } else if has("reserved") {
            Some(Self::Reserved)
        } else if has("nvidia-smi") {
            Some(Self::Device)
        } else if has("allocated") || has("active") || has("torch peak") || has("per GPU") {
            Some(Self::Allocated)
        } else if has("GB") {
            Some(Self::DeviceDecimal)
        } else {
            None
        }
    }

    /// A printed value of this kind.
    pub fn bytes(self, printed: f64) -> Bytes {
        match self {
            Self::Allocated | Self::Reserved | Self::Device => Bytes::gib(printed),
            Self::DeviceDecimal => Bytes::gb(printed),
        }
    }
}

/// What the allocator keeps: where its cache does not fit beside the tensors, it is given back.
fn reserved(peak: &Peak) -> Bytes {
    if peak.reserved + peak.outside > peak.capacity { peak.tensors } else { peak.reserved }
}

/// The peak as a source of that kind would see it.
pub fn as_measured(peak: &Peak, kind: MemoryKind) -> Bytes {
    match kind {
        MemoryKind::Allocated => peak.tensors,
        MemoryKind::Reserved => reserved(peak),
        MemoryKind::Device => peak.worst.device,
        MemoryKind::DeviceDecimal => reserved(peak) + peak.outside,
    }
}
