//! The program as its users run it.

#![expect(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// Runs the program in the root of the repository.
fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_meshwright"));
    command.current_dir(root()).args(arguments).output().unwrap()
}

#[track_caller]
fn json(arguments: &[&str], status: &[i32]) -> Value {
    let output = run(arguments);
    let code = output.status.code().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(status.contains(&code), "{code}: {errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
fn refused(arguments: &[&str], line: &str) {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("meshwright: {line}\n"));
    assert!(output.stdout.is_empty());
}

#[test]
fn help_and_version_succeed() {
    for argument in ["--help", "--version"] {
        let output = run(&[argument]);
        assert!(output.status.success());
        assert!(output.stdout.starts_with(b"meshwright"));
    }
}

#[test]
fn model_counts_every_sample_exactly() {
    let expected = std::fs::read(root().join("tests/samples/hf_configs/expected.json")).unwrap();
    let expected: Value = serde_json::from_slice(&expected).unwrap();
    for (file, row) in expected.as_object().unwrap() {
        let path = format!("tests/samples/hf_configs/{file}");
        let read = json(&["model", &path], &[0]);
        let (got, want) = (read["params_total"].as_f64(), row["text_params"].as_f64());
        let tolerance = row["tolerance_rel"].as_f64().unwrap_or(0.0);
        let error = (got.unwrap() / want.unwrap() - 1.0).abs();
        assert!(error <= tolerance, "{file}: {got:?} instead of {want:?}");
        assert!(read["assumptions"].is_array());
    }
}

/// A file that cannot be counted: what it states, the reason, status 2.
#[test]
fn model_outlines_what_it_cannot_count() {
    let path = scratch("outline").join("config.json");
    let config = r#"{"model_type": "new_one", "llm_config": {"num_hidden_layers": 4,
        "hidden_size": 512, "num_attention_heads": 8, "num_key_value_heads": 2}}"#;
    std::fs::write(&path, config).unwrap();
    let output = run(&["model", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(printed["refusal"].as_str().unwrap().contains("new_one"), "{printed}");
    assert_eq!(printed["outline"]["layers"]["from"], "llm_config.num_hidden_layers");
    // 2 × 4 layers × 2 heads × 64 × 2 bytes.
    assert_eq!(printed["kv"]["bytes_per_token_16_bit"].as_f64(), Some(2048.0));
    assert!(String::from_utf8(output.stderr).unwrap().contains("new_one"));
}

#[test]
fn plan_answers_each_example_with_the_keys_of_the_contract() {
    for name in ["llama2-70b-2x8-a100", "llama2-7b-8x4090", "deepseek-v3-256x8-h800"] {
        let plan = json(&["plan", &format!("examples/{name}.yaml"), "--json"], &[0]);
        assert!(["fits", "tight"].contains(&plan["verdict"].as_str().unwrap()), "{name}");
        for key in ["tp", "pp", "vpp", "cp", "ep", "dp", "zero", "micro_batch", "recompute"] {
            assert!(!plan["layout"][key].is_null(), "{name}: {key}");
        }
        let step = &plan["step_time_s"];
        assert!(step["p10"].as_f64() <= step["p50"].as_f64(), "{name}");
        assert!(step["p50"].as_f64() <= step["p90"].as_f64(), "{name}");
        for key in ["mfu_pct", "peak_memory_gib"] {
            assert!(plan[key].as_f64().unwrap() > 0.0, "{name}: {key}");
        }
        for key in ["by_stage", "traffic", "cost", "findings"] {
            assert!(plan[key].is_array(), "{name}: {key}");
        }
        assert!(plan["searched"]["legal"].as_u64().unwrap() > 0, "{name}");
        assert!(plan["searched"]["rejected_by_gate"].is_object(), "{name}");
    }
}

#[test]
fn rules_are_listed_with_both_languages_and_a_source() {
    let listed = json(&["rules", "--json"], &[0]);
    let rules = listed.as_array().unwrap();
    assert!(rules.len() > 80);
    for rule in rules {
        for key in ["id", "require", "en", "zh", "source", "severity", "field"] {
            assert!(!rule[key].as_str().unwrap().is_empty(), "{rule}: {key}");
        }
    }
    let text = String::from_utf8(run(&["rules"]).stdout).unwrap();
    assert!(text.contains("vLLM (vllm, "));
}

#[test]
fn pins_that_break_rules_show_each_in_text_and_json() {
    let example = std::fs::read_to_string(root().join("examples/llama2-70b-2x8-a100.yaml"));
    let pinned = example.unwrap().replace("price:\n", "pins: {tp: 6}\nprice:\n");
    let file = scratch("rules").join("pinned.yaml");
    std::fs::write(&file, pinned).unwrap();
    let path = file.to_str().unwrap();
    let plan = json(&["plan", path, "--json"], &[1]);
    let found: Vec<_> = plan["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["code"] == "rule-broken")
        .collect();
    assert!(found.len() >= 3, "{found:#?}");
    let heads = &found[1]["evidence"];
    assert_eq!(heads["rule"]["value"]["zh"], "64 个注意力头不能被 TP 6 整除");
    assert_eq!(heads["nearest"]["value"][0]["below"], 4);
    assert_eq!(heads["nearest"]["value"][0]["above"], 8);
    let errors = String::from_utf8(run(&["plan", path]).stderr).unwrap();
    assert!(
        errors.contains(
            "block: rule broken (tp): 64 attention heads are not divisible by TP 6: \
             tools Megatron-Core, torchtitan, nearest TP 4 or 8"
        ),
        "{errors}"
    );
}

#[test]
fn bad_input_is_refused_in_one_line() {
    refused(&["plan", "no.yaml"], "no.yaml: no such file; check the path");
    refused(
        &["plan", "rustfmt.toml"],
        "rustfmt.toml: line 1: not a project; the first line is `meshwright: 1`",
    );
    refused(
        &["model", "examples/llama2-7b-8x4090.yaml"],
        "examples/llama2-7b-8x4090.yaml: line 1, column 1: a value is expected; check the JSON there",
    );
    refused(&["acceptance", "x"], "acceptance: not built yet; see meshwright --help");
}

#[test]
fn an_impossible_pin_is_status_one_and_names_the_gate() {
    let folder = scratch("pin");
    let example = std::fs::read_to_string(root().join("examples/llama2-70b-2x8-a100.yaml"));
    let pinned = example.unwrap().replace("price:\n", "pins: {tp: 3}\nprice:\n");
    let path = folder.join("pinned.yaml");
    std::fs::write(&path, pinned).unwrap();
    let output = run(&["plan", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let findings = String::from_utf8(output.stderr).unwrap();
    assert!(
        findings.contains("block: rule broken (tp): 16 GPUs are not a multiple of TP 3"),
        "{findings}"
    );
    assert!(String::from_utf8(output.stdout).unwrap().contains("invalid"));
}

#[test]
fn an_out_of_memory_message_is_explained() {
    let folder = scratch("oom");
    let path = folder.join("log.txt");
    let project = "examples/llama2-70b-2x8-a100.yaml";
    let plan = json(&["plan", project, "--json"], &[0]);
    let layout = &plan["layout"];
    let number = |key: &str| layout[key].as_f64().unwrap();
    // The hidden states of a micro-batch: what each layer allocates.
    let bytes = number("micro_batch") * 4096.0 / number("cp") * 8192.0 * 2.0;
    let tried = (bytes / 2_097_152.0).ceil() * 2.0;
    let log = format!("rank 3: CUDA out of memory. Tried to allocate {tried:.2} MiB. GPU 3 has");
    std::fs::write(&path, log).unwrap();
    let message = path.to_str().unwrap();
    let explained = json(&["oom", project, message, "--json"], &[0]);
    assert_eq!(explained["message"]["place"], "device");
    assert_eq!(explained["message"]["gpu"], 3);
    assert_eq!(explained["matches"][0]["nearness"], "same", "{explained}");
    let text = String::from_utf8(run(&["oom", project, message]).stdout).unwrap();
    assert!(text.contains("bytes per element 2"), "{text}");
    std::fs::write(&path, "all went well").unwrap();
    let output = run(&["oom", project, message]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn cases_are_scored_with_the_keys_of_the_contract() {
    let table = "data/cases/cases.csv";
    let score =
        json(&["score", "cases", table, "--models", "data/cases/models.csv", "--json"], &[0, 1]);
    for kind in ["a", "b", "c", "d", "e", "f", "g", "h", "i"] {
        let kind = &score["kinds"][kind];
        let number = |key: &str| kind[key].as_u64().unwrap();
        let parts = number("passed") + number("failed") + number("not_expressible");
        assert_eq!(number("checks"), parts);
    }
    for row in score["rows"].as_array().unwrap() {
        assert!(row["id"].is_string() && row["check"].is_string(), "{row}");
        assert!(row["ok"].is_boolean() || row["why"].is_string(), "{row}");
    }
    refused(&["score", "cases", table], "--models: missing; see meshwright --help");
    let output = run(&["score", "cases", table, "--models", table]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn every_target_writes_its_files() {
    let list = String::from_utf8(run(&["export", "--list"]).stdout).unwrap();
    assert!(list.lines().count() >= 3, "{list}");
    for target in list.lines().filter_map(|line| line.split_whitespace().next()) {
        let folder = scratch(target);
        let out = folder.to_str().unwrap();
        let project = "examples/llama2-70b-2x8-a100.yaml";
        let output = run(&["export", project, "--target", target, "--out", out]);
        assert!(output.status.success(), "{target}");
        let names = String::from_utf8(output.stdout).unwrap();
        assert!(names.lines().count() > 0, "{target}");
        for name in names.lines() {
            assert!(!std::fs::read_to_string(name).unwrap().is_empty(), "{name}");
        }
    }
    let project = "examples/llama2-70b-2x8-a100.yaml";
    let output = run(&["export", project, "--target", "x", "--out", "."]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("meshwright: x: no such target; use one of "), "{error}");
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An empty folder of this test run.
fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn topology_files_are_read_by_content() {
    let folder = "tests/samples/topology";
    let one = json(&["topology", &format!("{folder}/smi_h20_bonds_tabs.txt")], &[0]);
    assert_eq!(one["nearest_nics"]["GPU7"]["nics"][0], "NIC4");
    let (tree, block) = (format!("{folder}/slurm_tree.conf"), format!("{folder}/slurm_block.conf"));
    let two = json(&["topology", &tree, &block], &[0]);
    assert_eq!((&two[0]["nodes"], &two[1]["nodes"]), (&44.into(), &72.into()));
    assert_eq!(run(&["topology", "Cargo.toml"]).status.code(), Some(2));
}
