//! The language model: what one config.json means, its exact parameter counts and its work.
//!
//! [`read_model`] and [`preset`] yield a [`Model`]; both count by the same rules. [`outline`] takes
//! what a file states that does not suffice for that.
//!
//! Readers of single fields are never inlined: a copy in each of their hundred callers would only
//! make the worker larger, as the planner is compiled for speed.

mod arguments;
mod bounds;
mod config;
mod counts;
mod description;
mod error;
mod families;
mod family;
mod form;
mod json;
mod kind;
mod kv;
mod layers;
mod megatron;
mod names;
mod nested;
mod outline;
mod pattern;
mod presets;
mod read;
mod shape;
mod syntax;
mod work;

pub use config::read_config;
pub use description::{
    Attention, AttentionBias, FeedForward, LatentAttention, LinearAttention, MixtureOfExperts,
    Model, Norm, ParamCounts, SlidingWindow,
};
pub use error::{ConfigError, Expected};
pub use form::{FORM_FLAGS, FORM_NUMBERS, ModelForm};
pub use kind::FileKind;
pub use kv::{KvCache, KvFormat};
pub use outline::{Outline, Stated, outline};
pub use presets::{ModelPreset, preset, presets};
pub use read::read_model;
pub use syntax::SyntaxCause;

#[cfg(test)]
mod tests;
