//! Where a number comes from: the tree of its terms, and the sheet that shows it.

mod cost;
mod sheet;
mod tree;

pub use cost::{CostTree, addend_name, excluded};
pub use sheet::Sheet;
pub use tree::{TermTree, assumption};
