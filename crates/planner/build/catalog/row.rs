//! One row of a TOML or CSV table, with getters that name file, row and field when they refuse.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use toml::{Table, Value};

/// A row and where it stands.
pub(crate) struct Row {
    file: &'static str,
    table: &'static str,
    name: String,
    values: Table,
}

/// A number with its text as written, so that money stays exact.
pub(crate) struct Number {
    pub(crate) text: String,
    pub(crate) value: f64,
}

impl Row {
    /// Rows of `[[table]]`, or the one row of `[table]`.
    pub(crate) fn all(
        file: &'static str,
        document: &Table,
        table: &'static str,
    ) -> Result<Vec<Self>, String> {
        let values = match document.get(table) {
            Some(Value::Array(values)) => values.clone(),
            Some(value @ Value::Table(_)) => vec![value.clone()],
            _ => return Err(format!("{file}: no table `{table}`")),
        };
        let mut rows = Vec::new();
        for (index, value) in values.into_iter().enumerate() {
            let Value::Table(values) = value else {
                return Err(format!("{file}: `{table}` holds something else than tables"));
            };
            let name = match values.get("id") {
                Some(Value::String(id)) => format!("`{id}`"),
                _ => format!("number {}", index + 1),
            };
            rows.push(Self { file, table, name, values });
        }
        Ok(rows)
    }

    /// Rows of a CSV file with a header; an empty cell is an absent field.
    pub(crate) fn csv(file: &'static str, text: &str) -> Result<Vec<Self>, String> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().map_err(|error| format!("{file}: {error}"))?.clone();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| format!("{file}: {error}"))?;
            let line = record.position().map_or(0, csv::Position::line);
            let values = header
                .iter()
                .zip(record.iter())
                .filter(|(_, cell)| !cell.is_empty())
                .map(|(key, cell)| (key.to_owned(), Value::String(cell.to_owned())))
                .collect();
            rows.push(Self { file, table: "line", name: line.to_string(), values });
        }
        Ok(rows)
    }

    /// The message that refuses this row because of one field.
    pub(crate) fn refuse(&self, field: &str, why: &str) -> String {
        format!("{}: {} {}: field `{field}` {why}", self.file, self.table, self.name)
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    pub(crate) fn text(&self, key: &str) -> Result<&str, String> {
        match self.values.get(key) {
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(text),
            Some(_) => Err(self.refuse(key, "is no text")),
            None => Err(self.refuse(key, "is missing")),
        }
    }

    /// The text, empty when absent.
    pub(crate) fn text_or_empty(&self, key: &str) -> Result<&str, String> {
        if self.has(key) { self.text(key) } else { Ok("") }
    }

    pub(crate) fn word(&self, key: &str, known: &[&str]) -> Result<&str, String> {
        let text = self.text(key)?;
        if known.contains(&text) {
            Ok(text)
        } else {
            Err(self.refuse(key, &format!("is `{text}`, not one of {}", known.join(", "))))
        }
    }

    pub(crate) fn truth(&self, key: &str) -> Result<bool, String> {
        match self.values.get(key) {
            Some(Value::Boolean(truth)) => Ok(*truth),
            Some(_) => Err(self.refuse(key, "is neither true nor false")),
            None => Err(self.refuse(key, "is missing")),
        }
    }

    pub(crate) fn number(&self, key: &str, range: &RangeInclusive<f64>) -> Result<Number, String> {
        let value = self.values.get(key).ok_or_else(|| self.refuse(key, "is missing"))?;
        self.read_number(key, value, range)
    }

    pub(crate) fn optional_number(
        &self,
        key: &str,
        range: &RangeInclusive<f64>,
    ) -> Result<Option<Number>, String> {
        self.values.get(key).map(|value| self.read_number(key, value, range)).transpose()
    }

    /// A whole number.
    pub(crate) fn count(&self, key: &str, range: &RangeInclusive<u32>) -> Result<u32, String> {
        let number = self.number(key, &(0.0..=f64::from(u32::MAX)))?;
        match number.text.parse() {
            Ok(count) if range.contains(&count) => Ok(count),
            _ => {
                let (low, high) = (range.start(), range.end());
                let text = number.text;
                Err(self.refuse(key, &format!("is {text}, not a whole number of {low} to {high}")))
            }
        }
    }

    pub(crate) fn texts(&self, key: &str) -> Result<Vec<&str>, String> {
        let values = match self.values.get(key) {
            Some(Value::Array(values)) => values.as_slice(),
            Some(_) => return Err(self.refuse(key, "is no list")),
            None => &[],
        };
        let mut texts = Vec::new();
        for value in values {
            match value {
                Value::String(text) => texts.push(text.as_str()),
                _ => return Err(self.refuse(key, "holds something else than texts")),
            }
        }
        Ok(texts)
    }

    pub(crate) fn numbers(
        &self,
        key: &str,
        range: &RangeInclusive<f64>,
    ) -> Result<Vec<Number>, String> {
        match self.values.get(key) {
            Some(Value::Array(values)) => {
                values.iter().map(|value| self.read_number(key, value, range)).collect()
            }
            Some(_) => Err(self.refuse(key, "is no list")),
            None => Ok(Vec::new()),
        }
    }

    /// Refuses fields that nothing reads: a misspelt name would be lost in silence.
    pub(crate) fn refuse_unknown(&self, known: &BTreeSet<&'static str>) -> Result<(), String> {
        match self.values.keys().find(|key| !known.contains(key.as_str())) {
            Some(key) => Err(self.refuse(key, "is unknown")),
            None => Ok(()),
        }
    }

    fn read_number(
        &self,
        key: &str,
        value: &Value,
        range: &RangeInclusive<f64>,
    ) -> Result<Number, String> {
        let text = match value {
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::String(text) if self.table == "line" => text.clone(),
            _ => return Err(self.refuse(key, "is no number")),
        };
        match text.parse::<f64>() {
            Ok(value) if range.contains(&value) => Ok(Number { text, value }),
            Ok(_) => {
                let (low, high) = (range.start(), range.end());
                Err(self.refuse(key, &format!("is {text}, not within {low} to {high}")))
            }
            Err(_) => Err(self.refuse(key, &format!("is `{text}`, no number"))),
        }
    }
}
