"""Writes counts.jsonl: configs and the number of parameters of the class that the transformers
library builds from each, on the meta device. The Rust tests read the file; this runs by hand:

    python3 -m venv V && V/bin/pip install transformers==5.24.0 torch && V/bin/python make.py

Shapes are small and drawn at random from a fixed seed: sizes, flags stated, false, null or left
out; SEED, VARIANTS and OUT in the environment draw others. The last rows are nested text models that state nothing but their type.
"""
import json
import os
import random
import warnings
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore")
import torch
import transformers
from transformers import AutoConfig, AutoModel, AutoModelForCausalLM

transformers.logging.set_verbosity_error()

FAMILIES = """
llama granite smollm3 seed_oss ernie4_5 mistral qwen2 qwen3 gemma gemma2 gemma3_text glm glm4 phi3
olmo2 cohere stablelm gpt2 gpt_bigcode gptj gpt_neox opt bloom mpt falcon phi starcoder2 nemotron
mixtral qwen2_moe qwen3_moe qwen3_next gpt_oss phimoe olmoe granitemoe minimax_m2 dbrx glm4_moe
llama4_text deepseek_v2 deepseek_v3 deepseek_v32 glm_moe_dsa qwen2_vl_text qwen2_5_vl_text
qwen3_vl_text qwen3_5_text internlm3 exaone exaone4 arcee cwm hunyuan_v1_dense granite_swa
iquestcoder jais2 ministral ministral3 vaultgemma olmo olmo3 nanochat cohere2 glm4v_text codegen
gpt_neo xglm biogpt persimmon qwen3_vl_moe_text qwen3_5_moe_text flex_olmo granitemoeshared
hunyuan_v1_moe hy_v3 dots1 ernie4_5_moe exaone_moe afmoe solar_open mellum glm4_moe_lite minicpm3
youtu
""".split()
FLAGS = """
tie_word_embeddings attention_bias mlp_bias use_bias bias qkv_bias use_qkv_bias use_qk_norm
lm_head_bias multi_query parallel_attn new_decoder_architecture use_parallel_residual enable_bias
qk_layernorm add_qkv_bias
""".split()
SIZES = {
    "layers": ["num_hidden_layers", "n_layer", "num_layers", "n_layers"],
    "heads": ["num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads"],
    "hidden": ["hidden_size", "n_embd", "d_model"],
    "width": ["intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"],
    "positions": ["max_position_embeddings", "n_positions", "max_seq_len"],
}
# The names that files have where the class of today keeps them under others.
OLD_FLAGS = {"internlm3": {"bias": "mlp_bias", "qkv_bias": "attention_bias"}}
SEED, VARIANTS = int(os.environ.get("SEED", 20261201)), int(os.environ.get("VARIANTS", 8))


def count(config, stated):
    with torch.device("meta"):
        if config.model_type in CAUSAL:
            model = AutoModelForCausalLM.from_config(config)
            head = 0
        else:
            model = AutoModel.from_config(config)
            # The head lies in the class around the text model, which ties it if the file says so.
            head = 0 if stated.get("tie_word_embeddings") else config.vocab_size * config.hidden_size
    return sum(parameter.numel() for parameter in model.parameters()) + head


def drawn(draw, name):
    known = AutoConfig.for_model(name).to_dict()
    stated = {"model_type": name, "vocab_size": draw.randrange(200, 900)}
    heads, head_dim = draw.choice([4, 8]), draw.choice([16, 32])
    values = {
        "layers": draw.randrange(2, 8),
        "heads": heads,
        "hidden": heads * head_dim,
        "width": draw.randrange(3, 9) * 32,
        "positions": draw.randrange(64, 300),
    }
    for size, names in SIZES.items():
        key = next((key for key in names if key in known), None)
        if key:
            stated[key] = values[size]

    def maybe(key, choices):
        """States one of `choices`, or leaves the field out half of the time."""
        if key in known and draw.random() < 0.5:
            stated[key] = draw.choice(choices)

    def always(key, choices):
        if key in known:
            stated[key] = draw.choice(choices)

    for key in ["num_key_value_heads", "num_kv_heads"]:
        default = known.get(key)
        fits = default is None or heads % default == 0
        (maybe if fits else always)(key, [1, 2, heads] + [None] * (default is None))
    latent = "kv_lora_rank" in known
    if "head_dim" in known and not latent:
        (always if known["head_dim"] is None and "hunyuan" in name else maybe)("head_dim", [16, 24, 48])
    if name in ("gpt2", "gpt_bigcode", "gptj", "codegen", "gpt_neo"):
        stated[next(key for key in SIZES["width"] if key in known)] = draw.choice([None, 160])
    for key in FLAGS:
        # Latent attention with this bias is refused: the shared experts would follow it or not.
        if key == "mlp_bias" and name in ("deepseek_v2", "deepseek_v32", "glm_moe_dsa"):
            continue
        old = OLD_FLAGS.get(name, {})
        if key in old:
            known.setdefault(key, False)
        if key not in old.values():
            maybe(key, [True, False])
    layers = values["layers"]
    for key in ["num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"]:
        always(key, [4, 6])
    for key in ["num_experts_per_tok", "moe_k", "moe_topk"]:
        always(key, [1, 2])
    for key in ["n_group", "topk_group"]:
        always(key, [1])
    always("moe_intermediate_size", [24, 40])
    always("intermediate_size_mlp", [72])
    maybe("shared_expert_intermediate_size", [24, 56])
    maybe("shared_intermediate_size", [0, 56])
    for key in ["n_shared_experts", "num_shared_experts", "moe_num_shared_experts"]:
        maybe(key, [1, 2])
    maybe("first_k_dense_replace", [0, 1, 2])
    maybe("num_dense_layers", [0, 1, 2])
    maybe("decoder_sparse_step", [1, 2, 3])
    maybe("mlp_only_layers", [[], [0], [1, layers - 1]])
    maybe("interleave_moe_layer_step", [1, 2])
    maybe("moe_layer_interval", [1, 2])
    maybe("moe_layer_start_index", [0, 1, 2])
    maybe("moe_layer_end_index", [-1, layers - 2])
    if "mlp_layer_types" in known:
        maybe("mlp_layer_types", [[draw.choice(["dense", "sparse"]) for _ in range(layers)]])
    maybe("q_lora_rank", [24, None])
    maybe("kv_lora_rank", [16, 40])
    maybe("qk_rope_head_dim", [8, 16])
    maybe("qk_nope_head_dim", [16, 32])
    maybe("v_head_dim", [16, 32])
    maybe("index_n_heads", [2, 4])
    maybe("index_head_dim", [32, 64])
    maybe("linear_num_key_heads", [2, 4])
    maybe("linear_num_value_heads", [4, 8])
    maybe("linear_key_head_dim", [16, 32])
    maybe("linear_value_head_dim", [16, 32])
    maybe("linear_conv_kernel_dim", [2, 4])
    if name == "falcon":
        maybe("num_ln_in_parallel_attn", [1, 2, None])
    if name == "dbrx":
        stated["attn_config"] = {"kv_n_heads": draw.choice([1, 2]), "clip_qkv": 8}
        stated["ffn_config"] = {"ffn_hidden_size": 96, "moe_num_experts": 4, "moe_top_k": 2}
    if name == "gpt_neo":
        stated["attention_types"] = [[["global"], layers]]
    return stated


def main():
    draw, rows, refused = random.Random(SEED), [], {}
    for name in FAMILIES:
        made = 0
        for _ in range(VARIANTS * 4):
            stated = drawn(draw, name)
            try:
                config = type(AutoConfig.for_model(name)).from_dict(dict(stated))
                rows.append({"config": stated, "parameters": count(config, stated)})
                made += 1
            except Exception as error:
                refused.setdefault(name, set()).add(f"{type(error).__name__}: {error}"[:160])
            if made == VARIANTS:
                break
    for name in FAMILIES:
        # Its default heads do not divide its default hidden size.
        if name == "glm4_moe":
            continue
        try:
            parameters = count(AutoConfig.for_model(name), {})
        except Exception:
            continue
        rows.append({"config": {"text_config": {"model_type": name}}, "parameters": parameters})
    with Path(os.environ.get("OUT", Path(__file__).with_name("counts.jsonl"))).open("w") as file:
        for row in rows:
            file.write(json.dumps(row, separators=(",", ":")) + "\n")
    print(len(rows), "rows of transformers", transformers.__version__)
    for name, errors in refused.items():
        print(name, "refuses:", *errors, sep="\n    ")


CAUSAL = set(transformers.models.auto.modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES)
main()
