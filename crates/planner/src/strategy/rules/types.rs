//! The rows of the rule table as the build parsed them.

use super::Fact;

/// A framework, serving engine or method that has rules.
#[derive(Debug)]
pub struct Tool {
    /// The word of files and cases, such as `megatron-core`.
    pub id: &'static str,
    /// For people.
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// Quantities that the tool sets where nothing is given.
    pub(super) defaults: &'static [(Fact, i64)],
    pub(super) bit: u32,
}

/// One `[[rule]]` of `data/rules.toml`, or the bound of one quantity.
#[derive(Debug)]
pub struct Rule {
    pub id: &'static str,
    /// Release range in words; empty for all known.
    pub versions: &'static str,
    /// The field of the document that it points to.
    pub field: &'static str,
    /// File or page; `recalled` where it was not read.
    pub source: &'static str,
    pub severity: Severity,
    /// Quantities whose nearest valid values are proposed.
    pub vary: &'static [Fact],
    /// Derived quantities told beside each proposed value.
    pub(super) show: &'static [Fact],
    pub(super) tools: u32,
    pub(super) when: &'static [Op],
    pub(super) require: &'static [Op],
    /// One bit for each quantity read, directly or through a derived one.
    pub(super) reads: u128,
    /// The messages; `{0}` stands for the first of `values`.
    pub(super) en: &'static str,
    pub(super) zh: &'static str,
    pub(super) values: &'static [&'static [Op]],
}

/// The condition and the requirement of a rule as `data/rules.toml` writes them. Apart from
/// [`Rule`], so that a program that never shows them does not carry them.
#[derive(Debug)]
pub struct Written {
    /// Empty where the rule always applies.
    pub when: &'static str,
    pub require: &'static str,
}

/// Whether a broken rule stops the tool or only costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Block,
    Warn,
}

/// One operation of an expression in postfix order.
#[expect(dead_code, reason = "the language is whole, whichever of it the rows use")]
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// 16 bits keep the table small in the worker.
    Int(i16),
    Fact(Fact),
    /// 1 where the quantity was stated, not derived.
    Given(Fact),
    /// 1 where the quantity has a value, stated or derived.
    Known(Fact),
    Add,
    Sub,
    Mul,
    /// Exact division: no value with a remainder.
    Div,
    Rem,
    Floor,
    Ceil,
    Min,
    Max,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Not,
    If,
}

/// One `[[fact]]`.
#[derive(Debug)]
pub(super) struct FactRow {
    pub(super) id: &'static str,
    pub(super) en: &'static str,
    pub(super) zh: &'static str,
    pub(super) aliases: &'static [&'static str],
    pub(super) derive: &'static [Op],
    pub(super) least: i64,
    pub(super) flag: bool,
}

impl Rule {
    /// Whether the rule is one of this tool's.
    pub const fn concerns(&self, tool: &Tool) -> bool {
        self.tools & tool.bit != 0
    }

    /// Whether the rule reads the quantity, directly or through a derived one.
    pub const fn depends_on(&self, fact: Fact) -> bool {
        self.reads & fact.bit() != 0
    }
}

impl Fact {
    pub(super) const fn bit(self) -> u128 {
        1 << self as u32
    }
}
