//! The collectives of one step: what each sends, how long it takes and which links carry it.

use std::collections::BTreeMap;

use planner::estimate::{Traffic, TrafficAxis};
use planner::explain::Quantity;
use planner::units::{Bytes, Seconds};
use yew::prelude::*;

use super::{TabProps, nothing};
use crate::text::Text;

/// A table by collective and axis, and one by kind of link.
#[component]
pub fn CommunicationTab(props: &TabProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let Some(plan) = &props.answer.plan else { return nothing(&text) };
    let traffic = &plan.step.traffic;
    if traffic.is_empty() {
        return html! {
            <div class="tab-empty"><p>{ text.get("communication-none") }</p></div>
        };
    }
    html! {
        <div class="tab-columns">
            <div class="tab-main">
                <p class="tab-summary">{ summary(traffic, &text) }</p>
                <div class="table-frame" tabindex="0" role="region"
                    aria-label={text.get("communication-title")}>
                    { collectives(traffic, &text) }
                </div>
            </div>
            <aside class="tab-side">{ links(traffic, &text) }</aside>
        </div>
    }
}

fn collectives(traffic: &[Traffic], text: &Text) -> Html {
    let numbers = ["ranks", "calls", "bytes", "time", "exposed"];
    html! {
        <table class="data-table">
            <caption class="unseen">{ text.get("communication-title") }</caption>
            <thead>
                <tr>
                    <th scope="col">{ text.get("communication-collective") }</th>
                    <th scope="col">{ text.get("communication-axis") }</th>
                    { for numbers.iter().map(|column| html! {
                        <th scope="col" class="is-number">
                            { text.get(&format!("communication-{column}")) }
                        </th>
                    }) }
                    <th scope="col" class="is-long">{ text.get("communication-links") }</th>
                </tr>
            </thead>
            <tbody>{ for traffic.iter().map(|one| row(one, text)) }</tbody>
        </table>
    }
}

fn row(traffic: &Traffic, text: &Text) -> Html {
    let links: Vec<String> = traffic
        .links
        .iter()
        .filter(|(_, bytes)| bytes.base() > 0.0)
        .map(|(kind, bytes)| format!("{} {}", link_name(kind, text), gigabytes(*bytes, text)))
        .collect();
    html! {
        <tr>
            <th scope="row">{ collective_name(&traffic.collective, text) }</th>
            <td>{ text.get(&format!("axis-{}", axis(traffic.axis))) }</td>
            <td class="is-number">{ traffic.ranks }</td>
            <td class="is-number">{ text.count(f64::from(traffic.calls)) }</td>
            <td class="is-number">{ gigabytes(traffic.bytes, text) }</td>
            { duration(traffic.time, text) }
            { duration(traffic.exposed, text) }
            <td class="is-long">{ links.join(" · ") }</td>
        </tr>
    }
}

/// Bytes of a step that the links of one node carry, by kind.
fn links(traffic: &[Traffic], text: &Text) -> Html {
    let mut sums: BTreeMap<&str, Bytes> = BTreeMap::new();
    for (kind, bytes) in traffic.iter().flat_map(|one| &one.links) {
        *sums.entry(kind).or_default() += *bytes;
    }
    html! {
        <table class="data-table is-narrow">
            <caption>{ text.get("communication-by-link") }</caption>
            <thead>
                <tr>
                    <th scope="col">{ text.get("picture-kind") }</th>
                    <th scope="col" class="is-number">{ text.get("communication-links") }</th>
                </tr>
            </thead>
            <tbody>
                { for sums.into_iter().map(|(kind, bytes)| html! {
                    <tr key={kind.to_owned()}>
                        <th scope="row">{ link_name(kind, text) }</th>
                        <td class="is-number">{ gigabytes(bytes, text) }</td>
                    </tr>
                }) }
            </tbody>
        </table>
    }
}

fn duration(value: Seconds, text: &Text) -> Html {
    let title = text.quantity_exact(&Quantity::Seconds(value));
    html! { <td class="is-number" {title}>{ text.seconds(value) }</td> }
}

fn summary(traffic: &[Traffic], text: &Text) -> String {
    let time: Seconds = traffic.iter().map(|one| one.time).sum();
    let exposed: Seconds = traffic.iter().map(|one| one.exposed).sum();
    text.with(
        "communication-summary",
        &[("time", text.seconds(time)), ("exposed", text.seconds(exposed))],
    )
}

/// Traffic in decimal gigabytes, because it is set against GB/s.
fn gigabytes(bytes: Bytes, text: &Text) -> String {
    text.with("traffic-gb", &[("value", text.number(bytes.as_gb()))])
}

fn link_name(kind: &str, text: &Text) -> String {
    text.try_with(&format!("link-{kind}"), &[]).unwrap_or_else(|| kind.to_owned())
}

fn collective_name(name: &str, text: &Text) -> String {
    text.try_with(&format!("collective-{name}"), &[]).unwrap_or_else(|| name.to_owned())
}

const fn axis(axis: TrafficAxis) -> &'static str {
    match axis {
        TrafficAxis::Tp => "tp",
        TrafficAxis::Cp => "cp",
        TrafficAxis::Ep => "ep",
        TrafficAxis::Dp => "dp",
        TrafficAxis::Pp => "pp",
    }
}
