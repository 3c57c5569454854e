//! Counts of the library's own classes: `tests/samples/library/make.py` says how they were made.

use std::fmt::Write as _;

use serde_json::Value;

use super::super::*;
use super::samples;

/// Every row counts exactly.
#[test]
fn the_library_builds_as_many_parameters() {
    let path = samples().join("../library/counts.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let (mut rows, mut wrong) = (0, String::new());
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let config = row["config"].to_string();
        let found = read_config("row", &config).map(|model| model.counts.total);
        let wanted = row["parameters"].as_u64().unwrap();
        if found.as_ref().ok() != Some(&wanted) {
            let found = found.map_or_else(|error| error.to_string(), |count| count.to_string());
            writeln!(wrong, "{found} for {wanted}: {config}").unwrap();
        }
        rows += 1;
    }
    assert!(rows > 600, "{rows} rows");
    assert!(wrong.is_empty(), "{} of {rows}\n{wrong}", wrong.lines().count());
}
