//! Job, precision, software and adapters of a training situation.

use planner::estimate::memory::Variant;
use planner::model::Model;
use planner::strategy::{
    Adapter, AttentionKernel, BaseFormat, Framework, Job, JobKind, Layout, LossPath, Optimizer,
    Precision, Stack,
};

use super::super::row::Inexpressible;
use super::fields::Fields;
use super::run::Run;

/// Tokens of a sequence where none are stated: cutoffs of fine-tuning recipes, and the usual
/// pre-training length.
const FINE_TUNE_SEQUENCE: u32 = 2_048;
const PRETRAIN_SEQUENCE: u32 = 4_096;
/// Micro-batches in units of stages where no batch is stated: enough to fill the pipeline.
const ROUNDS: u32 = 4;

pub(super) fn job(fields: &Fields, kind: JobKind, layout: &Layout) -> Result<Job, Inexpressible> {
    let sequence = fields.whole("seq")?.filter(|seq| *seq > 0).unwrap_or_else(|| {
        let usual = match kind {
            JobKind::Pretrain => PRETRAIN_SEQUENCE,
            JobKind::FullFineTune | JobKind::Lora => FINE_TUNE_SEQUENCE,
        };
        fields.assume(format!("seq {usual}"));
        usual
    });
    let rounds = if layout.pp > 1 { ROUNDS.saturating_mul(layout.pp) } else { 1 };
    let micro_batches = fields.whole("grad_accum")?.or(fields.whole("microbatches")?);
    let global_batch = match fields.whole("global_batch")? {
        Some(batch) => batch,
        None => {
            let each = layout.micro_batch.saturating_mul(layout.dp);
            each.saturating_mul(micro_batches.unwrap_or(rounds))
        }
    };
    Ok(Job {
        kind,
        sequence,
        global_batch: global_batch.max(1),
        precision: precision(fields)?,
        optimizer: match fields.word("optimizer")? {
            None
            | Some(
                "adamw" | "adam" | "adamw_torch" | "adamw-torch" | "fused-adam" | "adam-fp32-main"
                | "adamw-fp32-main",
            ) => Optimizer::AdamW,
            Some("sgd") => Optimizer::Sgd,
            Some(word) if word.starts_with("adam") && word.contains("bf16") => Optimizer::AdamWBf16,
            Some(word) if word.contains("8bit") => Optimizer::AdamW8bit,
            Some(other) => {
                return Err(Inexpressible(format!("optimizer {other} is not built")));
            }
        },
        adapter: adapter(fields, kind)?,
        tokens: fields.number("tokens")?.unwrap_or(0.0),
    })
}

pub(super) fn precision(fields: &Fields) -> Result<Precision, Inexpressible> {
    let Some(word) = fields.word("precision")? else {
        fields.assume("precision bf16-mixed");
        return Ok(Precision::Bf16Mixed);
    };
    Ok(match word {
        word if word.contains("pure") || word.contains("true") => Precision::PureBf16,
        word if ["fp8", "float8", "mxfp8"].iter().any(|eight| word.contains(eight)) => {
            Precision::Fp8Mixed
        }
        word if ["bf16", "fp16", "amp", "mixed"].iter().any(|part| word.starts_with(part)) => {
            Precision::Bf16Mixed
        }
        other => return Err(Inexpressible(format!("precision {other} is not trained in"))),
    })
}

pub(super) fn stack(
    fields: &Fields,
    framework: Framework,
    job: &Job,
) -> Result<Stack, Inexpressible> {
    let defaults = Stack::of(framework);
    let attention = match fields.flag("flash_attention")? {
        Some(false) => AttentionKernel::Unfused,
        Some(true) if defaults.attention == AttentionKernel::Unfused => AttentionKernel::Flash2,
        _ => defaults.attention,
    };
    let attention = match fields.word("attention")? {
        Some("eager" | "naive" | "math" | "unfused") => AttentionKernel::Unfused,
        _ => attention,
    };
    let fused = fields.flag("liger")?.or(fields.flag("fused_loss")?).unwrap_or(false);
    let loss = match fields.word("loss")?.or(fused.then_some("fused")) {
        None => defaults.loss,
        Some("unfused") => unfused(defaults.loss),
        Some("fused" | "liger" | "fused-linear") => LossPath::FusedLinear,
        Some("chunked") => LossPath::Chunked,
        Some("vocab-parallel") => LossPath::VocabParallelFused,
        Some(other) => return Err(Inexpressible(format!("loss {other} is not known"))),
    };
    let fp32_gradients = match fields.word("grads")? {
        Some("fp32") => true,
        Some("bf16" | "fp16") => false,
        None => defaults.fp32_gradients && !mixed(fields)?,
        Some(other) => return Err(Inexpressible(format!("grads {other} is not known"))),
    };
    let pure = job.precision == Precision::PureBf16;
    Ok(Stack { attention, loss, fp32_gradients: fp32_gradients && !pure, ..defaults })
}

/// `bf16-mixed` and `fp16-mixed` say that gradients are kept in 16 bits (README of the cases).
fn mixed(fields: &Fields) -> Result<bool, Inexpressible> {
    Ok(fields.word("precision")?.is_some_and(|word| word.contains("16-mixed")))
}

/// The path of the same framework that keeps all logits.
const fn unfused(path: LossPath) -> LossPath {
    match path {
        LossPath::VocabParallelFused => LossPath::VocabParallelFp32,
        LossPath::Compiled | LossPath::Chunked | LossPath::FusedLinear => LossPath::EagerFp32,
        other => other,
    }
}

fn base(fields: &Fields, kind: JobKind) -> Result<BaseFormat, Inexpressible> {
    if kind != JobKind::Lora {
        return Ok(BaseFormat::SixteenBit);
    }
    let four_bit = fields.word("job")? == Some("qlora");
    Ok(match fields.word("quant")?.map(str::to_lowercase).as_deref() {
        None | Some("none" | "bf16") if !four_bit => BaseFormat::SixteenBit,
        None | Some("nf4" | "bnb-nf4" | "bnb-4bit" | "4bit" | "int4") => BaseFormat::Nf4,
        Some("int8" | "bnb-8bit" | "8bit" | "llm.int8") => BaseFormat::EightBit,
        Some(word) if word.starts_with("gptq") => BaseFormat::Gptq4,
        Some(other) => return Err(Inexpressible(format!("quant {other} is not built"))),
    })
}

/// Adapters as stated; only a job that has any asks.
fn adapter(fields: &Fields, kind: JobKind) -> Result<Adapter, Inexpressible> {
    let usual = Adapter::default();
    Ok(Adapter {
        rank: fields.whole("lora_rank")?.unwrap_or(usual.rank),
        base: base(fields, kind)?,
        dora: says(fields, "job", "dora") || fields.flag("dora")?.unwrap_or(false),
    })
}

/// Trained parameters: adapters at their rank, or the whole model.
pub(super) fn adapters(run: &Run) -> f64 {
    if run.job.kind == JobKind::Lora {
        f64::from(run.job.adapter.rank) * adapter_widths(&run.model)
    } else {
        super::quantities::parameters(&run.model)
    }
}

/// What a run does beside its job and layout.
pub(super) fn variant(fields: &Fields) -> Result<Variant, Inexpressible> {
    Ok(Variant {
        expert_imbalance: fields.number("expert_imbalance")?.filter(|times| *times >= 1.0),
        ..Variant::default()
    })
}

/// Whether the words of a field hold `part`.
pub(super) fn says(fields: &Fields, name: &str, part: &str) -> bool {
    fields.word(name).ok().flatten().is_some_and(|word| word.contains(part))
}

/// Inputs and outputs of all linear layers: adapter parameters of rank 1.
fn adapter_widths(model: &Model) -> f64 {
    let hidden = f64::from(model.hidden);
    let head = f64::from(model.attention.head_dim);
    let queries = f64::from(model.attention.heads) * head;
    let keys = f64::from(model.attention.kv_heads) * head;
    let matrices = if model.feed_forward.gated { 3.0 } else { 2.0 };
    let ffn = matrices * (hidden + f64::from(model.feed_forward.width));
    f64::from(model.layers) * (4.0 * hidden + 2.0 * queries + 2.0 * keys + ffn)
}
