//! The constants of the memory model that are not fitted, with their evidence. "Counted" follows
//! from the tensors of the code; "recalled" has no row behind it. Fitted ones are in `fitted.rs`.

/// Full-sequence tensors that the gather of a TP input leaves: as received, and with the ranks'
/// parts in order (`all_gather_tensor` of torch, read). Counted.
pub(super) const SEQUENCE_GATHERS: f64 = 2.0;
/// Bytes of one broadcast of FSDP1's start; two are in flight (`PARAM_BROADCAST_BUCKET_SIZE` of
/// `torch/distributed/fsdp/_init_utils.py`, read).
pub(super) const START_BROADCAST: f64 = 250.0 * 1_048_576.0;
/// One NCCL communicator within a node, in GiB. Measured only as a sum (STUDY_MEMORY.md 3.6).
pub(super) const COMMUNICATOR_GIB: f64 = 0.3;
/// The same across nodes: 12 channels × ring and tree × send and receive × 9.6 MB, which are
/// 4 MiB, 4.9 MB and 0.5 MiB of the three protocols (nccl `src/include/device.h`, read). Counted.
pub(super) const COMMUNICATOR_ACROSS_GIB: f64 = 0.43;
/// Groups that Megatron-DeepSpeed of 2021 and 2022 opens, all across nodes: world, TP × PP, TP, PP, DP
/// of Megatron and of `DeepSpeed`, two with neighbours, tied embedding. Counted.
pub(super) const MEGATRON_DEEPSPEED_GROUPS: f64 = 9.0;
/// Working set of a layer there, in hidden widths per token: a layer without any cut
/// (arXiv 2205.05198, 4.1). 30–52 fit its rows as well.
pub(super) const MEGATRON_DEEPSPEED_WORKING: f64 = 34.0;
/// Its buckets: 3 buckets of 5e8 16-bit elements, in bytes. Counted.
pub(super) const MEGATRON_DEEPSPEED_BUCKETS: f64 = 3.0 * 5e8 * 2.0;
/// Megatron-DeepSpeed's optimizer step: the 16-bit copy of its shard, bytes per parameter over DP.
/// Counted.
pub(super) const MEGATRON_DEEPSPEED_STEP: f64 = 2.0;

/// Peaks up to this share of the capacity fit; above it they are tight (STUDY_MEMORY.md 5).
pub(super) const FITS_BELOW: f64 = 0.92;

/// Gated feed-forward block: gate, up and product; fused and eager. Counted.
pub(super) const GATED_FUSED: f64 = 6.0;
pub(super) const GATED_EAGER: f64 = 8.0;
/// Plain feed-forward block: input and output of the activation (arXiv 2205.05198, 4.1).
pub(super) const PLAIN_FUSED: f64 = 4.0;
/// The same with the intermediate of an eager activation. Counted (STUDY_MEMORY.md 3.2).
pub(super) const PLAIN_EAGER: f64 = 6.0;
/// Norms: both inputs and both outputs, in bytes per hidden element. Counted.
pub(super) const NORMS: f64 = 8.0;
/// Two dropout masks of a layer (arXiv 2205.05198, 4.1).
pub(super) const DROPOUT_MASKS: f64 = 2.0;
/// Permuted input of an expert in 16 bits, bytes per hidden element. Counted.
pub(super) const PERMUTED: f64 = 2.0;
/// Stored per attention score without flash attention: score, softmax, dropout mask. Counted.
pub(super) const SCORE_STORED: f64 = 5.0;
/// Working set per score in eager code. Counted.
pub(super) const SCORE_WORKING: f64 = 10.0;
/// Megatron: gradients that exist beside a layer's activations during its backward pass, bytes per
/// feed-forward and per hidden element. Counted; 0.1 % on allocated-kind rows.
pub(super) const BACKWARD_FFN: f64 = 6.0;
pub(super) const BACKWARD_HIDDEN: f64 = 8.0;
/// The same in torch recipes. Counted.
pub(super) const TORCH_BACKWARD_FFN: f64 = 2.0;
pub(super) const TORCH_BACKWARD_HIDDEN: f64 = 2.0;
/// Inputs kept per linear by 4-bit layers without checkpointing, in hidden widths. One source.
pub(super) const FOUR_BIT_INPUTS: f64 = 24.0;

/// 8-bit integers and an fp32 scale for each row of about 4096, bytes per weight. Counted.
pub(super) const EIGHT_BIT: f64 = 1.001;
/// NF4 without double quantisation, bytes per weight: 4 bits and 4 bytes per 64. Counted.
pub(super) const NF4: f64 = 0.5625;
/// GPTQ with 4 bits, scales and zeros per 128 weights, bytes per weight. Counted.
pub(super) const GPTQ4: f64 = 0.535;

/// Elements of one reduce bucket of ZeRO 1 and 2 in published recipes; two are alive.
pub(super) const ZERO_BUCKET: f64 = 2e8;
/// `stage3_max_live_parameters` and `sub_group_size` of ZeRO 3 (read in its stage3.py).
pub(super) const ZERO3_LIVE: f64 = 1e9;
pub(super) const ZERO3_SUB_GROUP: f64 = 1e9;

/// Host memory over the bytes that are offloaded: pinned buffers, rounding. DeepSpeed's own
/// estimator (read in stage3.py).
pub(super) const HOST_FACTOR: f64 = 1.5;
/// Host memory of one training process in GiB: interpreter, libraries, data loader. Recalled.
pub(super) const HOST_PROCESS_GIB: f64 = 3.0;

/// `DeepSpeed` streams states from NVMe through pinned buffers of a sub-group, weights through
/// buffers of 1e8 elements (defaults of `buffer_count` and `buffer_size` in its documentation).
pub(super) const NVME_STATE_BUFFERS: f64 = 4.0;
pub(super) const NVME_WEIGHT_BUFFERS: f64 = 5.0;
pub(super) const NVME_WEIGHT_BUFFER: f64 = 1e8;

/// Tokens of the fullest expert group over the mean where routing is learned and not forced;
/// the pessimistic variant. Recalled.
pub const EXPERT_IMBALANCE: f64 = 1.3;

/// Bytes of a GiB.
pub(super) const GIB: f64 = 1_073_741_824.0;
