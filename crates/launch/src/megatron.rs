//! Megatron-LM arguments of a plan (megatron/training/arguments.py of Megatron-Core 0.19;
//! keys and rules: reference/export_keys.md, sections 0 and 1).

use planner::catalog::{Architecture, accelerator};
use planner::model::{AttentionBias, Model, Norm};
use planner::strategy::{Layout, Offload, Optimizer, Precision, Recompute, Zero};

use crate::Order;
use crate::script::Argument;

/// Variables that the plan cannot know, with what they mean.
pub(crate) const VARIABLES: [(&str, &str); 5] = [
    ("DATA_PATH", "prefix of the preprocessed dataset"),
    ("TOKENIZER_MODEL", "folder or name of the tokenizer"),
    ("CHECKPOINT_DIR", "folder for checkpoints on shared storage"),
    ("LR", "peak learning rate, which a plan does not choose"),
    ("MEGATRON_PATH", "folder of the Megatron-LM checkout"),
];

/// The shape of the model.
pub(crate) fn model_arguments(model: &Model, sequence: u32) -> Vec<Argument> {
    let attention = &model.attention;
    let mut arguments = vec![
        Argument::value("--num-layers", model.layers),
        Argument::value("--hidden-size", model.hidden),
        Argument::value("--ffn-hidden-size", model.feed_forward.width),
        Argument::value("--num-attention-heads", attention.heads),
        Argument::value("--seq-length", sequence),
        Argument::value("--max-position-embeddings", model.max_positions.max(sequence)),
    ];
    if let Some(latent) = attention.latent {
        arguments.push(Argument::flag("--multi-latent-attention"));
        arguments.push(Argument::flag("--qk-layernorm").because("the latents are normalised"));
        if latent.q_rank > 0 {
            arguments.push(Argument::value("--q-lora-rank", latent.q_rank));
        }
        arguments.extend([
            Argument::value("--kv-lora-rank", latent.kv_rank),
            Argument::value("--qk-head-dim", latent.nope_dim),
            Argument::value("--qk-pos-emb-head-dim", latent.rope_dim),
            Argument::value("--v-head-dim", latent.v_dim),
        ]);
    } else {
        if attention.kv_heads < attention.heads {
            arguments.push(Argument::flag("--group-query-attention"));
            arguments.push(Argument::value("--num-query-groups", attention.kv_heads));
        }
        if attention.head_dim * attention.heads != model.hidden {
            arguments.push(Argument::value("--kv-channels", attention.head_dim));
        }
    }
    if model.feed_forward.gated {
        arguments.push(Argument::flag("--swiglu"));
    }
    if model.norm == Norm::Rms {
        arguments.push(Argument::value("--normalization", "RMSNorm"));
    }
    let position = if model.learned_positions > 0 { "learned_absolute" } else { "rope" };
    arguments.push(Argument::value("--position-embedding-type", position));
    match attention.bias {
        AttentionBias::None if !model.feed_forward.bias => {
            arguments.push(Argument::flag("--disable-bias-linear"));
        }
        AttentionBias::Qkv => {
            arguments.push(Argument::flag("--disable-bias-linear"));
            arguments.push(Argument::flag("--add-qkv-bias"));
        }
        AttentionBias::None | AttentionBias::All => {}
    }
    if !model.tied {
        arguments.push(Argument::flag("--untie-embeddings-and-output-weights"));
    }
    arguments.extend(expert_arguments(model));
    arguments
}

fn expert_arguments(model: &Model) -> Vec<Argument> {
    let Some(experts) = &model.experts else {
        return Vec::new();
    };
    let mut arguments = vec![
        Argument::value("--num-experts", experts.experts),
        Argument::value("--moe-router-topk", experts.top_k),
        Argument::value("--moe-ffn-hidden-size", experts.width),
        Argument::flag("--moe-grouped-gemm").because("one kernel for all local experts"),
        Argument::value("--moe-token-dispatcher-type", "alltoall"),
    ];
    if experts.shared_width > 0 {
        let width = experts.shared_width;
        arguments.push(Argument::value("--moe-shared-expert-intermediate-size", width));
    }
    let (dense, sparse) = (experts.first_dense_layers, experts.moe_layers);
    if dense > 0 && dense + sparse == model.layers {
        let pattern = format!("([0]*{dense}+[1]*{sparse})");
        arguments.push(Argument::value("--moe-layer-freq", pattern));
    } else if sparse < model.layers && sparse > 0 {
        let every = model.layers / sparse;
        arguments.push(Argument::value("--moe-layer-freq", every));
    }
    arguments
}

/// How the plan cuts the model.
pub(crate) fn parallel_arguments(model: &Model, layout: &Layout) -> Vec<Argument> {
    let mut arguments = vec![
        Argument::value("--tensor-model-parallel-size", layout.tp),
        Argument::value("--pipeline-model-parallel-size", layout.pp),
    ];
    if layout.sp {
        arguments.push(
            Argument::flag("--sequence-parallel").because("norms and residuals are cut by TP too"),
        );
    }
    if layout.cp > 1 {
        arguments.push(Argument::value("--context-parallel-size", layout.cp));
    }
    if layout.pp > 1 {
        let stages = layout.pp * layout.vpp;
        if !model.layers.is_multiple_of(stages) {
            let split = stage_layout(model.layers, stages);
            arguments.push(
                Argument::value("--pipeline-model-parallel-layout", split)
                    .because("the layers do not divide by the stages"),
            );
        } else if layout.vpp > 1 {
            arguments.push(
                Argument::value("--num-virtual-stages-per-pipeline-rank", layout.vpp)
                    .because("interleaving divides the bubble"),
            );
        }
    }
    if model.experts.is_some() {
        arguments.push(Argument::value("--expert-model-parallel-size", layout.ep));
        arguments.push(Argument::value("--expert-tensor-parallel-size", layout.etp));
    }
    if layout.zero == Zero::Optimizer {
        arguments.extend([
            Argument::flag("--use-distributed-optimizer").because("ZeRO-1 over DP and CP"),
            Argument::flag("--overlap-grad-reduce"),
            Argument::flag("--overlap-param-gather"),
        ]);
    }
    if layout.recompute == Recompute::Full {
        arguments.extend([
            Argument::value("--recompute-granularity", "full")
                .because("activations do not fit otherwise"),
            Argument::value("--recompute-method", "uniform"),
            Argument::value("--recompute-num-layers", 1),
        ]);
    }
    let modules = recomputed_modules(model, layout.recompute);
    if !modules.is_empty() {
        arguments.push(
            Argument::value("--recompute-granularity", "selective")
                .because("these modules are computed again in the backward pass"),
        );
        arguments.push(Argument::values("--recompute-modules", &modules));
    }
    if layout.offload == Offload::Optimizer {
        arguments.extend([
            Argument::flag("--optimizer-cpu-offload"),
            Argument::flag("--use-precision-aware-optimizer").because("required by the offload"),
        ]);
    }
    arguments
}

/// `--recompute-modules` of a layout: dense blocks are `mlp`, layers of experts `moe`.
fn recomputed_modules(model: &Model, recompute: Recompute) -> Vec<&'static str> {
    let sparse = model.experts.as_ref().map_or(0, |experts| experts.moe_layers);
    let blocks = recompute.feed_forward();
    [
        (recompute.norms(), "layernorm"),
        (blocks && sparse < model.layers, "mlp"),
        (blocks && sparse > 0, "moe"),
    ]
    .into_iter()
    .filter_map(|(computed, module)| computed.then_some(module))
    .collect()
}

/// The optimizer where it is not Adam with fp32 moments.
fn optimizer_arguments(optimizer: Optimizer) -> Vec<Argument> {
    match optimizer {
        Optimizer::AdamW | Optimizer::AdamW8bit => Vec::new(),
        Optimizer::AdamWBf16 => vec![
            Argument::flag("--use-precision-aware-optimizer")
                .because("both moments are kept in bf16"),
            Argument::value("--exp-avg-dtype", "bf16"),
            Argument::value("--exp-avg-sq-dtype", "bf16"),
        ],
        Optimizer::Sgd => vec![
            Argument::value("--optimizer", "sgd"),
            Argument::value("--sgd-momentum", 0).because("nothing is remembered"),
        ],
    }
}

/// Batch, precision, data and checkpoints.
pub(crate) fn training_arguments(order: &Order<'_>) -> Vec<Argument> {
    let job = &order.inputs.job;
    let mut arguments = vec![
        Argument::value("--micro-batch-size", order.plan.layout.micro_batch),
        Argument::value("--global-batch-size", job.global_batch),
        Argument::value("--train-iters", format!("{:.0}", order.plan.steps))
            .because("tokens / (sequence × global batch)"),
        Argument::flag("--bf16"),
        Argument::value("--attention-backend", "flash"),
        Argument::variable("--lr", "LR"),
    ];
    arguments.extend(optimizer_arguments(job.optimizer));
    if job.precision == Precision::Fp8Mixed {
        let recipe = if is_blackwell(order) { "mxfp8" } else { "tensorwise" };
        arguments.push(Argument::value("--fp8-format", "hybrid"));
        arguments.push(Argument::value("--fp8-recipe", recipe));
        if order.plan.layout.zero == Zero::Optimizer {
            arguments.push(
                Argument::flag("--fp8-param-gather")
                    .because("weights are kept in FP8 only, as the memory estimate assumes"),
            );
        }
    }
    arguments.extend([
        Argument::value("--tokenizer-type", "HuggingFaceTokenizer"),
        Argument::variable("--tokenizer-model", "TOKENIZER_MODEL"),
        Argument::variable("--data-path", "DATA_PATH"),
        Argument::variable("--save", "CHECKPOINT_DIR"),
        Argument::variable("--load", "CHECKPOINT_DIR"),
        Argument::value("--save-interval", 500),
        Argument::value("--ckpt-format", "torch_dist"),
    ]);
    arguments
}

/// Megatron asserts `CUDA_DEVICE_MAX_CONNECTIONS=1` with TP or CP up to Hopper.
pub(crate) fn needs_one_connection(order: &Order<'_>) -> bool {
    let layout = &order.plan.layout;
    (layout.tp > 1 || layout.cp > 1) && !is_blackwell(order)
}

fn is_blackwell(order: &Order<'_>) -> bool {
    accelerator(&order.inputs.cluster.accelerator)
        .is_some_and(|accelerator| accelerator.architecture == Architecture::Blackwell)
}

/// `Et*15|t*16|…|t*15,L`: the embedding stands first, the loss last. Where the layers do not
/// divide, the chunks just before the last hold one more, as the memory estimate assumes.
fn stage_layout(layers: u32, chunks: u32) -> String {
    let (each, more) = (layers / chunks, layers % chunks);
    let shorter = (chunks - 1).saturating_sub(more);
    let longer = |chunk: u32| u32::from(chunk >= shorter && chunk + 1 < chunks);
    let sizes: Vec<String> =
        (0..chunks).map(|chunk| format!("t*{}", each + longer(chunk))).collect();
    format!("E{},L", sizes.join("|"))
}
