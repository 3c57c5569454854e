//! The one place that reads keys for the whole page.

use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// What a key asks of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shortcut {
    Undo,
    Redo,
    Save,
    Open,
}

/// None while an input method composes, and for undo inside a text field, which has its own.
pub(crate) fn shortcut(event: &KeyboardEvent) -> Option<Shortcut> {
    if event.is_composing() || event.key_code() == 229 || event.alt_key() {
        return None;
    }
    if !(event.ctrl_key() || event.meta_key()) {
        return None;
    }
    let found = match (event.key().to_lowercase().as_str(), event.shift_key()) {
        ("z", false) => Shortcut::Undo,
        ("z", true) | ("y", false) => Shortcut::Redo,
        ("s", false) => Shortcut::Save,
        ("o", false) => Shortcut::Open,
        _ => return None,
    };
    let in_text = matches!(found, Shortcut::Undo | Shortcut::Redo) && edits_text(event);
    (!in_text).then_some(found)
}

/// The event comes from where text is being typed and not yet committed.
pub(crate) fn edits_text(event: &web_sys::Event) -> bool {
    let Some(element) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else {
        return false;
    };
    element.tag_name() == "TEXTAREA"
        || (element.tag_name() == "INPUT" && element.has_attribute("data-dirty"))
}
