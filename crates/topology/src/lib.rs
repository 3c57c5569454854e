//! Readers of topology files, found by content: [`read`] gives one [`Topology`] whatever the
//! format. What a file does not say is listed in `unknown`; what cannot be trusted in it is a
//! [`Finding`] with line and column. Pure, bounded in size and depth, and never panics.

mod error;
mod graph;
mod hosts;
mod ibnet;
mod limits;
mod slurm;
mod smi;
mod text;

#[cfg(test)]
mod tests;

pub use error::ReadError;
pub use graph::{Finding, Graph, Group, Link, LinkKind, Node, NodeKind};
pub use limits::MOST_BYTES;

use serde::Serialize;

/// What one file says.
#[derive(Clone, Debug, Serialize)]
pub struct Topology {
    pub format: &'static str,
    #[serde(flatten)]
    pub facts: Facts,
    /// Elements, links and groups, from which a cluster graph is built.
    pub graph: Graph,
    /// What a plan needs and the file does not say.
    pub unknown: Vec<String>,
    /// What in the file was not believed, and where.
    pub findings: Vec<Finding>,
    /// What a reader of the result must know.
    pub warnings: Vec<String>,
}

/// The fields of one format.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Facts {
    Smi(smi::Smi),
    Fabric(ibnet::Fabric),
    SlurmTree(slurm::Tree),
    SlurmBlock(slurm::Block),
}

/// Reads a text of any known format.
///
/// # Errors
/// A text that is too long, of no known format, or broken so that nothing in it is sure.
pub fn read(text: &str) -> Result<Topology, ReadError> {
    if text.len() > MOST_BYTES {
        return Err(ReadError::TooLong { bytes: text.len() });
    }
    let text = text::without_escapes(text);
    if ibnet::is(&text) {
        ibnet::read(&text)
    } else if slurm::is(&text) {
        slurm::read(&text)
    } else if smi::is(&text) {
        smi::read(&text)
    } else {
        Err(ReadError::UnknownFormat)
    }
}
