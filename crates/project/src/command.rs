//! Every change of inputs that a user can make, as a value.

use std::mem;

use planner::cluster::{ClusterSpec, Fabric, IntraNode, Spine};
use planner::strategy::{
    BaseFormat, Framework, Job, JobKind, Offload, Optimizer, Pins, Precision, Recompute, Zero,
};
use planner::units::{BitsPerSecond, Bytes, Currency};

use crate::document::{Document, ModelSource};
use crate::limits::{self, Problem};

/// One change. Applied through [`crate::History`] or [`Command::apply`].
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Everything at once: another file, a link, an example.
    Replace(Box<Document>),
    Name(String),
    Model(ModelSource),
    /// The whole job.
    Job(Job),
    JobKind(JobKind),
    Sequence(u32),
    GlobalBatch(u32),
    Precision(Precision),
    Optimizer(Optimizer),
    AdapterRank(u32),
    AdapterBase(BaseFormat),
    Dora(bool),
    Tokens(f64),
    /// The whole cluster: a template of the catalog.
    Cluster(ClusterSpec),
    Accelerator(String),
    Nodes(u32),
    GpusPerNode(u32),
    Intra(IntraNode),
    NicsPerNode(u32),
    NicSpeed(BitsPerSecond),
    Fabric(Fabric),
    RailOptimized(bool),
    Spine(Option<Spine>),
    HostMemory(Bytes),
    /// All pins at once: a layout taken from the candidates, or none.
    Pins(Pins),
    Pin(Pin),
    Currency(Currency),
    TermMonths(u32),
    Platforms(Vec<String>),
}

/// One pinned value; `None` frees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    Framework(Option<Framework>),
    Tp(Option<u32>),
    Pp(Option<u32>),
    Vpp(Option<u32>),
    Cp(Option<u32>),
    Ep(Option<u32>),
    Zero(Option<Zero>),
    MicroBatch(Option<u32>),
    Recompute(Option<Recompute>),
    Offload(Option<Offload>),
    ActivationOffload(Option<bool>),
}

impl Command {
    /// Changes the document and returns the command that undoes it. Refuses values outside
    /// their bounds; then the document is as it was.
    pub fn apply(self, document: &mut Document) -> Result<Self, Problem> {
        let inverse = self.swap(document);
        match limits::check(document).into_iter().next() {
            None => Ok(inverse),
            Some(problem) => {
                inverse.swap(document);
                Err(problem)
            }
        }
    }

    /// Puts back a value that the document once held; bounds are not asked again.
    pub(crate) fn restore(self, document: &mut Document) -> Self {
        self.swap(document)
    }

    /// The path of what it changes, as in the file form; the message `command-KEY` names it
    /// with `-` for `.` and `_`.
    pub const fn field(&self) -> &'static str {
        match self {
            Self::Replace(_) => "document",
            Self::Name(_) => "name",
            Self::Model(_) => "model",
            Self::Job(_) => "job",
            Self::JobKind(_) => "job.kind",
            Self::Sequence(_) => "job.sequence",
            Self::GlobalBatch(_) => "job.global_batch",
            Self::Precision(_) => "job.precision",
            Self::Optimizer(_) => "job.optimizer",
            Self::AdapterRank(_) => "job.adapter.rank",
            Self::AdapterBase(_) => "job.adapter.base",
            Self::Dora(_) => "job.adapter.dora",
            Self::Tokens(_) => "job.tokens",
            Self::Cluster(_) => "cluster",
            Self::Accelerator(_) => "cluster.accelerator",
            Self::Nodes(_) => "cluster.nodes",
            Self::GpusPerNode(_) => "cluster.gpus_per_node",
            Self::Intra(_) => "cluster.intra",
            Self::NicsPerNode(_) => "cluster.nics_per_node",
            Self::NicSpeed(_) => "cluster.nic_gbps",
            Self::Fabric(_) => "cluster.fabric",
            Self::RailOptimized(_) => "cluster.rail_optimized",
            Self::Spine(_) => "cluster.spine",
            Self::HostMemory(_) => "cluster.host_memory_gib",
            Self::Pins(_) => "pins",
            Self::Pin(pin) => pin.field(),
            Self::Currency(_) => "price.currency",
            Self::TermMonths(_) => "price.term_months",
            Self::Platforms(_) => "price.platforms",
        }
    }

    /// Exchanges the value of the command with that of the document.
    fn swap(self, document: &mut Document) -> Self {
        let Document { name, model, job, cluster, pins, price } = document;
        match self {
            Self::Replace(mut all) => {
                mem::swap(&mut *all, document);
                Self::Replace(all)
            }
            Self::Name(new) => exchange(name, new, Self::Name),
            Self::Model(new) => exchange(model, new, Self::Model),
            Self::Job(new) => exchange(job, new, Self::Job),
            Self::JobKind(new) => exchange(&mut job.kind, new, Self::JobKind),
            Self::Sequence(new) => exchange(&mut job.sequence, new, Self::Sequence),
            Self::GlobalBatch(new) => exchange(&mut job.global_batch, new, Self::GlobalBatch),
            Self::Precision(new) => exchange(&mut job.precision, new, Self::Precision),
            Self::Optimizer(new) => exchange(&mut job.optimizer, new, Self::Optimizer),
            Self::AdapterRank(new) => exchange(&mut job.adapter.rank, new, Self::AdapterRank),
            Self::AdapterBase(new) => exchange(&mut job.adapter.base, new, Self::AdapterBase),
            Self::Dora(new) => exchange(&mut job.adapter.dora, new, Self::Dora),
            Self::Tokens(new) => exchange(&mut job.tokens, new, Self::Tokens),
            Self::Cluster(new) => exchange(cluster, new, Self::Cluster),
            Self::Accelerator(new) => exchange(&mut cluster.accelerator, new, Self::Accelerator),
            Self::Nodes(new) => exchange(&mut cluster.nodes, new, Self::Nodes),
            Self::GpusPerNode(new) => exchange(&mut cluster.gpus_per_node, new, Self::GpusPerNode),
            Self::Intra(new) => exchange(&mut cluster.intra, new, Self::Intra),
            Self::NicsPerNode(new) => exchange(&mut cluster.nics_per_node, new, Self::NicsPerNode),
            Self::NicSpeed(new) => exchange(&mut cluster.nic_speed, new, Self::NicSpeed),
            Self::Fabric(new) => exchange(&mut cluster.fabric, new, Self::Fabric),
            Self::RailOptimized(new) => {
                exchange(&mut cluster.rail_optimized, new, Self::RailOptimized)
            }
            Self::Spine(new) => exchange(&mut cluster.spine, new, Self::Spine),
            Self::HostMemory(new) => exchange(&mut cluster.host_memory, new, Self::HostMemory),
            Self::Pins(new) => exchange(pins, new, Self::Pins),
            Self::Pin(pin) => Self::Pin(pin.swap(pins)),
            Self::Currency(new) => exchange(&mut price.currency, new, Self::Currency),
            Self::TermMonths(new) => exchange(&mut price.term_months, new, Self::TermMonths),
            Self::Platforms(new) => exchange(&mut price.platforms, new, Self::Platforms),
        }
    }
}

impl Pin {
    const fn field(self) -> &'static str {
        match self {
            Self::Framework(_) => "pins.framework",
            Self::Tp(_) => "pins.tp",
            Self::Pp(_) => "pins.pp",
            Self::Vpp(_) => "pins.vpp",
            Self::Cp(_) => "pins.cp",
            Self::Ep(_) => "pins.ep",
            Self::Zero(_) => "pins.zero",
            Self::MicroBatch(_) => "pins.micro_batch",
            Self::Recompute(_) => "pins.recompute",
            Self::Offload(_) => "pins.offload",
            Self::ActivationOffload(_) => "pins.activation_offload",
        }
    }

    fn swap(self, pins: &mut Pins) -> Self {
        match self {
            Self::Framework(new) => exchange(&mut pins.framework, new, Self::Framework),
            Self::Tp(new) => exchange(&mut pins.tp, new, Self::Tp),
            Self::Pp(new) => exchange(&mut pins.pp, new, Self::Pp),
            Self::Vpp(new) => exchange(&mut pins.vpp, new, Self::Vpp),
            Self::Cp(new) => exchange(&mut pins.cp, new, Self::Cp),
            Self::Ep(new) => exchange(&mut pins.ep, new, Self::Ep),
            Self::Zero(new) => exchange(&mut pins.zero, new, Self::Zero),
            Self::MicroBatch(new) => exchange(&mut pins.micro_batch, new, Self::MicroBatch),
            Self::Recompute(new) => exchange(&mut pins.recompute, new, Self::Recompute),
            Self::Offload(new) => exchange(&mut pins.offload, new, Self::Offload),
            Self::ActivationOffload(new) => {
                exchange(&mut pins.activation_offload, new, Self::ActivationOffload)
            }
        }
    }
}

/// Puts `new` into the slot and wraps what was there.
fn exchange<T, W>(slot: &mut T, new: T, wrap: fn(T) -> W) -> W {
    wrap(mem::replace(slot, new))
}
