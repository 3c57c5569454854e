//! The explanation trees behind the large figures.

use planner::answer::Plan;
use planner::explain::{Quantity, Term};

/// A figure of the panel that has a tree of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    Memory,
    StepTime,
    Mfu,
    Throughput,
    Days,
}

impl Figure {
    /// Message key of the figure's name.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Memory => "figure-memory",
            Self::StepTime => "figure-step",
            Self::Mfu => "figure-mfu",
            Self::Throughput => "figure-tokens",
            Self::Days => "figure-days",
        }
    }
}

/// The tree that explains a figure of a plan. MFU and throughput follow from the step time, so
/// their trees hold its tree.
pub fn tree(plan: &Plan, figure: Figure) -> Option<Term> {
    let step = || engine_tree(plan, "step-time");
    match figure {
        Figure::Memory => engine_tree(plan, "device-memory"),
        Figure::StepTime => step(),
        Figure::Days => engine_tree(plan, "days"),
        Figure::Mfu => {
            let work =
                Term::computed("step-model-flop", Quantity::Flop(plan.step.model_flop), Vec::new());
            let parts = std::iter::once(work).chain(step()).collect();
            Some(Term::computed("mfu", Quantity::Share(plan.step.mfu), parts))
        }
        Figure::Throughput => {
            let tokens = plan.tokens_per_second * plan.step.parts.total.as_seconds();
            let tokens =
                Term::computed("tokens-per-step", Quantity::Count(tokens.round()), Vec::new());
            let parts = std::iter::once(tokens).chain(step()).collect();
            let rate = Quantity::Count(plan.tokens_per_second);
            Some(Term::computed("tokens-per-second", rate, parts))
        }
    }
}

/// The engine's own tree with this key, written with `-` or `_`.
fn engine_tree(plan: &Plan, key: &str) -> Option<Term> {
    plan.explanation.iter().find(|term| term.key.replace('_', "-") == key).cloned()
}
