//! `meshwright`: the engine without a page.
//!
//! Results go to stdout, findings to stderr. Exit status 0: done; 1: does not fit or a check
//! failed; 2: bad input, told in one line that names file, place, cause and a hint.

mod arguments;
mod commands;
mod failure;
mod json;
mod output;
mod score;

use std::process::ExitCode;

use arguments::Request;
use failure::Failure;

fn main() -> ExitCode {
    match arguments::parse(std::env::args_os().skip(1)).and_then(run) {
        Ok(outcome) => outcome.exit_code(),
        Err(failure) => {
            output::error_line(&format!("meshwright: {failure}"));
            ExitCode::from(2)
        }
    }
}

/// How a command that could run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Done,
}

impl Outcome {
    fn exit_code(self) -> ExitCode {
        match self {
            Self::Done => ExitCode::SUCCESS,
        }
    }
}

fn run(request: Request) -> Result<Outcome, Failure> {
    match request {
        Request::Help => output::text(arguments::USAGE),
        Request::Version => output::text(concat!("meshwright ", env!("CARGO_PKG_VERSION"), "\n")),
        Request::Model { file } => commands::model::run(&file),
        Request::ScoreTraining { file, json } => commands::score::training(&file, json),
    }
}
