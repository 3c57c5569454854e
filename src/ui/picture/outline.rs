//! The table twin of the picture: every tier, and every kind of link with its load.

use std::collections::BTreeSet;

use planner::cluster::{Bundle, ClusterSpec, Picture, PictureId, picture};
use yew::prelude::*;

use super::labels;
use crate::text::Text;
use crate::view::Load;

/// The picture with its first node open, so that every kind of link is in it.
pub(super) fn opened(spec: &ClusterSpec) -> Picture {
    let mut open: BTreeSet<PictureId> = BTreeSet::new();
    loop {
        let drawn = picture(spec, &open);
        let next = drawn
            .marks
            .iter()
            .find(|mark| mark.expandable && matches!(mark.id, PictureId::Nodes { .. }))
            .or_else(|| drawn.marks.iter().find(|mark| mark.expandable))
            .filter(|mark| !mark.expanded)
            .map(|mark| mark.id);
        match next {
            Some(id) if open.len() < 4 && open.insert(id) => {}
            _ => return drawn,
        }
    }
}

/// The tables, closed at first.
pub(super) fn outline(spec: &ClusterSpec, drawn: &Picture, loads: &[Load], text: &Text) -> Html {
    let gpus = u64::from(spec.nodes) * u64::from(spec.gpus_per_node);
    let nics = u64::from(spec.nodes) * u64::from(spec.nics_per_node);
    let tiers = [
        ("picture-tier-node", u64::from(spec.nodes)),
        ("picture-tier-gpu", gpus),
        ("link-nic", nics),
    ];
    html! {
        <details class="picture-outline">
            <summary>{ text.get("picture-outline") }</summary>
            <div class="outline-tables">
                <table class="data-table is-narrow">
                    <thead>
                        <tr>
                            <th scope="col">{ text.get("picture-item") }</th>
                            <th scope="col" class="is-number">{ text.get("picture-count") }</th>
                        </tr>
                    </thead>
                    <tbody>
                        { for tiers.iter().filter(|(_, count)| *count > 0).map(|(key, count)| html! {
                            <tr key={*key}>
                                <th scope="row">{ text.get(key) }</th>
                                <td class="is-number">{ count }</td>
                            </tr>
                        }) }
                    </tbody>
                </table>
                <table class="data-table is-narrow">
                    <thead>
                        <tr>
                            <th scope="col">{ text.get("picture-kind") }</th>
                            <th scope="col" class="is-number">{ text.get("picture-capacity") }</th>
                            <th scope="col" class="is-number">{ text.get("picture-step-bytes") }</th>
                            <th scope="col" class="is-number">{ text.get("picture-load") }</th>
                        </tr>
                    </thead>
                    <tbody>{ for kinds(drawn).into_iter().map(|bundle| link_row(bundle, loads, text)) }</tbody>
                </table>
            </div>
        </details>
    }
}

/// The first bundle of each kind of link.
fn kinds(drawn: &Picture) -> Vec<&Bundle> {
    let mut kinds: Vec<&Bundle> = Vec::new();
    for bundle in &drawn.bundles {
        if !kinds.iter().any(|known| known.kind == bundle.kind) {
            kinds.push(bundle);
        }
    }
    kinds
}

fn link_row(bundle: &Bundle, loads: &[Load], text: &Text) -> Html {
    let load = loads.iter().find(|load| load.kind == bundle.kind);
    let missing = || text.get("not-available");
    html! {
        <tr key={bundle.kind.key()}>
            <th scope="row">{ text.get(&format!("link-{}", bundle.kind.key())) }</th>
            <td class="is-number">{ text.bandwidth(bundle.capacity) }</td>
            <td class="is-number">
                { load.map_or_else(missing, |load| labels::traffic(load, bundle, text)) }
            </td>
            <td class="is-number">
                { load.map_or_else(missing, |load| text.percent(load.busy)) }
            </td>
        </tr>
    }
}
