//! The language model: what one config.json means, its exact parameter counts and its work.

mod description;

pub use description::{
    Attention, AttentionBias, FeedForward, LatentAttention, LinearAttention, MixtureOfExperts, Model, Norm,
    ParamCounts, SlidingWindow,
};
