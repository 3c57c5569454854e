//! Why a text is no JSON: the parser's words as a cause that has a message in each language.

use std::fmt;

/// What broke the JSON at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxCause {
    /// The text is empty or ends inside of something.
    End,
    TrailingComma,
    /// Text after the end of the object.
    TrailingText,
    Value,
    Key,
    Colon,
    CommaOrEnd,
    /// A line end or another control character in a text.
    Control,
    Escape,
    Number,
    Other,
}

impl SyntaxCause {
    pub(super) fn of(error: &serde_json::Error) -> Self {
        let words = error.to_string();
        let causes = [
            ("EOF while parsing", Self::End),
            ("trailing comma", Self::TrailingComma),
            ("trailing characters", Self::TrailingText),
            ("expected value", Self::Value),
            ("expected ident", Self::Value),
            ("key must be a string", Self::Key),
            ("expected `:`", Self::Colon),
            ("expected `,`", Self::CommaOrEnd),
            ("control character", Self::Control),
            ("invalid escape", Self::Escape),
            ("surrogate", Self::Escape),
            ("unicode code point", Self::Escape),
            ("hex escape", Self::Escape),
            ("number", Self::Number),
        ];
        causes
            .iter()
            .find(|(part, _)| words.contains(part))
            .map_or(Self::Other, |(_, cause)| *cause)
    }

    /// Key of the message.
    pub const fn key(self) -> &'static str {
        match self {
            Self::End => "config-cause-end",
            Self::TrailingComma => "config-cause-trailing-comma",
            Self::TrailingText => "config-cause-trailing-text",
            Self::Value => "config-cause-value",
            Self::Key => "config-cause-key",
            Self::Colon => "config-cause-colon",
            Self::CommaOrEnd => "config-cause-comma",
            Self::Control => "config-cause-control",
            Self::Escape => "config-cause-escape",
            Self::Number => "config-cause-number",
            Self::Other => "config-cause-other",
        }
    }
}

impl fmt::Display for SyntaxCause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::End => "the text ends too early",
            Self::TrailingComma => "a comma before the closing bracket",
            Self::TrailingText => "more text after the end",
            Self::Value => "a value is expected",
            Self::Key => "a key in double quotes is expected",
            Self::Colon => "`:` is expected after the key",
            Self::CommaOrEnd => "`,` or a closing bracket is expected",
            Self::Control => "a line end or control character inside of a text",
            Self::Escape => "a backslash sequence that JSON does not have",
            Self::Number => "a number that JSON does not have",
            Self::Other => "no JSON",
        })
    }
}
