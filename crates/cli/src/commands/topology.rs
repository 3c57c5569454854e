//! `meshwright topology FILE...`: what topology files say, each found by its content.

use std::path::PathBuf;

use topology::MOST_BYTES;

use crate::Outcome;
use crate::failure::Failure;
use crate::output;

/// One file gives its object, several give a list in their order.
pub(super) fn run(files: &[PathBuf]) -> Result<Outcome, Failure> {
    let mut read = Vec::new();
    for file in files {
        let text = output::read(file, MOST_BYTES)?;
        let topology = topology::read(&text).map_err(|error| Failure::file(file, error, ""))?;
        for finding in &topology.findings {
            let (line, column, message) = (finding.line, finding.column, &finding.message);
            output::error_line(&format!("{}:{line}:{column}: {message}", file.display()));
        }
        read.push(topology);
    }
    match read.as_slice() {
        [one] => output::json(one),
        several => output::json(&several),
    }
}
