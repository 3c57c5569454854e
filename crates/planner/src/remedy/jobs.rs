//! Changes of a job that take less memory and train something else.

use crate::catalog::Accelerator;
use crate::explain::RemedyStep;
use crate::strategy::{Adapter, BaseFormat, Job, JobKind, Optimizer, Precision};

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
pub(super) const OPTIMIZERS: [(Optimizer, &str); 4] = [
    (Optimizer::AdamW, "adamw"),
    (Optimizer::AdamW8bit, "adamw-8bit"),
    (Optimizer::AdamWBf16, "adamw-bf16"),
    (Optimizer::Sgd, "sgd"),
];
pub(super) const BASES: [(BaseFormat, &str); 4] = [
    (BaseFormat::SixteenBit, "sixteen-bit"),
    (BaseFormat::EightBit, "eight-bit"),
    (BaseFormat::Nf4, "nf4"),
    (BaseFormat::Gptq4, "gptq4"),
];

/// A changed job, and the change in words.
pub type JobChange = (Job, RemedyStep);

/// Another precision, an optimizer of 8 bits, adapters only, a base of 4 bits that can be sharded. Whether it saves anything, the
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
    if !matches!(job.optimizer, Optimizer::AdamW8bit | Optimizer::Sgd) {
        let optimizer = Optimizer::AdamW8bit;
        let words = (name(&OPTIMIZERS, job.optimizer), name(&OPTIMIZERS, optimizer));
        list.push((Job { optimizer, ..job.clone() }, step("optimizer", words)));
    }
    if job.kind != JobKind::Lora {
        let words = (name(&KINDS, job.kind), name(&KINDS, JobKind::Lora));
        list.push((Job { kind: JobKind::Lora, ..job.clone() }, step("kind", words)));
    } else if job.base() != BaseFormat::Nf4 {
        let words = (name(&BASES, job.base()), name(&BASES, BaseFormat::Nf4));
        let adapter = Adapter { base: BaseFormat::Nf4, ..job.adapter };
        list.push((Job { adapter, ..job.clone() }, step("base", words)));
    }
    list
}
