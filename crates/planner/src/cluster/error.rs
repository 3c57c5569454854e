//! Bounds of the inputs and what is wrong with a stated cluster, as data.

use thiserror::Error;

use crate::catalog::{Accelerator, Link};

use super::{ClusterSpec, IntraNode};

/// The permitted range of one field of [`ClusterSpec`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Name of the field in the document.
    pub field: &'static str,
    pub least: f64,
    pub most: f64,
}

/// Speed of a port in Gb/s, memory in GiB. Sixteen thousand nodes are above the largest clusters
/// of COMMUNICATION.md 3; 384 devices share the largest scale-up domain of the catalog.
pub const BOUNDS: [Bound; 8] = [
    Bound { field: "nodes", least: 1.0, most: 16_384.0 },
    Bound { field: "gpus_per_node", least: 1.0, most: 384.0 },
    Bound { field: "nics_per_node", least: 0.0, most: 384.0 },
    Bound { field: "nic_speed", least: 0.0, most: 3_200.0 },
    Bound { field: "host_memory", least: 0.0, most: 1_048_576.0 },
    Bound { field: "nodes_per_segment", least: 0.0, most: 16_384.0 },
    Bound { field: "oversubscription", least: 0.05, most: 64.0 },
    Bound { field: "gpus", least: 1.0, most: 1_048_576.0 },
];

/// Why no cluster can be built from a specification.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ClusterError {
    #[error("{field} is {value}, allowed are {least} to {most}")]
    OutOfRange { field: &'static str, value: f64, least: f64, most: f64 },
    #[error("{nodes} nodes need NICs to reach each other")]
    NoNics { nodes: u32 },
    #[error("the NICs of {nodes} nodes need a speed")]
    NoNicSpeed { nodes: u32 },
    #[error("the specification names {stated}, the accelerator given is {given}")]
    OtherAccelerator { stated: String, given: String },
    #[error("{accelerator} has no scale-up link")]
    NoScaleUpLink { accelerator: String },
    #[error("{accelerator} joins at most {most} in one scale-up domain, not {value}")]
    DomainTooLarge { accelerator: String, value: u32, most: u32 },
}

impl ClusterError {
    /// The message that words this error.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::OutOfRange { .. } => "cluster-out-of-range",
            Self::NoNics { .. } => "cluster-no-nics",
            Self::NoNicSpeed { .. } => "cluster-no-nic-speed",
            Self::OtherAccelerator { .. } => "cluster-other-accelerator",
            Self::NoScaleUpLink { .. } => "cluster-no-scale-up-link",
            Self::DomainTooLarge { .. } => "cluster-domain-too-large",
        }
    }

    /// Field of the document that the error points at.
    pub const fn field(&self) -> &'static str {
        match self {
            Self::OutOfRange { field, .. } => field,
            Self::NoNics { .. } => "nics_per_node",
            Self::NoNicSpeed { .. } => "nic_speed",
            Self::OtherAccelerator { .. } => "accelerator",
            Self::NoScaleUpLink { .. } => "intra",
            Self::DomainTooLarge { .. } => "gpus_per_node",
        }
    }

    /// Arguments of the message: `field`, the values compared, and `hint`, the nearest value
    /// that is accepted.
    pub fn args(&self) -> Vec<(&'static str, String)> {
        let mut args = vec![("field", self.field().to_owned())];
        match self {
            Self::OutOfRange { value, least, most, .. } => {
                let nearest = if value.is_nan() { *least } else { value.clamp(*least, *most) };
                args.push(("value", value.to_string()));
                args.push(("least", least.to_string()));
                args.push(("most", most.to_string()));
                args.push(("hint", nearest.to_string()));
            }
            Self::NoNics { nodes } => {
                args.push(("value", nodes.to_string()));
                args.push(("hint", "1".to_owned()));
            }
            Self::NoNicSpeed { nodes } => {
                args.push(("value", nodes.to_string()));
                args.push(("hint", "100".to_owned()));
            }
            Self::OtherAccelerator { stated, given } => {
                args.push(("value", stated.clone()));
                args.push(("hint", given.clone()));
            }
            Self::NoScaleUpLink { accelerator } => {
                args.push(("value", accelerator.clone()));
                args.push(("hint", "pcie".to_owned()));
            }
            Self::DomainTooLarge { accelerator, value, most } => {
                args.push(("accelerator", accelerator.clone()));
                args.push(("value", value.to_string()));
                args.push(("most", most.to_string()));
                args.push(("hint", most.to_string()));
            }
        }
        args
    }
}

/// Checks a specification against [`BOUNDS`] and against the accelerator it names.
pub fn check(spec: &ClusterSpec, accelerator: &Accelerator) -> Result<(), ClusterError> {
    let spine = spec.spine;
    let stated = [
        f64::from(spec.nodes),
        f64::from(spec.gpus_per_node),
        f64::from(spec.nics_per_node),
        spec.nic_speed.as_gbps(),
        spec.host_memory.as_gib(),
        f64::from(spine.map_or(0, |spine| spine.nodes_per_segment)),
        spine.map_or(1.0, |spine| spine.oversubscription),
        f64::from(spec.nodes) * f64::from(spec.gpus_per_node),
    ];
    for (bound, value) in BOUNDS.iter().zip(stated) {
        let Bound { field, least, most } = *bound;
        if !(least..=most).contains(&value) {
            return Err(ClusterError::OutOfRange { field, value, least, most });
        }
    }
    if spec.nodes > 1 && spec.nics_per_node == 0 {
        return Err(ClusterError::NoNics { nodes: spec.nodes });
    }
    if spec.nodes > 1 && spec.nic_speed.as_gbps() <= 0.0 {
        return Err(ClusterError::NoNicSpeed { nodes: spec.nodes });
    }
    if spec.accelerator != accelerator.id {
        return Err(ClusterError::OtherAccelerator {
            stated: spec.accelerator.clone(),
            given: accelerator.id.to_owned(),
        });
    }
    check_domain(spec, accelerator)
}

fn check_domain(spec: &ClusterSpec, accelerator: &Accelerator) -> Result<(), ClusterError> {
    let most = match spec.intra {
        IntraNode::Pcie(_) => return Ok(()),
        IntraNode::NvLinkPairs => None,
        IntraNode::NvSwitch | IntraNode::Mesh => Some(accelerator.scale_up_max),
    };
    let linked = accelerator.link != Link::None && accelerator.link_bandwidth.base() > 0.0;
    if !linked && spec.gpus_per_node > 1 {
        return Err(ClusterError::NoScaleUpLink { accelerator: accelerator.id.to_owned() });
    }
    match most {
        Some(most) if most > 0 && spec.gpus_per_node > most => Err(ClusterError::DomainTooLarge {
            accelerator: accelerator.id.to_owned(),
            value: spec.gpus_per_node,
            most,
        }),
        _ => Ok(()),
    }
}
