//! Names of marks and rows, and the sentences that describe links.

use planner::cluster::{Bundle, ClusterSpec, Mark, MarkKind, Tier};
use planner::explain::Quantity;

use crate::text::Text;
use crate::view::{Load, Scene};

/// The name of a mark with its number, for people and screen readers.
pub(super) fn mark(mark: &Mark, spec: &ClusterSpec, text: &Text) -> String {
    let kind = text.get(kind_key(mark.kind, spec));
    let first = mark.first + 1;
    match mark.kind {
        MarkKind::Spine => counted(&kind, mark.count, text),
        MarkKind::NvSwitch | MarkKind::Host => kind,
        MarkKind::Leaf if mark.count > 1 => counted(&kind, mark.count, text),
        MarkKind::Nodes => text.with(
            "picture-nodes",
            &[("first", first.to_string()), ("last", (mark.first + mark.count).to_string())],
        ),
        MarkKind::Leaf | MarkKind::Node | MarkKind::Gpu => format!("{kind} {first}"),
    }
}

/// The short text inside a mark.
pub(super) fn inside(mark: &Mark, spec: &ClusterSpec, text: &Text) -> String {
    match mark.kind {
        MarkKind::Spine => counted(&text.get("picture-tier-spine"), mark.count, text),
        MarkKind::NvSwitch | MarkKind::Host => text.get(kind_key(mark.kind, spec)),
        MarkKind::Nodes => text.with("picture-times", &[("count", mark.count.to_string())]),
        MarkKind::Leaf if mark.count > 1 => {
            text.with("picture-times", &[("count", mark.count.to_string())])
        }
        MarkKind::Leaf | MarkKind::Node | MarkKind::Gpu => (mark.first + 1).to_string(),
    }
}

/// What a row holds, and how many of it there are.
pub(super) fn row(tier: Tier, scene: &Scene, spec: &ClusterSpec, text: &Text) -> Option<String> {
    let key = match tier {
        Tier::Spine => "picture-tier-spine",
        Tier::Leaf if spec.rail_optimized => "picture-tier-rail",
        Tier::Leaf => "picture-tier-leaf",
        Tier::Node => "picture-tier-node",
        Tier::Switch => return None,
        Tier::Gpu => "picture-tier-gpu",
    };
    let count = scene
        .marks
        .iter()
        .map(|placed| placed.mark)
        .filter(|mark| mark.tier == tier)
        .fold(0, |sum: u32, mark| sum.saturating_add(mark.count));
    Some(counted(&text.get(key), count, text))
}

/// A bundle in words: kind, count, capacity and, when known, its load.
pub(super) fn bundle(bundle: &Bundle, load: Option<&Load>, text: &Text) -> String {
    let mut args = vec![
        ("kind", text.get(&format!("link-{}", bundle.kind.key()))),
        ("count", bundle.count.to_string()),
        ("capacity", text.bandwidth(bundle.capacity)),
    ];
    match load {
        None => text.with("picture-link", &args),
        Some(load) => {
            args.push(("bytes", traffic(load, bundle, text)));
            args.push(("share", text.percent(load.busy)));
            text.with("picture-link-load", &args)
        }
    }
}

/// Bytes of a step on one link, in decimal gigabytes as its capacity.
pub(super) fn traffic(load: &Load, bundle: &Bundle, text: &Text) -> String {
    let gigabytes = load.bytes(bundle.capacity).as_gb();
    text.with("traffic-gb", &[("value", text.quantity(&Quantity::Factor(gigabytes)))])
}

/// `×8` after a name that stands for several.
pub(super) fn counted(name: &str, count: u32, text: &Text) -> String {
    if count > 1 {
        format!("{name} {}", text.with("picture-times", &[("count", count.to_string())]))
    } else {
        name.to_owned()
    }
}

const fn kind_key(kind: MarkKind, spec: &ClusterSpec) -> &'static str {
    match kind {
        MarkKind::Spine => "picture-tier-spine",
        MarkKind::Leaf if spec.rail_optimized => "picture-tier-rail",
        MarkKind::Leaf => "picture-tier-leaf",
        MarkKind::Nodes | MarkKind::Node => "picture-tier-node",
        MarkKind::NvSwitch => "picture-switch",
        MarkKind::Host => "picture-host",
        MarkKind::Gpu => "picture-tier-gpu",
    }
}
