//! `meshwright score`: the estimates against measured runs and reported situations.

use std::path::Path;

use crate::arguments::Form;
use crate::failure::Failure;
use crate::score::ScoreError;
use crate::{Outcome, output, score};

/// Bytes of a table of runs.
const LIMIT: usize = 64 << 20;

/// Scores the table in `file`.
pub(super) fn training(file: &Path, form: Form) -> Result<Outcome, Failure> {
    let text = output::read(file, LIMIT)?;
    let result = score::training(&text, form == Form::Json)
        .map_err(|error| Failure::plain(file.display().to_string(), error))?;
    output::text(&result)
}

/// Scores the situations in `file`, with the shapes of models in `models`.
pub(super) fn cases(file: &Path, models: &Path, form: Form) -> Result<Outcome, Failure> {
    let text = output::read(file, LIMIT)?;
    let shapes = output::read(models, LIMIT)?;
    let (result, passed) = score::cases(&text, &shapes, form == Form::Json).map_err(|error| {
        let place = if matches!(error, ScoreError::ModelsCsv { .. }) { models } else { file };
        Failure::plain(place.display().to_string(), error)
    })?;
    output::text(&result)?;
    Ok(if passed { Outcome::Done } else { Outcome::Negative })
}
