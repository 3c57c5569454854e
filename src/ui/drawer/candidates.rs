//! The best candidates as a sortable table with a scatter, and why the others were cut.

use std::rc::Rc;

use planner::answer::{Answer, Candidate};
use planner::estimate::Verdict;
use planner::explain::Quantity;
use planner::strategy::Layout;
use yew::prelude::*;

use super::nothing;
use crate::text::Text;
use crate::ui::answer::words;
use crate::ui::chart::{Dot, Scatter};
use crate::view::{Direction, order};

#[derive(Clone, PartialEq, Properties)]
pub struct CandidatesTabProps {
    pub answer: Rc<Answer>,
    /// The reader wants this layout: its values become pins.
    pub on_pin: Callback<Layout>,
}

/// A column that sorts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Verdict,
    Memory,
    Step,
    Mfu,
    Exposed,
    Bubble,
}

impl Column {
    const ALL: [Self; 6] =
        [Self::Verdict, Self::Memory, Self::Step, Self::Mfu, Self::Exposed, Self::Bubble];

    const fn key(self) -> &'static str {
        match self {
            Self::Verdict => "candidates-verdict",
            Self::Memory => "candidates-memory",
            Self::Step => "candidates-step",
            Self::Mfu => "candidates-mfu",
            Self::Exposed => "candidates-exposed",
            Self::Bubble => "candidates-bubble",
        }
    }

    /// What one wants at the top.
    const fn first(self) -> Direction {
        match self {
            Self::Mfu => Direction::Descending,
            Self::Verdict | Self::Memory | Self::Step | Self::Exposed | Self::Bubble => {
                Direction::Ascending
            }
        }
    }

    fn value(self, candidate: &Candidate) -> Option<f64> {
        match self {
            Self::Verdict => match candidate.verdict {
                Verdict::Fits => Some(0.0),
                Verdict::Tight => Some(1.0),
                Verdict::DoesNotFit => Some(2.0),
                Verdict::Invalid => None,
            },
            Self::Memory => Some(candidate.device_memory.base()),
            Self::Step => Some(candidate.step_time.as_seconds()),
            Self::Mfu => Some(candidate.mfu),
            Self::Exposed => Some(candidate.exposed_communication),
            Self::Bubble => Some(candidate.bubble),
        }
    }
}

/// The tab. Without a choice of column the order is the engine's.
#[component]
pub fn CandidatesTab(props: &CandidatesTabProps) -> Html {
    let sorting = use_state(|| None::<(Column, Direction)>);
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let answer = &props.answer;
    if answer.candidates.is_empty() {
        return html! {
            <>{ nothing(&text) }<div class="tab-body">{ why_not(answer, &text) }</div></>
        };
    }
    let rows = sorted(&answer.candidates, *sorting);
    let sort = {
        let sorting = sorting.clone();
        Callback::from(move |column: Column| sorting.set(Some(next(*sorting, column))))
    };
    html! {
        <div class="tab-columns">
            <div class="tab-main">
                <p class="tab-summary">{ summary(answer, &text) }</p>
                <div class="table-frame" tabindex="0" role="region"
                    aria-label={text.get("candidates-title")}>
                    <table class="data-table">
                        <caption class="unseen">{ text.get("candidates-title") }</caption>
                        { head(*sorting, &text, &sort) }
                        <tbody>
                            { for rows.into_iter().filter_map(|index| {
                                let candidate = answer.candidates.get(index)?;
                                Some(row(index, candidate, answer, &text, &props.on_pin))
                            }) }
                        </tbody>
                    </table>
                </div>
            </div>
            <aside class="tab-side">
                { scatter(answer, &text) }
                { why_not(answer, &text) }
            </aside>
        </div>
    }
}

/// A second choice of the same column turns its direction.
fn next(now: Option<(Column, Direction)>, column: Column) -> (Column, Direction) {
    match now {
        Some((current, direction)) if current == column => (column, direction.reversed()),
        _ => (column, column.first()),
    }
}

fn sorted(candidates: &[Candidate], sorting: Option<(Column, Direction)>) -> Vec<usize> {
    match sorting {
        None => (0..candidates.len()).collect(),
        Some((column, direction)) => {
            let values: Vec<Option<f64>> =
                candidates.iter().map(|candidate| column.value(candidate)).collect();
            order(&values, direction)
        }
    }
}

fn head(sorting: Option<(Column, Direction)>, text: &Text, sort: &Callback<Column>) -> Html {
    html! {
        <thead>
            <tr>
                <th scope="col">{ text.get("candidates-layout") }</th>
                { for Column::ALL.into_iter().map(|column| {
                    let direction =
                        sorting.filter(|(now, _)| *now == column).map(|(_, direction)| direction);
                    let (state, arrow) = match direction {
                        Some(Direction::Ascending) => ("ascending", "▲"),
                        Some(Direction::Descending) => ("descending", "▼"),
                        None => ("none", ""),
                    };
                    let number = (column != Column::Verdict).then_some("is-number");
                    let onclick = sort.reform(move |_: MouseEvent| column);
                    html! {
                        <th scope="col" class={classes!(number)} aria-sort={state}>
                            <button type="button" class="sort" {onclick}>
                                { text.get(column.key()) }
                                <span class="sort-arrow" aria-hidden="true">{ arrow }</span>
                            </button>
                        </th>
                    }
                }) }
                <th scope="col"><span class="unseen">{ text.get("candidates-action") }</span></th>
            </tr>
        </thead>
    }
}

fn row(
    index: usize,
    candidate: &Candidate,
    answer: &Answer,
    text: &Text,
    on_pin: &Callback<Layout>,
) -> Html {
    let chosen = answer.plan.as_ref().is_some_and(|plan| plan.layout == candidate.layout);
    let word = words::verdict(candidate.verdict);
    let name = words::layout(&candidate.layout, text);
    let layout = candidate.layout;
    let onclick = on_pin.reform(move |_: MouseEvent| layout);
    let memory = Quantity::Bytes(candidate.device_memory);
    let step = Quantity::Seconds(candidate.step_time);
    html! {
        <tr key={index} class={classes!(chosen.then_some("is-chosen"))}>
            <th scope="row">
                <span class="layout-name">{ words::degrees(&layout, text) }</span>
                <span class="layout-rest">
                    { words::settings(&layout, text) }
                    if several(answer) {
                        { " · " }
                        { text.get(&format!("chip-framework-{}", layout.framework.key())) }
                    }
                </span>
            </th>
            <td>
                <span class={classes!("verdict-word", format!("is-{word}"))}>
                    <span aria-hidden="true">{ words::verdict_sign(candidate.verdict) }{ " " }</span>
                    { text.get(&format!("verdict-{word}")) }
                </span>
                if chosen {
                    <span class="badge">{ text.get("candidates-chosen") }</span>
                }
            </td>
            <td class="is-number" title={text.quantity_exact(&memory)}>
                { text.bytes_gib(candidate.device_memory) }
            </td>
            <td class="is-number" title={text.quantity_exact(&step)}>{ text.quantity(&step) }</td>
            <td class="is-number">{ text.percent(candidate.mfu) }</td>
            <td class="is-number">{ text.percent(candidate.exposed_communication) }</td>
            <td class="is-number">{ text.percent(candidate.bubble) }</td>
            <td class="is-action">
                <button type="button" class="quiet" {onclick}
                    aria-label={text.with("candidates-pin-label", &[("layout", name)])}>
                    { text.get("candidates-pin") }
                </button>
            </td>
        </tr>
    }
}

/// Whether the candidates are of more than one framework.
fn several(answer: &Answer) -> bool {
    let first = answer.candidates.first().map(|candidate| candidate.layout.framework);
    answer.candidates.iter().any(|candidate| Some(candidate.layout.framework) != first)
}

fn summary(answer: &Answer, text: &Text) -> String {
    text.with(
        "candidates-summary",
        &[
            ("shown", answer.candidates.len().to_string()),
            ("legal", text.tally(answer.searched.legal)),
            ("evaluated", text.tally(answer.searched.evaluated)),
        ],
    )
}

fn scatter(answer: &Answer, text: &Text) -> Html {
    let chosen = answer.plan.as_ref().map(|plan| plan.layout);
    let dots: Vec<Dot> = answer
        .candidates
        .iter()
        .map(|candidate| Dot {
            x: candidate.device_memory.as_gib(),
            y: candidate.step_time.as_seconds(),
            look: words::verdict(candidate.verdict),
            title: format!(
                "{} · {} · {}",
                words::layout(&candidate.layout, text),
                text.bytes_gib(candidate.device_memory),
                text.seconds(candidate.step_time)
            ),
            chosen: Some(candidate.layout) == chosen,
        })
        .collect();
    let fastest = answer
        .candidates
        .iter()
        .filter(|candidate| candidate.verdict != Verdict::DoesNotFit)
        .min_by(|a, b| a.step_time.base().total_cmp(&b.step_time.base()))
        .or(answer.candidates.first());
    let summary = fastest.map(|fastest| {
        text.with(
            "candidates-chart-summary",
            &[
                ("number", answer.candidates.len().to_string()),
                ("step", text.seconds(fastest.step_time)),
                ("memory", text.bytes_gib(fastest.device_memory)),
            ],
        )
    });
    html! {
        <Scatter dots={Rc::new(dots)} title={text.get("candidates-chart")}
            limit={answer.plan.as_ref().map(|plan| plan.memory.capacity.as_gib())}
            summary={summary.unwrap_or_default()}
            x_label={text.get("candidates-axis-memory")}
            y_label={text.get("candidates-axis-step")} />
    }
}

/// How many layouts each gate stopped, in the order of testing.
fn why_not(answer: &Answer, text: &Text) -> Html {
    let gates = &answer.searched.rejected_by_gate;
    if gates.is_empty() {
        return Html::default();
    }
    html! {
        <table class="data-table is-narrow">
            <caption>{ text.get("candidates-why-not") }</caption>
            <thead>
                <tr>
                    <th scope="col">{ text.get("candidates-gate") }</th>
                    <th scope="col" class="is-number">{ text.get("candidates-count") }</th>
                </tr>
            </thead>
            <tbody>
                { for gates.iter().map(|gate| html! {
                    <tr key={gate.gate.to_string()}>
                        <th scope="row">{ text.get(&format!("gate-{}", gate.gate)) }</th>
                        <td class="is-number">{ text.tally(gate.count) }</td>
                    </tr>
                }) }
            </tbody>
        </table>
    }
}
