//! What a user may state beside a layout reaches the launch files word for word, or is refused.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot read its files must fail")]

use launch::Refusal;

const BASE: &str = "
meshwright: 1
name: Variants
model: { preset: PRESET }
job: { kind: KIND, sequence: 2048, global_batch: 32, precision: bf16-mixed, JOB, tokens: 1e8 }
cluster:
  accelerator: h100-sxm
  nodes: 1
  gpus_per_node: 8
  intra: nvswitch
  nics_per_node: 8
  nic_gbps: 400
  fabric: infiniband
  rail_optimized: true
  host_memory_gib: 2048
pins: { PINS }
";

/// The model, the kind and the rest of the job, and the pins of a project.
struct Stated {
    preset: &'static str,
    kind: &'static str,
    job: &'static str,
    pins: &'static str,
}

/// All files of one target in one text.
fn files(stated: &Stated, target: &str) -> Result<String, Refusal> {
    let yaml = BASE
        .replace("PRESET", stated.preset)
        .replace("KIND", stated.kind)
        .replace("JOB", stated.job)
        .replace("PINS", stated.pins);
    let document = project::from_yaml(&yaml).unwrap();
    let inputs = document.inputs().unwrap();
    let answer = planner::answer::solve(&inputs);
    let export = launch::export(target, &document.name, &inputs, &answer)?;
    assert!(export.findings.is_empty(), "another layout than the stated one");
    Ok(export.files.into_iter().map(|file| file.text).collect())
}

#[track_caller]
fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn megatron_computes_modules_again() {
    let pins = "framework: megatron-core, recompute: layernorm-mlp";
    let dense = Stated { preset: "llama2-7b", kind: "pretrain", job: "optimizer: adamw", pins };
    let text = files(&dense, "megatron-slurm").unwrap();
    holds(&text, &["--recompute-granularity selective", "--recompute-modules layernorm mlp\n"]);
    assert!(!text.contains("--recompute-method"));
    let pods = files(&dense, "pytorchjob").unwrap();
    holds(&pods, &["- --recompute-modules\n", "- layernorm\n", "- mlp\n"]);
}

#[test]
fn megatron_names_the_optimizer() {
    let pins = "framework: megatron-core";
    let with = |job| {
        let stated = Stated { preset: "llama2-7b", kind: "pretrain", job, pins };
        files(&stated, "megatron-slurm").unwrap()
    };
    let small = with("optimizer: adamw-bf16");
    holds(
        &small,
        &["--use-distributed-optimizer", "--exp-avg-dtype bf16", "--exp-avg-sq-dtype bf16"],
    );
    let plain = with("optimizer: sgd");
    holds(&plain, &["--optimizer sgd", "--sgd-momentum 0"]);
    assert!(!plain.contains("--use-distributed-optimizer"));
    assert!(!with("optimizer: adamw").contains("--optimizer "));
}

#[test]
fn deepspeed_streams_from_drives_and_pods_refuse() {
    let pins = "framework: deepspeed, offload: optimizer-and-weights-nvme";
    let stated =
        Stated { preset: "llama2-7b", kind: "full-fine-tune", job: "optimizer: adamw", pins };
    let text = files(&stated, "deepspeed").unwrap();
    holds(
        &text,
        &[
            "\"stage\": 3",
            "\"offload_optimizer\": {\n      \"device\": \"nvme\",\n      \"nvme_path\": \"/local_nvme\"",
            "\"offload_param\": {\n      \"device\": \"nvme\"",
            "\"buffer_size\": 100000000",
            "test -w /local_nvme",
        ],
    );
    let refused = files(&stated, "pytorchjob").unwrap_err();
    assert!(matches!(refused, Refusal::CannotExpress { knob: "offload", .. }), "{refused}");
}

#[test]
fn adapters_are_those_of_the_job() {
    let pins = "framework: deepspeed, activation_offload: true";
    let stated = Stated {
        preset: "llama2-7b",
        kind: "lora",
        job: "optimizer: sgd, adapter: { rank: 64, base: nf4, dora: true }",
        pins,
    };
    let text = files(&stated, "deepspeed").unwrap();
    holds(
        &text,
        &[
            "--use_peft true",
            "--lora_r 64",
            "--use_dora true",
            "--load_in_4bit true",
            "--bnb_4bit_quant_type nf4",
            "--optim sgd",
            "--activation_offloading true",
        ],
    );
}

#[test]
fn what_no_framework_has_gives_no_plan() {
    let pins = "framework: torchtitan, recompute: mlp";
    let stated = Stated { preset: "llama2-7b", kind: "pretrain", job: "optimizer: adamw", pins };
    assert!(matches!(files(&stated, "pytorchjob"), Err(Refusal::NoPlan)));
    let pins = "framework: deepspeed";
    let job = "optimizer: adamw, adapter: { base: gptq4, dora: true }";
    let stated = Stated { preset: "llama2-7b", kind: "lora", job, pins };
    assert!(matches!(files(&stated, "deepspeed"), Err(Refusal::NoPlan)));
}
