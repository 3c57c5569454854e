//! What was assumed because nothing was stated, collected from the trees.

use std::collections::BTreeMap;

use planner::explain::{Code, Finding, Source, Term};
use yew::prelude::*;

use crate::text::Text;
use crate::ui::explain::assumption;

/// The assumptions of all trees, each once, with the value of the first term that uses it, and
/// the fields of the model for which a default was taken.
pub(super) fn assumptions(
    trees: &[Term],
    findings: &[Finding],
    text: &Text,
) -> Vec<(String, String)> {
    let mut found = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.code == Code::Assumed) {
        for evidence in &finding.evidence {
            let said = text.quantity(&evidence.value);
            let (field, value) = said.split_once('=').unwrap_or((said.as_str(), ""));
            found.insert(field.to_owned(), value.to_owned());
        }
    }
    for tree in trees {
        collect(tree, text, &mut found);
    }
    found.into_iter().collect()
}

/// The list of the panel, closed at first.
pub(super) fn list(trees: &[Term], findings: &[Finding], text: &Text) -> Html {
    let found = assumptions(trees, findings, text);
    if found.is_empty() {
        return Html::default();
    }
    html! {
        <details class="answer-section assumptions">
            <summary>
                <h3>{ text.get("answer-assumptions") }</h3>
                <span class="count">{ found.len() }</span>
            </summary>
            <dl>
                { for found.into_iter().map(|(name, value)| html! {
                    <div><dt>{ name }</dt><dd>{ value }</dd></div>
                }) }
            </dl>
        </details>
    }
}

fn collect(term: &Term, text: &Text, found: &mut BTreeMap<String, String>) {
    if let Source::Assumption(key) = &term.source {
        found.entry(assumption(key, text)).or_insert_with(|| text.quantity(&term.value));
    }
    for child in &term.children {
        collect(child, text, found);
    }
}
