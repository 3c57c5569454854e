//! The page's end: starts the worker, numbers requests, replaces a worker that crashed or fell
//! silent.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use js_sys::{Array, ArrayBuffer, Uint8Array};
use wasm_bindgen::JsCast;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::Callback;

use super::protocol::{
    BUILD, Envelope, Failure, Message, Progress, Reply, Request, decode, encode,
};

/// What the engine tells outside of replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Ready,
    /// The search of the solve request `id` goes on.
    Progress {
        id: u32,
        progress: Progress,
    },
    /// The files of the worker are of another deploy; a reload helps.
    OtherBuild,
    /// The worker does not start any more.
    Dead,
}

/// The handle of the engine. Clones share one worker.
#[derive(Clone)]
pub struct Engine(Rc<RefCell<Inner>>);

struct Inner {
    worker: Option<Running>,
    ready: bool,
    /// Sent once the worker is ready.
    queue: Vec<Envelope>,
    waiting: BTreeMap<u32, Callback<Result<Reply, Failure>>>,
    next_id: u32,
    /// Starts in a row without a message from the worker.
    failed_starts: u32,
    watchdog: Option<Timeout>,
    on_event: Callback<Event>,
}

struct Running {
    worker: Worker,
    _listeners: [EventListener; 2],
}

/// A silence longer than this replaces the worker; progress breaks the silence.
const SILENCE_MS: u32 = 10_000;
/// Loading on a slow line may take longer.
const START_MS: u32 = 60_000;
const STARTS: u32 = 3;

impl PartialEq for Engine {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Engine {
    /// Starts the worker.
    pub fn start(on_event: Callback<Event>) -> Self {
        let engine = Self(Rc::new(RefCell::new(Inner {
            worker: None,
            ready: false,
            queue: Vec::new(),
            waiting: BTreeMap::new(),
            next_id: 1,
            failed_starts: 0,
            watchdog: None,
            on_event,
        })));
        engine.spawn();
        engine
    }

    /// Asks, and returns the number of the request. `reply` is called once, unless the request
    /// is a `Cancel`.
    pub fn ask(&self, request: Request, reply: Callback<Result<Reply, Failure>>) -> u32 {
        let envelope = {
            let mut inner = self.0.borrow_mut();
            let id = inner.next_id;
            inner.next_id = id.wrapping_add(1);
            if request != Request::Cancel {
                inner.waiting.insert(id, reply);
            }
            Envelope { id, request }
        };
        let id = envelope.id;
        if self.0.borrow().worker.is_none() {
            self.0.borrow_mut().failed_starts = 0;
            self.spawn();
        }
        if self.0.borrow().ready {
            self.send(&envelope);
        } else {
            self.0.borrow_mut().queue.push(envelope);
        }
        self.watch();
        id
    }

    /// Ends the running computation; its request is answered `Cancelled`.
    pub fn cancel(&self) {
        if self.0.borrow().ready {
            self.ask(Request::Cancel, Callback::noop());
        }
    }

    fn spawn(&self) {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        // Relative to the document, so that the page works under any path.
        let Ok(worker) = Worker::new_with_options(&format!("./engine.js?v={BUILD}"), &options)
        else {
            self.give_up();
            return;
        };
        let weak = Rc::downgrade(&self.0);
        let on_message = EventListener::new(&worker, "message", move |event| {
            with_engine(&weak, |engine| engine.receive(event));
        });
        let weak = Rc::downgrade(&self.0);
        let on_error = EventListener::new(&worker, "error", move |_| {
            with_engine(&weak, |engine| engine.replace("engine-crashed"));
        });
        {
            let mut inner = self.0.borrow_mut();
            inner.ready = false;
            inner.failed_starts += 1;
            inner.worker = Some(Running { worker, _listeners: [on_message, on_error] });
        }
        self.watch();
    }

    fn receive(&self, event: &web_sys::Event) {
        let bytes = event
            .dyn_ref::<MessageEvent>()
            .and_then(|event| event.data().dyn_into::<ArrayBuffer>().ok())
            .map(|buffer| Uint8Array::new(&buffer).to_vec());
        let message = bytes.and_then(|bytes| decode::<Message>(&bytes));
        self.0.borrow_mut().failed_starts = 0;
        let on_event = self.0.borrow().on_event.clone();
        match message {
            Some(Message::Ready { build }) if build == BUILD => {
                let queue = {
                    let mut inner = self.0.borrow_mut();
                    inner.ready = true;
                    std::mem::take(&mut inner.queue)
                };
                for envelope in &queue {
                    self.send(envelope);
                }
                on_event.emit(Event::Ready);
            }
            Some(Message::Ready { .. }) => on_event.emit(Event::OtherBuild),
            Some(Message::Progress { id, progress }) => {
                on_event.emit(Event::Progress { id, progress });
            }
            Some(Message::Reply { id, reply }) => {
                let waiting = self.0.borrow_mut().waiting.remove(&id);
                if let Some(waiting) = waiting {
                    waiting.emit(*reply);
                }
            }
            Some(Message::Unreadable) | None => self.replace("engine-garbled"),
        }
        self.watch();
    }

    fn send(&self, envelope: &Envelope) {
        let result = encode(envelope).and_then(|bytes| {
            let inner = self.0.borrow();
            let running = inner.worker.as_ref().ok_or_else(|| Failure::new("engine-crashed"))?;
            let buffer = Uint8Array::from(bytes.as_slice()).buffer();
            running
                .worker
                .post_message_with_transfer(&buffer, &Array::of1(&buffer))
                .map_err(|_| Failure::new("engine-unwritable"))
        });
        if let Err(failure) = result {
            let waiting = self.0.borrow_mut().waiting.remove(&envelope.id);
            if let Some(waiting) = waiting {
                waiting.emit(Err(failure));
            }
        }
    }

    /// Ends the worker, answers what waits with a failure and starts another one.
    fn replace(&self, key: &str) {
        let (worker, waiting, failed_starts) = {
            let mut inner = self.0.borrow_mut();
            inner.ready = false;
            inner.queue.clear();
            inner.watchdog = None;
            let waiting = std::mem::take(&mut inner.waiting);
            (inner.worker.take(), waiting, inner.failed_starts)
        };
        if let Some(running) = worker {
            running.worker.terminate();
        }
        if failed_starts < STARTS {
            self.spawn();
        } else {
            self.give_up();
        }
        for reply in waiting.into_values() {
            reply.emit(Err(Failure::new(key)));
        }
    }

    fn give_up(&self) {
        let (on_event, waiting) = {
            let mut inner = self.0.borrow_mut();
            inner.queue.clear();
            (inner.on_event.clone(), std::mem::take(&mut inner.waiting))
        };
        for reply in waiting.into_values() {
            reply.emit(Err(Failure::new("engine-dead")));
        }
        on_event.emit(Event::Dead);
    }

    /// Sets the alarm anew when something is waited for.
    fn watch(&self) {
        let weak = Rc::downgrade(&self.0);
        let mut inner = self.0.borrow_mut();
        let limit = match (inner.ready, inner.waiting.is_empty(), inner.worker.is_some()) {
            (_, _, false) | (true, true, true) => None,
            (true, false, true) => Some(SILENCE_MS),
            (false, _, true) => Some(START_MS),
        };
        inner.watchdog = limit.map(|limit| {
            Timeout::new(limit, move || {
                with_engine(&weak, |engine| engine.replace("engine-silent"));
            })
        });
    }
}

fn with_engine(weak: &Weak<RefCell<Inner>>, act: impl FnOnce(&Engine)) {
    if let Some(inner) = weak.upgrade() {
        act(&Engine(inner));
    }
}
