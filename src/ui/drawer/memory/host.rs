//! Host memory of the fullest node: a bar at the instant shown, on a scale of its own, and a table
//! by part, while loading and in training.

use std::rc::Rc;

use planner::estimate::{HostMemory, Instant, Memory};
use planner::explain::Quantity;
use planner::units::Bytes;
use yew::prelude::*;

use super::PLACE;
use crate::text::Text;
use crate::ui::chart::{Part, StackedBar};

/// The page that states the formulas of the parts.
const SOURCE: &str = "docs/formulas/memory.md: host, by part";

/// What a node holds in host memory, and what it has.
pub(super) fn bar(memory: &Memory, at: Instant, text: &Text) -> Html {
    let used = if at == Instant::Load { memory.host.at_load() } else { memory.host.steady() };
    let capacity = memory.host_capacity;
    let name = text.get("memory-host");
    let amount = text.bytes_gib(used);
    let of = text.with("memory-of", &[("capacity", text.bytes_gib(capacity))]);
    let over = (used > capacity).then_some("is-over");
    html! {
        <figure class="bar-chart is-stages is-host" aria-label={name.clone()}>
            <div class="bar-row">
                <span class="bar-name">{ name.clone() }<span class="memory-gpus">{ of.clone() }</span></span>
                <StackedBar place={PLACE} max={(capacity * 1.05).max(used).as_gib()}
                    limit={Some(capacity.as_gib())}
                    parts={Rc::new(parts(&memory.host, at, text))}
                    summary={format!("{name}, {amount} {of}")} />
                <span class={classes!("bar-value", over)}
                    title={text.quantity_exact(&Quantity::Bytes(used))}>{ amount }</span>
            </div>
        </figure>
    }
}

/// The parts in the colours of what they are on the device.
fn parts(host: &HostMemory, at: Instant, text: &Text) -> Vec<Part> {
    let part = |(key, value, colour, pattern): (&str, Bytes, u8, u8)| Part {
        label: text.get(&format!("host-{key}")),
        value: value.as_gib(),
        text: text.bytes(value),
        colour,
        pattern,
    };
    let processes = ("processes", host.processes, 8, 5);
    if at == Instant::Load {
        return [processes, ("loading", host.loading, 1, 0)].map(part).into();
    }
    let steady = [
        processes,
        ("states", host.states, 3, 0),
        ("pinned", host.pinned, 7, 0),
        ("activations", host.activations, 4, 2),
    ];
    steady.map(part).into()
}

pub(super) fn host(memory: &Memory, text: &Text) -> Html {
    let host = &memory.host;
    let both = [
        ("processes", host.processes, host.processes),
        ("loading", host.loading, Bytes::ZERO),
        ("states", Bytes::ZERO, host.states),
        ("pinned", Bytes::ZERO, host.pinned),
        ("activations", Bytes::ZERO, host.activations),
    ];
    let rows = both.iter().filter(|(_, load, steady)| *load > Bytes::ZERO || *steady > Bytes::ZERO);
    html! {
        <>
            <table class="data-table is-narrow">
                <caption>{ text.get("memory-host") }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ text.get("memory-host-part") }</th>
                        <th scope="col" class="is-number">{ text.get("memory-host-load") }</th>
                        <th scope="col" class="is-number">{ text.get("memory-host-steady") }</th>
                    </tr>
                </thead>
                <tbody>
                    { for rows.map(|(key, load, steady)| html! {
                        <tr key={*key}>
                            { named(key, text) }
                            { amount(*load, text) }
                            { amount(*steady, text) }
                        </tr>
                    }) }
                    if host.nvme > Bytes::ZERO {
                        <tr>
                            { named("nvme", text) }
                            { amount(Bytes::ZERO, text) }
                            { amount(host.nvme, text) }
                        </tr>
                    }
                </tbody>
                <tfoot>
                    <tr>
                        <th scope="row">{ text.get("memory-host-sum") }</th>
                        { amount(host.at_load(), text) }
                        { amount(host.steady(), text) }
                    </tr>
                    <tr>
                        <th scope="row">{ text.get("memory-host-capacity") }</th>
                        <td class="is-number" colspan="2">{ text.bytes_gib(memory.host_capacity) }</td>
                    </tr>
                </tfoot>
            </table>
            <p class="term-source">
                { text.with("explain-reference", &[("source", SOURCE.to_owned())]) }
            </p>
        </>
    }
}

/// A part with its formula in words below it.
fn named(key: &str, text: &Text) -> Html {
    let key = format!("host-{key}");
    html! {
        <th scope="row">
            { text.get(&key) }
            if let Some(formula) = text.formula(&key) {
                <span class="host-formula">{ format!("= {formula}") }</span>
            }
        </th>
    }
}

fn amount(value: Bytes, text: &Text) -> Html {
    if value == Bytes::ZERO {
        return html! { <td class="is-number soft">{ "–" }</td> };
    }
    let title = text.quantity_exact(&Quantity::Bytes(value));
    html! { <td class="is-number" {title}>{ text.bytes(value) }</td> }
}
