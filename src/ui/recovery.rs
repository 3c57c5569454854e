//! When the page itself breaks: the document is kept first, then the reader is told.

use std::cell::RefCell;
use std::rc::Rc;

use project::Document;
use yew::set_custom_panic_hook;

use crate::state::rescue;
use crate::text::{Language, Text};

thread_local! {
    static GUARDED: RefCell<Option<Rc<Document>>> = const { RefCell::new(None) };
}

/// The document to keep if the page breaks.
pub(crate) fn remember(document: Rc<Document>) {
    GUARDED.with(|guarded| *guarded.borrow_mut() = Some(document));
}

/// The document as of the last drawing.
pub(crate) fn remembered() -> Option<Rc<Document>> {
    GUARDED.with(|guarded| guarded.try_borrow().ok().and_then(|document| document.clone()))
}

/// Sets the hook. Called before anything is drawn.
pub fn guard() {
    set_custom_panic_hook(Box::new(|info| {
        if let Some(document) = remembered() {
            rescue(&document);
        }
        web_sys::console::error_1(&info.to_string().into());
        tell(&info.to_string());
    }));
}

/// Plain elements, since the components are what broke.
fn tell(report: &str) {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else { return };
    let tag = document.document_element().and_then(|root| root.get_attribute("lang"));
    let text = Text::new(Language::from_browser(&tag.unwrap_or_default()));
    let (Some(body), Ok(sheet)) = (document.body(), document.create_element("div")) else {
        return;
    };
    let parts = [
        ("h2", text.get("recovery-title"), ""),
        ("p", text.get("recovery-saved"), ""),
        ("a", text.get("recovery-reload"), "."),
        ("pre", report.to_owned(), ""),
    ];
    for (name, words, href) in parts {
        if let Ok(element) = document.create_element(name) {
            element.set_text_content(Some(&words));
            if !href.is_empty() {
                drop(element.set_attribute("href", href));
            }
            drop(sheet.append_child(&element));
        }
    }
    drop(sheet.set_attribute("class", "recovery"));
    drop(sheet.set_attribute("role", "alertdialog"));
    drop(sheet.set_attribute("aria-label", &text.get("recovery-title")));
    drop(body.prepend_with_node_1(&sheet));
}
