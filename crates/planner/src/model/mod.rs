//! The language model: what one config.json means, its exact parameter counts and its work.
//!
//! [`read_config`] and [`preset`] yield a [`Model`]; both count by the same rules.

mod bounds;
mod config;
mod counts;
mod description;
mod error;
mod families;
mod family;
mod json;
mod layers;
mod presets;
mod shape;
mod work;

pub use config::read_config;
pub use description::{
    Attention, AttentionBias, FeedForward, LatentAttention, LinearAttention, MixtureOfExperts,
    Model, Norm, ParamCounts, SlidingWindow,
};
pub use error::{ConfigError, Expected};
pub use presets::{ModelPreset, preset, presets};

#[cfg(test)]
mod tests;
