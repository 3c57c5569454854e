//! The score of a table of cases; key names are a contract.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use super::super::row::Inexpressible;
use super::check::{Check, Got};
use super::models::Models;
use super::quantities;
use super::table::{Case, Variant};

/// Kinds whose failed checks fail the command: memory, rules, imports, known-wrong estimators.
pub(super) const COUNTED: [&str; 4] = ["a", "c", "g", "i"];

/// Everything that `score cases` prints.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Score {
    pub(super) kinds: BTreeMap<String, Kind>,
    pub(super) rows: Vec<Row>,
}

/// Checks of one kind of case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Kind {
    pub(super) checks: usize,
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) not_expressible: usize,
}

/// One check of one case.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) check: String,
    pub(super) got: Value,
    pub(super) want: Value,
    /// None: not expressible, for the reason in `why`.
    pub(super) ok: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
    /// Defaults that were taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) assumed: Vec<String>,
    /// Stated fields that no answer of this case looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unread: Vec<String>,
}

impl Score {
    pub(super) fn add(&mut self, case: &Case, models: &Models) {
        let answers: Vec<_> =
            case.checks.iter().map(|check| (check, answer(case, check, models))).collect();
        for (check, answer) in answers {
            let row = Row::of(case, check, answer);
            let kind = self.kinds.entry(case.kind.clone()).or_default();
            kind.checks += 1;
            match row.ok {
                Some(true) => kind.passed += 1,
                Some(false) => kind.failed += 1,
                None => kind.not_expressible += 1,
            }
            self.rows.push(row);
        }
    }

    /// Whether no counted check failed.
    pub(super) fn passed(&self) -> bool {
        COUNTED.iter().all(|kind| self.kinds.get(*kind).is_none_or(|kind| kind.failed == 0))
    }

    /// The score for people.
    pub(super) fn table(&self) -> String {
        let mut text = String::new();
        let mut line = |args: std::fmt::Arguments<'_>| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{args}");
        };
        line(format_args!("kind  checks  passed  failed  not expressible"));
        for (name, kind) in &self.kinds {
            let Kind { checks, passed, failed, not_expressible } = kind;
            let counted = if COUNTED.contains(&name.as_str()) { "" } else { "  (not counted)" };
            line(format_args!(
                "{name:<4}  {checks:>6}  {passed:>6}  {failed:>6}  {not_expressible:>15}{counted}"
            ));
        }
        for row in self.rows.iter().filter(|row| row.ok == Some(false)) {
            line(format_args!("failed {} {}: got {}", row.id, row.check, row.got));
        }
        for row in self.rows.iter().filter(|row| row.ok.is_none()) {
            let why = row.why.as_deref().unwrap_or_default();
            line(format_args!("not expressible {} {}: {why}", row.id, row.check));
        }
        text
    }
}

impl Row {
    fn of(case: &Case, check: &Check, answer: Result<(Got, bool), Inexpressible>) -> Self {
        let (got, ok, why) = match answer {
            Ok((got, ok)) => (got.json(), Some(ok), None),
            Err(reason) => (Value::Null, None, Some(reason.0)),
        };
        let variants = meant(case, check);
        let assumed: std::collections::BTreeSet<String> =
            variants.iter().flat_map(|variant| variant.fields.assumed()).collect();
        let unread: std::collections::BTreeSet<String> =
            variants.iter().flat_map(|variant| variant.fields.unread()).collect();
        Self {
            id: case.id.clone(),
            kind: case.kind.clone(),
            check: check.words(),
            got,
            want: check.v.clone(),
            ok,
            why,
            assumed: assumed.into_iter().collect(),
            unread: unread.into_iter().collect(),
        }
    }
}

/// The variants that a check is about.
fn meant<'a>(case: &'a Case, check: &Check) -> Vec<&'a Variant> {
    match &check.when {
        Some(id) => case.variants.iter().filter(|variant| variant.id == *id).collect(),
        None => case.variants.iter().collect(),
    }
}

/// What the planner says and whether it meets the check. Without a named variant, each must.
fn answer(case: &Case, check: &Check, models: &Models) -> Result<(Got, bool), Inexpressible> {
    let judged = |got: Got| {
        let held = check.holds(&got).ok_or_else(|| {
            let got = got.json();
            Inexpressible(format!("`{}` does not apply to the answer {got}", check.op))
        })?;
        Ok((got, held))
    };
    if let Some(across) = quantities::across(case, &check.q, models) {
        return across.and_then(judged);
    }
    let variants = meant(case, check);
    let mut first = None;
    for variant in &variants {
        let (got, held) = judged(quantities::of(&variant.fields, &check.q, models)?)?;
        if !held {
            return Ok((got, false));
        }
        first.get_or_insert((got, held));
    }
    first.ok_or_else(|| {
        Inexpressible(format!("no variant {}", check.when.as_deref().unwrap_or_default()))
    })
}
