//! Finds the row of a `model_type`.

use super::super::family::Family;
use super::dense::DENSE;
use super::sparse::SPARSE;

/// The first row whose names hold `model_type`.
pub(in crate::model) fn family(model_type: &str) -> Option<&'static Family> {
    rows().find(|family| family.names.contains(&model_type))
}

/// All names of the table, for the hint of a refusal.
pub(in crate::model) fn supported() -> String {
    let names: Vec<&str> = rows().flat_map(|family| family.names).copied().collect();
    names.join(", ")
}

fn rows() -> impl Iterator<Item = &'static Family> {
    DENSE.iter().chain(SPARSE)
}
