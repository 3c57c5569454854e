//! The published table, other input of the same kinds, and broken tables.

use super::*;

const CASES: &str = include_str!("../../../../../data/cases/cases.csv");
const MODELS: &str = include_str!("../../../../../data/cases/models.csv");

/// Kinds that must be met in full, and bars of the others, in percent of the checks.
const BARS: [(&str, f64); 6] =
    [("a", 95.0), ("b", 95.0), ("c", 100.0), ("g", 100.0), ("h", 100.0), ("i", 94.0)];

/// Counted checks that are not met, with the reason; a check that is met must be taken out.
const MISSES: [(&str, &str, &str); 4] = [
    ("A01", "gpu_peak_gib in [9,17] [offload]", "GPU buffers of ZeRO 3 with offload"),
    ("A22", "gpu_peak_gib in [62,79] [small]", "activations of experts under FSDP2"),
    ("A22", "mfu_pct in [15,30] [small]", "time of experts under FSDP2: 31.4 %"),
    ("I01", "gpu_peak_gib in [8,24] [full]", "GPU buffers of ZeRO 3 with offload"),
];

#[test]
fn reported_situations_are_met() {
    let score = score(CASES, MODELS).unwrap();
    println!("{}", score.table());
    assert_eq!(score.rows.len(), 229);
    for (kind, bar) in BARS {
        let report::Kind { checks, passed, .. } = score.kinds[kind];
        let share = 100.0 * f64::from(u32::try_from(passed).unwrap())
            / f64::from(u32::try_from(checks).unwrap());
        assert!(share >= bar, "kind {kind}: {passed} of {checks} checks are met");
    }
    let counted = |row: &&report::Row| report::COUNTED.contains(&row.kind.as_str());
    let missed: Vec<(&str, &str)> = score
        .rows
        .iter()
        .filter(counted)
        .filter(|row| row.ok != Some(true))
        .map(|row| (row.id.as_str(), row.check.as_str()))
        .collect();
    let known: Vec<(&str, &str)> = MISSES.iter().map(|(id, check, _)| (*id, *check)).collect();
    assert_eq!(missed, known);
}

/// Rows of one's own: input, quantity, operator and value; arithmetic or a rule gives each.
const OTHERS: [(&str, &str, &str, &str); 26] = [
    // 16 bytes × 6.738e9 / 4.
    (
        r#"{"model":"meta-llama/Llama-2-7b","gpus":4,"zero":3,"optimizer":"adamw","job":"sft","precision":"bf16-mixed"}"#,
        "state_gb_per_gpu",
        "==",
        "26.95",
    ),
    (
        r#"{"model":{"params":3e9},"gpus":2,"fsdp":"full_shard","job":"full-sft","precision":"pure-bf16"}"#,
        "state_gb_per_gpu",
        "==",
        "12.0",
    ),
    (
        r#"{"model":{"params":13e9},"gpus":8,"job":"lora","gpu":"RTX4090-24GB","seq_len":512,"batch_size":1,"zero":0}"#,
        "verdict",
        "==",
        "\"OOM\"",
    ),
    (
        r#"{"model":{"params":13e9},"gpus":8,"job":"lora","gpu":"L40S-48GB","seq":512,"micro_batch":1,"zero":0}"#,
        "verdict",
        "in",
        "[\"FIT\",\"WARN\"]",
    ),
    (r#"{"distributed_optimizer":true,"dp":4,"grads":"fp32"}"#, "state_bytes_per_param", "==", "9"),
    // 8 × 16 heads × 2048² × 4 bytes.
    (
        r#"{"model":{"hidden":2048,"layers":24,"heads":16,"vocab":50000},"gpus":1,"micro_batch":8,"seq":2048,"flash_attention":false}"#,
        "attention_scores_gib",
        "==",
        "2",
    ),
    (
        r#"{"model":"Qwen/Qwen2.5-7B-Instruct","gpus":1,"tp":1,"seq":8192,"micro_batch":2}"#,
        "logits_fp32_copy_gb",
        "==",
        "9.966",
    ),
    (
        r#"{"model":{"params":7e9},"gpus":1,"gpu":"TITAN-12GB","job":"full-sft"}"#,
        "verdict",
        "==",
        "\"OOM\"",
    ),
    (
        r#"{"model":"meta-llama/Llama-2-7b","gpus":8,"zero":"z3","precision":"bf16-amp","optim":"paged_adamw_8bit"}"#,
        "optimizer_gb",
        "==",
        "5.05",
    ),
    (
        r#"{"model":{"params":7e9},"gpus":8,"fsdp":true,"attention":"eager","heads":32,"seq":1024}"#,
        "state_gb_per_gpu",
        "==",
        "14",
    ),
    (r#"{"model":"google/gemma-2-27b-it","gpus":1}"#, "params_b", "==", "27.2"),
    (r#"{"framework":"vllm","heads":40,"kv_heads":8,"tp":16}"#, "verdict", "==", "\"INVALID\""),
    (r#"{"framework":"megatron","layers":61,"pp":4}"#, "message", "contains", "\"61\""),
    (r#"{"framework":"vllm","heads":56,"kv_heads":8}"#, "valid_tp<=8", "==", "[1,2,4,8]"),
    (r#"{"framework":"megatron","gpus":128,"tp":8,"pp":4,"cp":2}"#, "dp", "==", "2"),
    (
        r#"{"framework":"deepspeed","global_batch":100,"micro_batch":3,"gpus":8}"#,
        "nearest_valid_gbs",
        "contains",
        "96",
    ),
    (r#"{"framework":"megatron","pp":4,"vpp":2,"microbatches":8}"#, "bubble_pct", "==", "15.79"),
    (
        r#"{"model":"Qwen/Qwen2.5-72B","engine":"vllm","tp":3,"gpu":"H100-80GB"}"#,
        "verdict",
        "==",
        "\"INVALID\"",
    ),
    (
        r#"{"config":{"llm_config":{"num_hidden_layers":28,"hidden_size":1024,"num_attention_heads":16}}}"#,
        "layers",
        "==",
        "28",
    ),
    (
        r#"{"config":{"num_hidden_layers":40,"num_key_value_heads":8,"head_dim":128,"num_attention_heads":40,"hidden_size":5120},"kv_dtype":"fp8"}"#,
        "kv_bytes_per_token",
        "==",
        "81920",
    ),
    (
        r#"{"config":{"hidden_size":1000,"num_attention_heads":48,"num_hidden_layers":4}}"#,
        "verdict",
        "==",
        "\"ERROR\"",
    ),
    (
        r#"{"model":"mistralai/Mistral-7B-v0.1","kv_dtype":"bf16","max_len":4096}"#,
        "kv_gib_needed",
        "==",
        "0.5",
    ),
    (
        r#"{"model":{"params":70e9},"job":"serve","precision":"bf16","gpu":"A100-80GB","gpus":1}"#,
        "verdict",
        "==",
        "\"OOM\"",
    ),
    (
        r#"{"model":{"params":70e9},"job":"serve","precision":"bf16","gpu":"A100-80GB","gpus":4}"#,
        "verdict",
        "==",
        "\"FIT\"",
    ),
    (
        r#"{"model":{"params":70e9},"job":"serve","precision":"int4","gpu":"RTX4090-24GB"}"#,
        "min_gpus",
        "==",
        "2",
    ),
    (
        r#"{"items":[{"name":"a","usd_h":1.5},{"name":"b","usd_month":365}]}"#,
        "total_usd_h",
        "==",
        "2",
    ),
];

#[test]
fn other_input_of_the_same_kinds_works_as_well() {
    let mut wrong = Vec::new();
    for (input, quantity, operator, value) in OTHERS {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let checks = format!(r#"[{{"q":"{quantity}","op":"{operator}","v":{value},"tol_pct":1}}]"#);
        let text =
            format!("id,kind,input_json,checks_json\nZ,a,{},{}\n", quoted(input), quoted(&checks));
        let score = score(&text, MODELS).unwrap();
        let row = &score.rows[0];
        if row.ok != Some(true) {
            wrong.push(format!("{input}: {row:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_answer_knows_no_case() {
    let renamed = CASES.replace("\nA", "\nX").replace("\nI", "\nY");
    let answers = |text: &str| -> Vec<String> {
        score(text, MODELS).unwrap().rows.iter().map(|row| row.got.to_string()).collect()
    };
    assert_eq!(answers(CASES), answers(&renamed));
}

#[test]
fn broken_tables_are_refused_with_the_line() {
    let refused = |text: &str| score(text, MODELS).unwrap_err().to_string();
    assert!(refused("id,kind\nA,a\n").contains("input_json"));
    let with = |input: &str, checks: &str| {
        format!("id,kind,input_json,checks_json\nA,a,\"{input}\",\"{checks}\"\n")
    };
    assert!(refused(&with("{", "[]")).starts_with("line 2: input_json: "));
    assert!(refused(&with("{}", "{}")).starts_with("line 2: checks_json: "));
    assert!(refused(&with("{\"\"variants\"\":[{}]}", "[]")).contains("no id"));
    assert!(cases(CASES, "model,hidden\nx,y\n", false).is_err());
}

#[test]
fn nonsense_is_not_expressible_and_never_fatal() {
    let values = ["-1", "1e300", "\"\"🙂\"\"", "[]", "{}", "0", "null", "4294967295", "0.5"];
    let fields =
        ["model", "gpu", "gpus", "tp", "seq", "micro_batch", "precision", "fsdp", "params"];
    let quantities = ["verdict", "state_gib_per_gpu", "min_gpus", "max_seq", "kv_gib_needed", "dp"];
    for value in values {
        for field in fields {
            let checks: Vec<String> = quantities
                .iter()
                .map(|q| format!("{{\"\"q\"\":\"\"{q}\"\",\"\"op\"\":\"\"==\"\",\"\"v\"\":1}}"))
                .collect();
            let text = format!(
                "id,kind,input_json,checks_json\nA,a,\"{{\"\"{field}\"\":{value}}}\",\"[{}]\"\n",
                checks.join(",")
            );
            let rows = score(&text, MODELS).unwrap().rows;
            assert_eq!(rows.len(), quantities.len(), "{field} {value}");
        }
    }
}

#[test]
fn sizes_beyond_reason_are_refused_at_once() {
    let large = "999999999";
    for fields in [
        ["tp", "dp"],
        ["pp", "gpus"],
        ["pp", "vpp"],
        ["cp", "micro_batch"],
        ["gpus", "gpus_per_node"],
        ["seq", "micro_batch"],
        ["nodes", "gpus_per_node"],
        ["ep", "etp"],
        ["max_len", "tp"],
    ] {
        let input: String = fields.map(|field| format!(",\"\"{field}\"\":{large}")).concat();
        for q in ["verdict", "gpu_peak_gib", "min_gpus", "busbw_gb_s", "step_time_s", "max_seq"] {
            let text = format!(
                "id,kind,input_json,checks_json\nA,a,\"{{\"\"model\"\":\"\"meta-llama/Llama-2-7b\"\"\
                 {input}}}\",\"[{{\"\"q\"\":\"\"{q}\"\",\"\"op\"\":\"\"==\"\",\"\"v\"\":1}}]\"\n"
            );
            assert_eq!(score(&text, MODELS).unwrap().rows.len(), 1, "{fields:?} {q}");
        }
    }
}
