//! The fitted constants of the memory model, each with the range in which its rows lose less than
//! half a point, the families of rows that inform it, and the value that counting alone gives.
//! Leaving a family out puts its constants back to that value. Everything else in this module is
//! counted from the tensors of the code (`constants.rs`).

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    pub name: &'static str,
    pub value: f64,
    /// What follows from code or a paper, or is recalled, without any row.
    pub counted: f64,
    pub range: (f64, f64),
    /// Families of `data/reference` whose rows inform the value.
    pub families: &'static [&'static str],
}

/// The values in use. Letters and sections as in STUDY_MEMORY.md.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constants {
    /// What the allocator takes over its tensors, beside blocks that are counted as stranded:
    /// rounding to 2 MiB and split rests.
    pub(super) reserved: f64,
    /// The same under Megatron and in any pipeline, which frees and takes blocks of many sizes in
    /// turn.
    pub(super) reserved_pipeline: f64,
    /// CUDA context and kernels of one process, GiB.
    pub(super) context_gib: f64,
    /// What eager code keeps more than compiled code, hidden widths per token and layer.
    pub(super) eager_norm: f64,
    /// Layers that FSDP1 with CPU offload copies ahead; reclaimable.
    pub(super) offload_ahead: f64,
    /// Matrices that a loader with threads moves through the GPU at the same time.
    pub(super) load_threads: f64,
}

const RESERVED: Fitted = Fitted {
    name: "reserved over allocated",
    value: 1.01,
    counted: 1.0,
    range: (1.0, 1.025),
    families: &["torchtitan", "fsdp-qlora", "qwen-ft"],
};
const RESERVED_PIPELINE: Fitted = Fitted {
    name: "reserved over allocated, pipelines and Megatron",
    value: 1.03,
    // As in other frameworks.
    counted: 1.01,
    range: (1.02, 1.05),
    families: &["bigscience"],
};
const CONTEXT: Fitted = Fitted {
    name: "context, GiB",
    value: 1.0,
    counted: 0.75,
    range: (0.55, 1.35),
    families: &["qwen-ft"],
};
const EAGER_NORM: Fitted = Fitted {
    name: "eager norms, hidden widths",
    value: 2.7,
    counted: 0.0,
    range: (1.5, 4.0),
    families: &["torchtitan", "torchtune"],
};
const OFFLOAD_AHEAD: Fitted = Fitted {
    name: "layers copied ahead",
    value: 9.0,
    // `limit_all_gathers` holds back the gathers, not the copies before them.
    counted: 2.0,
    range: (7.0, 11.0),
    families: &["fsdp-qlora"],
};
const LOAD_THREADS: Fitted = Fitted {
    name: "matrices loaded at the same time",
    // One thread for each core of a GPU's share (fsdp_qlora's `train.py`); the cores are not stated.
    value: 8.0,
    counted: 0.0,
    range: (4.0, 16.0),
    families: &["fsdp-qlora"],
};

/// All of them, for tables and cross-validation.
pub const FITTED: [Fitted; 6] =
    [RESERVED, RESERVED_PIPELINE, CONTEXT, EAGER_NORM, OFFLOAD_AHEAD, LOAD_THREADS];

impl Constants {
    pub const FITTED: Self = Self {
        reserved: RESERVED.value,
        reserved_pipeline: RESERVED_PIPELINE.value,
        context_gib: CONTEXT.value,
        eager_norm: EAGER_NORM.value,
        offload_ahead: OFFLOAD_AHEAD.value,
        load_threads: LOAD_THREADS.value,
    };

    /// With every constant that rows of `family` inform put back to its counted value.
    pub fn without(family: &str) -> Self {
        let of = |fitted: Fitted| {
            if fitted.families.contains(&family) { fitted.counted } else { fitted.value }
        };
        Self {
            reserved: of(RESERVED),
            reserved_pipeline: of(RESERVED_PIPELINE),
            context_gib: of(CONTEXT),
            eager_norm: of(EAGER_NORM),
            offload_ahead: of(OFFLOAD_AHEAD),
            load_threads: of(LOAD_THREADS),
        }
    }
}

impl Default for Constants {
    fn default() -> Self {
        Self::FITTED
    }
}
