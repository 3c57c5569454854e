//! Pure geometry of everything that is drawn: scales, bars, the picture of the cluster. No DOM
//! here, so that all of it is tested natively; the components only draw what this computes.

mod bar;
mod gesture;
mod load;
mod order;
mod place;
mod scale;
mod viewport;

pub use bar::{Segment, stack};
pub use gesture::Gesture;
pub use load::{LEVELS, Load, level, loads, width};
pub use order::{Direction, order};
pub use place::{PlacedLink, PlacedMark, Row, Scene, place};
pub use scale::{LogScale, Scale, Tick, ticks};
pub use viewport::{Point, Rect, Size, Viewport};

#[cfg(test)]
mod tests;
