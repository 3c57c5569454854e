//! The tables that `build.rs` writes from `data/rules.toml`.

use super::types::{FactRow, Op, Rule, Severity, Tool, Written};

include!(concat!(env!("OUT_DIR"), "/rules.rs"));
