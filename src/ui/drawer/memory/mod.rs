//! Memory of every pipeline stage at a chosen instant, by part, against the capacity.

mod bars;
mod groups;
mod host;
mod oom;
mod scrubber;
mod table;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use planner::answer::Answer;
use planner::estimate::{Instant, InstantMemory, Memory};
use planner::explain::Term;
use yew::prelude::*;

use super::nothing;
use crate::engine::{Engine, Failure, Reply, Request};
use crate::text::Text;
use crate::ui::answer::{memory_parts, words};
use crate::ui::chart::{Legend, Part, Patterns};
use crate::ui::explain::{Sheet, TermTree};
use crate::ui::notice::sentence;
use groups::{Group, groups, instants, parts_used};
use oom::OomDialog;
use scrubber::Scrubber;
use table::{Cell, Table};

/// The place of the patterns' ids.
const PLACE: &str = "memory";

#[derive(Clone, PartialEq, Properties)]
pub struct MemoryTabProps {
    pub answer: Rc<Answer>,
    /// Explains parts and out-of-memory messages; without it, nothing opens.
    #[prop_or_default]
    pub engine: Option<Engine>,
}

/// What the sheet shows: the cell that was opened, and its tree once the worker has sent it.
#[derive(Clone, PartialEq)]
struct Opened {
    cell: Cell,
    tree: Option<Result<Rc<Term>, Failure>>,
}

/// The scrubber and the bars first, the same numbers as a table below them.
#[component]
pub fn MemoryTab(props: &MemoryTabProps) -> Html {
    let text = use_context::<Text>();
    let chosen = use_state(|| None::<Instant>);
    let opened = use_state(|| None::<Opened>);
    let explaining = use_state(|| false);
    let (Some(text), engine) = (text, &props.engine) else { return Html::default() };
    let Some(plan) = &props.answer.plan else { return nothing(&text) };
    let memory = &plan.memory;
    let instants = instants(memory);
    let at = chosen.filter(|at| instants.contains(at)).unwrap_or(memory.worst.instant);
    let groups = groups(memory, at);
    let used = parts_used(memory);
    let layout = &plan.layout;
    let gpus = layout.tp * layout.cp * layout.dp;
    let on_open = open(engine.as_ref(), &opened, at);
    let table = Table {
        groups: &groups,
        memory,
        instant: at,
        gpus,
        used: &used,
        on_open: on_open.as_ref(),
        text: &text,
    };
    let close = {
        let opened = opened.clone();
        Callback::from(move |()| opened.set(None))
    };
    let show = |shown: bool| {
        let explaining = explaining.clone();
        Callback::from(move |()| explaining.set(shown))
    };
    html! {
        <div class="tab-body">
            <Patterns place={PLACE} />
            <div class="tab-top">
                <p class="tab-summary">{ summary(memory, &text) }</p>
                if engine.is_some() {
                    <button type="button" class="secondary" aria-haspopup="dialog"
                        onclick={show(true).reform(|_: MouseEvent| ())}>
                        { text.get("oom-open") }
                    </button>
                }
            </div>
            <Scrubber answer={Rc::clone(&props.answer)} {at}
                on_choose={Callback::from(move |at| chosen.set(Some(at)))} />
            { bars::bars(&groups, memory, gpus, &text) }
            <Legend place={PLACE} parts={legend(memory, &used, &text)} />
            { host::bar(memory, at, &text) }
            { table.html() }
            { host::host(memory, &text) }
            if let Some(opened) = (*opened).clone() {
                { sheet(&opened, at, close, &text) }
            }
            if let Some(engine) = engine.clone().filter(|_| *explaining) {
                <OomDialog {engine} on_close={show(false)} />
            }
        </div>
    }
}

/// Opens the sheet of a cell and asks for its tree.
fn open(
    engine: Option<&Engine>,
    opened: &UseStateHandle<Option<Opened>>,
    instant: Instant,
) -> Option<Callback<Cell>> {
    let (engine, opened) = (engine?.clone(), opened.clone());
    Some(Callback::from(move |cell: Cell| {
        opened.set(Some(Opened { cell: cell.clone(), tree: None }));
        let (opened, stage) = (opened.clone(), cell.stage);
        let reply = Callback::from(move |reply| {
            let tree = match reply {
                Ok(Reply::Tree(tree)) => Ok(Rc::new(cell.within(*tree))),
                Ok(_) => return,
                Err(failure) => Err(failure),
            };
            opened.set(Some(Opened { cell: cell.clone(), tree: Some(tree) }));
        });
        engine.ask(Request::StageTree { stage, instant }, reply);
    }))
}

fn sheet(opened: &Opened, at: Instant, on_close: Callback<()>, text: &Text) -> Html {
    let Cell { title, value, .. } = opened.cell.clone();
    html! {
        <Sheet {title} {value} {on_close}>
            <p class="soft">{ text.get(&format!("instant-{}", at.key())) }</p>
            { match &opened.tree {
                None => Html::default(),
                Some(Ok(term)) => html! { <TermTree term={Rc::clone(term)} /> },
                Some(Err(failure)) => html! {
                    <p class="wrong" role="alert">{ sentence(text, failure) }</p>
                },
            } }
        </Sheet>
    }
}

/// Names of the parts that any instant has.
fn legend(memory: &Memory, used: &[bool], text: &Text) -> Rc<Vec<Part>> {
    let mut parts = memory_parts(&memory.worst.parts, text);
    for (part, used) in parts.iter_mut().zip(used) {
        part.value = if *used { 1.0 } else { 0.0 };
    }
    Rc::new(parts)
}

fn summary(memory: &Memory, text: &Text) -> String {
    let parts = memory_parts(&memory.worst.parts, text);
    let largest = parts.iter().max_by(|a, b| a.value.total_cmp(&b.value));
    let (part, amount) = largest.map_or_else(
        || (String::new(), String::new()),
        |part| (part.label.clone(), part.text.clone()),
    );
    text.with(
        "memory-summary",
        &[
            ("stage", (memory.worst.stage + 1).to_string()),
            (
                "instant",
                words::inside(&text.get(&format!("instant-{}", memory.worst.instant.key()))),
            ),
            ("used", text.bytes_gib(memory.worst.device)),
            ("capacity", text.bytes_gib(memory.capacity)),
            ("part", part),
            ("amount", amount),
        ],
    )
}

/// `Stage 1` or `Stages 2–7`: people count stages from one.
fn stage_name(group: &Group<'_>, text: &Text) -> String {
    let (first, last) = ((group.first + 1).to_string(), (group.last + 1).to_string());
    if first == last {
        text.with("subject-stage", &[("stage", first)])
    } else {
        text.with("memory-stages", &[("first", first), ("last", last)])
    }
}

/// The verdict of a GPU at an instant with what it has to spare, or by how much it is over.
fn room(memory: &Memory, at: &InstantMemory, text: &Text) -> Html {
    let verdict = memory.verdict_at(at);
    let word = words::verdict(verdict);
    let (kind, amount) = if at.device <= memory.capacity {
        ("spare", memory.capacity - at.device)
    } else {
        ("over", at.device - memory.capacity)
    };
    let amount = text.with(
        &format!("memory-{kind}"),
        &[
            ("amount", text.bytes_gib(amount)),
            ("share", text.percent(amount.ratio(memory.capacity))),
        ],
    );
    html! {
        <span class="room">
            <span class={classes!("verdict-word", format!("is-{word}"))}>
                <span aria-hidden="true">{ words::verdict_sign(verdict) }{ " " }</span>
                { text.get(&format!("verdict-{word}")) }
            </span>{ " " }
            <span class="room-amount">{ amount }</span>
        </span>
    }
}
