use super::*;
use crate::model::{Attention, AttentionBias, FeedForward, Model, Norm, ParamCounts};

pub(crate) fn llama2_70b() -> Model {
    Model {
        name: "llama2-70b".into(),
        family: "llama".into(),
        layers: 80,
        hidden: 8192,
        vocab: 32000,
        attention: Attention {
            heads: 64,
            kv_heads: 8,
            head_dim: 128,
            bias: AttentionBias::None,
            latent: None,
        },
        feed_forward: FeedForward { width: 28672, gated: true, bias: false },
        experts: None,
        window: None,
        linear: None,
        norm: Norm::Rms,
        tied: false,
        learned_positions: 0,
        max_positions: 4096,
        counts: ParamCounts::default(),
        assumptions: Vec::new(),
    }
}

pub(crate) fn job(global_batch: u32) -> Job {
    Job {
        kind: JobKind::FullFineTune,
        sequence: 4096,
        global_batch,
        precision: Precision::Bf16Mixed,
        optimizer: Optimizer::AdamW,
        adapter: Adapter::default(),
        tokens: 1e9,
    }
}

#[test]
fn every_family_uses_all_gpus_and_divides() {
    let (model, job, pins) = (llama2_70b(), job(128), Pins::default());
    let space = Space::new(&model, &job, &pins, 16);
    let (families, _) = space.families();
    assert!(families.len() > 100, "{}", families.len());
    for family in &families {
        assert_eq!(family.gpus(), 16, "{family:?}");
        assert_eq!(model.attention.heads % family.tp, 0, "{family:?}");
        assert!(family.pp * family.vpp <= model.layers, "{family:?}");
        for micro_batch in space.micro_batches(family) {
            assert_eq!(job.global_batch % (micro_batch * family.dp), 0, "{family:?}");
        }
    }
}

#[test]
fn no_family_is_listed_twice() {
    let (model, job, pins) = (llama2_70b(), job(96), Pins::default());
    let (families, _) = Space::new(&model, &job, &pins, 96).families();
    let distinct: std::collections::BTreeSet<_> = families.iter().collect();
    assert_eq!(distinct.len(), families.len());
}

#[test]
fn deepspeed_has_no_tensor_or_pipeline_axis() {
    let (model, job) = (llama2_70b(), job(128));
    let pins = Pins { framework: Some(Framework::DeepSpeed), ..Pins::default() };
    let (families, _) = Space::new(&model, &job, &pins, 16).families();
    assert!(families.iter().all(|family| family.dp == 16));
    let pins = Pins { tp: Some(2), ..pins };
    assert!(Space::new(&model, &job, &pins, 16).families().0.is_empty());
}

#[test]
fn interleaving_needs_whole_rounds() {
    let (model, job) = (llama2_70b(), job(12));
    let pins = Pins { pp: Some(8), tp: Some(2), vpp: Some(2), ..Pins::default() };
    let (families, cut) = Space::new(&model, &job, &pins, 16).families();
    assert!(families.is_empty());
    assert!(cut.iter().any(|(gate, _)| gate == Gate::InterleavingRounds));
}
