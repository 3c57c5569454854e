//! The kernels and the exchanges inside a micro-batch, remembered: they depend on a few axes
//! only, while pipeline, sharding and offload vary around them.

use std::collections::BTreeMap;

use crate::strategy::{Framework, Zero};

use super::case::Case;
use super::exchange::{Exchange, context, expert, tensor};
use super::layer::{Body, Head, body, head, waits};

/// All layers and one micro-batch on one GPU.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels {
    pub(super) body: Body,
    pub(super) head: Head,
    pub(super) tensor: Exchange,
    pub(super) context: Exchange,
    pub(super) expert: Exchange,
    /// Seconds that the layers keep the GPU busy or waiting for a peer.
    pub(super) busy: f64,
    /// Seconds that the GPU waits for its host on top.
    pub(super) waits: f64,
}

impl Kernels {
    pub(super) fn new(case: &Case<'_>) -> Self {
        let body = body(case);
        let (tensor, context, expert) = (tensor(case), context(case), expert(case));
        let busy = body.matmul.seconds
            + body.attention
            + body.memory_bound
            + tensor.exposed
            + context.exposed
            + expert.exposed;
        let waits = waits(case.shape.layers, busy, body.host);
        Self { body, head: head(case), tensor, context, expert, busy, waits }
    }
}

/// What was computed for one setting and network. Never share it between settings.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    known: BTreeMap<Key, Kernels>,
    /// With full tiles and without waits for the host.
    ideal: BTreeMap<Key, Kernels>,
}

/// What [`Kernels`] depend on: axes as numbers, kinds by their order.
type Key = ([u32; 4], [u8; 4], u64);

impl Cache {
    pub(super) fn kernels(&mut self, case: &Case<'_>) -> Kernels {
        *self.known.entry(key(case)).or_insert_with(|| Kernels::new(case))
    }

    /// Per token never above [`Cache::kernels`] of a micro-batch that is not larger.
    pub(super) fn ideal(&mut self, case: &Case<'_>) -> Kernels {
        *self.ideal.entry(key(case)).or_insert_with(|| {
            let case = Case { perfect_tiles: true, ..*case };
            Kernels { waits: 0.0, ..Kernels::new(&case) }
        })
    }
}

fn key(case: &Case<'_>) -> Key {
    let layout = &case.layout;
    let class_follows_sharding = layout.framework == Framework::MegatronDeepSpeed;
    (
        [layout.tp, layout.cp, layout.ep, layout.etp],
        [
            layout.framework as u8,
            u8::from(class_follows_sharding && layout.zero != Zero::None),
            layout.recompute as u8,
            u8::from(layout.sp),
        ],
        case.tokens.to_bits(),
    )
}
