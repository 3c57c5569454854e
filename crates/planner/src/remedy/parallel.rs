//! Another cut of a run over its GPUs, or more of them.

use crate::estimate::Setting;
use crate::strategy::{Framework, Job, Layout, Schedule};

use super::rank::step;
use super::run::{Change, Lever, Short, State};

/// How far data parallelism is grown.
const MOST_GROWTH: u32 = 64;

pub(super) fn parallel(setting: &Setting<'_>, state: &State, short: Short, list: &mut Vec<Change>) {
    let cuts = matches!(
        state.layout.framework,
        Framework::MegatronCore
            | Framework::MegatronLegacy
            | Framework::MegatronDeepSpeed
            | Framework::Torchtitan
    );
    if cuts && short == Short::Device {
        tensor_parallel(setting, state, list);
        pipeline(setting, state, list);
        context(setting, state, list);
    }
    more_gpus(state, list);
}

/// Twice the TP inside of a node, out of data parallelism.
fn tensor_parallel(setting: &Setting<'_>, state: &State, list: &mut Vec<Change>) {
    let layout = state.layout;
    let tp = layout.tp.saturating_mul(2);
    let heads = setting.model.attention.heads.is_multiple_of(tp)
        && setting.model.attention.kv_heads.is_multiple_of(tp)
        && setting.model.feed_forward.width.is_multiple_of(tp);
    if heads && layout.dp.is_multiple_of(2) && tp <= setting.cluster.gpus_per_node {
        let etp = if layout.etp > 1 { tp } else { layout.etp };
        let sp = layout.sp || state.job.sequence.is_multiple_of(tp);
        let layout = Layout { tp, etp, sp, dp: layout.dp / 2, ..layout };
        list.push(state.with(layout, "tp", Lever::Weights));
    }
}

/// Twice the stages, out of data parallelism; virtual stages that no longer divide are given up.
fn pipeline(setting: &Setting<'_>, state: &State, list: &mut Vec<Change>) {
    let layout = state.layout;
    let pp = layout.pp.saturating_mul(2);
    let kept = layout.pp > 1 && setting.model.layers.is_multiple_of(pp * layout.vpp);
    let (vpp, schedule) =
        if kept { (layout.vpp, layout.schedule) } else { (1, Schedule::OneFOneB) };
    if pp <= setting.model.layers && layout.dp.is_multiple_of(2) {
        let layout = Layout { pp, vpp, schedule, dp: layout.dp / 2, ..layout };
        list.push(state.with(layout, "pp", Lever::Weights));
    }
}

/// Twice the context parallelism, out of data parallelism.
fn context(setting: &Setting<'_>, state: &State, list: &mut Vec<Change>) {
    let layout = state.layout;
    let cp = layout.cp.saturating_mul(2);
    let whole = state.job.sequence.is_multiple_of(2 * cp * layout.tp);
    let known = matches!(layout.framework, Framework::MegatronCore | Framework::Torchtitan);
    if known && whole && layout.dp.is_multiple_of(2) && setting.model.attention.heads >= cp {
        let layout = Layout { cp, dp: layout.dp / 2, ..layout };
        list.push(state.with(layout, "cp", Lever::Activations));
    }
}

/// More data parallelism under the same global batch where it can be cut so far, else with as
/// much more of it.
fn more_gpus(state: &State, list: &mut Vec<Change>) {
    let mut times = 2;
    while times <= MOST_GROWTH {
        let layout = Layout { dp: state.layout.dp.saturating_mul(times), ..state.layout };
        let gpus = |layout: &Layout| Some(layout.gpus().to_string());
        let mut steps = vec![step("gpus", (gpus(&state.layout), gpus(&layout)))];
        let mut job = state.job.clone();
        let one_step = layout.dp.saturating_mul(layout.micro_batch);
        if one_step == 0 || !job.global_batch.is_multiple_of(one_step) {
            let global_batch = job.global_batch.saturating_mul(times);
            let words = (Some(job.global_batch.to_string()), Some(global_batch.to_string()));
            steps.push(step("global_batch", words));
            job = Job { global_batch, ..job };
        }
        let state = State { layout, job, ..state.clone() };
        list.push(Change { state, steps, lever: Some(Lever::States) });
        times *= 2;
    }
}
