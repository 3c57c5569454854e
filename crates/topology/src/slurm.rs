//! Slurm's topology.conf: the tree and the block plugin
//! (slurm @284c3b95f0, `doc/man/man5/topology.conf.5`).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::error::ReadError;
use crate::graph::{self, Finding, Graph, Group, Link, LinkKind, Node, NodeKind};
use crate::hosts::expand;
use crate::limits::MOST_ELEMENTS;
use crate::{Facts, Topology};

/// Switches over hosts.
#[derive(Clone, Debug, Serialize)]
pub struct Tree {
    pub nodes: usize,
    /// Hosts of each switch that has any.
    pub leaves: BTreeMap<String, usize>,
    /// Levels of switches.
    pub depth: usize,
    /// The switch over all others, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// Levels of switches up to the first common one, one pair of hosts for each value.
    pub distance: BTreeMap<String, usize>,
}

/// Blocks of hosts; a block is an NVLink domain.
#[derive(Clone, Debug, Serialize)]
pub struct Block {
    pub blocks: BTreeMap<String, usize>,
    pub block_sizes: Vec<u64>,
    pub nodes: usize,
}

const LINK_SPEED: &str = "LinkSpeed has no defined unit in Slurm: do not use it as a bandwidth";

/// One line: `Key=Value` pairs, keys in lower case.
struct Row {
    line: usize,
    pairs: BTreeMap<String, String>,
}

pub(crate) fn is(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start().to_ascii_lowercase();
        line.starts_with("switchname=") || line.starts_with("blockname=")
    })
}

pub(crate) fn read(text: &str) -> Result<Topology, ReadError> {
    let mut findings = Vec::new();
    let rows = rows(text, &mut findings);
    if rows.iter().any(|row| row.pairs.contains_key("blockname")) {
        block(&rows, findings)
    } else {
        tree(&rows, findings)
    }
}

fn rows(text: &str, findings: &mut Vec<Finding>) -> Vec<Row> {
    const KNOWN: [&str; 6] =
        ["switchname", "switches", "nodes", "linkspeed", "blockname", "blocksizes"];
    let mut rows = Vec::new();
    for (line, said) in (1..).zip(text.lines()) {
        let said = said.split('#').next().unwrap_or_default();
        let mut pairs = BTreeMap::new();
        for word in said.split_whitespace() {
            let pair = word.split_once('=').map(|(key, value)| (key.to_ascii_lowercase(), value));
            match pair {
                Some((key, value)) if KNOWN.contains(&key.as_str()) && !value.is_empty() => {
                    pairs.insert(key, value.to_owned());
                }
                _ => {
                    let word: String = word.chars().take(40).collect();
                    let at = said.find(&word).unwrap_or_default();
                    let column = said.get(..at).map_or(0, |lead| lead.chars().count()) + 1;
                    graph::find(findings, line, column, format!("`{word}` is no known setting"));
                }
            }
        }
        if !pairs.is_empty() {
            rows.push(Row { line, pairs });
        }
    }
    rows
}

fn block(rows: &[Row], mut findings: Vec<Finding>) -> Result<Topology, ReadError> {
    let mut said = Block { blocks: BTreeMap::new(), block_sizes: Vec::new(), nodes: 0 };
    let mut graph = Graph::default();
    let mut hosts = BTreeSet::new();
    for row in rows {
        if let (Some(name), Some(list)) = (row.pairs.get("blockname"), row.pairs.get("nodes")) {
            let members = expand(list, row.line)?;
            hosts.extend(members.iter().cloned());
            bounded(hosts.len(), row.line, name)?;
            if said.blocks.insert(name.clone(), members.len()).is_some() {
                let message = format!("a second line for block {name}; it replaces the first");
                graph::find(&mut findings, row.line, 1, message);
                graph.groups.retain(|group: &Group| group.name != *name);
            }
            graph.groups.push(Group { name: name.clone(), kind: "nvlink-domain", members });
        }
        for size in row.pairs.get("blocksizes").into_iter().flat_map(|sizes| sizes.split(',')) {
            match size.parse() {
                Ok(size) if size > 0 => said.block_sizes.push(size),
                _ => {
                    let size: String = size.chars().take(40).collect();
                    graph::find(&mut findings, row.line, 1, format!("`{size}` is no block size"));
                }
            }
        }
    }
    said.nodes = hosts.len();
    graph.nodes = hosts.into_iter().map(|name| Node { name, kind: NodeKind::Host }).collect();
    let unknown = vec!["GPUs of a host".to_owned(), "rate of every link".to_owned()];
    let facts = Facts::SlurmBlock(said);
    let format = "slurm-topology-block";
    Ok(Topology { format, facts, graph, unknown, findings, warnings: vec![] })
}

fn bounded(count: usize, line: usize, element: &str) -> Result<(), ReadError> {
    if count <= MOST_ELEMENTS {
        return Ok(());
    }
    Err(ReadError::TooManyElements { line, element: element.chars().take(80).collect() })
}

/// A switch as its line states it.
#[derive(Default)]
struct Switch {
    line: usize,
    hosts: Vec<String>,
    children: Vec<String>,
}

fn tree(rows: &[Row], mut findings: Vec<Finding>) -> Result<Topology, ReadError> {
    let mut switches: BTreeMap<&str, Switch> = BTreeMap::new();
    let mut order = Vec::new();
    let mut elements = 0;
    for row in rows {
        let Some(name) = row.pairs.get("switchname") else { continue };
        let list = |key| row.pairs.get(key).map_or(Ok(vec![]), |list| expand(list, row.line));
        let switch = Switch { line: row.line, hosts: list("nodes")?, children: list("switches")? };
        elements += 1 + switch.hosts.len() + switch.children.len();
        bounded(elements, row.line, name)?;
        if switches.insert(name, switch).is_some() {
            let message = format!("a second line for switch {name}; it replaces the first");
            graph::find(&mut findings, row.line, 1, message);
        } else {
            order.push(name.as_str());
        }
    }
    let parents = parents(&order, &switches, &mut findings);
    let levels = levels(&order, &switches, &parents)?;
    let leaves: Vec<&str> = order
        .iter()
        .filter(|name| switches.get(**name).is_some_and(|switch| !switch.hosts.is_empty()))
        .copied()
        .collect();
    let hosts_of = |leaf: &str| switches.get(leaf).map_or(&[][..], |switch| &switch.hosts);
    let hosts: BTreeSet<&String> = leaves.iter().flat_map(|leaf| hosts_of(leaf)).collect();
    let mut roots = order.iter().filter(|name| !parents.contains_key(**name));
    let root = roots.next().filter(|_| roots.next().is_none()).map(|name| (*name).to_owned());
    let said = Tree {
        nodes: hosts.len(),
        leaves: leaves.iter().map(|leaf| ((*leaf).to_owned(), hosts_of(leaf).len())).collect(),
        depth: levels.values().copied().max().unwrap_or_default(),
        root,
        distance: distances(&leaves, &switches, &parents),
    };
    let mut unknown = vec!["GPUs of a host".to_owned(), "rate of every link".to_owned()];
    if said.root.is_none() {
        unknown.push("what joins the switches that have none above them".to_owned());
    }
    let linkspeed = rows.iter().any(|row| row.pairs.contains_key("linkspeed"));
    let warnings = if linkspeed { vec![LINK_SPEED.to_owned()] } else { vec![] };
    let graph = graph_of(&order, &switches, &hosts);
    let facts = Facts::SlurmTree(said);
    Ok(Topology { format: "slurm-topology-tree", facts, graph, unknown, findings, warnings })
}

fn parents<'a>(
    order: &[&'a str],
    switches: &'a BTreeMap<&'a str, Switch>,
    findings: &mut Vec<Finding>,
) -> BTreeMap<&'a str, &'a str> {
    let mut parents = BTreeMap::new();
    for name in order {
        let Some(switch) = switches.get(name) else { continue };
        for child in &switch.children {
            if !switches.contains_key(child.as_str()) {
                let message = format!("switch {child} under {name} has no line of its own");
                graph::find(findings, switch.line, 1, message);
            } else if let Some(other) = parents.insert(child.as_str(), *name) {
                let message = format!("switch {child} is under {other} and under {name}");
                graph::find(findings, switch.line, 1, message);
            }
        }
    }
    parents
}

/// Levels of switches down to the hosts, found from the leaves up; a switch that is never
/// reached so lies in a circle.
fn levels<'a>(
    order: &[&'a str],
    switches: &BTreeMap<&str, Switch>,
    parents: &BTreeMap<&'a str, &'a str>,
) -> Result<BTreeMap<&'a str, usize>, ReadError> {
    let mut waiting: BTreeMap<&str, usize> = BTreeMap::new();
    for parent in parents.values() {
        *waiting.entry(parent).or_default() += 1;
    }
    let mut levels: BTreeMap<&str, usize> = BTreeMap::new();
    let mut open: Vec<&str> =
        order.iter().filter(|name| !waiting.contains_key(**name)).copied().collect();
    for name in &open {
        levels.insert(name, 1);
    }
    let mut done = 0;
    while let Some(name) = open.pop() {
        done += 1;
        let above = levels.get(name).copied().unwrap_or(1) + 1;
        let Some(parent) = parents.get(name) else { continue };
        let level = levels.entry(parent).or_default();
        *level = above.max(*level);
        if let Some(left) = waiting.get_mut(parent) {
            *left -= 1;
            if *left == 0 {
                open.push(parent);
            }
        }
    }
    let circle = order.iter().find(|name| waiting.get(**name).is_some_and(|left| *left > 0));
    match circle.filter(|_| done < order.len()) {
        Some(name) => Err(ReadError::ContainsItself {
            line: switches.get(name).map_or(0, |switch| switch.line),
            element: (*name).to_owned(),
        }),
        None => Ok(levels),
    }
}

/// From the first host to the last one of its leaf, and to the first host at each distance.
fn distances(
    leaves: &[&str],
    switches: &BTreeMap<&str, Switch>,
    parents: &BTreeMap<&str, &str>,
) -> BTreeMap<String, usize> {
    let hosts = |leaf: &str| switches.get(leaf).map(|switch| &switch.hosts);
    let mut distances = BTreeMap::new();
    let Some((home, first)) = leaves.first().and_then(|l| Some((*l, hosts(l)?.first()?))) else {
        return distances;
    };
    if let Some(last) = hosts(home).and_then(|hosts| hosts.last()).filter(|last| *last != first) {
        distances.insert(format!("{first}-{last}"), 1);
    }
    let mut above: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, name) in (1..).zip(chain(home, parents)) {
        above.entry(name).or_insert(at);
    }
    let mut seen = BTreeSet::from([1]);
    for leaf in leaves.iter().skip(1) {
        let common = chain(leaf, parents).find_map(|name| above.get(name).copied());
        let host = hosts(leaf).and_then(|hosts| hosts.first());
        if let (Some(levels), Some(host)) = (common, host)
            && seen.insert(levels)
        {
            distances.insert(format!("{first}-{host}"), levels);
        }
    }
    distances
}

/// A switch and all above it; `levels` has refused circles before.
fn chain<'a>(
    name: &'a str,
    parents: &'a BTreeMap<&'a str, &'a str>,
) -> impl Iterator<Item = &'a str> {
    std::iter::successors(Some(name), |name| parents.get(name).copied())
}

fn graph_of(order: &[&str], switches: &BTreeMap<&str, Switch>, hosts: &BTreeSet<&String>) -> Graph {
    let mut graph = Graph::default();
    let node = |name: &str, kind| Node { name: name.to_owned(), kind };
    graph.nodes.extend(hosts.iter().map(|name| node(name, NodeKind::Host)));
    graph.nodes.extend(order.iter().map(|name| node(name, NodeKind::Switch)));
    for name in order {
        let Some(switch) = switches.get(name) else { continue };
        for below in switch.hosts.iter().chain(&switch.children) {
            let (from, to) = (below.clone(), (*name).to_owned());
            graph.links.push(Link { from, to, kind: LinkKind::Network });
        }
    }
    graph
}
