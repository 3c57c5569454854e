//! The document: inputs only, every result is computed from them.

use planner::cluster::{ClusterSpec, Fabric, IntraNode, Spine};
use planner::price::PriceOptions;
use planner::strategy::{Adapter, Job, JobKind, Optimizer, Pins, Precision};
use planner::units::{BitsPerSecond, Bytes, Currency};
use serde::{Deserialize, Serialize};

/// One project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    pub name: String,
    pub model: ModelSource,
    pub job: Job,
    pub cluster: ClusterSpec,
    pub pins: Pins,
    pub price: PriceOptions,
}

/// Where the model comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelSource {
    /// Id of a preset in the catalog.
    Preset(String),
    /// A config.json as it was dropped or pasted, with its file name.
    Config { name: String, text: String },
}

impl Document {
    /// The job that a new user sees: a full fine-tune of Llama 2 70B on 2 × 8 A100.
    pub fn example() -> Self {
        Self {
            name: "Llama 2 70B on 2 × 8 A100".to_owned(),
            model: ModelSource::Preset("llama2-70b".to_owned()),
            job: Job {
                kind: JobKind::FullFineTune,
                sequence: 4096,
                global_batch: 128,
                precision: Precision::Bf16Mixed,
                optimizer: Optimizer::AdamW,
                adapter: Adapter::default(),
                tokens: 1e9,
            },
            cluster: ClusterSpec {
                accelerator: "a100-sxm-80g".to_owned(),
                nodes: 2,
                gpus_per_node: 8,
                intra: IntraNode::NvSwitch,
                nics_per_node: 8,
                nic_speed: BitsPerSecond::gbps(200.0),
                fabric: Fabric::InfiniBand,
                rail_optimized: true,
                spine: Some(Spine { nodes_per_segment: 0, oversubscription: 1.0 }),
                host_memory: Bytes::gib(2048.0),
            },
            pins: Pins::default(),
            price: PriceOptions { currency: Currency::Cny, term_months: 0, platforms: Vec::new() },
        }
    }
}
