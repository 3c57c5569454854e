//! Order of table rows.

use std::cmp::Ordering;

/// Which way a column is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Ascending,
    Descending,
}

impl Direction {
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Ascending => Self::Descending,
            Self::Descending => Self::Ascending,
        }
    }
}

/// Indices of the rows by their value in one column. Rows without a value come last either way,
/// equal rows keep their order.
pub fn order(values: &[Option<f64>], direction: Direction) -> Vec<usize> {
    let mut rows: Vec<(usize, Option<f64>)> =
        values.iter().map(|value| value.filter(|value| value.is_finite())).enumerate().collect();
    rows.sort_by(|(_, a), (_, b)| match (a, b) {
        (Some(a), Some(b)) => match direction {
            Direction::Ascending => a.total_cmp(b),
            Direction::Descending => b.total_cmp(a),
        },
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    });
    rows.into_iter().map(|(row, _)| row).collect()
}
