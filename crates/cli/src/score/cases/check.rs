//! One check: a quantity, an operator and the value that was established.

use serde::Deserialize;
use serde_json::Value;

/// Rounding of a number that must be met exactly.
const EXACT: f64 = 1e-9;

/// A line of `checks_json`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Check {
    /// Name of the quantity.
    pub(super) q: String,
    pub(super) op: String,
    pub(super) v: Value,
    #[serde(default)]
    pub(super) tol_pct: f64,
    /// The variant; none: each of them.
    #[serde(default)]
    pub(super) when: Option<String>,
}

/// What the planner says for a quantity.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Got {
    Number(f64),
    /// A word such as a verdict.
    Word(String),
    /// What is shown to people.
    Text(String),
    Numbers(Vec<f64>),
    Flag(bool),
}

impl Check {
    /// Whether the value meets the check; none when the operator does not apply to it.
    pub(super) fn holds(&self, got: &Got) -> Option<bool> {
        match (self.op.as_str(), got) {
            ("==", Got::Number(number)) => Some(self.equals(*number, self.v.as_f64()?)),
            ("==", Got::Word(word) | Got::Text(word)) => Some(self.v.as_str()? == word),
            ("==", Got::Numbers(numbers)) => Some(self.same_set(numbers, &numbers_of(&self.v)?)),
            ("==", Got::Flag(flag)) => Some(self.v.as_bool()? == *flag),
            ("<=", Got::Number(number)) => Some(*number <= self.with_slack(1.0)?),
            (">=", Got::Number(number)) => Some(*number >= self.with_slack(-1.0)?),
            ("in", Got::Number(number)) => self.inside(*number),
            ("in", Got::Word(word) | Got::Text(word)) => {
                Some(self.v.as_array()?.iter().any(|one| one.as_str() == Some(word)))
            }
            ("contains", Got::Numbers(numbers)) => {
                let wanted = self.v.as_f64()?;
                Some(numbers.iter().any(|number| self.equals(*number, wanted)))
            }
            ("contains", Got::Word(text) | Got::Text(text)) => Some(self.mentions(text)?),
            ("not_contains", Got::Word(text) | Got::Text(text)) => Some(!self.mentions(text)?),
            _ => None,
        }
    }

    /// Shown as `quantity op value`, with the variant it is for.
    pub(super) fn words(&self) -> String {
        let when = self.when.as_ref().map_or_else(String::new, |when| format!(" [{when}]"));
        format!("{} {} {}{when}", self.q, self.op, self.v)
    }

    /// A range that the value must lie in, or a list of which it must be a member.
    fn inside(&self, number: f64) -> Option<bool> {
        let values = numbers_of(&self.v)?;
        match values.as_slice() {
            [low, high] if low < high => Some((*low..=*high).contains(&number)),
            _ => Some(values.iter().any(|value| self.equals(number, *value))),
        }
    }

    fn equals(&self, number: f64, wanted: f64) -> bool {
        let tolerance = (self.tol_pct / 100.0).max(EXACT);
        (number - wanted).abs() <= tolerance * wanted.abs().max(f64::MIN_POSITIVE)
    }

    fn with_slack(&self, sign: f64) -> Option<f64> {
        let wanted = self.v.as_f64()?;
        Some(wanted + sign * wanted.abs() * (self.tol_pct / 100.0).max(EXACT))
    }

    fn same_set(&self, numbers: &[f64], wanted: &[f64]) -> bool {
        let sorted = |values: &[f64]| {
            let mut values = values.to_vec();
            values.sort_by(f64::total_cmp);
            values
        };
        let (numbers, wanted) = (sorted(numbers), sorted(wanted));
        numbers.len() == wanted.len()
            && numbers.iter().zip(&wanted).all(|(number, wanted)| self.equals(*number, *wanted))
    }

    fn mentions(&self, text: &str) -> Option<bool> {
        let wanted = match &self.v {
            Value::String(word) => word.to_lowercase(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        Some(text.to_lowercase().contains(&wanted))
    }
}

impl Got {
    /// As it stands in the result.
    pub(super) fn json(&self) -> Value {
        match self {
            Self::Number(number) => serde_json::json!(number),
            Self::Word(word) | Self::Text(word) => Value::String(word.clone()),
            Self::Flag(flag) => Value::Bool(*flag),
            Self::Numbers(numbers) => serde_json::json!(numbers),
        }
    }
}

fn numbers_of(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(Value::as_f64).collect()
}
