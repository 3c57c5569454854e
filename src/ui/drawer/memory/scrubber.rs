//! The instants of a run: a column for the fullest stage at each, and a slider below them.

use std::rc::Rc;

use planner::answer::Answer;
use planner::estimate::{Instant, Memory};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::bars::longest;
use super::groups::{fullest, instants};
use super::room;
use crate::text::Text;
use crate::view::Scale;

/// Height of the columns, in pixels.
const HEIGHT: f64 = 44.0;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ScrubberProps {
    pub answer: Rc<Answer>,
    pub at: Instant,
    pub on_choose: Callback<Instant>,
}

#[component]
pub(super) fn Scrubber(props: &ScrubberProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let Some(plan) = &props.answer.plan else { return Html::default() };
    let memory = &plan.memory;
    let instants = instants(memory);
    let index = instants.iter().position(|instant| *instant == props.at).unwrap_or(0);
    let last = instants.len().saturating_sub(1);
    let oninput = {
        let (instants, on_choose) = (instants.clone(), props.on_choose.clone());
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let chosen = input.value().parse().ok().and_then(|at: usize| instants.get(at).copied());
            if let Some(chosen) = chosen {
                on_choose.emit(chosen);
            }
        })
    };
    let said = said(memory, props.at, &text);
    html! {
        <div class="scrubber">
            <p class="scrubber-said">
                <label for="memory-instant">{ text.get("memory-instant") }</label>
                <span>{ said.clone() }</span>
                if let Some(at) = fullest(memory, props.at) {
                    { room(memory, at, &text) }
                }
            </p>
            <div class="scrubber-track">
                { columns(memory, &instants, props, &text) }
                <input type="range" id="memory-instant" min="0" max={last.to_string()} step="1"
                    value={index.to_string()} aria-valuetext={said} {oninput} />
            </div>
        </div>
    }
}

/// `In the backward pass: 64.0 GiB of 79.2 GiB on the fullest GPU`.
fn said(memory: &Memory, instant: Instant, text: &Text) -> String {
    let name = text.get(&format!("instant-{}", instant.key()));
    let used = fullest(memory, instant).map(|at| text.bytes_gib(at.device)).unwrap_or_default();
    text.with(
        "memory-at",
        &[("instant", name), ("used", used), ("capacity", text.bytes_gib(memory.capacity))],
    )
}

fn columns(memory: &Memory, instants: &[Instant], props: &ScrubberProps, text: &Text) -> Html {
    let last = instants.len().saturating_sub(1).max(1);
    let along = Scale::new(u32::try_from(last).map_or(1.0, f64::from), 100.0);
    let up = Scale::new(longest(memory), HEIGHT);
    let top = |gib: f64| format!("{:.1}", HEIGHT - up.at(gib));
    let capacity = top(memory.capacity.as_gib());
    html! {
        <svg class="scrubber-columns" width="100%" height="62" aria-hidden="true">
            { for (0_u32..).zip(instants).map(|(index, instant)| {
                let x = format!("{:.2}%", along.at(f64::from(index)));
                let device = fullest(memory, *instant).map_or(0.0, |at| at.device.as_gib());
                let chosen = (*instant == props.at).then_some("is-chosen");
                let over = (device > memory.capacity.as_gib()).then_some("is-over");
                let onclick = props.on_choose.reform({
                    let instant = *instant;
                    move |_: MouseEvent| instant
                });
                html! {
                    <g key={index} class={classes!("scrubber-column", chosen, over)} {onclick}>
                        <line class="scrubber-hit" x1={x.clone()} x2={x.clone()} y1="0" y2="62" />
                        <line class="scrubber-peak" x1={x.clone()} x2={x.clone()}
                            y1={HEIGHT.to_string()} y2={top(device)} />
                        <text class="tick" x={x} y="58" text-anchor="middle">
                            { text.get(&format!("instant-short-{}", instant.key())) }
                        </text>
                    </g>
                }
            }) }
            <line class="scrubber-capacity" x1="0" x2="100%" y1={capacity.clone()} y2={capacity} />
        </svg>
    }
}
