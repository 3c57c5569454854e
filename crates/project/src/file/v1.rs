//! Version 1 of the file form: the types that are written, and the reading.

use planner::cluster::{ClusterSpec, Spine};
use planner::price::PriceOptions;
use planner::strategy::{Adapter, Job, Pins};
use planner::units::{BitsPerSecond, Bytes, Currency};
use serde::Serialize;
use serde_saphyr::LitStr;

use super::error::FileCause;
use super::number::Number;
use super::reader::{Fields, Report};
use crate::document::{Document, ModelSource};
use crate::words::Word;

/// The file of a document.
pub(super) fn write(document: &Document) -> String {
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false, min_fold_chars: 0 };
    let text = serde_saphyr::to_string_with_options(&File::of(document), options);
    debug_assert!(text.is_ok(), "plain structs of numbers and texts serialize");
    text.unwrap_or_default()
}

/// The document of a file whose version has been read.
pub(super) fn read(mut file: Fields<'_>, report: &mut Report) -> Option<Document> {
    let name = file.optional_text("name", report).unwrap_or_default();
    let model = file.section("model", report).and_then(|fields| read_model(fields, report));
    let job = file.section("job", report).and_then(|fields| read_job(fields, report));
    let cluster = file.section("cluster", report).and_then(|fields| read_cluster(fields, report));
    let pins = file
        .optional_section("pins", report)
        .map_or_else(Pins::default, |fields| read_pins(fields, report));
    let price = file
        .optional_section("price", report)
        .map_or_else(|| Some(on_demand()), |fields| read_price(fields, report));
    file.close(report);
    Some(Document { name, model: model?, job: job?, cluster: cluster?, pins, price: price? })
}

/// The order of the fields is the order of the keys.
#[derive(Serialize)]
struct File<'a> {
    meshwright: u32,
    name: &'a str,
    model: FileModel<'a>,
    job: FileJob,
    cluster: FileCluster<'a>,
    #[serde(skip_serializing_if = "FilePins::is_empty")]
    pins: FilePins,
    price: FilePrice<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum FileModel<'a> {
    Preset { preset: &'a str },
    Config { config_name: &'a str, config: LitStr<'a> },
}

#[derive(Serialize)]
struct FileJob {
    kind: &'static str,
    sequence: u32,
    global_batch: u32,
    precision: &'static str,
    optimizer: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    adapter: Option<FileAdapter>,
    tokens: Number,
}

/// Adapters; left out where they are the usual ones.
#[derive(Serialize)]
struct FileAdapter {
    rank: u32,
    base: &'static str,
    dora: bool,
}

#[derive(Serialize)]
struct FileCluster<'a> {
    accelerator: &'a str,
    nodes: u32,
    gpus_per_node: u32,
    intra: &'static str,
    nics_per_node: u32,
    nic_gbps: Number,
    fabric: &'static str,
    rail_optimized: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    spine: Option<FileSpine>,
    host_memory_gib: Number,
}

#[derive(Serialize)]
struct FileSpine {
    nodes_per_segment: u32,
    oversubscription: Number,
}

#[derive(PartialEq, Serialize)]
struct FilePins {
    #[serde(skip_serializing_if = "Option::is_none")]
    framework: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tp: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pp: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vpp: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ep: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zero: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    micro_batch: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recompute: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offload: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    activation_offload: Option<bool>,
}

#[derive(Serialize)]
struct FilePrice<'a> {
    currency: &'static str,
    term_months: u32,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    platforms: &'a [String],
}

impl<'a> File<'a> {
    fn of(document: &'a Document) -> Self {
        let Document { name, model, job, cluster, pins, price } = document;
        Self {
            meshwright: 1,
            name,
            model: match model {
                ModelSource::Preset(preset) => FileModel::Preset { preset },
                ModelSource::Config { name, text } => {
                    FileModel::Config { config_name: name, config: LitStr(text) }
                }
            },
            job: FileJob::of(job),
            cluster: FileCluster::of(cluster),
            pins: FilePins::of(pins),
            price: FilePrice {
                currency: price.currency.word(),
                term_months: price.term_months,
                platforms: &price.platforms,
            },
        }
    }
}

impl FileJob {
    fn of(job: &Job) -> Self {
        Self {
            kind: job.kind.word(),
            sequence: job.sequence,
            global_batch: job.global_batch,
            precision: job.precision.word(),
            optimizer: job.optimizer.word(),
            adapter: (job.adapter != Adapter::default()).then(|| FileAdapter {
                rank: job.adapter.rank,
                base: job.adapter.base.word(),
                dora: job.adapter.dora,
            }),
            tokens: Number::short(job.tokens),
        }
    }
}

impl<'a> FileCluster<'a> {
    fn of(cluster: &'a ClusterSpec) -> Self {
        Self {
            accelerator: &cluster.accelerator,
            nodes: cluster.nodes,
            gpus_per_node: cluster.gpus_per_node,
            intra: cluster.intra.word(),
            nics_per_node: cluster.nics_per_node,
            nic_gbps: Number::plain(cluster.nic_speed.as_gbps()),
            fabric: cluster.fabric.word(),
            rail_optimized: cluster.rail_optimized,
            spine: cluster.spine.as_ref().map(|spine| FileSpine {
                nodes_per_segment: spine.nodes_per_segment,
                oversubscription: Number::plain(spine.oversubscription),
            }),
            host_memory_gib: Number::plain(cluster.host_memory.as_gib()),
        }
    }
}

impl FilePins {
    fn of(pins: &Pins) -> Self {
        Self {
            framework: pins.framework.map(Word::word),
            tp: pins.tp,
            pp: pins.pp,
            vpp: pins.vpp,
            cp: pins.cp,
            ep: pins.ep,
            zero: pins.zero.map(Word::word),
            micro_batch: pins.micro_batch,
            recompute: pins.recompute.map(Word::word),
            offload: pins.offload.map(Word::word),
            activation_offload: pins.activation_offload,
        }
    }

    fn is_empty(&self) -> bool {
        *self == Self::of(&Pins::default())
    }
}

fn on_demand() -> PriceOptions {
    PriceOptions { currency: Currency::Cny, term_months: 0, platforms: Vec::new() }
}

fn read_model(mut fields: Fields<'_>, report: &mut Report) -> Option<ModelSource> {
    let model = match (fields.has("preset"), fields.has("config")) {
        (true, false) => fields.text("preset", report).map(ModelSource::Preset),
        (false, true) => {
            let name = fields.text("config_name", report);
            let text = fields.text("config", report);
            name.zip(text).map(|(name, text)| ModelSource::Config { name, text })
        }
        (true, true) | (false, false) => {
            fields.problem(FileCause::OneOf { keys: ["preset", "config"] }, report);
            return None;
        }
    };
    fields.close(report);
    model
}

fn read_job(mut fields: Fields<'_>, report: &mut Report) -> Option<Job> {
    let kind = fields.word("kind", report);
    let sequence = fields.whole("sequence", report);
    let global_batch = fields.whole("global_batch", report);
    let precision = fields.word("precision", report);
    let optimizer = fields.word("optimizer", report);
    let adapter = fields
        .optional_section("adapter", report)
        .map_or_else(Adapter::default, |fields| read_adapter(fields, report));
    let tokens = fields.number("tokens", report);
    fields.close(report);
    Some(Job {
        kind: kind?,
        sequence: sequence?,
        global_batch: global_batch?,
        precision: precision?,
        optimizer: optimizer?,
        adapter,
        tokens: tokens?,
    })
}

/// What is not stated is usual.
fn read_adapter(mut fields: Fields<'_>, report: &mut Report) -> Adapter {
    let usual = Adapter::default();
    let adapter = Adapter {
        rank: fields.optional_whole("rank", report).unwrap_or(usual.rank),
        base: fields.optional_word("base", report).unwrap_or(usual.base),
        dora: fields.optional_truth("dora", report).unwrap_or(usual.dora),
    };
    fields.close(report);
    adapter
}

fn read_cluster(mut fields: Fields<'_>, report: &mut Report) -> Option<ClusterSpec> {
    let accelerator = fields.text("accelerator", report);
    let nodes = fields.whole("nodes", report);
    let gpus_per_node = fields.whole("gpus_per_node", report);
    let intra = fields.word("intra", report);
    let nics_per_node = fields.whole("nics_per_node", report);
    let nic_gbps = fields.number("nic_gbps", report);
    let fabric = fields.word("fabric", report);
    let rail_optimized = fields.truth("rail_optimized", report);
    let spine = match fields.optional_section("spine", report) {
        Some(fields) => read_spine(fields, report),
        None => None,
    };
    let host_memory_gib = fields.number("host_memory_gib", report);
    fields.close(report);
    Some(ClusterSpec {
        accelerator: accelerator?,
        nodes: nodes?,
        gpus_per_node: gpus_per_node?,
        intra: intra?,
        nics_per_node: nics_per_node?,
        nic_speed: BitsPerSecond::gbps(nic_gbps?),
        fabric: fabric?,
        rail_optimized: rail_optimized?,
        spine,
        host_memory: Bytes::gib(host_memory_gib?),
    })
}

/// `None` also when a problem was noted; then the file as a whole is refused.
fn read_spine(mut fields: Fields<'_>, report: &mut Report) -> Option<Spine> {
    let nodes_per_segment = fields.whole("nodes_per_segment", report);
    let oversubscription = fields.number("oversubscription", report);
    fields.close(report);
    Some(Spine { nodes_per_segment: nodes_per_segment?, oversubscription: oversubscription? })
}

fn read_pins(mut fields: Fields<'_>, report: &mut Report) -> Pins {
    let pins = Pins {
        framework: fields.optional_word("framework", report),
        tp: fields.optional_whole("tp", report),
        pp: fields.optional_whole("pp", report),
        vpp: fields.optional_whole("vpp", report),
        cp: fields.optional_whole("cp", report),
        ep: fields.optional_whole("ep", report),
        zero: fields.optional_word("zero", report),
        micro_batch: fields.optional_whole("micro_batch", report),
        recompute: fields.optional_word("recompute", report),
        offload: fields.optional_word("offload", report),
        activation_offload: fields.optional_truth("activation_offload", report),
    };
    fields.close(report);
    pins
}

fn read_price(mut fields: Fields<'_>, report: &mut Report) -> Option<PriceOptions> {
    let default = on_demand();
    let currency = fields.optional_word("currency", report).unwrap_or(default.currency);
    let term_months = fields.optional_whole("term_months", report).unwrap_or(default.term_months);
    let platforms = fields.texts("platforms", report);
    fields.close(report);
    Some(PriceOptions { currency, term_months, platforms: platforms? })
}
