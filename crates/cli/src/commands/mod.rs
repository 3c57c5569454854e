//! One module for each command.

mod bench;
mod export;
mod model;
mod oom;
mod plan;
mod project;
mod rules;
mod score;
mod table;
mod topology;

use crate::Outcome;
use crate::arguments::{self, Request};
use crate::failure::Failure;
use crate::output;

/// Runs what was asked for.
pub(crate) fn run(request: Request) -> Result<Outcome, Failure> {
    match request {
        Request::Help => output::text(arguments::USAGE),
        Request::Version => output::text(concat!("meshwright ", env!("CARGO_PKG_VERSION"), "\n")),
        Request::Model { file } => model::run(&file),
        Request::Topology { files } => topology::run(&files),
        Request::Plan { project, top, form } => plan::run(&project, top, form),
        Request::Export { project, target, folder } => export::run(&project, &target, &folder),
        Request::ExportList => export::list(),
        Request::ScoreTraining { file, form } => score::training(&file, form),
        Request::Rules { form } => rules::run(form),
        Request::ScoreCases { file, models, form } => score::cases(&file, &models, form),
        Request::Oom { project, message, form } => oom::run(&project, &message, form),
        Request::Bench { form } => bench::run(form),
    }
}
