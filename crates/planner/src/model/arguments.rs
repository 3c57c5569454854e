//! Long options of a command line or a launch script, without running it: quotes, arrays and
//! line ends only separate words, and plain `NAME=value` lines are filled in.

use serde_json::Value;

use super::bounds::Bound;
use super::error::{ConfigError, Expected};
use super::json::{check_size, shortened, whole, wrong_type};

/// Options by name without the leading dashes, as stated; the last one holds, as in argparse.
pub(super) struct Arguments<'a> {
    options: Vec<(String, &'a str)>,
    variables: Vec<(&'a str, &'a str)>,
    assumptions: Vec<String>,
}

impl<'a> Arguments<'a> {
    /// Reads all options of the text.
    ///
    /// # Errors
    /// A text that is too long.
    pub(super) fn read(text: &'a str) -> Result<Self, ConfigError> {
        check_size(text)?;
        let words = words(text);
        let variables = variables(&words);
        let mut options = Vec::new();
        for (place, word) in words.iter().enumerate() {
            let Some(option) = word.strip_prefix("--").filter(|name| !name.is_empty()) else {
                continue;
            };
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name, value),
                None => (option, words.get(place + 1).map_or("", |next| value_of(next))),
            };
            options.push((name.replace('_', "-"), value));
        }
        Ok(Self { options, variables, assumptions: Vec::new() })
    }

    #[inline(never)]
    fn stated(&self, name: &str) -> Option<&'a str> {
        let mut last_first = self.options.iter().rev();
        last_first
            .find(|(option, _)| option == name)
            .map(|(_, value)| filled(value, &self.variables))
    }

    /// Whether the option stands there, with a value or without.
    #[inline(never)]
    pub(super) fn has(&self, name: &str) -> bool {
        self.stated(name).is_some()
    }

    /// The value of an option that has one.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.stated(name).filter(|value| !value.is_empty())
    }

    /// A whole number within `bound`, if the option is stated.
    #[inline(never)]
    pub(super) fn number(&self, name: &str, bound: Bound) -> Result<Option<u32>, ConfigError> {
        let Some(text) = self.stated(name) else { return Ok(None) };
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(shortened(text)));
        let field = format!("--{name}");
        match value {
            Value::Number(_) => whole(&field, &value, bound).map(Some),
            other => Err(wrong_type(&field, Expected::WholeNumber, &other)),
        }
    }

    /// A whole number that must be stated.
    pub(super) fn required(&self, name: &str, bound: Bound) -> Result<u32, ConfigError> {
        self.number(name, bound)?.ok_or_else(|| missing(name))
    }

    /// A whole number, or Megatron's default, noted.
    #[inline(never)]
    pub(super) fn number_or(
        &mut self,
        name: &str,
        bound: Bound,
        default: u32,
    ) -> Result<u32, ConfigError> {
        if let Some(value) = self.number(name, bound)? {
            return Ok(value);
        }
        self.assume(name, default);
        Ok(default)
    }

    pub(super) fn assume(&mut self, name: &str, value: impl std::fmt::Display) {
        self.assumptions.push(format!("{name}={value}"));
    }

    pub(super) fn into_assumptions(self) -> Vec<String> {
        self.assumptions
    }
}

/// The refusal of a missing option.
pub(super) fn missing(name: &str) -> ConfigError {
    ConfigError::MissingField { field: format!("--{name}"), also: String::new() }
}

/// Words between blanks, quotes and line ends; comments are left out.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for line in text.lines() {
        let split = |character: char| character.is_whitespace() || "\"'`".contains(character);
        for word in line.split(split).filter(|word| !word.is_empty() && *word != "\\") {
            if word.starts_with('#') {
                break;
            }
            words.push(word);
        }
    }
    words
}

/// The word after an option is its value unless it is an option or the end of an array.
fn value_of(next: &str) -> &str {
    if next.starts_with("--") || next == ")" { "" } else { next.trim_end_matches(',') }
}

/// `NAME=value` lines in their order.
fn variables<'a>(words: &[&'a str]) -> Vec<(&'a str, &'a str)> {
    let mut variables = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let Some((name, value)) = word.split_once('=') else { continue };
        let named = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !named || name.is_empty() {
            continue;
        }
        let quoted = || words.get(place + 1).copied().unwrap_or_default();
        variables.push((name, if value.is_empty() { quoted() } else { value }));
    }
    variables
}

/// `$NAME`, `${NAME}` and `${NAME:-default}` alone become the value, as far as it is known; of
/// two, the later.
fn filled<'a>(value: &'a str, variables: &[(&str, &'a str)]) -> &'a str {
    let mut value = value;
    // Variables may name variables; a circle ends here.
    for _ in 0..8 {
        let Some(name) = value.strip_prefix('$') else { break };
        let name = name.trim_start_matches('{').trim_end_matches('}');
        let (name, default) = name.split_once(":-").unwrap_or((name, value));
        let known = variables.iter().rev().find(|(variable, _)| *variable == name);
        let found = known.map_or(default, |(_, value)| *value);
        if found == value {
            break;
        }
        value = found;
    }
    value
}
