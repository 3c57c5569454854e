//! What the top bar and the keys do.

use project::Command;
use web_sys::HtmlInputElement;
use yew::{Callback, NodeRef, UseStateHandle};

use super::topbar::Ask;
use super::{files, intake};
use crate::engine::{Engine, Failure, Reply, Request};
use crate::state::{self, Action, Notice, Store};

/// Project files that the page carries; the order of the menu.
const EXAMPLES: [&str; 3] = [
    include_str!("../../examples/llama2-70b-2x8-a100.yaml"),
    include_str!("../../examples/llama2-7b-8x4090.yaml"),
    include_str!("../../examples/deepseek-v3-256x8-h800.yaml"),
];

/// Everything that an action needs.
#[derive(Clone)]
pub(crate) struct Actions {
    pub store: Store,
    pub engine: Option<Engine>,
    pub picker: NodeRef,
    pub sharing: UseStateHandle<bool>,
}

impl Actions {
    pub(crate) fn run(&self, ask: Ask) {
        let store = &self.store;
        match ask {
            Ask::Edit(command) => store.dispatch(Action::Edit(command)),
            Ask::Undo => store.dispatch(Action::Undo),
            Ask::Redo => store.dispatch(Action::Redo),
            Ask::Language(language) => store.dispatch(Action::Language(language)),
            Ask::Theme(theme) => store.dispatch(Action::Theme(theme)),
            Ask::Failed(failure) => store.dispatch(Action::Notice(Notice::error(failure, ""))),
            Ask::Share => self.sharing.set(true),
            Ask::Open => {
                if let Some(input) = self.picker.cast::<HtmlInputElement>() {
                    input.click();
                }
            }
            Ask::Example(index) => match (EXAMPLES.get(index), state::previous()) {
                (Some(text), _) => self.take(String::new(), (*text).to_owned()),
                (None, Some(document)) => {
                    store.dispatch(Action::Edit(Command::Replace(Box::new(document))));
                }
                (None, None) => {}
            },
            Ask::File(name, text) => self.take(name, text),
            Ask::Save => self.save(),
        }
    }

    /// Opens a file by its content.
    pub(crate) fn take(&self, name: String, text: String) {
        if let Some(engine) = &self.engine {
            intake::take(&name, text, engine, &self.store);
        }
    }

    /// Offers the document as a file.
    fn save(&self) {
        let Some(engine) = &self.engine else { return };
        let document = &self.store.document;
        let name = file_name(&document.name);
        let store = self.store.clone();
        let reply = Callback::from(move |reply: Result<Reply, Failure>| {
            let failure = match reply {
                Ok(Reply::ProjectText(text)) => {
                    if files::download(&name, "application/yaml", text.as_bytes()) {
                        return;
                    }
                    Failure::new("download-failed")
                }
                Ok(_) => return,
                Err(failure) => failure,
            };
            store.dispatch(Action::Notice(Notice::error(failure, &name)));
        });
        engine.ask(Request::SaveProject(Box::new((**document).clone())), reply);
    }
}

/// A name that every file system takes.
fn file_name(title: &str) -> String {
    let safe: String = title
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '.' | '_') { c } else { '-' })
        .collect();
    let parts: Vec<&str> = safe.split('-').filter(|part| !part.is_empty()).collect();
    let name = parts.join("-");
    let name: String = name.trim_start_matches('.').chars().take(80).collect();
    if name.is_empty() { "project.yaml".to_owned() } else { format!("{name}.yaml") }
}
