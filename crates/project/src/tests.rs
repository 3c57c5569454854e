//! Commands, undo and the vocabulary.

use proptest::prelude::*;

use crate::arbitrary;
use crate::command::{Command, Pin};
use crate::document::{Document, ModelSource};
use crate::history::History;
use crate::limits::{Limits, check};
use crate::words::Word;
use planner::cluster::{Fabric, IntraNode};
use planner::strategy::{Framework, JobKind, Offload, Optimizer, Precision, Recompute, Zero};
use planner::units::Currency;

proptest! {
    #[test]
    fn any_commands_undone_give_the_identical_document(
        start in arbitrary::document(),
        commands in prop::collection::vec((arbitrary::command(), prop::option::of(0u64..2)), 0..12),
    ) {
        let mut history = History::new(start.clone());
        let mut states = vec![start];
        for (command, gesture) in commands {
            let before = history.document().clone();
            let result = match gesture {
                Some(gesture) => history.apply_in_gesture(command, gesture),
                None => history.apply(command),
            };
            if result.is_err() {
                prop_assert_eq!(history.document(), &before);
            }
            prop_assert_eq!(check(history.document()), vec![]);
            states.push(history.document().clone());
        }
        let end = history.document().clone();
        let mut steps = 0;
        while history.undo() {
            prop_assert!(states.contains(history.document()));
            steps += 1;
        }
        prop_assert_eq!(history.document(), &states[0]);
        for _ in 0..steps {
            prop_assert!(history.redo());
        }
        prop_assert!(!history.redo());
        prop_assert_eq!(history.document(), &end);
    }
}

#[test]
fn a_gesture_is_one_step() {
    let mut history = History::new(Document::example());
    for nodes in [3, 4, 5] {
        assert_eq!(history.apply_in_gesture(Command::Nodes(nodes), 7), Ok(true));
    }
    history.apply_in_gesture(Command::Nodes(6), 8).unwrap();
    assert!(history.undo());
    assert_eq!(history.document().cluster.nodes, 5);
    assert_eq!(history.can_undo(), Some("cluster.nodes"));
    assert!(history.undo());
    assert_eq!(history.document(), &Document::example());
    assert!(!history.undo());
    assert!(history.redo());
    assert_eq!(history.document().cluster.nodes, 5);
}

#[test]
fn a_change_to_the_same_value_is_no_step() {
    let mut history = History::new(Document::example());
    assert_eq!(history.apply(Command::Nodes(2)), Ok(false));
    assert_eq!(history.can_undo(), None);
}

#[test]
fn the_past_is_bounded() {
    let mut history = History::with_depth(Document::example(), 3);
    for nodes in 10..20 {
        history.apply(Command::Nodes(nodes)).unwrap();
    }
    while history.undo() {}
    assert_eq!(history.document().cluster.nodes, 16);
}

#[test]
fn a_value_out_of_bounds_is_refused_with_its_bounds() {
    let mut history = History::new(Document::example());
    let problem = history.apply(Command::Nodes(0)).unwrap_err();
    assert_eq!(problem.field, "cluster.nodes");
    assert_eq!(problem.limits, Limits::Numbers { low: 1.0, high: 16_384.0 });
    assert_eq!(problem.to_string(), "cluster.nodes is 0; use a number from 1 to 16384");
    let problem = history.apply(Command::Pin(Pin::MicroBatch(Some(0)))).unwrap_err();
    assert_eq!(problem.field, "pins.micro_batch");
    let problem = history
        .apply(Command::Nodes(16_384))
        .and_then(|_| history.apply(Command::GpusPerNode(1024)));
    assert_eq!(problem.unwrap_err().field, "cluster.gpus");
    let problem = history.apply(Command::Accelerator("A100; rm".to_owned())).unwrap_err();
    assert_eq!(problem.limits, Limits::Id);
}

#[test]
fn the_example_has_inputs() {
    let inputs = Document::example().inputs().unwrap();
    assert_eq!(inputs.model.counts.total, 68_976_648_192);
    assert_eq!(inputs.cluster, Document::example().cluster);
}

#[test]
fn names_outside_the_catalog_are_refused_with_the_nearest() {
    let mut document = Document::example();
    document.cluster.accelerator = "a100-sxm-80".to_owned();
    let error = document.inputs().unwrap_err();
    assert_eq!(
        error.to_string(),
        "cluster.accelerator: a100-sxm-80 is not in the catalog; did you mean a100-sxm-80g?"
    );
    document.model = ModelSource::Preset("llama2-700b".to_owned());
    assert_eq!(document.inputs().unwrap_err().key(), "inputs-unknown-nearest");
    document.model = ModelSource::Config { name: "c.json".to_owned(), text: "{}".to_owned() };
    assert!(document.inputs().unwrap_err().to_string().starts_with("model.config: c.json: "));
}

#[test]
fn words_and_codes_are_one_to_one() {
    #[track_caller]
    fn check<W: Word + std::fmt::Debug>() {
        for value in W::ALL {
            assert_eq!(W::from_word(value.word()), Some(*value));
            assert_eq!(W::from_code(value.code()), Some(*value));
        }
        assert_eq!(W::from_word("nothing"), None);
        assert_eq!(W::from_code(255), None);
    }
    check::<JobKind>();
    check::<Precision>();
    check::<Optimizer>();
    check::<IntraNode>();
    check::<Fabric>();
    check::<Framework>();
    check::<Zero>();
    check::<Recompute>();
    check::<Offload>();
    check::<Currency>();
}
