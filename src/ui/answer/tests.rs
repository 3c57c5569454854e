use std::path::Path;

use planner::estimate::Verdict;

use super::*;
use crate::text::{Language, Text};
use crate::ui::sample;

#[test]
fn the_sentence_names_margin_time_and_lowest_cost() {
    let answer = sample::answer();
    assert_eq!(
        sentence(&answer, &Text::new(Language::En)).replace('\u{a0}', " "),
        "Fits with 11.3 GiB to spare; 21.2 days; ¥1.71 M on Starverse"
    );
    assert_eq!(
        sentence(&answer, &Text::new(Language::ZhCn)).replace('\u{a0}', " "),
        "放得下，余量 11.3 GiB；需 21.2 天；¥171 万（星宇智算）"
    );
}

#[test]
fn what_does_not_fit_names_the_limit_and_the_smallest_change() {
    let answer = sample::does_not_fit();
    let text = Text::new(Language::En);
    assert_eq!(
        sentence(&answer, &text),
        "Does not fit: a GPU of stage 1 needs 93.4 GiB and has 79.1 GiB"
    );
    assert_eq!(
        sentence::change(&answer, &text).as_deref(),
        Some("Cheapest change that helps: Selective recompute → Full recompute")
    );
}

#[test]
fn nothing_legal_names_the_rule_that_fails_most() {
    let answer = sample::nothing_legal();
    assert_eq!(
        sentence(&answer, &Text::new(Language::En)),
        "No legal layout: the rule that fails most often is “Slower than the best by a lower bound”"
    );
}

#[test]
fn every_figure_has_a_tree() {
    let answer = sample::answer();
    let plan = answer.plan.as_ref().unwrap();
    for figure in [Figure::Memory, Figure::StepTime, Figure::Mfu, Figure::Throughput, Figure::Days]
    {
        assert!(tree(plan, figure).is_some(), "{figure:?}");
    }
}

#[test]
fn parts_of_the_bars_add_up() {
    let answer = sample::answer();
    let plan = answer.plan.as_ref().unwrap();
    let text = Text::new(Language::En);
    let memory: f64 = memory_parts(&plan.memory.worst.parts, &text).iter().map(|p| p.value).sum();
    assert!((memory - plan.memory.worst.parts.total().as_gib()).abs() < 1e-9);
    let step: f64 = step_parts(&plan.step.parts, &text).iter().map(|part| part.value).sum();
    assert!((step - plan.step.parts.total.as_seconds()).abs() < 1e-9);
}

#[test]
fn chips_leave_out_what_is_not_set() {
    let text = Text::new(Language::En);
    let chips: Vec<String> =
        words::chips(&sample::layout(), 32, &text).into_iter().map(|chip| chip.text).collect();
    assert_eq!(
        chips.join(", "),
        "Megatron-Core, TP 8, PP 4, DP 4, SP, ZeRO-1, Micro-batch 1, 32 micro-batches, \
         Interleaved 1F1B, VPP 2, Selective recompute"
    );
}

#[test]
fn every_verdict_has_words() {
    for language in [Language::En, Language::ZhCn] {
        let text = Text::new(language);
        for verdict in [Verdict::Fits, Verdict::Tight, Verdict::DoesNotFit, Verdict::Invalid] {
            let key = format!("verdict-{}", words::verdict(verdict));
            assert!(text.try_with(&key, &[]).is_some(), "{key}");
        }
    }
}

#[test]
fn every_gate_has_words() {
    for language in [Language::En, Language::ZhCn] {
        let text = Text::new(language);
        for gate in planner::strategy::Gate::ALL {
            let key = format!("gate-{}", gate.key());
            assert!(text.try_with(&key, &[]).is_some(), "{key}");
        }
    }
}

#[test]
fn a_range_says_its_unit_once() {
    let text = Text::new(Language::En);
    assert_eq!(words::range("11.7 s", "15.0 s", &text), "11.7–15.0 s");
    assert_eq!(words::range("90.0 s", "2.50 min", &text), "90.0 s–2.50 min");
}

#[test]
fn reasons_compare_the_chosen_value_with_another() {
    let text = Text::new(Language::En);
    let said: Vec<String> = sample::answer()
        .reasons
        .iter()
        .map(|reason| findings::reason_sentence(reason, &text).replace('\u{a0}', " "))
        .collect();
    assert_eq!(
        said,
        [
            "TP 8 rather than TP 4, which takes 9.10% longer (14.0 s)",
            "Selective recompute rather than full recompute, which takes 9.10% longer (14.0 s)",
            "ZeRO-1 rather than no sharding, which needs 91.0 GiB where a GPU has 79.1 GiB",
        ]
    );
}

/// What follows a marker as a string literal, over all files of a folder.
fn literals(folder: &Path, marker: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            literals(&path, marker, found);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            let source = std::fs::read_to_string(&path).unwrap();
            for part in source.split(marker).skip(1) {
                if let Some(rest) = part.trim_start().strip_prefix('"') {
                    found.push(rest.split('"').next().unwrap().to_owned());
                }
            }
        }
    }
}

#[test]
fn every_number_that_the_planner_compares_has_a_name() {
    let mut names = Vec::new();
    let planner = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/planner/src");
    literals(&planner, "Evidence::new(", &mut names);
    assert!(names.len() > 20, "found only {names:?}");
    for language in [Language::En, Language::ZhCn] {
        let text = Text::new(language);
        for name in &names {
            assert_ne!(findings::evidence_name(name, &text), *name, "{}", language.tag());
        }
    }
}

#[test]
fn assumptions_are_listed_once_with_their_value() {
    let answer = sample::answer();
    let plan = answer.plan.as_ref().unwrap();
    let text = Text::new(Language::En);
    let twice = [plan.explanation.clone(), plan.explanation.clone()].concat();
    let found = assumptions::assumptions(&twice, &answer.findings, &text);
    assert_eq!(found, [("jitter".to_owned(), "2.00%".to_owned())]);
}
