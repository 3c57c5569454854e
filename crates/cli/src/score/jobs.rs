//! Job, layout and software columns as the planner's own types.

use planner::estimate::time::{Recipe, Variant};
use planner::strategy::{
    Adapter, AttentionKernel, BaseFormat, Framework, Job, JobKind, Layout, LossPath, Offload,
    Optimizer, Precision, Recompute, Schedule, Stack, Zero,
};

use super::row::{Configuration, Inexpressible, required, whole};

/// How a row was run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) layout: Layout,
    pub(super) stack: Stack,
    pub(super) variant: Variant,
}

pub(super) fn job(row: &Configuration) -> Result<Job, Inexpressible> {
    let flags = row.sw_flags.as_str();
    Ok(Job {
        kind: match row.kind.as_str() {
            "pretrain" => JobKind::Pretrain,
            "full-ft" => JobKind::FullFineTune,
            "lora" | "qlora" => JobKind::Lora,
            other => return Err(Inexpressible(format!("kind {other} is not known"))),
        },
        sequence: required("seq_len", &row.seq_len)?,
        global_batch: required("global_batch", &row.global_batch)?,
        precision: match row.precision.as_str() {
            "bf16" | "fp16" if flags.contains("pure_bf16") => Precision::PureBf16,
            "bf16" | "fp16" => Precision::Bf16Mixed,
            "fp8" | "mxfp8" | "nvfp4" => Precision::Fp8Mixed,
            other => return Err(Inexpressible(format!("precision {other} is not known"))),
        },
        optimizer: if flags.contains("adam_states_bf16") {
            Optimizer::AdamWBf16
        } else if flags.contains("8bit") {
            Optimizer::AdamW8bit
        } else {
            Optimizer::AdamW
        },
        adapter: Adapter {
            base: if row.kind == "qlora" { BaseFormat::Nf4 } else { BaseFormat::SixteenBit },
            ..Adapter::default()
        },
        tokens: 0.0,
    })
}

/// The layout and software of a row; notes what it had to assume.
pub(super) fn run(
    row: &Configuration,
    job: &Job,
    assumed: &mut Vec<&'static str>,
) -> Result<Run, Inexpressible> {
    let release = release(&row.framework_version_or_year);
    let framework = framework(row, release.unwrap_or(2025.0));
    let zero = zero(row, framework, assumed);
    let widths = widths(row, framework, job, assumed)?;
    let layout = Layout {
        framework,
        zero,
        recompute: recompute(row, framework, assumed)?,
        offload: offload(&row.offload),
        activation_offload: row.offload.trim() == "activations",
        sp: row.sequence_parallel.trim() == "y",
        ..widths
    };
    let defaults = Stack::of(framework);
    let stack = Stack {
        release: release.unwrap_or(defaults.release),
        attention: attention(row, defaults.attention),
        loss: if row.sw_flags.contains("chunked_ce") { LossPath::Chunked } else { defaults.loss },
        fp32_gradients: defaults.fp32_gradients && job.precision != Precision::PureBf16,
    };
    let group = match row.zero_or_fsdp.trim() {
        "hsdp" => whole("gpus_per_node", &row.gpus_per_node)?,
        _ => whole("zero_shard_group", &row.zero_shard_group)?,
    };
    let variant = Variant {
        recipe: match row.precision.as_str() {
            "mxfp8" => Recipe::MxFp8,
            "nvfp4" => Recipe::NvFp4,
            _ => Recipe::Plain,
        },
        shard_group: group,
        async_tp: row.sw_flags.contains("async_tp"),
    };
    Ok(Run { layout, stack, variant })
}

/// The cut of the GPUs; what is not a width is filled in by the caller.
fn widths(
    row: &Configuration,
    framework: Framework,
    job: &Job,
    assumed: &mut Vec<&'static str>,
) -> Result<Layout, Inexpressible> {
    let gpus = required("n_gpus", &row.n_gpus)?;
    let one = |field, text: &str| Ok(whole(field, text)?.unwrap_or(1));
    let (tp, pp) = (one("tp", &row.tp)?, one("pp", &row.pp)?);
    let (cp, ep) = (one("cp", &row.cp)?, one("ep", &row.ep)?);
    let rest = (gpus / tp.saturating_mul(pp).saturating_mul(cp).max(1)).max(1);
    let dp = whole("dp", &row.dp)?.unwrap_or(rest);
    let core = framework == Framework::MegatronCore;
    let layers = required("layers", &row.layers)?;
    let vpp = whole("vpp", &row.vpp)?.unwrap_or_else(|| {
        if pp > 1 {
            assumed.push("vpp");
        }
        if core { virtual_stages(pp, job.global_batch, dp, layers) } else { 1 }
    });
    let micro_batch = whole("micro_batch", &row.micro_batch)?.unwrap_or_else(|| {
        assumed.push("micro_batch");
        if pp > 1 { 1 } else { (job.global_batch / dp.max(1)).clamp(1, 4) }
    });
    let few = whole("moe_experts", &row.moe_experts)?.is_some_and(|experts| experts <= 8);
    if tp.checked_mul(pp).and_then(|n| n.checked_mul(cp)).and_then(|n| n.checked_mul(dp)).is_none()
    {
        return Err(Inexpressible("the product of tp, pp, cp and dp is too large".to_owned()));
    }
    Ok(Layout {
        framework,
        tp,
        pp,
        vpp: if pp > 1 { vpp } else { 1 },
        cp,
        dp,
        ep,
        etp: if few { tp } else { 1 },
        zero: Zero::None,
        sp: false,
        micro_batch,
        recompute: Recompute::None,
        schedule: match (pp, vpp) {
            (1, _) => Schedule::Single,
            (_, 1) => Schedule::OneFOneB,
            _ => Schedule::Interleaved,
        },
        offload: Offload::None,
        activation_offload: false,
    })
}

/// Virtual stages where they are not stated: as few as keep the pipeline idle for a tenth of the
/// step at micro-batch 1, as those do who set such a cut up.
fn virtual_stages(pp: u32, global_batch: u32, dp: u32, layers: u32) -> u32 {
    const IDLE: u64 = 10;
    let micro_batches = u64::from(global_batch / dp.max(1)).max(1);
    let wanted = (u64::from(pp.saturating_sub(1)) * IDLE).div_ceil(micro_batches);
    u32::try_from(wanted).unwrap_or(u32::MAX).clamp(1, (layers / pp.max(1)).max(1))
}

/// The class of stack that a framework's name and year mean.
fn framework(row: &Configuration, release: f64) -> Framework {
    let name = row.framework.to_lowercase();
    let has = |word: &str| name.contains(word);
    let compiled = row.sw_flags.contains("compile");
    if has("llmq") || has("c++") {
        Framework::FusedCuda
    } else if has("megatron-deepspeed") {
        Framework::MegatronDeepSpeed
    } else if has("torchtitan") || has("maxtext") || (compiled && (has("torchtune") || has("fsdp")))
    {
        Framework::Torchtitan
    } else if has("composer") || has("fsdp") || has("torchtune") {
        Framework::FsdpEager
    } else if has("megatron") || has("nemo") || has("megascale") || has("primus") {
        if release < 2024.0 { Framework::MegatronLegacy } else { Framework::MegatronCore }
    } else if has("hf ") || has("hugging") || has("peft") || has("litgpt") || has("swift") {
        Framework::HuggingFace
    } else if has("internevo") || has("deepspeed") || has("colossal") {
        Framework::DeepSpeed
    } else {
        Framework::MegatronCore
    }
}

fn zero(row: &Configuration, framework: Framework, assumed: &mut Vec<&'static str>) -> Zero {
    match row.zero_or_fsdp.trim() {
        "0" => Zero::None,
        "1" => Zero::Optimizer,
        "2" if framework == Framework::FsdpEager => Zero::Weights,
        "2" => Zero::Gradients,
        "3" | "hsdp" => Zero::Weights,
        _ => {
            assumed.push("zero_or_fsdp");
            if framework == Framework::MegatronCore { Zero::Optimizer } else { Zero::None }
        }
    }
}

fn recompute(
    row: &Configuration,
    framework: Framework,
    assumed: &mut Vec<&'static str>,
) -> Result<Recompute, Inexpressible> {
    Ok(match row.recompute.trim() {
        "none" => Recompute::None,
        "selective" => Recompute::Selective,
        "full" => Recompute::Full,
        "" => {
            assumed.push("recompute");
            let sharded = row.zero_or_fsdp.trim() == "3";
            let torch = matches!(framework, Framework::Torchtitan | Framework::FsdpEager);
            if sharded && torch { Recompute::Selective } else { Recompute::None }
        }
        other => return Err(Inexpressible(format!("recompute {other} is not known"))),
    })
}

fn attention(row: &Configuration, default: AttentionKernel) -> AttentionKernel {
    let name = row.framework.to_lowercase();
    match row.flash_attention.trim() {
        "n" => AttentionKernel::Unfused,
        _ if name.contains("composer") => AttentionKernel::FlashTriton,
        // JAX calls cuDNN.
        _ if name.contains("maxtext") => AttentionKernel::Flash3,
        "y" if default == AttentionKernel::Unfused => AttentionKernel::Flash2,
        _ => default,
    }
}

fn offload(text: &str) -> Offload {
    let weights = text.contains("params") || text.contains("quants");
    let states = text.contains("opt");
    match (weights, states) {
        (false, false) => Offload::None,
        (false, true) => Offload::Optimizer,
        (true, _) => Offload::OptimizerAndWeights,
    }
}

/// Years from "NeMo container 26.06", "2024-12", "2022-2023", "Core r0.8.0 (2024)"; a year
/// alone is its middle.
fn release(text: &str) -> Option<f64> {
    let numbers: Vec<&str> =
        text.split(|c: char| !(c.is_ascii_digit() || c == '.')).filter(|n| !n.is_empty()).collect();
    for number in &numbers {
        if let Some((year, rest)) = number.split_once('.')
            && let (2, Ok(year), Some(Ok(month))) =
                (year.len(), year.parse::<f64>(), rest.get(..2).map(str::parse::<f64>))
            && year >= 20.0
            && (1.0..=12.0).contains(&month)
        {
            return Some(2000.0 + year + (month - 0.5) / 12.0);
        }
    }
    let mut years = numbers.iter().filter_map(|n| n.parse::<f64>().ok());
    let first = years.by_ref().find(|year| (2018.0..2040.0).contains(year))?;
    match years.next() {
        Some(month) if (1.0..=12.0).contains(&month) => Some(first + (month - 0.5) / 12.0),
        Some(second) if (first..first + 5.0).contains(&second) => {
            Some((first + second + 1.0) / 2.0)
        }
        _ => Some(first + 0.5),
    }
}
