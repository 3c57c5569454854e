//! Accelerators, machines, prices, platforms and operations: `data/catalog` becomes static tables.

use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "catalog/tables.rs"]
mod tables;

/// Writes `catalog.rs` into the build folder.
///
/// # Panics
/// On a file that cannot be read and on any row that breaks a rule: the message names the
/// file, the row and the field.
pub(crate) fn generate() {
    let folder =
        Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../data/catalog");
    let read = |name: &str| {
        let path = folder.join(name);
        println!("cargo:rerun-if-changed={}", path.display());
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let out = PathBuf::from(env::var("OUT_DIR").unwrap_or_default()).join("catalog.rs");
    let written = tables::source(read)
        .and_then(|source| fs::write(&out, source).map_err(|error| error.to_string()));
    if let Err(message) = written {
        panic!("{message}");
    }
}
