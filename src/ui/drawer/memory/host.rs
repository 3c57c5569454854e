//! Host memory of the fullest node: while loading and in training, by part.

use planner::estimate::Memory;
use planner::explain::Quantity;
use planner::units::Bytes;
use yew::prelude::*;

use crate::text::Text;

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
                        <th scope="row">{ text.get(&format!("host-{key}")) }</th>
                        { amount(*load, text) }
                        { amount(*steady, text) }
                    </tr>
                }) }
                if host.nvme > Bytes::ZERO {
                    <tr>
                        <th scope="row">{ text.get("host-nvme") }</th>
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
    }
}

fn amount(value: Bytes, text: &Text) -> Html {
    if value == Bytes::ZERO {
        return html! { <td class="is-number soft">{ "–" }</td> };
    }
    let title = text.quantity_exact(&Quantity::Bytes(value));
    html! { <td class="is-number" {title}>{ text.bytes(value) }</td> }
}
