//! Finds the language model inside of a file: multimodal ones nest it, some more than once.

use serde_json::Value;

use super::error::ConfigError;
use super::json::Reader;
use super::names::{HEAD_NAMES, HIDDEN_NAMES, LAYER_NAMES};

/// Where a language model is nested, in order of preference; before the fields beside it.
const TEXT_MODELS: [&str; 3] = ["llm_config", "text_config", "language_config"];
/// Objects that may wrap a whole file; after the fields beside them.
const WRAPPERS: [&str; 6] =
    ["thinker_config", "model", "model_config", "language_model", "config", "llm"];
/// Published files nest at most three times.
const MOST_LEVELS: usize = 8;

/// The object that describes the language model and those around it.
pub(super) struct TextModel<'a> {
    pub(super) value: &'a Value,
    /// Path of `value`; empty at the top.
    pub(super) place: String,
    /// The objects around `value` with their paths, the file itself first.
    pub(super) around: Vec<(&'a Value, String)>,
}

impl<'a> TextModel<'a> {
    /// The nested text model with fields of its own, else the file. Towers for images or sound
    /// are never entered.
    ///
    /// # Errors
    /// The file, or a text model in it, is no object.
    pub(super) fn find(file: &'a Value) -> Result<Self, ConfigError> {
        Reader::new(file, "")?;
        let whole = Self { value: file, place: String::new(), around: Vec::new() };
        Ok(whole.innermost(MOST_LEVELS)?.unwrap_or(whole))
    }

    /// A reader of the object.
    pub(super) fn reader(&self) -> Result<Reader<'a>, ConfigError> {
        Reader::new(self.value, &self.place)
    }

    /// Readers of the objects around, from the nearest outward.
    pub(super) fn outward(&self) -> Result<Vec<Reader<'a>>, ConfigError> {
        self.around.iter().rev().map(|(value, place)| Reader::new(value, place)).collect()
    }

    /// Whether the object has any of the fields that every model has.
    pub(super) fn describes_a_model(&self) -> bool {
        let names = [LAYER_NAMES, HIDDEN_NAMES, HEAD_NAMES];
        let has =
            |reader: Reader<'_>| names.iter().any(|names| reader.find(names).value().is_some());
        self.reader().is_ok_and(has)
    }

    pub(super) const fn is_nested(&self) -> bool {
        !self.place.is_empty()
    }

    /// The first object with the fields of a model, this one or one inside.
    fn innermost(&self, levels: usize) -> Result<Option<Self>, ConfigError> {
        for name in TEXT_MODELS {
            let Some(inner) = self.inside(name) else { continue };
            inner.reader()?;
            if let Some(found) = inner.deeper(levels)? {
                return Ok(Some(found));
            }
        }
        if self.describes_a_model() {
            return Ok(Some(self.again()));
        }
        for name in WRAPPERS {
            let Some(inner) = self.inside(name).filter(|inner| inner.value.is_object()) else {
                continue;
            };
            if let Some(found) = inner.deeper(levels)? {
                return Ok(Some(found));
            }
        }
        // A text model that differs from the library's defaults in nothing that matters.
        let named = |inner: &Self| inner.value.get("model_type").is_some_and(Value::is_string);
        Ok(TEXT_MODELS.iter().filter_map(|name| self.inside(name)).find(named))
    }

    fn deeper(&self, levels: usize) -> Result<Option<Self>, ConfigError> {
        levels.checked_sub(1).map_or(Ok(None), |levels| self.innermost(levels))
    }

    /// The object in the field, if the field is given.
    fn inside(&self, name: &str) -> Option<Self> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        let place = if self.is_nested() { format!("{}.{name}", self.place) } else { name.into() };
        let mut around = self.around.clone();
        around.push((self.value, self.place.clone()));
        Some(Self { value, place, around })
    }

    fn again(&self) -> Self {
        Self { value: self.value, place: self.place.clone(), around: self.around.clone() }
    }
}
