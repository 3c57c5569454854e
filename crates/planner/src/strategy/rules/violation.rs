//! All rules that a proposal breaks, in words of both languages.

use super::evaluate::Outcome;
use super::tables::{RULES, TOOLS, WRITTEN};
use super::types::{Op, Rule, Severity, Written};
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

/// The whole table, each rule with its expressions as written.
pub fn written_rules() -> impl Iterator<Item = (&'static Rule, &'static Written)> {
    RULES.iter().zip(WRITTEN)
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
                en: rule.filled(rule.en, &|ops| number(ops, &shown)),
                zh: rule.filled(rule.zh, &|ops| number(ops, &shown)),
                nearest: nearest::all(rule, tool, &filled),
            })
        })
        .collect()
}

impl Rule {
    /// The messages with the names of the quantities in the places of their values, in English
    /// and Chinese.
    pub fn sentences(&self) -> (String, String) {
        let name = |ops: &[Op]| match ops {
            [Op::Fact(fact)] => format!("{{{}}}", fact.id()),
            _ => "{…}".to_owned(),
        };
        (self.filled(self.en, &name), self.filled(self.zh, &name))
    }

    /// A message with words in the places of its values.
    fn filled(&self, message: &str, words: &dyn Fn(&[Op]) -> String) -> String {
        let mut parts = message.split('{');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for (place, after) in parts.filter_map(|part| part.split_once('}')) {
            let value = place.parse().ok().and_then(|place: usize| self.values.get(place));
            text.push_str(&value.map(|ops| words(ops)).unwrap_or_default());
            text.push_str(after);
        }
        text
    }
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
