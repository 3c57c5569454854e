//! Changes of a job that take less memory and train something else.

use crate::catalog::Accelerator;
use crate::explain::RemedyStep;
use crate::strategy::{Job, JobKind, Optimizer, Precision};

use super::fields::name;
use super::rank::step;

pub(super) const KINDS: [(JobKind, &str); 3] = [
    (JobKind::Pretrain, "pretrain"),
    (JobKind::FullFineTune, "full-fine-tune"),
    (JobKind::Lora, "lora"),
];
pub(super) const PRECISIONS: [(Precision, &str); 3] = [
    (Precision::Bf16Mixed, "bf16-mixed"),
    (Precision::Fp8Mixed, "fp8-mixed"),
    (Precision::PureBf16, "pure-bf16"),
];
pub(super) const OPTIMIZERS: [(Optimizer, &str); 2] =
    [(Optimizer::AdamW, "adamw"), (Optimizer::AdamW8bit, "adamw-8bit")];

/// A changed job, and the change in words.
pub type JobChange = (Job, RemedyStep);

/// Another precision, an optimizer of 8 bits, adapters only. Whether it saves anything, the
/// re-run says.
pub fn job_changes(job: &Job, accelerator: &Accelerator) -> Vec<JobChange> {
    let mut list = Vec::new();
    for precision in [Precision::Fp8Mixed, Precision::PureBf16] {
        let possible = precision != Precision::Fp8Mixed || accelerator.fp8.is_some();
        // Pure bf16 keeps the least; nothing leads back from it.
        if possible && precision != job.precision && job.precision != Precision::PureBf16 {
            let words = (name(&PRECISIONS, job.precision), name(&PRECISIONS, precision));
            list.push((Job { precision, ..job.clone() }, step("precision", words)));
        }
    }
    if job.optimizer != Optimizer::AdamW8bit {
        let optimizer = Optimizer::AdamW8bit;
        let words = (name(&OPTIMIZERS, job.optimizer), name(&OPTIMIZERS, optimizer));
        list.push((Job { optimizer, ..job.clone() }, step("optimizer", words)));
    }
    if job.kind != JobKind::Lora {
        let words = (name(&KINDS, job.kind), name(&KINDS, JobKind::Lora));
        list.push((Job { kind: JobKind::Lora, ..job.clone() }, step("kind", words)));
    }
    list
}
