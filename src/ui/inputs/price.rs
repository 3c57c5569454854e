//! Section 5: currency, commitment and the platforms that are compared.

use planner::catalog;
use planner::price::PriceOptions;
use planner::units::Currency;
use project::{Command, Word};
use yew::{AttrValue, Callback, Event, Html, Properties, component, html, use_context};

use super::Section;
use super::choices::{label, whole, word};
use crate::text::{Language, Text};
use crate::ui::fields::{Segments, Select};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct PriceProps {
    pub options: PriceOptions,
    pub on_edit: Callback<Command>,
}

/// Months of commitment that price lists offer; another value is typed in a file.
const TERMS: [u32; 5] = [0, 1, 6, 12, 36];

#[component]
pub(super) fn PriceSection(props: &PriceProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let PriceProps { options, on_edit } = props;
    let currencies: Vec<AttrValue> =
        Currency::ALL.iter().map(|currency| word(&text, "currency", *currency)).collect();
    let currency = Currency::ALL.iter().position(|c| *c == options.currency).unwrap_or(0);
    let choose_currency = {
        let on_edit = on_edit.clone();
        Callback::from(move |index: usize| {
            if let Some(currency) = Currency::ALL.get(index) {
                on_edit.emit(Command::Currency(*currency));
            }
        })
    };
    html! {
        <Section number={5} title="section-price">
            <Segments
                id="price.currency"
                label={label(&text, "price.currency")}
                value={currency}
                choices={currencies}
                on_choose={choose_currency}
            />
            { term(&text, options, on_edit) }
            { platforms(&text, options, on_edit) }
        </Section>
    }
}

fn term(text: &Text, options: &PriceOptions, on_edit: &Callback<Command>) -> Html {
    let path = "price.term_months";
    let Some(value) = TERMS.iter().position(|months| *months == options.term_months) else {
        return whole(text, path, options.term_months, on_edit, Command::TermMonths);
    };
    let choices: Vec<AttrValue> = TERMS
        .iter()
        .map(|months| match months {
            0 => text.get("term-on-demand").into(),
            _ => text.counted("term-months", f64::from(*months), &[]).into(),
        })
        .collect();
    let on_choose = {
        let on_edit = on_edit.clone();
        Callback::from(move |index: usize| {
            if let Some(months) = TERMS.get(index) {
                on_edit.emit(Command::TermMonths(*months));
            }
        })
    };
    html! { <Select id={path} label={label(text, path)} {value} {choices} {on_choose} /> }
}

/// Check boxes; none checked is the automatic choice.
fn platforms(text: &Text, options: &PriceOptions, on_edit: &Callback<Command>) -> Html {
    html! {
        <details class="more">
            <summary>
                { label(text, "price.platforms") }
                <span class="detail">
                    if options.platforms.is_empty() {
                        { text.get("auto") }
                    } else {
                        { options.platforms.len() }
                    }
                </span>
            </summary>
            <ul class="checks">
                { for catalog::platforms().iter().map(|platform| {
                    let name = match text.language() {
                        Language::ZhCn => platform.name_zh,
                        Language::En => platform.name_en,
                    };
                    platform_box(platform.id, name, options, on_edit)
                }) }
            </ul>
            <p class="hint">{ text.get("platforms-hint") }</p>
        </details>
    }
}

fn platform_box(
    id: &'static str,
    name: &str,
    options: &PriceOptions,
    on_edit: &Callback<Command>,
) -> Html {
    let on = options.platforms.iter().any(|platform| platform == id);
    let onchange = {
        let (on_edit, mut platforms) = (on_edit.clone(), options.platforms.clone());
        if on {
            platforms.retain(|platform| platform != id);
        } else {
            platforms.push(id.to_owned());
        }
        Callback::from(move |_: Event| on_edit.emit(Command::Platforms(platforms.clone())))
    };
    html! {
        <li key={id}>
            <label class="check">
                <input type="checkbox" checked={on} {onchange} />
                <span>{ name }</span>
            </label>
        </li>
    }
}
