//! The texts of the files in, one Rust source of static tables out.

use std::collections::BTreeSet;

use toml::Table;

use row::Row;

mod accelerators;
mod machines;
mod operations;
mod platforms;
mod prices;
mod record;
mod row;

/// Reads all tables through `read` (file name to text) and writes them as Rust.
pub(crate) fn source(
    mut read: impl FnMut(&str) -> Result<String, String>,
) -> Result<String, String> {
    let mut out = String::new();
    let accelerators = toml_rows(&mut read, "accelerators.toml", "accelerator")?;
    let parts = accelerators::Parts::of(&accelerators)?;
    let ids = unique(&accelerators, "id")?;
    table(&mut out, "ACCELERATORS: &[Accelerator]", &accelerators, |row| {
        accelerators::literal(row, &ids)
    })?;
    let machines = toml_rows(&mut read, "machines.toml", "machine")?;
    table(&mut out, "MACHINES: &[Machine]", &machines, |row| machines::literal(row, &parts))?;
    unique(&machines, "id")?;
    let prices = Row::csv("prices.csv", &read("prices.csv")?)?;
    unique_price(&prices)?;
    table(&mut out, "PRICES: &[Price]", &prices, |row| prices::usd(row, &parts))?;
    let prices = Row::csv("prices_cny.csv", &read("prices_cny.csv")?)?;
    table(&mut out, "CNY_PRICES: &[CnyPrice]", &prices, |row| prices::cny(row, &parts))?;
    articles(&mut out, &read("platforms.toml")?)?;
    let operations = document("operations.toml", &read("operations.toml")?)?;
    let operations = operations::literal(&operations, &parts)?;
    out.push_str(&format!("pub(super) static OPERATIONS: Operations = {operations};\n"));
    Ok(out)
}

/// The tables of `platforms.toml`, with their references to each other.
fn articles(out: &mut String, text: &str) -> Result<(), String> {
    let file = "platforms.toml";
    let document = document(file, text)?;
    let rows = |table| Row::all(file, &document, table);
    let (platforms, scopes) = (rows("platform")?, rows("platform_scope")?);
    let (claims, checks) = (rows("claim")?, rows("check")?);
    let (thresholds, scenarios) = (rows("threshold")?, rows("scenario")?);
    let mut subjects = unique(&platforms, "id")?;
    for scope in &scopes {
        if !subjects.insert(scope.text("id")?) {
            return Err(scope.refuse("id", "is the id of a platform or earlier scope too"));
        }
    }
    let (claim_ids, check_ids) = (unique(&claims, "id")?, unique(&checks, "id")?);
    unique(&thresholds, "id")?;
    unique(&scenarios, "id")?;
    table(out, "PLATFORMS: &[Platform]", &platforms, |row| platforms::platform(row, &subjects))?;
    table(out, "SCOPES: &[PlatformScope]", &scopes, |row| platforms::scope(row, &subjects))?;
    table(out, "CLAIMS: &[Claim]", &claims, |row| platforms::claim(row, &subjects, &check_ids))?;
    table(out, "CHECKS: &[Check]", &checks, platforms::check)?;
    table(out, "THRESHOLDS: &[Threshold]", &thresholds, |row| {
        platforms::threshold(row, &claim_ids)
    })?;
    table(out, "SCENARIOS: &[Scenario]", &scenarios, |row| {
        platforms::scenario(row, &subjects, &claim_ids)
    })
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

/// Refuses a second price of one instance in one region.
fn unique_price(rows: &[Row]) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for row in rows {
        let instance = row.text("instance")?;
        if !seen.insert((row.text("provider")?, instance, row.text("region")?)) {
            let why = format!("is `{instance}`, which an earlier row prices in this region too");
            return Err(row.refuse("instance", &why));
        }
    }
    Ok(())
}
