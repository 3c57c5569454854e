//! A training situation as the planner's own types. The layout is the stated one; what is not
//! stated takes the default of the framework and is noted.

use planner::catalog::Accelerator;
use planner::cluster::ClusterSpec;
use planner::estimate::Setting;
use planner::estimate::memory::Variant;
use planner::model::Model;
use planner::strategy::{Framework, Job, JobKind, Layout, Stack};

use super::super::row::Inexpressible;
use super::fields::Fields;
use super::layout::{layout, sharded_fsdp};
use super::machine;
use super::models::Models;
use super::recipe::{job, stack, variant};

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

impl Run {
    pub(super) fn of(fields: &Fields, models: &Models) -> Result<Self, Inexpressible> {
        let model = models.of(fields)?;
        let kind = kind(fields)?;
        let framework = framework(fields, kind)?;
        let widths = Widths::of(fields)?;
        let accelerator = machine::gpu(fields)?;
        let cluster = machine::cluster(fields, &accelerator, widths.gpus)?;
        let layout = layout(fields, framework, kind, &widths)?;
        if layout.pp.checked_mul(layout.vpp).is_none_or(|stages| stages > model.layers) {
            return Err(Inexpressible(format!(
                "PP {} × VPP {} is more than {} layers",
                layout.pp, layout.vpp, model.layers
            )));
        }
        if layout.micro_batch.checked_mul(layout.dp).is_none() {
            return Err(Inexpressible("the micro-batches of all ranks are too many".to_owned()));
        }
        let job = job(fields, kind, &layout)?;
        let stack = stack(fields, framework, &job)?;
        let variant = variant(fields)?;
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
pub(super) struct Widths {
    pub(super) gpus: u32,
    pub(super) tp: u32,
    pub(super) pp: u32,
    pub(super) cp: u32,
    pub(super) dp: u32,
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
        if super::fields::whole(replica * f64::from(dp)).is_none() {
            return Err(Inexpressible("tp, pp, cp and dp are too large".to_owned()));
        }
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
    let sharded = fields.stage("zero")?.is_some_and(|stage| stage > 0);
    let framework = if megatron {
        Framework::MegatronCore
    } else if sharded_fsdp(fields) || torchtitan {
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
