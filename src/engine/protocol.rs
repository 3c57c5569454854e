//! The messages, as postcard bytes in a transferred buffer.

use planner::answer::Answer;
use planner::estimate::Instant;
use planner::explain::{Finding, Term};
use planner::oom::Diagnosis;
use project::{Document, ModelSource};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Names the build, so that a page never talks to a worker of another deploy. The build script
/// sets it to the commit; without it the version stands.
pub const BUILD: &str = match option_env!("MESHWRIGHT_BUILD") {
    Some(build) => build,
    None => env!("CARGO_PKG_VERSION"),
};

/// Page to worker. `id` comes back with the reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Envelope {
    pub id: u32,
    pub request: Request,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Computes the answer; a newer one ends an older one.
    Solve(Box<Document>),
    /// Ends the running computation.
    Cancel,
    /// Checks a config.json.
    ReadConfig { name: String, text: String },
    /// Fills the form of a model of one's own, as far as the source says.
    ModelForm(ModelSource),
    /// Writes the text of a filled form and checks it: values by field.
    FormText(Vec<(String, String)>),
    /// Reads a project file.
    OpenProject { text: String },
    /// Writes a project file.
    SaveProject(Box<Document>),
    /// Writes the files of every launcher, for the layout that the answer chose.
    Export(Box<Document>),
    /// The tree of a GPU's memory in a stage, counted from 0, of the plan that was solved last.
    StageTree { stage: u32, instant: Instant },
    /// What an out-of-memory message means for the plan that was solved last.
    ExplainOom { text: String },
}

/// Worker to page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Message {
    /// The first one: the worker runs.
    Ready {
        build: String,
    },
    Progress {
        id: u32,
        progress: Progress,
    },
    Reply {
        id: u32,
        reply: Box<Result<Reply, Failure>>,
    },
    /// A request could not be read, so its number is not known.
    Unreadable,
}

/// How far a search is, in layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    pub evaluated: u64,
    pub total: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    Solved(Box<Answer>),
    Cancelled,
    Model(ModelSummary),
    /// Values by field.
    Form(Vec<(String, String)>),
    ModelText(String),
    Project(Box<Document>),
    ProjectText(String),
    Exported(Vec<LaunchTarget>),
    Tree(Box<Term>),
    Diagnosed(Box<Diagnosis>),
}

/// What the input column says about a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelSummary {
    pub name: String,
    pub family: String,
    pub layers: u32,
    pub hidden: u32,
    pub params_total: u64,
    pub params_active: u64,
    /// `field=value` taken where the file says nothing.
    pub assumptions: Vec<String>,
}

/// One launcher: its files, or why it cannot run this plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaunchTarget {
    /// Such as `megatron-slurm`; the message `target-ID` names it.
    pub id: String,
    /// Product and version that the files are written for.
    pub version: String,
    pub files: Vec<LaunchFile>,
    pub findings: Vec<Finding>,
    pub refusal: Option<Failure>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchFile {
    pub name: String,
    pub text: String,
}

/// Why a request has no result: a message key with its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub key: String,
    pub args: Vec<(String, String)>,
}

impl Failure {
    pub fn new(key: &str) -> Self {
        Self { key: key.to_owned(), args: Vec::new() }
    }

    pub fn with<'a>(key: &str, args: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        let args = args.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { key: key.to_owned(), args }
    }
}

pub(super) fn encode(value: &impl Serialize) -> Result<Vec<u8>, Failure> {
    postcard::to_allocvec(value).map_err(|_| Failure::new("engine-unwritable"))
}

/// None for bytes of another build or damaged ones.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Some(value),
        Ok(_) | Err(_) => None,
    }
}
