//! Constraints: `data/rules.toml` becomes static tables of parsed expressions.

use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "rules/expression.rs"]
mod expression;
#[path = "rules/row.rs"]
mod row;
#[path = "rules/source.rs"]
mod source;

/// Writes `rules.rs` into the build folder.
///
/// # Panics
/// On a file that cannot be read and on any row that breaks a rule: the message names the
/// file, the row and the field.
pub(crate) fn generate() {
    let path = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
        .join("../../data/rules.toml");
    println!("cargo:rerun-if-changed={}", path.display());
    let out = PathBuf::from(env::var("OUT_DIR").unwrap_or_default()).join("rules.rs");
    let written = fs::read_to_string(&path)
        .map_err(|error| error.to_string())
        .and_then(|text| source::source(&text))
        .and_then(|source| fs::write(&out, source).map_err(|error| error.to_string()));
    if let Err(message) = written {
        panic!("{}: {message}", path.display());
    }
}
