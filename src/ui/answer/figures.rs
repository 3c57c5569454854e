//! The large figures and the two thin bars. Each number is a button that opens its explanation.

use std::rc::Rc;

use planner::answer::{Answer, Plan};
use planner::estimate::Band;
use planner::explain::Quantity;
use planner::units::Seconds;
use yew::prelude::*;

use super::{Figure, cheapest, memory_parts, platform_name, step_parts, words};
use crate::text::Text;
use crate::ui::chart::{Legend, StackedBar};

/// What the sheet explains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Figure(Figure),
    /// The cost on the platform with this id.
    Cost(String),
}

/// One number with its name and what stands below it.
struct Number {
    figure: Figure,
    value: String,
    exact: String,
    unit: String,
    note: String,
    note_title: String,
}

/// Step time, MFU, throughput and days.
pub(super) fn figures(plan: &Plan, text: &Text, open: &Callback<Shown>) -> Html {
    let step = plan.step.parts.total;
    let days = plan.days;
    let per_gpu = plan.tokens_per_second / f64::from(plan.layout.gpus().max(1));
    let band_title = text.get("figure-band-title");
    let numbers = [
        Number {
            figure: Figure::StepTime,
            value: text.seconds(step),
            exact: text.quantity_exact(&Quantity::Seconds(step)),
            unit: String::new(),
            note: band(plan.step.band, text, |value| text.seconds(Seconds::new(value))),
            note_title: band_title.clone(),
        },
        Number {
            figure: Figure::Mfu,
            value: text.percent(plan.step.mfu),
            exact: text.quantity_exact(&Quantity::Share(plan.step.mfu)),
            unit: String::new(),
            note: text.get("figure-of-peak"),
            note_title: String::new(),
        },
        Number {
            figure: Figure::Throughput,
            value: text.count(plan.tokens_per_second.round()),
            exact: text.exact(plan.tokens_per_second),
            unit: text.get("figure-tokens-unit"),
            note: text.with("figure-tokens-gpu", &[("value", text.count(per_gpu.round()))]),
            note_title: String::new(),
        },
        Number {
            figure: Figure::Days,
            value: text.seconds(Seconds::days(days.p50)),
            exact: text.exact(days.p50),
            unit: String::new(),
            note: band(days, text, |value| text.seconds(Seconds::days(value))),
            note_title: band_title,
        },
    ];
    html! {
        <dl class="figures" aria-label={text.get("answer-figures")}>
            { for numbers.iter().map(|number| figure(number, text, open)) }
        </dl>
    }
}

/// The lowest cost with its platform.
pub(super) fn cost(answer: &Answer, text: &Text, open: &Callback<Shown>) -> Html {
    let name = text.get("figure-cost");
    let content = match cheapest(answer) {
        None => html! { <span class="soft">{ text.get("figure-cost-none") }</span> },
        Some((line, total)) => {
            let value = text.money_range(total);
            let label =
                text.with("figure-explain", &[("name", name.clone()), ("value", value.clone())]);
            let shown = Shown::Cost(line.platform.clone());
            let onclick = open.reform(move |_: MouseEvent| shown.clone());
            html! {
                <>
                    <button type="button" class="number" aria-haspopup="dialog"
                        aria-label={label} title={text.money_range_exact(total)} {onclick}>
                        { value }
                    </button>
                    <span class="soft">{ platform_name(line, text) }</span>
                    if let Some(per_million) = line.per_million_tokens {
                        <span class="soft" title={text.money_range_exact(per_million)}>
                            { text.with("figure-cost-million",
                                &[("cost", text.money_range(per_million))]) }
                        </span>
                    }
                </>
            }
        }
    };
    html! {
        <div class="answer-row answer-cost">
            <h3>{ name }</h3>
            <p>{ content }</p>
        </div>
    }
}

/// The fullest GPU and the step as thin bars.
pub(super) fn bars(plan: &Plan, text: &Text, open: &Callback<Shown>) -> Html {
    let memory = &plan.memory;
    let used = text.bytes_gib(memory.worst.device);
    let of = text.with(
        "figure-memory-of",
        &[("used", used.clone()), ("capacity", text.bytes_gib(memory.capacity))],
    );
    let step = plan.step.parts.total;
    let memory_max = (memory.capacity * 1.05).max(memory.worst.device).as_gib();
    html! {
        <>
            <div class="answer-row">
                <h3>{ text.get("figure-memory") }</h3>
                { small_number(Figure::Memory, &of, text.quantity_exact(
                    &Quantity::Bytes(memory.worst.device)), text, open) }
                <StackedBar place="answer" max={memory_max} limit={Some(memory.capacity.as_gib())}
                    parts={Rc::new(memory_parts(&memory.worst.parts, text))}
                    summary={format!("{}, {of}", text.get("figure-memory"))} />
            </div>
            <div class="answer-row">
                <h3>{ text.get("figure-step-parts") }</h3>
                { small_number(Figure::StepTime, &text.seconds(step),
                    text.quantity_exact(&Quantity::Seconds(step)), text, open) }
                <StackedBar place="answer" max={step.as_seconds()}
                    parts={Rc::new(step_parts(&plan.step.parts, text))}
                    summary={format!("{}, {}", text.get("figure-step-parts"), text.seconds(step))} />
                <Legend place="answer" parts={Rc::new(largest(plan, text))} />
            </div>
        </>
    }
}

/// The four largest parts of a step, for the short legend.
fn largest(plan: &Plan, text: &Text) -> Vec<crate::ui::chart::Part> {
    let mut parts = step_parts(&plan.step.parts, text);
    parts.sort_by(|a, b| b.value.total_cmp(&a.value));
    parts.truncate(4);
    parts
}

fn figure(number: &Number, text: &Text, open: &Callback<Shown>) -> Html {
    let name = text.get(number.figure.label());
    let spoken = format!("{} {}", number.value, number.unit);
    let label = text.with("figure-explain", &[("name", name.clone()), ("value", spoken)]);
    let figure = number.figure;
    let onclick = open.reform(move |_: MouseEvent| Shown::Figure(figure));
    html! {
        <div class="figure">
            <dt>{ name }</dt>
            <dd>
                <button type="button" class="number is-large" aria-haspopup="dialog"
                    aria-label={label} title={number.exact.clone()} {onclick}>
                    { number.value.clone() }
                    if !number.unit.is_empty() {
                        <span class="unit">{ " " }{ number.unit.clone() }</span>
                    }
                </button>
            </dd>
            <dd class="figure-note" title={number.note_title.clone()}>{ number.note.clone() }</dd>
        </div>
    }
}

fn small_number(
    figure: Figure,
    value: &str,
    exact: String,
    text: &Text,
    open: &Callback<Shown>,
) -> Html {
    let name = text.get(figure.label());
    let label = text.with("figure-explain", &[("name", name), ("value", value.to_owned())]);
    let onclick = open.reform(move |_: MouseEvent| Shown::Figure(figure));
    html! {
        <button type="button" class="number" aria-haspopup="dialog" aria-label={label}
            title={exact} {onclick}>{ value.to_owned() }</button>
    }
}

/// The range that holds eight of ten runs.
fn band(band: Band, text: &Text, format: impl Fn(f64) -> String) -> String {
    words::range(&format(band.p10), &format(band.p90), text)
}
