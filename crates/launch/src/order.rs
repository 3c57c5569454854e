//! What a target is given and what it returns.

use planner::answer::{Inputs, Plan};
use planner::explain::Finding;
use planner::strategy::Framework;

/// One plan to be written down.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// As the user typed it; only ever used through the typed names.
    pub project: &'a str,
    pub inputs: &'a Inputs,
    pub plan: &'a Plan,
}

/// A launcher, in one version.
pub trait Target: Sync {
    /// Name on the command line.
    fn id(&self) -> &'static str;
    /// Product and version that the files are written for.
    fn version(&self) -> &'static str;
    /// Whether files can carry a layout of this framework.
    fn accepts(&self, framework: Framework) -> bool;
    fn files(&self, order: &Order<'_>) -> Result<Vec<LaunchFile>, Refusal>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchFile {
    /// Plain file name, no folders.
    pub name: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    pub files: Vec<LaunchFile>,
    /// What a reader of the files should know, such as a layout other than the chosen one.
    pub findings: Vec<Finding>,
}

/// Why nothing was written. `knob` is the field of the document to change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("no target is called {name:?}; known are {known}")]
    UnknownTarget { name: String, known: String },
    #[error("the plan is not valid: nothing to export (strategy)")]
    NoPlan,
    #[error("{target} cannot express {knob} = {value}: {hint}")]
    CannotExpress { target: &'static str, knob: &'static str, value: String, hint: &'static str },
    #[error("no layout that {target} can express fits this job: {knob} is the limit")]
    NothingFits { target: &'static str, knob: &'static str },
}

impl Refusal {
    /// Message key `refusal-KEY` of the page.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::UnknownTarget { .. } => "unknown-target",
            Self::NoPlan => "no-plan",
            Self::CannotExpress { .. } => "cannot-express",
            Self::NothingFits { .. } => "nothing-fits",
        }
    }

    /// Named values for the message.
    pub fn args(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::UnknownTarget { name, known } => {
                vec![("name", name.clone()), ("known", known.clone())]
            }
            Self::NoPlan => Vec::new(),
            Self::CannotExpress { target, knob, value, hint: _ } => vec![
                ("target", (*target).to_owned()),
                ("knob", (*knob).to_owned()),
                ("value", value.clone()),
            ],
            Self::NothingFits { target, knob } => {
                vec![("target", (*target).to_owned()), ("knob", (*knob).to_owned())]
            }
        }
    }
}
