//! State and the actions that change it; pure.

use std::rc::Rc;

use planner::answer::Answer;
use planner::cluster::ClusterSpec;
use project::{Command, Document, History, Problem};
use yew::{Reducible, UseReducerHandle};

use super::{Preferences, Theme};
use crate::engine::{Failure, ModelSummary, Progress};
use crate::text::Language;

/// What components dispatch to.
pub type Store = UseReducerHandle<State>;

#[derive(Clone)]
pub struct State {
    history: History,
    /// The document of the history, shared with components.
    pub document: Rc<Document>,
    /// Its cluster; the same `Rc` while the cluster is the same.
    pub cluster: Rc<ClusterSpec>,
    /// Grows with every change of the document.
    pub revision: u64,
    pub preferences: Preferences,
    pub solution: Solution,
    pub engine: EngineState,
    pub saving: Saving,
    pub notice: Option<Notice>,
    /// What the model file says; none for presets.
    pub model: Option<Rc<ModelSummary>>,
}

/// The last answer and what is under way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    pub answer: Option<Rc<Answer>>,
    /// The revision that the answer is for.
    pub answered: u64,
    /// The request under way and its revision.
    pub asked: Option<(u32, u64)>,
    pub progress: Option<Progress>,
    pub failure: Option<Failure>,
    /// The revision whose search the reader stopped.
    pub stopped: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineState {
    Starting,
    Ready,
    OtherBuild,
    Dead,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saving {
    Saved,
    Pending,
    Failed,
}

/// One message to the reader: a key with values.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    pub kind: NoticeKind,
    pub failure: Failure,
    /// Where, such as a file name; empty without.
    pub place: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    Done,
    Error,
}

pub enum Action {
    Edit(Command),
    /// Changes of one gesture are one step back.
    EditInGesture(Command, u64),
    Undo,
    Redo,
    /// The document of the last visit; no step back.
    Restore(Box<Document>),
    Asked {
        id: u32,
        revision: u64,
    },
    Progress {
        id: u32,
        progress: Progress,
    },
    Solved {
        id: u32,
        answer: Box<Answer>,
    },
    Unsolved {
        id: u32,
        failure: Failure,
    },
    Cancelled {
        id: u32,
    },
    /// Compute after all what was stopped.
    Again,
    Engine(EngineState),
    /// The document of this revision was stored, or not.
    Saved {
        revision: u64,
        saving: Saving,
    },
    Model(Option<Rc<ModelSummary>>),
    Notice(Notice),
    Dismiss,
    Language(Language),
    Theme(Theme),
    Sizes(super::PaneSizes),
}

impl State {
    pub fn new(document: Document, preferences: Preferences) -> Self {
        Self {
            cluster: Rc::new(document.cluster.clone()),
            document: Rc::new(document.clone()),
            history: History::new(document),
            revision: 1,
            preferences,
            solution: Solution::default(),
            engine: EngineState::Starting,
            saving: Saving::Saved,
            notice: None,
            model: None,
        }
    }

    /// The field that undo would change.
    pub fn can_undo(&self) -> Option<&'static str> {
        self.history.can_undo()
    }

    pub fn can_redo(&self) -> Option<&'static str> {
        self.history.can_redo()
    }

    /// The answer shown is not for the document shown.
    pub fn is_stale(&self) -> bool {
        self.solution.answered != self.revision
    }

    /// The search for the document shown was stopped.
    pub fn is_stopped(&self) -> bool {
        self.solution.stopped == Some(self.revision)
    }

    fn edited(&mut self, result: Result<bool, Problem>) {
        match result {
            Ok(true) => self.changed(),
            Ok(false) => {}
            Err(problem) => self.notice = Some(Notice::problem(&problem)),
        }
    }

    fn changed(&mut self) {
        self.document = Rc::new(self.history.document().clone());
        if *self.cluster != self.document.cluster {
            self.cluster = Rc::new(self.document.cluster.clone());
        }
        self.revision += 1;
        self.saving = Saving::Pending;
        // What was said is about an older document.
        self.notice = None;
    }

    fn is_asked(&self, id: u32) -> bool {
        self.solution.asked.is_some_and(|(asked, _)| asked == id)
    }

    /// Ends the wait: what is shown is now for the revision that was asked for.
    fn end(&mut self) {
        self.solution.progress = None;
        if let Some((_, revision)) = self.solution.asked.take() {
            self.solution.answered = revision;
        }
    }
}

impl Notice {
    pub fn error(failure: Failure, place: &str) -> Self {
        Self { kind: NoticeKind::Error, failure, place: place.to_owned() }
    }

    pub fn done(key: &str) -> Self {
        Self { kind: NoticeKind::Done, failure: Failure::new(key), place: String::new() }
    }

    fn problem(problem: &Problem) -> Self {
        Self::error(Failure::with(problem.key(), problem.args()), "")
    }
}

impl Reducible for State {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let mut state = Rc::unwrap_or_clone(self);
        match action {
            Action::Edit(command) => {
                let result = state.history.apply(command);
                state.edited(result);
            }
            Action::EditInGesture(command, gesture) => {
                let result = state.history.apply_in_gesture(command, gesture);
                state.edited(result);
            }
            Action::Undo => {
                if state.history.undo() {
                    state.changed();
                }
            }
            Action::Redo => {
                if state.history.redo() {
                    state.changed();
                }
            }
            Action::Restore(document) => {
                state.history = History::new(*document);
                state.changed();
                state.saving = Saving::Saved;
            }
            Action::Notice(notice) => state.notice = Some(notice),
            Action::Dismiss => state.notice = None,
            Action::Saved { revision, saving } => {
                if revision == state.revision {
                    state.saving = saving;
                }
            }
            Action::Engine(engine) => state.engine = engine,
            Action::Model(model) => state.model = model,
            Action::Language(language) => state.preferences.language = language,
            Action::Theme(theme) => state.preferences.theme = theme,
            Action::Sizes(sizes) => state.preferences.sizes = sizes,
            Action::Again => state.changed(),
            solving => state.solve(solving),
        }
        Rc::new(state)
    }
}

impl State {
    fn solve(&mut self, action: Action) {
        match action {
            Action::Asked { id, revision } => {
                self.solution.asked = Some((id, revision));
                self.solution.progress = None;
            }
            Action::Progress { id, progress } if self.is_asked(id) => {
                self.solution.progress = Some(progress);
            }
            Action::Solved { id, answer } if self.is_asked(id) => {
                self.end();
                self.solution.answer = Some(Rc::new(*answer));
                self.solution.failure = None;
            }
            Action::Unsolved { id, failure } if self.is_asked(id) => {
                self.end();
                self.solution.failure = Some(failure);
            }
            Action::Cancelled { id } if self.is_asked(id) => {
                self.solution.asked = None;
                self.solution.progress = None;
                self.solution.stopped = Some(self.revision);
            }
            // What an older request says no longer matters.
            _ => {}
        }
    }
}
