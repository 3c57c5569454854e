//! `meshwright export`: the launch files of a plan, into a folder.

use std::fs;
use std::path::Path;

use launch::Refusal;
use planner::answer;

use super::project::read;
use super::table::Table;
use crate::Outcome;
use crate::failure::Failure;
use crate::output;
use crate::words::finding;

/// Writes the files and names them on stdout. Files of an earlier export are replaced.
pub(super) fn run(path: &Path, target: &str, folder: &Path) -> Result<Outcome, Failure> {
    if launch::target(target).is_none() {
        let known: Vec<&str> = launch::targets().iter().map(|target| target.id()).collect();
        let hint = format!("use one of {}", known.join(", "));
        return Err(Failure::new(target, "no such target", &hint));
    }
    let (document, inputs) = read(path)?;
    let answer = answer::solve(&inputs);
    let export = match launch::export(target, &document.name, &inputs, &answer) {
        Ok(export) => export,
        Err(refusal @ (Refusal::NoPlan | Refusal::NothingFits { .. })) => {
            output::error_line(&format!("block: {refusal}"));
            return Ok(Outcome::Negative);
        }
        Err(refusal @ (Refusal::CannotExpress { .. } | Refusal::UnknownTarget { .. })) => {
            return Err(Failure::file(path, refusal, ""));
        }
    };
    for one in &export.findings {
        output::error_line(&finding(one));
    }
    let cannot = |error| Failure::file(folder, error, "name a folder that can be written");
    fs::create_dir_all(folder).map_err(cannot)?;
    let mut names = String::new();
    for file in &export.files {
        let path = folder.join(&file.name);
        fs::write(&path, &file.text)
            .map_err(|error| Failure::file(&path, error, "name a folder that can be written"))?;
        names.push_str(&format!("{}\n", path.display()));
    }
    output::text(&names)
}

/// Names the targets with the versions that their files are written for.
pub(super) fn list() -> Result<Outcome, Failure> {
    let mut table = Table::of_words();
    for target in launch::targets() {
        table.row([target.id(), target.version()]);
    }
    output::text(&table.render())
}
