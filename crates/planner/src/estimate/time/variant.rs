//! Ways to run a job that change its time and that measured runs use, beside what a layout says.

/// How the matmuls of the layers differ from plain fp8 or 16-bit ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recipe {
    #[default]
    Plain,
    /// Block-scaled fp8.
    MxFp8,
    /// 4-bit floats with block scales.
    NvFp4,
}

/// The default is what the planner proposes; other values describe measured runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    pub recipe: Recipe,
    /// Ranks that share one copy of what is sharded; none: all data-parallel ranks.
    pub shard_group: Option<u32>,
    /// Tensor-parallel collectives are pipelined with the matmuls beside them.
    pub async_tp: bool,
}
