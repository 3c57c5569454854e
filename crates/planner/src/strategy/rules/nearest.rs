//! The nearest valid values of a quantity.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::evaluate::Outcome;
use super::settle;
use super::tables::RULES;
use super::types::{Rule, Severity};
use super::{Fact, Proposal, Tool};

/// Values tried one by one on each side.
const WINDOW: i64 = 1024;

/// Values of one range that are tried.
const MOST: usize = 1 << 16;

/// The valid values next to one that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    pub fact: Fact,
    /// The value that broke the rule.
    pub from: i64,
    pub below: Option<i64>,
    pub above: Option<i64>,
    /// These lift this rule, while another rule about the same quantity stays broken.
    pub alone: bool,
    /// Derived quantities that go with each value, where the rule tells them.
    pub beside: Vec<(i64, Fact, i64)>,
}

/// The values of `range` for which the tool refuses nothing that depends on the quantity.
pub fn valid_values(
    tool: &Tool,
    proposal: &Proposal,
    fact: Fact,
    range: RangeInclusive<i64>,
) -> Vec<i64> {
    let mut trial = proposal.for_tool(tool);
    trial.free.retain(|(free, _)| *free != fact);
    let rules = deciding(tool, fact);
    range
        .take(MOST)
        .filter(|value| {
            trial.set(fact, Some(*value));
            rules.iter().all(|rule| settle::outcome(rule, &trial) != Outcome::Broken)
        })
        .collect()
}

/// For each stated quantity that the rule varies; `proposal` is filled in for the tool.
pub(super) fn all(rule: &'static Rule, tool: &Tool, proposal: &Proposal) -> Vec<Nearest> {
    rule.vary.iter().filter_map(|fact| of(rule, tool, proposal, *fact)).collect()
}

fn of(rule: &'static Rule, tool: &Tool, proposal: &Proposal, fact: Fact) -> Option<Nearest> {
    let from = proposal.is_stated(fact).then(|| proposal.value(fact)).flatten()?;
    let (lower, upper) = candidates(proposal, fact, from);
    let deciding = deciding(tool, fact);
    let own = |rule: &&'static Rule| rule.vary.contains(&fact);
    // What is broken now and mended through another quantity does not stand in the way.
    let all: Vec<_> = deciding
        .iter()
        .copied()
        .filter(|rule| own(rule) || settle::outcome(rule, proposal) != Outcome::Broken)
        .collect();
    let own: Vec<_> = deciding.into_iter().filter(own).collect();
    let find = |side: &[i64], rules: &[&'static Rule]| {
        let mut trial = proposal.clone();
        side.iter().copied().find(|value| {
            trial.set(fact, Some(*value));
            settle::outcome(rule, &trial) == Outcome::Holds
                && rules.iter().all(|other| settle::outcome(other, &trial) != Outcome::Broken)
        })
    };
    let (below, above, alone) = [(all, false), (own, false), (Vec::new(), true)]
        .into_iter()
        .map(|(rules, alone)| (find(&lower, &rules), find(&upper, &rules), alone))
        .find(|(below, above, _)| below.is_some() || above.is_some())?;
    let beside = [below, above]
        .into_iter()
        .flatten()
        .flat_map(|value| {
            let changed = proposal.clone().with(fact, value);
            rule.show
                .iter()
                .filter_map(move |shown| Some((value, *shown, changed.value(*shown)?)))
                .collect::<Vec<_>>()
        })
        .collect();
    Some(Nearest { fact, from, below, above, alone, beside })
}

/// The blocking rules of a tool that depend on a quantity.
fn deciding(tool: &Tool, fact: Fact) -> Vec<&'static Rule> {
    RULES
        .iter()
        .filter(|rule| {
            rule.severity == Severity::Block && rule.concerns(tool) && rule.depends_on(fact)
        })
        .collect()
}

/// Values to try below and above, nearest first: a window around the value, and the multiples
/// next to it of every other quantity and of every product of two.
fn candidates(proposal: &Proposal, fact: Fact, from: i64) -> (Vec<i64>, Vec<i64>) {
    let (least, most) = fact.range();
    let mut values: BTreeSet<i64> =
        (from.saturating_sub(WINDOW)..=from.saturating_add(WINDOW)).collect();
    let steps: BTreeSet<i64> = Fact::ALL
        .into_iter()
        .filter(|other| *other != fact)
        .filter_map(|other| proposal.value(other))
        .filter(|step| *step > 0)
        .chain([1])
        .collect();
    for first in &steps {
        for second in &steps {
            let step = first.checked_mul(*second);
            let floor = step.and_then(|step| from.div_euclid(step).checked_mul(step));
            values.extend(floor);
            values.extend(floor.zip(step).and_then(|(floor, step)| floor.checked_add(step)));
        }
    }
    values.retain(|value| (least..=most).contains(value));
    let above = values.range(from..).copied().filter(|value| *value > from).collect();
    let below = values.range(..from).rev().copied().collect();
    (below, above)
}

impl Fact {
    fn range(self) -> (i64, i64) {
        match self.row() {
            Some(row) if row.flag => (0, 1),
            Some(row) => (row.least, i64::MAX),
            None => (0, i64::MAX),
        }
    }

    pub(super) fn is_flag(self) -> bool {
        self.row().is_some_and(|row| row.flag)
    }
}
