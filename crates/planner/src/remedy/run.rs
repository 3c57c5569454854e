//! The single changes of one run as it was made, layout and software included, that take less
//! memory; and their re-run.

use serde::{Deserialize, Serialize};

use crate::collective::Network;
use crate::estimate::memory::{Variant, peak_of};
use crate::estimate::{Setting, time};
use crate::explain::RemedyStep;
use crate::strategy::rules::refusals;
use crate::strategy::{
    AttentionKernel, Framework, Job, Layout, LossPath, Offload, Proposal, Recompute, Stack, Tool,
    Zero,
};
use crate::units::Bytes;

use super::fields::{pins_of, word};
use super::jobs::job_changes;
use super::parallel::parallel;
use super::rank::{Found, Pace, step};

/// Everything that a change of a run may touch.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub job: Job,
    pub stack: Stack,
    pub layout: Layout,
    pub variant: Variant,
}

/// A changed state, and the changed fields in words.
#[derive(Clone, Debug)]
pub struct Change {
    pub state: State,
    pub steps: Vec<RemedyStep>,
    /// What it acts on.
    pub lever: Option<Lever>,
}

/// What makes memory smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lever {
    Attention,
    Loss,
    States,
    Activations,
    Weights,
}

/// Which memory is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Short {
    Device,
    Host,
}

/// Every single change that the rules of the framework allow.
pub fn changes(setting: &Setting<'_>, state: &State, short: Short) -> Vec<Change> {
    let mut list = Vec::new();
    match short {
        Short::Device => {
            software(state, &mut list);
            sharding(state, &mut list);
            smaller(state, &mut list);
            offload(state, &mut list);
        }
        Short::Host => less_offload(state, &mut list),
    }
    parallel(setting, state, short, &mut list);
    training(setting, state, &mut list);
    let before = broken(setting, state);
    list.retain(|change| broken(setting, &change.state).iter().all(|rule| before.contains(rule)));
    list
}

/// The state's memory that was short, with the verdict and how fast it would run.
pub fn run(setting: &Setting<'_>, state: &State, short: Short) -> Found {
    let changed = Setting { job: &state.job, stack: state.stack, ..*setting };
    let peak = peak_of(&changed, &state.layout, &state.variant);
    let memory = match short {
        Short::Device => ("device", peak.worst.device),
        Short::Host => ("needed", peak.host),
    };
    Found { verdict: peak.verdict, memory, pace: pace(&changed, &state.layout) }
}

/// What is there of the memory that was short.
pub fn available(setting: &Setting<'_>, state: &State, short: Short) -> Bytes {
    match short {
        Short::Device => peak_of(setting, &state.layout, &state.variant).capacity,
        Short::Host => setting.cluster.host_memory,
    }
}

/// The nodes grow with the layout, so that more GPUs are not timed inside of one.
fn pace(setting: &Setting<'_>, layout: &Layout) -> Pace {
    let gpus = layout.gpus();
    let mut cluster = setting.cluster.clone();
    cluster.nodes = cluster.nodes.max(gpus.div_ceil(cluster.gpus_per_node.max(1)));
    let network = Network::new(&cluster, setting.accelerator);
    Pace::new(time::step(setting, &network, layout).total, setting.job, gpus)
}

/// Rules that the framework refuses the state by; none where no table speaks of the framework.
fn broken(setting: &Setting<'_>, state: &State) -> Vec<&'static str> {
    let Some(tool) = Tool::of(state.layout.framework) else { return Vec::new() };
    let job = Proposal::of_job(setting.model, &state.job, state.layout.gpus());
    refusals(tool, &job.with_layout(&state.layout)).iter().map(|rule| rule.id).collect()
}

/// What costs nothing: kernels that never write the large matrix.
fn software(state: &State, list: &mut Vec<Change>) {
    let word = |word: &str| Some(word.to_owned());
    if state.stack.attention == AttentionKernel::Unfused {
        let stack = Stack { attention: AttentionKernel::Flash2, ..state.stack };
        let step = step("attention", (word("unfused"), word("flash")));
        list.push(Change::new(State { stack, ..state.clone() }, step, Lever::Attention));
    }
    if !matches!(state.stack.loss, LossPath::Chunked | LossPath::FusedLinear) {
        let stack = Stack { loss: LossPath::Chunked, ..state.stack };
        let step = step("loss", (word("whole"), word("chunked")));
        list.push(Change::new(State { stack, ..state.clone() }, step, Lever::Loss));
    }
}

/// The next stages of ZeRO.
fn sharding(state: &State, list: &mut Vec<Change>) {
    let now = state.layout.zero;
    let pipelined = state.layout.pp > 1;
    for zero in [Zero::Optimizer, Zero::Gradients, Zero::Weights] {
        // Gradients and weights cannot be sharded over a pipeline's micro-batches for free.
        if zero > now && !(pipelined && zero > Zero::Optimizer) && state.layout.dp > 1 {
            let layout = Layout { zero, ..state.layout };
            list.push(state.with(layout, "zero", Lever::States));
        }
    }
}

/// A smaller micro-batch, and recomputation.
fn smaller(state: &State, list: &mut Vec<Change>) {
    let halves = std::iter::successors(Some(state.layout.micro_batch / 2), |size| Some(size / 2));
    for micro_batch in halves.take_while(|size| *size > 0) {
        let layout = Layout { micro_batch, ..state.layout };
        list.push(state.with(layout, "micro_batch", Lever::Activations));
    }
    for recompute in [Recompute::Selective, Recompute::Full] {
        if recompute > state.layout.recompute {
            let layout = Layout { recompute, ..state.layout };
            list.push(state.with(layout, "recompute", Lever::Activations));
        }
    }
}

fn offload(state: &State, list: &mut Vec<Change>) {
    if matches!(state.layout.framework, Framework::FusedCuda | Framework::MegatronLegacy) {
        return;
    }
    for offload in [Offload::Optimizer, Offload::OptimizerAndWeights] {
        let whole = offload == Offload::OptimizerAndWeights && state.layout.zero != Zero::Weights;
        // Drives hold what is on them already.
        if offload > state.layout.offload && !whole && !state.layout.offload.nvme() {
            let layout = Layout { offload, ..state.layout };
            list.push(state.with(layout, "offload", Lever::States));
        }
    }
}

/// Host memory that ran out: keep more on the device.
fn less_offload(state: &State, list: &mut Vec<Change>) {
    for offload in [Offload::None, Offload::Optimizer] {
        if offload < state.layout.offload {
            let layout = Layout { offload, ..state.layout };
            list.push(state.with(layout, "offload", Lever::States));
        }
    }
}

/// Another precision or optimizer, adapters only, and a base of 4 bits that can be sharded.
fn training(setting: &Setting<'_>, state: &State, list: &mut Vec<Change>) {
    for (job, step) in job_changes(&state.job, setting.accelerator) {
        let lever = (step.field == "base").then_some(Lever::Weights);
        list.push(Change { state: State { job, ..state.clone() }, steps: vec![step], lever });
    }
}

impl State {
    /// The change to `layout`, whose `field` differs.
    pub(super) fn with(&self, layout: Layout, field: &'static str, lever: Lever) -> Change {
        let words = |layout| word(&pins_of(layout), field);
        let step = step(field, (words(&self.layout), words(&layout)));
        Change::new(Self { layout, ..self.clone() }, step, lever)
    }
}

impl Change {
    fn new(state: State, step: RemedyStep, lever: Lever) -> Self {
        Self { state, steps: vec![step], lever: Some(lever) }
    }
}
