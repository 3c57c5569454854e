//! More situations from public trackers (`cases/cases.csv`, kinds a and i): optimizers, quantised
//! bases, offload, and what a value must be.

use crate::estimate::Verdict;
use crate::estimate::memory::{Peak, Variant, peak, peak_of, report};
use crate::model::Model;
use crate::strategy::{
    Adapter, BaseFormat, Framework, JobKind, Layout, LossPath, Offload, Optimizer, Precision,
    Recompute, Zero,
};
use crate::units::Bytes;

use super::fixtures::{Run, Shape, dense, llama2_7b};

fn large(layers: u32, kv_heads: u32, ffn: u32, vocab: u32) -> Model {
    dense(&Shape {
        layers,
        hidden: 8192,
        heads: 64,
        kv_heads,
        ffn,
        vocab,
        gated: true,
        tied: false,
        rotary: true,
    })
}

fn states(peak: &Peak) -> Bytes {
    let parts = &peak.worst.parts;
    parts.weights + parts.gradients + parts.optimizer
}

/// A12: 7B in pure bf16 with plain SGD: 13.5 GB of weights, as much of gradients, no optimizer.
#[test]
fn plain_sgd_keeps_weights_and_gradients_only() {
    let mut run = Run::new(llama2_7b(), Framework::FsdpEager, "a100-sxm-40g");
    run.job.kind = JobKind::FullFineTune;
    run.job.precision = Precision::PureBf16;
    run.job.sequence = 256;
    run.job.global_batch = 4;
    run.layout.micro_batch = 2;
    run.layout.recompute = Recompute::Full;
    run.job.optimizer = Optimizer::Sgd;
    let peak = peak(&run.setting(), &run.layout);
    let parts = &peak.worst.parts;
    assert!((parts.weights.as_gb() / 13.48 - 1.0).abs() < 0.01);
    assert!((parts.gradients.as_gb() / 13.48 - 1.0).abs() < 0.01);
    assert!(parts.optimizer == Bytes::ZERO);
    assert!((26.5..30.0).contains(&peak.worst.device.as_gb()), "{:?}", peak.worst);
    assert_eq!(peak.verdict, Verdict::Fits);
}

/// A15 and A17: FSDP cuts an NF4 base and leaves a GPTQ one whole on each GPU.
#[test]
fn a_gptq_base_is_not_cut() {
    let quantized = |base, dp, micro_batch| {
        let mut run = Run::new(large(80, 8, 28672, 32000), Framework::HuggingFace, "a100-sxm-80g");
        run.job.kind = JobKind::Lora;
        run.job.precision = Precision::PureBf16;
        run.job.sequence = 4096;
        run.job.global_batch = dp * micro_batch;
        run.stack.loss = LossPath::HuggingFaceBf16;
        run.layout = Layout { dp, micro_batch, recompute: Recompute::Full, ..run.layout };
        run.layout.zero = if dp > 1 { Zero::Weights } else { Zero::None };
        run.job.adapter.base = base;
        peak(&run.setting(), &run.layout)
    };
    let (whole, cut) = (quantized(BaseFormat::Nf4, 1, 4), quantized(BaseFormat::Nf4, 2, 2));
    let packed = quantized(BaseFormat::Gptq4, 2, 2);
    // The weights of 70B at half a byte.
    let apart = states(&packed) - states(&cut);
    assert!((14.0..20.0).contains(&apart.as_gib()), "{apart:?}");
    assert!((40.0..79.0).contains(&whole.tensors.as_gib()), "{:?}", whole.tensors);
    assert!((25.0..45.0).contains(&cut.tensors.as_gib()), "{:?}", cut.tensors);
    assert!((45.0..65.0).contains(&packed.tensors.as_gib()), "{:?}", packed.tensors);

    let mut run = Run::new(large(80, 64, 24576, 152_064), Framework::HuggingFace, "rtx-4090");
    run.job.kind = JobKind::Lora;
    run.job.sequence = 512;
    run.job.global_batch = 2;
    run.layout = Layout { dp: 2, zero: Zero::Weights, recompute: Recompute::Full, ..run.layout };
    run.job.adapter = Adapter { rank: 128, base: BaseFormat::Gptq4, dora: false };
    let peak = peak(&run.setting(), &run.layout);
    assert_eq!(peak.verdict, Verdict::DoesNotFit);
    assert!(peak.tensors.as_gib() > 36.0);
}

/// A19: one fp32 copy of the logits of 32K tokens is 18.5 GiB; several are alive, none with a
/// fused loss.
#[test]
fn logits_of_long_sequences_are_a_part_of_their_own() {
    let mut run = Run::new(large(4, 8, 8192, 151_936), Framework::FsdpEager, "a100-sxm-80g");
    run.job.sequence = 32_768;
    let with = |loss| {
        let mut run = Run {
            stack: run.stack,
            model: run.model.clone(),
            job: run.job.clone(),
            ..Run::new(llama2_7b(), Framework::FsdpEager, "a100-sxm-80g")
        };
        run.stack.loss = loss;
        let timeline = report(&run.setting(), &run.layout).timeline;
        let at = timeline[0].instants.iter().find(|at| at.instant.key() == "at-loss").unwrap();
        at.parts.logits.as_gib()
    };
    assert!((27.0..80.0).contains(&with(LossPath::EagerFp32)));
    assert!(with(LossPath::FusedLinear) < 5.0);
}

/// A28: selective recomputation saves nothing that flash attention has not saved.
#[test]
fn selective_recomputation_saves_nothing_under_flash_attention() {
    let mut run = Run::new(llama2_7b(), Framework::MegatronCore, "a100-sxm-80g");
    run.job.global_batch = 16;
    run.layout = Layout { dp: 8, micro_batch: 2, zero: Zero::Optimizer, ..run.layout };
    let none = peak(&run.setting(), &run.layout).worst.device;
    run.layout.recompute = Recompute::Selective;
    let selective = peak(&run.setting(), &run.layout).worst.device;
    assert!((0.9..=1.0).contains(&selective.ratio(none)));
}

/// A33, A39 and A40: bytes per parameter of mixed and pure precision under FSDP, of Megatron's
/// gradients in 4 and 2 bytes, and of 8-bit moments.
#[test]
fn bytes_per_parameter_are_those_of_the_code() {
    let total = |run: &Run, variant: &Variant| {
        let timeline = super::super::peak_of(&run.setting(), &run.layout, variant);
        let parts = timeline.worst.parts;
        (parts.weights + parts.gradients + parts.optimizer).base()
    };
    let mut run = Run::new(llama2_7b(), Framework::FsdpEager, "a100-sxm-80g");
    run.layout = Layout { dp: 8, zero: Zero::Weights, recompute: Recompute::Full, ..run.layout };
    run.job.global_batch = 8;
    let plain = Variant::default();
    let mixed = total(&run, &plain);
    run.job.precision = Precision::PureBf16;
    let pure = total(&run, &plain);
    assert!((mixed / 13.48e9 - 1.0).abs() < 0.03 && (pure / 6.74e9 - 1.0).abs() < 0.03);

    let mut run = Run::new(llama2_7b(), Framework::MegatronCore, "b200-sxm");
    run.layout = Layout { dp: 8, zero: Zero::Optimizer, ..run.layout };
    run.job.global_batch = 8;
    let parameters = run.model.counts.total;
    #[expect(clippy::cast_precision_loss, reason = "6.7e9 parameters")]
    let per = |bytes: f64| bytes / parameters as f64;
    assert!((per(total(&run, &plain)) - 7.5).abs() < 0.01);
    run.stack.fp32_gradients = false;
    assert!((per(total(&run, &plain)) - 5.5).abs() < 0.01);
    let wide = per(total(&run, &plain));
    run.job.optimizer = Optimizer::AdamW8bit;
    assert!((wide - per(total(&run, &plain)) - 6.0 / 8.0).abs() < 0.01);
    run.job.optimizer = Optimizer::AdamWBf16;
    assert!((wide - per(total(&run, &plain)) - 4.0 / 8.0).abs() < 0.01);
}

/// I01: without partitioned initialisation loading is the peak.
#[test]
fn loading_whole_is_the_peak_of_full_offload() {
    let mut run = Run::new(llama2_7b(), Framework::DeepSpeed, "a100-sxm-40g");
    run.job.kind = JobKind::FullFineTune;
    run.job.sequence = 1024;
    run.job.global_batch = 4;
    run.layout = Layout { dp: 4, zero: Zero::Weights, recompute: Recompute::Full, ..run.layout };
    run.layout.offload = Offload::OptimizerAndWeights;
    let partitioned = peak(&run.setting(), &run.layout);
    let whole = Variant { loads_whole: true, ..Variant::default() };
    let whole = peak_of(&run.setting(), &run.layout, &whole);
    assert!((8.0..24.0).contains(&whole.worst.device.as_gib()), "{:?}", whole.worst);
    assert_eq!(whole.worst.instant.key(), "at-load");
    assert!(partitioned.worst.device < whole.worst.device);
}

/// I09: 7B with 32 sequences of 1024 tokens: above 100 GB of activations without recomputation.
#[test]
fn activations_of_a_large_batch() {
    let mut run = Run::new(llama2_7b(), Framework::DeepSpeed, "a100-sxm-80g");
    run.job.kind = JobKind::FullFineTune;
    run.job.sequence = 1024;
    run.job.global_batch = 32;
    run.layout.micro_batch = 32;
    let with = |recompute| {
        let layout = Layout { recompute, ..run.layout };
        let timeline = report(&run.setting(), &layout).timeline;
        let at = timeline[0].instants.iter().find(|at| at.instant.key() == "in-forward").unwrap();
        at.parts.activations.as_gb()
    };
    assert!((110.0..200.0).contains(&with(Recompute::None)), "{}", with(Recompute::None));
    assert!((8.0..30.0).contains(&with(Recompute::Full)), "{}", with(Recompute::Full));
}

/// States on drives leave the host with buffers alone.
#[test]
fn drives_take_what_the_host_held() {
    let mut run = Run::new(large(80, 8, 28672, 128_256), Framework::DeepSpeed, "a100-sxm-80g");
    run.job.kind = JobKind::FullFineTune;
    run.layout = Layout { dp: 8, zero: Zero::Weights, ..run.layout };
    run.layout.offload = Offload::Optimizer;
    let host = peak(&run.setting(), &run.layout).host;
    run.layout.offload = Offload::OptimizerNvme;
    let drives = peak(&run.setting(), &run.layout);
    assert!(drives.host < host * 0.2);
    assert!(report(&run.setting(), &run.layout).host.nvme > host * 0.5);
}
