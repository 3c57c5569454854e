//! `meshwright score training`: the estimates against measured runs.

use std::path::Path;

use crate::arguments::Form;
use crate::failure::Failure;
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
