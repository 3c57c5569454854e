//! The JSON of `meshwright plan`.

use std::collections::BTreeMap;

use planner::answer::{Answer, Candidate, Plan, Reason, Searched};
use planner::estimate::{
    Band, HostMemory, Instant, InstantMemory, Memory, MemoryParts, StageMemory, StageTimeline,
    StepParts, Traffic, TrafficAxis, Verdict,
};
use planner::strategy::Layout;
use serde::Serialize;

use super::cost::CostView;
use super::explain::{FindingView, TermView, Value, values};

/// The answer; the keys of a plan are absent when no layout is legal.
#[derive(Serialize)]
pub(crate) struct PlanView<'a> {
    verdict: Verdict,
    #[serde(flatten)]
    plan: Option<ChosenView<'a>>,
    reasons: Vec<ReasonView<'a>>,
    cost: Vec<CostView<'a>>,
    candidates: Vec<CandidateView>,
    by_framework: Vec<FrameworkView>,
    findings: Vec<FindingView<'a>>,
    searched: SearchedView<'a>,
}

#[derive(Serialize)]
struct ChosenView<'a> {
    layout: Layout,
    micro_batches: u32,
    step_time_s: Band,
    step_parts_s: StepParts,
    mfu_pct: f64,
    tokens_per_second: f64,
    steps: f64,
    days: Band,
    peak_memory_gib: f64,
    by_stage: Vec<StageView>,
    memory: MemoryView,
    traffic: Vec<TrafficView<'a>>,
    explanation: Vec<TermView<'a>>,
}

#[derive(Serialize)]
struct MemoryView {
    capacity_gib: f64,
    /// Factors on the peak.
    band: Band,
    worst_stage: u32,
    worst_instant: Instant,
    parts_gib: PartsView,
    host_gib: f64,
    host_parts_gib: HostView,
    host_capacity_gib: f64,
}

#[derive(Serialize)]
struct HostView {
    processes: f64,
    loading: f64,
    states: f64,
    pinned: f64,
    activations: f64,
    /// On drives, no part of the memory.
    nvme: f64,
}

#[derive(Serialize)]
struct InstantView {
    instant: Instant,
    peak_gib: f64,
    allocated_gib: f64,
    reclaimable_gib: f64,
    parts_gib: PartsView,
}

#[derive(Serialize)]
struct StageView {
    stage: u32,
    /// Where the peak lies.
    instant: Instant,
    peak_gib: f64,
    allocated_gib: f64,
    parts_gib: PartsView,
    layers: u32,
    in_flight: f64,
    timeline: Vec<InstantView>,
}

#[derive(Serialize)]
struct PartsView {
    weights: f64,
    gradients: f64,
    optimizer: f64,
    activations: f64,
    working: f64,
    logits: f64,
    buffers: f64,
    runtime: f64,
}

#[derive(Serialize)]
struct TrafficView<'a> {
    collective: &'a str,
    axis: TrafficAxis,
    ranks: u32,
    calls: u32,
    bytes: f64,
    time_s: f64,
    exposed_s: f64,
    /// Bytes by kind of link, summed over the links of one node.
    links: BTreeMap<&'a str, f64>,
}

#[derive(Serialize)]
struct ReasonView<'a> {
    key: &'a str,
    evidence: BTreeMap<&'a str, Value>,
}

#[derive(Serialize)]
struct CandidateView {
    layout: Layout,
    verdict: Verdict,
    step_time_s: f64,
    mfu_pct: f64,
    peak_memory_gib: f64,
    exposed_communication_pct: f64,
    bubble_pct: f64,
}

#[derive(Serialize)]
struct FrameworkView {
    layout: Layout,
    verdict: Verdict,
    step_time_s: Band,
    mfu_pct: f64,
    peak_memory_gib: f64,
}

#[derive(Serialize)]
struct SearchedView<'a> {
    legal: u64,
    evaluated: u64,
    rejected_by_gate: BTreeMap<&'a str, u64>,
}

impl<'a> PlanView<'a> {
    /// The answer with at most `top` candidates.
    pub(crate) fn of(answer: &'a Answer, top: usize) -> Self {
        Self {
            verdict: answer.verdict,
            plan: answer.plan.as_ref().map(ChosenView::of),
            reasons: answer.reasons.iter().map(ReasonView::of).collect(),
            cost: answer.costs.iter().map(CostView::of).collect(),
            candidates: answer.candidates.iter().take(top).map(CandidateView::of).collect(),
            by_framework: answer.by_framework.iter().map(FrameworkView::of).collect(),
            findings: answer.findings.iter().map(FindingView::of).collect(),
            searched: SearchedView::of(&answer.searched),
        }
    }
}

impl<'a> ChosenView<'a> {
    fn of(plan: &'a Plan) -> Self {
        Self {
            layout: plan.layout,
            micro_batches: plan.micro_batches,
            step_time_s: plan.step.band,
            step_parts_s: plan.step.parts,
            mfu_pct: plan.step.mfu * 100.0,
            tokens_per_second: plan.tokens_per_second,
            steps: plan.steps,
            days: plan.days,
            peak_memory_gib: plan.memory.worst.device.as_gib(),
            by_stage: plan
                .memory
                .stages
                .iter()
                .zip(&plan.memory.timeline)
                .map(|(stage, timeline)| StageView::of(stage, timeline))
                .collect(),
            memory: MemoryView::of(&plan.memory),
            traffic: plan.step.traffic.iter().map(TrafficView::of).collect(),
            explanation: plan.explanation.iter().map(TermView::of).collect(),
        }
    }
}

impl MemoryView {
    fn of(memory: &Memory) -> Self {
        Self {
            capacity_gib: memory.capacity.as_gib(),
            band: memory.band,
            worst_stage: memory.worst.stage,
            worst_instant: memory.worst.instant,
            parts_gib: PartsView::of(&memory.worst.parts),
            host_gib: memory.host.peak().as_gib(),
            host_parts_gib: HostView::of(&memory.host),
            host_capacity_gib: memory.host_capacity.as_gib(),
        }
    }
}

impl HostView {
    fn of(host: &HostMemory) -> Self {
        Self {
            processes: host.processes.as_gib(),
            loading: host.loading.as_gib(),
            states: host.states.as_gib(),
            pinned: host.pinned.as_gib(),
            activations: host.activations.as_gib(),
            nvme: host.nvme.as_gib(),
        }
    }
}

impl InstantView {
    fn of(at: &InstantMemory) -> Self {
        Self {
            instant: at.instant,
            peak_gib: at.device.as_gib(),
            allocated_gib: at.allocated.as_gib(),
            reclaimable_gib: at.reclaimable.as_gib(),
            parts_gib: PartsView::of(&at.parts),
        }
    }
}

impl StageView {
    fn of(stage: &StageMemory, timeline: &StageTimeline) -> Self {
        Self {
            stage: stage.stage,
            instant: stage.instant,
            layers: timeline.layers,
            in_flight: timeline.in_flight,
            timeline: timeline.instants.iter().map(InstantView::of).collect(),
            peak_gib: stage.device.as_gib(),
            allocated_gib: stage.allocated.as_gib(),
            parts_gib: PartsView::of(&stage.parts),
        }
    }
}

impl PartsView {
    const fn of(parts: &MemoryParts) -> Self {
        Self {
            weights: parts.weights.as_gib(),
            gradients: parts.gradients.as_gib(),
            optimizer: parts.optimizer.as_gib(),
            activations: parts.activations.as_gib(),
            working: parts.working.as_gib(),
            logits: parts.logits.as_gib(),
            buffers: parts.buffers.as_gib(),
            runtime: parts.runtime.as_gib(),
        }
    }
}

impl<'a> TrafficView<'a> {
    fn of(traffic: &'a Traffic) -> Self {
        Self {
            collective: &traffic.collective,
            axis: traffic.axis,
            ranks: traffic.ranks,
            calls: traffic.calls,
            bytes: traffic.bytes.base(),
            time_s: traffic.time.as_seconds(),
            exposed_s: traffic.exposed.as_seconds(),
            links: traffic.links.iter().map(|(kind, bytes)| (&**kind, bytes.base())).collect(),
        }
    }
}

impl<'a> ReasonView<'a> {
    fn of(reason: &'a Reason) -> Self {
        Self { key: &reason.key, evidence: values(&reason.evidence) }
    }
}

impl CandidateView {
    fn of(candidate: &Candidate) -> Self {
        Self {
            layout: candidate.layout,
            verdict: candidate.verdict,
            step_time_s: candidate.step_time.as_seconds(),
            mfu_pct: candidate.mfu * 100.0,
            peak_memory_gib: candidate.device_memory.as_gib(),
            exposed_communication_pct: candidate.exposed_communication * 100.0,
            bubble_pct: candidate.bubble * 100.0,
        }
    }
}

impl FrameworkView {
    fn of(plan: &Plan) -> Self {
        Self {
            layout: plan.layout,
            verdict: plan.memory.verdict,
            step_time_s: plan.step.band,
            mfu_pct: plan.step.mfu * 100.0,
            peak_memory_gib: plan.memory.worst.device.as_gib(),
        }
    }
}

impl<'a> SearchedView<'a> {
    fn of(searched: &'a Searched) -> Self {
        let rejected = &searched.rejected_by_gate;
        Self {
            legal: searched.legal,
            evaluated: searched.evaluated,
            rejected_by_gate: rejected.iter().map(|row| (&*row.gate, row.count)).collect(),
        }
    }
}
