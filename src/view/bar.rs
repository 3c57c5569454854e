//! Stacked bars.

/// One piece of a stacked bar: which part, where it starts and how long it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Index of the part in what was given to [`stack`].
    pub part: usize,
    pub start: f64,
    pub length: f64,
}

/// Lays the parts end to end, so that `max` is as long as `length`. Parts that are not positive
/// are left out; what lies beyond `length` is cut, because a bar never leaves its frame.
pub fn stack(parts: &[f64], max: f64, length: f64) -> Vec<Segment> {
    let mut start = 0.0;
    let mut segments = Vec::with_capacity(parts.len());
    if !max.is_finite() || max <= 0.0 {
        return segments;
    }
    for (part, value) in parts.iter().copied().enumerate() {
        if !value.is_finite() || value <= 0.0 {
            continue;
        }
        let end = (start + value / max * length).min(length);
        if end > start {
            segments.push(Segment { part, start, length: end - start });
        }
        start = end;
    }
    segments
}
