//! Dots over two logarithmic axes: the candidates by memory and step time.

use std::rc::Rc;

use yew::prelude::*;

use crate::text::Text;
use crate::view::{LogScale, Tick};

/// One dot.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    pub x: f64,
    pub y: f64,
    /// Ending of the CSS class `dot-…`; the shape follows it too.
    pub look: &'static str,
    pub title: String,
    pub chosen: bool,
}

#[derive(Clone, PartialEq, Properties)]
pub struct ScatterProps {
    pub dots: Rc<Vec<Dot>>,
    /// A vertical line, such as the capacity.
    pub limit: Option<f64>,
    pub title: String,
    pub summary: String,
    pub x_label: String,
    pub y_label: String,
}

/// Drawing area and room for the labels, in pixels of the drawing.
const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 44.0;
const TOP: f64 = 18.0;
const BOTTOM: f64 = 34.0;
const RIGHT: f64 = 12.0;

/// The chart. Its table twin is the table of candidates.
#[component]
pub fn Scatter(props: &ScatterProps) -> Html {
    let text = use_context::<Text>();
    let Some(text) = text else { return Html::default() };
    let x = spread(props.dots.iter().map(|dot| dot.x).chain(props.limit), WIDTH);
    let y = spread(props.dots.iter().map(|dot| dot.y), HEIGHT);
    let view_box = format!("0 0 {} {}", LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM);
    html! {
        <figure class="scatter">
            <figcaption>{ props.title.clone() }</figcaption>
            <svg viewBox={view_box} role="img" aria-label={props.summary.clone()}>
                <text class="axis-label" x={px(LEFT)} y="11">{ props.y_label.clone() }</text>
                <text class="axis-label" x={px(LEFT + WIDTH)} y={px(TOP + HEIGHT + 31.0)}
                    text-anchor="end">{ props.x_label.clone() }</text>
                { for apart(y.ticks(), 18.0).iter().map(|tick| y_tick(tick, &text)) }
                { for apart(x.ticks(), 34.0).iter().map(|tick| x_tick(tick, &text)) }
                if let Some(limit) = props.limit {
                    <line class="bar-limit" x1={px(LEFT + x.at(limit))} y1={px(TOP)}
                        x2={px(LEFT + x.at(limit))} y2={px(TOP + HEIGHT)} />
                }
                { for props.dots.iter().rev().map(|dot| {
                    draw_dot(dot, LEFT + x.at(dot.x), TOP + HEIGHT - y.at(dot.y))
                }) }
            </svg>
        </figure>
    }
}

fn draw_dot(dot: &Dot, x: f64, y: f64) -> Html {
    let path = match dot.look {
        "fits" => format!("M{x:.1} {y:.1} m-4 0 a4 4 0 1 0 8 0 a4 4 0 1 0 -8 0"),
        "tight" => format!("M{x:.1} {:.1} l5 5 l-5 5 l-5 -5 z", y - 5.0),
        _ => format!("M{:.1} {:.1} l7 7 m0 -7 l-7 7", x - 3.5, y - 3.5),
    };
    html! {
        <g class={classes!("dot", format!("dot-{}", dot.look), dot.chosen.then_some("is-chosen"))}>
            <title>{ dot.title.clone() }</title>
            if dot.chosen {
                <circle class="dot-ring" cx={px(x)} cy={px(y)} r="9" />
            }
            <path d={path} />
        </g>
    }
}

fn y_tick(tick: &Tick, text: &Text) -> Html {
    let y = TOP + HEIGHT - tick.at;
    html! {
        <>
            <line class="grid-line" x1={px(LEFT)} x2={px(LEFT + WIDTH)} y1={px(y)} y2={px(y)} />
            <text class="tick" x={px(LEFT - 6.0)} y={px(y + 3.5)} text-anchor="end">
                { text.number(tick.value) }
            </text>
        </>
    }
}

fn x_tick(tick: &Tick, text: &Text) -> Html {
    let x = LEFT + tick.at;
    html! {
        <>
            <line class="grid-line" x1={px(x)} x2={px(x)} y1={px(TOP)} y2={px(TOP + HEIGHT)} />
            <text class="tick" x={px(x)} y={px(TOP + HEIGHT + 15.0)} text-anchor="middle">
                { text.number(tick.value) }
            </text>
        </>
    }
}

/// A logarithmic scale over the values with a little room at both ends.
fn spread(values: impl Iterator<Item = f64>, length: f64) -> LogScale {
    let (low, high) = values
        .filter(|value| value.is_finite() && *value > 0.0)
        .fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    LogScale::new(low * 0.9, high * 1.1, length)
}

/// Leaves out ticks that would stand closer than `distance` to the one before.
fn apart(ticks: Vec<Tick>, distance: f64) -> Vec<Tick> {
    let mut kept: Vec<Tick> = Vec::with_capacity(ticks.len());
    for tick in ticks {
        if kept.last().is_none_or(|last| tick.at - last.at >= distance) {
            kept.push(tick);
        }
    }
    kept
}

fn px(value: f64) -> String {
    format!("{value:.1}")
}
