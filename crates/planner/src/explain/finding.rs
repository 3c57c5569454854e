//! What is wrong or worth knowing about a plan, as data that the screens put into words.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Quantity;

/// `Block` stops exports, `Warn` is a named hazard, `Note` informs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    Block,
    Warn,
    Note,
}

/// What a finding is about. The message `finding-CODE` words it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// No layout of this model exists on this many GPUs.
    NoLegalLayout,
    /// Legal layouts exist, none fits in device memory.
    OutOfMemory,
    /// The host would run out of memory.
    HostOutOfMemory,
    /// The margin on the worst GPU is small.
    TightMemory,
    /// Pins, model and job break a row of the rule table.
    RuleBroken,
    /// TP or EP crosses the fast domain.
    CrossesDomain,
    /// Communication takes a large share of the step.
    CommunicationBound,
    /// The pipeline is idle for a large share of the step.
    LargeBubble,
    /// The micro-batch count does not fill the pipeline.
    FewMicroBatches,
    /// GPUs have no direct peer path.
    NoPeerToPeer,
    /// No such accelerator in the catalog.
    UnknownAccelerator,
    /// The format is not supported by this GPU.
    PrecisionUnsupported,
    /// A file carries a layout other than the chosen one, because its framework cannot say that.
    OtherLayoutForTarget,
    /// A price is old, recalled or claimed by its seller.
    WeakPrice,
    /// No price in the catalog for this GPU.
    NoPrice,
    /// A field was not stated and a default was taken.
    Assumed,
}

/// The thing a finding points at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    Plan,
    Stage(u32),
    /// A field of the layout or job, by its document name such as `tp`.
    Field(Cow<'static, str>),
    Link(Cow<'static, str>),
    Platform(Cow<'static, str>),
}

/// A number compared: the message `evidence-NAME` names it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    pub name: Cow<'static, str>,
    pub value: Quantity,
}

impl Evidence {
    pub const fn new(name: &'static str, value: Quantity) -> Self {
        Self { name: Cow::Borrowed(name), value }
    }
}

/// One changed field, with the value before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemedyStep {
    pub field: Cow<'static, str>,
    pub from: String,
    pub to: String,
}

/// A change that lifts a finding, already re-run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remedy {
    pub steps: Vec<RemedyStep>,
    /// New time to finish over the old one, less one; where the old plan does not run, its
    /// estimate counts. None without an old plan.
    pub time_cost: Option<f64>,
    /// What comes out of the training may differ: precision, optimizer, adapters, batch.
    pub alters_training: bool,
    /// The numbers of the re-run, such as the new memory and step time.
    pub proof: Vec<Evidence>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    pub code: Code,
    pub severity: Severity,
    pub subject: Subject,
    pub evidence: Vec<Evidence>,
    /// What lifts it, cheapest in time first.
    pub remedies: Vec<Remedy>,
}
