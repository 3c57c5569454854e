//! How much a file may hold. Real files stay far below.

/// Longest text: an `ibnetdiscover` of 10,000 hosts with eight rails has about 15 MB.
pub const MOST_BYTES: usize = 32 << 20;

/// Devices in a matrix; machines have at most a few dozen.
pub(crate) const MOST_DEVICES: usize = 512;

/// Hosts, switches and links of one file.
pub(crate) const MOST_ELEMENTS: usize = 200_000;

/// Findings told in full; a file with more is not the file meant.
pub(crate) const MOST_FINDINGS: usize = 200;
