//! Cuts against brute force, and what may not change them (COMMUNICATION.md 4.8).

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::catalog;
use crate::cluster::fixtures::hgx;
use crate::cluster::sketch::{Id, Kind, Link, Medium, Network, Part, Recipe, Sketch, Tier, Tors};
use crate::cluster::{ClusterSpec, Rates};
use crate::units::{BytesPerSecond, Seconds};

fn link(from: Id, to: Id, gb_s: u32) -> Link {
    Link {
        from,
        to,
        medium: Medium::Pcie,
        rate: BytesPerSecond::gb_s(f64::from(gb_s)),
        latency: Seconds::micros(1.0),
        count: 1,
        share: None,
        measured: None,
    }
}

/// Up to ten devices, some GPUs, in up to three boxes of which the third may lie in the first.
fn free() -> impl Strategy<Value = Sketch> {
    let devices = proptest::collection::vec((any::<bool>(), 0_u32..4), 2..11);
    let links = proptest::collection::vec((0_u32..10, 0_u32..10, 1_u32..4), 0..30);
    (devices, links, any::<bool>()).prop_map(|(devices, links, nested)| {
        let count = u32::try_from(devices.len()).expect("ten at most");
        let mut sketch = Sketch::default();
        for (id, (gpu, within)) in (0..).zip(devices) {
            let kind = if gpu { Kind::Gpu } else { Kind::PcieSwitch };
            sketch.parts.push(Part::new(id, kind, (within < 3).then_some(count + within)));
        }
        for id in 0..3 {
            let within = (nested && id == 2).then_some(count);
            sketch.parts.push(Part::new(count + id, Kind::Node, within));
        }
        let links = links.into_iter().filter(|(f, t, _)| f != t && *f < count && *t < count);
        sketch.links = links.map(|(from, to, rate)| link(from, to, rate)).collect();
        sketch
    })
}

/// Three equal boxes of three devices around one switch.
fn regular() -> impl Strategy<Value = Sketch> {
    let inside = proptest::collection::vec((0_u32..3, 0_u32..3, 1_u32..4), 0..7);
    let up = proptest::collection::vec((0_u32..3, any::<bool>(), 1_u32..4), 1..4);
    (inside, up, 1_u32..4).prop_map(|(inside, up, gpus)| {
        let mut sketch =
            Sketch { parts: vec![Part::new(0, Kind::Leaf, None)], ..Sketch::default() };
        for node in 0..3 {
            let first = 1 + node * 4;
            sketch.parts.push(Part::new(first + 3, Kind::Node, None));
            for at in 0..3 {
                let kind = if at < gpus { Kind::Gpu } else { Kind::NvSwitch };
                sketch.parts.push(Part::new(first + at, kind, Some(first + 3)));
            }
            let inside = inside.iter().filter(|(f, t, _)| f != t);
            sketch.links.extend(inside.map(|(f, t, rate)| link(first + f, first + t, *rate)));
            for (at, outward, rate) in &up {
                let one = link(first + at, 0, *rate);
                sketch.links.push(if *outward { one } else { one.reversed() });
            }
        }
        sketch
    })
}

fn lies_in(sketch: &Sketch, id: Id, outer: Id) -> bool {
    let part = sketch.parts.iter().find(|part| part.id == id).expect("a part");
    id == outer || part.within.is_some_and(|within| lies_in(sketch, within, outer))
}

/// GB/s that leave the GPUs of a part at most: the least of all ways to part the devices.
fn brute(sketch: &Sketch, outer: Id, outward: bool) -> Option<u64> {
    let devices: Vec<&Part> =
        sketch.parts.iter().filter(|part| !part.kind.holds_others()).collect();
    let gpus = devices.iter().filter(|part| part.kind == Kind::Gpu);
    let (set, rest): (Vec<&Part>, Vec<&Part>) =
        gpus.copied().partition(|part| lies_in(sketch, part.id, outer));
    if set.is_empty() || rest.is_empty() {
        return None;
    }
    let at = |id: Id| devices.iter().position(|part| part.id == id).expect("a device");
    (0_u32..1 << devices.len())
        .filter(|side| {
            set.iter().all(|part| side >> at(part.id) & 1 == 1)
                && rest.iter().all(|part| side >> at(part.id) & 1 == 0)
        })
        .map(|side| {
            let leaves = |link: &&Link| {
                let (from, to) = (side >> at(link.from) & 1 == 1, side >> at(link.to) & 1 == 1);
                from != to && from == outward
            };
            sketch.links.iter().filter(leaves).map(|l| whole(l.capacity())).sum()
        })
        .min()
}

fn whole(rate: BytesPerSecond) -> u64 {
    u64::from(crate::cluster::wiring::whole(rate.as_gb_s()))
}

type Row = (Kind, u64, u64);

/// Each set once, however they were put into classes.
fn rows(cuts: &Cuts) -> Vec<Row> {
    let row = |cut: &Cut| match cut.set {
        Set::Of(kind) => {
            vec![
                (kind, whole(cut.send), whole(cut.receive));
                usize::try_from(cut.copies).expect("few")
            ]
        }
        Set::Rail(_) | Set::Storage(_) => Vec::new(),
    };
    let mut rows: Vec<Row> = cuts.cuts.iter().flat_map(row).collect();
    rows.sort_unstable();
    rows
}

fn brute_rows(sketch: &Sketch) -> Vec<Row> {
    let sets = sketch.parts.iter().filter(|p| p.kind == Kind::Gpu || p.kind.holds_others());
    let mut rows: Vec<Row> = sets
        .filter_map(|part| {
            let (send, receive) = (brute(sketch, part.id, true)?, brute(sketch, part.id, false)?);
            Some((part.kind, send, receive))
        })
        .collect();
    rows.sort_unstable();
    rows
}

fn limits_add_up(cuts: &Cuts) -> bool {
    cuts.cuts.iter().all(|cut| {
        let sum = |limits: &[Limit]| whole(limits.iter().map(|limit| limit.rate).sum());
        sum(&cut.send_limits) == whole(cut.send) && sum(&cut.receive_limits) == whole(cut.receive)
    })
}

/// The same cluster with other ids, parts and links in another order.
fn relabelled(sketch: &Sketch, turn: usize, first: Id) -> Sketch {
    let mut other = sketch.clone();
    let name = |id: Id| first + id.wrapping_mul(7) % 1009;
    for part in &mut other.parts {
        part.id = name(part.id);
        part.within = part.within.map(name);
    }
    for link in &mut other.links {
        (link.from, link.to) = (name(link.from), name(link.to));
    }
    let parts = other.parts.len();
    other.parts.rotate_left(turn % parts);
    other.links.reverse();
    other
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn cuts_are_those_of_brute_force(sketch in prop_oneof![free(), regular()]) {
        let cuts = Cuts::build(&sketch);
        prop_assert_eq!(rows(&cuts), brute_rows(&sketch));
        prop_assert!(limits_add_up(&cuts));
    }

    #[test]
    fn more_capacity_lowers_no_cut(
        sketch in prop_oneof![free(), regular()], pick in any::<prop::sample::Index>(), more in 1_u32..9,
    ) {
        prop_assume!(!sketch.links.is_empty());
        let mut wider = sketch.clone();
        let at = pick.index(wider.links.len());
        wider.links[at].rate += BytesPerSecond::gb_s(f64::from(more));
        for part in sketch.parts.iter().filter(|part| part.kind.holds_others()) {
            let find = |sketch: &Sketch| brute(sketch, part.id, true);
            prop_assert!(find(&wider) >= find(&sketch));
        }
        for (before, after) in rows(&Cuts::build(&sketch)).iter().zip(rows(&Cuts::build(&wider))) {
            prop_assert!(after >= *before);
        }
    }

    #[test]
    fn names_and_order_change_nothing(
        sketch in prop_oneof![free(), regular()], turn in 0_usize..20,
    ) {
        prop_assert_eq!(
            rows(&Cuts::build(&relabelled(&sketch, turn, 40))),
            rows(&Cuts::build(&sketch))
        );
    }

    #[test]
    fn a_copy_beside_it_changes_nothing(sketch in prop_oneof![free(), regular()]) {
        let alone = rows(&Cuts::build(&sketch));
        let mut two = sketch.clone();
        let copy = relabelled(&sketch, 3, 2000);
        two.parts.extend(copy.parts);
        two.links.extend(copy.links);
        let mut left = rows(&Cuts::build(&two));
        for row in alone.iter().chain(&alone) {
            let at = left.iter().position(|other| other == row);
            prop_assert!(at.is_some(), "{:?} is lost", row);
            left.remove(at.unwrap_or(0));
        }
        // What is left are sets that had no other GPU to reach.
        prop_assert!(left.iter().all(|(_, send, receive)| *send == 0 && *receive == 0));
    }
}

fn draw(recipe: &Recipe) -> Sketch {
    recipe.sketch(catalog::accelerator).expect("a sound recipe")
}

fn pods(tors: Tors, nodes: u32) -> Recipe {
    let mut recipe = Recipe::from_spec(&hgx("h100-sxm", nodes, 400.0));
    recipe.network = Some(Network {
        tors,
        nodes_per_segment: 4,
        tiers: vec![
            Tier { width: 2, oversubscription: 2.0 },
            Tier { width: 0, oversubscription: 4.0 },
        ],
    });
    recipe
}

fn rates(spec: &ClusterSpec) -> Rates {
    Rates::new(spec, catalog::accelerator(&spec.accelerator).expect("in the catalog"))
}

#[track_caller]
fn only(cuts: &Cuts, set: Set) -> &Cut {
    let found: Vec<&Cut> = cuts.at(set).collect();
    assert_eq!(found.len(), 1, "{set:?}: {found:?}");
    found[0]
}

#[test]
fn every_tier_is_as_wide_as_its_oversubscription_leaves() {
    for tors in [Tors::Single, Tors::Rails, Tors::Dual, Tors::DualPlane] {
        let recipe = pods(tors, 32);
        let cuts = Cuts::build(&draw(&recipe));
        let nic = rates(&recipe.machines[0].spec).nic.as_gb_s();
        for (kind, copies, want) in [
            (Kind::Node, 32, 8.0 * nic),
            (Kind::Segment, 8, 4.0 * 8.0 * nic / 2.0),
            (Kind::Pod, 4, 2.0 * 4.0 * 8.0 * nic / 2.0 / 4.0),
        ] {
            let cut = only(&cuts, Set::Of(kind));
            assert_eq!(cut.copies, copies, "{tors:?} {kind:?}");
            let ratio = cut.send.as_gb_s() / want;
            assert!((ratio - 1.0).abs() < 1e-3, "{tors:?} {kind:?}: {ratio}");
        }
    }
}

#[test]
fn a_dead_tor_halves_its_rail_and_nothing_else() {
    let sketch = draw(&pods(Tors::Dual, 8));
    let tor = sketch.parts.iter().find(|part| part.kind == Kind::Tor).expect("a ToR");
    let left = sketch.without(&BTreeSet::from([tor.id]));
    let before = Cuts::build(&sketch);
    let after = Cuts::build(&left);
    let all = only(&before, Set::Of(Kind::Node)).send.as_gb_s();
    let mut found: Vec<(u64, f64)> = after
        .at(Set::Of(Kind::Node))
        .map(|cut| (cut.copies, (cut.send.as_gb_s() / all * 1e6).round() / 1e6))
        .collect();
    found.sort_by(|one, other| one.1.total_cmp(&other.1));
    assert_eq!(found, [(4, 0.9375), (4, 1.0)]);
}

#[test]
fn a_dead_rail_takes_an_eighth() {
    let sketch = draw(&pods(Tors::Rails, 8));
    let whole = only(&Cuts::build(&sketch), Set::Of(Kind::Node)).send.as_gb_s();
    let cuts = Cuts::build(&sketch.without_rail(3));
    let left = only(&cuts, Set::Of(Kind::Node)).send.as_gb_s();
    assert!((left / whole - 0.875).abs() < 1e-6, "{left} of {whole}");
}

#[test]
fn a_measured_rate_stands_above_the_stated_one() {
    let mut sketch = draw(&Recipe::from_spec(&hgx("h100-sxm", 2, 400.0)));
    let nic = sketch.parts.iter().find(|part| part.kind == Kind::Nic).expect("a NIC").id;
    for link in sketch.links.iter_mut().filter(|link| link.medium == Medium::Cable) {
        if link.from == nic {
            link.measured = Some(BytesPerSecond::gb_s(2.7));
        }
    }
    let cuts = Cuts::build(&sketch);
    let slow = cuts.tightest(Set::Of(Kind::Node)).expect("a node");
    let nic = rates(&hgx("h100-sxm", 2, 400.0)).nic.as_gb_s();
    assert!((slow.send.as_gb_s() - 7.0 * nic - 2.7).abs() < 0.01, "{slow:?}");
    assert_eq!(slow.copies, 1);
    let media: BTreeSet<Medium> = slow.send_limits.iter().map(|limit| limit.medium).collect();
    assert_eq!(media, BTreeSet::from([Medium::Cable]));
}

#[test]
fn links_of_a_share_carry_no_more_than_it() {
    let mut sketch = Sketch {
        parts: (0..4).map(|id| Part::new(id, Kind::Gpu, None)).collect(),
        links: vec![link(0, 1, 5), link(0, 2, 5), link(0, 3, 5), link(3, 0, 5)],
        ..Sketch::default()
    };
    for at in 0..2 {
        sketch.links[at].share = Some(9);
    }
    sketch.shares = vec![crate::cluster::sketch::Share { id: 9, rate: BytesPerSecond::gb_s(6.0) }];
    let cuts = Cuts::build(&sketch);
    let most = cuts.cuts.iter().map(|cut| whole(cut.send)).max();
    assert_eq!(most, Some(11));
}

#[test]
fn a_large_cluster_has_few_classes() {
    let mut recipe = pods(Tors::Rails, 1_280);
    if let Some(network) = &mut recipe.network {
        network.nodes_per_segment = 32;
        network.tiers[0].width = 8;
    }
    let cuts = Cuts::build(&draw(&recipe));
    assert!(cuts.cuts.len() < 40, "{}", cuts.cuts.len());
    let nodes: u64 = cuts.at(Set::Of(Kind::Node)).map(|cut| cut.copies).sum();
    assert_eq!(nodes, 1_280);
    let gpus: u64 = cuts.at(Set::Of(Kind::Gpu)).map(|cut| cut.copies).sum();
    assert_eq!(gpus, 10_240);
    assert_eq!(only(&cuts, Set::Rail(7)).copies, 40);
}
