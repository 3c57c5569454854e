//! The document: inputs only, every result is computed from them.

use planner::cluster::ClusterSpec;
use planner::price::PriceOptions;
use planner::strategy::{Job, Pins};
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
