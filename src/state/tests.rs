use std::rc::Rc;

use planner::units::Currency;
use project::{Command, Document};
use yew::Reducible;

use super::*;
use crate::engine::Failure;
use crate::text::Language;

fn state() -> Rc<State> {
    let preferences =
        Preferences { language: Language::En, theme: Theme::System, sizes: PaneSizes::default() };
    Rc::new(State::new(Document::example(), preferences))
}

#[test]
fn an_edit_changes_the_document_and_undo_brings_it_back() {
    let before = state();
    let edited = Rc::clone(&before).reduce(Action::Edit(Command::Nodes(4)));
    assert_eq!(edited.document.cluster.nodes, 4);
    assert_eq!(edited.saving, Saving::Pending);
    assert_eq!(edited.can_undo(), Some("cluster.nodes"));
    let undone = edited.reduce(Action::Undo);
    assert_eq!(undone.document, before.document);
    assert_eq!(undone.reduce(Action::Redo).document.cluster.nodes, 4);
}

#[test]
fn an_edit_to_the_same_value_asks_for_nothing() {
    let before = state();
    let after = Rc::clone(&before).reduce(Action::Edit(Command::Currency(Currency::Cny)));
    assert_eq!(after.revision, before.revision);
    assert_eq!(after.saving, Saving::Saved);
}

#[test]
fn a_value_out_of_bounds_is_refused_in_words() {
    let before = state();
    let after = Rc::clone(&before).reduce(Action::Edit(Command::Nodes(0)));
    assert_eq!(after.document, before.document);
    let notice = after.notice.clone().unwrap();
    assert_eq!(notice.kind, NoticeKind::Error);
    assert_eq!(notice.failure.key, "problem-numbers");
}

#[test]
fn only_the_newest_request_counts() {
    let asked = state().reduce(Action::Asked { id: 1, revision: 1 });
    let again = asked.reduce(Action::Asked { id: 2, revision: 2 });
    let failure = Failure::new("engine-crashed");
    let late = again.reduce(Action::Unsolved { id: 1, failure: failure.clone() });
    assert_eq!(late.solution.failure, None);
    let now = late.reduce(Action::Unsolved { id: 2, failure: failure.clone() });
    assert_eq!(now.solution.failure, Some(failure));
    assert_eq!(now.solution.answered, 2);
}

#[test]
fn saving_an_old_revision_leaves_the_new_one_unsaved() {
    let edited = state().reduce(Action::Edit(Command::Nodes(4)));
    let old = edited.revision - 1;
    let saved = Rc::clone(&edited).reduce(Action::Saved { revision: old, saving: Saving::Saved });
    assert_eq!(saved.saving, Saving::Pending);
    let revision = edited.revision;
    let saved = edited.reduce(Action::Saved { revision, saving: Saving::Saved });
    assert_eq!(saved.saving, Saving::Saved);
}

#[test]
fn panes_keep_their_bounds() {
    let sizes = PaneSizes::default().with(Pane::Inputs, 9_999).with(Pane::Drawer, 0);
    assert_eq!((sizes.inputs, sizes.drawer), (480, 40));
}
