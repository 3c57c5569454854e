//! Failures that people reported (`data/cases/cases.csv`), named by their size.

use super::fixtures::{Run, dense};
use crate::estimate::Verdict;
use crate::model::preset;
use crate::oom::{Diagnosis, Lever, Nearness, TERM_KEYS};
use crate::strategy::{
    AttentionKernel, BaseFormat, Framework, JobKind, LossPath, Offload, Recompute, Zero,
};

#[track_caller]
fn named<'a>(diagnosis: &'a Diagnosis, key: &str) -> &'a Diagnosis {
    let best = diagnosis.named().unwrap_or_else(|| panic!("{:#?}", diagnosis.matches));
    assert_eq!(best.tensor.term.key, key, "{:#?}", diagnosis.matches);
    diagnosis
}

#[track_caller]
fn first_fix(diagnosis: &Diagnosis) -> (&str, &str) {
    let step = &diagnosis.fixes.first().expect("no change fits").remedy.steps[0];
    (step.field.as_ref(), step.to.as_str())
}

/// A02: 13.89e9 parameters under ZeRO 2 on four GPUs: 4 bytes × P / 4.
fn sharded_gradients() -> Run {
    let model = dense([40, 5120, 40, 13696, 125_696]);
    let mut run = Run::new(model, Framework::DeepSpeed, "a800-sxm-80g", 4);
    run.job.sequence = 1536;
    run.layout.zero = Zero::Gradients;
    run
}

#[test]
fn an_fp32_shard_of_the_step() {
    let diagnosis = sharded_gradients().explain(
        "CUDA out of memory. Tried to allocate 12.94 GiB (GPU 0; 79.20 GiB total capacity; 77.65 \
         GiB already allocated; 8.1 MiB free; 77.9 GiB reserved in total by PyTorch)",
    );
    named(&diagnosis, "oom-fp32-shard");
    assert_eq!(diagnosis.matches[0].nearness, Nearness::Same);
    assert!(diagnosis.matches[0].tensor.planned);
    let instant = diagnosis.instant.as_ref().unwrap();
    assert_eq!(instant.instant, "at-step", "{instant:?}");
    assert!(instant.distance < 0.03, "{instant:?}");
    let (field, to) = first_fix(&diagnosis);
    assert_eq!((field, to), ("zero", "weights"));
    assert!(diagnosis.fixes[0].against_named);
    assert_eq!(diagnosis.fixes[0].verdict, Verdict::Fits);
}

/// A42: 16 × 32 heads × 4096² × 4 bytes.
#[test]
fn the_scores_of_one_layer() {
    let model = dense([32, 4096, 32, 11008, 32000]);
    let mut run = Run::new(model, Framework::FsdpEager, "a100-sxm-80g", 8);
    run.layout.zero = Zero::Weights;
    run.layout.micro_batch = 16;
    run.job.global_batch = 128;
    run.stack.attention = AttentionKernel::Unfused;
    run.stack.loss = LossPath::Chunked;
    let text = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 32.00 GiB.";
    let diagnosis = run.explain(text);
    named(&diagnosis, "oom-scores-fp32");
    assert_eq!(first_fix(&diagnosis), ("attention", "flash"));
    // Without the knowledge that flash attention is off, the scores are named all the same.
    run.stack.attention = AttentionKernel::Flash2;
    let diagnosis = run.explain(text);
    named(&diagnosis, "oom-scores-fp32");
    assert!(!diagnosis.matches[0].tensor.planned);
}

/// A19: an fp32 copy of the logits is 18.55 GiB; the 49 GiB of the report are 2.64 of them, which
/// no tensor of 32,768 tokens has.
#[test]
fn the_logits_or_no_tensor() {
    let model = preset("qwen3-30b-a3b").unwrap();
    let mut run = Run::new(model, Framework::DeepSpeed, "a100-sxm-80g", 64);
    run.job.sequence = 32_768;
    run.layout.zero = Zero::Weights;
    run.layout.offload = Offload::OptimizerAndWeights;
    let diagnosis = run.explain("CUDA out of memory. Tried to allocate 18.55 GiB.");
    named(&diagnosis, "oom-logits-fp32");
    assert_eq!(diagnosis.matches[0].tensor.lever, Lever::Loss);
    let diagnosis = run.explain("CUDA out of memory. Tried to allocate 49.00 GiB.");
    assert!(diagnosis.named().is_none(), "{:#?}", diagnosis.matches);
    let logits = diagnosis.matches.iter().find(|one| one.tensor.term.key == "oom-logits-fp32");
    assert!(logits.is_none_or(|logits| (logits.ratio - 2.64).abs() < 0.01));
}

/// A40-like: a base that cannot be sharded is replaced by one that can.
#[test]
fn a_frozen_base_on_each_gpu() {
    let model = dense([64, 8192, 64, 22016, 65024]);
    let mut run = Run::new(model, Framework::HuggingFace, "a100-sxm-40g", 4);
    run.job.kind = JobKind::Lora;
    run.job.sequence = 1024;
    let size = 2 * run.model.counts.total;
    let diagnosis = run.explain(&format!("CUDA out of memory. Tried to allocate {size} bytes."));
    named(&diagnosis, "oom-whole-model");
    let to: Vec<&str> = diagnosis
        .fixes
        .iter()
        .flat_map(|fix| fix.remedy.steps.iter().map(|step| step.to.as_str()))
        .collect();
    assert!(to.contains(&"nf4") || to.contains(&"weights"), "{to:?}");
    run.job.adapter.base = BaseFormat::Nf4;
    assert!(
        run.explain("CUDA out of memory")
            .fixes
            .iter()
            .all(|fix| { fix.remedy.steps.iter().all(|step| step.field != "base") })
    );
}

#[test]
fn fragmentation_is_told_apart() {
    let fragmented = sharded_gradients().explain(
        "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB \
         of which 1.20 GiB is free. Of the allocated memory 60.00 GiB is allocated by PyTorch, \
         and 15.00 GiB is reserved by PyTorch but unallocated.",
    );
    assert!(fragmented.fragmentation.unwrap().explains);
    let full = sharded_gradients().explain(
        "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 79.20 GiB total capacity; 77.65 \
         GiB already allocated; 8.1 MiB free; 77.9 GiB reserved in total by PyTorch)",
    );
    assert!(!full.fragmentation.unwrap().explains);
}

#[test]
fn the_host_gets_fixes_of_its_own() {
    let mut run = sharded_gradients();
    run.layout.zero = Zero::Weights;
    run.layout.dp = 8;
    run.layout.offload = Offload::OptimizerAndWeights;
    run.cluster.host_memory = crate::units::Bytes::gib(64.0);
    let diagnosis = run.explain("exitcode: -9");
    assert!(diagnosis.matches.is_empty());
    assert_eq!(first_fix(&diagnosis), ("offload", "none"));
}

#[test]
fn every_key_is_listed() {
    let mut run = sharded_gradients();
    for framework in [Framework::DeepSpeed, Framework::MegatronCore, Framework::HuggingFace] {
        for recompute in [Recompute::None, Recompute::Full] {
            run.layout.framework = framework;
            run.layout.recompute = recompute;
            for found in run.explain("CUDA out of memory. Tried to allocate 1.00 GiB.").matches {
                assert!(TERM_KEYS.contains(&found.tensor.term.key.as_ref()));
                assert!(found.tensor.term.children.iter().all(|child| {
                    TERM_KEYS.contains(&child.key.as_ref()) || child.key.starts_with("memory-")
                }));
            }
        }
    }
    assert!(TERM_KEYS.is_sorted());
}
