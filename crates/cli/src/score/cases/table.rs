//! The rows of a table of cases: input, variants and checks.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::ScoreError;
use super::check::Check;
use super::fields::Fields;

/// One reported situation.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) variants: Vec<Variant>,
    pub(super) checks: Vec<Check>,
}

/// The common input with one overlay; the only one of a case without variants has no id.
#[derive(Debug)]
pub(super) struct Variant {
    pub(super) id: String,
    pub(super) fields: Fields,
}

#[derive(Deserialize)]
struct Record {
    id: String,
    kind: String,
    input_json: String,
    checks_json: String,
}

/// Reads a table; other columns than these four are for people.
pub(super) fn read(text: &str) -> Result<Vec<Case>, ScoreError> {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let failed = |line: u64, cause: String| ScoreError::CasesCsv { line, cause };
    let headers = reader.headers().map_err(|error| failed(1, error.to_string()))?.clone();
    for column in ["id", "kind", "input_json", "checks_json"] {
        if !headers.iter().any(|header| header == column) {
            return Err(ScoreError::CasesColumn { column });
        }
    }
    let mut cases = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| {
            failed(error.position().map_or(0, csv::Position::line), error.to_string())
        })?;
        let line = record.position().map_or(0, csv::Position::line);
        let record: Record =
            record.deserialize(Some(&headers)).map_err(|error| failed(line, error.to_string()))?;
        cases.push(case(record).map_err(|cause| failed(line, cause))?);
    }
    Ok(cases)
}

fn case(record: Record) -> Result<Case, String> {
    let json = |column: &str, text: &str| {
        serde_json::from_str::<Value>(text).map_err(|error| format!("{column}: {error}"))
    };
    let Value::Object(mut common) = json("input_json", &record.input_json)? else {
        return Err("input_json is not an object".to_owned());
    };
    let variants = match common.remove("variants") {
        None => vec![Variant { id: String::new(), fields: Fields::new(common) }],
        Some(Value::Array(overlays)) => overlays
            .into_iter()
            .map(|overlay| overlaid(&common, overlay))
            .collect::<Result<_, _>>()?,
        Some(_) => return Err("variants of input_json is not a list".to_owned()),
    };
    let checks = serde_json::from_str(&record.checks_json)
        .map_err(|error| format!("checks_json: {error}"))?;
    Ok(Case { id: record.id, kind: record.kind, variants, checks })
}

fn overlaid(common: &Map<String, Value>, overlay: Value) -> Result<Variant, String> {
    let Value::Object(mut overlay) = overlay else {
        return Err("a variant of input_json is not an object".to_owned());
    };
    let Some(Value::String(id)) = overlay.remove("id") else {
        return Err("a variant of input_json has no id".to_owned());
    };
    let mut fields = common.clone();
    fields.extend(overlay);
    Ok(Variant { id, fields: Fields::new(fields) })
}

impl Case {
    /// The variant with that id, or the first whose id starts with it.
    pub(super) fn variant(&self, id: &str) -> Option<&Variant> {
        self.variants
            .iter()
            .find(|variant| variant.id == id)
            .or_else(|| self.variants.iter().find(|variant| variant.id.starts_with(id)))
    }
}
