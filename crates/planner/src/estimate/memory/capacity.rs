//! Usable memory of a GPU and the verdict (STUDY_MEMORY.md 5).

use crate::catalog::Accelerator;
use crate::estimate::Verdict;
use crate::units::Bytes;

use super::constants::FITS_BELOW;

/// Parts whose catalog entry is the nominal size: nominal GiB and what the driver leaves.
/// 80: A100 and A800 report 79.2 (read in out-of-memory messages); 24: GeForce cards 23.65
/// (the same); 48: RTX A6000 and 6000 Ada 47.5; 40: A100 39.5; 32: 31.5 (recalled).
const NOMINAL: [(f64, f64); 5] =
    [(80.0, 79.2), (48.0, 47.5), (40.0, 39.5), (32.0, 31.5), (24.0, 23.65)];
/// A catalog entry this close to a nominal size is that size.
const NOMINAL_WITHIN_GIB: f64 = 0.02;
/// What a driver-reported size loses to the runtime: B200 178.4 of 179.06 GiB.
const DRIVER_SHARE: f64 = 0.9963;

/// Memory that a training process can have.
pub fn usable(accelerator: &Accelerator) -> Bytes {
    let stated = accelerator.memory.as_gib();
    let nominal = NOMINAL.iter().find(|(size, _)| (stated - size).abs() <= NOMINAL_WITHIN_GIB);
    Bytes::gib(nominal.map_or(stated * DRIVER_SHARE, |(_, left)| *left))
}

/// The verdict where a setting is not stated: what fits under the usual value must also fit under
/// the `pessimistic` one, otherwise it is tight.
pub fn widened(usual: Verdict, pessimistic: Verdict) -> Verdict {
    if usual == Verdict::Fits && pessimistic != Verdict::Fits { Verdict::Tight } else { usual }
}

/// Two estimates decide, because the allocator gives cache back near the limit: what is
/// `needed` must not exceed the capacity; what the `device` will show fits up to 92 % of it, and only
/// if nine of ten runs (`p90`, measured over predicted) stay within it.
pub(in crate::estimate) fn verdict(
    needed: f64,
    device: f64,
    capacity: f64,
    p90: f64,
    host_fits: bool,
) -> Verdict {
    if needed > capacity || !host_fits {
        Verdict::DoesNotFit
    } else if device <= FITS_BELOW * capacity && device * p90 <= capacity {
        Verdict::Fits
    } else {
        Verdict::Tight
    }
}
