//! The table as it is read: every bad row names itself.

use std::collections::BTreeSet;
use std::fs;

use super::{rules, tools};

#[path = "../../../build/rules/expression.rs"]
mod expression;
#[path = "../../../build/rules/row.rs"]
mod row;
#[path = "../../../build/rules/source.rs"]
mod source;

/// Changes one text of the table and expects the reader to refuse it with this message.
#[track_caller]
fn refused(from: &str, to: &str, message: &str) {
    let path = format!("{}/../../data/rules.toml", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "the table has no {from:?}");
    let error = source::source(&text.replacen(from, to, 1)).unwrap_err();
    assert!(error.starts_with(message), "{error}");
}

#[test]
fn a_bad_rule_names_itself() {
    let require = "require = \"heads % tp == 0\"";
    refused(
        require,
        "require = \"heds % tp == 0\"",
        "rule `heads-tp`: field `require` names the unknown quantity `heds`",
    );
    refused(require, "require = \"heads % == 0\"", "rule `heads-tp`: field `require` has `==`");
    refused(require, "require = \"(heads\"", "rule `heads-tp`: field `require` needs `)`");
    refused(require, "require = \"heads tp\"", "rule `heads-tp`: field `require` does not go on");
    refused(require, "require = \"gcd(heads, tp)\"", "rule `heads-tp`: field `require` calls the");
    refused(
        require,
        "require = \"heads # tp\"",
        "rule `heads-tp`: field `require` has the unknown",
    );
    refused(
        require,
        "require = \"99999999999999999999\"",
        "rule `heads-tp`: field `require` has the bad",
    );
    refused(require, "require = \"heads % pp == 0\"", "rule `heads-tp`: field `vary` names `tp`");
    refused(require, "", "rule `heads-tp`: missing field `require`");
    let english = "en = \"{heads} attention heads are not divisible by TP {tp}\"";
    refused(english, "", "rule `heads-tp`: missing field `en`");
    refused(english, "en = \" \"", "rule `heads-tp`: field `en` is empty");
    refused(english, "en = \"{heads} and TP {tp\"", "rule `heads-tp`: field `en` opens `{`");
    refused(
        english,
        "en = \"{heads}\"",
        "rule `heads-tp`: `en` and `zh` show different quantities",
    );
    let chinese = "zh = \"{heads} 个注意力头不能被 TP {tp} 整除\"";
    refused(chinese, "", "rule `heads-tp`: missing field `zh`");
    refused(
        "id = \"heads-tp\"\n",
        "id = \"heads-tp\"\nwhy = \"\"\n",
        "rule `heads-tp`: unknown field",
    );
    refused("id = \"heads-tp\"", "id = \"ffn-tp\"", "rule `ffn-tp`: field `id` is not unique");
}

#[test]
fn a_bad_quantity_or_tool_names_itself() {
    refused(
        "derive = \"tp\"\n",
        "derive = \"local_batch\"\n",
        "fact `etp`: field `derive` names the later row `local_batch`",
    );
    refused("like = [\"deepspeed\"]", "like = [\"deep\"]", "tool `deepspeed-json`: field `like`");
    refused("{ etp = 1 }", "{ etpp = 1 }", "tool `ms-swift`: field `defaults` names the unknown");
    refused("id = \"pp\"", "id = \"tp\"", "fact `tp`: field `id` is not unique");
    refused("source = \"vllm config/parallel.py (keys 8)\"\n", "", "rule `serving-world`: missing");
    refused("\"vllm\", \"sglang\"]\nversions", "\"vlm\"]\nversions", "rule");
}

/// Rows of the file are not counted by hand anywhere else.
#[test]
fn every_tool_of_the_issue_has_rules() {
    for id in [
        "megatron-core",
        "deepspeed",
        "torchtitan",
        "accelerate",
        "llama-factory",
        "ms-swift",
        "axolotl",
        "vllm",
        "sglang",
        "tensorrt-llm",
        "transformers",
        "ulysses",
    ] {
        let tool = super::Tool::named(id).unwrap();
        let own =
            rules().iter().filter(|rule| rule.concerns(tool) && !rule.id.starts_with("bound-"));
        assert!(own.count() >= 3, "{id}");
    }
    let ids: BTreeSet<_> = tools().iter().map(|tool| tool.id).collect();
    assert_eq!(ids.len(), tools().len());
}
