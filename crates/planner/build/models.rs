//! Model presets: `data/catalog/models.toml` becomes a static table.

use std::path::{Path, PathBuf};
use std::{env, fs};

use row::Row;

#[path = "models/literal.rs"]
mod literal;
#[path = "models/row.rs"]
mod row;

/// Writes `models.rs` into the build folder.
///
/// # Panics
/// On a file that cannot be read and on any row that breaks a rule: the message names the
/// file, the row and the field.
pub(crate) fn generate() {
    let path = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default())
        .join("../../data/catalog/models.toml");
    println!("cargo:rerun-if-changed={}", path.display());
    let out = PathBuf::from(env::var("OUT_DIR").unwrap_or_default()).join("models.rs");
    let written = fs::read_to_string(&path)
        .map_err(|error| error.to_string())
        .and_then(|text| source(&text))
        .and_then(|source| fs::write(&out, source).map_err(|error| error.to_string()));
    if let Err(message) = written {
        panic!("{}: {message}", path.display());
    }
}

/// The text of the file in, one Rust static out.
fn source(text: &str) -> Result<String, String> {
    let rows = Row::all(text)?;
    let mut out = String::from("pub(super) static PRESETS: &[ModelPreset] = &[\n");
    for row in &rows {
        row.check().map_err(|problem| format!("model `{}`: {problem}", row.id))?;
        if rows.iter().filter(|other| other.id == row.id).count() > 1 {
            return Err(format!("model `{}`: field `id` is not unique", row.id));
        }
        out.push_str(&literal::preset(row));
    }
    out.push_str("];\n");
    Ok(out)
}
