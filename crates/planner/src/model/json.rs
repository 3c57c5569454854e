//! A small typed walk over the JSON of a model file: names with aliases and dots, bounds,
//! library defaults that are noted as assumptions.

use serde_json::{Map, Value};

use super::bounds::{Bound, DEPTH, FILE_BYTES};
use super::error::{ConfigError, Expected};
use super::kind::FileKind;
use super::syntax::SyntaxCause;

/// One object of the file, with the notes taken while reading it.
pub(super) struct Reader<'a> {
    fields: &'a Map<String, Value>,
    /// Place of the object in the file, with a trailing dot; empty at the top.
    prefix: String,
    assumptions: Vec<String>,
}

/// A field that may be absent, null or given.
pub(super) enum Given<T> {
    Absent,
    Null,
    Value(T),
}

impl<T> Given<T> {
    pub(super) fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }
}

/// Parses a text of bounded size and depth into an object.
pub(super) fn parse(text: &str) -> Result<Value, ConfigError> {
    let text = text.trim_start_matches('\u{feff}');
    check_size(text)?;
    if let Some(kind) = FileKind::of_text(text) {
        return Err(ConfigError::OtherFile { kind });
    }
    check_depth(text)?;
    let value: Value = serde_json::from_str(text).map_err(|error| ConfigError::Syntax {
        line: u64::try_from(error.line()).unwrap_or(u64::MAX),
        column: u64::try_from(error.column()).unwrap_or(u64::MAX),
        cause: SyntaxCause::of(&error),
    })?;
    match FileKind::of_object(&value) {
        Some(kind) => Err(ConfigError::OtherFile { kind }),
        None => Ok(value),
    }
}

/// Refuses a text that is too long before anything else looks at it.
pub(super) fn check_size(text: &str) -> Result<(), ConfigError> {
    let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
    if !FILE_BYTES.holds(bytes) {
        return Err(match FileKind::of_start(text) {
            Some(kind) => ConfigError::OtherFile { kind },
            None => ConfigError::TooLong { bytes, most: FILE_BYTES.most },
        });
    }
    Ok(())
}

impl<'a> Reader<'a> {
    /// A reader of `value`, which must be an object; `place` is its path, empty at the top.
    pub(super) fn new(value: &'a Value, place: &str) -> Result<Self, ConfigError> {
        let Value::Object(fields) = value else {
            let field = if place.is_empty() { "(file)" } else { place };
            return Err(wrong_type(field, Expected::Object, value));
        };
        let prefix = if place.is_empty() { String::new() } else { format!("{place}.") };
        Ok(Self { fields, prefix, assumptions: Vec::new() })
    }

    /// What was taken without being stated, in the order of reading.
    pub(super) fn into_assumptions(self) -> Vec<String> {
        self.assumptions
    }

    pub(super) fn assume(&mut self, field: &str, value: impl std::fmt::Display) {
        self.assumptions.push(format!("{field}={value}"));
    }

    /// The path of a field in the file.
    pub(super) fn place(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// The value of the first of `names` that is given; dots lead into nested objects.
    #[inline(never)]
    pub(super) fn find<'n>(&self, names: &[&'n str]) -> Given<(&'n str, &'a Value)> {
        let mut null = false;
        for name in names {
            match self.walk(name) {
                Some(Value::Null) => null = true,
                Some(value) => return Given::Value((name, value)),
                None => {}
            }
        }
        if null { Given::Null } else { Given::Absent }
    }

    /// A whole number within `bound`.
    #[inline(never)]
    pub(super) fn number(&self, names: &[&str], bound: Bound) -> Result<Given<u32>, ConfigError> {
        Ok(match self.find(names) {
            Given::Absent => Given::Absent,
            Given::Null => Given::Null,
            Given::Value((name, value)) => Given::Value(whole(&self.place(name), value, bound)?),
        })
    }

    /// A whole number that the file must state.
    pub(super) fn required(&self, names: &[&str], bound: Bound) -> Result<u32, ConfigError> {
        self.number(names, bound)?.value().ok_or_else(|| self.missing(names))
    }

    #[inline(never)]
    pub(super) fn missing(&self, names: &[&str]) -> ConfigError {
        ConfigError::MissingField {
            field: self.place(names.first().copied().unwrap_or_default()),
            also: names.get(1..).unwrap_or_default().join(", "),
        }
    }

    /// A whole number, or the default of the library, noted.
    #[inline(never)]
    pub(super) fn number_or(
        &mut self,
        names: &[&str],
        bound: Bound,
        default: u32,
    ) -> Result<u32, ConfigError> {
        if let Given::Value(value) = self.number(names, bound)? {
            return Ok(value);
        }
        self.assume(names.first().copied().unwrap_or_default(), default);
        Ok(default)
    }

    /// A truth value.
    #[inline(never)]
    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, ConfigError> {
        match self.find(&[name]).value() {
            None => Ok(None),
            Some((_, Value::Bool(flag))) => Ok(Some(*flag)),
            Some((_, other)) => Err(wrong_type(&self.place(name), Expected::Flag, other)),
        }
    }

    /// A truth value, or the default of the library, noted.
    #[inline(never)]
    pub(super) fn flag_or(&mut self, name: &str, default: bool) -> Result<bool, ConfigError> {
        let given = self.flag(name)?;
        if given.is_none() {
            self.assume(name, default);
        }
        Ok(given.unwrap_or(default))
    }

    /// A list; `None` when absent or null.
    pub(super) fn list(&self, name: &str) -> Result<Option<&'a [Value]>, ConfigError> {
        match self.find(&[name]).value() {
            None => Ok(None),
            Some((_, Value::Array(items))) => Ok(Some(items)),
            Some((_, other)) => Err(wrong_type(&self.place(name), Expected::List, other)),
        }
    }

    /// A list of layer indices.
    pub(super) fn indices(
        &self,
        name: &str,
        bound: Bound,
    ) -> Result<Option<Vec<u32>>, ConfigError> {
        let Some(items) = self.list(name)? else { return Ok(None) };
        items
            .iter()
            .map(|item| whole(&self.place(name), item, bound))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// A list of texts.
    pub(super) fn texts(&self, name: &str) -> Result<Option<Vec<&'a str>>, ConfigError> {
        let Some(items) = self.list(name)? else { return Ok(None) };
        let text = |item: &'a Value| {
            item.as_str().ok_or_else(|| wrong_type(&self.place(name), Expected::ListOfTexts, item))
        };
        items.iter().map(text).collect::<Result<_, _>>().map(Some)
    }

    /// A text; `None` when absent or null.
    pub(super) fn text(&self, name: &str) -> Result<Option<&'a str>, ConfigError> {
        match self.find(&[name]).value() {
            None => Ok(None),
            Some((_, Value::String(text))) => Ok(Some(text)),
            Some((_, other)) => Err(wrong_type(&self.place(name), Expected::Text, other)),
        }
    }

    fn walk(&self, name: &str) -> Option<&'a Value> {
        let mut parts = name.split('.');
        let mut value = self.fields.get(parts.next()?)?;
        for part in parts {
            value = value.get(part)?;
        }
        Some(value)
    }
}

/// Input as shown in a message: its JSON, cut to one line.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "[…]".to_owned(),
        Value::Object(_) => "{…}".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            shortened(&value.to_string())
        }
    }
}

/// At most 40 characters of a foreign text.
#[inline(never)]
pub(super) fn shortened(text: &str) -> String {
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(40).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

#[inline(never)]
pub(super) fn wrong_type(field: &str, expected: Expected, found: &Value) -> ConfigError {
    ConfigError::WrongType { field: field.to_owned(), expected, found: shown(found) }
}

/// A whole number; `4.0` counts as one, as some files write ratios so.
#[inline(never)]
pub(super) fn whole(field: &str, value: &Value, bound: Bound) -> Result<u32, ConfigError> {
    let Value::Number(number) = value else {
        return Err(wrong_type(field, Expected::WholeNumber, value));
    };
    let out_of_bounds = || ConfigError::OutOfBounds {
        field: field.to_owned(),
        value: shortened(&number.to_string()),
        least: bound.least,
        most: bound.most,
    };
    let digits = number.to_string();
    let digits = digits.strip_suffix(".0").unwrap_or(&digits);
    if let Ok(exact) = digits.parse::<i128>() {
        return match u32::try_from(exact) {
            Ok(narrow) if bound.holds(u64::from(narrow)) => Ok(narrow),
            _ => Err(out_of_bounds()),
        };
    }
    match number.as_f64() {
        Some(real) if real.abs() < 1e15 => Err(wrong_type(field, Expected::WholeNumber, value)),
        _ => Err(out_of_bounds()),
    }
}

/// Counts open brackets outside of strings, before anything is built from them.
fn check_depth(text: &str) -> Result<(), ConfigError> {
    let (mut depth, mut line, mut column) = (0_u64, 1_u64, 0_u64);
    let (mut in_string, mut escaped) = (false, false);
    for character in text.chars() {
        column += 1;
        match character {
            '\n' => (line, column) = (line + 1, 0),
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' | '[' if !in_string => depth += 1,
            '}' | ']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH.most {
            return Err(ConfigError::TooDeep { line, column, most: DEPTH.most });
        }
    }
    Ok(())
}
