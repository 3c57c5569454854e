//! Scales from values to lengths, and round ticks for their axes.

/// A linear scale that starts at 0. Lengths are in the unit of `length` (pixels or percent).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    max: f64,
    length: f64,
}

/// A logarithmic scale between two positive values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogScale {
    low: f64,
    high: f64,
    length: f64,
}

/// A round value of an axis and where it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    pub value: f64,
    pub at: f64,
}

impl Scale {
    /// Values 0 to `max` over `length`. A `max` that is not positive counts as 1.
    pub fn new(max: f64, length: f64) -> Self {
        Self { max: if max.is_finite() && max > 0.0 { max } else { 1.0 }, length }
    }

    /// Where `value` stands, kept inside the axis.
    pub fn at(&self, value: f64) -> f64 {
        let share = value / self.max;
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) * self.length }
    }

    /// About `count` round ticks with their positions.
    pub fn ticks(&self, count: u32) -> Vec<Tick> {
        ticks(self.max, count).into_iter().map(|value| Tick { value, at: self.at(value) }).collect()
    }
}

impl LogScale {
    /// Values `low` to `high` over `length`; a span of less than one percent is widened.
    pub fn new(low: f64, high: f64, length: f64) -> Self {
        let low = if low.is_finite() && low > 0.0 { low } else { 1.0 };
        let high = if high.is_finite() { high.max(low * 1.01) } else { low * 10.0 };
        Self { low, high, length }
    }

    /// Where `value` stands, kept inside the axis.
    pub fn at(&self, value: f64) -> f64 {
        if value <= self.low || value.is_nan() {
            return 0.0;
        }
        let share = libm::log(value / self.low) / libm::log(self.high / self.low);
        share.clamp(0.0, 1.0) * self.length
    }

    /// Every 1, 2 and 5 of each decade inside the scale; on a scale too short for three of
    /// these, evenly spaced round values.
    pub fn ticks(&self) -> Vec<Tick> {
        let found = self.decade_ticks();
        if found.len() >= 3 {
            return found;
        }
        let step = ticks(self.high - self.low, 4).get(1).copied().unwrap_or(self.high);
        let first = (self.low / step).ceil();
        (0..12)
            .map(|index| (first + f64::from(index)) * step)
            .take_while(|value| *value <= self.high)
            .map(|value| Tick { value, at: self.at(value) })
            .collect()
    }

    fn decade_ticks(&self) -> Vec<Tick> {
        let mut decade = decade_below(self.low);
        let mut found = Vec::new();
        while decade <= self.high && found.len() < 40 {
            for factor in [1.0, 2.0, 5.0] {
                let value = decade * factor;
                if value >= self.low && value <= self.high {
                    found.push(Tick { value, at: self.at(value) });
                }
            }
            decade *= 10.0;
        }
        found
    }
}

/// Round values from 0 up to `max`, about `count` of them: steps of 1, 2 or 5 times a power of
/// ten.
pub fn ticks(max: f64, count: u32) -> Vec<f64> {
    if !max.is_finite() || max <= 0.0 || count == 0 {
        return vec![0.0];
    }
    let rough = max / f64::from(count);
    let decade = decade_below(rough);
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * decade)
        .find(|step| *step >= rough)
        .unwrap_or(decade * 10.0);
    let slack = step * 1e-9;
    (0..=count.saturating_mul(2))
        .map(|index| f64::from(index) * step)
        .take_while(|value| *value <= max + slack)
        .collect()
}

/// The power of ten at or below a positive `value`.
fn decade_below(value: f64) -> f64 {
    let mut decade = 1.0;
    while decade > value && decade > 1e-30 {
        decade /= 10.0;
    }
    while decade * 10.0 <= value && decade < 1e30 {
        decade *= 10.0;
    }
    decade
}
