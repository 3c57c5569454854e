//! The cost of the job on one platform, addend by addend.

use std::rc::Rc;

use planner::price::{CostLine, CostPart};
use yew::prelude::*;

use super::tree;
use crate::text::Text;

#[derive(Clone, PartialEq, Properties)]
pub struct CostTreeProps {
    pub line: Rc<CostLine>,
}

/// Every addend with its factors, then what the total leaves out, then where the price is from.
#[component]
pub fn CostTree(props: &CostTreeProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let line = &props.line;
    html! {
        <>
            <ul class="term-tree">
                { for line.parts.iter().map(|part| addend(part, &text)) }
                if let Some(total) = line.total {
                    <li class="term is-leaf is-total">
                        <div class="term-head">
                            <span class="term-name">{ text.get("platforms-total") }</span>
                            <span class="term-value" title={text.money_range_exact(total)}>
                                { text.money_range(total) }
                            </span>
                        </div>
                    </li>
                }
            </ul>
            if !line.not_included.is_empty() {
                <p class="term-source">
                    { text.get("platforms-excluded") }{ " " }
                    { excluded(line, &text) }
                </p>
            }
            <p class="term-source">
                { text.get("platforms-source") }{ " " }{ line.source.clone() }{ " " }
                { line.date.clone() }
            </p>
        </>
    }
}

/// What a total leaves out, as a list in one line.
pub fn excluded(line: &CostLine, text: &Text) -> String {
    let words: Vec<String> = line
        .not_included
        .iter()
        .map(|key| {
            text.try_with(&format!("excluded-{key}"), &[]).unwrap_or_else(|| key.to_string())
        })
        .collect();
    words.join(" · ")
}

/// The name of an addend.
pub fn addend_name(part: &CostPart, text: &Text) -> String {
    text.try_with(&format!("cost-{}", part.key), &[]).unwrap_or_else(|| part.key.to_string())
}

fn addend(part: &CostPart, text: &Text) -> Html {
    html! {
        <li class="term">
            <details open=true>
                <summary class="term-head">
                    <span class="term-name">{ addend_name(part, text) }</span>
                    <span class="term-value" title={text.money_range_exact(part.amount)}>
                        { text.money_range(part.amount) }
                    </span>
                </summary>
                if !part.source.is_empty() {
                    <p class="term-source">{ part.source.clone() }</p>
                }
                <ul>
                    { for part.inputs.iter().map(|(key, value)| html! {
                        <li class="term is-leaf">
                            <div class="term-head">
                                <span class="term-name">{ factor_name(key, text) }</span>
                                <span class="term-value" title={text.quantity_exact(value)}>
                                    { text.quantity(value) }
                                </span>
                            </div>
                        </li>
                    }) }
                </ul>
            </details>
        </li>
    }
}

fn factor_name(key: &str, text: &Text) -> String {
    let key = key.replace('_', "-");
    [format!("cost-{key}"), format!("evidence-{key}")]
        .iter()
        .find_map(|key| text.try_with(key, &[]))
        .unwrap_or_else(|| tree::name(&key, text))
}
