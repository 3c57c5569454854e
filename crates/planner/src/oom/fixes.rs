//! Changes that make a plan fit, each re-run. Single changes first, then pairs; of those that
//! fit, the ones against the named tensor first, then by what they cost.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::estimate::memory::{BaseFormat, Variant, peak_of};
use crate::estimate::{Setting, Verdict};
use crate::explain::{Evidence, Quantity, Remedy, RemedyStep};
use crate::strategy::{
    AttentionKernel, Framework, Job, JobKind, Layout, LossPath, Offload, Recompute, Stack, Zero,
};
use crate::units::Bytes;

use super::message::Place;
use super::tensors::Lever;

/// Fixes that are kept.
const KEPT: usize = 6;
/// A change that saves less than a hundredth is none.
const LESS: f64 = 0.99;
/// How far data parallelism is grown.
const MOST_GROWTH: u32 = 64;

/// A change with the numbers of its re-run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fix {
    pub remedy: Remedy,
    pub verdict: Verdict,
    /// It acts on the tensor that was named.
    pub against_named: bool,
}

/// Everything that a change may touch.
#[derive(Clone, Debug)]
struct State {
    job: Job,
    stack: Stack,
    layout: Layout,
    variant: Variant,
}

/// A changed state, its field with the words before and after, and its cost: 0 is free.
struct Change {
    state: State,
    step: RemedyStep,
    lever: Option<Lever>,
    /// Order of cost in time or money, from what is faster to what trains something else.
    cost: u32,
}

/// Changes after which a plan that does not fit on its GPUs does, cheapest first.
pub fn fixes_of(setting: &Setting<'_>, layout: &Layout, variant: &Variant) -> Vec<Fix> {
    let peak = peak_of(setting, layout, variant);
    if peak.verdict != Verdict::DoesNotFit {
        return Vec::new();
    }
    let on_device = peak.worst.allocated > peak.capacity;
    let place = if on_device { Place::Device } else { Place::Host };
    fixes(setting, layout, variant, (None, place, peak.verdict))
}

/// Changes after which the plan fits. Empty for a plan that fits as it is on the device, unless
/// a message says that it did not: then the changes against the named tensor are given.
pub(super) fn fixes(
    setting: &Setting<'_>,
    layout: &Layout,
    variant: &Variant,
    (lever, place, verdict): (Option<Lever>, Place, Verdict),
) -> Vec<Fix> {
    let start = State {
        job: setting.job.clone(),
        stack: setting.stack,
        layout: *layout,
        variant: *variant,
    };
    let goal = Goal { setting, lever, place, now: needs(setting, &start, place).0 };
    let singles = changes(setting, &start, place);
    let mut found: Vec<(u32, Fix)> =
        singles.iter().filter_map(|change| goal.fitting(&[change])).collect();
    if found.is_empty() && verdict == Verdict::DoesNotFit {
        for first in &singles {
            for second in changes(setting, &first.state, place) {
                found.extend(goal.fitting(&[first, &second]));
            }
        }
    }
    found.sort_by_key(|(cost, fix)| (!fix.against_named, fix.verdict, *cost));
    let mut fixes: Vec<Fix> = Vec::new();
    for (_, fix) in found {
        // The mildest value of a field stands for the others.
        if !fixes.iter().any(|other| other.fields().eq(fix.fields())) && fixes.len() < KEPT {
            fixes.push(fix);
        }
    }
    fixes
}

impl Fix {
    fn fields(&self) -> impl Iterator<Item = &str> {
        self.remedy.steps.iter().map(|step| step.field.as_ref())
    }
}

/// What a state needs of the memory that was short, with its verdict and how much there is.
fn needs(setting: &Setting<'_>, state: &State, place: Place) -> (Bytes, Verdict, Bytes) {
    let changed = Setting { job: &state.job, stack: state.stack, ..*setting };
    let peak = peak_of(&changed, &state.layout, &state.variant);
    let (need, capacity) = match place {
        Place::Device | Place::Communicator => (peak.worst.device, peak.capacity),
        Place::Host => (peak.host, peak.host_capacity),
    };
    (need, peak.verdict, capacity)
}

/// What a change has to reach.
struct Goal<'a> {
    setting: &'a Setting<'a>,
    lever: Option<Lever>,
    place: Place,
    /// What the plan needs as it is.
    now: Bytes,
}

impl Goal<'_> {
    /// The changes one after the other, if what they lead to fits and takes less.
    fn fitting(&self, changes: &[&Change]) -> Option<(u32, Fix)> {
        let state = &changes.last()?.state;
        let (need, verdict, capacity) = needs(self.setting, state, self.place);
        if verdict > Verdict::Tight || need >= self.now * LESS {
            return None;
        }
        let mut fields: Vec<&str> =
            changes.iter().map(|change| change.step.field.as_ref()).collect();
        fields.dedup();
        if fields.len() < changes.len() {
            return None;
        }
        let name = if self.place == Place::Host { "needed" } else { "device" };
        let proof = vec![
            Evidence::new(name, Quantity::Bytes(need)),
            Evidence::new("available", Quantity::Bytes(capacity)),
        ];
        let steps = changes.iter().map(|change| change.step.clone()).collect();
        let against_named =
            self.lever.is_some() && changes.iter().any(|change| change.lever == self.lever);
        let cost = changes.iter().map(|change| change.cost).sum();
        Some((cost, Fix { remedy: Remedy { steps, proof }, verdict, against_named }))
    }
}

fn changes(setting: &Setting<'_>, state: &State, place: Place) -> Vec<Change> {
    let mut list = Vec::new();
    if place != Place::Host {
        software(state, &mut list);
        sharding(state, &mut list);
        smaller(state, &mut list);
        offload(state, &mut list);
        tensor_parallel(setting, state, &mut list);
    }
    if place == Place::Host {
        less_offload(state, &mut list);
    }
    more_gpus(state, &mut list);
    frozen(state, &mut list);
    list
}

/// What costs nothing: kernels that never write the large matrix.
fn software(state: &State, list: &mut Vec<Change>) {
    if state.stack.attention == AttentionKernel::Unfused {
        let stack = Stack { attention: AttentionKernel::Flash2, ..state.stack };
        let change = State { stack, ..state.clone() };
        list.push(Change::new(
            change,
            "attention",
            ("unfused", "flash"),
            Some(Lever::Attention),
            0,
        ));
    }
    let fused = matches!(state.stack.loss, LossPath::Chunked | LossPath::FusedLinear);
    if !fused {
        let stack = Stack { loss: LossPath::Chunked, ..state.stack };
        let change = State { stack, ..state.clone() };
        list.push(Change::new(change, "loss", ("whole", "chunked"), Some(Lever::Loss), 1));
    }
}

/// The next stages of ZeRO.
fn sharding(state: &State, list: &mut Vec<Change>) {
    const STAGES: [(Zero, &str, u32); 4] = [
        (Zero::None, "0", 0),
        (Zero::Optimizer, "1", 2),
        (Zero::Gradients, "2", 3),
        (Zero::Weights, "3", 5),
    ];
    let now = state.layout.zero;
    let from = STAGES.iter().find(|(stage, ..)| *stage == now).map_or("0", |(_, word, _)| *word);
    let pipelined = state.layout.pp > 1;
    for (zero, to, cost) in STAGES {
        // Gradients and weights cannot be sharded over a pipeline's micro-batches for free.
        if zero > now && !(pipelined && zero > Zero::Optimizer) && state.layout.dp > 1 {
            let layout = Layout { zero, ..state.layout };
            let change = State { layout, ..state.clone() };
            list.push(Change::new(change, "zero", (from, to), Some(Lever::States), cost));
        }
    }
}

/// A smaller micro-batch, and recomputation.
fn smaller(state: &State, list: &mut Vec<Change>) {
    let now = state.layout.micro_batch;
    let mut micro_batch = now / 2;
    while micro_batch > 0 {
        let layout = Layout { micro_batch, ..state.layout };
        let (from, to) = (now.to_string(), micro_batch.to_string());
        let change = State { layout, ..state.clone() };
        let lever = Some(Lever::Activations);
        list.push(Change::new(change, "micro_batch", (&from, &to), lever, 4));
        micro_batch /= 2;
    }
    let steps = [(Recompute::Selective, "selective", 6), (Recompute::Full, "full", 8)];
    let from = match state.layout.recompute {
        Recompute::None => "none",
        Recompute::Selective => "selective",
        Recompute::Full => "full",
    };
    for (recompute, to, cost) in steps {
        if recompute > state.layout.recompute {
            let layout = Layout { recompute, ..state.layout };
            let change = State { layout, ..state.clone() };
            list.push(Change::new(change, "recompute", (from, to), Some(Lever::Activations), cost));
        }
    }
}

fn offload(state: &State, list: &mut Vec<Change>) {
    let away = !matches!(state.layout.framework, Framework::FusedCuda | Framework::MegatronLegacy);
    if !away || state.layout.offload == Offload::OptimizerAndWeights {
        return;
    }
    let rows = [
        (Offload::Optimizer, "optimizer", 12),
        (Offload::OptimizerAndWeights, "optimizer-and-weights", 16),
    ];
    let from = if state.layout.offload == Offload::None { "none" } else { "optimizer" };
    for (offload, to, cost) in rows {
        let whole = offload == Offload::OptimizerAndWeights && state.layout.zero != Zero::Weights;
        if offload > state.layout.offload && !whole {
            let layout = Layout { offload, ..state.layout };
            let change = State { layout, ..state.clone() };
            list.push(Change::new(change, "offload", (from, to), Some(Lever::States), cost));
        }
    }
}

/// Host memory that ran out: keep more on the device.
fn less_offload(state: &State, list: &mut Vec<Change>) {
    let (from, to, offload) = match state.layout.offload {
        Offload::None => return,
        Offload::Optimizer => ("optimizer", "none", Offload::None),
        Offload::OptimizerAndWeights => ("optimizer-and-weights", "none", Offload::None),
    };
    let layout = Layout { offload, ..state.layout };
    let change = State { layout, ..state.clone() };
    list.push(Change::new(change, "offload", (from, to), Some(Lever::States), 1));
}

/// Twice the TP inside of a node, out of data parallelism.
fn tensor_parallel(setting: &Setting<'_>, state: &State, list: &mut Vec<Change>) {
    let layout = state.layout;
    let tp = layout.tp.saturating_mul(2);
    let heads = setting.model.attention.heads.is_multiple_of(tp)
        && setting.model.attention.kv_heads.is_multiple_of(tp)
        && setting.model.feed_forward.width.is_multiple_of(tp);
    let cuts = matches!(layout.framework, Framework::MegatronCore | Framework::Torchtitan);
    if cuts && heads && layout.dp.is_multiple_of(2) && tp <= setting.cluster.gpus_per_node {
        let (from, to) = (layout.tp.to_string(), tp.to_string());
        let etp = if layout.etp > 1 { tp } else { layout.etp };
        let sp = layout.sp || state.job.sequence.is_multiple_of(tp);
        let layout = Layout { tp, etp, sp, dp: layout.dp / 2, ..layout };
        let change = State { layout, ..state.clone() };
        list.push(Change::new(change, "tp", (&from, &to), Some(Lever::Weights), 9));
    }
}

/// More data parallelism, the same batch for each GPU.
fn more_gpus(state: &State, list: &mut Vec<Change>) {
    let mut times = 2;
    while times <= MOST_GROWTH {
        let layout = Layout { dp: state.layout.dp.saturating_mul(times), ..state.layout };
        let global_batch = state.job.global_batch.saturating_mul(times);
        let job = Job { global_batch, ..state.job.clone() };
        let (from, to) = (state.layout.gpus().to_string(), layout.gpus().to_string());
        let change = State { layout, job, ..state.clone() };
        list.push(Change::new(change, "gpus", (&from, &to), Some(Lever::States), 20 + times));
        times *= 2;
    }
}

/// Adapters only, and a base of 4 bits that can be sharded.
fn frozen(state: &State, list: &mut Vec<Change>) {
    let lora = state.job.kind == JobKind::Lora;
    if !lora {
        let job = Job { kind: JobKind::Lora, ..state.job.clone() };
        let change = State { job, ..state.clone() };
        list.push(Change::new(change, "kind", ("full-fine-tune", "lora"), None, 100));
    } else if state.variant.base != BaseFormat::Nf4 {
        let from = if state.variant.base == BaseFormat::Gptq4 { "gptq4" } else { "sixteen-bit" };
        let variant = Variant { base: BaseFormat::Nf4, ..state.variant };
        let change = State { variant, ..state.clone() };
        list.push(Change::new(change, "base", (from, "nf4"), Some(Lever::Weights), 10));
    }
}

impl Change {
    fn new(
        state: State,
        field: &'static str,
        (from, to): (&str, &str),
        lever: Option<Lever>,
        cost: u32,
    ) -> Self {
        let step =
            RemedyStep { field: Cow::Borrowed(field), from: from.to_owned(), to: to.to_owned() };
        Self { state, step, lever, cost }
    }
}
