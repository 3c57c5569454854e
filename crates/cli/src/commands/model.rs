//! `meshwright model FILE`: what a config.json means and how many parameters it has.

use std::path::Path;

use crate::Outcome;
use crate::failure::Failure;
use crate::json::model::ModelView;
use crate::output;

/// Published files have below 100 KiB; the reader itself says what is too long.
const MOST_BYTES: usize = 2 << 20;

pub(super) fn run(file: &Path) -> Result<Outcome, Failure> {
    let text = output::read(file, MOST_BYTES)?;
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    let model = planner::model::read_config(&name, &text)
        .map_err(|error| Failure::file(file, error, ""))?;
    for assumption in &model.assumptions {
        output::error_line(&format!("note: assumed {assumption}"));
    }
    output::json(&ModelView::of(&model))
}
