//! Groups of ranks and the memory of their communicators (STUDY_MEMORY.md 3.6).

use crate::strategy::Framework;

use super::case::Case;
use super::constants::{COMMUNICATOR_ACROSS_GIB, COMMUNICATOR_GIB, MEGATRON_DEEPSPEED_GROUPS};

/// Groups of ranks that talk to each other, each with its own buffers: those within a node and
/// those across nodes. TP, CP and EP are placed first, then DP, then PP.
pub(super) fn communicators(case: &Case<'_>) -> (f64, f64) {
    if case.layout.framework == Framework::MegatronDeepSpeed {
        return (0.0, MEGATRON_DEEPSPEED_GROUPS);
    }
    let layout = case.layout;
    let node = case.setting.cluster.gpus_per_node.max(1);
    let inner = layout.tp.saturating_mul(layout.cp);
    let replicas = inner.saturating_mul(layout.dp);
    let experts = layout.ep.saturating_mul(layout.etp);
    let spans = [
        (layout.tp, layout.tp),
        (layout.cp, inner),
        (layout.ep, experts),
        (layout.dp, replicas),
        (layout.pp, replicas.saturating_mul(layout.pp)),
    ];
    let mut groups = (0.0, 0.0);
    for (degree, span) in spans {
        match (degree > 1, span > node) {
            (false, _) => {}
            (true, false) => groups.0 += 1.0,
            (true, true) => groups.1 += 1.0,
        }
    }
    groups
}

/// GiB of all communicators.
pub(super) fn communicator_gib(case: &Case<'_>) -> f64 {
    let (within, across) = communicators(case);
    within * COMMUNICATOR_GIB + across * COMMUNICATOR_ACROSS_GIB
}
