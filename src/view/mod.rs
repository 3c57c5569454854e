//! Pure geometry of everything that is drawn: scales, bars, the picture of the cluster. No DOM
//! here, so that all of it is tested natively; the components only draw what this computes.

mod bar;
mod load;
mod order;
mod place;
mod scale;
mod viewport;

pub use bar::{Segment, stack};
pub use load::{LEVELS, Load, bytes_per_link, level, load, width};
pub use order::{Direction, order};
pub use place::{PlacedLink, PlacedMark, Row, Scene, place};
pub use scale::{LogScale, Scale, Tick, ticks};
pub use viewport::{Point, Rect, Size, Viewport};

#[cfg(test)]
mod tests;
