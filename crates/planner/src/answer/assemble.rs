//! From a finished search to everything that is shown.

use super::judge::setting;
use super::solver::Machine;
use super::{Answer, Candidate, Inputs, Plan, RejectedCount, Searched, advice, reasons};
use crate::estimate::{Band, Verdict, memory, time};
use crate::explain::{Quantity, Source, Term};
use crate::price::{self, CostLine, Need};
use crate::search::{Outcome, Scored};
use crate::strategy::Layout;
use crate::units::Seconds;

/// Rows of the candidates table that are returned.
const SHOWN: usize = 60;

pub(super) fn answer(inputs: &Inputs, machine: Machine, outcome: &Outcome) -> Answer {
    let chosen = outcome.best.first().map(|best| best.layout);
    let layout = chosen.or_else(|| outcome.least.map(|(layout, _)| layout));
    let plan = layout.map(|layout| plan(inputs, machine, layout));
    let verdict = plan.as_ref().map_or(Verdict::Invalid, |plan| plan.memory.verdict);
    let costs = plan.as_ref().map_or_else(Vec::new, |plan| costs(inputs, machine, plan));
    let findings = match &plan {
        Some(plan) => advice::of_plan(inputs, machine, plan),
        None => advice::nothing_legal(inputs, &outcome.cut),
    };
    Answer {
        verdict,
        reasons: plan.as_ref().map_or_else(Vec::new, |plan| reasons::of(outcome, plan)),
        candidates: candidates(outcome, plan.as_ref()),
        by_framework: outcome
            .by_framework
            .iter()
            .map(|scored| self::plan(inputs, machine, scored.layout))
            .collect(),
        costs,
        searched: Searched {
            legal: outcome.legal,
            evaluated: outcome.evaluated,
            rejected_by_gate: outcome
                .cut
                .iter()
                .map(|(gate, count)| RejectedCount { gate: gate.key().into(), count })
                .collect(),
        },
        findings,
        plan,
    }
}

fn plan(inputs: &Inputs, machine: Machine, layout: Layout) -> Plan {
    let setting = setting(inputs, machine, layout.framework);
    let step = time::report(&setting, &machine.network, &layout);
    let tokens_per_step = f64::from(inputs.job.sequence) * f64::from(inputs.job.global_batch);
    let steps = libm::ceil(inputs.job.tokens / tokens_per_step);
    let in_days = |seconds: f64| Seconds::new(seconds * steps).as_days();
    let days = Band {
        p10: in_days(step.band.p10),
        p50: in_days(step.band.p50),
        p90: in_days(step.band.p90),
    };
    let step_tree = time::explain(&setting, &machine.network, &layout);
    let explanation = vec![
        memory::explain(&setting, &layout),
        step_tree.clone(),
        days_tree(inputs, steps, tokens_per_step, days, step_tree),
    ];
    Plan {
        layout,
        micro_batches: layout.micro_batches(inputs.job.global_batch),
        memory: memory::report(&setting, &layout),
        tokens_per_second: tokens_per_step / step.band.p50,
        step,
        steps,
        days,
        explanation,
    }
}

fn days_tree(
    inputs: &Inputs,
    steps: f64,
    tokens_per_step: f64,
    days: Band,
    step_tree: Term,
) -> Term {
    let job = &inputs.job;
    let count = |key, value| Term::leaf(key, Quantity::Count(value), Source::Input);
    let per_step = Term::computed(
        "tokens-per-step",
        Quantity::Count(tokens_per_step),
        vec![
            count("sequence", f64::from(job.sequence)),
            count("global-batch", f64::from(job.global_batch)),
        ],
    );
    let steps = Term::computed(
        "steps",
        Quantity::Count(steps),
        vec![count("tokens", job.tokens), per_step],
    );
    Term::computed("days", Quantity::Seconds(Seconds::days(days.p50)), vec![steps, step_tree])
}

/// All candidates do the same model work, so utilisation goes as one over the time.
fn candidates(outcome: &Outcome, plan: Option<&Plan>) -> Vec<Candidate> {
    let utilised = plan.map_or(Seconds::ZERO, |plan| plan.step.parts.total * plan.step.mfu);
    outcome.best.iter().take(SHOWN).map(|scored| candidate(scored, utilised)).collect()
}

fn candidate(scored: &Scored, utilised: Seconds) -> Candidate {
    let step = &scored.step;
    let exposed =
        step.tp_exposed + step.cp_exposed + step.ep_exposed + step.dp_exposed + step.pp_exposed;
    Candidate {
        layout: scored.layout,
        verdict: scored.fit.verdict,
        device_memory: scored.fit.device,
        parts: scored.fit.parts,
        step_time: step.total,
        mfu: utilised.ratio(step.total),
        exposed_communication: exposed.ratio(step.total),
        bubble: step.bubble.ratio(step.total),
    }
}

fn costs(inputs: &Inputs, machine: Machine, plan: &Plan) -> Vec<CostLine> {
    let cluster = &inputs.cluster;
    let setting = setting(inputs, machine, plan.layout.framework);
    let need = Need {
        accelerator: machine.accelerator,
        gpus: cluster.nodes * cluster.gpus_per_node,
        gpus_per_node: cluster.gpus_per_node,
        nodes: cluster.nodes,
        days: plan.days,
        tokens: inputs.job.tokens,
        checkpoint: memory::checkpoint_bytes(&setting),
        nic_gbps_per_node: cluster.nic_speed.as_gbps() * f64::from(cluster.nics_per_node),
    };
    price::costs(&need, &inputs.price)
}
