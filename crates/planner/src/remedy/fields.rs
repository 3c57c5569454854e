//! The fields of a layout by their names in documents, and the words of their values.

use crate::strategy::{Framework, Layout, Offload, Pins, Recompute, SEARCHED, Zero};

/// Every field that can be pinned.
const PINNED: [&str; 11] = [
    "framework",
    "tp",
    "pp",
    "vpp",
    "cp",
    "ep",
    "zero",
    "micro_batch",
    "recompute",
    "offload",
    "activation_offload",
];

const ZEROS: [Zero; 4] = [Zero::None, Zero::Optimizer, Zero::Gradients, Zero::Weights];
const RECOMPUTES: [Recompute; 6] = [
    Recompute::None,
    Recompute::Norms,
    Recompute::FeedForward,
    Recompute::NormsAndFeedForward,
    Recompute::Selective,
    Recompute::Full,
];
const OFFLOADS: [Offload; 5] = [
    Offload::None,
    Offload::Optimizer,
    Offload::OptimizerAndWeights,
    Offload::OptimizerNvme,
    Offload::OptimizerAndWeightsNvme,
];
const FLAGS: [(bool, &str); 2] = [(true, "on"), (false, "off")];

/// The fields that these pins fix.
pub fn pinned_fields(pins: &Pins) -> impl Iterator<Item = &'static str> + '_ {
    PINNED.into_iter().filter(|field| word(pins, field).is_some())
}

/// Pins that fix all that `layout` says.
pub const fn pins_of(layout: &Layout) -> Pins {
    Pins {
        framework: Some(layout.framework),
        tp: Some(layout.tp),
        pp: Some(layout.pp),
        vpp: Some(layout.vpp),
        cp: Some(layout.cp),
        ep: Some(layout.ep),
        zero: Some(layout.zero),
        micro_batch: Some(layout.micro_batch),
        recompute: Some(layout.recompute),
        offload: Some(layout.offload),
        activation_offload: if layout.activation_offload { Some(true) } else { None },
    }
}

/// The word of a pinned value; none where the field is free or is no pin.
pub fn word(pins: &Pins, field: &str) -> Option<String> {
    let number = |value: Option<u32>| value.map(|value| value.to_string());
    match field {
        "framework" => pins.framework.map(|framework| framework.key().to_owned()),
        "tp" => number(pins.tp),
        "pp" => number(pins.pp),
        "vpp" => number(pins.vpp),
        "cp" => number(pins.cp),
        "ep" => number(pins.ep),
        "zero" => pins.zero.map(|value| value.key().to_owned()),
        "micro_batch" => number(pins.micro_batch),
        "recompute" => pins.recompute.map(|value| value.key().to_owned()),
        "offload" => pins.offload.map(|value| value.key().to_owned()),
        "activation_offload" => pins.activation_offload.and_then(|value| name(&FLAGS, value)),
        _ => None,
    }
}

/// Pins `field` to the value of a word, or frees it. False where the word or field is unknown.
pub fn pin(pins: &mut Pins, field: &str, word: Option<&str>) -> bool {
    match field {
        "framework" => set(&mut pins.framework, word, framework),
        "tp" => set(&mut pins.tp, word, number),
        "pp" => set(&mut pins.pp, word, number),
        "vpp" => set(&mut pins.vpp, word, number),
        "cp" => set(&mut pins.cp, word, number),
        "ep" => set(&mut pins.ep, word, number),
        "zero" => set(&mut pins.zero, word, |word| keyed(ZEROS, Zero::key, word)),
        "micro_batch" => set(&mut pins.micro_batch, word, number),
        "recompute" => {
            set(&mut pins.recompute, word, |word| keyed(RECOMPUTES, Recompute::key, word))
        }
        "offload" => set(&mut pins.offload, word, |word| keyed(OFFLOADS, Offload::key, word)),
        "activation_offload" => set(&mut pins.activation_offload, word, |word| value(&FLAGS, word)),
        _ => false,
    }
}

fn set<T>(slot: &mut Option<T>, word: Option<&str>, read: impl Fn(&str) -> Option<T>) -> bool {
    let new = word.map(read);
    match new {
        Some(None) => false,
        Some(value) => {
            *slot = value;
            true
        }
        None => {
            *slot = None;
            true
        }
    }
}

fn framework(word: &str) -> Option<Framework> {
    SEARCHED.into_iter().find(|framework| framework.key() == word)
}

fn keyed<T: Copy, const N: usize>(
    all: [T; N],
    key: fn(T) -> &'static str,
    word: &str,
) -> Option<T> {
    all.into_iter().find(|value| key(*value) == word)
}

fn number(word: &str) -> Option<u32> {
    word.parse().ok()
}

/// The word of a value in a table of words.
pub(super) fn name<T: Copy + PartialEq>(table: &[(T, &str)], value: T) -> Option<String> {
    table.iter().find(|(known, _)| *known == value).map(|(_, word)| (*word).to_owned())
}

/// The value of a word in a table of words.
pub(super) fn value<T: Copy>(table: &[(T, &str)], word: &str) -> Option<T> {
    table.iter().find(|(_, known)| *known == word).map(|(value, _)| *value)
}
