//! Families with latent attention.

use super::super::family::{
    DenseLayers, ExpertRule, ExpertWidth, Family, LatentRule, Only, Shared, Switch, Width,
};
use super::bases::{DEEPSEEK_V3, DEEPSEEK_V3_EXPERTS, DEEPSEEK_V3_LATENT};

pub(super) static LATENT: &[Family] = &[
    Family {
        names: &["deepseek_v2"],
        size: (32, 4_096),
        vocab: 102_400,
        heads: 32,
        width: Width::Default(11_008),
        max_positions: 2_048,
        experts: Some(ExpertRule {
            experts: 64,
            top_k: 6,
            width: ExpertWidth::Own(1_407),
            shared: Shared::Count(2),
            dense: DenseLayers::First("first_k_dense_replace", 0),
            ..DEEPSEEK_V3_EXPERTS
        }),
        ..DEEPSEEK_V3
    },
    DEEPSEEK_V3,
    Family {
        names: &["deepseek_v32"],
        max_positions: 163_840,
        latent: Some(LatentRule { indexer: Some((64, 128)), ..DEEPSEEK_V3_LATENT }),
        ..DEEPSEEK_V3
    },
    Family {
        names: &["glm_moe_dsa"],
        size: (78, 6_144),
        vocab: 154_880,
        heads: 64,
        width: Width::Default(12_288),
        max_positions: 202_752,
        latent: Some(LatentRule {
            q_rank: 2_048,
            nope_dim: 192,
            v_dim: 256,
            indexer: Some((32, 128)),
            ..DEEPSEEK_V3_LATENT
        }),
        only: &[
            ("mlp_bias", Only::Flag(false)),
            ("indexer_types", Only::Absent),
            ("index_topk_pattern", Only::Absent),
            ("index_topk_freq", Only::Number(1)),
        ],
        ..DEEPSEEK_V3
    },
    Family {
        names: &["glm4_moe_lite"],
        size: (47, 2_048),
        vocab: 154_880,
        heads: 20,
        width: Width::Default(10_240),
        max_positions: 202_752,
        latent: Some(LatentRule { q_rank: 768, nope_dim: 192, v_dim: 256, ..DEEPSEEK_V3_LATENT }),
        experts: Some(ExpertRule {
            experts: 64,
            top_k: 4,
            width: ExpertWidth::Own(1_536),
            dense: DenseLayers::First("first_k_dense_replace", 1),
            ..DEEPSEEK_V3_EXPERTS
        }),
        ..DEEPSEEK_V3
    },
    Family {
        names: &["minicpm3"],
        size: (62, 2_560),
        vocab: 73_448,
        heads: 40,
        width: Width::Default(6_400),
        max_positions: 32_768,
        tied: true,
        ffn_bias: Switch::Field("mlp_bias", false),
        experts: None,
        latent: Some(LatentRule {
            q_rank: 768,
            kv_rank: 256,
            nope_dim: 64,
            rope_dim: 32,
            v_dim: 0,
            indexer: None,
        }),
        only: &[],
        ..DEEPSEEK_V3
    },
    Family {
        names: &["youtu"],
        size: (32, 2_048),
        vocab: 128_256,
        heads: 16,
        width: Width::Default(6_144),
        max_positions: 131_072,
        tied: true,
        experts: None,
        only: &[],
        ..DEEPSEEK_V3
    },
];
