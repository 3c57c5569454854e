//! `meshwright score training`: the estimates against measured runs.

use std::path::Path;

use crate::failure::Failure;
use crate::{Outcome, output, score};

/// Bytes of a table of runs.
const LIMIT: usize = 64 << 20;

/// Scores the table in `file`.
pub(crate) fn training(file: &Path, json: bool) -> Result<Outcome, Failure> {
    let text = output::read(file, LIMIT)?;
    let result = score::training(&text, json)
        .map_err(|error| Failure::plain(file.display().to_string(), error))?;
    output::text(&result)
}
