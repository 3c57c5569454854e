//! Graphs, bounds, templates and pictures.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::catalog;
use crate::units::BitsPerSecond;

use super::fixtures::{accelerator, hgx};
use super::*;

#[track_caller]
fn build(spec: &ClusterSpec) -> Cluster {
    Cluster::build(spec, accelerator(&spec.accelerator)).expect("a sound specification")
}

#[track_caller]
fn refusal(spec: &ClusterSpec) -> ClusterError {
    Cluster::build(spec, accelerator(&spec.accelerator)).expect_err("an unsound specification")
}

#[test]
fn two_hgx_nodes_have_all_their_parts() {
    let cluster = build(&hgx("h100-sxm", 2, 400.0));
    let counts = [
        (PartKind::Gpu, 16),
        (PartKind::NvSwitch, 2),
        (PartKind::PcieSwitch, 8),
        (PartKind::Numa, 4),
        (PartKind::Nic, 16),
        (PartKind::Leaf, 8),
        (PartKind::Spine, 1),
    ];
    for (kind, count) in counts {
        assert_eq!(cluster.count(kind), count, "{kind:?}");
    }
    assert!(cluster.expanded);
}

#[test]
fn a_large_cluster_is_built_by_class() {
    let cluster = build(&hgx("h100-sxm", 16_384, 400.0));
    assert_eq!(cluster.count(PartKind::Gpu), 131_072);
    assert!(!cluster.expanded && cluster.graph.node_count() < 64);
}

#[test]
fn the_flow_out_of_a_node_is_what_its_rates_say() {
    let mut specs: Vec<ClusterSpec> =
        catalog::machines().iter().map(|row| ClusterSpec::from_machine(row, 2)).collect();
    specs.retain(|spec| check(spec, accelerator(&spec.accelerator)).is_ok());
    assert!(specs.len() > 40, "{}", specs.len());
    for spec in specs.iter().filter(|spec| spec.gpus_per_node <= 16) {
        let cluster = build(spec);
        let (flow, rate) = (cluster.node_cut().as_gb_s(), cluster.rates.node.as_gb_s());
        assert!((flow - rate).abs() <= rate * 0.001 + 0.01, "{spec:?}: {flow} is not {rate}");
    }
}

#[test]
fn the_uplinks_of_a_segment_follow_the_oversubscription() {
    let mut spec = hgx("h100-sxm", 8, 400.0);
    spec.spine = Some(Spine { nodes_per_segment: 4, oversubscription: 3.0 });
    let cluster = build(&spec);
    let flow = cluster.max_flow(
        |part| part.kind == PartKind::Leaf && part.place == 0,
        |part| part.kind == PartKind::Leaf && part.place == 1,
    );
    let want = cluster.rates.nic.as_gb_s() * 8.0 * 4.0 / 3.0;
    assert!((flow.as_gb_s() / want - 1.0).abs() < 0.001, "{flow:?} is not {want}");
}

#[test]
fn a_node_count_of_zero_is_refused_with_the_nearest() {
    let error = refusal(&hgx("h100-sxm", 0, 400.0));
    assert_eq!((error.key(), error.field()), ("cluster-out-of-range", "nodes"));
    assert!(error.args().contains(&("hint", "1".to_owned())), "{:?}", error.args());
    assert!(error.args().contains(&("most", "16384".to_owned())));
}

#[test]
fn impossible_machines_are_refused_by_name() {
    let spec = ClusterSpec { nics_per_node: 0, ..hgx("h100-sxm", 2, 400.0) };
    assert_eq!(refusal(&spec).key(), "cluster-no-nics");
    assert_eq!(refusal(&hgx("h100-sxm", 2, 0.0)).key(), "cluster-no-nic-speed");
    assert_eq!(refusal(&hgx("rtx-4090", 1, 0.0)).key(), "cluster-no-scale-up-link");
    let spec = ClusterSpec { gpus_per_node: 16, ..hgx("h100-sxm", 1, 0.0) };
    assert_eq!(refusal(&spec).key(), "cluster-domain-too-large");
    let spec = ClusterSpec { nic_speed: BitsPerSecond::gbps(f64::NAN), ..hgx("h100-sxm", 2, 0.0) };
    assert_eq!(refusal(&spec).field(), "nic_speed");
    let other = Cluster::build(&hgx("h100-sxm", 2, 400.0), accelerator("h200-sxm"));
    assert_eq!(other.map(|_| ()).expect_err("another part").key(), "cluster-other-accelerator");
}

#[test]
fn every_template_can_be_built() {
    let all = templates();
    assert_eq!(all.len(), 14);
    let ids: BTreeSet<&str> = all.iter().map(|template| template.id).collect();
    assert_eq!(ids.len(), all.len());
    for template in all {
        let cluster = build(&template.spec);
        assert!(cluster.count(PartKind::Gpu) >= 8, "{}", template.id);
    }
}

#[test]
fn trays_of_a_rack_become_one_domain() {
    for id in ["gb200-nvl72", "azure-nd-gb200-v6"] {
        let spec = ClusterSpec::from_machine(catalog::machine(id).expect("in the catalog"), 2);
        assert_eq!((spec.gpus_per_node, spec.nics_per_node), (72, 72), "{id}");
    }
}

#[test]
fn boxes_without_peer_to_peer_are_known_by_their_gpu() {
    let machine = catalog::machine("pcie-4090-8").expect("in the catalog");
    let spec = ClusterSpec::from_machine(machine, 1);
    assert_eq!(spec.intra, IntraNode::Pcie(HostPath::ThroughHost));
    assert_eq!(build(&spec).count(PartKind::PcieSwitch), 0);
}

#[test]
fn sixteen_nodes_are_drawn_singly_under_their_rails() {
    let drawn = picture(&hgx("h100-sxm", 16, 400.0), &BTreeSet::new());
    let kinds = |kind| drawn.marks.iter().filter(|mark| mark.kind == kind).count();
    assert_eq!((kinds(MarkKind::Node), kinds(MarkKind::Leaf), kinds(MarkKind::Spine)), (16, 8, 1));
    let cables: u32 =
        drawn.bundles.iter().filter(|b| b.kind == LinkKind::Nic).map(|b| b.count).sum();
    assert_eq!(cables, 128);
}

#[test]
fn an_open_node_shows_its_gpus_below_it() {
    let id = PictureId::Node { node: 3 };
    let drawn = picture(&hgx("h100-sxm", 16, 400.0), &BTreeSet::from([id]));
    let node = drawn.marks.iter().find(|mark| mark.id == id).expect("the node");
    assert!(node.expanded && node.span == 8);
    let columns: Vec<u32> =
        drawn.marks.iter().filter(|mark| mark.kind == MarkKind::Gpu).map(|m| m.column).collect();
    assert_eq!(columns, (node.column..node.column + 8).collect::<Vec<_>>());
    assert_eq!(PictureId::Gpu { node: 3, gpu: 1 }.to_string(), "gpu-3-1");
}

#[test]
fn a_group_opens_down_to_a_gpu_of_the_largest_cluster() {
    let spec = hgx("h100-sxm", 16_384, 400.0);
    let mut open = BTreeSet::new();
    for _ in 0..4 {
        let drawn = picture(&spec, &open);
        let last = drawn
            .marks
            .iter()
            .rfind(|mark| mark.expandable && !mark.expanded)
            .expect("something to open");
        open.insert(last.id);
    }
    let drawn = picture(&spec, &open);
    assert!(drawn.marks.iter().any(|mark| mark.kind == MarkKind::Gpu), "{:?}", drawn.refused);
    assert!(drawn.refused.is_empty());
}

fn clusters() -> impl Strategy<Value = ClusterSpec> {
    (1_u32..16_385, 1_u32..385, 0_u32..385, any::<bool>(), 0_u32..2000, 0.5_f64..8.0).prop_map(
        |(nodes, gpus_per_node, nics_per_node, rail_optimized, segment, over)| ClusterSpec {
            gpus_per_node,
            nics_per_node,
            rail_optimized,
            spine: Some(Spine { nodes_per_segment: segment, oversubscription: over }),
            ..hgx("h100-sxm", nodes, 400.0)
        },
    )
}

proptest! {
    #[test]
    fn no_picture_is_too_full_and_every_node_is_in_it(
        spec in clusters(), picks in proptest::collection::vec(0_usize..600, 0..24),
    ) {
        let mut open = BTreeSet::new();
        for pick in picks {
            let drawn = picture(&spec, &open);
            prop_assert!(drawn.marks.len() + drawn.bundles.len() <= 600);
            if let Some(mark) = drawn.marks.get(pick % drawn.marks.len()) {
                open.insert(mark.id);
            }
        }
        let drawn = picture(&spec, &open);
        prop_assert!(drawn.marks.len() + drawn.bundles.len() <= 600);
        let ids: BTreeSet<PictureId> = drawn.marks.iter().map(|mark| mark.id).collect();
        prop_assert_eq!(ids.len(), drawn.marks.len());
        let nodes: u32 = drawn
            .marks
            .iter()
            .filter(|mark| mark.tier == Tier::Node)
            .map(|mark| mark.count)
            .sum();
        prop_assert_eq!(nodes, spec.nodes);
        prop_assert!(drawn.bundles.iter().all(|b| ids.contains(&b.from) && ids.contains(&b.to)));
        let cables: u32 =
            drawn.bundles.iter().filter(|b| b.kind == LinkKind::Nic).map(|b| b.count).sum();
        prop_assert_eq!(cables, spec.nodes * spec.nics_per_node);
    }
}
