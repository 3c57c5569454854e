//! The worked values of STUDY_TIME.md 10, and properties that any step must have.

use proptest::prelude::*;

use super::case::Case;
use super::sheet::Sheet;
use super::*;
use crate::catalog::{Accelerator, accelerator};
use crate::cluster::{ClusterSpec, Fabric, HostPath, IntraNode, Spine};
use crate::estimate::TrafficAxis;
use crate::explain::{Quantity, Term};
use crate::model::{Model, read_config};
use crate::strategy::{
    Adapter, AttentionKernel, BaseFormat, Framework, Job, JobKind, Offload, Optimizer, Precision,
    Recompute, Schedule, Stack, Zero,
};
use crate::units::{BitsPerSecond, Bytes, BytesPerSecond, Watts};

/// A run: everything that an estimate needs, owned.
#[derive(Clone, Debug)]
struct Run {
    model: Model,
    job: Job,
    part: Accelerator,
    cluster: ClusterSpec,
    layout: Layout,
    stack: Stack,
    variant: Variant,
}

impl Run {
    fn setting(&self) -> Setting<'_> {
        Setting {
            model: &self.model,
            job: &self.job,
            accelerator: &self.part,
            cluster: &self.cluster,
            stack: self.stack,
        }
    }

    fn network(&self) -> Network {
        Network::new(&self.cluster, &self.part)
    }

    fn step(&self) -> StepParts {
        step_of(&self.setting(), &self.network(), &self.layout, self.variant)
    }

    fn total(&self) -> f64 {
        self.step().total.as_seconds()
    }
}

/// [layers, hidden, heads, kv heads, ffn, vocabulary]
fn config(kind: &str, widths: [u32; 6]) -> Model {
    let [layers, hidden, heads, kv_heads, ffn, vocab] = widths;
    let text = format!(
        "{{\"model_type\":\"{kind}\",\"num_hidden_layers\":{layers},\"hidden_size\":{hidden},\
         \"num_attention_heads\":{heads},\"num_key_value_heads\":{kv_heads},\
         \"intermediate_size\":{ffn},\"vocab_size\":{vocab},\"max_position_embeddings\":8192,\
         \"head_dim\":{}}}",
        hidden / heads
    );
    read_config("test", &text).unwrap()
}

fn cluster(part: &str, nodes: u32, gpus_per_node: u32, gbps: f64) -> ClusterSpec {
    ClusterSpec {
        accelerator: part.to_owned(),
        nodes,
        gpus_per_node,
        intra: IntraNode::NvSwitch,
        nics_per_node: gpus_per_node,
        nic_speed: BitsPerSecond::gbps(gbps),
        fabric: Fabric::InfiniBand,
        rail_optimized: true,
        spine: None,
        host_memory: Bytes::gib(2048.0),
    }
}

fn job(sequence: u32, global_batch: u32) -> Job {
    Job {
        kind: JobKind::Pretrain,
        sequence,
        global_batch,
        precision: Precision::Bf16Mixed,
        optimizer: Optimizer::AdamW,
        adapter: Adapter::default(),
        tokens: 0.0,
    }
}

fn layout(framework: Framework, [tp, pp, vpp, dp]: [u32; 4], micro_batch: u32) -> Layout {
    Layout {
        framework,
        tp,
        pp,
        vpp,
        cp: 1,
        dp,
        ep: 1,
        etp: 1,
        zero: Zero::None,
        sp: false,
        micro_batch,
        recompute: Recompute::None,
        schedule: if pp > 1 { Schedule::OneFOneB } else { Schedule::Single },
        offload: Offload::None,
        activation_offload: false,
    }
}

/// `megatron-selrec22-001`: 22B on 8 A100, TP8, full recomputation.
fn selrec() -> Run {
    let framework = Framework::MegatronLegacy;
    Run {
        model: config("nemotron", [48, 6144, 64, 64, 24576, 51200]),
        job: job(2048, 4),
        part: *accelerator("a100-sxm-80g").unwrap(),
        cluster: cluster("a100-sxm-80g", 1, 8, 200.0),
        layout: Layout { recompute: Recompute::Full, ..layout(framework, [8, 1, 1, 1], 4) },
        stack: Stack::of(framework),
        variant: Variant::default(),
    }
}

/// `dgxc-041`: 175B on 128 H100, TP4 PP8 with 6 virtual stages.
fn dgxc() -> Run {
    let framework = Framework::MegatronCore;
    Run {
        model: config("nemotron", [96, 12288, 96, 96, 49152, 51200]),
        job: job(2048, 256),
        part: *accelerator("h100-sxm").unwrap(),
        cluster: cluster("h100-sxm", 16, 8, 400.0),
        layout: Layout { zero: Zero::Optimizer, sp: true, ..layout(framework, [4, 8, 6, 4], 1) },
        stack: Stack { release: 2025.5, ..Stack::of(framework) },
        variant: Variant::default(),
    }
}

/// `mosaicml-065`: MPT-7B on 8 A100, FSDP.
fn mosaic() -> Run {
    let framework = Framework::FsdpEager;
    Run {
        model: config("nemotron", [32, 4096, 32, 32, 16384, 50368]),
        job: job(2048, 96),
        part: *accelerator("a100-sxm-80g").unwrap(),
        cluster: cluster("a100-sxm-80g", 1, 8, 200.0),
        layout: Layout { zero: Zero::Weights, ..layout(framework, [1, 1, 1, 8], 6) },
        stack: Stack { attention: AttentionKernel::FlashTriton, ..Stack::of(framework) },
        variant: Variant::default(),
    }
}

/// `vtrain-multi-056`: 39.1B on 512 A100, TP8 PP2.
fn vtrain() -> Run {
    let framework = Framework::MegatronLegacy;
    Run {
        model: config("nemotron", [48, 8192, 64, 64, 32768, 51200]),
        job: job(2048, 1536),
        part: *accelerator("a100-sxm-80g").unwrap(),
        cluster: cluster("a100-sxm-80g", 64, 8, 100.0),
        layout: Layout { recompute: Recompute::Full, ..layout(framework, [8, 2, 1, 32], 4) },
        stack: Stack::of(framework),
        variant: Variant::default(),
    }
}

/// `torchtitan-002`: 8B on 8 H100 of 96 GB and 500 W, FSDP.
fn titan() -> Run {
    let framework = Framework::Torchtitan;
    let part = Accelerator {
        memory_bandwidth: BytesPerSecond::gb_s(2400.0),
        ..*accelerator("h100-sxm").unwrap()
    };
    Run {
        model: config("llama", [32, 4096, 32, 8, 14336, 128256]),
        job: job(8192, 16),
        part: power_capped(&part, Watts::new(500.0)),
        cluster: cluster("h100-sxm", 1, 8, 400.0),
        layout: Layout {
            zero: Zero::Weights,
            recompute: Recompute::Selective,
            ..layout(framework, [1, 1, 1, 8], 2)
        },
        stack: Stack::of(framework),
        variant: Variant::default(),
    }
}

/// `megatron-bridge-002`: DeepSeek-V3 on 256 GB200, EP64 PP4 with 4 virtual stages, MXFP8.
fn deepseek() -> Run {
    let framework = Framework::MegatronCore;
    Run {
        model: crate::model::preset("deepseek-v3").unwrap(),
        job: Job { precision: Precision::Fp8Mixed, ..job(4096, 4096) },
        part: *accelerator("gb200").unwrap(),
        cluster: cluster("gb200", 4, 64, 400.0),
        layout: Layout { ep: 64, zero: Zero::Optimizer, ..layout(framework, [1, 4, 4, 64], 1) },
        stack: Stack { release: 2026.458, ..Stack::of(framework) },
        variant: Variant { recipe: Recipe::MxFp8, ..Variant::default() },
    }
}

/// Exact counts of section 10: micro-batches, forward FLOP of the layers (stage mean), head
/// FLOP, attention FLOP, parameters per GPU.
#[track_caller]
fn counts(run: &Run, want: [f64; 5]) {
    let setting = run.setting();
    let case = Case::new(&setting, &run.network(), &run.layout, run.variant);
    let sheet = Sheet::new(&case);
    let passes = 3.0 + case.repeat;
    let got = [
        case.micro_batches,
        sheet.body.matmul.flop / passes / case.pp,
        sheet.head.matmul.flop,
        sheet.body.attention_flop / case.pp,
        sheet.parameters,
    ];
    for (got, want) in got.iter().zip(want) {
        assert!((got / want - 1.0).abs() < 1e-3, "{got} is not {want}");
    }
}

/// Times of section 10 in seconds: matmul, attention, memory-bound without accumulation, TP and
/// CP, EP, DP, hand-overs, optimizer, step.
#[track_caller]
fn times(run: &Run, want: [f64; 9]) {
    let setting = run.setting();
    let case = Case::new(&setting, &run.network(), &run.layout, run.variant);
    let sheet = Sheet::new(&case);
    let parts = sheet.parts(&case);
    let seconds = |part: Seconds| part.as_seconds();
    let got = [
        seconds(parts.matmul),
        seconds(parts.attention),
        seconds(parts.memory_bound) - case.micro_batches * sheet.accumulate,
        seconds(parts.tp_exposed + parts.cp_exposed),
        seconds(parts.ep_exposed),
        seconds(parts.dp_exposed),
        seconds(parts.pp_exposed),
        seconds(parts.optimizer),
        seconds(parts.total),
    ];
    println!("got  {got:.4?}\nwant {want:.4?}");
    for (got, want) in got.iter().zip(want) {
        // A part that is printed with three digits after the point is known to half of the last.
        let close = (got - want).abs() <= 0.03 * want + 5e-4;
        assert!(close, "{got} is not {want}");
    }
}

#[test]
fn work_is_counted_exactly() {
    counts(&selrec(), [1.0, 4.453e13, 1.9327e12, 2.4739e12, 2.797e9]);
    counts(&dgxc(), [64.0, 2.2265e13, 1.9327e12, 6.1848e11, 5.593e9]);
    counts(&mosaic(), [2.0, 1.5833e14, 1.5211e13, 1.3194e13, 6.855e9]);
    counts(&vtrain(), [12.0, 3.9582e13, 2.5770e12, 1.6493e12, 2.468e9]);
    counts(&titan(), [1.0, 2.2870e14, 5.1643e13, 7.0369e13, 8.030e9]);
    counts(&deepseek(), [64.0, 7.289e13, 2.2774e13, 2.0959e13, 7.27e9]);
}

#[test]
fn a_22b_model_on_one_node() {
    times(&selrec(), [0.878, 0.223, 0.062, 0.233, 0.0, 0.0, 0.0, 0.054, 1.473]);
}

#[test]
fn a_175b_model_with_virtual_stages() {
    times(&dgxc(), [6.75, 0.209, 0.131, 0.452, 0.0, 0.182, 0.090, 0.026, 8.918]);
}

#[test]
fn a_7b_model_fully_sharded() {
    times(&mosaic(), [4.48, 0.502, 0.231, 0.0, 0.0, 0.132, 0.0, 0.039, 5.435]);
}

#[test]
fn a_39b_model_on_64_nodes() {
    times(&vtrain(), [9.02, 1.450, 0.492, 1.834, 0.0, 1.032, 0.014, 0.048, 15.29]);
}

#[test]
fn an_8b_model_under_a_power_cap() {
    times(&titan(), [1.625, 0.608, 0.100, 0.0, 0.0, 0.049, 0.0, 0.038, 2.452]);
}

#[test]
fn deepseek_v3_on_racks() {
    times(&deepseek(), [6.51, 2.19, 1.24, 0.0, 2.09, 0.012, 0.251, 0.007, 13.49]);
}

#[test]
fn parts_traffic_and_explanation_agree() {
    for run in [selrec(), dgxc(), mosaic(), vtrain(), titan(), deepseek()] {
        let (setting, network) = (run.setting(), run.network());
        let step = report(&setting, &network, &run.layout);
        let total = step.parts.total.as_seconds();
        let tree = explain(&setting, &network, &run.layout);
        let sum: f64 = tree.children.iter().map(seconds).sum();
        assert!((sum / total - 1.0).abs() < 1e-12);
        assert!((seconds(&tree) / total - 1.0).abs() < 1e-12);
        assert!(step.band.p10 < total && total < step.band.p90);
        assert!(step.mfu > 0.05 && step.mfu < 0.9, "{}", step.mfu);
        for (axis, exposed) in [
            (TrafficAxis::Tp, step.parts.tp_exposed),
            (TrafficAxis::Ep, step.parts.ep_exposed),
            (TrafficAxis::Dp, step.parts.dp_exposed),
            (TrafficAxis::Pp, step.parts.pp_exposed),
        ] {
            let sum: f64 = step
                .traffic
                .iter()
                .filter(|traffic| traffic.axis == axis)
                .map(|traffic| traffic.exposed.as_seconds())
                .sum();
            assert!((sum - exposed.as_seconds()).abs() <= 1e-9 * total, "{axis:?}");
        }
        assert!(step.traffic.iter().all(|traffic| !traffic.links.is_empty()));
    }
}

#[test]
fn every_key_of_the_tree_is_listed() {
    fn walk(term: &Term) {
        assert!(TERM_KEYS.contains(&term.key.as_ref()), "{} is not listed", term.key);
        term.children.iter().for_each(walk);
    }
    let mut offloaded = mosaic();
    offloaded.layout.offload = Offload::OptimizerAndWeights;
    let mut drives = mosaic();
    drives.layout.offload = Offload::OptimizerAndWeightsNvme;
    let mut ring = titan();
    ring.layout = Layout { cp: 2, dp: 4, ..ring.layout };
    for run in [selrec(), dgxc(), mosaic(), vtrain(), titan(), deepseek(), offloaded, drives, ring]
    {
        walk(&explain(&run.setting(), &run.network(), &run.layout));
    }
    assert!(TERM_KEYS.is_sorted());
}

/// What a user may state beside the layout moves the step the way it must.
#[test]
fn drives_ranks_and_bases_cost_time() {
    let total = |run: &Run| {
        step_of(&run.setting(), &run.network(), &run.layout, run.variant).total.as_seconds()
    };
    let mut host = mosaic();
    let plain = total(&host);
    host.layout.offload = Offload::OptimizerAndWeights;
    let mut drives = mosaic();
    drives.layout.offload = Offload::OptimizerAndWeightsNvme;
    assert!(plain < total(&host) && total(&host) < total(&drives));
    let mut away = mosaic();
    away.layout.recompute = Recompute::Full;
    let kept = total(&away);
    away.layout.activation_offload = true;
    assert!((kept..kept * 1.001).contains(&total(&away)), "hidden behind the micro-batches");
    away.part.pcie_bandwidth = BytesPerSecond::gb_s(1.0);
    assert!(kept < total(&away));

    let adapted = |adapter: Adapter| {
        let mut run = mosaic();
        run.job.kind = JobKind::Lora;
        run.job.adapter = adapter;
        total(&run)
    };
    let usual = Adapter::default();
    let with = |base| adapted(Adapter { base, ..usual });
    assert!(adapted(usual) < adapted(Adapter { rank: 256, ..usual }));
    assert!(adapted(usual) < with(BaseFormat::Nf4));
    assert!(adapted(usual) < with(BaseFormat::EightBit));

    let optimized = |optimizer| {
        let mut run = mosaic();
        run.job.optimizer = optimizer;
        total(&run)
    };
    assert!(optimized(Optimizer::Sgd) < optimized(Optimizer::AdamWBf16));
    assert!(optimized(Optimizer::AdamWBf16) < optimized(Optimizer::AdamW));
}

/// A module that is computed again costs less than all of them, norms next to nothing.
#[test]
fn recomputed_modules_cost_between_none_and_all() {
    let with = |recompute| {
        let mut run = dgxc();
        run.layout.recompute = recompute;
        step_of(&run.setting(), &run.network(), &run.layout, run.variant).total.as_seconds()
    };
    let (none, full) = (with(Recompute::None), with(Recompute::Full));
    let (norms, block) = (with(Recompute::Norms), with(Recompute::FeedForward));
    assert!(none < norms && norms < none * 1.02, "{none} {norms}");
    assert!(norms < block && block < full, "{norms} {block} {full}");
}

#[test]
fn names_of_constants_are_unique() {
    for (index, constant) in TABLE.iter().enumerate() {
        assert!(TABLE.iter().skip(index + 1).all(|other| other.name != constant.name));
        assert!(constant.value.is_finite() && !constant.evidence.is_empty());
    }
}

#[test]
fn a_slower_path_between_gpus_costs_time() {
    let mut pcie = selrec();
    let switched = pcie.total();
    pcie.cluster.intra = IntraNode::Pcie(HostPath::PeerToPeer);
    let peer = pcie.total();
    pcie.cluster.intra = IntraNode::Pcie(HostPath::ThroughHost);
    assert!(switched < peer && peer < pcie.total());
}

#[test]
fn bridged_pairs_lie_between_a_switch_and_plain_pcie() {
    let mut run = selrec();
    run.part = *accelerator("a100-pcie-80g").unwrap();
    run.cluster.nics_per_node = 0;
    let mut time = |intra| {
        run.cluster.intra = intra;
        run.total()
    };
    let pcie = time(IntraNode::Pcie(HostPath::PeerToPeer));
    let eight_over_pairs = time(IntraNode::NvLinkPairs);
    let switch = time(IntraNode::NvSwitch);
    assert!(switch < eight_over_pairs && eight_over_pairs <= pcie * 1.001);
    run.layout = Layout { tp: 2, dp: 4, ..run.layout };
    let mut time = |intra| {
        run.cluster.intra = intra;
        run.step().tp_exposed
    };
    assert!(time(IntraNode::NvLinkPairs) < time(IntraNode::Pcie(HostPath::PeerToPeer)));
}

#[test]
fn tensor_parallelism_over_nodes_costs_time() {
    let mut run = selrec();
    let inside = run.total();
    run.cluster = cluster("a100-sxm-80g", 2, 4, 200.0);
    assert!(run.total() > 1.2 * inside);
}

#[test]
fn an_oversubscribed_spine_costs_time() {
    let mut run = vtrain();
    let spine = |oversubscription| Some(Spine { nodes_per_segment: 4, oversubscription });
    run.cluster.spine = spine(1.0);
    let flat = run.total();
    run.cluster.spine = spine(4.0);
    assert!(run.total() > 1.05 * flat);
}

fn any_run() -> impl Strategy<Value = Run> {
    let cut = (0_u32..4, 0_u32..4, 0_u32..2, 0_u32..5, 0_u32..3);
    let switches = (0_usize..4, 0_usize..3, 0_usize..4, any::<bool>(), any::<bool>());
    (cut, switches, 0_u32..3, 0_u32..5, 0_usize..4).prop_map(
        |((tp, pp, vpp, dp, cp), (framework, recompute, zero, flash, sp), micro, batch, part)| {
            let framework = [
                Framework::MegatronCore,
                Framework::DeepSpeed,
                Framework::Torchtitan,
                Framework::HuggingFace,
            ][framework];
            let part = ["a100-sxm-80g", "h100-sxm", "b200-sxm", "rtx-4090"][part];
            let cut = [1 << tp, 1 << pp, 1 << vpp, 1 << dp];
            let layout = Layout {
                cp: 1 << cp,
                zero: [Zero::None, Zero::Optimizer, Zero::Gradients, Zero::Weights][zero],
                recompute: [Recompute::None, Recompute::Selective, Recompute::Full][recompute],
                sp,
                ..layout(framework, cut, 1 << micro)
            };
            let mut run = selrec();
            run.job = job(4096, (1 << batch) * layout.dp * layout.micro_batch);
            run.part = *accelerator(part).unwrap();
            run.cluster = cluster(part, layout.gpus().div_ceil(8), 8, 200.0);
            if part == "rtx-4090" {
                run.cluster.intra = IntraNode::Pcie(HostPath::ThroughHost);
            }
            run.layout = layout;
            run.stack = Stack::of(framework);
            if !flash {
                run.stack.attention = AttentionKernel::Unfused;
            }
            run
        },
    )
}

proptest! {
    #[test]
    fn the_bound_holds_and_the_parts_add_up(run in any_run()) {
        let parts = step(&run.setting(), &run.network(), &run.layout);
        let bound = lower_bound(&run.setting(), &run.network(), &run.layout, &mut Cache::default());
        prop_assert!(parts.total.as_seconds().is_finite());
        prop_assert!(bound <= parts.total, "{bound:?} above {parts:?}");
        prop_assert!(bound.as_seconds() > 0.2 * (parts.matmul + parts.attention).as_seconds());
        let sum = parts.matmul + parts.attention + parts.memory_bound + parts.launch
            + parts.tp_exposed + parts.cp_exposed + parts.ep_exposed + parts.dp_exposed
            + parts.pp_exposed + parts.bubble + parts.optimizer + parts.offload + parts.jitter;
        prop_assert!((sum.ratio(parts.total) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn remembered_kernels_change_nothing(run in any_run(), other in any_run()) {
        let mut cache = Cache::default();
        let (setting, network) = (run.setting(), run.network());
        for layout in [other.layout, run.layout, other.layout] {
            // Only the framework's own stack may be asked with one cache.
            let layout = Layout { framework: run.layout.framework, ..layout };
            let cached = step_cached(&setting, &network, &layout, &mut cache);
            prop_assert_eq!(cached, step(&setting, &network, &layout));
        }
    }

    #[test]
    fn more_work_is_never_faster(run in any_run()) {
        let mut longer = run.clone();
        longer.model.layers += run.layout.pp * run.layout.vpp;
        prop_assert!(longer.total() >= run.total());
        let mut bigger = run.clone();
        bigger.job.global_batch *= 2;
        prop_assert!(bigger.total() >= run.total());
    }

    #[test]
    fn a_faster_network_is_never_slower(run in any_run(), factor in 1.0..8.0_f64) {
        let mut faster = run.clone();
        faster.cluster.nic_speed = BitsPerSecond::gbps(200.0 * factor);
        prop_assert!(faster.total() <= run.total() * (1.0 + 1e-12));
    }
}

fn seconds(term: &Term) -> f64 {
    match &term.value {
        Quantity::Seconds(value) => value.as_seconds(),
        other => panic!("{} is {other:?}", term.key),
    }
}
