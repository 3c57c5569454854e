//! The matrix of `nvidia-smi topo -m` and `-mp`.
//!
//! Nearness is NV# < PIX < PXB < PHB < NODE < SYS, as the tool's legend says. The matrix is
//! symmetric: a cell that is missing is taken from its mirror, cells that contradict are dropped.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::error::ReadError;
use crate::graph::{self, Finding, Graph, Group, Link, LinkKind, Node, NodeKind};
use crate::limits::MOST_DEVICES;
use crate::text::{Cell, cells};
use crate::{Facts, Topology};

/// What the matrix says of one host.
#[derive(Clone, Debug, Serialize)]
pub struct Smi {
    pub gpu_count: usize,
    pub nic_count: usize,
    pub gpus: BTreeMap<String, Affinity>,
    /// Name of the device behind each NIC column.
    pub nic_devices: BTreeMap<String, String>,
    /// Pairs of GPUs by their path.
    pub gpu_pair_paths: BTreeMap<String, usize>,
    /// GPUs that reach each other over NVLink; none where the file hides NVLink (`-mp`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nvlink_islands: Option<Vec<Vec<String>>>,
    pub nearest_nics: BTreeMap<String, Nearest>,
    /// NUMA node of the GPU's own memory, where it is one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub gpu_numa_id: BTreeMap<String, String>,
    /// Without NVLink: whether NCCL uses peer-to-peer by default, which it does up to PXB
    /// (NCCL 2.30.7, `src/graph/paths.cc`, `ncclTopoCheckP2p`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p2p_default: Option<bool>,
}

/// Where a GPU's host side is.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Affinity {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_affinity: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numa: Option<String>,
}

/// The NICs a GPU reaches by its shortest path.
#[derive(Clone, Debug, Serialize)]
pub struct Nearest {
    pub path: String,
    pub nics: Vec<String>,
}

/// A path, nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Path {
    Nvlink(u32),
    Pcie(usize),
}

const CODES: [&str; 5] = ["PIX", "PXB", "PHB", "NODE", "SYS"];
const PXB: usize = 1;
/// More links than any GPU has; NVLink 5 gives 18.
const MOST_NVLINKS: u32 = 64;

impl Path {
    fn of(code: &str) -> Option<Self> {
        if let Some(count) = code.strip_prefix("NV") {
            let count = count.parse().ok()?;
            return (1..=MOST_NVLINKS).contains(&count).then_some(Self::Nvlink(count));
        }
        CODES.iter().position(|known| *known == code).map(Self::Pcie)
    }

    fn code(self) -> String {
        match self {
            Self::Nvlink(count) => format!("NV{count}"),
            Self::Pcie(at) => CODES.get(at).map_or_else(String::new, |code| (*code).to_owned()),
        }
    }

    fn kind(self) -> LinkKind {
        match self {
            Self::Nvlink(count) => LinkKind::Nvlink { count },
            Self::Pcie(at) => LinkKind::Path { code: CODES.get(at).copied().unwrap_or("SYS") },
        }
    }
}

/// Whether a line starts the matrix: its first word is a GPU and so is the second, or a NIC.
pub(crate) fn is(text: &str) -> bool {
    text.lines().any(is_header)
}

fn is_header(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let first = words.next().is_some_and(is_gpu);
    first && words.next().is_none_or(|word| Path::of(word).is_none() && word != "X")
}

fn is_gpu(name: &str) -> bool {
    name.strip_prefix("GPU")
        .is_some_and(|n| !n.is_empty() && n.len() < 6 && n.bytes().all(|b| b.is_ascii_digit()))
}

/// The rows of the matrix, before they are understood.
struct Table<'a> {
    devices: Vec<Cell<'a>>,
    rows: BTreeMap<&'a str, Vec<Cell<'a>>>,
    nic_legend: BTreeMap<&'a str, &'a str>,
    hides_nvlink: bool,
    findings: Vec<Finding>,
}

pub(crate) fn read(text: &str) -> Result<Topology, ReadError> {
    let table = table(text)?;
    let names: Vec<&str> = table.devices.iter().map(|cell| cell.text).collect();
    let mut findings = table.findings;
    let mut unknown = Vec::new();
    let paths = paths(&names, &table.rows, &mut findings, &mut unknown);
    let (gpus, nics): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| is_gpu(name));
    let mut smi = Smi {
        gpu_count: gpus.len(),
        nic_count: nics.len(),
        gpus: BTreeMap::new(),
        nic_devices: BTreeMap::new(),
        gpu_pair_paths: BTreeMap::new(),
        nvlink_islands: (!table.hides_nvlink).then(|| islands(&gpus, &paths)),
        nearest_nics: nearest(&gpus, &nics, &paths),
        gpu_numa_id: BTreeMap::new(),
        p2p_default: None,
    };
    if table.hides_nvlink {
        unknown.push("NVLink: this matrix hides it (-mp); give the one of -m".to_owned());
    }
    for (&(a, b), path) in &paths {
        if is_gpu(a) && is_gpu(b) {
            *smi.gpu_pair_paths.entry(path.code()).or_default() += 1;
        }
    }
    smi.p2p_default = p2p_default(&gpus, &paths, table.hides_nvlink);
    for gpu in &gpus {
        let row = table.rows.get(gpu).map(Vec::as_slice).unwrap_or_default();
        let tail: Vec<&str> = row
            .iter()
            .skip(names.len() + 1)
            .map(|cell| cell.text)
            .filter(|t| !t.is_empty())
            .collect();
        let said = |at: usize| tail.get(at).filter(|t| **t != "N/A").map(|t| (*t).to_owned());
        let affinity = Affinity { cpu_affinity: said(0), numa: said(1) };
        if affinity.numa.is_none() {
            unknown.push(format!("NUMA node of {gpu}"));
        }
        smi.gpus.insert((*gpu).to_owned(), affinity);
        if let Some(id) = said(2) {
            smi.gpu_numa_id.insert((*gpu).to_owned(), id);
        }
    }
    for nic in &nics {
        let numbered = nic.strip_prefix("NIC").is_some_and(|n| n.parse::<u32>().is_ok());
        match table.nic_legend.get(nic) {
            Some(device) => drop(smi.nic_devices.insert((*nic).to_owned(), (*device).to_owned())),
            None if numbered => unknown.push(format!("device of {nic}: no NIC legend names it")),
            None => drop(smi.nic_devices.insert((*nic).to_owned(), (*nic).to_owned())),
        }
    }
    unknown.push("model of the GPUs, and with it the rate of an NVLink".to_owned());
    if !nics.is_empty() {
        unknown.push("rate of the NICs".to_owned());
    }
    let graph = graph_of(&names, &paths, smi.nvlink_islands.as_deref());
    let facts = Facts::Smi(smi);
    Ok(Topology { format: "nvidia-smi-topo", facts, graph, unknown, findings, warnings: vec![] })
}

fn table(text: &str) -> Result<Table<'_>, ReadError> {
    let mut lines = (1..).zip(text.lines()).skip_while(|(_, line)| !is_header(line)).peekable();
    let mut devices: Vec<Cell<'_>> = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut complete = false;
    // A narrow terminal breaks the header: it goes on until a row names a device again.
    while let Some((number, line)) = lines.next_if(|(_, line)| {
        let first = line.split_whitespace().next();
        devices.is_empty() || first.is_some_and(|word| !seen.contains(word))
    }) {
        for cell in cells(line, number) {
            complete |= ["CPU", "NUMA"].iter().any(|word| cell.text.starts_with(word));
            if !complete && !cell.text.is_empty() && seen.insert(cell.text) {
                devices.push(cell);
            }
        }
        if devices.len() > MOST_DEVICES {
            return Err(ReadError::TooManyDevices { line: number, devices: devices.len() });
        }
    }
    let mut table = Table {
        devices,
        rows: BTreeMap::new(),
        nic_legend: BTreeMap::new(),
        hides_nvlink: false,
        findings: Vec::new(),
    };
    let (mut last, mut legend, mut nvlink) = (None, false, false);
    for (number, line) in lines {
        let words = line.trim();
        if words.is_empty() {
            last = None;
        } else if words.ends_with("egend:") {
            (legend, last) = (true, None);
        } else if legend {
            nvlink |= words.starts_with("NV#");
            if let Some((nic, device)) = words.split_once(':') {
                table.nic_legend.insert(nic.trim(), device.trim());
            }
        } else {
            row(&mut table, &seen, &mut last, cells(line, number));
        }
    }
    table.hides_nvlink = legend && !nvlink;
    Ok(table)
}

/// Files the cells of a line under its device, or under the row it goes on with.
fn row<'a>(
    table: &mut Table<'a>,
    seen: &BTreeSet<&str>,
    last: &mut Option<&'a str>,
    cells: Vec<Cell<'a>>,
) {
    let Some(first) = cells.iter().find(|cell| !cell.text.is_empty()).copied() else { return };
    if seen.contains(first.text) {
        if table.rows.contains_key(first.text) {
            let message = format!("a second row of {}; the first one counts", first.text);
            graph::find(&mut table.findings, first.line, first.column, message);
            *last = None;
            return;
        }
        let cells = cells.into_iter().skip_while(|cell| cell.text.is_empty()).collect();
        table.rows.insert(first.text, cells);
        *last = Some(first.text);
    } else if let Some(row) = last.and_then(|name| table.rows.get_mut(name)) {
        row.extend(cells.into_iter().filter(|cell| !cell.text.is_empty()));
    } else {
        let message = format!("`{}` is no device of the header", shorten(first.text));
        graph::find(&mut table.findings, first.line, first.column, message);
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

type Paths<'a> = BTreeMap<(&'a str, &'a str), Path>;

/// The path of each pair, both ways agreeing; what is not sure is named.
fn paths<'a>(
    names: &[&'a str],
    rows: &BTreeMap<&str, Vec<Cell<'_>>>,
    findings: &mut Vec<Finding>,
    unknown: &mut Vec<String>,
) -> Paths<'a> {
    let mut read: BTreeMap<(usize, usize), (Path, Cell<'_>)> = BTreeMap::new();
    for (i, name) in names.iter().enumerate() {
        let row = rows.get(name).map(Vec::as_slice).unwrap_or_default();
        for (j, cell) in row.iter().skip(1).take(names.len()).enumerate() {
            match Path::of(cell.text) {
                Some(path) if i != j => drop(read.insert((i, j), (path, *cell))),
                None if cell.text == "X" && i == j => {}
                None if cell.text.is_empty() => {}
                _ => {
                    let message = format!("`{}` is no path between devices", shorten(cell.text));
                    graph::find(findings, cell.line, cell.column, message);
                }
            }
        }
    }
    let mut paths = Paths::new();
    for (i, a) in names.iter().enumerate() {
        for (j, b) in names.iter().enumerate().skip(i + 1) {
            match (read.get(&(i, j)), read.get(&(j, i))) {
                (Some((path, _)), Some((back, cell))) if path != back => {
                    let (there, here) = (path.code(), back.code());
                    let message = format!("{b} to {a} is {here}, but {a} to {b} is {there}");
                    graph::find(findings, cell.line, cell.column, message);
                    unknown.push(format!("path between {a} and {b}"));
                }
                (Some((path, _)), _) | (None, Some((path, _))) => {
                    paths.insert((*a, *b), *path);
                }
                (None, None) => unknown.push(format!("path between {a} and {b}")),
            }
        }
    }
    paths
}

/// Connected components over NVLink, in the order of the header.
fn islands(gpus: &[&str], paths: &Paths<'_>) -> Vec<Vec<String>> {
    let mut near: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (&(a, b), path) in paths {
        if matches!(path, Path::Nvlink(_)) {
            near.entry(a).or_default().push(b);
            near.entry(b).or_default().push(a);
        }
    }
    let mut seen = BTreeSet::new();
    let mut islands = Vec::new();
    for gpu in gpus {
        let mut island = BTreeSet::new();
        let mut open = vec![*gpu];
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                island.insert(next);
                open.extend(near.get(next).into_iter().flatten());
            }
        }
        if !island.is_empty() {
            let members = gpus.iter().filter(|gpu| island.contains(**gpu));
            islands.push(members.map(|gpu| (*gpu).to_owned()).collect());
        }
    }
    islands
}

fn between(a: &str, b: &str, paths: &Paths<'_>) -> Option<Path> {
    paths.get(&(a, b)).or_else(|| paths.get(&(b, a))).copied()
}

fn nearest(gpus: &[&str], nics: &[&str], paths: &Paths<'_>) -> BTreeMap<String, Nearest> {
    let mut all = BTreeMap::new();
    for gpu in gpus {
        let reach = |nic: &&str| between(gpu, nic, paths);
        let Some(best) = nics.iter().filter_map(reach).min() else { continue };
        let at_best = nics.iter().filter(|nic| reach(nic) == Some(best));
        let nics = at_best.map(|nic| (*nic).to_owned()).collect();
        all.insert((*gpu).to_owned(), Nearest { path: best.code(), nics });
    }
    all
}

/// Said only where every pair of GPUs is known and none has NVLink.
fn p2p_default(gpus: &[&str], paths: &Paths<'_>, hides_nvlink: bool) -> Option<bool> {
    let pairs: Vec<Path> =
        paths.iter().filter(|((a, b), _)| is_gpu(a) && is_gpu(b)).map(|(_, path)| *path).collect();
    let known = gpus.len() > 1 && pairs.len() == gpus.len() * (gpus.len() - 1) / 2;
    let nvlink = pairs.iter().any(|path| matches!(path, Path::Nvlink(_)));
    (known && !nvlink && !hides_nvlink).then(|| pairs.iter().any(|path| *path <= Path::Pcie(PXB)))
}

fn graph_of(names: &[&str], paths: &Paths<'_>, islands: Option<&[Vec<String>]>) -> Graph {
    let node = |name: &&str| Node {
        name: (*name).to_owned(),
        kind: if is_gpu(name) { NodeKind::Gpu } else { NodeKind::Nic },
    };
    let link = |(&(from, to), path): (&(&str, &str), &Path)| Link {
        from: from.to_owned(),
        to: to.to_owned(),
        kind: path.kind(),
    };
    let group = |(at, members): (usize, &Vec<String>)| Group {
        name: format!("nvlink-{at}"),
        kind: "nvlink-island",
        members: members.clone(),
    };
    Graph {
        nodes: names.iter().map(node).collect(),
        links: paths.iter().map(link).collect(),
        groups: islands.unwrap_or_default().iter().enumerate().map(group).collect(),
    }
}
