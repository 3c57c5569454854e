//! The static tables, as `build.rs` writes them from `data/catalog`.

use super::types::{Accelerator, Architecture, Confidence, IntraTopology, Link, Machine};
use crate::units::{BitsPerSecond, Bytes, BytesPerSecond, FlopPerSecond, Watts};

include!(concat!(env!("OUT_DIR"), "/catalog.rs"));
