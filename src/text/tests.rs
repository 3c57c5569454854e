mod answers;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use planner::catalog;
use planner::cluster::{Fabric, IntraNode, templates};
use planner::estimate::Instant;
use planner::model::{FORM_FLAGS, FORM_NUMBERS};
use planner::strategy::{
    BaseFormat, Framework, JobKind, Offload, Optimizer, Precision, Recompute, Zero,
};
use planner::units::{Currency, MoneyRange};
use project::Word;
use rust_decimal::Decimal;

use super::*;

/// Key → variables used, `key.attribute` for attributes.
fn entries(source: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut key = String::new();
    let mut attribute = String::new();
    for line in source.lines() {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        if !line.starts_with(' ')
            && let Some((name, _)) = line.split_once('=')
        {
            name.trim().clone_into(&mut key);
            attribute.clear();
        } else if line.trim_start().starts_with('.')
            && let Some((name, _)) = line.split_once('=')
        {
            name.trim().clone_into(&mut attribute);
        }
        let variables = found.entry(format!("{key}{attribute}")).or_default();
        for part in line.split('$').skip(1) {
            let end = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-';
            variables.insert(part.split(end).next().unwrap_or("").to_owned());
        }
    }
    found
}

/// String literals of the page's sources, without the tests.
fn literals(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            literals(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            let source = std::fs::read_to_string(&path).unwrap();
            for call in [".get(\"", ".with(\"", ".counted(\"", ".formula(\""] {
                for part in source.split(call).skip(1) {
                    found.insert(part.split('"').next().unwrap().to_owned());
                }
            }
        }
    }
}

#[test]
fn both_languages_have_the_same_keys_and_variables() {
    for ((name, en), (_, zh)) in Language::En.files().iter().zip(Language::ZhCn.files()) {
        let (en, zh) = (entries(en), entries(zh));
        for key in en.keys().chain(zh.keys()) {
            assert!(en.contains_key(key), "{name}: {key} has no English");
            assert!(zh.contains_key(key), "{name}: {key} has no Chinese");
            let without_n = |set: &BTreeSet<String>| {
                set.iter().filter(|v| *v != "n").cloned().collect::<BTreeSet<_>>()
            };
            assert_eq!(without_n(&en[key]), without_n(&zh[key]), "{name}: variables of {key}");
        }
    }
}

#[test]
fn files_parse_and_no_key_stands_twice() {
    for language in [Language::En, Language::ZhCn] {
        let mut seen = BTreeSet::new();
        for (name, source) in language.files() {
            if let Err((_, errors)) = FluentResource::try_new((*source).to_owned()) {
                panic!("{name} in {}: {errors:?}", language.tag());
            }
            for line in source.lines().filter(|l| !l.starts_with([' ', '#', '}'])) {
                if let Some((key, _)) = line.split_once(" =") {
                    assert!(seen.insert(key.to_owned()), "{key} stands twice in {name}");
                }
            }
        }
    }
}

#[test]
fn keys_in_the_sources_have_messages() {
    let mut keys = BTreeSet::new();
    literals(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut keys);
    let text = Text::new(Language::En);
    for key in keys.iter().filter(|key| key.contains(['-']) && !key.contains([' ', '{', '/'])) {
        assert!(text.0.bundle.has_message(key), "no message for {key}");
    }
}

#[track_caller]
fn assert_messages(keys: impl IntoIterator<Item = String>) {
    let text = Text::new(Language::En);
    for key in keys {
        assert!(text.0.bundle.has_message(&key), "no message for {key}");
    }
}

fn words<T: Word>(kind: &str) -> Vec<String> {
    T::ALL.iter().map(|one| format!("choice-{kind}-{}", one.word().to_lowercase())).collect()
}

#[test]
fn every_choice_of_the_document_has_a_message() {
    assert_messages(words::<JobKind>("kind"));
    assert_messages(words::<Precision>("precision"));
    assert_messages(words::<Optimizer>("optimizer"));
    assert_messages(words::<IntraNode>("intra"));
    assert_messages(words::<Fabric>("fabric"));
    assert_messages(words::<Framework>("framework"));
    assert_messages(words::<BaseFormat>("base"));
    assert_messages(words::<Zero>("zero"));
    assert_messages(words::<Recompute>("recompute"));
    assert_messages(words::<Offload>("offload"));
    assert_messages(words::<Currency>("currency"));
}

#[test]
fn templates_providers_and_launchers_have_names() {
    assert_messages(templates().iter().map(|template| format!("template-{}", template.machine)));
    assert_messages(catalog::prices().iter().map(|price| format!("provider-{}", price.provider)));
    let classes = ["market", "any", "head-clouds", "vertical-clouds"];
    let companies = catalog::cny_prices()
        .iter()
        .map(|price| price.provider)
        .filter(|provider| !classes.contains(provider));
    assert_messages(companies.map(|provider| format!("provider-{provider}")));
    assert_messages(launch::targets().iter().map(|target| format!("target-{}", target.id())));
}

#[test]
fn every_field_that_can_change_has_a_name() {
    let source = include_str!("../../crates/project/src/command.rs");
    let paths = source.lines().filter_map(|line| line.split_once("=> \"")?.1.split('"').next());
    assert_messages(paths.map(|path| format!("command-{}", path.replace(['.', '_'], "-"))));
}

#[test]
fn every_instant_and_every_part_of_the_host_has_a_name() {
    let keys = Instant::ALL.map(Instant::key);
    assert_messages(keys.map(|key| format!("instant-{key}")));
    assert_messages(keys.map(|key| format!("instant-short-{key}")));
    let host = ["processes", "loading", "states", "pinned", "activations", "nvme"];
    assert_messages(host.map(|part| format!("host-{part}")));
}

#[test]
fn every_field_of_the_model_form_has_a_name() {
    let fields = FORM_NUMBERS.iter().chain(&FORM_FLAGS);
    assert_messages(fields.map(|field| format!("model-field-{field}")));
}

#[test]
fn refusals_of_files_and_links_have_messages() {
    let sources = [
        include_str!("../../crates/project/src/limits.rs"),
        include_str!("../../crates/project/src/inputs.rs"),
        include_str!("../../crates/project/src/file/error.rs"),
        include_str!("../../crates/project/src/link/mod.rs"),
        include_str!("../../crates/planner/src/model/error.rs"),
        include_str!("../../crates/planner/src/model/kind.rs"),
        include_str!("../../crates/planner/src/model/syntax.rs"),
    ];
    let starts = ["problem-", "inputs-", "file-", "expected-", "link-", "config-"];
    for source in sources {
        let quoted = source.split('"').skip(1).step_by(2);
        let keys = quoted.filter(|quoted| {
            starts.iter().any(|start| quoted.starts_with(start))
                && quoted.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        });
        assert_messages(keys.map(ToOwned::to_owned));
    }
}

#[test]
fn numbers_keep_three_digits() {
    let text = Text::new(Language::En);
    let shown = [
        text.bytes(Bytes::gib(72.46)),
        text.bytes_gib(Bytes::gib(0.0314)),
        text.seconds(Seconds::new(9.996)),
        text.seconds(Seconds::millis(84.25)),
        text.seconds(Seconds::NEVER),
        text.percent(0.4127),
        text.bandwidth(BytesPerSecond::gb_s(450.0)),
        text.port(BitsPerSecond::gbps(400.0)),
        text.compute(FlopPerSecond::tflops(989.4)),
        text.count(2048.0),
        text.count(14.8e12),
        text.number(0.0),
        text.exact(12.345_678_9),
        text.days(1234.5),
    ];
    assert_eq!(
        shown.join(" | "),
        "72.5 GiB | 0.0314 GiB | 10.0 s | 84.2 ms | N/A | 41.3% | 450 GB/s | 400 Gb/s | \
         989 TFLOP/s | 2,048 | 14.8 T | 0 | 12.3457 | 1,234 days"
    );
}

#[test]
fn money_is_short_in_both_languages() {
    let range = MoneyRange {
        low: Decimal::new(192_345_678, 2),
        high: Decimal::new(231_000_000, 2),
        currency: Currency::Cny,
    };
    let (en, zh) = (Text::new(Language::En), Text::new(Language::ZhCn));
    assert_eq!(en.money_range(range), "¥1.92–2.31 M");
    assert_eq!(zh.money_range(range), "¥192–231 万");
    assert_eq!(en.money_range_exact(range), "¥1,923,456.78 – ¥2,310,000.00");
}

#[test]
fn a_missing_key_shows_itself() {
    assert_eq!(Text::new(Language::En).get("no-such-key"), "no-such-key");
}
