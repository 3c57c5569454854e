//! Builds the Rust expression of one static row, checking each field on the way.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::row::{Number, Row};

/// A struct literal in the making. The first refused field is kept and returned at the end.
pub(crate) struct Record<'a> {
    row: &'a Row,
    name: &'static str,
    fields: String,
    known: BTreeSet<&'static str>,
    error: Option<String>,
}

impl<'a> Record<'a> {
    /// Starts a literal of the type `name`.
    pub(crate) fn new(row: &'a Row, name: &'static str) -> Self {
        Self { row, name, fields: String::new(), known: BTreeSet::new(), error: None }
    }

    /// Marks fields of the row that are read elsewhere or not taken over.
    pub(crate) fn reads(mut self, keys: &[&'static str]) -> Self {
        self.known.extend(keys);
        self
    }

    /// A field with a computed expression.
    pub(crate) fn put(mut self, field: &str, expression: Result<String, String>) -> Self {
        match expression {
            Ok(expression) => self.fields.push_str(&format!("{field}: {expression}, ")),
            Err(message) => self.error = self.error.or(Some(message)),
        }
        self
    }

    pub(crate) fn text(self, key: &'static str) -> Self {
        let text = self.row.text(key).map(quoted);
        self.take(key, text)
    }

    pub(crate) fn text_or_empty(self, key: &'static str) -> Self {
        let text = self.row.text_or_empty(key).map(quoted);
        self.take(key, text)
    }

    /// A text out of a closed list.
    pub(crate) fn word(self, key: &'static str, known: &[&str]) -> Self {
        let text = self.row.word(key, known).map(quoted);
        self.take(key, text)
    }

    pub(crate) fn texts(self, key: &'static str) -> Self {
        let texts = self.row.texts(key).map(|texts| list(texts.into_iter().map(quoted)));
        self.take(key, texts)
    }

    /// A whole number as `u32`.
    pub(crate) fn count(self, key: &'static str, range: &RangeInclusive<u32>) -> Self {
        let count = self.row.count(key, range).map(|count| count.to_string());
        self.take(key, count)
    }

    /// A whole number, 0 when absent.
    pub(crate) fn count_or_zero(self, key: &'static str, range: &RangeInclusive<u32>) -> Self {
        if self.row.has(key) { self.count(key, range) } else { self.take(key, Ok("0".into())) }
    }

    pub(crate) fn number(self, key: &'static str, range: &RangeInclusive<f64>) -> Self {
        let number = self.row.number(key, range).map(|number| float(number.value));
        self.take(key, number)
    }

    pub(crate) fn optional_number(self, key: &'static str, range: &RangeInclusive<f64>) -> Self {
        let number = self.row.optional_number(key, range);
        self.take(key, number.map(|number| optional(number.map(|number| float(number.value)))))
    }

    pub(crate) fn numbers(self, key: &'static str, range: &RangeInclusive<f64>) -> Self {
        let numbers = self.row.numbers(key, range);
        self.take(key, numbers.map(|all| list(all.into_iter().map(|one| float(one.value)))))
    }

    /// Money, exact.
    pub(crate) fn decimal(self, key: &'static str, range: &RangeInclusive<f64>) -> Self {
        let number = self.row.number(key, range).and_then(|number| self.exact(key, &number));
        self.take(key, number)
    }

    pub(crate) fn optional_decimal(self, key: &'static str, range: &RangeInclusive<f64>) -> Self {
        let number = self.row.optional_number(key, range).and_then(|number| {
            number.map(|number| self.exact(key, &number)).transpose().map(optional)
        });
        self.take(key, number)
    }

    pub(crate) fn decimals(self, key: &'static str, range: &RangeInclusive<f64>) -> Self {
        let numbers = self.row.numbers(key, range).and_then(|numbers| {
            let all: Result<Vec<_>, _> =
                numbers.iter().map(|number| self.exact(key, number)).collect();
            all.map(|all| list(all.into_iter()))
        });
        self.take(key, numbers)
    }

    pub(crate) fn optional_truth(self, key: &'static str) -> Self {
        let truth = if self.row.has(key) {
            self.row.truth(key).map(|truth| optional(Some(truth.to_string())))
        } else {
            Ok(optional(None))
        };
        self.take(key, truth)
    }

    /// A text that must be an id of the table called `what`.
    pub(crate) fn reference(self, key: &'static str, what: &str, ids: &BTreeSet<&str>) -> Self {
        let text = self.row.text(key).and_then(|id| self.known_id(key, what, id, ids));
        self.take(key, text)
    }

    /// The same, empty when absent.
    pub(crate) fn optional_reference(
        self,
        key: &'static str,
        what: &str,
        ids: &BTreeSet<&str>,
    ) -> Self {
        if self.row.has(key) { self.reference(key, what, ids) } else { self.text_or_empty(key) }
    }

    /// Texts that must all be ids of the table called `what`.
    pub(crate) fn references(self, key: &'static str, what: &str, ids: &BTreeSet<&str>) -> Self {
        let texts = self.row.texts(key).and_then(|texts| {
            let all: Result<Vec<_>, _> =
                texts.into_iter().map(|id| self.known_id(key, what, id, ids)).collect();
            all.map(|all| list(all.into_iter()))
        });
        self.take(key, texts)
    }

    /// Ends the literal; refuses fields that nothing reads.
    pub(crate) fn finish(self) -> Result<String, String> {
        match self.error {
            Some(message) => Err(message),
            None => {
                self.row.refuse_unknown(&self.known)?;
                Ok(format!("{} {{ {}}}", self.name, self.fields))
            }
        }
    }

    fn exact(&self, key: &str, number: &Number) -> Result<String, String> {
        decimal(&number.text).ok_or_else(|| {
            self.row.refuse(key, &format!("is {}, too long for exact money", number.text))
        })
    }

    fn known_id(
        &self,
        key: &str,
        what: &str,
        id: &str,
        ids: &BTreeSet<&str>,
    ) -> Result<String, String> {
        if ids.contains(id) {
            Ok(quoted(id))
        } else {
            Err(self.row.refuse(key, &format!("is `{id}`, which is no {what} of the catalog")))
        }
    }

    fn take(mut self, key: &'static str, expression: Result<String, String>) -> Self {
        self.known.insert(key);
        self.put(key, expression)
    }
}

/// A Rust string literal.
pub(crate) fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// A Rust `f64` literal.
pub(crate) fn float(value: f64) -> String {
    format!("{value:?}")
}

/// A Rust slice literal.
pub(crate) fn list(items: impl Iterator<Item = String>) -> String {
    format!("&[{}]", items.collect::<Vec<_>>().join(", "))
}

/// `Some(…)` or `None`.
pub(crate) fn optional(expression: Option<String>) -> String {
    expression.map_or_else(|| "None".to_owned(), |expression| format!("Some({expression})"))
}

/// `constructor(number ÷ divisor)`.
pub(crate) fn scaled(constructor: &str, number: &Number, divisor: f64) -> String {
    format!("{constructor}({})", float(number.value / divisor))
}

/// A Rust expression for an exact decimal below 2^64 units of its last digit.
pub(crate) fn decimal(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let units: u64 = format!("{whole}{fraction}").parse().ok()?;
    let (low, middle) = (units & 0xffff_ffff, units >> 32);
    let scale = fraction.len();
    Some(format!("Decimal::from_parts({low}, {middle}, 0, false, {scale})"))
}
