//! The inputs of a plan and everything that is shown of its answer.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::cluster::ClusterSpec;
use crate::estimate::{Band, Memory, MemoryParts, Step, Verdict};
use crate::explain::{Evidence, Finding, Term};
use crate::model::Model;
use crate::price::{CostLine, PriceOptions};
use crate::strategy::{Job, Layout, Pins};
use crate::units::{Bytes, Seconds};

/// Everything an answer depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    pub model: Model,
    pub job: Job,
    pub cluster: ClusterSpec,
    pub pins: Pins,
    pub price: PriceOptions,
}

/// What the engine returns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub verdict: Verdict,
    /// The chosen layout; the least bad one when nothing fits; none when nothing is legal.
    pub plan: Option<Plan>,
    /// Three reasons for the choice, most important first.
    pub reasons: Vec<Reason>,
    /// Best candidates, the chosen one first, fitting ones before others.
    pub candidates: Vec<Candidate>,
    /// The best layout that each launchable framework can express.
    pub by_framework: Vec<Plan>,
    pub costs: Vec<CostLine>,
    pub searched: Searched,
    pub findings: Vec<Finding>,
}

/// A layout with everything known about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    pub layout: Layout,
    pub micro_batches: u32,
    pub memory: Memory,
    pub step: Step,
    pub tokens_per_second: f64,
    pub steps: f64,
    /// Days of computing for all tokens.
    pub days: Band,
    /// Trees for `device_memory`, `step_time` and `days`.
    pub explanation: Vec<Term>,
}

/// One row of the candidates table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub layout: Layout,
    pub verdict: Verdict,
    pub device_memory: Bytes,
    pub parts: MemoryParts,
    pub step_time: Seconds,
    pub mfu: f64,
    /// Share of the step.
    pub exposed_communication: f64,
    /// Share of the step.
    pub bubble: f64,
}

/// Why this layout: the message `reason-KEY`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    pub key: Cow<'static, str>,
    pub evidence: Vec<Evidence>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Searched {
    /// Layouts that divide evenly and obey the framework's rules.
    pub legal: u64,
    /// Of those, how many were fully estimated; the others were cut by a bound.
    pub evaluated: u64,
    /// By the first gate failed, in gate order.
    pub rejected_by_gate: Vec<RejectedCount>,
}

/// `gate` is a message key `gate-KEY`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedCount {
    pub gate: Cow<'static, str>,
    pub count: u64,
}
