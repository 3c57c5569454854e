//! Typed reading of a tree: every reader returns the value or notes a problem.

use std::collections::BTreeMap;

use planner::explain::nearest;

use super::VERSION;
use super::error::{Expected, FileCause, FileError, FileProblem};
use super::number;
use super::tree::{Entry, Node, Value};
use crate::document::Document;
use crate::limits::{self, Limits, Problem};
use crate::words::Word;

/// The problems found so far, and the line of each field that was read.
#[derive(Debug, Default)]
pub(super) struct Report {
    problems: Vec<FileProblem>,
    lines: BTreeMap<String, usize>,
}

impl Report {
    pub(super) fn add(&mut self, line: usize, path: &str, cause: FileCause) {
        self.problems.push(FileProblem { line, path: path.to_owned(), cause });
    }

    /// The document if nothing was wrong and all its values lie in their bounds.
    pub(super) fn finish(mut self, document: Option<Document>) -> Result<Document, FileError> {
        for problem in document.iter().flat_map(limits::check) {
            let line = self.line_of(problem.field);
            self.add(line, problem.field, FileCause::OutOfBounds(problem.clone()));
        }
        match document {
            Some(document) if self.problems.is_empty() => Ok(document),
            _ => Err(self.into_error()),
        }
    }

    pub(super) fn into_error(mut self) -> FileError {
        // A misspelt key is the cause of the field that seems to be missing.
        self.problems.sort_by_key(|problem| (!problem.cause.is_misspelling(), problem.line));
        let mut problems = self.problems.into_iter();
        let whole = FileProblem { line: 0, path: String::new(), cause: FileCause::NotAProject };
        let first = problems.next().unwrap_or(whole);
        FileError::new(first, problems.collect())
    }

    /// The line of a field, or of the section around it.
    fn line_of(&self, path: &str) -> usize {
        let mut path = path;
        loop {
            if let Some(line) = self.lines.get(path) {
                return *line;
            }
            match path.rsplit_once('.') {
                Some((parent, _)) => path = parent,
                None => return 0,
            }
        }
    }
}

/// The entries of one section, taken out field by field.
pub(super) struct Fields<'t> {
    path: String,
    line: usize,
    entries: &'t [Entry],
    asked: Vec<&'static str>,
}

impl<'t> Fields<'t> {
    /// The top of the file.
    pub(super) fn root(node: &'t Node, report: &mut Report) -> Option<Self> {
        match &node.value {
            Value::Map(entries) => {
                Some(Self { path: String::new(), line: node.line, entries, asked: Vec::new() })
            }
            Value::Scalar { .. } | Value::List(_) => {
                report.add(node.line, "", FileCause::NotAProject);
                None
            }
        }
    }

    /// The version, a known one.
    pub(super) fn version(&mut self, report: &mut Report) -> Option<u32> {
        let Some(node) = self.take("meshwright", report) else {
            report.add(self.line, "meshwright", FileCause::NotAProject);
            return None;
        };
        let found = match &node.value {
            Value::Scalar { text, .. } => text.clone(),
            Value::Map(_) | Value::List(_) => String::new(),
        };
        let version = found.parse().ok().filter(|version| (1..=VERSION).contains(version));
        if version.is_none() {
            let cause = FileCause::Version { found, newest: VERSION };
            report.add(node.line, "meshwright", cause);
        }
        version
    }

    /// A required section.
    pub(super) fn section(&mut self, key: &'static str, report: &mut Report) -> Option<Self> {
        let node = self.require(key, report)?;
        self.open(key, node, report)
    }

    /// A section that may be absent or null.
    pub(super) fn optional_section(
        &mut self,
        key: &'static str,
        report: &mut Report,
    ) -> Option<Self> {
        let node = self.take(key, report).filter(|node| !node.is_null())?;
        self.open(key, node, report)
    }

    pub(super) fn text(&mut self, key: &'static str, report: &mut Report) -> Option<String> {
        let node = self.require(key, report)?;
        self.read(key, node, Expected::Text, report, |text| Some(text.to_owned()))
    }

    pub(super) fn optional_text(
        &mut self,
        key: &'static str,
        report: &mut Report,
    ) -> Option<String> {
        let node = self.take(key, report).filter(|node| !node.is_null())?;
        self.read(key, node, Expected::Text, report, |text| Some(text.to_owned()))
    }

    pub(super) fn whole(&mut self, key: &'static str, report: &mut Report) -> Option<u32> {
        let node = self.require(key, report)?;
        self.read_whole(key, node, report)
    }

    pub(super) fn optional_whole(&mut self, key: &'static str, report: &mut Report) -> Option<u32> {
        let node = self.take(key, report).filter(|node| !node.is_null())?;
        self.read_whole(key, node, report)
    }

    pub(super) fn number(&mut self, key: &'static str, report: &mut Report) -> Option<f64> {
        let node = self.require(key, report)?;
        self.read(key, node, Expected::Number, report, number::read)
    }

    pub(super) fn truth(&mut self, key: &'static str, report: &mut Report) -> Option<bool> {
        let node = self.require(key, report)?;
        self.read(key, node, Expected::TrueOrFalse, report, |text| text.parse().ok())
    }

    pub(super) fn optional_truth(
        &mut self,
        key: &'static str,
        report: &mut Report,
    ) -> Option<bool> {
        let node = self.take(key, report).filter(|node| !node.is_null())?;
        self.read(key, node, Expected::TrueOrFalse, report, |text| text.parse().ok())
    }

    pub(super) fn word<W: Word>(&mut self, key: &'static str, report: &mut Report) -> Option<W> {
        let node = self.require(key, report)?;
        self.read_word(key, node, report)
    }

    pub(super) fn optional_word<W: Word>(
        &mut self,
        key: &'static str,
        report: &mut Report,
    ) -> Option<W> {
        let node = self.take(key, report).filter(|node| !node.is_null())?;
        self.read_word(key, node, report)
    }

    /// A list of texts; absent or null is empty.
    pub(super) fn texts(&mut self, key: &'static str, report: &mut Report) -> Option<Vec<String>> {
        let Some(node) = self.take(key, report).filter(|node| !node.is_null()) else {
            return Some(Vec::new());
        };
        let Value::List(nodes) = &node.value else {
            self.wrong_type(key, node, Expected::List, report);
            return None;
        };
        nodes
            .iter()
            .map(|node| self.read(key, node, Expected::Text, report, |text| Some(text.to_owned())))
            .collect()
    }

    /// Whether a key stands here.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }

    pub(super) fn problem(&self, cause: FileCause, report: &mut Report) {
        report.add(self.line, &self.path, cause);
    }

    /// Notes the keys that nobody asked for and those that stand twice.
    pub(super) fn close(self, report: &mut Report) {
        for (index, entry) in self.entries.iter().enumerate() {
            let path = self.path_of(&entry.key);
            if !self.asked.iter().any(|asked| *asked == entry.key) {
                let nearest = nearest(&entry.key, self.asked.iter().copied());
                report.add(entry.line, &path, FileCause::UnknownKey { nearest });
            } else if self.entries.iter().take(index).any(|earlier| earlier.key == entry.key) {
                report.add(entry.line, &path, FileCause::DuplicateKey);
            }
        }
    }

    fn open(&self, key: &str, node: &'t Node, report: &mut Report) -> Option<Self> {
        match &node.value {
            Value::Map(entries) => {
                let path = self.path_of(key);
                let line = report.line_of(&path);
                Some(Self { path, line, entries, asked: Vec::new() })
            }
            Value::Scalar { .. } | Value::List(_) => {
                self.wrong_type(key, node, Expected::Section, report);
                None
            }
        }
    }

    fn require(&mut self, key: &'static str, report: &mut Report) -> Option<&'t Node> {
        let node = self.take(key, report).filter(|node| !node.is_null());
        if node.is_none() {
            report.add(self.line, &self.path_of(key), FileCause::Missing);
        }
        node
    }

    fn take(&mut self, key: &'static str, report: &mut Report) -> Option<&'t Node> {
        self.asked.push(key);
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        report.lines.insert(self.path_of(key), entry.line);
        Some(&entry.node)
    }

    fn read<T>(
        &self,
        key: &str,
        node: &Node,
        expected: Expected,
        report: &mut Report,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let value = match &node.value {
            Value::Scalar { text, quoted } if !quoted || expected == Expected::Text => parse(text),
            _ => None,
        };
        if value.is_none() {
            self.wrong_type(key, node, expected, report);
        }
        value
    }

    fn read_whole(&self, key: &str, node: &Node, report: &mut Report) -> Option<u32> {
        match self.read(key, node, Expected::WholeNumber, report, number::read_whole)? {
            Ok(value) => Some(value),
            Err(value) => {
                let path = self.path_of(key);
                let (low, high) = limits::numbers(&path).unwrap_or((0.0, f64::from(u32::MAX)));
                let limits = Limits::Numbers { low, high };
                let problem = Problem { field: "", value: value.to_string(), limits };
                report.add(node.line, &path, FileCause::OutOfBounds(problem));
                None
            }
        }
    }

    fn read_word<W: Word>(&self, key: &str, node: &Node, report: &mut Report) -> Option<W> {
        let text = self.read(key, node, Expected::Text, report, |text| Some(text.to_owned()))?;
        let value = W::from_word(&text);
        if value.is_none() {
            let choices = W::ALL.iter().map(|value| value.word()).collect();
            let cause = FileCause::UnknownWord { found: shorten(&text), choices };
            report.add(node.line, &self.path_of(key), cause);
        }
        value
    }

    fn wrong_type(&self, key: &str, node: &Node, expected: Expected, report: &mut Report) {
        let found = match &node.value {
            Value::Scalar { text, quoted: true } => format!("{:?}", shorten(text)),
            Value::Scalar { text, quoted: false } => shorten(text),
            Value::Map(_) => "a section".to_owned(),
            Value::List(_) => "a list".to_owned(),
        };
        let cause = FileCause::WrongType { expected, found };
        report.add(node.line, &self.path_of(key), cause);
    }

    fn path_of(&self, key: &str) -> String {
        let key = shorten(key);
        if self.path.is_empty() { key } else { format!("{}.{key}", self.path) }
    }
}

/// The start of a text from the file, on one line, for a message.
fn shorten(text: &str) -> String {
    let mut short: String =
        text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}
