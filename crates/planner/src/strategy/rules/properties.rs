//! What must hold for any values whatever.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// Sizes as people type them, and the ends of the range.
fn value() -> impl Strategy<Value = i64> {
    prop_oneof![
        12 => 1_i64..64,
        4 => prop::sample::select(vec![1, 2, 4, 8, 16, 96, 128, 4096, 8192, 128_256]),
        1 => prop::sample::select(vec![0, -1, i64::MAX, i64::MIN, i64::MAX - 1, 1 << 62]),
    ]
}

fn tool() -> impl Strategy<Value = &'static Tool> {
    (0..tools().len()).prop_map(|index| &tools()[index])
}

/// Any quantities stated, any left open.
fn proposal() -> impl Strategy<Value = Proposal> {
    let stated = vec(prop::option::of(value()), Fact::ALL.len());
    let free = vec((0..Fact::ALL.len(), vec(value(), 0..4)), 0..4);
    (stated, free).prop_map(|(stated, free)| {
        let mut proposal = Proposal::new();
        for (fact, value) in Fact::ALL.into_iter().zip(stated) {
            let flag = value.map(|value| if fact.is_flag() { value & 1 } else { value });
            proposal.set(fact, flag);
        }
        for (index, values) in free {
            proposal.leave_free(Fact::ALL[index], values);
        }
        proposal
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn nearest_values_lift_their_rule(tool in tool(), proposal in proposal()) {
        for violation in violations(tool, &proposal) {
            for nearest in &violation.nearest {
                prop_assert!(nearest.below.is_none_or(|below| below < nearest.from));
                prop_assert!(nearest.above.is_none_or(|above| above > nearest.from));
                for value in nearest.values() {
                    let changed = proposal.clone().with(nearest.fact, value);
                    let left = violations_of(tool, &changed);
                    prop_assert!(!left.contains(&violation.rule.id), "{violation:?} {value}");
                }
            }
        }
    }

    #[test]
    fn messages_are_whole(tool in tool(), proposal in proposal()) {
        for violation in violations(tool, &proposal) {
            for words in [&violation.en, &violation.zh] {
                prop_assert!(!words.contains(['{', '}']) && !words.is_empty(), "{words}");
            }
        }
    }

    #[test]
    fn valid_values_are_valid(tool in tool(), proposal in proposal(), at in 0..Fact::ALL.len()) {
        let fact = Fact::ALL[at];
        for value in valid_values(tool, &proposal, fact, -3..=40) {
            let mut changed = proposal.clone();
            changed.free.retain(|(free, _)| *free != fact);
            changed.set(fact, Some(value));
            for rule in refusals(tool, &changed) {
                prop_assert!(!rule.depends_on(fact), "{} {value}", rule.id);
            }
        }
    }

    #[test]
    fn a_missing_quantity_breaks_nothing(tool in tool(), value in value(), at in 0..Fact::ALL.len()) {
        // One quantity alone can break only a rule that reads nothing else undetermined.
        let alone = Proposal::new().with(Fact::ALL[at], value);
        for rule in refusals(tool, &alone) {
            prop_assert!(rule.depends_on(Fact::ALL[at]), "{}", rule.id);
        }
    }
}

fn violations_of(tool: &'static Tool, proposal: &Proposal) -> Vec<&'static str> {
    violations(tool, proposal).into_iter().map(|one| one.rule.id).collect()
}

/// A whole plan that breaks as much as it can shows no gap in any sentence.
#[test]
fn whole_plans_leave_no_gap_in_the_words() {
    for step in [3, 5, 7, 11] {
        let mut proposal = Proposal::new();
        for (index, fact) in (0_i64..).zip(Fact::ALL) {
            let value = if fact.is_flag() { index % 2 } else { 1 + index * step % 13 };
            proposal.set(fact, Some(value));
        }
        for tool in tools() {
            for violation in violations(tool, &proposal) {
                assert!(!violation.en.contains('–'), "{}", violation.en);
                assert!(!violation.zh.contains('–'), "{}", violation.zh);
            }
        }
    }
}
