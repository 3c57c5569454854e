//! The machine: what the user stated about a cluster, and the graph built from it.
//!
//! [`ClusterSpec`] is the input, [`Cluster`] its graph, [`Rates`] what its links carry,
//! [`picture()`] what of it is drawn, [`templates()`] the ready-made ones.

pub mod constants;
pub mod cuts;
mod error;
mod graph;
mod index;
mod picture;
mod rates;
pub mod sketch;
mod spec;
mod templates;
mod wiring;

pub use error::{BOUNDS, Bound, ClusterError, check};
pub use graph::{Cluster, Part, PartKind, Wire};
pub use picture::{Bundle, Mark, MarkKind, Picture, PictureId, Tier, picture};
pub use rates::{LinkKind, Rates};
pub use spec::{ClusterSpec, Fabric, HostPath, IntraNode, Spine};
pub use templates::{Template, templates};

#[cfg(test)]
pub(crate) mod fixtures;
#[cfg(test)]
mod tests;
