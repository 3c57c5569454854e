//! What happens beside drawing: the engine's life, solving, saving, restoring, keys.

use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::callback::Timeout;
use project::{Document, ModelSource};
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use web_sys::KeyboardEvent;
use yew::{Callback, hook, use_effect_with, use_state};

use super::actions::Actions;
use super::keyboard::{Shortcut, shortcut};
use super::topbar::Ask;
use super::{intake, recovery};
use crate::engine::{Engine, Event, Failure, Reply, Request};
use crate::state::{self, Action, EngineState, Notice, Saving, Store};

/// Time without an edit before the document is stored.
const SAVE_AFTER_MS: u32 = 300;

/// Starts the engine once. None before the first drawing.
#[hook]
pub(crate) fn use_engine(store: &Store) -> Option<Engine> {
    let engine = use_state(|| None::<Engine>);
    {
        let (engine, store) = (engine.clone(), store.clone());
        use_effect_with((), move |()| {
            let on_event = Callback::from(move |event: Event| match event {
                Event::Ready => store.dispatch(Action::Engine(EngineState::Ready)),
                Event::Progress { id, progress } => {
                    store.dispatch(Action::Progress { id, progress });
                }
                Event::OtherBuild => {
                    store.dispatch(Action::Engine(EngineState::OtherBuild));
                    let failure = Failure::new("engine-other-build");
                    store.dispatch(Action::Notice(Notice::error(failure, "")));
                }
                Event::Dead => {
                    store.dispatch(Action::Engine(EngineState::Dead));
                    let failure = Failure::new("engine-dead");
                    store.dispatch(Action::Notice(Notice::error(failure, "")));
                }
            });
            engine.set(Some(Engine::start(on_event)));
        });
    }
    (*engine).clone()
}

/// Asks for an answer whenever the document changed.
#[hook]
pub(crate) fn use_solving(store: &Store, engine: Option<&Engine>) {
    let revision = store.revision;
    let store = store.clone();
    use_effect_with((revision, engine.cloned()), move |(revision, engine)| {
        let Some(engine) = engine else { return };
        recovery::remember(Rc::clone(&store.document));
        let document = Box::new((*store.document).clone());
        // The number is known only after asking, and the reply comes in a later turn.
        let asked = Rc::new(std::cell::Cell::new(0));
        let reply = {
            let (store, asked) = (store.clone(), Rc::clone(&asked));
            Callback::from(move |reply: Result<Reply, Failure>| {
                let id = asked.get();
                match reply {
                    Ok(Reply::Solved(answer)) => store.dispatch(Action::Solved { id, answer }),
                    Ok(_) => store.dispatch(Action::Cancelled { id }),
                    Err(failure) => store.dispatch(Action::Unsolved { id, failure }),
                }
            })
        };
        let id = engine.ask(Request::Solve(document), reply);
        asked.set(id);
        store.dispatch(Action::Asked { id, revision: *revision });
    });
}

/// Takes the static example away as soon as there is a live answer, or a reason for none.
#[hook]
pub(crate) fn use_reveal(store: &Store) {
    let solution = &store.solution;
    let live = solution.answer.is_some() || solution.failure.is_some();
    use_effect_with(live, |live| {
        let skeleton = web_sys::window()
            .and_then(|window| window.document())
            .and_then(|document| document.get_element_by_id("skeleton"));
        if let Some(skeleton) = skeleton.filter(|_| *live) {
            skeleton.remove();
        }
    });
}

/// Says what a model file holds, whichever way it came.
#[hook]
pub(crate) fn use_model(store: &Store, engine: Option<&Engine>) {
    let source = store.document.model.clone();
    let store = store.clone();
    use_effect_with((source, engine.cloned()), move |(source, engine)| {
        let (ModelSource::Config { name, text }, Some(engine)) = (source, engine) else {
            store.dispatch(Action::Model(None));
            return;
        };
        let request = Request::ReadConfig { name: name.clone(), text: text.clone() };
        let reply = Callback::from(move |reply| {
            // A failure is told by the answer's place, which needs the same model.
            let model = match reply {
                Ok(Reply::Model(summary)) => Some(Rc::new(summary)),
                Ok(_) | Err(_) => None,
            };
            store.dispatch(Action::Model(model));
        });
        engine.ask(request, reply);
    });
}

/// Brings back the last document, then opens the link of the address, once.
#[hook]
pub(crate) fn use_restoring(store: &Store) {
    let store = store.clone();
    use_effect_with((), move |()| {
        spawn_local(async move {
            let rescued = state::recover();
            let told = rescued.is_some();
            let found = match rescued {
                Some(document) => Some(document),
                None => state::load().await,
            };
            if let Some(document) = &found {
                store.dispatch(Action::Restore(Box::new(document.clone())));
            }
            if told {
                store.dispatch(Action::Notice(Notice::done("notice-recovered")));
            }
            open_address(found.as_ref(), &store);
        });
    });
}

/// A link opened in this tab changes only the fragment.
#[hook]
pub(crate) fn use_address(store: &Store) {
    let store = store.clone();
    use_effect_with((), move |()| {
        let listener = web_sys::window().map(|window| {
            EventListener::new(&window, "hashchange", move |_| {
                open_address(recovery::remembered().as_deref(), &store);
            })
        });
        move || drop(listener)
    });
}

fn open_address(current: Option<&Document>, store: &Store) {
    let Some(window) = web_sys::window() else { return };
    let location = window.location();
    let hash = location.hash().unwrap_or_default();
    if hash.len() < 2 {
        return;
    }
    intake::open_link(&hash, current, store);
    // The address no longer tells the document once it is edited.
    let path = location.pathname().unwrap_or_default() + &location.search().unwrap_or_default();
    let cleared = window
        .history()
        .and_then(|history| history.replace_state_with_url(&JsValue::NULL, "", Some(&path)));
    debug_assert!(cleared.is_ok(), "an address of this origin");
}

/// Stores the document a moment after the last edit.
#[hook]
pub(crate) fn use_saving(store: &Store) {
    let pending = store.saving == Saving::Pending;
    let revision = store.revision;
    let store = store.clone();
    use_effect_with((revision, pending), move |(_, pending)| {
        let timer = pending.then(|| {
            Timeout::new(SAVE_AFTER_MS, move || {
                spawn_local(async move {
                    let saved = match state::save(&store.document).await {
                        Ok(()) => Saving::Saved,
                        Err(_) => Saving::Failed,
                    };
                    store.dispatch(Action::Saved { revision, saving: saved });
                });
            })
        });
        move || drop(timer)
    });
}

/// Writes the preferences to the page and keeps them.
#[hook]
pub(crate) fn use_preferences(store: &Store) {
    use_effect_with(store.preferences, |preferences| {
        preferences.show();
        preferences.store();
    });
}

/// Keys, drops and pastes of the whole page.
#[hook]
pub(crate) fn use_gateway(actions: &Actions) {
    let revision = actions.store.revision;
    let actions = actions.clone();
    use_effect_with((revision, actions.engine.clone()), move |(_, engine)| {
        let listeners = web_sys::window().map(|window| {
            let files =
                engine.as_ref().map(|engine| intake::listen(&window, engine, &actions.store));
            let options = EventListenerOptions::enable_prevent_default();
            let keys = EventListener::new_with_options(&window, "keydown", options, move |event| {
                let key = event.dyn_ref::<KeyboardEvent>().and_then(shortcut);
                if let Some(key) = key {
                    event.prevent_default();
                    actions.run(match key {
                        Shortcut::Undo => Ask::Undo,
                        Shortcut::Redo => Ask::Redo,
                        Shortcut::Save => Ask::Save,
                        Shortcut::Open => Ask::Open,
                    });
                }
            });
            (files, keys)
        });
        move || drop(listeners)
    });
}
