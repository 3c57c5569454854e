//! The table of the step-time model's constants: name, value, relative spread, evidence.
//! What varies with the software stands in [`super::class`], with the GPU in [`super::device`].

/// One number of the model that no datasheet holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    pub name: &'static str,
    pub value: f64,
    /// Relative standard deviation left after the fit.
    pub spread: f64,
    pub evidence: &'static str,
}

macro_rules! constants {
    ($($(#[$meta:meta])* $id:ident = $name:literal, $value:expr, $spread:expr, $evidence:literal;)*) => {
        $($(#[$meta])* pub(super) const $id: Constant =
            Constant { name: $name, value: $value, spread: $spread, evidence: $evidence };)*
        /// All of them, in the order of the study's sections.
        pub const TABLE: &[Constant] = &[$($id),*];
    };
}

constants! {
    /// Elements at which rows and columns of a matmul cost twice (2.1).
    GEMM_SIZE = "gemm-size", 111.0, 0.35, "STUDY_TIME.md 3, a: fit over 667 runs";
    /// The same for the reduction length.
    GEMM_DEPTH = "gemm-depth", 108.0, 0.47, "STUDY_TIME.md 3, a_k: fit over 667 runs";
    /// Matmul rate at which the two sizes above hold, FLOP/s.
    GEMM_REFERENCE = "gemm-reference", 271e12, 0.01, "STUDY_TIME.md 2.1: A100 matmul search";
    /// How strongly an unfilled wave of tiles slows a matmul.
    TILE_EXPONENT = "tile-exponent", 0.55, 0.32, "STUDY_TIME.md 3, w: micro-batch 1 to 4 of BLOOM";
    /// Rate of grouped matmuls against one matmul of that size.
    GROUPED = "grouped", 0.72, 0.15, "STUDY_TIME.md 2.1: MoE rows";
    /// Share of the memory bandwidth that kernels reach.
    HBM_SHARE = "hbm-share", 0.8, 0.1, "STUDY_TIME.md 2: always 0.8 of the datasheet";
    /// Sequence at which flash attention runs at half its rate.
    FLASH_RAMP = "flash-ramp", 320.0, 0.3, "STUDY_TIME.md 2.2";
    /// Exponent of the head size below 128.
    FLASH_HEAD = "flash-head", 0.25, 0.3, "STUDY_TIME.md 2.2";
    /// FLOP of the backward pass over the forward pass of flash attention.
    FLASH_BACKWARD_FLOP = "flash-backward-flop", 2.5, 0.0, "FlashAttention papers: five matmuls to two";
    /// Rate of that backward pass against the forward rate.
    FLASH_BACKWARD_RATE = "flash-backward-rate", 0.72, 0.1, "STUDY_TIME.md 2.2";
    /// Matmul rate of unfused attention at a large head size.
    UNFUSED_RATE = "unfused-rate", 0.65, 0.15, "STUDY_TIME.md 2.2: rows of 2021 to 2023";
    /// Head size at which unfused attention takes twice as long.
    UNFUSED_HEAD = "unfused-head", 64.0, 0.2, "STUDY_TIME.md 2.2";
    /// Bytes per score element, forward.
    UNFUSED_BYTES = "unfused-bytes", 10.3, 0.15, "STUDY_TIME.md 2.2";
    /// Bytes of the backward pass over the forward pass, unfused.
    UNFUSED_BACKWARD = "unfused-backward", 1.2, 0.1, "STUDY_TIME.md 2.2";
    /// Attention sinks keep the fused kernels from being used.
    SINKS = "sinks", 0.20, 0.18, "STUDY_TIME.md 3: GPT-OSS rows";
    /// Attention rate under context parallelism outside Megatron.
    CP_ELSEWHERE = "cp-elsewhere", 0.87, 0.2, "STUDY_TIME.md 3: two rows";
    /// Mean width of a latent-attention head, of its query and value widths.
    LATENT_BYTES_HEAD = "latent-head", 192.0, 0.1, "STUDY_TIME.md 10: DeepSeek-V3 memory-bound time";
    /// Passes over a hidden vector per layer, forward and backward, in bytes over 2.
    BYTES_HIDDEN = "bytes-hidden", 24.0, 0.2, "STUDY_TIME.md 2.3";
    /// The same for a feed-forward vector.
    BYTES_FFN = "bytes-ffn", 5.0, 0.2, "STUDY_TIME.md 2.3";
    /// The same for queries, keys and values.
    BYTES_HEADS = "bytes-heads", 6.0, 0.2, "STUDY_TIME.md 2.3";
    /// Passes of the permutation of a routed token.
    BYTES_ROUTED = "bytes-routed", 14.0, 0.2, "STUDY_TIME.md 2.3";
    /// Bytes per logit.
    BYTES_LOSS = "bytes-loss", 8.5, 0.2, "STUDY_TIME.md 2.3";
    /// Share of that when the loss is computed in chunks or compiled into the head.
    CHUNKED_LOSS = "chunked-loss", 0.7, 0.2, "STUDY_TIME.md 2.3";
    /// Bytes per parameter to add one micro-batch's gradient.
    BYTES_ACCUMULATE = "bytes-accumulate", 4.7, 0.2, "STUDY_TIME.md 2.3";
    /// Bytes per activation element to cast to and from fp8.
    BYTES_FP8 = "bytes-fp8", 8.5, 0.2, "STUDY_TIME.md 2.1";
    /// More host work under tensor parallelism, at eight ranks.
    HOST_TP = "host-tp", 0.42, 0.2, "STUDY_TIME.md 2.4: small models on 2 to 8 GPUs";
    /// Host work of a layer with experts over a dense one.
    HOST_MOE = "host-moe", 2.4, 0.2, "STUDY_TIME.md 2.4";
    /// Seconds of host work per expert on the GPU.
    HOST_EXPERT = "host-expert", 0.26e-3, 0.3, "STUDY_TIME.md 2.4";
    /// Exponent of the norm that joins GPU and host time.
    HOST_NORM = "host-norm", 2.8, 0.2, "STUDY_TIME.md 2.4";
    /// Idle gap per layer and micro-batch, seconds.
    LAYER_GAP = "layer-gap", 36e-6, 0.3, "STUDY_TIME.md 2.4";
    /// Seconds of size ramp of a collective inside a domain.
    RAMP_INSIDE = "ramp-inside", 5e-6, 0.2, "COMMUNICATION.md 2.3 and STUDY_TIME.md 2.5";
    /// Start of one tensor-parallel collective, seconds.
    TP_START = "tp-start", 15e-6, 0.3, "STUDY_TIME.md 2.5";
    /// Share of tensor-parallel time left when matmul and collective are pipelined.
    ASYNC_TP = "async-tp", 0.64, 0.15, "STUDY_TIME.md 2.5: torchtitan rows with and without";
    /// Share of the NICs of a node that tensor parallelism over nodes reaches.
    TP_NETWORK = "tp-network", 0.85, 0.1, "STUDY_TIME.md 2.5";
    /// Share of the ring rate that an all-to-all reaches in a domain.
    EP_LINK = "ep-link", 0.8, 0.1, "STUDY_TIME.md 2.6";
    /// Exposed share of expert exchange in a domain.
    EP_EXPOSED = "ep-exposed", 0.81, 0.15, "STUDY_TIME.md 2.6";
    /// Share of the NIC that an all-to-all reaches.
    EP_NETWORK = "ep-network", 0.9, 0.1, "STUDY_TIME.md 2.6";
    /// Exposed share of expert exchange over the network in early 2026.
    EP_NETWORK_EXPOSED = "ep-network-exposed", 0.96, 0.2, "STUDY_TIME.md 2.6";
    /// How fast that share shrinks, per year.
    EP_PROGRESS = "ep-progress", 0.75, 0.3, "STUDY_TIME.md 2.6: releases 25.11 to 26.06";
    /// Release date at which the share above holds, years.
    EP_DATE = "ep-date", 2026.2, 0.0, "STUDY_TIME.md 2.6";
    /// Exposed share of the key and value ring of context parallelism.
    CP_EXPOSED = "cp-exposed", 0.31, 0.4, "STUDY_TIME.md 2.7";
    /// Share of the last stage's extra work that delays every micro-batch.
    STAGE_SKEW = "stage-skew", 0.82, 0.15, "STUDY_TIME.md 2.8";
    /// Stage time over the mean when layers do not divide over the stages.
    STAGE_UNEVEN = "stage-uneven", 0.02, 0.5, "STUDY_TIME.md 2.8";
    /// Share of the textbook bubble that is seen.
    BUBBLE = "bubble", 0.96, 0.05, "STUDY_TIME.md 2.8";
    /// Seconds of size ramp of a collective over the network.
    RAMP_NETWORK = "ramp-network", 20e-6, 0.2, "COMMUNICATION.md 2.3";
    /// Share of the line rate that a good fabric carries: what the rates of the collectives have
    /// already lost and the shares below count themselves.
    NETWORK_LINE = "network-line", 0.97, 0.02, "COMMUNICATION.md 2.2: InfiniBand NDR and HDR";
    /// Share of the PCIe rate that rings of copy engines reach.
    COPY_ENGINE = "copy-engine", 0.45, 0.14, "STUDY_TIME.md 3: 13.4 GB/s on PCIe 4, 30 on PCIe 5";
    /// Share of the NIC that a stage hand-over reaches.
    P2P_NETWORK = "p2p-network", 0.85, 0.1, "STUDY_TIME.md 2.8";
    /// Start of one hand-over, seconds.
    P2P_START = "p2p-start", 20e-6, 0.3, "STUDY_TIME.md 2.8";
    /// Exposed share of hand-overs.
    P2P_EXPOSED = "p2p-exposed", 0.33, 0.3, "STUDY_TIME.md 2.8";
    /// Bytes per bucket of a data-parallel collective.
    DP_BUCKET = "dp-bucket", 500e6, 0.3, "STUDY_TIME.md 2.9";
    /// Hop time inside a domain against one over the network.
    HOP_INSIDE = "hop-inside", 0.3, 0.3, "STUDY_TIME.md 2.9";
    /// Share of one micro-batch that hides data-parallel traffic.
    DP_HIDING = "dp-hiding", 0.56, 0.2, "STUDY_TIME.md 2.9";
    /// Exposed share of fully sharded data parallelism.
    FSDP_EXPOSED = "fsdp-exposed", 0.43, 0.2, "STUDY_TIME.md 2.9";
    /// Bytes of optimizer traffic per parameter of the shard.
    BYTES_OPTIMIZER = "bytes-optimizer", 26.0, 0.2, "STUDY_TIME.md 2.10";
    /// The share of it with 16-bit or 8-bit states.
    OPTIMIZER_SMALL = "optimizer-small", 0.5, 0.2, "STUDY_TIME.md 2.10";
    /// The share of it without moments.
    OPTIMIZER_PLAIN = "optimizer-plain", 10.0 / 26.0, 0.2, "counted: 26 bytes less reading and writing two fp32 moments (16)";
    /// Bytes per parameter of the GPU, whatever the sharding.
    BYTES_STEP = "bytes-step", 6.0, 0.2, "STUDY_TIME.md 2.10";
    /// Trained share of the parameters under low-rank adapters.
    ADAPTER_SHARE = "adapter-share", 0.01, 0.5, "STUDY_TIME.md 2.10";
    /// Rank of adapters at which their constants were fitted.
    ADAPTER_RANK = "adapter-rank", 16.0, 0.5, "STUDY_TIME.md 2.11: ranks 8 to 64 of the reference rows";
    /// Bytes per parameter of an offloaded optimizer, both ways.
    OFFLOAD_OPTIMIZER = "offload-optimizer", 16.0 * 0.7, 0.3, "STUDY_TIME.md 2.10";
    /// Bytes per parameter of offloaded weights, each micro-batch.
    OFFLOAD_WEIGHTS = "offload-weights", 2.0 * 0.5, 0.3, "STUDY_TIME.md 2.10";
    /// Share of the PCIe rate that offloading reaches.
    OFFLOAD_PCIE = "offload-pcie", 0.34, 0.3, "STUDY_TIME.md 2.10";
    /// Bytes per second of the drives of one node, read or written by all its GPUs.
    NVME_NODE = "nvme-node", 25.6e9, 0.5, "arXiv 2104.07857, fig. 2b: 1.6 GB/s for each of 16 GPUs of a node; recalled, the catalog states no rate of drives";
    /// Bytes per parameter of an optimizer on drives: master copy, moments and gradient read and
    /// written once a step.
    NVME_OPTIMIZER = "nvme-optimizer", 2.0 * 16.0, 0.3, "counted; arXiv 2104.07857, 3";
    /// Times that a micro-batch reads the shard of the weights from drives: forward and backward.
    NVME_READS = "nvme-reads", 2.0, 0.3, "counted; arXiv 2104.07857, 4";
    /// Bytes that a layer keeps per token over the hidden width, not cut by TP but by SP.
    ACTIVATION_WHOLE = "activation-whole", 10.0, 0.2, "arXiv 2205.05198, table 2";
    /// The same, cut by TP.
    ACTIVATION_CUT = "activation-cut", 24.0, 0.2, "arXiv 2205.05198, table 2";
    /// Passes over a hidden vector of a layer whose norms are computed again.
    NORMS_AGAIN = "norms-again", 4.0, 0.2, "counted: two norms, each reads and writes it";
    /// Rate of block-scaled fp8 matmuls over plain fp8.
    MXFP8 = "mxfp8", 0.98, 0.05, "STUDY_TIME.md 3, e8: megatron-bridge rows";
    /// Rate of 4-bit float matmuls over fp8.
    NVFP4 = "nvfp4", 1.61, 0.2, "STUDY_TIME.md 3, e8: two rows";
    /// Bytes per parameter of a gathered 4-bit base.
    FOUR_BIT_GATHER = "four-bit-gather", 0.55, 0.1, "STUDY_TIME.md 2.9";
    /// Bytes per parameter to dequantise a 4-bit base once.
    FOUR_BIT_BYTES = "four-bit-bytes", 4.8, 0.2, "STUDY_TIME.md 2.11";
    /// The same of an 8-bit base.
    EIGHT_BIT_GATHER = "eight-bit-gather", 1.0, 0.1, "counted: one byte; a row shares a scale";
    /// Bytes per parameter to make 16-bit weights of an 8-bit base once.
    EIGHT_BIT_BYTES = "eight-bit-bytes", 4.8 + 0.5, 0.3, "four-bit-bytes, and half a byte more to read";
    /// More host work with a quantised base.
    FOUR_BIT_HOST = "four-bit-host", 1.3, 0.2, "STUDY_TIME.md 2.4";
    /// Date of the software the other constants describe, years.
    VINTAGE_DATE = "vintage-date", 2025.5, 0.0, "STUDY_TIME.md 2.12";
    /// Megatron-Core gets faster, per year.
    VINTAGE_DENSE = "vintage-dense", 0.03, 0.5, "STUDY_TIME.md 3: same-layout pairs";
    /// More than that with experts on Blackwell.
    VINTAGE_MOE_BLACKWELL = "vintage-moe-blackwell", 0.17, 0.4, "STUDY_TIME.md 3";
    /// More than that with experts on other GPUs.
    VINTAGE_MOE = "vintage-moe", 0.05, 0.5, "STUDY_TIME.md 3";
    /// What every step costs beside its parts, seconds.
    STEP_CONSTANT = "step-constant", 0.01, 0.5, "STUDY_TIME.md 2.12";
    /// Stragglers, per doubling of the GPUs above eight.
    JITTER = "jitter", 0.0022, 0.5, "STUDY_TIME.md 2.12 and 8: held, not fitted";
}
