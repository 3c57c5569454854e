//! Values that the user fixed; the search is free in the rest.

use serde::{Deserialize, Serialize};

use super::{Framework, Offload, Recompute, Zero};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pins {
    pub framework: Option<Framework>,
    pub tp: Option<u32>,
    pub pp: Option<u32>,
    pub vpp: Option<u32>,
    pub cp: Option<u32>,
    pub ep: Option<u32>,
    pub zero: Option<Zero>,
    pub micro_batch: Option<u32>,
    pub recompute: Option<Recompute>,
    pub offload: Option<Offload>,
    pub activation_offload: Option<bool>,
}
