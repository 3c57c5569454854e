//! Version 1 of the link form. These types are frozen: postcard writes fields by position.
//! Documents that it holds are still written in it, so that older programs open them.

use planner::cluster::{ClusterSpec, Spine};
use planner::price::PriceOptions;
use planner::strategy::{Adapter, Job, Offload, Optimizer, Pins, Recompute};
use planner::units::{BitsPerSecond, Bytes};
use serde::{Deserialize, Serialize};

use crate::document::{Document, ModelSource};
use crate::words::Word;

/// Whether a program that knows only this version opens all of a document.
pub(super) fn holds(document: &Document) -> bool {
    let Document { job, pins, .. } = document;
    job.adapter == Adapter::default()
        && matches!(job.optimizer, Optimizer::AdamW | Optimizer::AdamW8bit)
        && !pins.recompute.is_some_and(Recompute::by_module)
        && !pins.offload.is_some_and(Offload::nvme)
        && pins.activation_offload.is_none()
}

/// The bytes of a document that it [`holds`].
pub(super) fn write(document: &Document) -> Vec<u8> {
    super::encode(&Link::of(document))
}

/// The document of the bytes; none if they are anything else.
pub(super) fn read(bytes: &[u8]) -> Option<Document> {
    super::decode::<Link>(bytes)?.document()
}

#[derive(Serialize, Deserialize)]
pub(super) struct Link {
    name: String,
    model: LinkModel,
    job: LinkJob,
    cluster: LinkCluster,
    pins: LinkPins,
    price: LinkPrice,
}

#[derive(Serialize, Deserialize)]
enum LinkModel {
    Preset(String),
    Config { name: String, text: String },
}

/// Choices as the codes of `words`.
#[derive(Serialize, Deserialize)]
struct LinkJob {
    kind: u8,
    sequence: u32,
    global_batch: u32,
    precision: u8,
    optimizer: u8,
    tokens: f64,
}

#[derive(Serialize, Deserialize)]
struct LinkCluster {
    accelerator: String,
    nodes: u32,
    gpus_per_node: u32,
    intra: u8,
    nics_per_node: u32,
    nic_gbps: f64,
    fabric: u8,
    rail_optimized: bool,
    /// Nodes per segment and oversubscription.
    spine: Option<(u32, f64)>,
    host_memory_gib: f64,
}

#[derive(Serialize, Deserialize)]
struct LinkPins {
    framework: Option<u8>,
    tp: Option<u32>,
    pp: Option<u32>,
    vpp: Option<u32>,
    cp: Option<u32>,
    ep: Option<u32>,
    zero: Option<u8>,
    micro_batch: Option<u32>,
    recompute: Option<u8>,
    offload: Option<u8>,
}

#[derive(Serialize, Deserialize)]
struct LinkPrice {
    currency: u8,
    term_months: u32,
    platforms: Vec<String>,
}

impl Link {
    pub(super) fn of(document: &Document) -> Self {
        let Document { name, model, job, cluster, pins, price } = document.clone();
        Self {
            name,
            model: match model {
                ModelSource::Preset(id) => LinkModel::Preset(id),
                ModelSource::Config { name, text } => LinkModel::Config { name, text },
            },
            job: LinkJob {
                kind: job.kind.code(),
                sequence: job.sequence,
                global_batch: job.global_batch,
                precision: job.precision.code(),
                optimizer: job.optimizer.code(),
                tokens: job.tokens,
            },
            cluster: LinkCluster::of(cluster),
            pins: LinkPins::of(&pins),
            price: LinkPrice {
                currency: price.currency.code(),
                term_months: price.term_months,
                platforms: price.platforms,
            },
        }
    }

    pub(super) fn document(self) -> Option<Document> {
        Some(Document {
            name: self.name,
            model: match self.model {
                LinkModel::Preset(id) => ModelSource::Preset(id),
                LinkModel::Config { name, text } => ModelSource::Config { name, text },
            },
            job: Job {
                kind: Word::from_code(self.job.kind)?,
                sequence: self.job.sequence,
                global_batch: self.job.global_batch,
                precision: Word::from_code(self.job.precision)?,
                optimizer: Word::from_code(self.job.optimizer)?,
                adapter: Adapter::default(),
                tokens: self.job.tokens,
            },
            cluster: self.cluster.spec()?,
            pins: self.pins.pins()?,
            price: PriceOptions {
                currency: Word::from_code(self.price.currency)?,
                term_months: self.price.term_months,
                platforms: self.price.platforms,
            },
        })
    }
}

impl LinkCluster {
    fn of(cluster: ClusterSpec) -> Self {
        Self {
            accelerator: cluster.accelerator,
            nodes: cluster.nodes,
            gpus_per_node: cluster.gpus_per_node,
            intra: cluster.intra.code(),
            nics_per_node: cluster.nics_per_node,
            nic_gbps: cluster.nic_speed.as_gbps(),
            fabric: cluster.fabric.code(),
            rail_optimized: cluster.rail_optimized,
            spine: cluster.spine.map(|spine| (spine.nodes_per_segment, spine.oversubscription)),
            host_memory_gib: cluster.host_memory.as_gib(),
        }
    }

    fn spec(self) -> Option<ClusterSpec> {
        Some(ClusterSpec {
            accelerator: self.accelerator,
            nodes: self.nodes,
            gpus_per_node: self.gpus_per_node,
            intra: Word::from_code(self.intra)?,
            nics_per_node: self.nics_per_node,
            nic_speed: BitsPerSecond::gbps(self.nic_gbps),
            fabric: Word::from_code(self.fabric)?,
            rail_optimized: self.rail_optimized,
            spine: self.spine.map(|(nodes_per_segment, oversubscription)| Spine {
                nodes_per_segment,
                oversubscription,
            }),
            host_memory: Bytes::gib(self.host_memory_gib),
        })
    }
}

impl LinkPins {
    fn of(pins: &Pins) -> Self {
        Self {
            framework: pins.framework.map(Word::code),
            tp: pins.tp,
            pp: pins.pp,
            vpp: pins.vpp,
            cp: pins.cp,
            ep: pins.ep,
            zero: pins.zero.map(Word::code),
            micro_batch: pins.micro_batch,
            recompute: pins.recompute.map(Word::code),
            offload: pins.offload.map(Word::code),
        }
    }

    fn pins(self) -> Option<Pins> {
        Some(Pins {
            framework: choice(self.framework)?,
            tp: self.tp,
            pp: self.pp,
            vpp: self.vpp,
            cp: self.cp,
            ep: self.ep,
            zero: choice(self.zero)?,
            micro_batch: self.micro_batch,
            recompute: choice(self.recompute)?,
            offload: choice(self.offload)?,
            activation_offload: None,
        })
    }
}

/// The choice of an optional code; none if the code is unknown.
fn choice<W: Word>(code: Option<u8>) -> Option<Option<W>> {
    match code {
        None => Some(None),
        Some(code) => W::from_code(code).map(Some),
    }
}
