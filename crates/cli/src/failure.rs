//! Bad input, as one line.

use std::fmt;
use std::path::Path;

/// Why a command could not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// File or argument.
    place: String,
    /// What is wrong there.
    cause: String,
    /// What to do instead.
    hint: String,
}

impl Failure {
    pub(crate) fn new(place: impl Into<String>, cause: impl fmt::Display, hint: &str) -> Self {
        Self { place: place.into(), cause: cause.to_string(), hint: hint.to_owned() }
    }

    /// The cause already says what to do.
    pub(crate) fn plain(place: impl Into<String>, cause: impl fmt::Display) -> Self {
        Self::new(place, cause, "")
    }

    pub(crate) fn file(path: &Path, cause: impl fmt::Display, hint: &str) -> Self {
        Self::new(path.display().to_string(), cause, hint)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = format!("{}: {}", self.place, self.cause);
        if !self.hint.is_empty() {
            line.push_str("; ");
            line.push_str(&self.hint);
        }
        // Input may hold line feeds and terminal escapes; a failure is one line.
        f.write_str(&line.replace(|c: char| c.is_control(), " "))
    }
}
