//! Reading input files and writing results, both bounded and checked.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use serde::Serialize;

use crate::Outcome;
use crate::failure::Failure;

/// Writes a text to stdout.
pub(crate) fn text(text: &str) -> Result<Outcome, Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Ok(()) => Ok(Outcome::Done),
        // The reader has seen enough, as `head` does.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Outcome::Done),
        Err(error) => Err(Failure::plain("stdout", error)),
    }
}

/// Writes a value to stdout as indented JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<Outcome, Failure> {
    let mut json =
        serde_json::to_string_pretty(value).map_err(|error| Failure::plain("stdout", error))?;
    json.push('\n');
    text(&json)
}

/// Writes one line to stderr; when even that fails, nobody is there to be told.
pub(crate) fn error_line(line: &str) {
    let result = writeln!(io::stderr().lock(), "{line}");
    drop(result);
}

/// The whole text of stdin, of at most `limit` bytes.
pub(crate) fn stdin(limit: usize) -> Result<String, Failure> {
    let mut text = String::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX);
    io::stdin()
        .lock()
        .take(most.saturating_add(1))
        .read_to_string(&mut text)
        .map_err(|error| Failure::plain("stdin", error))?;
    Ok(text)
}

/// The whole text of a file of at most `limit` bytes.
pub(crate) fn read(path: &Path, limit: usize) -> Result<String, Failure> {
    let cannot = |error: io::Error| match error.kind() {
        ErrorKind::NotFound => Failure::file(path, "no such file", "check the path"),
        ErrorKind::InvalidData => Failure::file(path, "not UTF-8 text", "save it as UTF-8"),
        ErrorKind::IsADirectory => Failure::file(path, "a folder", "name a file in it"),
        _ => Failure::file(path, error, "check the file and its permissions"),
    };
    let mut text = String::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX);
    File::open(path)
        .and_then(|file| file.take(most.saturating_add(1)).read_to_string(&mut text))
        .map_err(cannot)?;
    if text.len() > limit {
        let cause = format!("more than {limit} bytes");
        return Err(Failure::file(path, cause, "this is not the file you mean"));
    }
    Ok(text)
}
