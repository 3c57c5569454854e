//! The language model: what one config.json means, its exact parameter counts and its work.

mod description;

pub use description::{
    Attention, AttentionBias, FeedForward, LatentAttention, MixtureOfExperts, Model, Norm,
    ParamCounts, SlidingWindow,
};
