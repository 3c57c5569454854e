//! A rule against a proposal in which some quantities are still free.

use super::evaluate::{Outcome, check};
use super::tables::RULES;
use super::types::{Rule, Severity};
use super::{Fact, Proposal, Tool};

/// Combinations of free values tried for one rule; beyond them it says nothing.
const TRIES: u32 = 20_000;

/// The completion of the proposal that breaks the rule, when every completion does.
pub(super) fn broken(rule: &Rule, proposal: &Proposal) -> Option<Proposal> {
    if !has_open(rule, proposal) {
        return (check(rule, proposal) == Outcome::Broken).then(|| proposal.clone());
    }
    let (outcome, witness) = settle(rule, proposal);
    (outcome == Outcome::Broken).then_some(witness).flatten()
}

/// Holds when some completion satisfies the rule.
pub(super) fn outcome(rule: &Rule, proposal: &Proposal) -> Outcome {
    if has_open(rule, proposal) { settle(rule, proposal).0 } else { check(rule, proposal) }
}

fn has_open(rule: &Rule, proposal: &Proposal) -> bool {
    proposal.free.iter().any(|(fact, _)| rule.depends_on(*fact))
}

/// Takes away the free values that some blocking rule of the tool refuses whatever the others
/// are. A quantity that would lose all its values keeps them: its rule then speaks.
pub(super) fn narrow(tool: &Tool, proposal: &mut Proposal) {
    let filled = proposal.for_tool(tool);
    let free = filled.free.clone();
    for (fact, values) in &free {
        let mut trial = filled.clone();
        trial.free.retain(|(other, _)| other != fact);
        let rules: Vec<_> = RULES
            .iter()
            .filter(|rule| rule.severity == Severity::Block && rule.concerns(tool))
            .filter(|rule| rule.depends_on(*fact))
            .collect();
        let kept: Vec<i64> = values
            .iter()
            .copied()
            .filter(|value| {
                trial.set(*fact, Some(*value));
                rules.iter().all(|rule| outcome(rule, &trial) != Outcome::Broken)
            })
            .collect();
        if !kept.is_empty() {
            proposal.leave_free(*fact, kept);
        }
    }
}

fn settle(rule: &Rule, proposal: &Proposal) -> (Outcome, Option<Proposal>) {
    let mut trial = proposal.clone();
    let free = std::mem::take(&mut trial.free);
    let open: Vec<&(Fact, Vec<i64>)> =
        free.iter().filter(|(fact, _)| rule.depends_on(*fact)).collect();
    let mut walk = Walk { rule, trial, tries: TRIES, witness: None };
    let outcome = walk.complete(&open);
    (outcome, walk.witness)
}

struct Walk<'a> {
    rule: &'a Rule,
    trial: Proposal,
    tries: u32,
    /// The first completion that breaks the rule.
    witness: Option<Proposal>,
}

impl Walk<'_> {
    fn complete(&mut self, open: &[&(Fact, Vec<i64>)]) -> Outcome {
        let Some(((fact, values), rest)) = open.split_first() else { return self.judge() };
        let mut outcome = Outcome::Silent;
        for value in values {
            if self.tries == 0 {
                return Outcome::Silent;
            }
            self.trial.set(*fact, Some(*value));
            match self.complete(rest) {
                Outcome::Holds => return Outcome::Holds,
                Outcome::Broken => outcome = Outcome::Broken,
                Outcome::Silent => {}
            }
        }
        if self.tries == 0 { Outcome::Silent } else { outcome }
    }

    fn judge(&mut self) -> Outcome {
        self.tries = self.tries.saturating_sub(1);
        let outcome = check(self.rule, &self.trial);
        if outcome == Outcome::Broken && self.witness.is_none() {
            self.witness = Some(self.trial.clone());
        }
        outcome
    }
}
