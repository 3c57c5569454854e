//! Every published peak of `data/reference`, predicted from configuration columns alone.

use std::collections::BTreeMap;

use crate::estimate::Verdict;
use crate::estimate::memory::{BaseFormat, MemoryKind, Variant, as_measured, peak_of, widened};
use crate::model::Model;
use crate::strategy::{
    AttentionKernel, Framework, JobKind, Layout, LossPath, Offload, Precision, Recompute, Schedule,
    Zero,
};

use super::fixtures::{Run, Shape, deepseek_v3, dense};

type Row = BTreeMap<String, String>;

#[test]
fn published_peaks_lie_near() {
    let mut errors: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut all = Vec::new();
    let (mut false_fit, mut false_oom, mut tight) = (0, 0, 0);
    for row in rows() {
        let failed = row["oom"] == "y";
        let silent = !failed && row["peak_mem_GiB"].is_empty();
        if row["quality"] == "D" || silent {
            continue;
        }
        let Some((run, variant)) = read(&row) else {
            println!("{} not expressible", row["id"]);
            continue;
        };
        let peak = peak_of(&run.setting(), &run.layout, &variant);
        let verdict = if row["zero_or_fsdp"].is_empty() {
            let pessimistic = Layout { zero: Zero::Gradients, ..run.layout };
            widened(peak.verdict, peak_of(&run.setting(), &pessimistic, &variant).verdict)
        } else {
            peak.verdict
        };
        let ran_out = peak.worst.allocated > peak.capacity;
        tight += u32::from(verdict == Verdict::Tight);
        if failed {
            false_fit += u32::from(verdict == Verdict::Fits);
            println!("{} failed, {:?} {:.1}", row["id"], verdict, peak.worst.device.as_gib());
            continue;
        }
        false_oom += u32::from(ran_out);
        let Some(kind) = MemoryKind::of(&row["mem_kind"]) else { continue };
        let measured = kind.bytes(number(&row, "peak_mem_GiB"));
        let error = as_measured(&peak, kind).ratio(measured) - 1.0;
        println!("{} {:+.1} % {:?}", row["id"], 100.0 * error, verdict);
        errors.entry(row["family"].clone()).or_default().push(error);
        if row["quality"] == "A" || row["quality"] == "B" {
            all.push(error);
        }
    }
    for (family, errors) in &mut errors {
        let bias = errors.iter().sum::<f64>() / f64::from(u32::try_from(errors.len()).unwrap());
        println!(
            "{family}: n {} median {:.1} p90 {:.1} bias {:+.1} %",
            errors.len(),
            100.0 * quantile(errors, 0.5),
            100.0 * quantile(errors, 0.9),
            100.0 * bias,
        );
    }
    // The band of known stacks: 80 % of measured values over predicted ones.
    let inside = all.iter().filter(|error| (0.95..=1.05).contains(&(1.0 / (1.0 + **error))));
    let coverage = inside.count() * 100 / all.len();
    let (median, p90) = (quantile(&mut all, 0.5), quantile(&mut all, 0.9));
    println!(
        "n {} median {:.2} % p90 {:.2} % false fit {false_fit} false oom {false_oom} tight {tight} \
         band holds {coverage} %",
        all.len(),
        100.0 * median,
        100.0 * p90
    );
    assert!(all.len() >= 120 && median <= 0.03 && p90 <= 0.10);
    assert!(coverage >= 75);
    assert!(false_oom == 0 && false_fit == 0);
}

/// `q` quantile of the absolute values.
fn quantile(errors: &mut [f64], q: f64) -> f64 {
    errors.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a rank among a few hundred rows"
    )]
    let rank = (q * (errors.len() - 1) as f64).round() as usize;
    errors[rank].abs()
}

fn rows() -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/reference/training_measured.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap_or(0.0)
}

fn integer(row: &Row, column: &str) -> u32 {
    row[column].parse().unwrap_or(1)
}

/// The run that a row describes and the choices of its recipe; none where a layout is missing.
fn read(row: &Row) -> Option<(Run, Variant)> {
    let flag = |name: &str| row["sw_flags"].split('+').any(|flag| flag == name);
    let lora = row["kind"].contains("lora");
    if row["tp"].is_empty() || row["pp"].is_empty() || row["micro_batch"].is_empty() {
        return None;
    }
    let zero = match row["zero_or_fsdp"].as_str() {
        "1" => Zero::Optimizer,
        "2" => Zero::Gradients,
        "3" => Zero::Weights,
        _ => Zero::None,
    };
    let gpus = integer(row, "n_gpus");
    let (framework, zero) = framework(row, zero, lora, gpus)?;
    let mut run = Run::new(model(row), framework, accelerator(&row["gpu"])?);
    run.job.kind = if lora { JobKind::Lora } else { JobKind::FullFineTune };
    run.job.sequence = integer(row, "seq_len");
    run.cluster.nodes = gpus.div_ceil(8);
    let layout = &mut run.layout;
    layout.tp = integer(row, "tp");
    layout.pp = integer(row, "pp");
    layout.vpp = integer(row, "vpp");
    layout.cp = integer(row, "cp");
    layout.dp = integer(row, "dp");
    layout.ep = integer(row, "ep");
    layout.zero = zero;
    layout.sp = row["sequence_parallel"] == "y";
    layout.micro_batch = integer(row, "micro_batch");
    layout.schedule = match (layout.pp, layout.vpp) {
        (1, _) => Schedule::Single,
        (_, 1) => Schedule::OneFOneB,
        _ => Schedule::Interleaved,
    };
    layout.recompute = match row["recompute"].as_str() {
        "none" => Recompute::None,
        "selective" => Recompute::Selective,
        "full" => Recompute::Full,
        // Unstated: torchtune's recipes recompute, the adapters of LitGPT do not.
        _ if row["framework"].starts_with("LitGPT") && (lora || gpus == 1) => Recompute::None,
        _ => Recompute::Full,
    };
    layout.offload = match row["offload"].as_str() {
        "params" | "params+optimizer" => Offload::OptimizerAndWeights,
        "optimizer" => Offload::Optimizer,
        // A paged 8-bit optimizer lives in host memory.
        _ if flag("adamw_8bit") => Offload::Optimizer,
        _ => Offload::None,
    };
    let per_step = layout.micro_batch * layout.dp;
    // Unstated batches are those of LitGPT, whose recipes accumulate gradients.
    run.job.global_batch = row["global_batch"].parse().unwrap_or(2 * per_step);
    let full = layout.recompute == Recompute::Full;
    stack(row, &mut run, full);
    let base = match (row["kind"].as_str(), framework) {
        ("qlora", Framework::DeepSpeed) => BaseFormat::Gptq4,
        ("qlora", _) => BaseFormat::Nf4,
        _ => BaseFormat::SixteenBit,
    };
    let variant = Variant {
        base,
        adapter_parameters: lora.then(|| adapters(row)),
        gradients_freed: run.layout.micro_batches(run.job.global_batch) == 1,
        gradients_unsharded: row["framework"] == "LitGPT" && zero == Zero::Weights,
        optimizer_in_backward: flag("optim_in_bwd"),
        loads_whole: false,
        activation_offload: row["offload"] == "activations",
    };
    Some((run, variant))
}

/// The framework, and the stage that its launcher means by what the row says.
fn framework(row: &Row, zero: Zero, lora: bool, gpus: u32) -> Option<(Framework, Zero)> {
    let name = row["framework"].as_str();
    let compiled = row["sw_flags"].contains("compile");
    let framework = match name {
        "Megatron-DeepSpeed" => Framework::MegatronDeepSpeed,
        name if name.starts_with("Megatron-LM") || name.starts_with("Megatron-SWIFT") => {
            Framework::MegatronCore
        }
        "torchtitan" | "torchtune" if compiled => Framework::Torchtitan,
        "torchtitan" | "torchtune" => Framework::FsdpEager,
        "LitGPT" => Framework::FsdpEager,
        name if name.starts_with("fsdp_qlora") => Framework::HuggingFace,
        name if name.starts_with("ms-swift") => Framework::DeepSpeed,
        name if name.starts_with("HF Transformers") => {
            // Full fine-tuning runs under DeepSpeed in this recipe; its stage by GPU count.
            let stage = match (row["zero_or_fsdp"].as_str(), lora, gpus) {
                // The 4-bit scripts run under DeepSpeed, the other ones on one GPU do not.
                (_, true, 1) if row["kind"] == "qlora" => Zero::Gradients,
                (_, true, 1) => return Some((Framework::HuggingFace, zero)),
                ("" | "0", false, 1) => Zero::Gradients,
                ("", false, _) => Zero::Weights,
                _ => zero,
            };
            return Some((Framework::DeepSpeed, stage));
        }
        _ => return None,
    };
    Some((framework, zero))
}

fn stack(row: &Row, run: &mut Run, full_recompute: bool) {
    let name = row["framework"].as_str();
    let flag = |name: &str| row["sw_flags"].split('+').any(|flag| flag == name);
    let lora = row["kind"].contains("lora");
    let pure = flag("pure_bf16")
        || name == "LitGPT"
        || name.starts_with("fsdp_qlora")
        || (name == "torchtune" && lora);
    run.job.precision = match row["precision"].as_str() {
        _ if pure => Precision::PureBf16,
        "fp8" => Precision::Fp8Mixed,
        _ => Precision::Bf16Mixed,
    };
    if row["flash_attention"] == "y" {
        run.stack.attention = AttentionKernel::Flash2;
    }
    if name == "Megatron-DeepSpeed" {
        run.stack.fp32_gradients = row["precision"] == "bf16";
    }
    if name == "torchtune" && (flag("chunked_ce") || full_recompute) {
        run.stack.loss = LossPath::Chunked;
    }
    if name.starts_with("HF Transformers") && run.layout.framework == Framework::HuggingFace {
        run.stack.loss = LossPath::HuggingFaceBf16;
    }
}

/// Ranks and targets of the recipes (STUDY_MEMORY.md 7).
fn adapters(row: &Row) -> f64 {
    let (h, f) = (number(row, "hidden"), number(row, "ffn_hidden"));
    let key = h * number(row, "kv_heads") / number(row, "heads");
    let name = row["framework"].as_str();
    let per_layer = if name.starts_with("fsdp_qlora") {
        64.0 * (2.0 * h + 2.0 * (h + key) + 3.0 * (h + f))
    } else if name.starts_with("HF Transformers") {
        64.0 * (4.0 * h + 2.0 * h + 3.0 * (h + f))
    } else if name == "torchtune" {
        8.0 * (4.0 * h + (h + key) + 3.0 * (h + f))
    } else if name == "LitGPT" {
        32.0 * (2.0 * h + (h + key))
    } else {
        16.0 * (4.0 * h + 2.0 * (h + key) + 3.0 * (h + f))
    };
    per_layer * number(row, "layers")
}

fn model(row: &Row) -> Model {
    let name = row["model"].as_str();
    if name.starts_with("DeepSeek-V3") {
        return deepseek_v3(integer(row, "layers"));
    }
    let plain = ["BLOOM", "Falcon", "Phi", "StableLM"].iter().any(|word| name.contains(word));
    let tied = ["BLOOM", "Llama-3.2"].iter().any(|word| name.contains(word));
    dense(&Shape {
        layers: integer(row, "layers"),
        hidden: integer(row, "hidden"),
        heads: integer(row, "heads"),
        kv_heads: integer(row, "kv_heads"),
        ffn: integer(row, "ffn_hidden"),
        vocab: integer(row, "vocab"),
        gated: !plain,
        tied,
        rotary: !name.contains("BLOOM"),
    })
}

fn accelerator(name: &str) -> Option<&'static str> {
    let known = [
        ("A100-SXM4-80GB", "a100-sxm-80g"),
        ("A800-SXM4-80GB", "a800-sxm-80g"),
        ("A10G", "a10g"),
        ("B200", "b200-sxm"),
        // 96 GB of HBM2e; the closest size of the catalog.
        ("H100-96GB", "gh200-96g"),
        ("RTX3090", "rtx-3090"),
        ("RTX4090", "rtx-4090"),
    ];
    known.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, id)| *id)
}
