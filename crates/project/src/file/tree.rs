//! A bounded tree of a YAML text, with the line of every key and value.
//!
//! Built from the events of `saphyr-parser`, so that depth and anchors are refused before
//! anything is allocated for them.

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::FILE_BYTES;
use super::error::{FileCause, FileError, FileProblem};

/// A value of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A text as written; `quoted` if it cannot be read as anything but text.
    Scalar {
        text: String,
        quoted: bool,
    },
    Map(Vec<Entry>),
    List(Vec<Node>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) line: usize,
    pub(super) key: String,
    pub(super) node: Node,
}

impl Node {
    /// An empty value, `~` or `null`.
    pub(super) fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar { text, quoted: false }
            if matches!(text.as_str(), "" | "~" | "null"))
    }
}

/// Reads exactly one document; an empty text is a null scalar.
pub(super) fn parse(text: &str) -> Result<Node, FileError> {
    if text.len() > FILE_BYTES {
        return Err(at(0, FileCause::TooLarge { bytes: text.len(), limit: FILE_BYTES }));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let detail = error.info().to_owned();
            at(error.marker().line(), FileCause::Syntax { detail })
        })?;
        builder.event(event, span)?;
    }
    let empty = Value::Scalar { text: String::new(), quoted: false };
    Ok(builder.root.unwrap_or(Node { line: 1, value: empty }))
}

/// Levels of nesting; a project has four.
const DEPTH: usize = 16;

/// Values and collections; a project has about fifty.
const NODES: usize = 1_000;

#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    nodes: usize,
    root: Option<Node>,
}

/// A collection whose end has not come yet.
enum Open {
    Map { line: usize, entries: Vec<Entry>, key: Option<(usize, String)> },
    List { line: usize, nodes: Vec<Node> },
}

impl Builder {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), FileError> {
        let line = span.start.line();
        self.nodes += 1;
        if self.nodes > NODES {
            return Err(at(line, FileCause::TooMany { limit: NODES }));
        }
        match event {
            Event::Alias(_) => Err(at(line, FileCause::Alias)),
            Event::Scalar(text, style, anchor, _) => {
                let quoted = style != ScalarStyle::Plain;
                refuse_anchor(anchor, line)?;
                self.add(Node { line, value: Value::Scalar { text: text.into_owned(), quoted } })
            }
            Event::MappingStart(anchor, _) => {
                refuse_anchor(anchor, line)?;
                self.open(Open::Map { line, entries: Vec::new(), key: None })
            }
            Event::SequenceStart(anchor, _) => {
                refuse_anchor(anchor, line)?;
                self.open(Open::List { line, nodes: Vec::new() })
            }
            Event::MappingEnd | Event::SequenceEnd => match self.open.pop() {
                Some(Open::Map { line, entries, .. }) => {
                    self.add(Node { line, value: Value::Map(entries) })
                }
                Some(Open::List { line, nodes }) => {
                    self.add(Node { line, value: Value::List(nodes) })
                }
                None => Ok(()),
            },
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
        }
    }

    fn open(&mut self, open: Open) -> Result<(), FileError> {
        let line = match &open {
            Open::Map { line, .. } | Open::List { line, .. } => *line,
        };
        if self.open.len() >= DEPTH {
            return Err(at(line, FileCause::TooDeep { limit: DEPTH }));
        }
        self.open.push(open);
        Ok(())
    }

    fn add(&mut self, node: Node) -> Result<(), FileError> {
        match self.open.last_mut() {
            Some(Open::List { nodes, .. }) => nodes.push(node),
            Some(Open::Map { entries, key, .. }) => match (key.take(), node) {
                (Some((line, key)), node) => entries.push(Entry { line, key, node }),
                (None, Node { line, value: Value::Scalar { text, .. } }) => {
                    *key = Some((line, text));
                }
                (None, Node { line, .. }) => {
                    let detail = "a key must be a plain word".to_owned();
                    return Err(at(line, FileCause::Syntax { detail }));
                }
            },
            None if self.root.is_some() => {
                let detail = "more than one document".to_owned();
                return Err(at(node.line, FileCause::Syntax { detail }));
            }
            None => self.root = Some(node),
        }
        Ok(())
    }
}

fn refuse_anchor(anchor: usize, line: usize) -> Result<(), FileError> {
    if anchor == 0 { Ok(()) } else { Err(at(line, FileCause::Alias)) }
}

fn at(line: usize, cause: FileCause) -> FileError {
    FileError::new(FileProblem { line, path: String::new(), cause }, Vec::new())
}
