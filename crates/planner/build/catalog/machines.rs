//! `machines.toml`: servers, racks and cloud instances.

use super::accelerators::{Parts, confidence};
use super::record::{Record, optional, scaled};
use super::row::Row;

const TOPOLOGIES: &[(&str, &str)] = &[
    ("nvswitch-full", "NvSwitch"),
    ("nvswitch-rack", "NvSwitchRack"),
    ("ub-switch", "NvSwitchRack"),
    ("hybrid-cube-mesh", "CubeMesh"),
    ("xgmi-mesh", "Mesh"),
    ("roce-mesh", "Mesh"),
    ("hccs-mesh", "Mesh"),
    ("neuronlink-torus2d", "Mesh"),
    ("pcie-host", "PcieHost"),
    ("pcie-2socket-switch", "PcieTwoSocketSwitch"),
    ("pcie+nvlink-pairs", "PcieNvLinkPairs"),
    ("none", "Single"),
];

pub(crate) fn literal(row: &Row, parts: &Parts) -> Result<String, String> {
    let devices = parts.devices(row, "accelerator")?;
    let nics = row.count("nic_count", &(0..=1024))?;
    let speed = row.number("nic_gbps_each", &(0.0..=3200.0))?;
    let total = row.number("net_gbps_total", &(0.0..=1e6))?;
    if (f64::from(nics) * speed.value - total.value).abs() > 0.5 {
        return Err(row.refuse("net_gbps_total", "is not nic_count × nic_gbps_each"));
    }
    let power = row.optional_number("node_power_kw", &(0.1..=500.0))?;
    let rack = row.optional_number("rack_power_kw", &(0.1..=500.0))?;
    Record::new(row, "Machine")
        .text("id")
        .text("name")
        .text("provider")
        .text("accelerator")
        .put("gpus", row.count("gpus", &(1..=1024)).map(|gpus| (gpus * devices).to_string()))
        .put("intra", intra(row))
        .put("intra_kind", row.text("intra_topology").map(|text| format!("{text:?}")))
        .put("nics", Ok(nics.to_string()))
        .put("nic_speed", Ok(scaled("BitsPerSecond::gbps", &speed, 1.0)))
        .text("fabric")
        .count_or_zero("rails", &(1..=64))
        .put("host_memory", host_memory(row))
        .put(
            "node_power",
            Ok(optional(power.or(rack).map(|number| scaled("Watts::kilowatts", &number, 1.0)))),
        )
        .text("cpu")
        .count_or_zero("vcpu", &(1..=10_000))
        .optional_number("local_nvme_tb", &(0.0..=1000.0))
        .count_or_zero("nodes_per_domain", &(1..=1024))
        .text("source")
        .put("confidence", confidence(row))
        .text_or_empty("note")
        .reads(&["gpus", "intra_topology", "nic_count", "nic_gbps_each", "net_gbps_total"])
        .reads(&["ram_gb", "node_power_kw", "rack_power_kw", "confidence"])
        // A tray is a fact of cabling; its prices stand in `prices.csv` with their regions.
        .reads(&["gpus_per_tray", "price"])
        .finish()
}

fn intra(row: &Row) -> Result<String, String> {
    let words: Vec<&str> = TOPOLOGIES.iter().map(|(word, _)| *word).collect();
    let word = row.word("intra_topology", &words)?;
    let variant = TOPOLOGIES.iter().find(|(name, _)| *name == word).map_or("", |(_, it)| it);
    Ok(format!("IntraTopology::{variant}"))
}

/// Memory sizes of servers are binary; 0 where the file does not know it.
fn host_memory(row: &Row) -> Result<String, String> {
    let memory = row.optional_number("ram_gb", &(16.0..=1e6))?;
    Ok(memory.map_or_else(|| "Bytes::ZERO".to_owned(), |memory| scaled("Bytes::gib", &memory, 1.0)))
}
