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
mod words;

#[cfg(test)]
mod tests;

use std::process::ExitCode;

fn main() -> ExitCode {
    match arguments::parse(std::env::args_os().skip(1)).and_then(commands::run) {
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
    /// The job does not fit, or a check failed.
    Negative,
}

impl Outcome {
    fn exit_code(self) -> ExitCode {
        match self {
            Self::Done => ExitCode::SUCCESS,
            Self::Negative => ExitCode::from(1),
        }
    }
}
