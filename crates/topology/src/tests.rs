//! Samples against their expected JSON, damage, and mutation.

#![expect(clippy::disallowed_methods, reason = "the clock holds the time bars")]

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::Value;

use crate::{ReadError, read};

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/samples/topology"))
}

fn sample(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap()
}

/// Every expected field but `notes`, which is a remark for people, stands equal in the answer.
#[track_caller]
fn check(name: &str, expected: &str) {
    let text = fs::read_to_string(folder().join("expected").join(expected)).unwrap();
    let mut expected: Value = serde_json::from_str(&text).unwrap();
    expected.as_object_mut().unwrap().remove("notes");
    let mut got = serde_json::to_value(read(&sample(name)).unwrap()).unwrap();
    let got = got.as_object_mut().unwrap();
    assert_eq!(got["findings"], Value::Array(vec![]));
    for key in ["findings", "unknown", "graph"] {
        got.remove(key);
    }
    assert_eq!(Value::Object(got.clone()), expected);
}

const SMI: [&str; 6] = [
    "smi_a800_nv8_old_columns",
    "smi_dgx_a100_tabs",
    "smi_gb200_tray_spaces",
    "smi_h100_spaces",
    "smi_h20_bonds_tabs",
    "smi_rtx4090_8gpu_tabs",
];

#[test]
fn matrices_give_their_expected_fields() {
    for name in SMI {
        check(&format!("{name}.txt"), &format!("{name}.json"));
    }
}

#[test]
fn slurm_files_give_their_expected_fields() {
    check("slurm_tree.conf", "slurm_tree_conf.json");
    check("slurm_block.conf", "slurm_block_conf.json");
}

#[test]
fn a_fabric_gives_its_expected_fields() {
    check("ibnetdiscover_2rail.txt", "ibnetdiscover_2rail_txt.json");
}

#[test]
fn a_port_cabled_to_itself_and_a_lost_part_are_named() {
    let text = sample("ibnetdiscover_2rail.txt").replacen(
        "\"H-9c05000000000101\"[1](",
        "\"S-fc6a100000000100\"[1](",
        1,
    );
    let cut = text.split("vendid=0x2c9\ndevid=0x1021").next().unwrap();
    let got = facts(cut);
    assert_eq!(got["findings"][0]["message"], "port 1 of S-fc6a100000000100 is cabled to itself");
    assert_eq!(got["findings"][0]["line"], 11);
    assert_eq!((&got["hosts"], &got["hcas"]), (&0.into(), &0.into()));
    assert!(got["unknown"].to_string().contains("what H-9c05000000000201 is"));
}

fn facts(text: &str) -> Value {
    serde_json::to_value(read(text).unwrap()).unwrap()
}

#[test]
fn escapes_and_line_ends_change_nothing() {
    let plain = sample("smi_dgx_a100_tabs.txt");
    let header = plain.lines().next().unwrap();
    let coloured = plain.replacen(header, &format!("\u{1b}[4m{header}\u{1b}[0m"), 1);
    assert_eq!(facts(&coloured.replace('\n', "\r\n")), facts(&plain));
}

#[test]
fn wrapped_columns_are_joined() {
    let plain = sample("smi_gb200_tray_spaces.txt");
    let wrapped: Vec<String> = plain
        .lines()
        .map(|line| {
            if line.len() > 60 { format!("{}\n{}", &line[..56], &line[56..]) } else { line.into() }
        })
        .collect();
    assert_eq!(facts(&wrapped.join("\n"))["nearest_nics"], facts(&plain)["nearest_nics"]);
}

#[test]
fn an_asymmetric_cell_and_an_unknown_code_are_placed() {
    let text = "\tGPU0\tGPU1\tGPU2\nGPU0\t X \tNV4\tPIX\nGPU1\tNV2\t X \tFOO\nGPU2\tPIX\t\t X \n";
    let got = facts(text);
    assert_eq!(got["findings"][0]["message"], "`FOO` is no path between devices");
    assert_eq!(
        (&got["findings"][0]["line"], &got["findings"][0]["column"]),
        (&3.into(), &14.into())
    );
    assert_eq!(got["findings"][1]["message"], "GPU1 to GPU0 is NV2, but GPU0 to GPU1 is NV4");
    assert_eq!(got["gpu_pair_paths"], serde_json::json!({"PIX": 1}));
    assert_eq!(got["unknown"][0], "path between GPU0 and GPU1");
    assert_eq!(got["unknown"][1], "path between GPU1 and GPU2");
}

#[test]
fn a_hidden_nvlink_is_unknown() {
    let text = sample("smi_rtx4090_8gpu_tabs.txt").replace("  NV#  = # bonded NVLinks\n", "");
    let got = facts(&text);
    assert!(got.get("nvlink_islands").is_none() && got.get("p2p_default").is_none());
    assert!(got["unknown"][0].as_str().unwrap().starts_with("NVLink"));
}

#[test]
fn a_circle_of_switches_is_named() {
    let own = read("SwitchName=a Switches=a\n").unwrap_err();
    assert_eq!(own, ReadError::ContainsItself { line: 1, element: "a".into() });
    let two = read("SwitchName=l Nodes=h1\nSwitchName=b Switches=c,l\nSwitchName=c Switches=b\n");
    assert_eq!(two.unwrap_err(), ReadError::ContainsItself { line: 2, element: "b".into() });
}

#[test]
fn a_million_hosts_and_a_long_text_are_refused_at_once() {
    let start = Instant::now();
    let many = (0..10).map(|n| format!("SwitchName=s{n} Nodes=h{n}x[000000-099999]\n"));
    let refused = read(&many.collect::<String>()).unwrap_err();
    assert_eq!(refused, ReadError::TooManyElements { line: 2, element: "s1".into() });
    let long = "x".repeat(crate::MOST_BYTES + 1);
    assert_eq!(read(&long).unwrap_err(), ReadError::TooLong { bytes: long.len() });
    assert!(start.elapsed() < bar(1_000));
}

/// Time bars are for what people run; without optimisation the same work takes some ten times
/// longer. `cargo test --release` holds the bars as they stand.
fn bar(millis: u64) -> Duration {
    Duration::from_millis(if cfg!(debug_assertions) { 10 * millis } else { millis })
}

fn mutated() -> impl Strategy<Value = String> {
    let names =
        ["slurm_tree.conf", "slurm_block.conf", "ibnetdiscover_2rail.txt"].map(str::to_owned);
    let all: Vec<String> = SMI.iter().map(|n| format!("{n}.txt")).chain(names).collect();
    let texts: Vec<String> = all.iter().map(|name| sample(name)).collect();
    let piece = prop_oneof!["[ -~\t\n\r\u{1b}]{0,6}", Just("GPU0".into()), Just("[1-9]".into())];
    let edits = prop::collection::vec((any::<prop::sample::Index>(), 0..40_usize, piece), 1..8);
    (prop::sample::select(texts), edits).prop_map(|(text, edits)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, cut, piece) in edits {
            let from = at.index(chars.len() + 1);
            let to = (from + cut).min(chars.len());
            chars.splice(from..to, piece.chars());
        }
        chars.into_iter().collect()
    })
}

/// Mutated texts a run of the suite reads; `PROPTEST_CASES` raises it.
const CASES: u32 = 500;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.max(CASES),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_damage_panics_or_takes_long(text in mutated()) {
        let start = Instant::now();
        if let Ok(topology) = read(&text) {
            prop_assert!(serde_json::to_string(&topology).is_ok());
        }
        prop_assert!(start.elapsed() < bar(100));
    }
}
