//! The file form: YAML that a person can write, with a version first.
//!
//! ```yaml
//! meshwright: 1
//! name: Llama 2 70B on 2 × 8 A100
//! model:
//!   preset: llama2-70b
//! job: …
//! cluster: …
//! ```
//!
//! Files of every version that was ever released must open; `golden` holds some of each.

mod error;
mod number;
mod reader;
mod tree;
mod v1;

pub use error::{Expected, FileCause, FileError, FileProblem};

use crate::document::Document;
use reader::{Fields, Report};

/// The newest version, the one that is written.
pub const VERSION: u32 = 1;

/// Longest file that is read, in bytes: a config.json of the longest size, quoted.
pub const FILE_BYTES: usize = 2 << 20;

/// The file of a document: stable order of keys, one line feed at the end.
pub fn to_yaml(document: &Document) -> String {
    v1::write(document)
}

/// Reads a file of any version. Reports all problems found, not only the first.
pub fn from_yaml(text: &str) -> Result<Document, FileError> {
    let root = tree::parse(text)?;
    let mut report = Report::default();
    let Some(mut fields) = Fields::root(&root, &mut report) else {
        return Err(report.into_error());
    };
    let document = match fields.version(&mut report) {
        Some(1) => v1::read(fields, &mut report),
        Some(_) | None => None,
    };
    report.finish(document)
}

#[cfg(test)]
mod tests;
