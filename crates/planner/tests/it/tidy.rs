//! Keeps the walls: imports inside the planner go downward only, and the page's own code calls
//! neither search nor estimate.

use std::fs;
use std::path::{Path, PathBuf};

/// A module may import from those before it, and from itself.
const FLOORS: [&str; 13] = [
    "units",
    "explain",
    "catalog",
    "model",
    "cluster",
    "collective",
    "strategy",
    "estimate",
    "remedy",
    "oom",
    "search",
    "price",
    "answer",
];

/// What only the worker, the command line and tests may name.
const ENGINE: [&str; 7] = [
    "answer::solve",
    "answer::Solver",
    "planner::search",
    "estimate::time",
    "estimate::memory",
    "oom::explain",
    "launch::export",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    found.sort();
    found
}

/// Modules named after `crate::` anywhere in the text, comments left out.
fn imports(text: &str) -> Vec<String> {
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
        .collect()
}

#[test]
fn planner_imports_go_downward() {
    let mut upward = Vec::new();
    for (level, floor) in FLOORS.iter().enumerate() {
        for (path, text) in sources(&root().join("crates/planner/src").join(floor)) {
            if path.file_name().is_some_and(|name| name == "tests.rs") {
                continue;
            }
            for import in imports(&text) {
                let target = FLOORS.iter().position(|name| *name == import);
                if target.is_some_and(|target| target > level) {
                    upward.push(format!("{}: {floor} imports {import}", path.display()));
                }
            }
        }
    }
    assert!(upward.is_empty(), "{upward:#?}");
}

#[test]
fn every_planner_module_has_a_floor() {
    for entry in fs::read_dir(root().join("crates/planner/src")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            assert!(FLOORS.contains(&name.as_str()), "{name} has no floor");
        }
    }
}

#[test]
fn the_page_calls_no_engine() {
    let mut calls = Vec::new();
    for (path, text) in sources(&root().join("src")) {
        // The static page is computed at build time, natively.
        let service = ["engine/service.rs", "bin/worker.rs", "bin/skeleton.rs"]
            .iter()
            .any(|place| path.ends_with(place));
        let test = path.file_name().is_some_and(|name| name == "tests.rs")
            || path.components().any(|part| part.as_os_str() == "tests");
        if service || test || path.components().any(|part| part.as_os_str() == "service") {
            continue;
        }
        calls.extend(
            ENGINE
                .iter()
                .filter(|name| text.contains(*name))
                .map(|name| format!("{}: {name}", path.display())),
        );
    }
    assert!(calls.is_empty(), "{calls:#?}");
}

#[test]
fn the_thinking_knows_no_browser() {
    for name in ["planner", "project", "launch"] {
        let manifest = root().join("crates").join(name).join("Cargo.toml");
        let text = fs::read_to_string(manifest).unwrap();
        for browser in ["yew", "web-sys", "gloo", "wasm-bindgen"] {
            assert!(!text.contains(browser), "{name} depends on {browser}");
        }
    }
}

#[test]
fn no_source_is_longer_than_800_lines() {
    let mut long = Vec::new();
    for folder in ["src", "crates"] {
        for (path, text) in sources(&root().join(folder)) {
            let lines = text.lines().count();
            if lines > 800 {
                long.push(format!("{}: {lines}", path.display()));
            }
        }
    }
    assert!(long.is_empty(), "{long:#?}");
}
