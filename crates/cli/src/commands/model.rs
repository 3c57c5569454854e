//! `meshwright model FILE`: what a config.json or Megatron arguments mean and how many parameters
//! the model has; without an exact count, what the file states.

use std::path::Path;

use planner::model::{outline, read_model};

use crate::Outcome;
use crate::failure::Failure;
use crate::json::model::{ModelView, OutlineView};
use crate::output;

/// Published files have below 100 KiB; the reader itself says what is too long.
const MOST_BYTES: usize = 2 << 20;

pub(super) fn run(file: &Path) -> Result<Outcome, Failure> {
    let text = output::read(file, MOST_BYTES)?;
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    let refusal = match read_model(&name, &text) {
        Ok(model) => {
            for assumption in &model.assumptions {
                output::error_line(&format!("note: assumed {assumption}"));
            }
            return output::json(&ModelView::of(&model));
        }
        Err(refusal) => refusal,
    };
    if let Ok(outline) = outline(&text) {
        output::json(&OutlineView::of(&outline, &refusal))?;
    }
    Err(Failure::file(file, refusal, ""))
}
