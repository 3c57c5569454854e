//! The file form: round trips, old files, and what is said about bad ones.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;

use super::{from_yaml, number, to_yaml};
use crate::arbitrary;
use crate::document::Document;

proptest! {
    #[test]
    fn every_document_survives_its_file(document in arbitrary::document()) {
        let yaml = to_yaml(&document);
        let read = from_yaml(&yaml);
        prop_assert_eq!(read.as_ref(), Ok(&document), "{}", yaml);
    }

    #[test]
    fn no_text_breaks_the_reader(text in "(?s).{0,300}") {
        let _ = from_yaml(&text);
    }

    #[test]
    fn no_damage_breaks_the_reader(
        document in arbitrary::document(),
        at in any::<prop::sample::Index>(),
        with in "(?s).{0,3}",
    ) {
        let mut letters: Vec<char> = to_yaml(&document).chars().collect();
        let at = at.index(letters.len());
        letters[at] = with.chars().next().unwrap_or(' ');
        let text: String = letters.into_iter().collect();
        if let Err(error) = from_yaml(&text) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }

    #[test]
    fn numbers_survive_their_short_form(value in 0.0..1e19) {
        let text = match number::Number::short(value) {
            number::Number::Whole(whole) => whole.to_string(),
            number::Number::Fraction(value) => value.to_string(),
            number::Number::Short(text) => text,
        };
        prop_assert_eq!(number::read(&text), Some(value));
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_examples_are_written_as_they_are() {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("../../examples")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let document = from_yaml(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert_eq!(to_yaml(&document), text, "{path:?}");
        names.push(path.file_name().unwrap().to_owned());
    }
    assert!(names.len() >= 3, "{names:?}");
}

#[test]
fn the_first_example_is_the_one_of_the_page() {
    let path = root().join("../../examples/llama2-70b-2x8-a100.yaml");
    assert_eq!(from_yaml(&fs::read_to_string(path).unwrap()), Ok(Document::example()));
}

/// Each `NAME.yaml` of a released version reads as the document of `NAME.now`.
#[test]
fn files_of_old_versions_open() {
    let folder = root().join("src/file/golden/v1");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let document = from_yaml(&fs::read_to_string(&path).unwrap());
        let document = document.unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let now = fs::read_to_string(path.with_extension("now")).unwrap();
        assert_eq!(to_yaml(&document), now, "{path:?}");
        count += 1;
    }
    assert!(count >= 2);
}

#[test]
fn numbers_are_read_as_people_write_them() {
    for (text, value) in [
        ("128", Some(128.0)),
        ("4_096", Some(4096.0)),
        ("1e9", Some(1e9)),
        ("14.8T", Some(14.8e12)),
        (".5k", Some(500.0)),
        ("1e3k", None),
        ("inf", None),
        ("nan", None),
        ("k", None),
        ("1e999", None),
        ("", None),
    ] {
        assert_eq!(number::read(text), value, "{text}");
    }
}

/// Replaces one line of the example and compares what is said.
#[track_caller]
fn check(line: &str, with: &str, expected: &str) {
    let yaml = to_yaml(&Document::example());
    assert!(yaml.contains(line), "{line}");
    let error = from_yaml(&yaml.replacen(line, with, 1)).unwrap_err();
    assert_eq!(error.to_string(), expected);
    assert!(!error.key().is_empty());
}

#[test]
fn errors_name_place_cause_and_hint() {
    check(
        "  nodes: 2\n",
        "  node: 2\n",
        "line 14: cluster.node: unknown key; did you mean nodes? (and 1 more problem)",
    );
    check(
        "  nodes: 2\n",
        "  nodes: 2\n  nodez: 2\n",
        "line 15: cluster.nodez: unknown key; did you mean nodes?",
    );
    check(
        "  nodes: 2\n",
        "  nodes: 2\n  nodes: 3\n",
        "line 15: cluster.nodes: the key stands twice; keep one",
    );
    check(
        "  nodes: 2\n",
        "  nodes: 0\n",
        "line 14: cluster.nodes: 0 is out of bounds; use a number from 1 to 16384",
    );
    check(
        "  nodes: 2\n",
        "  nodes: 5000000000\n",
        "line 14: cluster.nodes: 5000000000 is out of bounds; use a number from 1 to 16384",
    );
    check(
        "  nodes: 2\n",
        "  nodes: two\n",
        "line 14: cluster.nodes: found two, expected a whole number",
    );
    check(
        "  nodes: 2\n",
        "  nodes: 2.5\n",
        "line 14: cluster.nodes: found 2.5, expected a whole number",
    );
    check(
        "  nodes: 2\n",
        "  nodes: \"2\"\n",
        "line 14: cluster.nodes: found \"2\", expected a whole number",
    );
    check(
        "  rail_optimized: true\n",
        "  rail_optimized: yes\n",
        "line 20: cluster.rail_optimized: found yes, expected true or false",
    );
    check(
        "  tokens: 1B\n",
        "  tokens: [1]\n",
        "line 11: job.tokens: found a list, expected a number such as 128, 2.5, 1e9 or 14.8T",
    );
    check(
        "  kind: full-fine-tune\n",
        "  kind: sft\n",
        "line 6: job.kind: sft is not known; use one of pretrain, full-fine-tune, lora",
    );
    check(
        "meshwright: 1\n",
        "meshwright: 2\n",
        "line 1: meshwright: version 2 is not known; this Meshwright reads up to 1",
    );
    check(
        "  preset: llama2-70b\n",
        "  file: x.json\n",
        "line 3: model: needs either preset or config, and only one of them",
    );
    check(
        "  optimizer: adamw\n",
        "  optimizer: adamw\n  adapter:\n    rank: 0\n",
        "line 12: job.adapter.rank: 0 is out of bounds; use a number from 1 to 8192",
    );
    check(
        "  optimizer: adamw\n",
        "  optimizer: adamw\n  adapter:\n    base: int4\n",
        "line 12: job.adapter.base: int4 is not known; use one of 16-bit, 8-bit, nf4, gptq4",
    );
    check(
        "  optimizer: adamw\n",
        "  optimizer: adamw\n  adapter:\n    doraa: true\n",
        "line 12: job.adapter.doraa: unknown key; did you mean dora?",
    );
    check("job:\n", "job\n", "line 6: not YAML: simple key expect ':'");
}

#[test]
fn hostile_files_are_refused() {
    let deep = "[".repeat(20);
    let deeper = "[".repeat(10_000);
    let laughs = "a: &a [x]\nb: [*a, *a]\n";
    for (text, expected) in [
        (deep.as_str(), "line 1: nested deeper than 16 levels"),
        (deeper.as_str(), "line 1: not YAML: recursion limit exceeded"),
        (laughs, "line 1: anchors and aliases are not read; write the value itself"),
        ("", "line 1: not a project; the first line is `meshwright: 1`"),
        ("- 1\n", "line 1: not a project; the first line is `meshwright: 1`"),
        ("a: 1\n", "line 1: meshwright: not a project; the first line is `meshwright: 1`"),
    ] {
        assert_eq!(from_yaml(text).unwrap_err().to_string(), expected);
    }
    let many = format!("meshwright: 1\n{}", "nodes: 1\n".repeat(50_000));
    assert!(from_yaml(&many).unwrap_err().to_string().ends_with("more than 1000 values"));
    let large = "x".repeat(3 << 20);
    assert_eq!(from_yaml(&large).unwrap_err().key(), "file-too-large");
}
