//! Pan and pinch as a small machine over pointers, without the DOM.

use std::collections::BTreeMap;

use super::{Point, Viewport};

/// The viewport and the pointers that hold it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gesture {
    pub viewport: Viewport,
    /// The reader has moved or zoomed: the view is no longer fitted by itself.
    pub by_hand: bool,
    /// The space bar is down: a drag on a mark pans too.
    pub space: bool,
    pointers: BTreeMap<i32, Point>,
}

impl Gesture {
    /// A pointer went down on empty space, or on anything while space is held.
    pub fn press(&mut self, pointer: i32, at: Point) {
        self.pointers.insert(pointer, at);
    }

    /// A pointer moved. True when the viewport changed: one pointer pans, two pinch.
    pub fn moved(&mut self, pointer: i32, at: Point) -> bool {
        let Some(before) = self.pointers.insert(pointer, at) else {
            self.pointers.remove(&pointer);
            return false;
        };
        let other = self.pointers.iter().find(|(id, _)| **id != pointer).map(|(_, at)| *at);
        let delta = (at.x - before.x, at.y - before.y);
        self.viewport = match other {
            None => self.viewport.panned(delta.0, delta.1),
            Some(other) => {
                let middle = Point { x: (at.x + other.x) / 2.0, y: (at.y + other.y) / 2.0 };
                let factor = distance(at, other) / distance(before, other).max(1.0);
                self.viewport.panned(delta.0 / 2.0, delta.1 / 2.0).zoomed(middle, factor)
            }
        };
        self.by_hand = true;
        true
    }

    pub fn release(&mut self, pointer: i32) {
        self.pointers.remove(&pointer);
    }

    /// Zooms around a screen point.
    pub fn zoom(&mut self, fixed: Point, factor: f64) {
        self.viewport = self.viewport.zoomed(fixed, factor);
        self.by_hand = true;
    }

    pub fn pan(&mut self, dx: f64, dy: f64) {
        self.viewport = self.viewport.panned(dx, dy);
        self.by_hand = true;
    }

    /// Takes a fitted viewport; from here on the view follows again.
    pub fn fitted(&mut self, viewport: Viewport) {
        self.viewport = viewport;
        self.by_hand = false;
    }
}

fn distance(a: Point, b: Point) -> f64 {
    libm::hypot(a.x - b.x, a.y - b.y)
}
