//! In a real browser: the engine gives the same digits as natively, and the words are there.
#![cfg(target_arch = "wasm32")]

mod report;

use meshwright::text::{Language, Text};
use planner::explain::Quantity;
use planner::units::Bytes;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn the_examples_give_the_native_answers() {
    for (name, project, expected) in report::EXAMPLES {
        let got = report::report(project);
        assert!(got.as_deref() == Ok(expected), "{name}: {got:?}");
    }
}

#[wasm_bindgen_test]
fn both_languages_word_a_quantity() {
    let memory = Quantity::Bytes(Bytes::gib(79.2));
    for language in [Language::En, Language::ZhCn] {
        assert_eq!(Text::new(language).quantity(&memory), "79.2 GiB");
    }
}

#[wasm_bindgen_test]
fn a_link_survives_the_browser() {
    let document = project::Document::example();
    let fragment = project::to_fragment(&document);
    assert_eq!(project::from_fragment(&fragment).ok(), Some(document));
}
