//! What an out-of-memory message says. Read: PyTorch's messages of all years (CUDA and HIP),
//! its CPU allocator, NCCL, XLA, the operating system's kill; with any text around them.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::amounts::{Amount, leading, trailing};
use crate::units::Bytes;

/// Bytes of text that are read.
pub const LIMIT: usize = 1 << 20;

/// Which memory was short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    Device,
    /// The device, outside of the framework's allocator: NCCL's own buffers.
    Communicator,
    Host,
}

/// The figures of a message; none where it does not print them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub place: Place,
    /// The allocation that failed.
    pub tried: Option<Bytes>,
    /// How far printing may have rounded it.
    pub rounding: Bytes,
    pub gpu: Option<u32>,
    pub capacity: Option<Bytes>,
    pub free: Option<Bytes>,
    /// Held by tensors.
    pub allocated: Option<Bytes>,
    /// Held by the allocator beside those.
    pub reserved_unallocated: Option<Bytes>,
    /// What the process has on the device, context included.
    pub in_process: Option<Bytes>,
    /// Copies of a message in the text, one of each rank that printed it.
    pub copies: u32,
}

/// Why a text is no such message; lower-case fragments.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MessageError {
    #[error("the text is longer than {} MiB; take the lines around the error", LIMIT >> 20)]
    TooLong,
    #[error(
        "no out-of-memory message in the text; expected one such as \"CUDA out of memory. Tried \
         to allocate 2.00 GiB\", \"Killed\" or \"exit code 137\""
    )]
    Nothing,
}

const TRIED: [&str; 5] = [
    "tried to allocate",
    "requested :",
    "while trying to allocate",
    "failed to allocate request for",
    "unable to allocate",
];
const DEVICE: [&str; 8] = [
    "cuda out of memory",
    "hip out of memory",
    "npu out of memory",
    "xpu out of memory",
    "cuda error: out of memory",
    "hip error: out of memory",
    "cuda_error_out_of_memory",
    "cublas_status_alloc_failed",
];
const RESOURCE: [&str; 2] = ["resource_exhausted", "outofmemoryerror"];
const HOST_ALLOCATOR: [&str; 5] = [
    "defaultcpuallocator",
    "cannot allocate memory",
    "can't allocate memory",
    " memoryerror",
    "std::bad_alloc",
];
const KILLED: [&str; 12] = [
    "oom-kill",
    "oomkilled",
    "out of memory: killed process",
    "sigkill",
    "signal 9",
    "exit code -9",
    "exit code: -9",
    "exitcode: -9",
    "exitcode : -9",
    "exit code 137",
    "exit code: 137",
    "exited with code 137",
];

/// Reads a message, or a whole log around it. Of several copies the first with figures counts.
///
/// # Errors
/// A text that is too long, or without any such message.
pub fn parse(text: &str) -> Result<Message, MessageError> {
    if text.len() > LIMIT {
        return Err(MessageError::TooLong);
    }
    let lower = one_line(text);
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let communicator = lower.contains("nccl") && (has(&DEVICE) || lower.contains("out of memory"));
    let starts: Vec<usize> = starts(&lower);
    let place = if has(&HOST_ALLOCATOR) && !has(&DEVICE) {
        Place::Host
    } else if communicator && starts.is_empty() {
        Place::Communicator
    } else if has(&DEVICE) || has(&RESOURCE) || !starts.is_empty() {
        Place::Device
    } else if has(&KILLED) || killed_line(&lower) {
        Place::Host
    } else {
        return Err(MessageError::Nothing);
    };
    let copies = u32::try_from(starts.len()).unwrap_or(u32::MAX).max(1);
    let first = starts.first().copied().unwrap_or(0);
    let end = starts.get(1).copied().unwrap_or(lower.len());
    let one = lower.get(first..end).unwrap_or_default();
    Ok(figures(one, &lower, place, copies))
}

/// Positions at which a message of an allocator begins.
fn starts(lower: &str) -> Vec<usize> {
    let mut found: Vec<usize> = TRIED
        .iter()
        .flat_map(|phrase| lower.match_indices(phrase))
        .filter(|(at, phrase)| {
            leading(lower.get(at + phrase.len()..).unwrap_or_default()).is_some()
        })
        .map(|(at, _)| at)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// A shell says just `Killed`, at the end of a line or after a process number.
fn killed_line(lower: &str) -> bool {
    lower.match_indices("killed").any(|(at, word)| {
        let after = lower.get(at + word.len()..).unwrap_or_default();
        let before = lower.get(..at).unwrap_or_default();
        !before.ends_with(|c: char| c.is_ascii_alphanumeric())
            && !after.starts_with(|c: char| c.is_ascii_alphanumeric())
    })
}

/// The figures of `one` message; some stand before it in the `whole` text.
fn figures(one: &str, whole: &str, place: Place, copies: u32) -> Message {
    let tried = TRIED.iter().find_map(|phrase| after(one, phrase));
    let allocated = after(one, "of the allocated memory")
        .or_else(|| after(whole, "currently allocated :"))
        .or_else(|| before_phrase(one, "already allocated"))
        .or_else(|| before_phrase(one, "is allocated by pytorch"));
    let total = before_phrase(one, "reserved in total by pytorch");
    let beside = before_phrase(one, "is reserved by pytorch but unallocated")
        .or_else(|| before_phrase(one, "reserved by pytorch but unallocated"))
        .or_else(|| before_phrase(one, "cached"));
    let difference = || Some((total?.bytes - allocated?.bytes).max(Bytes::ZERO));
    let bytes = |amount: Option<Amount>| amount.map(|amount| amount.bytes);
    Message {
        place,
        tried: bytes(tried),
        rounding: tried.map_or(Bytes::ZERO, |amount| amount.rounding),
        gpu: number_after(one, "gpu ").or_else(|| number_after(whole, "allocation on device ")),
        capacity: bytes(
            after(one, "total capacity of")
                .or_else(|| before_phrase(one, "total capacity"))
                .or_else(|| after(one, "device limit :")),
        ),
        free: bytes(
            before_phrase(one, "is free")
                .or_else(|| before_phrase(one, "free"))
                .or_else(|| after(one, "free (according to cuda):")),
        ),
        allocated: bytes(allocated),
        reserved_unallocated: bytes(beside).or_else(difference),
        in_process: bytes(before_phrase(one, "memory in use")),
        copies,
    }
}

fn after(text: &str, phrase: &str) -> Option<Amount> {
    let at = text.find(phrase)? + phrase.len();
    leading(text.get(at..)?.trim_start_matches([' ', ':']))
}

/// The amount right before a phrase, wherever that stands first with one.
fn before_phrase(text: &str, phrase: &str) -> Option<Amount> {
    text.match_indices(phrase).find_map(|(at, _)| trailing(text.get(..at)?))
}

fn number_after(text: &str, phrase: &str) -> Option<u32> {
    text.match_indices(phrase).find_map(|(at, _)| {
        let rest = text.get(at + phrase.len()..)?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).take(6).collect();
        digits.parse().ok()
    })
}

/// Lower case, with runs of spaces and line feeds as one space, because messages wrap and align in
/// logs. A space stands in front.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len() + 1);
    line.push(' ');
    for c in text.chars() {
        if !c.is_whitespace() {
            line.push(c.to_ascii_lowercase());
        } else if !line.ends_with(' ') {
            line.push(' ');
        }
    }
    line
}
