//! `accelerators.toml`. Packages of several devices are divided here, once.

use std::collections::{BTreeMap, BTreeSet};

use super::record::{Record, float, optional, quoted, scaled};
use super::row::Row;

/// The ids, with the devices that one package of each holds.
pub(crate) struct Parts(BTreeMap<String, u32>);

impl Parts {
    pub(crate) fn of(rows: &[Row]) -> Result<Self, String> {
        let part = |row: &Row| Ok((row.text("id")?.to_owned(), packages(row)?));
        rows.iter().map(part).collect::<Result<_, String>>().map(Self)
    }

    /// Devices per package of the accelerator that `row` names in `key`.
    pub(crate) fn devices(&self, row: &Row, key: &str) -> Result<u32, String> {
        let id = row.text(key)?;
        self.of_id(id).ok_or_else(|| {
            row.refuse(key, &format!("is `{id}`, which is no accelerator of the catalog"))
        })
    }

    pub(crate) fn of_id(&self, id: &str) -> Option<u32> {
        self.0.get(id).copied()
    }
}

const ARCHITECTURES: &[(&str, &str)] = &[
    ("volta", "Volta"),
    ("turing", "Turing"),
    ("ampere", "Ampere"),
    ("ada", "Ada"),
    ("hopper", "Hopper"),
    ("blackwell", "Blackwell"),
    ("blackwell-ultra", "Blackwell"),
];

/// Parts of other vendors: no architecture of our own tables.
const OTHER_ARCHITECTURES: &[&str] = &[
    "ascend950",
    "br100",
    "cdna2",
    "cdna3",
    "cdna4",
    "da-vinci",
    "dcu",
    "gaudi2",
    "gaudi3",
    "mluarch03",
    "neuroncore-v2",
    "neuroncore-v3",
    "quyuan",
    "tpu",
    "xiyun",
];

const LINKS: &[&str] = &[
    "none",
    "nvlink",
    "xgmi",
    "hccs",
    "ub",
    "ici",
    "roce",
    "neuronlink",
    "mlulink",
    "mtlink",
    "metaxlink",
    "blink",
];

const TOPOLOGIES: &[&str] = &["none", "nvswitch", "bridge", "mesh", "switch", "torus2d", "torus3d"];

const CONFIDENCES: &[&str] = &["high", "medium", "low"];

/// Most that any rate, bandwidth or power of one package may read; a slipped digit is more.
const MOST: f64 = 100_000.0;

pub(crate) fn literal(row: &Row, ids: &BTreeSet<&str>) -> Result<String, String> {
    let packages = packages(row)?;
    let each = f64::from(packages);
    let rate = |key, constructor| {
        let number = row.optional_number(key, &(0.1..=MOST));
        number.map(|number| optional(number.map(|number| scaled(constructor, &number, each))))
    };
    let flops = |key| rate(key, "FlopPerSecond::tflops");
    let or_zero = |key, constructor: &str| {
        let number = row.optional_number(key, &(0.0..=MOST));
        number.map(|number| {
            let value = number.map_or(0.0, |number| number.value / each);
            format!("{constructor}({})", float(value))
        })
    };
    Record::new(row, "Accelerator")
        .text("id")
        .text("name")
        .text("vendor")
        .put("architecture", architecture(row))
        .text("form_factor")
        .count("year", &(2015..=2030))
        .put("memory", memory(row, each))
        .text("memory_type")
        .put(
            "memory_bandwidth",
            row.number("mem_bw_gb_s", &(50.0..=MOST))
                .map(|number| scaled("BytesPerSecond::gb_s", &number, each)),
        )
        .put("fp32", flops("fp32_tflops"))
        .put("tf32", flops("tf32_tflops"))
        .put("bf16", flops("bf16_tflops"))
        .put("fp16", flops("fp16_tflops"))
        .put("fp8", flops("fp8_tflops"))
        .put("measured_bf16", flops("measured_bf16_tflops"))
        .put("measured_fp8", flops("measured_fp8_tflops"))
        .put("link", link(row))
        .put("link_kind", row.word("link", LINKS).map(quoted))
        .put("scale_up_topology", row.word("scale_up_topology", TOPOLOGIES).map(quoted))
        .put("link_bandwidth", or_zero("link_gb_s_per_dir", "BytesPerSecond::gb_s"))
        .put("link_bandwidth_per_peer", rate("link_gb_s_per_peer", "BytesPerSecond::gb_s"))
        .put("scale_up_max", scale_up(row, packages))
        .put("pcie_bandwidth", or_zero("pcie_gb_s_per_dir", "BytesPerSecond::gb_s"))
        .put("pcie_peer_to_peer", row.truth("pcie_p2p").map(|truth| truth.to_string()))
        .put("power", or_zero("tdp_w", "Watts::new"))
        .put("devices_per_package", Ok(packages.to_string()))
        .optional_reference("variant_of", "accelerator", ids)
        .text("source")
        .texts("recalled_fields")
        .put("confidence", confidence(row))
        .text_or_empty("note")
        .reads(&["arch", "memory_gb", "memory_gib", "mem_bw_gb_s", "link", "scale_up_topology"])
        .reads(&["fp32_tflops", "tf32_tflops", "bf16_tflops", "fp16_tflops", "fp8_tflops"])
        .reads(&["measured_bf16_tflops", "measured_fp8_tflops", "devices_per_package"])
        .reads(&["link_gb_s_per_dir", "link_gb_s_per_peer", "pcie_gb_s_per_dir", "pcie_p2p"])
        .reads(&["tdp_w", "scale_up_max", "confidence"])
        // Kept in the file, used by nothing yet.
        .reads(&["link_gen", "link_count", "link_gb_s_bidir", "pcie_gen", "pcie_lanes"])
        .reads(&["int8_tops", "fp4_tflops", "matrix_fp32_tflops", "c2c_gb_s_per_dir", "export"])
        .finish()
}

/// `Confidence::…`: as stated, else high when read and medium when recalled (README rule 3).
pub(crate) fn confidence(row: &Row) -> Result<String, String> {
    let word = match (row.has("confidence"), row.text("source")?.starts_with("recalled")) {
        (true, _) => row.word("confidence", CONFIDENCES)?,
        (false, true) => "medium",
        (false, false) => "high",
    };
    Ok(match word {
        "high" => "Confidence::High",
        "medium" => "Confidence::Medium",
        _ => "Confidence::Low",
    }
    .to_owned())
}

fn packages(row: &Row) -> Result<u32, String> {
    if row.has("devices_per_package") { row.count("devices_per_package", &(1..=16)) } else { Ok(1) }
}

fn architecture(row: &Row) -> Result<String, String> {
    let word = row.text("arch")?;
    match ARCHITECTURES.iter().find(|(name, _)| *name == word) {
        Some((_, variant)) => Ok(format!("Architecture::{variant}")),
        None => row.word("arch", OTHER_ARCHITECTURES).map(|_| "Architecture::Other".to_owned()),
    }
}

/// What the driver reports; where that is not known, the nominal size, which is binary on the
/// chip.
fn memory(row: &Row, each: f64) -> Result<String, String> {
    let nominal = row.number("memory_gb", &(4.0..=4096.0))?;
    let reported = row.optional_number("memory_gib", &(4.0..=nominal.value))?;
    Ok(scaled("Bytes::gib", reported.as_ref().unwrap_or(&nominal), each))
}

fn link(row: &Row) -> Result<String, String> {
    let variant = match (row.word("link", LINKS)?, row.text("scale_up_topology")?) {
        ("none", _) => "None",
        ("nvlink", "bridge") => "NvLinkBridge",
        ("nvlink", _) => "NvLink",
        _ => "Other",
    };
    Ok(format!("Link::{variant}"))
}

fn scale_up(row: &Row, packages: u32) -> Result<String, String> {
    let most = if row.has("scale_up_max") { row.count("scale_up_max", &(1..=16384))? } else { 0 };
    Ok((most * packages).to_string())
}
