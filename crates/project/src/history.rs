//! The document with its past and its undone future.
//!
//! The past holds inverse commands, not copies, so that a pasted config is kept once.

use std::collections::VecDeque;

use crate::command::Command;
use crate::document::Document;
use crate::limits::{self, Problem};

/// A document that remembers how it came about.
#[derive(Clone, Debug)]
pub struct History {
    document: Document,
    undo: VecDeque<Entry>,
    redo: Vec<Entry>,
    depth: usize,
}

impl History {
    /// Steps that can be taken back unless [`History::with_depth`] says otherwise.
    pub const DEPTH: usize = 200;

    pub fn new(document: Document) -> Self {
        Self::with_depth(document, Self::DEPTH)
    }

    pub const fn with_depth(document: Document, depth: usize) -> Self {
        Self { document, undo: VecDeque::new(), redo: Vec::new(), depth }
    }

    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// One change, one step back. False: the document was so already, and nothing is recorded.
    pub fn apply(&mut self, command: Command) -> Result<bool, Problem> {
        self.record(command, None)
    }

    /// A change within a gesture, such as the drag of a slider: all changes of consecutive
    /// calls with the same number are one step back.
    pub fn apply_in_gesture(&mut self, command: Command, gesture: u64) -> Result<bool, Problem> {
        self.record(command, Some(gesture))
    }

    /// The field that [`History::undo`] would change, as [`Command::field`] names it.
    pub fn can_undo(&self) -> Option<&'static str> {
        self.undo.back().and_then(Entry::field)
    }

    /// The field that [`History::redo`] would change.
    pub fn can_redo(&self) -> Option<&'static str> {
        self.redo.last().and_then(Entry::field)
    }

    /// Takes the last step back; false when there is none.
    pub fn undo(&mut self) -> bool {
        let Some(entry) = self.undo.pop_back() else { return false };
        let forward = entry.run(&mut self.document);
        self.redo.push(forward);
        true
    }

    /// Takes the last undone step again; false when there is none.
    pub fn redo(&mut self) -> bool {
        let Some(entry) = self.redo.pop() else { return false };
        let backward = entry.run(&mut self.document);
        self.undo.push_back(backward);
        true
    }

    fn record(&mut self, command: Command, gesture: Option<u64>) -> Result<bool, Problem> {
        let inverse = command.clone().apply(&mut self.document)?;
        if inverse == command {
            return Ok(false);
        }
        self.redo.clear();
        match self.undo.back_mut() {
            Some(last) if gesture.is_some() && last.gesture == gesture => last.add(inverse),
            _ => self.undo.push_back(Entry { inverses: vec![inverse], gesture }),
        }
        while self.undo.len() > self.depth {
            self.undo.pop_front();
        }
        Ok(true)
    }
}

/// One step: the commands that take it back, in the order in which the changes were made.
#[derive(Clone, Debug)]
struct Entry {
    inverses: Vec<Command>,
    gesture: Option<u64>,
}

impl Entry {
    fn field(&self) -> Option<&'static str> {
        self.inverses.first().map(Command::field)
    }

    /// The first inverse of a field holds its oldest value, later ones are not needed.
    fn add(&mut self, inverse: Command) {
        if !self.inverses.iter().any(|known| known.field() == inverse.field()) {
            self.inverses.push(inverse);
        }
    }

    /// Runs the step and returns the one that takes it back.
    fn run(self, document: &mut Document) -> Self {
        let mut inverses = Vec::with_capacity(self.inverses.len());
        for command in self.inverses.into_iter().rev() {
            inverses.push(command.restore(document));
        }
        debug_assert!(limits::check(document).is_empty(), "a past document keeps its bounds");
        Self { inverses, gesture: None }
    }
}
