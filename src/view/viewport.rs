//! Pan and zoom of the picture: one transform from world to screen pixels.

/// A place, in world or screen pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// A width and a height in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    pub width: f64,
    pub height: f64,
}

/// A rectangle in world pixels; `x` and `y` are its left top corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// Screen = world × `scale` + (`x`, `y`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    pub x: f64,
    pub y: f64,
    pub scale: f64,
}

/// Zoom ends where a mark of a large cluster is a dot, and where one GPU fills the pane.
const SCALES: (f64, f64) = (0.05, 8.0);

impl Rect {
    pub fn contains(&self, point: Point) -> bool {
        point.x >= self.x
            && point.x <= self.x + self.width
            && point.y >= self.y
            && point.y <= self.y + self.height
    }

    pub fn centre(&self) -> Point {
        Point { x: self.x + self.width / 2.0, y: self.y + self.height / 2.0 }
    }
}

impl Default for Viewport {
    fn default() -> Self {
        Self { x: 0.0, y: 0.0, scale: 1.0 }
    }
}

impl Viewport {
    /// All of `content` in the middle of `screen`, `margin` pixels free on each side, never
    /// enlarged beyond `largest`.
    pub fn fit(content: Rect, screen: Size, margin: f64, largest: f64) -> Self {
        let free = Size {
            width: (screen.width - 2.0 * margin).max(1.0),
            height: (screen.height - 2.0 * margin).max(1.0),
        };
        let scale = (free.width / content.width.max(1.0))
            .min(free.height / content.height.max(1.0))
            .min(largest);
        Self::centred(content, screen, scale.clamp(SCALES.0, SCALES.1))
    }

    /// `content` in the middle of `screen` at a given scale.
    pub fn centred(content: Rect, screen: Size, scale: f64) -> Self {
        let centre = content.centre();
        Self {
            x: screen.width / 2.0 - centre.x * scale,
            y: screen.height / 2.0 - centre.y * scale,
            scale,
        }
    }

    /// Moved by screen pixels.
    #[must_use]
    pub fn panned(&self, dx: f64, dy: f64) -> Self {
        Self { x: self.x + dx, y: self.y + dy, scale: self.scale }
    }

    /// Zoomed so that the world under the screen point `fixed` stays there.
    #[must_use]
    pub fn zoomed(&self, fixed: Point, factor: f64) -> Self {
        let scale = (self.scale * factor).clamp(SCALES.0, SCALES.1);
        let ratio = scale / self.scale;
        Self {
            x: fixed.x - (fixed.x - self.x) * ratio,
            y: fixed.y - (fixed.y - self.y) * ratio,
            scale,
        }
    }

    /// The world point under a screen point.
    pub fn world(&self, screen: Point) -> Point {
        Point { x: (screen.x - self.x) / self.scale, y: (screen.y - self.y) / self.scale }
    }

    /// The value of an SVG `transform` attribute.
    pub fn transform(&self) -> String {
        format!("translate({:.2} {:.2}) scale({:.4})", self.x, self.y, self.scale)
    }
}
