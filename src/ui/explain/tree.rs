//! A term with its value, its formula in words, its source and its parts, to any depth.

use std::rc::Rc;

use planner::explain::{Source, Term};
use yew::prelude::*;

use crate::text::Text;

#[derive(Clone, PartialEq, Properties)]
pub struct TermTreeProps {
    pub term: Rc<Term>,
}

/// The tree. The first two levels are open.
#[component]
pub fn TermTree(props: &TermTreeProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    html! { <ul class="term-tree">{ node(&props.term, 0, &text) }</ul> }
}

/// Name of a term in words; its key when the message is missing.
pub(super) fn name(key: &str, text: &Text) -> String {
    text.try_with(&format!("term-{key}"), &[]).unwrap_or_else(|| key.to_owned())
}

/// Where a value comes from, in words; nothing for what follows from its parts.
pub(super) fn source(source: &Source, text: &Text) -> Option<String> {
    match source {
        Source::Input => Some(text.get("explain-input")),
        Source::Computed => None,
        Source::Catalog(row) => Some(text.with("explain-catalog", &[("source", row.to_string())])),
        Source::Constant(name) => {
            Some(text.with("explain-constant", &[("name", name.to_string())]))
        }
        Source::Reference(reference) => {
            Some(text.with("explain-reference", &[("source", reference.to_string())]))
        }
        Source::Assumption(key) => {
            Some(text.with("explain-assumption", &[("text", assumption(key, text))]))
        }
    }
}

/// An assumption in words.
pub fn assumption(key: &str, text: &Text) -> String {
    [format!("assumption-{key}"), key.to_owned()]
        .iter()
        .find_map(|key| text.try_with(key, &[]))
        .unwrap_or_else(|| key.to_owned())
}

fn node(term: &Term, depth: usize, text: &Text) -> Html {
    let formula = text.formula(&format!("term-{}", term.key));
    let origin = source(&term.source, text);
    let notes = html! {
        <>
            if let Some(formula) = formula {
                <p class="term-formula">{ format!("= {formula}") }</p>
            }
            if let Some(origin) = origin {
                <p class="term-source">{ origin }</p>
            }
        </>
    };
    let head = html! {
        <>
            <span class="term-name">{ name(&term.key, text) }</span>
            <span class="term-value" title={text.quantity_exact(&term.value)}>
                { text.quantity(&term.value) }
            </span>
        </>
    };
    if term.children.is_empty() {
        return html! { <li class="term is-leaf"><div class="term-head">{ head }</div>{ notes }</li> };
    }
    html! {
        <li class="term">
            <details open={depth < 1}>
                <summary class="term-head">{ head }</summary>
                { notes }
                <ul>{ for term.children.iter().map(|child| node(child, depth + 1, text)) }</ul>
            </details>
        </li>
    }
}
