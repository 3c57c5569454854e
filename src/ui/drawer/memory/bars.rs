//! One bar for each group of equal stages, and the axis with the capacity.

use std::rc::Rc;

use planner::estimate::Memory;
use planner::explain::Quantity;
use yew::prelude::*;

use super::groups::Group;
use super::{PLACE, stage_name};
use crate::text::Text;
use crate::ui::answer::memory_parts;
use crate::ui::chart::StackedBar;
use crate::view::Scale;

pub(super) fn bars(groups: &[Group<'_>], memory: &Memory, gpus: u32, text: &Text) -> Html {
    html! {
        <figure class="bar-chart is-stages" aria-label={text.get("memory-title")}>
            { for groups.iter().map(|group| bar(group, memory, gpus, text)) }
            { axis(memory, text) }
        </figure>
    }
}

fn bar(group: &Group<'_>, memory: &Memory, gpus: u32, text: &Text) -> Html {
    let name = stage_name(group, text);
    let ranks = text.counted("memory-gpus", f64::from(gpus * group.stages()), &[]);
    let (drawn, value) = match group.at {
        Some(at) => {
            let amount = text.bytes_gib(at.device);
            let over = (at.device > memory.capacity).then_some("is-over");
            let parts = Rc::new(memory_parts(&at.parts, text));
            let summary = format!("{name}, {ranks}, {amount}");
            let title = text.quantity_exact(&Quantity::Bytes(at.device));
            (
                html! {
                    <StackedBar place={PLACE} max={longest(memory)} {parts} {summary}
                        limit={Some(memory.capacity.as_gib())} />
                },
                html! { <span class={classes!("bar-value", over)} {title}>{ amount }</span> },
            )
        }
        None => (
            html! { <span class="bar-absent soft">{ text.get("memory-not-here") }</span> },
            html! { <span class="bar-value soft">{ "–" }</span> },
        ),
    };
    html! {
        <div class="bar-row" key={group.first}>
            <span class="bar-name">{ name }<span class="memory-gpus">{ ranks }</span></span>
            { drawn }
            { value }
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
                    { text.with("memory-usable", &[("capacity", text.bytes_gib(memory.capacity))]) }
                </text>
            </svg>
            <span class="bar-value"></span>
        </div>
    }
}

/// Whether a tick would touch the label of the capacity on a narrow screen, in percent.
fn hidden(tick: f64, capacity: f64) -> bool {
    let (before, after) = if capacity > 90.0 { (34.0, 6.0) } else { (32.0, 32.0) };
    tick > capacity - before && tick < capacity + after
}

/// The value of a full bar: the capacity, or more when a stage exceeds it at any instant, so that
/// the scale stays while the instant changes.
pub(super) fn longest(memory: &Memory) -> f64 {
    memory
        .timeline
        .iter()
        .flat_map(|stage| &stage.instants)
        .map(|at| at.device.max(at.parts.total()))
        .fold(memory.capacity * 1.05, |a, b| a.max(b))
        .as_gib()
}
