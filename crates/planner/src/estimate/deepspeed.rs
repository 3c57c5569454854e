//! What DeepSpeed's own estimators print, for comparison: model states alone, without
//! activations, logits, buffers and context.
//!
//! Formulas: `estimate_zero3_model_states_mem_needs` of deepspeed/runtime/zero/stage3.py and
//! `estimate_zero2_model_states_mem_needs` of stage_1_and_2.py as released up to 0.13, before
//! issues 1536 and 5099 corrected that gradients were counted whole (recalled; checked against
//! the figures in issues 4527 and 5099, cases I01 and I03).

use crate::strategy::Offload;
use crate::units::Bytes;

/// What the estimators ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    pub parameters: f64,
    /// Of the largest module, which can be the embedding.
    pub largest_layer: f64,
    pub gpus_per_node: f64,
    pub nodes: f64,
}

/// Memory of one GPU and of one node's host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    pub gpu: Bytes,
    pub host: Bytes,
}

/// Room that pinned buffers take on the host.
const BUFFERS: f64 = 1.5;

/// ZeRO 3 with partitioned initialisation.
pub fn zero3(counts: &Counts, offload: Offload) -> Printed {
    let Counts { parameters, largest_layer, gpus_per_node, nodes } = *counts;
    let gpus = gpus_per_node * nodes;
    let largest = 4.0 * largest_layer;
    let (gpu, host) = match offload {
        Offload::None => (largest + 18.0 * parameters / gpus, largest * gpus_per_node),
        Offload::Optimizer | Offload::OptimizerNvme => {
            (largest + 2.0 * parameters / gpus, 16.0 * parameters / nodes)
        }
        Offload::OptimizerAndWeights | Offload::OptimizerAndWeightsNvme => {
            (largest, 18.0 * parameters / nodes)
        }
    };
    Printed { gpu: Bytes::new(gpu), host: Bytes::new(BUFFERS * host) }
}

/// ZeRO 2, gradients not partitioned.
pub fn zero2_legacy(counts: &Counts, offload: Offload) -> Printed {
    let Counts { parameters, gpus_per_node, nodes, .. } = *counts;
    let gpus = gpus_per_node * nodes;
    let (gpu, host) = match offload {
        Offload::None => {
            (4.0 * parameters + 16.0 * parameters / gpus, 4.0 * parameters * gpus_per_node)
        }
        Offload::Optimizer
        | Offload::OptimizerAndWeights
        | Offload::OptimizerNvme
        | Offload::OptimizerAndWeightsNvme => {
            (2.0 * parameters, parameters * (4.0 * gpus).max(16.0))
        }
    };
    Printed { gpu: Bytes::new(gpu), host: Bytes::new(BUFFERS * host) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(parameters: f64, gpus_per_node: f64) -> Counts {
        Counts { parameters, largest_layer: 131e6, gpus_per_node, nodes: 1.0 }
    }

    #[track_caller]
    fn prints(bytes: Bytes, gib: f64) {
        assert!((bytes.as_gib() - gib).abs() < 0.006, "{} GiB", bytes.as_gib());
    }

    /// The table in issue 4527.
    #[test]
    fn a_6_8b_model_on_four_gpus() {
        let counts = counts(6.805e9, 4.0);
        prints(zero3(&counts, Offload::None).gpu, 29.01);
        prints(zero3(&counts, Offload::OptimizerAndWeights).gpu, 0.49);
        prints(zero3(&counts, Offload::OptimizerAndWeights).host, 171.12);
        prints(zero3(&counts, Offload::Optimizer).gpu, 3.66);
    }

    /// Issue 5099.
    #[test]
    fn gradients_counted_whole() {
        prints(zero2_legacy(&counts(2.851e9, 8.0), Offload::None).gpu, 15.93);
    }
}
