//! Properties of COMMUNICATION.md 4.8.

use proptest::prelude::*;

use crate::cluster::fixtures::{accelerator, hgx};
use crate::cluster::{ClusterSpec, Fabric, HostPath, IntraNode, LinkKind, Spine};
use crate::units::{BitsPerSecond, Bytes, BytesPerSecond, Seconds};

use super::placement::Cut;
use super::{Algorithm, Collective, Group, Network, Protocol};

const ALL: [Collective; 6] = [
    Collective::AllReduce,
    Collective::AllGather,
    Collective::ReduceScatter,
    Collective::AllToAll,
    Collective::SendRecv,
    Collective::Broadcast,
];

fn network(spec: &ClusterSpec) -> Network {
    let row = accelerator(&spec.accelerator);
    crate::cluster::check(spec, row).expect("a sound specification");
    Network::new(spec, row)
}

fn specs() -> impl Strategy<Value = ClusterSpec> {
    let machine = prop_oneof![
        Just(("h100-sxm", IntraNode::NvSwitch)),
        Just(("a100-sxm-80g", IntraNode::NvSwitch)),
        Just(("b200-sxm", IntraNode::NvSwitch)),
        Just(("mi300x", IntraNode::Mesh)),
        Just(("a100-pcie-80g", IntraNode::NvLinkPairs)),
        Just(("rtx-4090", IntraNode::Pcie(HostPath::ThroughHost))),
        Just(("l40s", IntraNode::Pcie(HostPath::PeerToPeer))),
    ];
    let fabric = prop_oneof![
        Just(Fabric::InfiniBand),
        Just(Fabric::Roce),
        Just(Fabric::Efa),
        Just(Fabric::Tcpx),
        Just(Fabric::Ethernet),
    ];
    let spine = (0_u32..5, 1.0_f64..8.0);
    (machine, fabric, 1_u32..64, 0_u32..4, 25.0_f64..800.0, any::<bool>(), spine).prop_map(
        |((id, intra), fabric, nodes, nics, gbps, rail_optimized, (segment, over))| ClusterSpec {
            intra,
            fabric,
            nics_per_node: 1 << nics,
            nic_speed: BitsPerSecond::gbps(gbps),
            rail_optimized,
            spine: Some(Spine { nodes_per_segment: segment * 4, oversubscription: over }),
            ..hgx(id, nodes, 0.0)
        },
    )
}

fn groups() -> impl Strategy<Value = Group> {
    (0_u32..7, 0_u32..6, 0_u32..3)
        .prop_map(|(ranks, stride, odd)| Group { ranks: (1 << ranks) + odd, stride: 1 << stride })
}

fn time(network: &Network, collective: Collective, bytes: f64, group: Group) -> Seconds {
    network.cost(collective, Bytes::new(bytes), group).time
}

proptest! {
    #[test]
    fn more_bytes_never_take_less_time(
        spec in specs(), group in groups(), exponent in 0.0_f64..34.0, more in 1.0_f64..64.0,
    ) {
        let network = network(&spec);
        let bytes = libm::exp2(exponent);
        for collective in ALL {
            let (less, more) = (
                time(&network, collective, bytes, group),
                time(&network, collective, bytes * more, group),
            );
            prop_assert!(less <= more, "{collective:?} {less:?} {more:?}");
            prop_assert!(less.as_seconds().is_finite() && less >= Seconds::ZERO);
        }
    }

    #[test]
    fn bandwidth_grows_towards_the_asymptote(
        spec in specs(), group in groups(), exponent in 0.0_f64..34.0,
    ) {
        let network = network(&spec);
        let size = Bytes::new(libm::exp2(exponent));
        for collective in ALL {
            let cost = network.cost(collective, size, group);
            let reached = size.base() / cost.time.as_seconds().max(1e-12);
            prop_assert!(group.ranks < 2 || reached <= cost.bandwidth.base() * (1.0 + 1e-9));
        }
    }

    #[test]
    fn an_all_reduce_lies_between_its_halves_and_their_sum(
        spec in specs(), group in groups(), exponent in 10.0_f64..34.0,
    ) {
        let network = network(&spec);
        let size = Bytes::new(libm::exp2(exponent));
        let ring = (Algorithm::Ring, Protocol::Simple);
        let of = |collective| network.cost_with(collective, size, group, ring);
        if let (Some(whole), Some(scatter), Some(gather)) = (
            of(Collective::AllReduce),
            of(Collective::ReduceScatter),
            of(Collective::AllGather),
        ) {
            prop_assert!(whole.time >= scatter.time.max(gather.time));
            let moving = whole.time - whole.latency;
            let halves = scatter.time - scatter.latency + (gather.time - gather.latency);
            prop_assert!(moving.as_seconds() <= halves.as_seconds() * (1.0 + 1e-9));
        }
    }

    #[test]
    fn faster_nics_never_slow_a_collective(
        spec in specs(), group in groups(), exponent in 0.0_f64..34.0, factor in 1.0_f64..4.0,
    ) {
        prop_assume!(spec.fabric != Fabric::Efa);
        let faster = ClusterSpec {
            nic_speed: BitsPerSecond::gbps(spec.nic_speed.as_gbps() * factor),
            ..spec.clone()
        };
        let (slow, fast) = (network(&spec), network(&faster));
        let bytes = libm::exp2(exponent);
        for collective in ALL {
            prop_assert!(
                time(&fast, collective, bytes, group) <= time(&slow, collective, bytes, group)
            );
        }
    }

    #[test]
    fn a_tighter_spine_never_helps(
        spec in specs(), group in groups(), exponent in 0.0_f64..34.0, factor in 1.0_f64..4.0,
    ) {
        let tighter = ClusterSpec {
            spine: spec.spine.map(|spine| Spine {
                oversubscription: spine.oversubscription * factor,
                ..spine
            }),
            ..spec.clone()
        };
        let (wide, tight) = (network(&spec), network(&tighter));
        let bytes = libm::exp2(exponent);
        for collective in ALL {
            prop_assert!(
                time(&wide, collective, bytes, group) <= time(&tight, collective, bytes, group)
            );
        }
    }

    #[test]
    fn no_ring_beats_its_port_or_the_nics(spec in specs(), group in groups()) {
        let network = network(&spec);
        let size = Bytes::gib(64.0);
        let ring = (Algorithm::Ring, Protocol::Simple);
        if let Some(cost) = network.cost_with(Collective::AllReduce, size, group, ring) {
            let busbw = cost.bandwidth * Collective::AllReduce.bus_factor(group.ranks);
            let tolerance = 1.0 + 1e-9;
            if network.leaves_node(group) {
                prop_assert!(busbw.base() <= network.rates.node.base() * tolerance);
            } else {
                prop_assert!(busbw.base() <= network.port().base() * tolerance);
            }
        }
    }

    #[test]
    fn a_group_inside_a_node_ignores_the_other_nodes(
        spec in specs(), ranks in 0_u32..4, nodes in 1_u32..64, exponent in 0.0_f64..34.0,
    ) {
        let group = Group { ranks: 1 << ranks, stride: 1 };
        let other = ClusterSpec { nodes, ..spec.clone() };
        let (one, two) = (network(&spec), network(&other));
        for collective in ALL {
            let size = Bytes::new(libm::exp2(exponent));
            prop_assert_eq!(
                one.cost(collective, size, group),
                two.cost(collective, size, group)
            );
        }
    }

    #[test]
    fn the_signature_matches_a_count_over_ranks(
        ranks in 1_u32..65, stride in 0_u32..7, size in 0_u32..6,
    ) {
        // Where strides tile the sets evenly the closed form must be exact for any ranks.
        let (stride, size) = (1 << stride, 1 << size);
        let block: u32 = ranks * stride;
        let cut = Cut::new(Group { ranks, stride }, size, block * size);
        let mut worst = 0;
        for start in (0..block * size).step_by(usize::try_from(block).expect("small")) {
            for lane in 0..stride {
                let mut touched = std::collections::BTreeSet::new();
                for rank in 0..ranks {
                    touched.insert((start + lane + rank * stride) / size);
                }
                worst = worst.max(touched.len());
            }
        }
        prop_assert_eq!(usize::try_from(cut.sets).expect("small"), worst);
    }

    #[test]
    fn every_collective_touches_links(spec in specs(), group in groups()) {
        let network = network(&spec);
        prop_assume!(u64::from(group.ranks) * u64::from(group.stride) <= network.gpus());
        for collective in ALL {
            let cost = network.cost(collective, Bytes::gib(1.0), group);
            let sum: f64 = cost.links.iter().map(|bytes| bytes.base()).sum();
            prop_assert_eq!(sum > 0.0, group.ranks > 1);
            let out = cost.on(LinkKind::Nic) > Bytes::ZERO;
            prop_assert_eq!(out, group.ranks > 1 && network.leaves_node(group));
        }
    }
}

#[track_caller]
fn close(got: f64, want: f64) {
    assert!((got / want - 1.0).abs() < 1e-6, "{got} is not {want}");
}

#[test]
fn data_parallel_groups_share_the_nics_of_a_node() {
    // COMMUNICATION.md 4.4: 16 nodes, TP8, so that 8 groups of 16 ranks share 8 NICs.
    let network = network(&hgx("h100-sxm", 16, 400.0));
    let group = Group { ranks: 16, stride: 8 };
    let size = Bytes::gib(1.0);
    let ring = (Algorithm::Ring, Protocol::Simple);
    let cost = network.cost_with(Collective::AllReduce, size, group, ring).expect("a ring");
    close(cost.on(LinkKind::Nic).base(), 8.0 * size.base() * 2.0 * 15.0 / 16.0);
    assert_eq!(cost.on(LinkKind::NvLink), Bytes::ZERO);
    assert_eq!(cost.limit, LinkKind::Nic);
    assert_eq!(network.cost(Collective::AllReduce, size, group).limit, LinkKind::Nic);
}

#[test]
fn experts_on_eight_nodes_leave_with_seven_eighths() {
    let network = network(&hgx("h100-sxm", 8, 400.0));
    let group = Group { ranks: 64, stride: 1 };
    let cost = network.cost(Collective::AllToAll, Bytes::gib(1.0), group);
    close(cost.on(LinkKind::Nic).as_gib(), 7.0);
    // algbw tends to W/g × K/(K-1).
    let bound = network.nic_per_gpu().base() * 8.0 / 7.0;
    close(cost.bandwidth.base(), bound);
}

#[test]
fn deduplication_sends_a_token_once_per_node() {
    let network = network(&hgx("h800-sxm", 8, 400.0));
    let group = Group { ranks: 64, stride: 1 };
    let (token, tokens) = (Bytes::new(7168.0), 4096.0);
    let plain = network.cost(Collective::AllToAll, token * (tokens * 8.0), group);
    let once = network.all_to_all_dedup(token, tokens, 8, group);
    let nodes = 8.0 * (1.0 - libm::pow(7.0 / 8.0, 8.0));
    close(once.on(LinkKind::Nic).base(), token.base() * tokens * 8.0 * nodes * 7.0 / 8.0);
    assert!(once.on(LinkKind::Nic) < plain.on(LinkKind::Nic));
    assert!(once.time < plain.time);
}

#[test]
fn in_switch_reduction_wins_on_a_full_hopper_node_only() {
    let size = Bytes::gib(8.0);
    let all = |id: &'static str, ranks| {
        let network = network(&hgx(id, 1, 400.0));
        network.cost(Collective::AllReduce, size, Group { ranks, stride: 1 })
    };
    assert_eq!(all("h200-sxm", 8).algorithm, Algorithm::Nvls);
    assert_eq!(all("h200-sxm", 2).algorithm, Algorithm::Ring);
    assert_eq!(all("a100-sxm-80g", 8).algorithm, Algorithm::Ring);
    let busbw = all("h200-sxm", 8).bandwidth * Collective::AllReduce.bus_factor(8);
    assert!((busbw.as_gb_s() - 480.0).abs() < 5.0, "{busbw:?}");
}

#[test]
fn an_oversubscribed_spine_limits_what_crosses_segments() {
    let mut spec = hgx("h100-sxm", 64, 400.0);
    spec.spine = Some(Spine { nodes_per_segment: 16, oversubscription: 4.0 });
    let network = network(&spec);
    let size = Bytes::gib(1.0);
    let across = network.cost(Collective::AllToAll, size, Group { ranks: 512, stride: 1 });
    assert_eq!(across.limit, LinkKind::Spine);
    assert!(across.on(LinkKind::Spine) > Bytes::ZERO);
    let within = network.cost(Collective::AllToAll, size, Group { ranks: 128, stride: 1 });
    assert_eq!(within.limit, LinkKind::Nic);
    assert_eq!(within.on(LinkKind::Spine), Bytes::ZERO);
}

#[test]
fn a_box_without_peer_to_peer_rings_through_its_host() {
    let spec =
        ClusterSpec { intra: IntraNode::Pcie(HostPath::ThroughHost), ..hgx("rtx-4090", 1, 0.0) };
    let network = network(&spec);
    let cost = network.cost(Collective::AllGather, Bytes::gib(1.0), Group { ranks: 8, stride: 1 });
    assert_eq!(cost.limit, LinkKind::Pcie);
    assert_eq!(network.domain(), 8);
    let port = network.port();
    assert!(port > BytesPerSecond::gb_s(4.5) && port < BytesPerSecond::gb_s(5.0), "{port:?}");
}

#[test]
fn a_bridged_pair_is_a_domain_of_two() {
    let spec = ClusterSpec { intra: IntraNode::NvLinkPairs, ..hgx("a100-pcie-80g", 1, 0.0) };
    let network = network(&spec);
    let (pair, wide) = (Group { ranks: 2, stride: 1 }, Group { ranks: 4, stride: 1 });
    assert!(!network.crosses(pair));
    assert!(network.crosses(wide) && !network.leaves_node(wide));
    let size = Bytes::gib(1.0);
    assert_eq!(network.cost(Collective::AllReduce, size, pair).limit, LinkKind::NvLink);
    assert_eq!(network.cost(Collective::AllReduce, size, wide).limit, LinkKind::Pcie);
}

#[test]
fn groups_that_do_not_fill_nodes_are_judged_by_the_worst() {
    let network = network(&hgx("h100-sxm", 4, 400.0));
    assert!(!network.crosses(Group { ranks: 4, stride: 1 }));
    assert!(network.crosses(Group { ranks: 3, stride: 1 }));
    assert!(network.crosses(Group { ranks: 4, stride: 4 }));
    assert!(!network.crosses(Group { ranks: 4, stride: 2 }));
    assert!(network.crosses(Group { ranks: 2, stride: 8 }));
}
