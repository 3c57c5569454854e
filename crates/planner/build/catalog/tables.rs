//! The texts of the files in, one Rust source of static tables out.

use std::collections::BTreeSet;

use toml::Table;

use row::Row;

mod accelerators;
mod machines;
mod record;
mod row;

/// Reads all tables through `read` (file name to text) and writes them as Rust.
pub(crate) fn source(
    mut read: impl FnMut(&str) -> Result<String, String>,
) -> Result<String, String> {
    let mut out = String::new();
    let accelerators = toml_rows(&mut read, "accelerators.toml", "accelerator")?;
    let parts = accelerators::Parts::of(&accelerators)?;
    table(&mut out, "ACCELERATORS: &[Accelerator]", &accelerators, accelerators::literal)?;
    unique(&accelerators, "id")?;
    let machines = toml_rows(&mut read, "machines.toml", "machine")?;
    table(&mut out, "MACHINES: &[Machine]", &machines, |row| machines::literal(row, &parts))?;
    unique(&machines, "id")?;
    Ok(out)
}

fn toml_rows(
    read: &mut impl FnMut(&str) -> Result<String, String>,
    file: &'static str,
    table: &'static str,
) -> Result<Vec<Row>, String> {
    let document = document(file, &read(file)?)?;
    Row::all(file, &document, table)
}

/// Parses a file and checks that its form is the known one.
fn document(file: &str, text: &str) -> Result<Table, String> {
    let document: Table = text.parse().map_err(|error| format!("{file}: {error}"))?;
    match document.get("schema_version") {
        Some(toml::Value::Integer(1)) => Ok(document),
        _ => Err(format!("{file}: schema_version is not 1")),
    }
}

/// Writes `pub(super) static NAME: &[Type] = &[…];`.
fn table(
    out: &mut String,
    declaration: &str,
    rows: &[Row],
    literal: impl Fn(&Row) -> Result<String, String>,
) -> Result<(), String> {
    out.push_str(&format!("pub(super) static {declaration} = &[\n"));
    for row in rows {
        out.push_str(&format!("    {},\n", literal(row)?));
    }
    out.push_str("];\n");
    Ok(())
}

/// Refuses a second row with the same value of `key`.
fn unique<'a>(rows: &'a [Row], key: &str) -> Result<BTreeSet<&'a str>, String> {
    let mut seen = BTreeSet::new();
    for row in rows {
        let id = row.text(key)?;
        if !seen.insert(id) {
            return Err(row.refuse(key, &format!("is `{id}`, which an earlier row has too")));
        }
    }
    Ok(seen)
}
