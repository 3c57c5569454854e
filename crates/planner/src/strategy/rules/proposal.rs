//! What is proposed: named quantities, some stated, some derived, some left free.

use super::tables::{FACTS, TOOLS};
use super::types::FactRow;
use super::{Fact, Tool, evaluate};

/// Named quantities of a plan, whole or in part. A quantity that is neither stated nor
/// derivable silences the rules that need it.
#[derive(Clone, Debug)]
pub struct Proposal {
    stated: [Option<i64>; Fact::ALL.len()],
    /// Quantities that may still take any of these values; see [`Proposal::leave_free`].
    pub(super) free: Vec<(Fact, Vec<i64>)>,
}

impl Proposal {
    pub const fn new() -> Self {
        Self { stated: [None; Fact::ALL.len()], free: Vec::new() }
    }

    /// The same with one quantity stated.
    #[must_use]
    pub fn with(mut self, fact: Fact, value: i64) -> Self {
        self.set(fact, Some(value));
        self
    }

    /// States a quantity, or takes it back.
    pub fn set(&mut self, fact: Fact, value: Option<i64>) {
        if let Some(place) = self.stated.get_mut(fact as usize) {
            *place = value;
        }
    }

    /// Leaves a quantity open: a rule is then broken only if none of the values, in no
    /// combination with those of other free quantities, satisfies it.
    pub fn leave_free(&mut self, fact: Fact, values: Vec<i64>) {
        self.set(fact, None);
        self.free.retain(|(other, _)| *other != fact);
        self.free.push((fact, values));
    }

    pub fn is_stated(&self, fact: Fact) -> bool {
        self.stated(fact).is_some()
    }

    /// The stated value, or the one that follows from the others, such as DP from the GPUs.
    pub fn value(&self, fact: Fact) -> Option<i64> {
        self.stated(fact).or_else(|| match fact.row() {
            Some(row) if !row.derive.is_empty() => evaluate::value(row.derive, self),
            _ => None,
        })
    }

    /// Idle share of a pipelined step in percent: `(PP − 1) / (VPP · M + PP − 1)` with M
    /// micro-batches (arXiv 2104.04473, section 2.2).
    pub fn bubble_percent(&self) -> Option<f64> {
        let (pp, vpp) = (self.value(Fact::Pp)?, self.value(Fact::Vpp)?);
        let idle = pp.checked_sub(1).filter(|idle| *idle >= 0)?;
        let rounds = vpp.checked_mul(self.value(Fact::MicroBatches)?)?.checked_add(idle)?;
        #[expect(clippy::cast_precision_loss, reason = "a percentage for people")]
        (rounds > 0).then(|| 100.0 * idle as f64 / rounds as f64)
    }

    /// Fills in what the tool sets by itself.
    pub(super) fn for_tool(&self, tool: &Tool) -> Self {
        let mut filled = self.clone();
        for (fact, value) in tool.defaults {
            if !filled.is_stated(*fact) && filled.free.iter().all(|(free, _)| free != fact) {
                filled.set(*fact, Some(*value));
            }
        }
        filled
    }

    fn stated(&self, fact: Fact) -> Option<i64> {
        self.stated.get(fact as usize).copied().flatten()
    }
}

impl Default for Proposal {
    fn default() -> Self {
        Self::new()
    }
}

impl Fact {
    /// By id or alias, such as `seq` for the sequence.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fact| {
            fact.row().is_some_and(|row| row.id == name || row.aliases.contains(&name))
        })
    }

    pub fn id(self) -> &'static str {
        self.row().map_or("", |row| row.id)
    }

    /// Short name in English and Chinese.
    pub fn names(self) -> (&'static str, &'static str) {
        self.row().map_or(("", ""), |row| (row.en, row.zh))
    }

    pub(super) fn row(self) -> Option<&'static FactRow> {
        FACTS.get(self as usize)
    }
}

impl Tool {
    /// By id or alias, such as `megatron`.
    pub fn named(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|tool| tool.id == name || tool.aliases.contains(&name))
    }
}
