//! The single changes of a plan that take less memory.

use std::borrow::Cow;

use crate::estimate::Setting;
use crate::estimate::memory::Variant;
use crate::explain::RemedyStep;
use crate::strategy::{
    Adapter, AttentionKernel, BaseFormat, Framework, Job, JobKind, Layout, LossPath, Offload,
    Recompute, Stack, Zero,
};

use super::message::Place;
use super::tensors::Lever;

/// How far data parallelism is grown.
const MOST_GROWTH: u32 = 64;

/// Everything that a change may touch.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) job: Job,
    pub(super) stack: Stack,
    pub(super) layout: Layout,
    pub(super) variant: Variant,
}

/// A changed state, its field with the words before and after, and its cost: 0 is free.
pub(super) struct Change {
    pub(super) state: State,
    pub(super) step: RemedyStep,
    pub(super) lever: Option<Lever>,
    /// Order of cost in time or money, from what is faster to what trains something else.
    pub(super) cost: u32,
}

/// Every single change.
pub(super) fn changes(setting: &Setting<'_>, state: &State, place: Place) -> Vec<Change> {
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
        Recompute::Norms => "layernorm",
        Recompute::FeedForward => "mlp",
        Recompute::NormsAndFeedForward => "layernorm-mlp",
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
    if !away || state.layout.offload.weights() || state.layout.offload.nvme() {
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
        Offload::OptimizerNvme => ("optimizer-nvme", "none", Offload::None),
        Offload::OptimizerAndWeightsNvme => ("optimizer-and-weights-nvme", "none", Offload::None),
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
    } else if state.job.base() != BaseFormat::Nf4 {
        let from = match state.job.base() {
            BaseFormat::SixteenBit | BaseFormat::Nf4 => "sixteen-bit",
            BaseFormat::EightBit => "eight-bit",
            BaseFormat::Gptq4 => "gptq4",
        };
        let adapter = Adapter { base: BaseFormat::Nf4, ..state.job.adapter };
        let job = Job { adapter, ..state.job.clone() };
        let change = State { job, ..state.clone() };
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
