//! The walk against the rule table, over whole grids: every layout walked breaks no blocking
//! rule of its tool, and every layout of the grid that breaks none is walked or left out for a
//! reason named here.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::model::{MixtureOfExperts, preset};
use crate::strategy::rules::{refusals, rules};
use crate::strategy::tests::{job, llama2_70b};
use crate::strategy::{Fact, Proposal, Tool, Zero};

const ZEROS: [Zero; 4] = [Zero::None, Zero::Optimizer, Zero::Gradients, Zero::Weights];
const OFFLOADS: [Offload; 3] = [Offload::None, Offload::Optimizer, Offload::OptimizerAndWeights];

/// A job whose whole grid is small enough to test.
struct Scene {
    name: &'static str,
    model: Model,
    job: Job,
    gpus: u32,
}

fn scenes() -> Vec<Scene> {
    let small = |layers, heads, kv_heads, width| {
        let mut model = llama2_70b();
        model.layers = layers;
        model.hidden = heads * 128;
        model.attention.heads = heads;
        model.attention.kv_heads = kv_heads;
        model.feed_forward.width = width;
        model
    };
    let experts = MixtureOfExperts {
        experts: 12,
        top_k: 2,
        width: 96,
        shared_width: 0,
        moe_layers: 6,
        first_dense_layers: 0,
    };
    let with = |change: &dyn Fn(&mut Job)| {
        let mut job = job(6);
        change(&mut job);
        job
    };
    let tied = Model { tied: true, ..small(5, 12, 4, 192) };
    let learned = Model { learned_positions: 4096, ..small(4, 8, 2, 128) };
    let moe = Model { experts: Some(experts), ..small(6, 12, 2, 192) };
    let scene = |name, model: &Model, job, gpus| Scene { name, model: model.clone(), job, gpus };
    vec![
        scene("dense, uneven layers", &small(7, 12, 4, 192), job(12), 6),
        scene("tied, odd sequence", &tied, with(&|job| job.sequence = 36), 8),
        scene("experts", &moe, job(6), 6),
        scene("experts, short sequence", &moe, with(&|job| short(job, 12)), 4),
        scene("learned positions", &learned, with(&|job| job.global_batch = 4), 4),
        scene("fp8", &small(4, 8, 2, 96), with(&|job| job.precision = Precision::Fp8Mixed), 4),
        scene("fp8, experts", &moe, with(&|job| fp8(job, 72)), 2),
        scene("adapters", &small(4, 8, 2, 96), with(&|job| job.kind = JobKind::Lora), 4),
        scene("8-bit", &tied, with(&|job| job.optimizer = Optimizer::AdamW8bit), 4),
        scene("sgd", &tied, with(&|job| job.optimizer = Optimizer::Sgd), 4),
        scene("bf16 moments", &tied, with(&|job| job.optimizer = Optimizer::AdamWBf16), 4),
        scene("bf16", &tied, with(&|job| job.precision = Precision::PureBf16), 4),
    ]
}

fn short(job: &mut Job, sequence: u32) {
    job.global_batch = 4;
    job.sequence = sequence;
}

fn fp8(job: &mut Job, sequence: u32) {
    job.precision = Precision::Fp8Mixed;
    job.sequence = sequence;
}

/// Why the walk leaves out a layout that the tool would run.
fn left_out(layout: &Layout, scene: &Scene) -> Option<&'static str> {
    let Layout { framework, tp, pp, vpp, cp, dp, etp, zero, sp, offload, .. } = *layout;
    let megatron = framework == Framework::MegatronCore;
    let even = scene.model.layers.is_multiple_of(pp * vpp);
    let fits = tp > 1 && scene.job.sequence.is_multiple_of(cp * tp);
    let per_replica = scene.job.global_batch / dp;
    let tokens = 8 * cp * if sp { tp } else { 1 };
    let aligned = scene.job.sequence.is_multiple_of(tokens);
    let reasons = [
        (sp != fits, "sequence parallelism is on wherever it can be"),
        (
            dp * cp == 1
                && zero != Zero::None
                && framework != Framework::DeepSpeed
                && scene.job.optimizer != Optimizer::AdamWBf16,
            "one rank has nothing to shard",
        ),
        (etp != 1 && etp != tp, "expert TP is 1 or TP"),
        (etp != tp && scene.model.experts.is_none(), "dense models have no expert TP"),
        (framework == Framework::Torchtitan && etp != tp, "torchtitan takes the TP ranks into EP"),
        (
            scene.model.layers.is_multiple_of(pp) && !even,
            "layers that divide by the stages are not chunked unevenly",
        ),
        (!even && vpp != 1 && vpp != 2 && vpp != 4, "uneven chunks come in 2 and 4"),
        (
            vpp > 1 && !(per_replica / layout.micro_batch).is_multiple_of(pp),
            "interleaving is timed in whole rounds only",
        ),
        (
            offload == Offload::Optimizer && zero == Zero::None
                || framework == Framework::DeepSpeed
                    && offload == Offload::Optimizer
                    && zero == Zero::Optimizer,
            "offload to the host starts at sharded gradients",
        ),
        (
            framework == Framework::Torchtitan && offload != Offload::None,
            "host offload of FSDP2 is not estimated",
        ),
        (
            megatron && scene.job.precision == Precision::Fp8Mixed && !aligned,
            "fp8 tokens are aligned at every micro-batch",
        ),
    ];
    reasons.into_iter().find(|(applies, _)| *applies).map(|(_, reason)| reason)
}

fn walked(scene: &Scene, framework: Framework) -> BTreeSet<Layout> {
    let pins = Pins { framework: Some(framework), ..Pins::default() };
    let space = Space::new(&scene.model, &scene.job, &pins, scene.gpus);
    let (families, _) = space.families();
    let sizes = |family: Layout| {
        space
            .micro_batches(&family)
            .map(move |micro_batch| Layout { micro_batch, ..family })
            .collect::<Vec<_>>()
    };
    families
        .into_iter()
        .filter(|family| family.recompute == Recompute::None)
        .flat_map(sizes)
        .collect()
}

fn proposal(scene: &Scene, layout: &Layout) -> Proposal {
    Proposal::of_job(&scene.model, &scene.job, scene.gpus).with_layout(layout)
}

fn refused(scene: &Scene, layout: &Layout) -> Vec<&'static str> {
    let tool = Tool::of(layout.framework).unwrap();
    refusals(tool, &proposal(scene, layout)).into_iter().map(|rule| rule.id).collect()
}

/// Every layout of the grid whose GPUs add up; values that divide nothing among them.
fn grid(scene: &Scene, framework: Framework) -> Vec<Layout> {
    let gpus = scene.gpus;
    let mut ranks = Vec::new();
    for tp in 1..=gpus {
        for pp in 1..=gpus / tp {
            for cp in 1..=gpus / (tp * pp) {
                let dp = gpus / (tp * pp * cp);
                if tp * pp * cp * dp == gpus {
                    ranks.push((tp, pp, cp, dp));
                }
            }
        }
    }
    let mut layouts = Vec::new();
    for (tp, pp, cp, dp) in ranks {
        let whole = Layout {
            framework,
            tp,
            pp,
            vpp: 1,
            cp,
            dp,
            ep: 1,
            etp: tp,
            zero: Zero::None,
            sp: false,
            micro_batch: 1,
            recompute: Recompute::None,
            schedule: Schedule::Single,
            offload: Offload::None,
            activation_offload: false,
        };
        vary(scene, whole, &mut layouts);
    }
    layouts
}

/// Every choice of the remaining fields that the rules on ranks and experts let through; what
/// one stage refuses, no later one can mend.
fn vary(scene: &Scene, ranks: Layout, layouts: &mut Vec<Layout>) {
    let most_ep = if scene.model.experts.is_some() { scene.gpus } else { 2 };
    let most_vpp = if ranks.pp > 1 { scene.model.layers } else { 2 };
    let states = ZEROS.iter().flat_map(|zero| OFFLOADS.map(|offload| (*zero, offload)));
    let states: Vec<_> = states.collect();
    for sp in [false, true] {
        for ep in 1..=most_ep {
            for etp in 1..=ranks.tp {
                let experts = Layout { sp, ep, etp, ..ranks };
                if !refused(scene, &experts).iter().all(|id| mendable(id)) {
                    continue;
                }
                for vpp in 1..=most_vpp {
                    for micro_batch in 1..=scene.job.global_batch {
                        let schedule = schedule(ranks.pp, vpp);
                        let cut = Layout { vpp, micro_batch, schedule, ..experts };
                        if !refused(scene, &cut).iter().all(|id| mendable(id)) {
                            continue;
                        }
                        layouts.extend(states.iter().map(|&(zero, offload)| Layout {
                            zero,
                            offload,
                            ..cut
                        }));
                    }
                }
            }
        }
    }
}

/// Rules that look at ZeRO, offload, virtual stages or the micro-batch.
fn mendable(id: &str) -> bool {
    let later = [Fact::Zero, Fact::OffloadOptimizer, Fact::MicroBatch, Fact::Vpp];
    let rule = rules().iter().find(|rule| rule.id == id).unwrap();
    later.iter().any(|fact| rule.depends_on(*fact))
}

const fn schedule(pp: u32, vpp: u32) -> Schedule {
    match (pp, vpp) {
        (1, _) => Schedule::Single,
        (_, 1) => Schedule::OneFOneB,
        _ => Schedule::Interleaved,
    }
}

#[test]
fn the_walk_is_the_rule_table() {
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    let mut walked_in_all = 0;
    for scene in scenes() {
        for framework in SEARCHED {
            let walked = walked(&scene, framework);
            walked_in_all += walked.len();
            for layout in &walked {
                assert_eq!(refused(&scene, layout), [""; 0], "{}: {layout:?}", scene.name);
                let reason = left_out(layout, &scene);
                assert_eq!(reason, None, "{}: {layout:?}", scene.name);
            }
            for layout in grid(&scene, framework) {
                if walked.contains(&layout) || !refused(&scene, &layout).is_empty() {
                    continue;
                }
                match left_out(&layout, &scene) {
                    Some(reason) => *reasons.entry(reason).or_default() += 1,
                    None => panic!("{}: legal and not walked: {layout:?}", scene.name),
                }
            }
        }
    }
    assert!(walked_in_all > 900, "{walked_in_all}");
    assert_eq!(reasons.len(), 11, "a reason that nothing needs, or a new one: {reasons:#?}");
}

#[test]
fn presets_walk_within_the_rules() {
    for (id, gpus, batch) in [
        ("llama2-70b", 16, 64),
        ("qwen3-30b-a3b", 64, 256),
        ("deepseek-v3", 256, 960),
        ("gpt2", 8, 96),
        ("llama3.1-405b", 384, 768),
    ] {
        let scene = Scene { name: id, model: preset(id).unwrap(), job: job(batch), gpus };
        for framework in SEARCHED {
            for layout in walked(&scene, framework).iter().step_by(17) {
                assert_eq!(refused(&scene, layout), [""; 0], "{id}: {layout:?}");
            }
        }
    }
}
