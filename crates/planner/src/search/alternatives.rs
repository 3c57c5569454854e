//! The best layout for every value of every knob: why the chosen value, and what another costs.

use std::collections::{BTreeMap, BTreeSet};

use super::Scored;
use crate::estimate::Verdict;
use crate::strategy::Layout;
use crate::units::{Bytes, Seconds};

/// A choice that a layout makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Knob {
    Framework,
    Tp,
    Pp,
    Cp,
    Ep,
    Zero,
    Recompute,
    MicroBatch,
    Vpp,
    Offload,
}

impl Knob {
    pub const ALL: [Self; 10] = [
        Self::Framework,
        Self::Tp,
        Self::Pp,
        Self::Cp,
        Self::Ep,
        Self::Zero,
        Self::Recompute,
        Self::MicroBatch,
        Self::Vpp,
        Self::Offload,
    ];

    /// Field name in the document and message key part.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Framework => "framework",
            Self::Tp => "tp",
            Self::Pp => "pp",
            Self::Cp => "cp",
            Self::Ep => "ep",
            Self::Zero => "zero",
            Self::Recompute => "recompute",
            Self::MicroBatch => "micro-batch",
            Self::Vpp => "vpp",
            Self::Offload => "offload",
        }
    }

    /// The value of this knob in a layout, as a number that orders it.
    pub const fn value(self, layout: &Layout) -> u32 {
        match self {
            Self::Framework => layout.framework as u32,
            Self::Tp => layout.tp,
            Self::Pp => layout.pp,
            Self::Cp => layout.cp,
            Self::Ep => layout.ep,
            Self::Zero => layout.zero as u32,
            Self::Recompute => layout.recompute as u32,
            Self::MicroBatch => layout.micro_batch,
            Self::Vpp => layout.vpp,
            Self::Offload => layout.offload as u32,
        }
    }
}

/// The best layout with another value of one knob.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alternative {
    pub knob: Knob,
    pub layout: Layout,
    pub device: Bytes,
    /// None: no layout with another value fits; this one misses by the least.
    pub step: Option<Seconds>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    layout: Layout,
    verdict: Verdict,
    /// Step time when it fits or is tight.
    step: Seconds,
    device: Bytes,
}

/// Best entries by knob and value.
#[derive(Clone, Debug, Default)]
pub(super) struct Alternatives {
    by_value: BTreeMap<(Knob, u32), Entry>,
    /// Values of layouts that a bound cut before their memory was known.
    unseen: BTreeSet<(Knob, u32)>,
    /// What was noted last: neighbours in the walk share most values.
    last_unseen: [Option<u32>; Knob::ALL.len()],
}

impl Alternatives {
    /// Notes a layout that fits or is tight.
    pub(super) fn note(&mut self, scored: &Scored) {
        let entry = Entry {
            layout: scored.layout,
            verdict: scored.fit.verdict,
            step: scored.step.total,
            device: scored.fit.device,
        };
        self.insert(entry);
    }

    /// Notes a layout that does not fit.
    pub(super) fn note_too_large(&mut self, layout: Layout, device: Bytes) {
        let entry = Entry { layout, verdict: Verdict::DoesNotFit, step: Seconds::NEVER, device };
        self.insert(entry);
    }

    /// Notes a layout that was not estimated, so that nothing is claimed about its values.
    pub(super) fn note_unseen(&mut self, layout: &Layout) {
        for (knob, last) in Knob::ALL.into_iter().zip(&mut self.last_unseen) {
            let value = knob.value(layout);
            if *last != Some(value) {
                *last = Some(value);
                self.unseen.insert((knob, value));
            }
        }
    }

    fn insert(&mut self, entry: Entry) {
        for knob in Knob::ALL {
            let key = (knob, knob.value(&entry.layout));
            let slot = self.by_value.entry(key).or_insert(entry);
            if better(&entry, slot) {
                *slot = entry;
            }
        }
    }

    /// For each knob the best layout whose value differs from that of `chosen`.
    pub(super) fn against(&self, chosen: &Layout) -> Vec<Alternative> {
        Knob::ALL
            .into_iter()
            .filter_map(|knob| {
                self.best_other(knob, chosen).map(|entry| Alternative {
                    knob,
                    layout: entry.layout,
                    device: entry.device,
                    step: (entry.verdict != Verdict::DoesNotFit).then_some(entry.step),
                })
            })
            .filter(|other| other.step.is_some() || !self.has_unseen(other.knob, chosen))
            .collect()
    }

    /// For each knob the time of the best layout with another value than `chosen`; never when
    /// none is known to fit.
    pub(super) fn bounds(&self, chosen: &Layout) -> [Seconds; Knob::ALL.len()] {
        Knob::ALL.map(|knob| match self.best_other(knob, chosen) {
            Some(entry) if entry.verdict == Verdict::Fits => entry.step,
            _ => Seconds::NEVER,
        })
    }

    fn has_unseen(&self, knob: Knob, chosen: &Layout) -> bool {
        let own = knob.value(chosen);
        self.unseen.range((knob, 0)..=(knob, u32::MAX)).any(|(_, value)| *value != own)
    }

    fn best_other(&self, knob: Knob, chosen: &Layout) -> Option<&Entry> {
        let own = knob.value(chosen);
        self.by_value
            .range((knob, 0)..=(knob, u32::MAX))
            .filter(|((_, value), _)| *value != own)
            .map(|(_, entry)| entry)
            .reduce(|best, entry| if better(entry, best) { entry } else { best })
    }
}

fn better(a: &Entry, b: &Entry) -> bool {
    (a.verdict, a.step.base().to_bits(), a.device.base().to_bits(), a.layout)
        < (b.verdict, b.step.base().to_bits(), b.device.base().to_bits(), b.layout)
}
