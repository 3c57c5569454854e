//! The drawn cluster: tiers from the spine to the GPU, links coloured by their use in a step.

mod canvas;
mod cluster;
mod draw;
mod labels;
mod legend;
mod outline;
mod surface;

pub use cluster::ClusterPicture;
