//! The rows of `data/rules.toml` as written.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

/// A named quantity of a proposal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FactRow {
    pub(crate) id: String,
    pub(crate) en: String,
    pub(crate) zh: String,
    /// Other spellings in cases and files.
    #[serde(default)]
    pub(crate) aliases: Vec<String>,
    /// The value where none is given, from quantities of earlier rows.
    pub(crate) derive: Option<String>,
    /// Smallest legal value.
    #[serde(default)]
    pub(crate) least: i64,
    /// 0 or 1.
    #[serde(default)]
    pub(crate) flag: bool,
}

/// A framework, serving engine or method.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolRow {
    pub(crate) id: String,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) aliases: Vec<String>,
    /// Tools whose rules hold here too.
    #[serde(default)]
    pub(crate) like: Vec<String>,
    /// Quantities that this tool sets where nothing is given.
    #[serde(default)]
    pub(crate) defaults: BTreeMap<String, i64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleRow {
    pub(crate) id: String,
    pub(crate) tools: Vec<String>,
    #[serde(default)]
    pub(crate) versions: String,
    pub(crate) when: Option<String>,
    pub(crate) require: String,
    #[serde(default)]
    pub(crate) vary: Vec<String>,
    /// Derived quantities told beside each proposed value.
    #[serde(default)]
    pub(crate) show: Vec<String>,
    pub(crate) field: String,
    pub(crate) en: String,
    pub(crate) zh: String,
    pub(crate) source: String,
    pub(crate) severity: Severity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Severity {
    Block,
    Warn,
}

/// All rows of `[[table]]`; a refusal names the row.
pub(crate) fn rows<T: DeserializeOwned>(document: &Table, table: &str) -> Result<Vec<T>, String> {
    let Some(Value::Array(values)) = document.get(table) else {
        return Err(format!("no table `{table}`"));
    };
    let mut rows = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let name = match value.get("id") {
            Some(Value::String(id)) => format!("`{id}`"),
            _ => format!("number {}", index + 1),
        };
        let row = value.clone().try_into().map_err(|error| {
            format!("{table} {name}: {}", error.to_string().trim().replace('\n', " "))
        })?;
        rows.push(row);
    }
    Ok(rows)
}
