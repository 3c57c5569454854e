//! A stacked bar, its legend and its patterns. Widths are SVG attributes in percent, so that a
//! bar follows its column without measuring it.

use std::rc::Rc;

use yew::prelude::*;

use crate::view::{Scale, stack};

/// One part of a stacked bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Name in words.
    pub label: String,
    /// In the unit of the bar's `max`.
    pub value: f64,
    /// With its unit.
    pub text: String,
    /// Colour 1 to 8 of the tokens.
    pub colour: u8,
    /// Pattern drawn over the colour; 0 is plain.
    pub pattern: u8,
}

/// Patterns over the colours, so that colour is never the only sign.
const PATTERNS: [(u8, &str); 5] = [
    (1, "M-1 7 L7 -1 M2 10 L10 2"),
    (2, "M0 2 H8 M0 6 H8"),
    (3, "M2 0 V8 M6 0 V8"),
    (4, "M-1 1 L7 9 M2 -2 L10 6"),
    (5, "M0 4 H8 M4 0 V8"),
];

#[derive(Clone, PartialEq, Properties)]
pub struct PatternsProps {
    /// Start of the ids, one for each place on the page.
    pub place: &'static str,
}

/// The definitions that the bars of one place refer to.
#[component]
pub fn Patterns(props: &PatternsProps) -> Html {
    html! {
        <svg class="pattern-defs" aria-hidden="true" width="0" height="0">
            <defs>
                { for PATTERNS.iter().map(|(pattern, path)| html! {
                    <pattern id={pattern_id(props.place, *pattern)} width="8" height="8"
                        patternUnits="userSpaceOnUse">
                        <path class="pattern-line" d={*path} />
                    </pattern>
                }) }
            </defs>
        </svg>
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct StackedBarProps {
    pub place: &'static str,
    pub parts: Rc<Vec<Part>>,
    /// Value of the whole length.
    pub max: f64,
    /// A line across the bar, such as the capacity.
    #[prop_or_default]
    pub limit: Option<f64>,
    /// What the bar shows, in one sentence.
    pub summary: String,
}

/// One bar.
#[component]
pub fn StackedBar(props: &StackedBarProps) -> Html {
    let values: Vec<f64> = props.parts.iter().map(|part| part.value).collect();
    let segments = stack(&values, props.max, 100.0);
    let limit = props.limit.map(|limit| Scale::new(props.max, 100.0).at(limit));
    html! {
        <svg class="stacked-bar" role="img" aria-label={props.summary.clone()} width="100%">
            <rect class="bar-frame" x="0" y="0" width="100%" height="100%" />
            { for segments.iter().filter_map(|segment| {
                let part = props.parts.get(segment.part)?;
                let x = percent(segment.start);
                let width = percent(segment.length);
                Some(html! {
                    <g key={segment.part}>
                        <title>{ format!("{} {}", part.label, part.text) }</title>
                        <rect class={colour(part.colour)} x={x.clone()} y="0"
                            width={width.clone()} height="100%" />
                        if part.pattern > 0 {
                            <rect fill={pattern_url(props.place, part.pattern)} x={x} y="0"
                                width={width} height="100%" />
                        }
                    </g>
                })
            }) }
            if let Some(limit) = limit {
                <line class="bar-limit" x1={percent(limit)} x2={percent(limit)} y1="0"
                    y2="100%" />
            }
        </svg>
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct LegendProps {
    pub place: &'static str,
    pub parts: Rc<Vec<Part>>,
    /// Write the value beside the name.
    #[prop_or_default]
    pub values: bool,
}

/// Swatches with names; parts of value 0 are left out.
#[component]
pub fn Legend(props: &LegendProps) -> Html {
    html! {
        <ul class="legend">
            { for props.parts.iter().filter(|part| part.value > 0.0).map(|part| html! {
                <li key={part.label.clone()}>
                    { swatch(props.place, part.colour, part.pattern) }
                    <span>{ part.label.clone() }</span>
                    if props.values {
                        <span class="legend-value">{ part.text.clone() }</span>
                    }
                </li>
            }) }
        </ul>
    }
}

/// The small square of a legend or table row.
pub fn swatch(place: &'static str, part: u8, pattern: u8) -> Html {
    html! {
        <svg class="swatch" aria-hidden="true" width="12" height="12">
            <rect class={colour(part)} width="12" height="12" rx="2" />
            if pattern > 0 {
                <rect fill={pattern_url(place, pattern)} width="12" height="12" rx="2" />
            }
        </svg>
    }
}

fn colour(part: u8) -> String {
    format!("part-{part}")
}

fn pattern_id(place: &str, pattern: u8) -> String {
    format!("{place}-pattern-{pattern}")
}

fn pattern_url(place: &str, pattern: u8) -> String {
    format!("url(#{})", pattern_id(place, pattern))
}

fn percent(value: f64) -> String {
    format!("{value:.3}%")
}
