//! The tree that explains a number.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::units::{BitsPerSecond, Bytes, BytesPerSecond, Flop, FlopPerSecond, Money, Seconds};

/// A value with its unit, as shown to people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    Bytes(Bytes),
    Seconds(Seconds),
    Bandwidth(BytesPerSecond),
    Port(BitsPerSecond),
    Flop(Flop),
    Compute(FlopPerSecond),
    /// A plain number: GPUs, layers, tokens.
    Count(f64),
    /// A share of one, printed as percent.
    Share(f64),
    /// A factor without unit, printed with three significant digits.
    Factor(f64),
    Money(Money),
    /// A name from the data (a GPU, a collective), printed as is.
    Name(Cow<'static, str>),
    /// A sentence of the rule table, in both languages; all other text stands in the message
    /// files.
    Sentence(Bilingual),
    /// Valid values next to one that breaks a rule.
    Nearest(Vec<NearestValues>),
}

/// The same words in the two languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bilingual {
    pub en: String,
    pub zh: String,
}

/// The valid values next to a refused one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NearestValues {
    /// A quantity of the rule table, such as `tp`.
    pub quantity: Cow<'static, str>,
    pub from: i64,
    pub below: Option<i64>,
    pub above: Option<i64>,
    /// `TP 2 or 4`.
    pub words: Bilingual,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Typed or chosen by the user.
    Input,
    /// Follows from the children of the term.
    Computed,
    /// A datasheet or price of the catalog, with its source text.
    Catalog(Cow<'static, str>),
    /// A constant of the model table, by its name there.
    Constant(Cow<'static, str>),
    /// A paper, file or study.
    Reference(Cow<'static, str>),
    /// Taken because nothing was stated; the key names a message.
    Assumption(Cow<'static, str>),
}

/// One number of an estimate: a message key, the value, where it comes from, and its parts.
/// The message `term-KEY` names it, its attribute `.formula` gives the formula in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    pub key: Cow<'static, str>,
    pub value: Quantity,
    pub source: Source,
    pub children: Vec<Term>,
}

impl Term {
    /// A term that follows from its parts.
    pub fn computed(key: &'static str, value: Quantity, children: Vec<Term>) -> Self {
        Self { key: Cow::Borrowed(key), value, source: Source::Computed, children }
    }

    /// A term without parts.
    pub fn leaf(key: &'static str, value: Quantity, source: Source) -> Self {
        Self { key: Cow::Borrowed(key), value, source, children: Vec::new() }
    }
}
