//! What the job costs on each platform, what that leaves out, and where the price is from.

use std::rc::Rc;

use planner::price::CostLine;
use planner::units::MoneyRange;
use rust_decimal::prelude::ToPrimitive;
use yew::prelude::*;

use super::TabProps;
use crate::text::Text;
use crate::ui::answer::{cheapest, finding, platform_name};
use crate::ui::explain::{CostTree, Sheet, addend_name, excluded};
use crate::view::{Direction, order};

/// What the amounts are per.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Job,
    MillionTokens,
    GpuHour,
}

impl Unit {
    const ALL: [Self; 3] = [Self::Job, Self::MillionTokens, Self::GpuHour];

    const fn key(self) -> &'static str {
        match self {
            Self::Job => "platforms-total",
            Self::MillionTokens => "platforms-million",
            Self::GpuHour => "platforms-hour",
        }
    }

    const fn amount(self, line: &CostLine) -> Option<MoneyRange> {
        match self {
            Self::Job => line.total,
            Self::MillionTokens => line.per_million_tokens,
            Self::GpuHour => line.per_gpu_hour,
        }
    }
}

/// The table, cheapest first, platforms without a price last.
#[component]
pub fn PlatformsTab(props: &TabProps) -> Html {
    let unit = use_state(|| Unit::Job);
    let shown = use_state(|| None::<String>);
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let costs = &props.answer.costs;
    let explained = shown.as_ref().and_then(|id| costs.iter().find(|line| line.platform == *id));
    let close = {
        let shown = shown.clone();
        Callback::from(move |()| shown.set(None))
    };
    let open = {
        let shown = shown.clone();
        Callback::from(move |id: String| shown.set(Some(id)))
    };
    let choose = {
        let unit = unit.clone();
        Callback::from(move |chosen: Unit| unit.set(chosen))
    };
    html! {
        <div class="tab-body">
            <div class="tab-top">
                <p class="tab-summary">{ summary(props, &text) }</p>
                { switch(*unit, &text, &choose) }
            </div>
            if !costs.is_empty() {
                <div class="table-frame" tabindex="0" role="region"
                    aria-label={text.get("platforms-title")}>
                    <table class="data-table">
                        <caption class="unseen">{ text.get("platforms-title") }</caption>
                        { head(*unit, &text) }
                        <tbody>
                            { for sorted(costs).into_iter().filter_map(|index| {
                                Some(row(costs.get(index)?, *unit, &text, &open))
                            }) }
                        </tbody>
                    </table>
                </div>
            }
            if let Some(line) = explained {
                <Sheet title={platform_name(line, &text)} on_close={close}
                    value={line.total.map(|total| text.money_range(total)).unwrap_or_default()}>
                    <CostTree line={Rc::new(line.clone())} />
                </Sheet>
            }
        </div>
    }
}

fn sorted(costs: &[CostLine]) -> Vec<usize> {
    let totals: Vec<Option<f64>> = costs
        .iter()
        .map(|line| line.total.and_then(|total| (total.low + total.high).to_f64()))
        .collect();
    order(&totals, Direction::Ascending)
}

fn switch(unit: Unit, text: &Text, choose: &Callback<Unit>) -> Html {
    html! {
        <div class="segments" role="group" aria-label={text.get("platforms-unit")}>
            { for Unit::ALL.into_iter().map(|one| html! {
                <button type="button" aria-pressed={(one == unit).to_string()}
                    onclick={choose.reform(move |_: MouseEvent| one)}>
                    { text.get(one.key()) }
                </button>
            }) }
        </div>
    }
}

fn head(unit: Unit, text: &Text) -> Html {
    let rest = ["parts", "excluded", "source", "date", "confidence"];
    html! {
        <thead>
            <tr>
                <th scope="col">{ text.get("platforms-platform") }</th>
                <th scope="col" class="is-number">{ text.get(unit.key()) }</th>
                if unit != Unit::GpuHour {
                    <th scope="col" class="is-number">{ text.get("platforms-hour") }</th>
                }
                { for rest.iter().map(|column| html! {
                    <th scope="col">{ text.get(&format!("platforms-{column}")) }</th>
                }) }
            </tr>
        </thead>
    }
}

fn row(line: &CostLine, unit: Unit, text: &Text, open: &Callback<String>) -> Html {
    let name = platform_name(line, text);
    let confidence = text
        .try_with(&format!("confidence-{}", line.confidence), &[])
        .unwrap_or_else(|| line.confidence.clone());
    html! {
        <tr key={line.platform.clone()}>
            <th scope="row">
                { name.clone() }
                if line.seed {
                    <span class="badge" title={text.get("platforms-seed")}>
                        { text.get("platforms-seed-short") }
                    </span>
                }
                if let Some(one) = &line.finding {
                    <ul class="findings is-small">{ finding(one, text) }</ul>
                }
            </th>
            <td class="is-number">{ amount(line, unit, &name, text, open) }</td>
            if unit != Unit::GpuHour {
                <td class="is-number">{ plain(line.per_gpu_hour, text) }</td>
            }
            <td>{ parts(line, text) }</td>
            <td class="is-long">{ left_out(line, text) }</td>
            <td class="is-long">{ line.source.clone() }</td>
            <td class="is-date">{ line.date.clone() }</td>
            <td>{ confidence }</td>
        </tr>
    }
}

/// What the total leaves out, closed at first because the list is long.
fn left_out(line: &CostLine, text: &Text) -> Html {
    let count = line.not_included.len();
    if count == 0 {
        return Html::default();
    }
    html! {
        <details>
            <summary>{ text.with("platforms-items", &[("number", count.to_string())]) }</summary>
            { excluded(line, text) }
        </details>
    }
}

/// The amount as a button that opens its addends.
fn amount(line: &CostLine, unit: Unit, name: &str, text: &Text, open: &Callback<String>) -> Html {
    let Some(range) = unit.amount(line) else { return plain(None, text) };
    let value = text.money_range(range);
    let label = text.with("figure-explain", &[("name", name.to_owned()), ("value", value.clone())]);
    let id = line.platform.clone();
    html! {
        <button type="button" class="number" aria-haspopup="dialog" aria-label={label}
            title={text.money_range_exact(range)}
            onclick={open.reform(move |_: MouseEvent| id.clone())}>{ value }</button>
    }
}

fn plain(range: Option<MoneyRange>, text: &Text) -> Html {
    match range {
        Some(range) => html! {
            <span title={text.money_range_exact(range)}>{ text.money_range(range) }</span>
        },
        None => html! { <span class="soft">{ text.get("not-available") }</span> },
    }
}

fn parts(line: &CostLine, text: &Text) -> Html {
    html! {
        <ul class="cost-parts">
            { for line.parts.iter().map(|part| html! {
                <li key={part.key.to_string()} title={text.money_range_exact(part.amount)}>
                    <span class="soft">{ addend_name(part, text) }</span>{ " " }
                    { text.money_range(part.amount) }
                </li>
            }) }
        </ul>
    }
}

fn summary(props: &TabProps, text: &Text) -> String {
    cheapest(&props.answer).map_or_else(
        || text.get("platforms-summary-none"),
        |(line, total)| {
            text.with(
                "platforms-summary",
                &[
                    ("number", props.answer.costs.len().to_string()),
                    ("platform", platform_name(line, text)),
                    ("cost", text.money_range(total)),
                ],
            )
        },
    )
}
