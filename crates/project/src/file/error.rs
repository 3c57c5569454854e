//! What is wrong with a file: where, why, and what to write instead.

use std::fmt;

use crate::limits::Problem;

/// All problems found in a file; at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct FileError {
    first: FileProblem,
    others: Vec<FileProblem>,
}

impl FileCause {
    /// An unknown key with a known one close to it.
    pub(super) const fn is_misspelling(&self) -> bool {
        matches!(self, Self::UnknownKey { nearest: Some(_) })
    }
}

impl FileError {
    pub(super) const fn new(first: FileProblem, others: Vec<FileProblem>) -> Self {
        Self { first, others }
    }

    /// Message key of the first problem.
    pub const fn key(&self) -> &'static str {
        self.first.key()
    }

    /// Arguments of the message of the first problem.
    pub fn args(&self) -> Vec<(&'static str, String)> {
        self.first.args()
    }

    /// Every problem, in the order of lines.
    pub fn problems(&self) -> impl Iterator<Item = &FileProblem> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

/// One problem. `line` counts from 1, 0 is the whole file; `path` is like `cluster.nodes`,
/// empty for the whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileProblem {
    pub line: usize,
    pub path: String,
    pub cause: FileCause,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FileCause {
    /// More bytes than any project has.
    TooLarge {
        bytes: usize,
        limit: usize,
    },
    /// Nested deeper than any project is.
    TooDeep {
        limit: usize,
    },
    /// More values than any project has.
    TooMany {
        limit: usize,
    },
    /// Anchors and aliases are not part of the form.
    Alias,
    /// Not YAML; the parser's words, in English.
    Syntax {
        detail: String,
    },
    /// The key `meshwright` is missing at the top.
    NotAProject,
    /// Made by a newer Meshwright, or no version at all.
    Version {
        found: String,
        newest: u32,
    },
    UnknownKey {
        nearest: Option<&'static str>,
    },
    DuplicateKey,
    Missing,
    WrongType {
        expected: Expected,
        found: String,
    },
    /// Not one of the words that the field knows.
    UnknownWord {
        found: String,
        choices: Vec<&'static str>,
    },
    /// Neither or both of two keys that exclude each other.
    OneOf {
        keys: [&'static str; 2],
    },
    OutOfBounds(Problem),
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Section,
    List,
    Text,
    WholeNumber,
    Number,
    TrueOrFalse,
}

impl Expected {
    /// Message key.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Section => "expected-section",
            Self::List => "expected-list",
            Self::Text => "expected-text",
            Self::WholeNumber => "expected-whole-number",
            Self::Number => "expected-number",
            Self::TrueOrFalse => "expected-true-or-false",
        }
    }
}

impl FileProblem {
    /// Message key.
    pub const fn key(&self) -> &'static str {
        match &self.cause {
            FileCause::TooLarge { .. } => "file-too-large",
            FileCause::TooDeep { .. } => "file-too-deep",
            FileCause::TooMany { .. } => "file-too-many",
            FileCause::Alias => "file-alias",
            FileCause::Syntax { .. } => "file-syntax",
            FileCause::NotAProject => "file-not-a-project",
            FileCause::Version { .. } => "file-version",
            FileCause::UnknownKey { nearest: None } => "file-unknown-key",
            FileCause::UnknownKey { nearest: Some(_) } => "file-unknown-key-nearest",
            FileCause::DuplicateKey => "file-duplicate-key",
            FileCause::Missing => "file-missing",
            FileCause::WrongType { .. } => "file-wrong-type",
            FileCause::UnknownWord { .. } => "file-unknown-word",
            FileCause::OneOf { .. } => "file-one-of",
            FileCause::OutOfBounds(problem) => problem.key(),
        }
    }

    /// Arguments of the message: always `line` and `path`, then those of the cause.
    pub fn args(&self) -> Vec<(&'static str, String)> {
        let mut args = vec![("line", self.line.to_string()), ("path", self.path.clone())];
        match &self.cause {
            FileCause::TooLarge { bytes, limit } => {
                args.extend([("bytes", bytes.to_string()), ("limit", limit.to_string())]);
            }
            FileCause::TooDeep { limit } | FileCause::TooMany { limit } => {
                args.push(("limit", limit.to_string()));
            }
            FileCause::Syntax { detail } => args.push(("detail", detail.clone())),
            FileCause::Version { found, newest } => {
                args.extend([("found", found.clone()), ("newest", newest.to_string())]);
            }
            FileCause::UnknownKey { nearest: Some(nearest) } => {
                args.push(("nearest", (*nearest).to_owned()));
            }
            FileCause::WrongType { expected, found } => {
                args.extend([("expected", expected.key().to_owned()), ("found", found.clone())]);
            }
            FileCause::UnknownWord { found, choices } => {
                args.extend([("found", found.clone()), ("choices", choices.join(", "))]);
            }
            FileCause::OneOf { keys } => args.push(("keys", keys.join(", "))),
            FileCause::OutOfBounds(problem) => args.extend(problem.args()),
            FileCause::Alias
            | FileCause::NotAProject
            | FileCause::UnknownKey { nearest: None }
            | FileCause::DuplicateKey
            | FileCause::Missing => {}
        }
        args
    }
}

impl fmt::Display for FileError {
    /// The first problem, and how many follow.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.fmt(f)?;
        match self.others.len() {
            0 => Ok(()),
            1 => f.write_str(" (and 1 more problem)"),
            more => write!(f, " (and {more} more problems)"),
        }
    }
}

impl std::error::Error for FileError {}

impl fmt::Display for FileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        self.cause.fmt(f)
    }
}

impl fmt::Display for FileCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { bytes, limit } => {
                write!(f, "{bytes} bytes are too many; a project has at most {limit}")
            }
            Self::TooDeep { limit } => write!(f, "nested deeper than {limit} levels"),
            Self::TooMany { limit } => write!(f, "more than {limit} values"),
            Self::Alias => f.write_str("anchors and aliases are not read; write the value itself"),
            Self::Syntax { detail } => write!(f, "not YAML: {detail}"),
            Self::NotAProject => f.write_str("not a project; the first line is `meshwright: 1`"),
            Self::Version { found, newest } => {
                write!(f, "version {found} is not known; this Meshwright reads up to {newest}")
            }
            Self::UnknownKey { nearest: Some(nearest) } => {
                write!(f, "unknown key; did you mean {nearest}?")
            }
            Self::UnknownKey { nearest: None } => f.write_str("unknown key; remove it"),
            Self::DuplicateKey => f.write_str("the key stands twice; keep one"),
            Self::Missing => f.write_str("missing; add it"),
            Self::WrongType { expected, found } => {
                write!(f, "found {found}, expected {expected}")
            }
            Self::UnknownWord { found, choices } => {
                write!(f, "{found} is not known; use one of {}", choices.join(", "))
            }
            Self::OneOf { keys: [one, other] } => {
                write!(f, "needs either {one} or {other}, and only one of them")
            }
            Self::OutOfBounds(problem) => {
                write!(f, "{} is out of bounds; use {}", problem.value, problem.limits)
            }
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Section => "keys with values below it",
            Self::List => "a list",
            Self::Text => "a text",
            Self::WholeNumber => "a whole number",
            Self::Number => "a number such as 128, 2.5, 1e9 or 14.8T",
            Self::TrueOrFalse => "true or false",
        })
    }
}
