use planner::estimate::{Instant, Memory};

use super::groups::{fullest, groups, instants, parts_used};
use crate::ui::sample;

fn memory() -> Memory {
    sample::answer().plan.unwrap().memory
}

#[test]
fn groups_cover_every_stage_once() {
    let memory = memory();
    for instant in instants(&memory) {
        let groups = groups(&memory, instant);
        let mut next = 0;
        for group in &groups {
            assert_eq!(group.first, next, "{instant:?}");
            next = group.last + 1;
        }
        assert_eq!(next as usize, memory.timeline.len(), "{instant:?}");
    }
}

#[test]
fn neighbours_are_one_group_only_where_all_their_numbers_are_the_same() {
    let mut memory = memory();
    let instant = memory.worst.instant;
    let first = memory.timeline[0].instants.clone();
    for stage in &mut memory.timeline {
        stage.instants.clone_from(&first);
    }
    let alike = groups(&memory, instant);
    assert_eq!((alike.len(), alike[0].stages() as usize), (1, memory.timeline.len()));
    let place = first.iter().position(|at| at.instant == instant).unwrap();
    memory.timeline[1].instants[place].parts.logits += planner::units::Bytes::gib(1e-6);
    assert_eq!(groups(&memory, instant).len(), memory.timeline.len().min(3));
}

#[test]
fn a_stage_without_an_instant_stands_apart() {
    let mut memory = memory();
    let instant = memory.worst.instant;
    for stage in memory.timeline.iter_mut().skip(1) {
        stage.instants.retain(|at| at.instant != instant);
    }
    let groups = groups(&memory, instant);
    assert!(groups[0].at.is_some());
    assert!(groups[1..].iter().all(|group| group.at.is_none()));
    assert!(instants(&memory).contains(&instant));
    assert_eq!(
        fullest(&memory, instant),
        memory.timeline[0].instants.iter().find(|at| at.instant == instant)
    );
    assert_eq!(fullest(&memory, Instant::OverStep), None);
}

#[test]
fn a_part_that_no_instant_has_gets_no_row() {
    let mut memory = memory();
    for at in memory.timeline.iter_mut().flat_map(|stage| &mut stage.instants) {
        at.parts.logits = planner::units::Bytes::ZERO;
    }
    assert!(!parts_used(&memory)[5]);
    assert!(parts_used(&memory)[0]);
}
