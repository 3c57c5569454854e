//! Files dropped or pasted anywhere: a config.json or Megatron arguments become the model, a
//! project file or a share link opens.

use gloo_events::{EventListener, EventListenerOptions};
use project::{Command, Document, ModelSource};
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, DataTransfer, DragEvent, Element, Event, Window};
use yew::Callback;

use super::{files, recovery};
use crate::engine::{Engine, Failure, Reply, Request};
use crate::state::{self, Action, Notice, Store};

/// What a config.json that was pasted is called.
pub(super) const PASTED: &str = "config.json";
/// What pasted Megatron arguments are called.
pub(super) const PASTED_SCRIPT: &str = "run.sh";

/// Opens a file by its content; errors become a notice and leave the document as it is.
pub(crate) fn take(name: &str, text: String, engine: &Engine, store: &Store) {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if let Some(fragment) = link(start) {
        open_link(fragment, recovery::remembered().as_deref(), store);
    } else if start.starts_with('{') || is_script(start) {
        let pasted = if start.starts_with('{') { PASTED } else { PASTED_SCRIPT };
        let name = if name.is_empty() { pasted } else { name };
        take_config(name, text, engine, store);
    } else {
        take_project(name, text, engine, store);
    }
}

/// Opens a share link as a copy: undo brings the `current` document back, and after a reload the
/// menu does.
pub(crate) fn open_link(fragment: &str, current: Option<&Document>, store: &Store) {
    match project::from_fragment(fragment) {
        Ok(document) => {
            if let Some(current) = current.filter(|current| **current != document) {
                state::keep_previous(current);
            }
            store.dispatch(Action::Edit(Command::Replace(Box::new(document))));
            store.dispatch(Action::Notice(Notice::done("notice-link-opened")));
        }
        Err(error) => {
            let failure = Failure::with(error.key(), error.args());
            store.dispatch(Action::Notice(Notice::error(failure, "")));
        }
    }
}

/// Megatron arguments; a project may hold some, too.
fn is_script(text: &str) -> bool {
    text.contains("--num-layers") && !text.lines().any(|line| line.starts_with("meshwright:"))
}

fn take_config(name: &str, text: String, engine: &Engine, store: &Store) {
    let request = Request::ReadConfig { name: name.to_owned(), text: text.clone() };
    let (store, name) = (store.clone(), name.to_owned());
    let reply = Callback::from(move |reply: Result<Reply, Failure>| match reply {
        Ok(Reply::Model(_)) => {
            let source = ModelSource::Config { name: name.clone(), text: text.clone() };
            store.dispatch(Action::Edit(Command::Model(source)));
        }
        Ok(_) => {}
        Err(failure) => store.dispatch(Action::Notice(Notice::error(failure, &name))),
    });
    engine.ask(request, reply);
}

fn take_project(name: &str, text: String, engine: &Engine, store: &Store) {
    let (store, name) = (store.clone(), name.to_owned());
    let reply = Callback::from(move |reply: Result<Reply, Failure>| match reply {
        Ok(Reply::Project(document)) => {
            store.dispatch(Action::Edit(Command::Replace(document)));
        }
        Ok(_) => {}
        Err(failure) => store.dispatch(Action::Notice(Notice::error(failure, &name))),
    });
    engine.ask(Request::OpenProject { text }, reply);
}

/// Listens on the window; the listeners live as long as what is returned.
pub(crate) fn listen(window: &Window, engine: &Engine, store: &Store) -> [EventListener; 3] {
    let options = EventListenerOptions::enable_prevent_default();
    let over = EventListener::new_with_options(window, "dragover", options, |event| {
        // Without this the browser would open the file itself.
        event.prevent_default();
    });
    let (drop_engine, drop_store) = (engine.clone(), store.clone());
    let dropped = EventListener::new_with_options(window, "drop", options, move |event| {
        event.prevent_default();
        if let Some(data) = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer) {
            take_transfer(&data, &drop_engine, &drop_store);
        }
    });
    let (engine, store) = (engine.clone(), store.clone());
    let pasted = EventListener::new(window, "paste", move |event| {
        let data = event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data);
        if let (Some(data), false) = (data, is_field(event)) {
            take_transfer(&data, &engine, &store);
        }
    });
    [over, dropped, pasted]
}

fn take_transfer(data: &DataTransfer, engine: &Engine, store: &Store) {
    if let Some(file) = data.files().and_then(|files| files.get(0)) {
        let (file_engine, file_store) = (engine.clone(), store.clone());
        let on_file = Callback::from(move |(name, text): (String, String)| {
            take(&name, text, &file_engine, &file_store);
        });
        let store = store.clone();
        let on_failure = Callback::from(move |failure: Failure| {
            store.dispatch(Action::Notice(Notice::error(failure, "")));
        });
        files::read(file, on_file, on_failure);
    } else if let Ok(text) = data.get_data("text/plain")
        && !text.trim().is_empty()
    {
        take("", text, engine, store);
    }
}

/// The fragment of a share link, alone or in an address.
fn link(text: &str) -> Option<&str> {
    let line = text.lines().next().filter(|line| !line.contains(char::is_whitespace))?;
    let fragment = if line.starts_with("http") { line.split_once('#')?.1 } else { line };
    let (version, rest) = fragment.strip_prefix('v')?.split_once('.')?;
    (version.parse::<u32>().is_ok() && !rest.is_empty()).then_some(fragment)
}

/// Pasting into a field is editing that field.
fn is_field(event: &Event) -> bool {
    event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
        .is_some_and(|element| matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA"))
}
