//! The stated layout of a training situation.

use planner::strategy::{Framework, JobKind, Layout, Offload, Recompute, Schedule, Zero};

use super::super::row::Inexpressible;
use super::fields::Fields;
use super::recipe::says;
use super::run::Widths;

pub(super) fn layout(
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
        activation_offload: says(fields, "offload", "activation"),
    })
}

/// FSDP is on: a word, a degree, or yes.
pub(super) fn sharded_fsdp(fields: &Fields) -> bool {
    fields.has("fsdp") && !matches!(fields.flag("fsdp"), Ok(Some(false)))
}

fn zero(fields: &Fields, framework: Framework) -> Result<Zero, Inexpressible> {
    if let Some(stage) = fields.stage("zero")? {
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
    if sharded_fsdp(fields) {
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
            "selective" | "selective-attn" | "attn" | "core_attn" => Recompute::Selective,
            word if modules(word) != Recompute::None => modules(word),
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
    fields.assume(format!("recompute {}", default.key()));
    Ok(default)
}

/// Single modules that a word names.
fn modules(word: &str) -> Recompute {
    let feed_forward = word.contains("mlp") || word.contains("ffn");
    match (word.contains("norm"), feed_forward) {
        (true, true) => Recompute::NormsAndFeedForward,
        (true, false) => Recompute::Norms,
        (false, true) => Recompute::FeedForward,
        (false, false) => Recompute::None,
    }
}

fn offload(fields: &Fields) -> Result<Offload, Inexpressible> {
    let Some(word) = fields.word("offload")? else { return Ok(Offload::None) };
    let parts: Vec<&str> = word.split(['+', ',', ' ']).filter(|part| !part.is_empty()).collect();
    let nvme = word.contains("nvme");
    let host = match parts.as_slice() {
        ["none"] => Offload::None,
        ["optimizer" | "opt"] => Offload::Optimizer,
        ["cpu" | "nvme" | "all" | "full"] => Offload::OptimizerAndWeights,
        ["activations" | "activation"] => Offload::None,
        _ if parts.iter().any(|part| part.starts_with("param")) => Offload::OptimizerAndWeights,
        _ => return Err(Inexpressible(format!("offload {word} is not known"))),
    };
    Ok(match host {
        Offload::Optimizer if nvme => Offload::OptimizerNvme,
        Offload::OptimizerAndWeights if nvme => Offload::OptimizerAndWeightsNvme,
        host => host,
    })
}
