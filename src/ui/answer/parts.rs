//! The parts of memory and of a step as parts of a bar: one colour and pattern each, the same
//! everywhere.

use planner::estimate::{MemoryParts, StepParts};
use planner::units::{Bytes, Seconds};

use crate::text::Text;
use crate::ui::chart::Part;

/// Keys of the parts of memory, in the order of a bar: messages `part-KEY`, terms `memory-KEY`.
pub const MEMORY_PARTS: [&str; 8] =
    ["weights", "gradients", "optimizer", "activations", "working", "logits", "buffers", "runtime"];

/// The parts of a stage's memory, in the order of a bar.
pub fn memory_parts(parts: &MemoryParts, text: &Text) -> Vec<Part> {
    let drawn = [
        (parts.weights, 1, 0),
        (parts.gradients, 2, 1),
        (parts.optimizer, 3, 0),
        (parts.activations, 4, 2),
        (parts.working, 5, 0),
        (parts.logits, 6, 3),
        (parts.buffers, 7, 0),
        (parts.runtime, 8, 5),
    ];
    let named = MEMORY_PARTS.into_iter().zip(drawn);
    named
        .map(|(key, (value, colour, pattern)): (_, (Bytes, _, _))| Part {
            label: text.get(&format!("part-{key}")),
            value: value.as_gib(),
            text: text.bytes(value),
            colour,
            pattern,
        })
        .collect()
}

/// The parts of a step: computing in one family of colours, waiting for communication in one
/// colour with a pattern for each axis, then idle time and the rest.
pub fn step_parts(parts: &StepParts, text: &Text) -> Vec<Part> {
    [
        ("matmul", parts.matmul, 1, 0),
        ("attention", parts.attention, 5, 0),
        ("memory-bound", parts.memory_bound, 3, 0),
        ("launch", parts.launch, 3, 1),
        ("tp-exposed", parts.tp_exposed, 2, 0),
        ("cp-exposed", parts.cp_exposed, 2, 1),
        ("ep-exposed", parts.ep_exposed, 2, 2),
        ("dp-exposed", parts.dp_exposed, 2, 3),
        ("pp-exposed", parts.pp_exposed, 2, 5),
        ("bubble", parts.bubble, 8, 4),
        ("optimizer-step", parts.optimizer, 4, 0),
        ("offload", parts.offload, 7, 0),
        ("jitter", parts.jitter, 8, 0),
    ]
    .into_iter()
    .map(|(key, value, colour, pattern): (_, Seconds, _, _)| Part {
        label: text.get(&format!("part-{key}")),
        value: value.as_seconds(),
        text: text.seconds(value),
        colour,
        pattern,
    })
    .collect()
}
