//! `meshwright score cases`: situations that people reported, with what was established there.
//!
//! A row is an input in its own vocabulary and checks on named quantities. [`fields`] reads the
//! vocabulary, [`run`] and [`machine`] turn it into the planner's own types, and
//! [`quantities`] gives what the planner says for a quantity by its name; no row is known here.
//! What cannot be said is reported with the reason, never guessed.

mod check;
mod fields;
mod layout;
mod machine;
mod models;
mod quantities;
mod quantity;
mod recipe;
mod report;
mod run;
mod shapes;
mod table;

use super::ScoreError;
use models::Models;

/// Scores a table of cases; the result as text or JSON, and whether all counted checks passed.
pub(crate) fn cases(
    cases_csv: &str,
    models_csv: &str,
    json: bool,
) -> Result<(String, bool), ScoreError> {
    let score = score(cases_csv, models_csv)?;
    let text = if json { serde_json::to_string_pretty(&score)? } else { score.table() };
    Ok((text, score.passed()))
}

fn score(cases_csv: &str, models_csv: &str) -> Result<report::Score, ScoreError> {
    let models = Models::read(models_csv)?;
    let mut score = report::Score::default();
    for case in table::read(cases_csv)? {
        score.add(&case, &models);
    }
    Ok(score)
}

#[cfg(test)]
mod tests;
