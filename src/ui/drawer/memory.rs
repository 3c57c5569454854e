//! Memory of every pipeline stage at its worst instant, by part, against the capacity.

use std::rc::Rc;

use planner::estimate::{Memory, StageMemory};
use planner::explain::Quantity;
use yew::prelude::*;

use super::{TabProps, nothing};
use crate::text::Text;
use crate::ui::answer::memory_parts;
use crate::ui::chart::{Legend, Part, Patterns, StackedBar, swatch};
use crate::view::Scale;

/// The place of the patterns' ids.
const PLACE: &str = "memory";

/// Consecutive stages with the same numbers, drawn once.
struct Group {
    first: u32,
    last: u32,
    stage: StageMemory,
}

/// Bars first, the same numbers as a table below them.
#[component]
pub fn MemoryTab(props: &TabProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let Some(plan) = &props.answer.plan else { return nothing(&text) };
    let memory = &plan.memory;
    let groups = groups(memory);
    let parts = Rc::new(memory_parts(&memory.worst.parts, &text));
    html! {
        <div class="tab-body">
            <Patterns place={PLACE} />
            <p class="tab-summary">{ summary(memory, &parts, &text) }</p>
            <figure class="bar-chart" aria-label={text.get("memory-title")}>
                { for groups.iter().map(|group| bar(group, memory, &text)) }
                { axis(memory, &text) }
            </figure>
            <Legend place={PLACE} parts={legend(&groups, &text)} />
            { table(&groups, memory, &text) }
        </div>
    }
}

fn groups(memory: &Memory) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for stage in &memory.stages {
        match groups.last_mut() {
            Some(group)
                if group.stage.parts == stage.parts && group.stage.device == stage.device =>
            {
                group.last = stage.stage;
            }
            _ => groups.push(Group { first: stage.stage, last: stage.stage, stage: *stage }),
        }
    }
    groups
}

fn bar(group: &Group, memory: &Memory, text: &Text) -> Html {
    let stage = &group.stage;
    let name = text.with("subject-stage", &[("stage", numbers(group, text))]);
    let amount = text.bytes_gib(stage.device);
    let over = (stage.device > memory.capacity).then_some("is-over");
    html! {
        <div class="bar-row" key={group.first}>
            <span class="bar-name">{ name.clone() }</span>
            <StackedBar place={PLACE} max={longest(memory)} limit={Some(memory.capacity.as_gib())}
                parts={Rc::new(memory_parts(&stage.parts, text))}
                summary={format!("{name}, {amount}")} />
            <span class={classes!("bar-value", over)}
                title={text.quantity_exact(&Quantity::Bytes(stage.device))}>{ amount }</span>
        </div>
    }
}

fn axis(memory: &Memory, text: &Text) -> Html {
    let scale = Scale::new(longest(memory), 100.0);
    let capacity = scale.at(memory.capacity.as_gib());
    html! {
        <div class="bar-row is-axis" aria-hidden="true">
            <span class="bar-name"></span>
            <svg class="bar-axis" width="100%" height="18">
                { for scale.ticks(5).into_iter().filter(|tick| !hidden(tick.at, capacity))
                    .map(|tick| html! {
                        <text class="tick" x={format!("{:.2}%", tick.at)} y="12"
                            text-anchor={if tick.at > 96.0 { "end" } else if tick.at < 4.0 { "start" } else { "middle" }}>
                            { text.number(tick.value) }
                        </text>
                    }) }
                <text class="tick is-limit" x={format!("{capacity:.2}%")} y="12"
                    text-anchor={if capacity > 90.0 { "end" } else { "middle" }}>
                    { text.bytes_gib(memory.capacity) }
                </text>
            </svg>
            <span class="bar-value"></span>
        </div>
    }
}

/// Whether a tick would touch the label of the capacity on a narrow screen, in percent.
fn hidden(tick: f64, capacity: f64) -> bool {
    let (before, after) = if capacity > 90.0 { (40.0, 6.0) } else { (24.0, 24.0) };
    tick > capacity - before && tick < capacity + after
}

/// The largest value of each part over the stages, so that the legend lists what any bar shows.
fn legend(groups: &[Group], text: &Text) -> Rc<Vec<Part>> {
    let mut found: Vec<Part> = Vec::new();
    for group in groups {
        let parts = memory_parts(&group.stage.parts, text);
        if found.is_empty() {
            found = parts;
        } else {
            for (all, part) in found.iter_mut().zip(parts) {
                all.value = all.value.max(part.value);
            }
        }
    }
    Rc::new(found)
}

fn table(groups: &[Group], memory: &Memory, text: &Text) -> Html {
    let names = memory_parts(&memory.worst.parts, text);
    html! {
        <div class="table-frame" tabindex="0" role="region" aria-label={text.get("memory-title")}>
            <table class="data-table">
                <caption class="unseen">{ text.get("memory-title") }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ text.get("memory-stage") }</th>
                        { for names.iter().map(|part| html! {
                            <th scope="col" class="is-number">
                                { swatch(PLACE, part.colour, part.pattern) }{ part.label.clone() }
                            </th>
                        }) }
                        <th scope="col" class="is-number">{ text.get("memory-allocated") }</th>
                        <th scope="col" class="is-number">{ text.get("memory-device") }</th>
                    </tr>
                </thead>
                <tbody>{ for groups.iter().map(|group| table_row(group, text)) }</tbody>
                <tfoot>
                    <tr>
                        <th scope="row" colspan={(names.len() + 2).to_string()}>
                            { text.get("memory-capacity") }
                        </th>
                        <td class="is-number">{ text.bytes_gib(memory.capacity) }</td>
                    </tr>
                    <tr>
                        <th scope="row" colspan={(names.len() + 2).to_string()}>
                            { text.get("memory-host") }
                        </th>
                        <td class="is-number">
                            { text.with("memory-host-value", &[
                                ("used", text.bytes_gib(memory.host.peak())),
                                ("capacity", text.bytes_gib(memory.host_capacity)),
                            ]) }
                        </td>
                    </tr>
                </tfoot>
            </table>
        </div>
    }
}

fn table_row(group: &Group, text: &Text) -> Html {
    html! {
        <tr key={group.first}>
            <th scope="row">{ numbers(group, text) }</th>
            { for memory_parts(&group.stage.parts, text).into_iter().map(|part| html! {
                <td class="is-number" key={part.label}>{ part.text }</td>
            }) }
            <td class="is-number">{ text.bytes_gib(group.stage.allocated) }</td>
            <td class="is-number" title={text.quantity_exact(&Quantity::Bytes(group.stage.device))}>
                { text.bytes_gib(group.stage.device) }
            </td>
        </tr>
    }
}

fn summary(memory: &Memory, parts: &[Part], text: &Text) -> String {
    let largest = parts.iter().max_by(|a, b| a.value.total_cmp(&b.value));
    let (part, amount) = largest.map_or_else(
        || (String::new(), String::new()),
        |part| (part.label.clone(), part.text.clone()),
    );
    text.with(
        "memory-summary",
        &[
            ("stage", (memory.worst.stage + 1).to_string()),
            ("used", text.bytes_gib(memory.worst.device)),
            ("capacity", text.bytes_gib(memory.capacity)),
            ("part", part),
            ("amount", amount),
        ],
    )
}

/// People count stages from one.
fn numbers(group: &Group, text: &Text) -> String {
    let (first, last) = ((group.first + 1).to_string(), (group.last + 1).to_string());
    if first == last {
        first
    } else {
        text.with("memory-stages", &[("first", first), ("last", last)])
    }
}

/// The value of a full bar: the capacity, or more when a stage exceeds it.
fn longest(memory: &Memory) -> f64 {
    memory
        .stages
        .iter()
        .map(|stage| stage.device.max(stage.parts.total()))
        .fold(memory.capacity * 1.05, |a, b| a.max(b))
        .as_gib()
}
