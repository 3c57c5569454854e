//! Which layers of a config.json are dense, have experts, a window or linear attention.

use super::bounds::{
    EXPERTS, FFN_WIDTH, LAYER_INDEX, PERIOD, SHARED_EXPERTS, SHARED_WIDTH, WINDOW,
};
use super::config::Config;
use super::error::ConfigError;
use super::family::{DenseLayers, ExpertRule, ExpertWidth, Shared, Window};
use super::json::Given;
use super::names::{EXPERT_NAMES, EXPERT_WIDTH_NAMES, SHARED_NAMES, TOP_K_NAMES};
use super::shape::ExpertExtras;
use super::{MixtureOfExperts, SlidingWindow};

/// The experts and the small tensors of their layers; none where every layer is dense.
pub(super) fn expert_layers(
    config: &mut Config<'_>,
    layers: u32,
) -> Result<(Option<MixtureOfExperts>, ExpertExtras), ConfigError> {
    let Some(rule) = config.family.experts else { return Ok((None, ExpertExtras::NONE)) };
    if matches!(config.reader.find(EXPERT_NAMES), Given::Null) {
        return Ok((None, ExpertExtras::NONE));
    }
    let (moe_layers, first_dense_layers) = places(config, rule, layers)?;
    let experts = config.stated(EXPERT_NAMES, EXPERTS, rule.experts)?;
    let top_k = config.stated(TOP_K_NAMES, EXPERTS, rule.top_k)?;
    if top_k > experts {
        return Err(ConfigError::TooLarge {
            field: config.reader.place("num_experts_per_tok"),
            value: u64::from(top_k),
            other: "num_experts",
            limit: u64::from(experts),
        });
    }
    let width = match rule.width {
        ExpertWidth::Own(default) => {
            config.stated(&["moe_intermediate_size"], FFN_WIDTH, default)?
        }
        ExpertWidth::Intermediate(default) => {
            config.stated(EXPERT_WIDTH_NAMES, FFN_WIDTH, default)?
        }
    };
    let (shared_width, shared_gate) = shared(config, rule, width)?;
    let extras =
        ExpertExtras { router_bias: rule.router_bias, expert_bias: rule.expert_bias, shared_gate };
    let experts =
        MixtureOfExperts { experts, top_k, width, shared_width, moe_layers, first_dense_layers };
    Ok(((moe_layers > 0).then_some(experts), extras))
}

/// The layers with a sliding window.
pub(super) fn window(
    config: &mut Config<'_>,
    layers: u32,
) -> Result<Option<SlidingWindow>, ConfigError> {
    let types = layer_types(config, layers)?;
    let (field, default) = match config.family.window {
        Window::None => return refuse_windows(config, types.as_deref()).map(|()| None),
        Window::Listed if types.is_none() => return Ok(None),
        Window::All(size) | Window::Period(size, _) | Window::AfterFirst(size, _) => {
            ("sliding_window", size)
        }
        Window::Listed => ("sliding_window", 0),
        Window::QwenUpper | Window::QwenLower | Window::QwenAll => {
            if !config.reader.flag("use_sliding_window")?.unwrap_or(false) {
                return Ok(None);
            }
            ("sliding_window", 4_096)
        }
        Window::Chunks => ("attention_chunk_size", 8_192),
    };
    let size = match config.reader.number(&[field], WINDOW)? {
        Given::Value(size) => size,
        Given::Null => return Ok(None),
        Given::Absent if default == 0 => return Ok(None),
        Given::Absent => config.reader.number_or(&[field], WINDOW, default)?,
    };
    if matches!(config.family.window, Window::Chunks) {
        config.reader.assume("sliding_window", size);
    }
    let layers = match types {
        Some(types) => count(types.iter().filter(|kind| WINDOWED.contains(kind))),
        None => windowed_by_rule(config, layers)?,
    };
    Ok((layers > 0).then_some(SlidingWindow { size, layers }))
}

/// How many layers have linear attention.
pub(super) fn linear_layers(config: &mut Config<'_>, layers: u32) -> Result<u32, ConfigError> {
    if let Some(types) = layer_types(config, layers)? {
        return Ok(count(types.iter().filter(|kind| **kind == LINEAR)));
    }
    let interval = config.reader.number_or(&["full_attention_interval"], PERIOD, 4)?;
    Ok(all_but_every(interval, layers))
}

const LINEAR: &str = "linear_attention";
const WINDOWED: [&str; 2] = ["sliding_attention", "chunked_attention"];
const KNOWN_TYPES: [&str; 4] =
    ["full_attention", "sliding_attention", "chunked_attention", "indexed_attention"];

/// The list of layer types, if given: one known type for each layer.
fn layer_types<'a>(config: &Config<'a>, layers: u32) -> Result<Option<Vec<&'a str>>, ConfigError> {
    let Some(types) = config.reader.texts("layer_types")? else { return Ok(None) };
    if count(types.iter()) != layers {
        return Err(ConfigError::OutOfBounds {
            field: config.reader.place("layer_types"),
            value: types.len().to_string(),
            least: u64::from(layers),
            most: u64::from(layers),
        });
    }
    let known =
        |kind: &str| KNOWN_TYPES.contains(&kind) || (config.family.linear && kind == LINEAR);
    match types.iter().find(|kind| !known(kind)) {
        Some(kind) => Err(config.unsupported("layer_types", kind, KNOWN_TYPES.join(", "))),
        None => Ok(Some(types)),
    }
}

fn refuse_windows(config: &Config<'_>, types: Option<&[&str]>) -> Result<(), ConfigError> {
    match types.unwrap_or_default().iter().find(|kind| WINDOWED.contains(kind)) {
        Some(kind) => Err(config.unsupported("layer_types", kind, "full_attention")),
        None => Ok(()),
    }
}

fn windowed_by_rule(config: &mut Config<'_>, layers: u32) -> Result<u32, ConfigError> {
    let reader = &mut config.reader;
    Ok(match config.family.window {
        Window::None | Window::Listed => 0,
        Window::All(_) | Window::QwenAll => layers,
        Window::Period(_, period) => {
            let names =
                ["sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers"];
            let period = reader.number(&names, PERIOD)?.value().unwrap_or(period);
            all_but_every(period, layers)
        }
        Window::AfterFirst(_, period) => layers - layers.div_ceil(period),
        Window::QwenUpper => {
            layers.saturating_sub(reader.number_or(&["max_window_layers"], LAYER_INDEX, 28)?)
        }
        Window::QwenLower => {
            let upper = reader.number_or(&["max_window_layers"], LAYER_INDEX, 28)?.min(layers);
            upper.div_ceil(2)
        }
        Window::Chunks => match reader.indices("no_rope_layers", LAYER_INDEX)? {
            Some(rope) if !rope.is_empty() => {
                count(rope.iter().filter(|flag| **flag != 0)).min(layers)
            }
            _ => all_but_every(reader.number_or(&["no_rope_layer_interval"], PERIOD, 4)?, layers),
        },
    })
}

/// How many layers have experts, and how many dense ones come first.
fn places(
    config: &mut Config<'_>,
    rule: ExpertRule,
    layers: u32,
) -> Result<(u32, u32), ConfigError> {
    let reader = &mut config.reader;
    Ok(match rule.dense {
        DenseLayers::None => (layers, 0),
        DenseLayers::First(field, default) => {
            if let Some(listed) = listed_sparse(config, layers)? {
                return Ok(listed);
            }
            let reader = &mut config.reader;
            let first = match reader.number(&[field], LAYER_INDEX)? {
                Given::Value(first) => first,
                Given::Null => 0,
                Given::Absent => reader.number_or(&[field], LAYER_INDEX, default)?,
            };
            (layers.saturating_sub(first), first.min(layers))
        }
        DenseLayers::Range => in_range(config, layers)?,
        DenseLayers::SparseStep => {
            let step = reader.number_or(&["decoder_sparse_step"], PERIOD, 1)?;
            let dense = reader.indices("mlp_only_layers", LAYER_INDEX)?.unwrap_or_default();
            let sparse = |layer: &u32| !dense.contains(layer) && (layer + 1).is_multiple_of(step);
            let first = (0..layers).find(sparse).unwrap_or(layers);
            (count((0..layers).filter(sparse)), if step == 1 { first } else { 0 })
        }
        DenseLayers::Interleaved => match reader.indices("moe_layers", LAYER_INDEX)? {
            Some(listed) => (count((0..layers).filter(|layer| listed.contains(layer))), 0),
            None => (layers / reader.number_or(&["interleave_moe_layer_step"], PERIOD, 1)?, 0),
        },
    })
}

/// As `mlp_layer_types` lists them: how many have experts, and how many dense ones come first.
fn listed_sparse(config: &Config<'_>, layers: u32) -> Result<Option<(u32, u32)>, ConfigError> {
    let Some(types) = config.reader.texts("mlp_layer_types")? else { return Ok(None) };
    if count(types.iter()) != layers {
        return Err(ConfigError::OutOfBounds {
            field: config.reader.place("mlp_layer_types"),
            value: types.len().to_string(),
            least: u64::from(layers),
            most: u64::from(layers),
        });
    }
    if let Some(kind) = types.iter().find(|kind| !["dense", "sparse"].contains(kind)) {
        return Err(config.unsupported("mlp_layer_types", kind, "dense, sparse"));
    }
    let first = count(types.iter().take_while(|kind| **kind == "dense"));
    Ok(Some((count(types.iter().filter(|kind| **kind == "sparse")), first)))
}

/// As the three `moe_layer` fields say (models/ernie4_5_moe/modeling_ernie4_5_moe.py).
fn in_range(config: &mut Config<'_>, layers: u32) -> Result<(u32, u32), ConfigError> {
    let reader = &mut config.reader;
    let start = reader.number_or(&["moe_layer_start_index"], LAYER_INDEX, 1)?;
    let interval = reader.number_or(&["moe_layer_interval"], PERIOD, 1)?;
    let last = layers.saturating_sub(1);
    let end = match reader.find(&["moe_layer_end_index"]) {
        // -1 stands for the last layer.
        Given::Value((_, value)) if value.as_i64() == Some(-1) => last,
        _ => reader.number(&["moe_layer_end_index"], LAYER_INDEX)?.value().unwrap_or(last),
    };
    let sparse =
        |layer: &u32| (layer + 1).is_multiple_of(interval) && start <= *layer && *layer <= end;
    let first = (0..layers).find(sparse).unwrap_or(layers);
    Ok((count((0..layers).filter(sparse)), if interval == 1 { first } else { 0 }))
}

/// The summed width of the shared experts and whether they have a gate.
fn shared(
    config: &mut Config<'_>,
    rule: ExpertRule,
    width: u32,
) -> Result<(u32, bool), ConfigError> {
    Ok(match rule.shared {
        Shared::None => (0, false),
        Shared::One => (width, false),
        Shared::Count(default) => {
            let number = match config.reader.number(SHARED_NAMES, SHARED_EXPERTS)? {
                Given::Value(number) => number,
                Given::Null => 0,
                Given::Absent => config.reader.number_or(SHARED_NAMES, SHARED_EXPERTS, default)?,
            };
            (number * width, false)
        }
        Shared::Width(default) => {
            let names = ["shared_intermediate_size"];
            (config.reader.number_or(&names, SHARED_WIDTH, default)?, false)
        }
        Shared::Gated(default) => {
            let names = ["shared_expert_intermediate_size"];
            (config.reader.number_or(&names, SHARED_WIDTH, default)?, true)
        }
    })
}

fn all_but_every(period: u32, layers: u32) -> u32 {
    layers - layers / period
}

fn count<T>(items: impl Iterator<Item = T>) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}
