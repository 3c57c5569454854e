//! The published table, other input of the same kinds, and broken tables.

use super::*;

const CASES: &str = include_str!("../../../../../data/cases/cases.csv");
const MODELS: &str = include_str!("../../../../../data/cases/models.csv");

/// Checks that pass of each kind, at least; raise them with the engine.
const PASSED: [(&str, usize); 2] = [("a", 50), ("i", 4)];

#[test]
fn reported_situations_are_met() {
    let score = score(CASES, MODELS).unwrap();
    println!("{}", score.table());
    assert_eq!(score.rows.len(), 229);
    for (kind, least) in PASSED {
        let passed = score.kinds[kind].passed;
        assert!(passed >= least, "kind {kind}: {passed} checks passed, {least} before");
    }
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
    for value in ["-1", "1e300", "\"\"🙂\"\"", "[]", "{}", "0", "null"] {
        for field in ["model", "gpu", "gpus", "tp", "seq", "micro_batch", "precision", "fsdp"] {
            let text = format!(
                "id,kind,input_json,checks_json\nA,a,\"{{\"\"{field}\"\":{value}}}\",\
                 \"[{{\"\"q\"\":\"\"verdict\"\",\"\"op\"\":\"\"==\"\",\"\"v\"\":\"\"FIT\"\"}}]\"\n"
            );
            assert_eq!(score(&text, MODELS).unwrap().rows.len(), 1, "{field} {value}");
        }
    }
}
