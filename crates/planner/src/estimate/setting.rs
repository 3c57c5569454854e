//! What an estimate of any layout starts from.

use crate::catalog::Accelerator;
use crate::cluster::ClusterSpec;
use crate::model::Model;
use crate::strategy::{Job, Stack};

/// The fixed side of an estimate; only the layout varies beside it.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    pub model: &'a Model,
    pub job: &'a Job,
    pub accelerator: &'a Accelerator,
    pub cluster: &'a ClusterSpec,
    pub stack: Stack,
}
