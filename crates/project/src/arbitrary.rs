//! Random documents and commands for the property tests.

use planner::cluster::{ClusterSpec, Spine};
use planner::price::PriceOptions;
use planner::strategy::{Adapter, Job, Pins};
use planner::units::{BitsPerSecond, Bytes};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use crate::command::{Command, Pin};
use crate::document::{Document, ModelSource};
use crate::words::Word;

pub(crate) fn document() -> impl Strategy<Value = Document> {
    (title(), model(), job(), cluster(), pins(), price()).prop_map(
        |(name, model, job, cluster, pins, price)| Document {
            name,
            model,
            job,
            cluster,
            pins,
            price,
        },
    )
}

/// Any command, some of them out of bounds.
pub(crate) fn command() -> impl Strategy<Value = Command> {
    let whole = 0u32..70_000;
    let real = prop_oneof![-1.0..20_000.0, Just(f64::NAN), Just(f64::INFINITY)];
    prop_oneof![
        document().prop_map(|all| Command::Replace(Box::new(all))),
        prop_oneof![title(), Just("a\u{7}".to_owned())].prop_map(Command::Name),
        model().prop_map(Command::Model),
        job().prop_map(Command::Job),
        whole.clone().prop_map(Command::Sequence),
        whole.clone().prop_map(Command::GlobalBatch),
        real.clone().prop_map(Command::Tokens),
        word().prop_map(Command::Precision),
        word().prop_map(Command::Optimizer),
        whole.clone().prop_map(Command::AdapterRank),
        word().prop_map(Command::AdapterBase),
        any::<bool>().prop_map(Command::Dora),
        option::of(any::<bool>()).prop_map(|away| Command::Pin(Pin::ActivationOffload(away))),
        cluster().prop_map(Command::Cluster),
        whole.clone().prop_map(Command::Nodes),
        whole.clone().prop_map(Command::GpusPerNode),
        real.prop_map(|gbps| Command::NicSpeed(BitsPerSecond::gbps(gbps))),
        option::of(spine()).prop_map(Command::Spine),
        any::<bool>().prop_map(Command::RailOptimized),
        pins().prop_map(Command::Pins),
        option::of(whole.clone()).prop_map(|tp| Command::Pin(Pin::Tp(tp))),
        option::of(word()).prop_map(|zero| Command::Pin(Pin::Zero(zero))),
        whole.prop_map(Command::TermMonths),
        platforms().prop_map(Command::Platforms),
    ]
}

pub(crate) fn word<W: Word + std::fmt::Debug>() -> impl Strategy<Value = W> {
    select(W::ALL)
}

/// Texts that YAML likes to misread stand beside random ones.
fn title() -> impl Strategy<Value = String> {
    prop_oneof![select(TRICKY).prop_map(str::to_owned), "\\PC{0,60}"]
}

fn model() -> impl Strategy<Value = ModelSource> {
    let config = prop_oneof![
        "(?s).{1,200}",
        "( {0,3}[a-z:{}\", ]{0,9}\n{0,2}){1,8}",
        Just("{\n  \"hidden_size\": 8192\n}\n".to_owned()),
        Just("{\r\n\t\"a\": 1\r\n}\r\n\r\n".to_owned()),
    ]
    .prop_filter("a config is not empty", |text| !text.is_empty());
    prop_oneof![
        id().prop_map(ModelSource::Preset),
        (title(), config).prop_map(|(name, text)| {
            let name = if name.is_empty() { "config.json".to_owned() } else { name };
            ModelSource::Config { name, text }
        }),
    ]
}

fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z][a-z0-9._-]{0,20}",
        "[0-9]{1,3}",
        select(&["no", "1e3", "null", "-"][..]).prop_map(str::to_owned)
    ]
}

fn job() -> impl Strategy<Value = Job> {
    (word(), 1u32..=16_777_216, 1u32..=1_048_576, word(), word(), adapter(), amount()).prop_map(
        |(kind, sequence, global_batch, precision, optimizer, adapter, tokens)| Job {
            kind,
            sequence,
            global_batch,
            precision,
            optimizer,
            adapter,
            tokens,
        },
    )
}

fn adapter() -> impl Strategy<Value = Adapter> {
    (1u32..=8_192, word(), any::<bool>()).prop_map(|(rank, base, dora)| Adapter {
        rank,
        base,
        dora,
    })
}

/// Round amounts and any others.
fn amount() -> impl Strategy<Value = f64> {
    prop_oneof![
        (1u32..100_000, select(&[1.0, 1e3, 1e6, 1e8, 1e9, 1e10][..]))
            .prop_map(|(count, unit)| f64::from(count) * unit),
        1.0..1e18,
    ]
}

fn cluster() -> impl Strategy<Value = ClusterSpec> {
    let counts = (1u32..=1024, 1u32..=1024, 0u32..=1024);
    let speed = (0u32..=40_000).prop_map(|quarters| f64::from(quarters) / 4.0);
    let host = 1.0..1_000_000.0;
    (id(), counts, word(), speed, word(), any::<bool>(), option::of(spine()), host).prop_map(
        |(accelerator, counts, intra, speed, fabric, rail_optimized, spine, host)| ClusterSpec {
            accelerator,
            nodes: counts.0,
            gpus_per_node: counts.1,
            intra,
            nics_per_node: counts.2,
            nic_speed: BitsPerSecond::gbps(speed),
            fabric,
            rail_optimized,
            spine,
            host_memory: Bytes::gib(host),
        },
    )
}

fn spine() -> impl Strategy<Value = Spine> {
    (0u32..=16_384, 0.1..64.0).prop_map(|(nodes_per_segment, oversubscription)| Spine {
        nodes_per_segment,
        oversubscription,
    })
}

fn pins() -> impl Strategy<Value = Pins> {
    let degrees = proptest::array::uniform6(option::of(1u32..=1024));
    let away = (option::of(word()), option::of(any::<bool>()));
    (option::of(word()), degrees, option::of(word()), option::of(word()), away).prop_map(
        |(framework, [tp, pp, vpp, cp, ep, micro_batch], zero, recompute, away)| {
            let (offload, activation_offload) = away;
            Pins {
                framework,
                tp,
                pp,
                vpp,
                cp,
                ep,
                zero,
                micro_batch,
                recompute,
                offload,
                activation_offload,
            }
        },
    )
}

fn price() -> impl Strategy<Value = PriceOptions> {
    (word(), 0u32..=120, platforms()).prop_map(|(currency, term_months, platforms)| PriceOptions {
        currency,
        term_months,
        platforms,
    })
}

fn platforms() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(id(), 0..4)
}

#[rustfmt::skip]
const TRICKY: &[&str] = &[
    "",
    "no",
    "yes",
    "~",
    "null",
    "1:30:00",
    "1_000",
    "=",
    "<<",
    "- a",
    "#b",
    "a: b",
    "a #b",
    " lead",
    "trail ",
    "'",
    "\"",
    "2026-12-01",
    "0x1f",
    "1e3",
    "千卡集群",
    "---",
    "...",
    "?",
    "{a}",
    "[b]",
    "%c",
    "@d",
    "`e`",
    "!f",
    "&g",
    "*h",
    "|",
    ">",
    "\u{feff}x",
    "\u{2028}",
];
