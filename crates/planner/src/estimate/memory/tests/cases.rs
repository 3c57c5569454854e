//! Situations that people reported in public trackers, with the outcome established there
//! (`cases/cases.csv`, kind a).

use crate::estimate::Verdict;
use crate::estimate::memory::{Peak, peak};
use crate::model::Model;
use crate::strategy::{
    AttentionKernel, Framework, JobKind, Layout, LossPath, Offload, Precision, Recompute, Schedule,
    Zero,
};
use crate::units::Bytes;

use super::fixtures::{Run, Shape, dense, llama2_7b, llama3_8b, llama3_70b};

fn fine_tune(model: Model, framework: Framework, gpu: &str, sequence: u32, dp: u32) -> Run {
    let mut run = Run::new(model, framework, gpu);
    run.job.kind = JobKind::FullFineTune;
    run.job.sequence = sequence;
    run.job.global_batch = dp;
    run.layout.dp = dp;
    run.layout.zero = Zero::Weights;
    run.layout.recompute = Recompute::Full;
    run
}

fn judge(run: &Run) -> Peak {
    peak(&run.setting(), &run.layout)
}

/// A01: an 8B model on eight 24 GB cards, without and with full offload.
#[test]
fn eight_small_cards_need_offload() {
    let mut run = fine_tune(llama3_8b(), Framework::DeepSpeed, "rtx-3090", 1024, 8);
    assert_ne!(judge(&run).verdict, Verdict::Fits);
    run.layout.offload = Offload::OptimizerAndWeights;
    let offloaded = judge(&run);
    assert_eq!(offloaded.verdict, Verdict::Fits);
    assert!(offloaded.worst.allocated.as_gib() > 5.0);
}

/// A02: gradients sharded over 4 or 8 GPUs, weights over 4; the failing allocation is the fp32
/// copy of a gradient shard, 12.94 GiB.
#[test]
fn the_step_of_sharded_gradients_decides() {
    let model = || {
        dense(&Shape {
            layers: 40,
            hidden: 5120,
            heads: 40,
            kv_heads: 40,
            ffn: 13696,
            vocab: 125_696,
            gated: true,
            tied: false,
            rotary: true,
        })
    };
    let with = |zero, dp| {
        let mut run = fine_tune(model(), Framework::DeepSpeed, "a800-sxm-80g", 1536, dp);
        run.layout.zero = zero;
        judge(&run).verdict
    };
    assert_eq!(with(Zero::Gradients, 4), Verdict::DoesNotFit);
    assert_eq!(with(Zero::Gradients, 8), Verdict::Fits);
    assert_eq!(with(Zero::Weights, 4), Verdict::Fits);
}

/// A04 and A08: 70B on 16 and 32 GPUs, 7B on one and two.
#[test]
fn shards_over_twice_the_gpus_fit() {
    let large =
        |dp| judge(&fine_tune(llama3_70b(80), Framework::DeepSpeed, "a100-sxm-80g", 2048, dp));
    assert_ne!(large(16).verdict, Verdict::Fits);
    assert_eq!(large(32).verdict, Verdict::Fits);
    let small = |dp| judge(&fine_tune(llama2_7b(), Framework::DeepSpeed, "a100-sxm-80g", 512, dp));
    assert_eq!(small(1).verdict, Verdict::DoesNotFit);
    assert_eq!(small(2).verdict, Verdict::Fits);
}

/// A07: full offload of a 32B model needs 700–900 GB of host memory, not 590.
#[test]
fn the_host_runs_out_first() {
    let model = dense(&Shape {
        layers: 64,
        hidden: 5120,
        heads: 40,
        kv_heads: 8,
        ffn: 27648,
        vocab: 152_064,
        gated: true,
        tied: false,
        rotary: true,
    });
    let mut run = fine_tune(model, Framework::DeepSpeed, "h100-nvl", 2048, 1);
    run.layout.offload = Offload::OptimizerAndWeights;
    run.cluster.host_memory = Bytes::gb(744.0);
    let peak = judge(&run);
    assert!((700.0..900.0).contains(&peak.host.as_gb()), "{} GB", peak.host.as_gb());
    assert_eq!(peak.verdict, Verdict::DoesNotFit);
    assert!(peak.worst.device < peak.capacity);
}

/// A10: 7B under FSDP on four 40 GB cards peaks at 27–32 GiB.
#[test]
fn seven_billion_on_four_cards() {
    let peak = judge(&fine_tune(llama2_7b(), Framework::HuggingFace, "a100-sxm-40g", 2048, 4));
    assert_eq!(peak.verdict, Verdict::Fits);
    assert!((25.0..32.0).contains(&peak.worst.device.as_gib()), "{:?}", peak.worst);
}

/// A25: 47.5 GiB allocated after the first step.
#[test]
fn a_compiled_8b_model_at_8k() {
    let mut run = Run::new(llama3_8b(), Framework::Torchtitan, "h100-sxm");
    run.job.sequence = 8192;
    run.job.global_batch = 8;
    run.layout.dp = 8;
    run.layout.zero = Zero::Weights;
    run.layout.recompute = Recompute::Selective;
    let peak = judge(&run);
    assert!((peak.tensors.as_gib() / 47.5 - 1.0).abs() < 0.15, "{:?}", peak.tensors);
}

/// A36 and A38: an optimizer that is not sharded does not fit, on twice the GPUs it does.
#[test]
fn the_optimizer_must_be_sharded() {
    let model = dense(&Shape {
        layers: 40,
        hidden: 5120,
        heads: 40,
        kv_heads: 40,
        ffn: 13824,
        vocab: 32000,
        gated: true,
        tied: false,
        rotary: true,
    });
    let mut run = Run::new(model, Framework::MegatronCore, "a800-sxm-80g");
    run.job.sequence = 512;
    run.stack.fp32_gradients = false;
    run.layout.tp = 2;
    run.layout.zero = Zero::Optimizer;
    assert_eq!(judge(&run).verdict, Verdict::DoesNotFit);
    run.layout.dp = 2;
    run.job.global_batch = 2;
    assert_eq!(judge(&run).verdict, Verdict::Fits);

    let mut run = Run::new(llama2_7b(), Framework::MegatronCore, "a800-sxm-80g");
    run.job.global_batch = 8;
    run.layout = Layout { tp: 2, sp: true, micro_batch: 4, zero: Zero::Optimizer, ..run.layout };
    assert_eq!(judge(&run).verdict, Verdict::DoesNotFit);
    run.layout.dp = 2;
    assert_ne!(judge(&run).verdict, Verdict::DoesNotFit);
}

/// A41: 405B on 128 GPUs, sharded alone and together with TP 8.
#[test]
fn one_dimension_of_sharding_is_not_enough() {
    let model = dense(&Shape {
        layers: 126,
        hidden: 16384,
        heads: 128,
        kv_heads: 8,
        ffn: 53248,
        vocab: 128_256,
        gated: true,
        tied: false,
        rotary: true,
    });
    let mut run = fine_tune(model, Framework::Torchtitan, "h100-sxm", 8192, 128);
    assert_eq!(judge(&run).verdict, Verdict::DoesNotFit);
    run.layout = Layout { tp: 8, dp: 16, sp: true, ..run.layout };
    assert_eq!(judge(&run).verdict, Verdict::Fits);
}

/// A42: scores of 16 × 4096 tokens without flash attention.
#[test]
fn scores_without_flash_attention_do_not_fit() {
    let mut run = fine_tune(llama2_7b(), Framework::FsdpEager, "a100-sxm-80g", 4096, 8);
    run.layout.micro_batch = 16;
    run.job.global_batch = 128;
    run.stack.loss = LossPath::Chunked;
    assert_eq!(judge(&run).verdict, Verdict::Fits);
    run.stack.attention = AttentionKernel::Unfused;
    assert_eq!(judge(&run).verdict, Verdict::DoesNotFit);
}

/// A43: a frozen base is whole on each GPU unless weights are sharded.
#[test]
fn data_parallel_adapters_replicate_the_base() {
    let model = dense(&Shape {
        layers: 32,
        hidden: 8192,
        heads: 64,
        kv_heads: 64,
        ffn: 22016,
        vocab: 65024,
        gated: true,
        tied: false,
        rotary: true,
    });
    let with = |framework, zero| {
        let mut run = fine_tune(model.clone(), framework, "a100-sxm-40g", 1024, 4);
        run.job.kind = JobKind::Lora;
        run.layout.zero = zero;
        judge(&run)
    };
    assert_eq!(with(Framework::HuggingFace, Zero::None).verdict, Verdict::DoesNotFit);
    assert_eq!(with(Framework::DeepSpeed, Zero::Weights).verdict, Verdict::Fits);
}

/// A47: ten virtual stages in FP8 run, close under five.
#[test]
fn virtual_stages_of_a_70b_in_fp8() {
    let mut run = Run::new(llama3_70b(80), Framework::MegatronCore, "h100-sxm");
    run.job.precision = Precision::Fp8Mixed;
    run.job.global_batch = 128;
    run.layout = Layout {
        tp: 4,
        pp: 4,
        dp: 2,
        sp: true,
        zero: Zero::Optimizer,
        recompute: Recompute::Selective,
        schedule: Schedule::Interleaved,
        ..run.layout
    };
    let with = |vpp| peak(&run.setting(), &Layout { vpp, ..run.layout });
    assert_ne!(with(5).verdict, Verdict::Fits);
    assert_eq!(with(10).verdict, Verdict::Tight);
    assert!(with(10).worst.device < with(5).worst.device);
}
