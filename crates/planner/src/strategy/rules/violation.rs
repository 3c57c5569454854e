//! All rules that a proposal breaks, in words of both languages.

use super::evaluate::Outcome;
use super::tables::{RULES, TOOLS};
use super::types::{Op, Piece, Rule, Severity};
use super::{Fact, Nearest, Proposal, Tool, evaluate, nearest, settle};

/// A broken rule.
#[derive(Clone, Debug)]
pub struct Violation {
    pub rule: &'static Rule,
    pub tool: &'static Tool,
    /// The message with the values in place.
    pub en: String,
    pub zh: String,
    pub nearest: Vec<Nearest>,
}

/// The whole table.
pub fn rules() -> &'static [Rule] {
    RULES
}

/// Every tool that has rules.
pub fn tools() -> &'static [Tool] {
    TOOLS
}

/// The blocking rules that the proposal breaks, without words and remedies.
pub fn refusals(tool: &Tool, proposal: &Proposal) -> Vec<&'static Rule> {
    let filled = proposal.for_tool(tool);
    RULES
        .iter()
        .filter(|rule| rule.severity == Severity::Block && rule.concerns(tool))
        .filter(|rule| settle::outcome(rule, &filled) == Outcome::Broken)
        .collect()
}

/// Every rule of the tool that the proposal breaks, in the order of the table.
pub fn violations(tool: &'static Tool, proposal: &Proposal) -> Vec<Violation> {
    let filled = proposal.for_tool(tool);
    RULES
        .iter()
        .filter(|rule| rule.concerns(tool))
        .filter_map(|rule| {
            let shown = settle::broken(rule, &filled)?;
            Some(Violation {
                rule,
                tool,
                en: message(rule.en, &shown),
                zh: message(rule.zh, &shown),
                nearest: nearest::all(rule, tool, &filled),
            })
        })
        .collect()
}

impl Rule {
    /// The messages with the names of the quantities in the places of their values, in English
    /// and Chinese.
    pub fn sentences(&self) -> (String, String) {
        let unfilled = |pieces: &[Piece]| {
            pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Text(text) => (*text).to_owned(),
                    Piece::Value([Op::Fact(fact)]) => format!("{{{}}}", fact.id()),
                    Piece::Value(_) => "{…}".to_owned(),
                })
                .collect()
        };
        (unfilled(self.en), unfilled(self.zh))
    }
}

fn message(pieces: &[Piece], proposal: &Proposal) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => (*text).to_owned(),
            Piece::Value(ops) => number(ops, proposal),
        })
        .collect()
}

fn number(ops: &[Op], proposal: &Proposal) -> String {
    evaluate::value(ops, proposal).map_or_else(|| "–".to_owned(), |value| value.to_string())
}

impl Nearest {
    /// `TP 2 or 4`, in English and Chinese.
    pub fn words(&self) -> (String, String) {
        let (en, zh) = self.fact.names();
        (
            format!("{en} {}", self.said(["on", "off"]).join(" or ")),
            format!("{zh} {}", self.said(["开启", "关闭"]).join(" 或 ")),
        )
    }

    /// Each value in words: a number with the quantities beside it, or a flag.
    fn said(&self, [on, off]: [&str; 2]) -> Vec<String> {
        let flag = |value| if value == 1 { on.to_owned() } else { off.to_owned() };
        self.values()
            .map(|value| if self.fact.is_flag() { flag(value) } else { self.with_beside(value) })
            .collect()
    }

    fn with_beside(&self, value: i64) -> String {
        let shown: Vec<String> = self
            .beside
            .iter()
            .filter(|(of, ..)| *of == value)
            .map(|(_, fact, shown)| format!("{} {shown}", fact.names().0))
            .collect();
        if shown.is_empty() { value.to_string() } else { format!("{value} ({})", shown.join(", ")) }
    }

    /// Below, then above.
    pub fn values(&self) -> impl Iterator<Item = i64> {
        [self.below, self.above].into_iter().flatten()
    }
}

impl Violation {
    /// The proposed values of one quantity.
    pub fn nearest(&self, fact: Fact) -> Option<&Nearest> {
        self.nearest.iter().find(|nearest| nearest.fact == fact)
    }
}
