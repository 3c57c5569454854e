//! Quantities, findings and explanation trees as JSON. Every value carries its unit.

use std::collections::BTreeMap;

use planner::explain::{
    Bilingual, Code, Evidence, Finding, NearestValues, Quantity, Remedy, RemedyStep, Severity,
    Source, Subject, Term,
};
use serde::Serialize;

use super::cost::amount;
use crate::words::code;

/// A value in the base unit of its kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Value {
    value: Scalar,
    #[serde(skip_serializing_if = "String::is_empty")]
    unit: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Scalar {
    Number(f64),
    Name(String),
    Sentence(Bilingual),
    Nearest(Vec<NearestValues>),
}

#[derive(Serialize)]
pub(crate) struct FindingView<'a> {
    code: Code,
    severity: Severity,
    subject: &'a Subject,
    evidence: BTreeMap<&'a str, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remedies: Vec<RemedyView<'a>>,
}

#[derive(Serialize)]
struct RemedyView<'a> {
    steps: &'a [RemedyStep],
    /// More time to finish, in percent; less where negative.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_cost: Option<Value>,
    alters_training: bool,
    proof: BTreeMap<&'a str, Value>,
}

/// One number of the explanation with its parts.
#[derive(Serialize)]
pub(crate) struct TermView<'a> {
    key: &'a str,
    #[serde(flatten)]
    value: Value,
    source: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<TermView<'a>>,
}

impl Value {
    pub(crate) fn of(quantity: &Quantity) -> Self {
        let number =
            |value: f64, unit: &str| Self { value: Scalar::Number(value), unit: unit.to_owned() };
        match quantity {
            Quantity::Bytes(bytes) => number(bytes.base(), "B"),
            Quantity::Seconds(seconds) => number(seconds.base(), "s"),
            Quantity::Bandwidth(rate) => number(rate.base(), "B/s"),
            Quantity::Port(rate) => number(rate.base(), "b/s"),
            Quantity::Flop(flop) => number(flop.base(), "FLOP"),
            Quantity::Compute(rate) => number(rate.base(), "FLOP/s"),
            Quantity::Count(value) | Quantity::Factor(value) => number(*value, ""),
            Quantity::Share(value) => number(*value * 100.0, "%"),
            Quantity::Money(money) => number(amount(&money.amount), &code(&money.currency)),
            Quantity::Name(name) => {
                Self { value: Scalar::Name(name.to_string()), unit: String::new() }
            }
            Quantity::Sentence(words) => {
                Self { value: Scalar::Sentence(words.clone()), unit: String::new() }
            }
            Quantity::Nearest(all) => {
                Self { value: Scalar::Nearest(all.clone()), unit: String::new() }
            }
        }
    }
}

impl<'a> FindingView<'a> {
    pub(crate) fn of(finding: &'a Finding) -> Self {
        Self {
            code: finding.code,
            severity: finding.severity,
            subject: &finding.subject,
            evidence: values(&finding.evidence),
            remedies: finding.remedies.iter().map(RemedyView::of).collect(),
        }
    }
}

impl<'a> RemedyView<'a> {
    fn of(remedy: &'a Remedy) -> Self {
        Self {
            steps: &remedy.steps,
            time_cost: remedy.time_cost.map(|cost| Value::of(&Quantity::Share(cost))),
            alters_training: remedy.alters_training,
            proof: values(&remedy.proof),
        }
    }
}

impl<'a> TermView<'a> {
    pub(crate) fn of(term: &'a Term) -> Self {
        Self {
            key: &term.key,
            value: Value::of(&term.value),
            source: source(&term.source),
            children: term.children.iter().map(Self::of).collect(),
        }
    }
}

/// Evidence by name.
pub(crate) fn values(evidence: &[Evidence]) -> BTreeMap<&str, Value> {
    evidence.iter().map(|one| (&*one.name, Value::of(&one.value))).collect()
}

fn source(source: &Source) -> String {
    match source {
        Source::Input => "input".to_owned(),
        Source::Computed => "computed".to_owned(),
        Source::Catalog(text) => format!("catalog: {text}"),
        Source::Constant(name) => format!("constant: {name}"),
        Source::Reference(text) => format!("reference: {text}"),
        Source::Assumption(key) => format!("assumption: {key}"),
    }
}
