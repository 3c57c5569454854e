//! Reading a project file into the planner's inputs.

use std::path::Path;

use planner::answer::Inputs;
use project::Document;

use crate::failure::Failure;
use crate::output;

pub(super) fn read(path: &Path) -> Result<(Document, Inputs), Failure> {
    let text = output::read(path, project::FILE_BYTES)?;
    let document = project::from_yaml(&text).map_err(|error| Failure::file(path, error, ""))?;
    let inputs = document.inputs().map_err(|error| Failure::file(path, error, ""))?;
    Ok((document, inputs))
}
