//! Constraints as data: what each tool refuses or warns of.
//!
//! The rows stand in `data/rules.toml`; `build/rules.rs` parses them into static tables. A
//! [`Proposal`] holds named quantities ([`Fact`]); [`violations`] gives every rule of a
//! [`Tool`] that it breaks, in words with the nearest valid values, and [`valid_values`] the
//! values of one quantity that break none. A quantity that is absent silences the rules that
//! need it.
//!
//! ```text
//! let tool = Tool::named("vllm")?;
//! let proposal = Proposal::new().with(Fact::Heads, 52).with(Fact::Tp, 3);
//! violations(tool, &proposal)[0].nearest[0]    // TP 2 or 4
//! valid_values(tool, &proposal, Fact::Tp, 1..=8)    // [1, 2, 4]
//! proposal.value(Fact::KvReplication)    // derived: 1
//! ```

mod evaluate;
mod nearest;
mod planned;
mod proposal;
mod settle;
mod tables;
mod types;
mod violation;

pub use nearest::{Nearest, valid_values};
pub use proposal::Proposal;
pub use tables::Fact;
pub use types::{Rule, Severity as RuleSeverity, Tool, Written};
pub use violation::{Violation, refusals, rules, tools, violations, written_rules};

#[cfg(test)]
mod properties;
#[cfg(test)]
mod reader;
#[cfg(test)]
mod tests;
