//! The tables that `build.rs` writes from `data/rules.toml`.

use super::types::{FactRow, Op, Piece, Rule, Severity, Tool};

include!(concat!(env!("OUT_DIR"), "/rules.rs"));
