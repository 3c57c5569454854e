//! Megatron arguments, alone and in launch scripts.

use super::super::*;
use super::refused;

const LLAMA_70B: &str = r#"#!/bin/bash
# 16 nodes
GPUS_PER_NODE=8
LAYERS=80
export HIDDEN="8192"
DISTRIBUTED_ARGS="
    --nproc_per_node $GPUS_PER_NODE \
    --nnodes 16
"
GPT_MODEL_ARGS=(
    --num-layers $LAYERS
    --hidden-size ${HIDDEN}
    --ffn-hidden-size 28672
    --num-attention-heads 64
    --group-query-attention
    --num-query-groups ${GROUPS_:-8}
    --seq-length 4096
    --max-position-embeddings 4096
    --swiglu
    --normalization RMSNorm
    --position-embedding-type rope
    --disable-bias-linear
    --untie-embeddings-and-output-weights
)
DATA_ARGS=( --tokenizer-type NullTokenizer --vocab-size 32000 --tensor-model-parallel-size 8 )
torchrun $DISTRIBUTED_ARGS pretrain_gpt.py "${GPT_MODEL_ARGS[@]}" "${DATA_ARGS[@]}"
"#;

#[track_caller]
fn read(text: &str) -> Model {
    read_model("run.sh", text).unwrap()
}

/// Llama 2 70B but for its vocabulary, which eight ranks pad from 32,001 to 32,768.
#[test]
fn a_launch_script_is_read() {
    let (found, known) = (read(LLAMA_70B), preset("llama2-70b").unwrap());
    assert_eq!(found.vocab, 32_768);
    assert_eq!(found.assumptions, ["padded-vocab-size=32768"]);
    assert_eq!(found.counts.total - known.counts.total, 2 * 768 * 8192);
    assert_eq!(found.attention, known.attention);
    let stated = LLAMA_70B.replace("--vocab-size 32000", "--padded-vocab-size=32000");
    assert_eq!(read(&stated).counts, known.counts);
}

/// GPT-3 175B as `examples/gpt3` of Megatron-LM has it: learned positions, biases, tied.
#[test]
fn the_defaults_are_those_of_the_parser() {
    let text = "--num-layers 96 --hidden-size 12288 --num-attention-heads 96 --seq-length 2048 \
        --max-position-embeddings 2048 --vocab-size 50257";
    let found = read(text);
    assert_eq!(found.vocab, 50_304);
    assert!(found.tied && found.feed_forward.bias && !found.feed_forward.gated);
    assert_eq!((found.norm, found.learned_positions), (Norm::Layer, 2048));
    // 96 layers of 12 h² + 13 h, both ends and the last norm.
    let hidden = 12_288_u64;
    let layers = 96 * (12 * hidden * hidden + 13 * hidden);
    assert_eq!(found.counts.total, layers + (50_304 + 2048 + 2) * hidden);
    let gated = read(&format!("{text} --swiglu"));
    assert_eq!(gated.feed_forward.width, 32_768);
}

/// The shape of DeepSeek-V3 in Megatron's words counts as its config.json does.
#[test]
fn latent_attention_and_experts_are_read() {
    let found = read(
        "--num-layers 61 --hidden-size 7168 --ffn-hidden-size 18432 --num-attention-heads 128 \
        --max-position-embeddings 4096 --multi-latent-attention --q-lora-rank 1536 \
        --kv-lora-rank 512 --qk-head-dim 128 --qk-pos-emb-head-dim 64 --v-head-dim 128 \
        --qk-layernorm --normalization RMSNorm --swiglu --position-embedding-type rope \
        --disable-bias-linear --untie-embeddings-and-output-weights --num-experts 256 \
        --moe-ffn-hidden-size 2048 --moe-router-topk 8 \
        --moe-shared-expert-intermediate-size 2048 --moe-layer-freq '([0]*3+[1]*58)' \
        --padded-vocab-size 129280",
    );
    let known = preset("deepseek-v3").unwrap();
    assert_eq!(found.counts, known.counts);
    assert_eq!(found.experts, known.experts);
    assert_eq!(found.attention, known.attention);
}

#[test]
fn a_layer_pattern_is_a_period_or_a_list() {
    let moe = |pattern: &str| {
        let text = format!(
            "--num-layers 6 --hidden-size 64 --num-attention-heads 4 --seq-length 64 \
            --position-embedding-type rope --padded-vocab-size 128 --num-experts 4 \
            --disable-bias-linear --moe-layer-freq {pattern}"
        );
        read_model("", &text).map(|model| model.experts.map(|experts| experts.moe_layers))
    };
    assert_eq!(moe("1").unwrap(), Some(6));
    assert_eq!(moe("4").unwrap(), Some(2));
    assert_eq!(moe("\"([0]+[1,0,1]*1+[1]*2)\"").unwrap(), Some(4));
    assert_eq!(moe("([0]*3)*2").unwrap(), None);
    for wrong in ["[1]*5", "[2]*6", "([1]*6", "[1]*99999999999", "lambda", "[1]*6)", "0"] {
        assert!(moe(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_wrong_argument_is_refused_by_name() {
    let with = |old: &str, new: &str| read_model("", &LLAMA_70B.replace(old, new));
    let cases = [
        ("--hidden-size ${HIDDEN}", "", "config-missing-field", "--hidden-size"),
        ("--num-layers $LAYERS", "--num-layers $UNKNOWN", "config-wrong-type", "$UNKNOWN"),
        ("--num-layers $LAYERS", "--num-layers", "config-wrong-type", "--num-layers"),
        ("64\n", "-64\n", "config-out-of-bounds", "-64"),
        ("64\n", "63\n", "config-not-divisible", "--num-attention-heads"),
        ("64\n", "64.5\n", "config-wrong-type", "64.5"),
        ("RMSNorm", "BatchNorm", "config-unsupported-field", "BatchNorm"),
        ("rope", "relative", "config-unsupported-field", "relative"),
        ("--swiglu", "--swiglu --is-hybrid-model", "config-unsupported-presence", "hybrid"),
        ("80\n", "1000000000\n", "config-out-of-bounds", "1000000000"),
        ("--vocab-size 32000", "", "config-missing-field", "--vocab-size"),
    ];
    for (old, new, key, words) in cases {
        refused(with(old, new), key, words);
    }
}

#[test]
fn a_window_and_sinks_are_read() {
    let found = read(&format!("{LLAMA_70B} --window-size 128,0 --window-attn-skip-freq 2"));
    assert_eq!(found.window, Some(SlidingWindow { size: 128, layers: 40 }));
    let sinks = read(&format!("{LLAMA_70B} --softmax-type learnable"));
    assert_eq!(sinks.counts.total - read(LLAMA_70B).counts.total, 80 * 64);
}
