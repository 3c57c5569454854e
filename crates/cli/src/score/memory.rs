//! The memory side of a row: what the launchers do with memory (STUDY_MEMORY.md 7).

use planner::estimate::memory::{Constants, MemoryKind, Variant, as_measured, peak_of, widened};
use planner::estimate::{Setting, StageMemory, Verdict};
use planner::strategy::{
    AttentionKernel, BaseFormat, Framework, Job, JobKind, Layout, LossPath, Offload, Precision,
    Recompute, Stack, Zero,
};

use super::jobs::{self, Run};
use super::row::{Configuration, Inexpressible, Row};
use super::{machines, models};

/// Predicted peak of one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peak {
    /// GiB as a source of the row's kind prints them; none where no kind is stated.
    pub(super) as_printed: Option<(MemoryKind, f64)>,
    /// The same with the constants that the row's family informs put back to counted values.
    pub(super) left_out: Option<f64>,
    pub(super) verdict: Verdict,
    pub(super) framework: Framework,
    /// TP, PP and the micro-batch are stated.
    pub(super) layout_stated: bool,
    /// Where the peak lies, and its parts.
    pub(super) worst: StageMemory,
}

/// The peak that the planner predicts for a configuration.
pub(super) fn predict(row: &Row) -> Result<Peak, Inexpressible> {
    let columns = &row.configuration;
    let mut assumed = Vec::new();
    let model = models::model(columns, &mut assumed)?;
    let accelerator = machines::gpu(columns)?;
    let cluster = machines::cluster(columns, &accelerator, &mut assumed)?;
    let stated = with_batch(columns);
    let job = jobs::job(&stated)?;
    let run = jobs::run(&stated, &job, &mut assumed)?;
    let (job, layout, stack) = recipe(columns, job, &run);
    let setting =
        Setting { model: &model, job: &job, accelerator: &accelerator, cluster: &cluster, stack };
    let lora = job.kind == JobKind::Lora;
    let variant = Variant {
        adapter_parameters: lora.then(|| adapters(columns, &model)),
        optimizer_in_backward: columns.sw_flags.contains("optim_in_bwd"),
        expert_imbalance: None,
        loads_whole: false,
        threaded_loader: columns.framework.contains("fsdp_qlora"),
        fp8_copies: false,
        shard_group: run.variant.shard_group,
        // The launcher of torchtitan for one node sets it; torchtune's users are told to.
        expandable_segments: columns.framework.contains("torchtitan")
            && layout.gpus() <= cluster.gpus_per_node,
        async_tp: columns.sw_flags.contains("async_tp"),
        // Its recipes for 70B and more name both embeddings in `custom_sharded_layers`.
        embeddings_apart: columns.framework.contains("torchtune") && model.layers >= 80,
        constants: Constants::FITTED,
        gradients_freed: layout.micro_batches(job.global_batch) == 1,
        // LitGPT accumulates under FSDP's no_sync.
        gradients_unsharded: columns.framework.to_lowercase().contains("litgpt")
            && layout.zero == Zero::Weights,
    };
    let peak = peak_of(&setting, &layout, &variant);
    let kind = MemoryKind::of(&row.measured.mem_kind);
    let counted = Variant { constants: Constants::without(&row.measured.family), ..variant };
    let verdict = if columns.zero_or_fsdp.trim().is_empty() && layout.zero == Zero::Weights {
        let less = Layout { zero: Zero::Gradients, ..layout };
        widened(peak.verdict, peak_of(&setting, &less, &variant).verdict)
    } else {
        peak.verdict
    };
    Ok(Peak {
        as_printed: kind.map(|kind| (kind, as_measured(&peak, kind).base())),
        left_out: kind.map(|kind| as_measured(&peak_of(&setting, &layout, &counted), kind).base()),
        verdict,
        framework: layout.framework,
        layout_stated: [&columns.tp, &columns.pp, &columns.micro_batch]
            .iter()
            .all(|cell| !cell.trim().is_empty()),
        worst: peak.worst,
    })
}

/// Memory hardly depends on the batch; where it is not stated, gradients accumulate once.
fn with_batch(row: &Configuration) -> Configuration {
    let mut row = row.clone();
    if row.global_batch.trim().is_empty() {
        let number = |text: &str| text.trim().parse::<u32>().unwrap_or(1);
        let batch = number(&row.micro_batch).saturating_mul(number(&row.dp)).saturating_mul(2);
        row.global_batch = batch.to_string();
    }
    row
}

/// Precision, layout and stack as the launcher of the row sets memory up.
fn recipe(row: &Configuration, mut job: Job, run: &Run) -> (Job, Layout, Stack) {
    let name = row.framework.to_lowercase();
    let has = |word: &str| name.contains(word);
    let flag = |word: &str| row.sw_flags.contains(word);
    let lora = job.kind == JobKind::Lora;
    let (mut layout, mut stack) = (run.layout, run.stack);
    let (framework, zero) = engine(row, &layout, lora);
    if framework != layout.framework {
        let defaults = Stack::of(framework);
        stack.loss = defaults.loss;
        stack.fp32_gradients = defaults.fp32_gradients;
    }
    layout.framework = framework;
    if row.kind == "qlora" && framework == Framework::DeepSpeed {
        job.adapter.base = BaseFormat::Gptq4;
    }
    layout.zero = zero;
    if flag("pure_bf16") || has("litgpt") || has("fsdp_qlora") || (has("torchtune") && lora) {
        job.precision = Precision::PureBf16;
    }
    if row.flash_attention.trim() == "y" && stack.attention == AttentionKernel::Unfused {
        stack.attention = AttentionKernel::Flash2;
    }
    if has("megatron-deepspeed") {
        stack.fp32_gradients = row.precision == "bf16";
    }
    if row.recompute.trim().is_empty() {
        // torchtune's recipes recompute, the adapters of LitGPT do not.
        let kept = has("litgpt") && (lora || row.n_gpus.trim() == "1");
        layout.recompute = match layout.framework {
            Framework::MegatronCore => layout.recompute,
            _ if kept => Recompute::None,
            _ => Recompute::Full,
        };
    }
    if has("torchtitan") && stack.release < 2025.0 {
        // Its loss was compiled later.
        stack.loss = LossPath::EagerFp32;
    }
    if has("torchtune") && (flag("chunked_ce") || layout.recompute == Recompute::Full) {
        stack.loss = LossPath::Chunked;
    }
    if has("hf transformers") && layout.framework == Framework::HuggingFace {
        stack.loss = LossPath::HuggingFaceBf16;
    }
    if flag("adamw_8bit") {
        // A paged 8-bit optimizer lives in host memory.
        layout.offload = Offload::Optimizer;
    }
    (job, layout, stack)
}

/// The engine that keeps the states, and the stage that its launcher means.
fn engine(row: &Configuration, layout: &Layout, lora: bool) -> (Framework, Zero) {
    let name = row.framework.to_lowercase();
    let four_bit = row.kind == "qlora";
    if name.contains("fsdp_qlora") {
        return (Framework::HuggingFace, layout.zero);
    }
    if name.contains("litgpt") {
        return (Framework::FsdpEager, layout.zero);
    }
    if name.contains("megatron-swift") {
        return (Framework::MegatronCore, layout.zero);
    }
    if name.contains("torchtitan") && !row.sw_flags.contains("compile") {
        return (Framework::FsdpEager, layout.zero);
    }
    if name.contains("ms-swift") {
        return (Framework::DeepSpeed, layout.zero);
    }
    if !name.contains("hf transformers") {
        return (layout.framework, layout.zero);
    }
    let one = row.n_gpus.trim() == "1";
    match (row.zero_or_fsdp.trim(), lora, one) {
        (_, true, true) if four_bit => (Framework::DeepSpeed, Zero::Gradients),
        (_, true, true) => (Framework::HuggingFace, layout.zero),
        ("" | "0", false, true) => (Framework::DeepSpeed, Zero::Gradients),
        ("", false, false) => (Framework::DeepSpeed, Zero::Weights),
        _ => (Framework::DeepSpeed, layout.zero),
    }
}

/// Adapter parameters by the ranks and targets of the recipes (STUDY_MEMORY.md 7).
fn adapters(row: &Configuration, model: &planner::model::Model) -> f64 {
    let name = row.framework.to_lowercase();
    let has = |word: &str| name.contains(word);
    let hidden = f64::from(model.hidden);
    let ffn = f64::from(model.feed_forward.width);
    let attention = &model.attention;
    let key = hidden * f64::from(attention.kv_heads) / f64::from(attention.heads.max(1));
    let all = |query: f64, keys: f64| query * hidden + keys * (hidden + key) + 3.0 * (hidden + ffn);
    let per_layer = if has("fsdp_qlora") {
        64.0 * all(2.0, 2.0)
    } else if has("hf transformers") {
        64.0 * all(6.0, 0.0)
    } else if has("torchtune") {
        8.0 * all(4.0, 1.0)
    } else if has("litgpt") {
        32.0 * (2.0 * hidden + (hidden + key))
    } else {
        16.0 * all(4.0, 2.0)
    };
    per_layer * f64::from(model.layers)
}
