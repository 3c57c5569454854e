//! The output of `ibnetdiscover`: which port is cabled to which
//! (rdma-core @691953d8d5, `infiniband-diags/man/common/sec_topology-file.rst`).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::error::ReadError;
use crate::graph::{self, Finding, Graph, Group, Link, LinkKind, Node, NodeKind};
use crate::limits::MOST_ELEMENTS;
use crate::{Facts, Topology};

/// What the fabric is.
#[derive(Clone, Debug, Serialize)]
pub struct Fabric {
    pub hosts: usize,
    pub hcas: usize,
    pub switches: usize,
    /// Switches with a host on them.
    pub leaves: usize,
    /// Switches without.
    pub spines: usize,
    /// Whether each leaf holds one and the same port of every host.
    pub rail_optimised: bool,
    /// The leaf of each port of the first host.
    pub leaf_of: BTreeMap<String, String>,
    pub links: Counts,
    pub link_speed_gbps: BTreeMap<String, u32>,
    /// Host links over uplinks by rate, of the worst leaf; none where a rate is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oversubscription_leaf_up: Option<f64>,
}

/// Cables by what they join.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Counts {
    pub host_leaf: usize,
    pub leaf_spine: usize,
}

struct Device<'a> {
    name: &'a str,
    switch: bool,
}

type Port<'a> = (&'a str, &'a str);

pub(crate) fn is(text: &str) -> bool {
    let stanza = |line: &str| {
        (line.starts_with("Switch\t") || line.starts_with("Switch "))
            && line.contains("\"S-")
            && line.contains('#')
    };
    text.lines().any(stanza)
}

/// `4xNDR` in Gb/s: lanes times the rate of a lane (InfiniBand Architecture, volume 1).
fn gbps(word: &str) -> Option<u32> {
    const FOUR_LANES: [(&str, u32); 9] = [
        ("SDR", 10),
        ("DDR", 20),
        ("QDR", 40),
        ("FDR10", 40),
        ("FDR", 56),
        ("EDR", 100),
        ("HDR", 200),
        ("NDR", 400),
        ("XDR", 800),
    ];
    let (lanes, rate) = word.split_once('x')?;
    let lanes: u32 = lanes.parse().ok().filter(|lanes| (1..=12).contains(lanes))?;
    let (_, four) = FOUR_LANES.iter().find(|(name, _)| *name == rate)?;
    Some(four * lanes / 4)
}

/// The text between the first two quotes, and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    text.split_once('"')?.1.split_once('"')
}

/// `MF0;leaf-r0:MQM9700/U1` is the switch leaf-r0.
fn short(name: &str) -> &str {
    let name = name.split_once(';').map_or(name, |(_, rest)| rest);
    name.split(':').next().unwrap_or(name)
}

/// The host of an adapter's description; factory names and aggregation nodes name none.
fn host(name: &str) -> Option<&str> {
    let (host, _) = name.rsplit_once(' ')?;
    let factory = name.starts_with("MT") && name.contains("ConnectX");
    (!factory && name.trim() != "Mellanox Technologies Aggregation Node").then_some(host.trim())
}

#[derive(Default)]
struct Read<'a> {
    devices: BTreeMap<&'a str, Device<'a>>,
    /// Each cable once, its lower end first.
    cables: BTreeMap<(Port<'a>, Port<'a>), &'a str>,
    findings: Vec<Finding>,
}

fn parse(text: &str) -> Result<Read<'_>, ReadError> {
    let mut read = Read::default();
    let mut current = None;
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with("Switch") || line.starts_with("Ca") {
            let id = quoted(line);
            current = id.map(|(id, _)| id);
            if let Some((id, rest)) = id {
                let name = quoted(rest).map_or(id, |(name, _)| name);
                read.devices.insert(id, Device { name, switch: line.starts_with('S') });
            }
        } else if line.starts_with('[') {
            match current.and_then(|id| cable(id, line)) {
                Some((from, to, _)) if from == to => {
                    let message = format!("port {} of {} is cabled to itself", from.1, from.0);
                    graph::find(&mut read.findings, number, 1, message);
                }
                Some((from, to, rate)) => {
                    let known = read.cables.insert((from.min(to), from.max(to)), rate);
                    if let Some(other) = known.filter(|other| *other != rate) {
                        let message = format!("{rate} here, {other} at the other end");
                        graph::find(&mut read.findings, number, 1, message);
                    }
                }
                None => {
                    let message = "no cable can be read from this line".to_owned();
                    graph::find(&mut read.findings, number, 1, message);
                }
            }
        }
        if read.devices.len() + read.cables.len() > MOST_ELEMENTS {
            let element = line.chars().take(80).collect();
            return Err(ReadError::TooManyElements { line: number, element });
        }
    }
    Ok(read)
}

/// `[port] "peer"[port](guid) # "name" lid 100 4xNDR`.
fn cable<'a>(id: &'a str, line: &'a str) -> Option<(Port<'a>, Port<'a>, &'a str)> {
    let (port, rest) = line.strip_prefix('[')?.split_once(']')?;
    let (peer, rest) = quoted(rest)?;
    let (peer_port, rest) = rest.strip_prefix('[')?.split_once(']')?;
    let rate = rest.split_whitespace().next_back()?;
    Some(((id, port), (peer, peer_port), rate))
}

pub(crate) fn read(text: &str) -> Result<Topology, ReadError> {
    let Read { devices, cables, findings } = parse(text)?;
    let mut unknown = Vec::new();
    let switch = |id: &str| devices.get(id).map_or(id.starts_with("S-"), |device| device.switch);
    let mut on_leaf: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let (mut down, mut up) = (BTreeMap::new(), BTreeMap::new());
    let mut counts = Counts::default();
    let mut speeds = BTreeMap::new();
    for (((a, _), (b, _)), rate) in &cables {
        match gbps(rate) {
            Some(gbps) => drop(speeds.insert((*rate).to_owned(), gbps)),
            None => unknown.push(format!("rate of the cable from {a} to {b}")),
        }
        // Adapters sort before switches: `H-` before `S-`.
        if !switch(a) && switch(b) {
            counts.host_leaf += 1;
            on_leaf.entry(b).or_default().push(a);
            *down.entry(*b).or_default() += gbps(rate).unwrap_or_default();
        }
    }
    for (((a, _), (b, _)), rate) in &cables {
        let leaf = match (on_leaf.contains_key(a), on_leaf.contains_key(b)) {
            (true, false) if switch(b) => *a,
            (false, true) if switch(a) => *b,
            _ => continue,
        };
        counts.leaf_spine += 1;
        *up.entry(leaf).or_default() += gbps(rate).unwrap_or_default();
    }
    let adapters: Vec<(&str, &str)> =
        devices.iter().filter(|(_, d)| !d.switch).map(|(id, d)| (*id, d.name)).collect();
    let hosts: BTreeSet<&str> = adapters.iter().filter_map(|(_, name)| host(name)).collect();
    let nameless = adapters.iter().filter(|(_, name)| host(name).is_none());
    unknown.extend(nameless.map(|(id, name)| format!("host of {id} ({name})")));
    let ends: BTreeSet<&str> = cables.keys().flat_map(|((a, _), (b, _))| [*a, *b]).collect();
    let cut = ends.iter().filter(|id| !devices.contains_key(**id));
    unknown.extend(cut.map(|id| format!("what {id} is: the file has no part for it")));
    unknown.push("GPUs of a host".to_owned());
    let switches = devices.values().filter(|device| device.switch).count();
    let name_of = |id: &str| devices.get(id).map_or(id.to_owned(), |d| d.name.to_owned());
    let rails = rails(&on_leaf, &devices, hosts.len());
    let all_known = cables.values().all(|rate| gbps(rate).is_some());
    let fabric = Fabric {
        hosts: hosts.len(),
        hcas: adapters.len(),
        switches,
        leaves: on_leaf.len(),
        spines: switches.saturating_sub(on_leaf.len()),
        rail_optimised: rails,
        leaf_of: leaf_of(hosts.first().copied(), &on_leaf, &devices),
        links: counts,
        link_speed_gbps: speeds,
        oversubscription_leaf_up: oversubscription(&down, &up).filter(|_| all_known),
    };
    let mut graph = Graph::default();
    for (id, device) in &devices {
        let kind = if device.switch { NodeKind::Switch } else { NodeKind::Nic };
        graph.nodes.push(Node { name: (*id).to_owned(), kind });
    }
    for (((a, _), (b, _)), rate) in &cables {
        let kind = LinkKind::Cable { gbps: gbps(rate) };
        graph.links.push(Link { from: (*a).to_owned(), to: (*b).to_owned(), kind });
    }
    for (leaf, members) in &on_leaf {
        let members = members.iter().map(|id| name_of(id)).collect();
        graph.groups.push(Group { name: short(&name_of(leaf)).to_owned(), kind: "leaf", members });
    }
    let facts = Facts::Fabric(fabric);
    Ok(Topology { format: "ibnetdiscover", facts, graph, unknown, findings, warnings: vec![] })
}

type OnLeaf<'a> = BTreeMap<&'a str, Vec<&'a str>>;

/// Each leaf holds one adapter name, that of every host, and there are several leaves.
fn rails(on_leaf: &OnLeaf<'_>, devices: &BTreeMap<&str, Device<'_>>, hosts: usize) -> bool {
    on_leaf.len() > 1
        && on_leaf.values().all(|adapters| {
            let names = || adapters.iter().filter_map(|id| devices.get(id)).map(|d| d.name);
            let ports: BTreeSet<_> = names().filter_map(|name| name.rsplit(' ').next()).collect();
            let here: BTreeSet<_> = names().filter_map(host).collect();
            ports.len() == 1 && here.len() == hosts
        })
}

fn leaf_of(
    first: Option<&str>,
    on_leaf: &OnLeaf<'_>,
    devices: &BTreeMap<&str, Device<'_>>,
) -> BTreeMap<String, String> {
    let mut of = BTreeMap::new();
    for (leaf, adapters) in on_leaf {
        let leaf = devices.get(leaf).map_or(*leaf, |device| short(device.name));
        for device in adapters.iter().filter_map(|id| devices.get(id)) {
            if host(device.name).is_some() && host(device.name) == first {
                of.insert(device.name.to_owned(), leaf.to_owned());
            }
        }
    }
    of
}

fn oversubscription(down: &BTreeMap<&str, u32>, up: &BTreeMap<&str, u32>) -> Option<f64> {
    let of = |(leaf, down): (&&str, &u32)| {
        up.get(leaf).filter(|up| **up > 0).map(|up| f64::from(*down) / f64::from(*up))
    };
    down.iter().map(of).collect::<Option<Vec<f64>>>()?.into_iter().max_by(f64::total_cmp)
}
