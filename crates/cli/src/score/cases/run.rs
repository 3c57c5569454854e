//! A training situation as the planner's own types. The layout is the stated one; what is not
//! stated takes the default of the framework and is noted.

use planner::catalog::Accelerator;
use planner::cluster::ClusterSpec;
use planner::estimate::Setting;
use planner::estimate::memory::{BaseFormat, Variant};
use planner::model::Model;
use planner::strategy::{
    AttentionKernel, Framework, Job, JobKind, Layout, LossPath, Offload, Optimizer, Precision,
    Recompute, Schedule, Stack, Zero,
};

use super::super::row::Inexpressible;
use super::fields::Fields;
use super::machine;
use super::models::Models;

/// Everything that an estimate of one situation starts from.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) model: Model,
    pub(super) job: Job,
    pub(super) accelerator: Accelerator,
    pub(super) cluster: ClusterSpec,
    pub(super) stack: Stack,
    pub(super) layout: Layout,
    pub(super) variant: Variant,
    pub(super) gpus: u32,
}

/// Tokens of a sequence where none are stated: cutoffs of fine-tuning recipes, and the usual
/// pre-training length.
const FINE_TUNE_SEQUENCE: u32 = 2_048;
const PRETRAIN_SEQUENCE: u32 = 4_096;
/// Micro-batches in units of stages where no batch is stated: enough to fill the pipeline.
const ROUNDS: u32 = 4;

impl Run {
    pub(super) fn of(fields: &Fields, models: &Models) -> Result<Self, Inexpressible> {
        let model = models.of(fields)?;
        let kind = kind(fields)?;
        let framework = framework(fields, kind)?;
        let widths = Widths::of(fields)?;
        let accelerator = machine::gpu(fields)?;
        let cluster = machine::cluster(fields, &accelerator, widths.gpus)?;
        let layout = layout(fields, framework, kind, &widths)?;
        let job = job(fields, kind, &layout)?;
        let stack = stack(fields, framework, &job)?;
        let base = base(fields, kind)?;
        let variant = Variant { base, ..variant(fields, &model, kind)? };
        let gpus = widths.gpus;
        Ok(Self { model, job, accelerator, cluster, stack, layout, variant, gpus })
    }

    pub(super) fn setting(&self) -> Setting<'_> {
        Setting {
            model: &self.model,
            job: &self.job,
            accelerator: &self.accelerator,
            cluster: &self.cluster,
            stack: self.stack,
        }
    }
}

/// How the GPUs are cut.
struct Widths {
    gpus: u32,
    tp: u32,
    pp: u32,
    cp: u32,
    dp: u32,
}

impl Widths {
    fn of(fields: &Fields) -> Result<Self, Inexpressible> {
        let (tp, pp) = (fields.degree("tp", 1)?, fields.degree("pp", 1)?);
        let cp = fields.degree("cp", 1)?;
        let replica = f64::from(tp) * f64::from(pp) * f64::from(cp);
        let shards = fields.number("fsdp").ok().flatten().and_then(super::fields::whole);
        let sharded = fields.number("shard").ok().flatten().and_then(super::fields::whole);
        let stated = fields.whole("dp")?.or(shards).or(sharded).map(|dp| dp.max(1));
        let machines = match (fields.whole("nodes")?, fields.whole("gpus_per_node")?) {
            (Some(nodes), Some(gpus)) => Some(nodes.saturating_mul(gpus)),
            _ => None,
        };
        let gpus = match (fields.whole("gpus")?.or(machines), stated) {
            (Some(gpus), _) => gpus.max(1),
            (None, dp) => {
                let needed = replica * f64::from(dp.unwrap_or(1));
                let gpus = super::fields::whole(needed)
                    .ok_or_else(|| Inexpressible("tp, pp, cp and dp are too large".to_owned()))?;
                fields.assume(format!("gpus {gpus}"));
                gpus
            }
        };
        let rest = f64::from(gpus) / replica;
        let dp = match stated {
            Some(dp) => dp,
            None if rest >= 1.0 && rest.fract() == 0.0 => super::fields::whole(rest).unwrap_or(1),
            None => {
                return Err(Inexpressible(format!(
                    "{gpus} GPUs are no multiple of tp {tp} × pp {pp} × cp {cp}"
                )));
            }
        };
        Ok(Self { gpus, tp, pp, cp, dp })
    }
}

/// What is trained; nothing said means from scratch.
fn kind(fields: &Fields) -> Result<JobKind, Inexpressible> {
    Ok(match fields.word("job")? {
        Some("pretrain" | "continued-pretrain" | "cpt") => JobKind::Pretrain,
        Some("full-sft" | "full-ft" | "sft" | "finetune" | "full") => JobKind::FullFineTune,
        Some("lora" | "qlora" | "dora") => JobKind::Lora,
        Some("various") | None => {
            fields.assume("job pretrain");
            JobKind::Pretrain
        }
        Some(other) => return Err(Inexpressible(format!("job {other} is not trained"))),
    })
}

/// The stack that the words name, or the one whose words the situation uses.
fn framework(fields: &Fields, kind: JobKind) -> Result<Framework, Inexpressible> {
    let compiled = fields.flag("compile")?.unwrap_or(true);
    if let Some(word) = fields.word("framework")? {
        let word = word.to_lowercase();
        let has = |part: &str| word.contains(part);
        return Ok(if has("megatron-deepspeed") {
            Framework::MegatronDeepSpeed
        } else if has("megatron") || has("nemo") {
            Framework::MegatronCore
        } else if has("torchtitan") || has("fsdp2") {
            if compiled { Framework::Torchtitan } else { Framework::FsdpEager }
        } else if has("torchtune") || has("fsdp") || has("litgpt") {
            Framework::FsdpEager
        } else if has("deepspeed") || has("colossal") {
            Framework::DeepSpeed
        } else if has("hf")
            || has("transformers")
            || has("accelerate")
            || has("peft")
            || has("llama")
        {
            Framework::HuggingFace
        } else {
            return Err(Inexpressible(format!("framework {word} is not trained with")));
        });
    }
    let pretrain = kind == JobKind::Pretrain;
    let precision = fields.word("precision")?.unwrap_or_default();
    // Words of one world only: torchao's float8, bitsandbytes' 8-bit Adam.
    let torchtitan = precision.starts_with("float8");
    let bitsandbytes = fields.word("optimizer")?.is_some_and(|word| word.contains("8bit"));
    let adapters = kind == JobKind::Lora;
    let cut = fields.degree("tp", 1)? > 1 || fields.degree("pp", 1)? > 1;
    let megatron = fields.has("distributed_optimizer") || fields.has("vpp");
    let sharded = fields.whole("zero")?.is_some_and(|stage| stage > 0);
    let framework = if megatron {
        Framework::MegatronCore
    } else if fields.has("fsdp") || torchtitan {
        match (pretrain, compiled) {
            (false, _) => Framework::HuggingFace,
            (true, true) => Framework::Torchtitan,
            (true, false) => Framework::FsdpEager,
        }
    } else if (fields.has("offload") || sharded) && !cut {
        Framework::DeepSpeed
    } else if (cut || pretrain) && !adapters && !bitsandbytes {
        Framework::MegatronCore
    } else {
        Framework::HuggingFace
    };
    fields.assume(format!("framework {}", framework.key()));
    Ok(framework)
}

fn layout(
    fields: &Fields,
    framework: Framework,
    kind: JobKind,
    widths: &Widths,
) -> Result<Layout, Inexpressible> {
    let &Widths { tp, pp, cp, dp, .. } = widths;
    let vpp = fields.degree("vpp", 1)?;
    let ep = fields.degree("ep", 1)?;
    Ok(Layout {
        framework,
        tp,
        pp,
        vpp,
        cp,
        dp,
        ep,
        etp: fields.degree("etp", 1)?,
        zero: zero(fields, framework)?,
        sp: fields.flag("sequence_parallel")?.unwrap_or_else(|| {
            let usual =
                tp > 1 && matches!(framework, Framework::MegatronCore | Framework::Torchtitan);
            if tp > 1 {
                fields.assume(format!("sequence_parallel {usual}"));
            }
            usual
        }),
        micro_batch: fields.degree("micro_batch", 1)?,
        recompute: recompute(fields, framework, kind)?,
        schedule: match (pp, vpp) {
            (1, _) => Schedule::Single,
            (_, 1) => Schedule::OneFOneB,
            _ => Schedule::Interleaved,
        },
        offload: offload(fields)?,
    })
}

fn zero(fields: &Fields, framework: Framework) -> Result<Zero, Inexpressible> {
    if let Some(stage) = fields.whole("zero")? {
        return Ok(match stage {
            0 => Zero::None,
            1 => Zero::Optimizer,
            2 => Zero::Gradients,
            3 => Zero::Weights,
            other => return Err(Inexpressible(format!("zero {other} does not exist"))),
        });
    }
    if let Some(sharded) = fields.flag("distributed_optimizer")? {
        return Ok(if sharded { Zero::Optimizer } else { Zero::None });
    }
    if fields.has("fsdp") {
        return Ok(match fields.word("fsdp").ok().flatten() {
            Some("shard_grad_op") => Zero::Gradients,
            Some("no_shard") => Zero::None,
            _ => Zero::Weights,
        });
    }
    let default = match framework {
        Framework::MegatronCore => Zero::Optimizer,
        Framework::Torchtitan | Framework::FsdpEager => Zero::Weights,
        Framework::DeepSpeed if fields.has("offload") => Zero::Weights,
        _ => Zero::None,
    };
    fields.assume(format!("zero {}", default as u8));
    Ok(default)
}

fn recompute(
    fields: &Fields,
    framework: Framework,
    kind: JobKind,
) -> Result<Recompute, Inexpressible> {
    if let Some(word) = fields.word("recompute")? {
        return Ok(match word {
            "none" => Recompute::None,
            "selective" | "selective-attn" => Recompute::Selective,
            "full" => Recompute::Full,
            other => return Err(Inexpressible(format!("recompute {other} is not known"))),
        });
    }
    if let Some(checkpointed) = fields.flag("grad_ckpt")? {
        return Ok(if checkpointed { Recompute::Full } else { Recompute::None });
    }
    let default = match (kind, framework) {
        (JobKind::FullFineTune | JobKind::Lora, Framework::MegatronCore) => Recompute::Selective,
        (JobKind::FullFineTune | JobKind::Lora, _) => Recompute::Full,
        (JobKind::Pretrain, Framework::DeepSpeed | Framework::HuggingFace) => Recompute::Full,
        (JobKind::Pretrain, _) => Recompute::Selective,
    };
    fields.assume(format!("recompute {}", words(default)));
    Ok(default)
}

const fn words(recompute: Recompute) -> &'static str {
    match recompute {
        Recompute::None => "none",
        Recompute::Selective => "selective",
        Recompute::Full => "full",
    }
}

fn offload(fields: &Fields) -> Result<Offload, Inexpressible> {
    let Some(word) = fields.word("offload")? else { return Ok(Offload::None) };
    let parts: Vec<&str> = word.split(['+', ',', ' ']).filter(|part| !part.is_empty()).collect();
    Ok(match parts.as_slice() {
        ["none"] => Offload::None,
        ["optimizer" | "opt"] => Offload::Optimizer,
        _ if parts.iter().any(|part| part.starts_with("param")) => Offload::OptimizerAndWeights,
        _ => return Err(Inexpressible(format!("offload {word} is not known"))),
    })
}

fn job(fields: &Fields, kind: JobKind, layout: &Layout) -> Result<Job, Inexpressible> {
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
            None | Some("adamw" | "adam" | "adam-fp32-main" | "adamw-fp32-main") => {
                Optimizer::AdamW
            }
            Some("adamw-8bit" | "adam-8bit" | "adamw8bit") => Optimizer::AdamW8bit,
            Some(other) => {
                return Err(Inexpressible(format!("optimizer {other} is not built")));
            }
        },
        tokens: fields.number("tokens")?.unwrap_or(0.0),
    })
}

pub(super) fn precision(fields: &Fields) -> Result<Precision, Inexpressible> {
    let Some(word) = fields.word("precision")? else {
        fields.assume("precision bf16-mixed");
        return Ok(Precision::Bf16Mixed);
    };
    Ok(match word {
        "bf16" | "fp16" | "amp" => Precision::Bf16Mixed,
        word if word.starts_with("bf16-mixed") || word.starts_with("fp16-mixed") => {
            Precision::Bf16Mixed
        }
        "pure-bf16" | "pure-fp16" | "bf16-pure" => Precision::PureBf16,
        word if word.starts_with("fp8") || word.starts_with("float8") => Precision::Fp8Mixed,
        other => return Err(Inexpressible(format!("precision {other} is not trained in"))),
    })
}

fn stack(fields: &Fields, framework: Framework, job: &Job) -> Result<Stack, Inexpressible> {
    let defaults = Stack::of(framework);
    let attention = match fields.flag("flash_attention")? {
        Some(false) => AttentionKernel::Unfused,
        Some(true) if defaults.attention == AttentionKernel::Unfused => AttentionKernel::Flash2,
        _ => defaults.attention,
    };
    let loss = match fields.word("loss")? {
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
        None | Some("nf4" | "bnb-nf4" | "bnb-4bit" | "4bit") => BaseFormat::Nf4,
        Some(word) if word.starts_with("gptq") => BaseFormat::Gptq4,
        Some(other) => return Err(Inexpressible(format!("quant {other} is not built"))),
    })
}

/// Adapters of the stated rank on all linear layers.
fn variant(fields: &Fields, model: &Model, kind: JobKind) -> Result<Variant, Inexpressible> {
    let rank = fields.number("lora_rank")?.filter(|_| kind == JobKind::Lora);
    Ok(Variant {
        adapter_parameters: rank.map(|rank| rank * adapter_widths(model)),
        ..Variant::default()
    })
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
