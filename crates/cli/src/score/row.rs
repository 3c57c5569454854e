//! One line of a table of measured runs: what was configured, apart from what was measured.

use serde::Deserialize;

/// The configuration columns as text; a prediction sees nothing else.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Configuration {
    pub(super) kind: String,
    pub(super) model: String,
    pub(super) layers: String,
    pub(super) hidden: String,
    pub(super) heads: String,
    pub(super) kv_heads: String,
    pub(super) ffn_hidden: String,
    pub(super) vocab: String,
    pub(super) seq_len: String,
    pub(super) moe_experts: String,
    pub(super) moe_topk: String,
    pub(super) moe_ffn: String,
    pub(super) gpu: String,
    pub(super) gpus_per_node: String,
    pub(super) n_gpus: String,
    pub(super) intra_link: String,
    pub(super) inter_link_gbps_per_gpu: String,
    pub(super) tp: String,
    pub(super) pp: String,
    pub(super) vpp: String,
    pub(super) cp: String,
    pub(super) ep: String,
    pub(super) dp: String,
    pub(super) zero_or_fsdp: String,
    pub(super) zero_shard_group: String,
    pub(super) offload: String,
    pub(super) sequence_parallel: String,
    pub(super) micro_batch: String,
    pub(super) global_batch: String,
    pub(super) precision: String,
    pub(super) recompute: String,
    pub(super) flash_attention: String,
    pub(super) framework: String,
    pub(super) framework_version_or_year: String,
    pub(super) sw_flags: String,
}

/// What a row is called, how far it is trusted, and what came out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Measured {
    pub(super) id: String,
    pub(super) family: String,
    pub(super) quality: String,
    pub(super) oom: String,
    pub(super) step_time_derived_s: String,
    #[serde(rename = "peak_mem_GiB")]
    pub(super) peak_mem_gib: String,
    pub(super) mem_kind: String,
}

/// A line of the table.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) line: u64,
    pub(super) configuration: Configuration,
    pub(super) measured: Measured,
}

/// A configuration that the planner's inputs cannot say, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Inexpressible(pub(super) String);

impl Measured {
    /// A printed positive number; none when the cell is empty or not a number.
    pub(super) fn number(text: &str) -> Option<f64> {
        text.trim().parse::<f64>().ok().filter(|value| value.is_finite() && *value > 0.0)
    }

    /// Rows of quality A and B that ran are scored.
    pub(super) fn scored(&self) -> bool {
        self.trusted() && !self.out_of_memory()
    }

    pub(super) fn trusted(&self) -> bool {
        matches!(self.quality.as_str(), "A" | "B")
    }

    /// A step time is what the row is for.
    pub(super) fn has_time(&self) -> bool {
        Self::number(&self.step_time_derived_s).is_some()
    }

    /// A peak or a failure is stated.
    pub(super) fn has_memory(&self) -> bool {
        self.out_of_memory() || Self::number(&self.peak_mem_gib).is_some()
    }

    pub(super) fn out_of_memory(&self) -> bool {
        self.oom.trim() == "y"
    }
}

/// A whole number of a configuration column; none when the cell is empty.
pub(super) fn whole(field: &str, text: &str) -> Result<Option<u32>, Inexpressible> {
    const MOST: f64 = 1e9;
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse::<f64>() {
        Ok(value) if (1.0..=MOST).contains(&value) => Ok(Some(floor(value))),
        _ => Err(Inexpressible(format!("{field} is \"{text}\", not a number from 1 to 1e9"))),
    }
}

/// A whole number that must be stated.
pub(super) fn required(field: &str, text: &str) -> Result<u32, Inexpressible> {
    whole(field, text)?.ok_or_else(|| Inexpressible(format!("{field} is not stated")))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the caller bounds the value to 1 … 1e9"
)]
fn floor(value: f64) -> u32 {
    value as u32
}
