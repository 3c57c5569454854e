//! The worker's end: one computation at a time, in slices, so that a newer request or a cancel
//! is seen between them.

mod answers;
mod turn;

use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::EventListener;
use js_sys::{Array, ArrayBuffer, Date, Uint8Array};
use planner::answer::{Answer, Solver};
use project::Document;
use wasm_bindgen::JsCast;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::protocol::{
    BUILD, Envelope, Failure, Message, Progress, Reply, Request, decode, encode,
};
use turn::Turn;

/// A slice of a search; short enough that a newer request waits little.
const SLICE_MS: f64 = 40.0;
/// Layouts between two looks at the clock.
const LAYOUTS: u64 = 4096;
/// Progress is told this often.
const TELL_MS: f64 = 100.0;

/// Listens for ever. Called once, by the worker's `main`.
pub fn serve() {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    let service = Rc::new(Service {
        scope: scope.clone(),
        running: RefCell::new(None),
        last: RefCell::new(None),
    });
    let turning = Rc::clone(&service);
    let turn = Rc::new(Turn::new(move |turn| turning.step(turn)));
    let receiving = Rc::clone(&service);
    EventListener::new(&scope, "message", move |event| {
        let bytes = event
            .dyn_ref::<MessageEvent>()
            .and_then(|event| event.data().dyn_into::<ArrayBuffer>().ok())
            .map(|buffer| Uint8Array::new(&buffer).to_vec());
        match bytes.and_then(|bytes| decode::<Envelope>(&bytes)) {
            Some(envelope) => receiving.receive(envelope, &turn),
            None => receiving.post(&Message::Unreadable),
        }
    })
    .forget();
    service.post(&Message::Ready { build: BUILD.to_owned() });
}

struct Service {
    scope: DedicatedWorkerGlobalScope,
    running: RefCell<Option<Running>>,
    /// What was solved last, for the launch files and closer looks.
    last: RefCell<Option<(Document, Answer)>>,
}

/// A search under way.
struct Running {
    id: u32,
    document: Document,
    solver: Solver,
    told: f64,
}

impl Service {
    fn receive(&self, envelope: Envelope, turn: &Turn) {
        let id = envelope.id;
        match envelope.request {
            Request::Solve(document) => {
                self.end();
                match answers::solver(&document) {
                    Ok(solver) => {
                        let told = Date::now();
                        *self.running.borrow_mut() =
                            Some(Running { id, document: *document, solver, told });
                        turn.ask();
                    }
                    Err(failure) => self.reply(id, Err(failure)),
                }
            }
            Request::Cancel => self.end(),
            Request::ReadConfig { name, text } => {
                self.reply(id, answers::read_config(&name, &text));
            }
            Request::ModelForm(source) => self.reply(id, Ok(answers::model_form(&source))),
            Request::FormText(values) => self.reply(id, answers::form_text(values)),
            Request::OpenProject { text } => self.reply(id, answers::open_project(&text)),
            Request::SaveProject(document) => {
                self.reply(id, Ok(Reply::ProjectText(project::to_yaml(&document))));
            }
            Request::Export(document) => self.export(id, &document),
            Request::StageTree { stage, instant } => {
                self.look(id, |document, answer| {
                    answers::stage_tree(document, answer, stage, instant)
                });
            }
            Request::ExplainOom { text } => {
                self.look(id, |document, answer| answers::explain_oom(document, answer, &text));
            }
        }
    }

    fn export(&self, id: u32, document: &Document) {
        let last = self.last.borrow();
        let known = last.as_ref().filter(|(solved, _)| solved == document);
        self.reply(id, answers::export(document, known.map(|(_, answer)| answer)));
    }

    /// Replies with a closer look at what was solved last.
    fn look(&self, id: u32, at: impl FnOnce(&Document, &Answer) -> Result<Reply, Failure>) {
        let last = self.last.borrow();
        let reply = match last.as_ref() {
            Some((document, answer)) => at(document, answer),
            None => Err(Failure::new("explain-again")),
        };
        self.reply(id, reply);
    }

    /// One slice; asks for the next turn until the search is done.
    fn step(&self, turn: &Turn) {
        let Some(mut running) = self.running.borrow_mut().take() else { return };
        let start = Date::now();
        let mut done = running.solver.advance(LAYOUTS);
        while !done && Date::now() - start < SLICE_MS {
            done = running.solver.advance(LAYOUTS);
        }
        if done {
            let answer = running.solver.finish();
            *self.last.borrow_mut() = Some((running.document, answer.clone()));
            self.reply(running.id, Ok(Reply::Solved(Box::new(answer))));
            return;
        }
        if Date::now() - running.told >= TELL_MS {
            running.told = Date::now();
            let progress = running.solver.progress();
            let progress = Progress { evaluated: progress.done, total: progress.total };
            self.post(&Message::Progress { id: running.id, progress });
        }
        *self.running.borrow_mut() = Some(running);
        turn.ask();
    }

    fn end(&self) {
        if let Some(running) = self.running.borrow_mut().take() {
            self.reply(running.id, Ok(Reply::Cancelled));
        }
    }

    fn reply(&self, id: u32, reply: Result<Reply, Failure>) {
        self.post(&Message::Reply { id, reply: Box::new(reply) });
    }

    /// What cannot be written is dropped; the page's alarm then replaces the worker.
    fn post(&self, message: &Message) {
        if let Ok(bytes) = encode(message) {
            let buffer = Uint8Array::from(bytes.as_slice()).buffer();
            let sent = self.scope.post_message_with_transfer(&buffer, &Array::of1(&buffer));
            debug_assert!(sent.is_ok(), "a buffer can be transferred");
        }
    }
}
