//! One optimizer step by part.

use std::rc::Rc;

use planner::estimate::Step;
use planner::explain::Quantity;
use planner::units::Seconds;
use yew::prelude::*;

use super::{TabProps, nothing};
use crate::text::Text;
use crate::ui::answer::{step_parts, words};
use crate::ui::chart::{Legend, Part, Patterns, StackedBar, swatch};

/// The place of the patterns' ids.
const PLACE: &str = "time";

/// The step as one bar and as a table.
#[component]
pub fn TimeTab(props: &TabProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let Some(plan) = &props.answer.plan else { return nothing(&text) };
    let step = &plan.step;
    let parts = Rc::new(step_parts(&step.parts, &text));
    let total = step.parts.total;
    let summary = summary(step, &text);
    html! {
        <div class="tab-body">
            <Patterns place={PLACE} />
            <p class="tab-summary">{ summary.clone() }</p>
            <figure class="bar-chart is-tall" aria-label={text.get("time-title")}>
                <StackedBar place={PLACE} parts={parts.clone()} max={total.as_seconds()} {summary} />
            </figure>
            <Legend place={PLACE} parts={parts.clone()} values=true />
            { table(&parts, step, &text) }
        </div>
    }
}

fn table(parts: &[Part], step: &Step, text: &Text) -> Html {
    let total = step.parts.total;
    html! {
        <table class="data-table is-narrow">
            <caption class="unseen">{ text.get("time-title") }</caption>
            <thead>
                <tr>
                    <th scope="col">{ text.get("time-part") }</th>
                    <th scope="col" class="is-number">{ text.get("time-amount") }</th>
                    <th scope="col" class="is-number">{ text.get("time-share") }</th>
                </tr>
            </thead>
            <tbody>
                { for parts.iter().map(|part| html! {
                    <tr key={part.label.clone()} class={classes!((part.value <= 0.0).then_some("is-zero"))}>
                        <th scope="row">
                            { swatch(PLACE, part.colour, part.pattern) }{ part.label.clone() }
                        </th>
                        <td class="is-number" title={exact(part.value, text)}>{ part.text.clone() }</td>
                        <td class="is-number">
                            { text.percent(Seconds::new(part.value).ratio(total)) }
                        </td>
                    </tr>
                }) }
            </tbody>
            <tfoot>
                <tr>
                    <th scope="row">{ text.get("time-total") }</th>
                    <td class="is-number" title={exact(total.as_seconds(), text)}>
                        { text.seconds(total) }
                    </td>
                    <td class="is-number">{ text.percent(1.0) }</td>
                </tr>
            </tfoot>
        </table>
    }
}

fn summary(step: &Step, text: &Text) -> String {
    let parts = &step.parts;
    let compute = parts.matmul + parts.attention + parts.memory_bound + parts.launch;
    let exposed = parts.tp_exposed
        + parts.cp_exposed
        + parts.ep_exposed
        + parts.dp_exposed
        + parts.pp_exposed;
    let range = words::range(
        &text.seconds(Seconds::new(step.band.p10)),
        &text.seconds(Seconds::new(step.band.p90)),
        text,
    );
    text.with(
        "time-summary",
        &[
            ("total", text.seconds(parts.total)),
            ("range", range),
            ("compute", text.percent(compute.ratio(parts.total))),
            ("exposed", text.percent(exposed.ratio(parts.total))),
            ("bubble", text.percent(parts.bubble.ratio(parts.total))),
        ],
    )
}

fn exact(seconds: f64, text: &Text) -> String {
    text.quantity_exact(&Quantity::Seconds(Seconds::new(seconds)))
}
