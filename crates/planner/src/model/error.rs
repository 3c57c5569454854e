//! Why a config.json was refused: the place, the cause and a hint, as text for logs and as a
//! key with arguments for the page.

use std::fmt;

use thiserror::Error;

use super::kind::FileKind;
use super::syntax::SyntaxCause;

/// A config.json that cannot be read into a model. Texts fit after "failed to read NAME: ".
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    #[error("the file has {bytes} bytes, at most {most} are read; pass the config.json alone")]
    TooLong { bytes: u64, most: u64 },
    #[error(
        "line {line}, column {column}: nested deeper than {most} levels; pass the config.json alone"
    )]
    TooDeep { line: u64, column: u64, most: u64 },
    #[error("line {line}, column {column}: {cause}; check the JSON there")]
    Syntax { line: u64, column: u64, cause: SyntaxCause },
    #[error("this is {kind}; take the model's own config.json")]
    OtherFile { kind: FileKind },
    #[error("field `{field}`{} is missing; take the complete file", names_in_words(also))]
    MissingField { field: String, also: String },
    #[error("field `{field}` must be {expected}, found {found}")]
    WrongType { field: String, expected: Expected, found: String },
    #[error("field `{field}` is {value}, outside {least} to {most}")]
    OutOfBounds { field: String, value: String, least: u64, most: u64 },
    #[error("field `{field}` is {value}, which is no multiple of `{other}` = {divisor}")]
    NotDivisible { field: String, value: u64, other: &'static str, divisor: u64 },
    #[error("field `{field}` is {value}, more than `{other}` = {limit}")]
    TooLarge { field: String, value: u64, other: &'static str, limit: u64 },
    #[error("models of type {model_type} are not supported{}", hint(*nearest))]
    UnsupportedFamily { model_type: String, nearest: Option<&'static str> },
    #[error(
        "models of type {model_type} with field `{field}` = {value} cannot be expressed{}",
        only(supported)
    )]
    /// `supported` is empty where the field may not stand at all.
    UnsupportedField { model_type: String, field: String, value: String, supported: String },
}

/// The form that a field must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Object,
    WholeNumber,
    Flag,
    Text,
    List,
    ListOfTexts,
}

impl Expected {
    /// Kebab-case name, for messages in other languages.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::WholeNumber => "whole-number",
            Self::Flag => "flag",
            Self::Text => "text",
            Self::List => "list",
            Self::ListOfTexts => "list-of-texts",
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Object => "an object",
            Self::WholeNumber => "a whole number",
            Self::Flag => "true or false",
            Self::Text => "a text",
            Self::List => "a list",
            Self::ListOfTexts => "a list of texts",
        })
    }
}

impl ConfigError {
    /// Kebab-case name of the message.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::TooLong { .. } => "config-too-long",
            Self::TooDeep { .. } => "config-too-deep",
            Self::Syntax { .. } => "config-syntax",
            Self::OtherFile { .. } => "config-other-file",
            Self::MissingField { .. } => "config-missing-field",
            Self::WrongType { .. } => "config-wrong-type",
            Self::OutOfBounds { .. } => "config-out-of-bounds",
            Self::NotDivisible { .. } => "config-not-divisible",
            Self::TooLarge { .. } => "config-too-large",
            Self::UnsupportedFamily { nearest: Some(_), .. } => "config-unsupported-family-nearest",
            Self::UnsupportedFamily { nearest: None, .. } => "config-unsupported-family",
            Self::UnsupportedField { supported, .. } if supported.is_empty() => {
                "config-unsupported-presence"
            }
            Self::UnsupportedField { .. } => "config-unsupported-field",
        }
    }

    /// The values of the message, by kebab-case name. `expected` of `config-wrong-type` is
    /// [`Expected::key`], `cause` and `kind` are keys of messages; all else are names, numbers and quoted input.
    pub fn args(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::TooLong { bytes, most } => {
                vec![("bytes", bytes.to_string()), ("most", most.to_string())]
            }
            Self::TooDeep { line, column, most } => vec![
                ("line", line.to_string()),
                ("column", column.to_string()),
                ("most", most.to_string()),
            ],
            Self::Syntax { line, column, cause } => vec![
                ("line", line.to_string()),
                ("column", column.to_string()),
                ("cause", cause.key().to_owned()),
            ],
            Self::OtherFile { kind } => vec![("kind", kind.key().to_owned())],
            Self::MissingField { field, also } => {
                vec![("field", field.clone()), ("also", also.clone())]
            }
            Self::WrongType { field, expected, found } => vec![
                ("field", field.clone()),
                ("expected", expected.key().to_owned()),
                ("found", found.clone()),
            ],
            Self::OutOfBounds { field, value, least, most } => vec![
                ("field", field.clone()),
                ("value", value.clone()),
                ("least", least.to_string()),
                ("most", most.to_string()),
            ],
            Self::NotDivisible { field, value, other, divisor: limit }
            | Self::TooLarge { field, value, other, limit } => vec![
                ("field", field.clone()),
                ("value", value.to_string()),
                ("other", (*other).to_owned()),
                ("limit", limit.to_string()),
            ],
            Self::UnsupportedFamily { model_type, nearest } => vec![
                ("model-type", model_type.clone()),
                ("nearest", nearest.unwrap_or_default().to_owned()),
            ],
            Self::UnsupportedField { model_type, field, value, supported } => vec![
                ("model-type", model_type.clone()),
                ("field", field.clone()),
                ("value", value.clone()),
                ("supported", supported.clone()),
            ],
        }
    }
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean {name}?"))
}

fn only(supported: &str) -> String {
    if supported.is_empty() { String::new() } else { format!("; supported is {supported}") }
}

/// Other names that the library knows for a field, empty if none.
fn names_in_words(also: &str) -> String {
    if also.is_empty() { String::new() } else { format!(" (or {also})") }
}
