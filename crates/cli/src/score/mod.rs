//! `meshwright score`: [`training`] sets the estimates against a table of measured runs,
//! [`cases()`] against reported situations.
//!
//! A prediction is made from configuration columns alone ([`row::Configuration`]); measured
//! columns are read afterwards, to compare. Rows that the planner's inputs cannot express are
//! listed with the reason.

mod cases;
mod jobs;
mod machines;
mod memory;
mod memory_score;
mod models;
mod predict;
mod report;
mod row;
mod stats;

use thiserror::Error;

pub(crate) use cases::cases;
use predict::Prediction;
use row::{Configuration, Measured, Row};

/// Why a table cannot be scored.
#[derive(Debug, Error)]
pub(crate) enum ScoreError {
    #[error("line {line}: {cause}; expected the columns of training_measured.csv")]
    Csv { line: u64, cause: String },
    #[error("the table has no column {column}; expected the columns of training_measured.csv")]
    Column { column: &'static str },
    #[error("line {line}: {cause}; expected the columns of cases.csv")]
    CasesCsv { line: u64, cause: String },
    #[error("the table has no column {column}; expected the columns of cases.csv")]
    CasesColumn { column: &'static str },
    #[error("line {line} of the models: {cause}; expected the columns of models.csv")]
    ModelsCsv { line: u64, cause: String },
    #[error("the result cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Scores every row of a table; the result as text for people or as JSON.
pub(crate) fn training(csv_text: &str, json: bool) -> Result<String, ScoreError> {
    let outcomes: Vec<Outcome> = rows(csv_text)?.into_iter().map(Outcome::of).collect();
    let score = report::Score::of(&outcomes);
    if json { Ok(serde_json::to_string_pretty(&score)?) } else { Ok(score.table()) }
}

/// A row with what the planner said about it.
#[derive(Clone, Debug)]
struct Outcome {
    row: Row,
    prediction: Result<Prediction, row::Inexpressible>,
    peak: Result<memory::Peak, row::Inexpressible>,
}

impl Outcome {
    fn of(row: Row) -> Self {
        Self { prediction: predict::predict(&row.configuration), peak: memory::predict(&row), row }
    }

    /// Why something that the row states cannot be compared: its step time, its peak, or, where
    /// it states neither, its configuration.
    fn refusal(&self) -> Option<&row::Inexpressible> {
        let measured = &self.row.measured;
        let time = self.prediction.as_ref().err();
        let peak = self.peak.as_ref().err();
        match (measured.has_time(), measured.has_memory()) {
            (true, true) => time.or(peak),
            (true, false) => time,
            (false, true) => peak,
            (false, false) => time.and(peak),
        }
    }

    /// Measured step time and prediction of a row that counts.
    fn scored(&self) -> Option<(f64, &Prediction)> {
        let prediction = self.prediction.as_ref().ok()?;
        let measured = Measured::number(&self.row.measured.step_time_derived_s)?;
        self.row.measured.scored().then_some((measured, prediction))
    }
}

fn rows(csv_text: &str) -> Result<Vec<Row>, ScoreError> {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(csv_text.trim_start_matches('\u{feff}').as_bytes());
    let headers = reader
        .headers()
        .map_err(|error| ScoreError::Csv { line: 1, cause: error.to_string() })?
        .clone();
    for column in ["id", "family", "model", "gpu", "n_gpus", "step_time_derived_s"] {
        if !headers.iter().any(|header| header == column) {
            return Err(ScoreError::Column { column });
        }
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let failed = |error: &csv::Error, line| ScoreError::Csv { line, cause: error.to_string() };
        let record = record
            .map_err(|error| failed(&error, error.position().map_or(0, csv::Position::line)))?;
        let line = record.position().map_or(0, csv::Position::line);
        let configuration: Configuration =
            record.deserialize(Some(&headers)).map_err(|error| failed(&error, line))?;
        let measured: Measured =
            record.deserialize(Some(&headers)).map_err(|error| failed(&error, line))?;
        rows.push(Row { line, configuration, measured });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests;
