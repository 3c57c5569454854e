//! The drawn cluster in pixels: from the slots of `planner::cluster::picture` to rectangles,
//! curves and rows. World pixels; [`Viewport`](super::Viewport) brings them to the screen.

use std::collections::BTreeMap;

use planner::cluster::{Bundle, Mark, Picture, PictureId, Tier};

use super::{Point, Rect};

/// Width of one slot, and of the mark in it.
const SLOT: f64 = 46.0;
const MARK: f64 = 34.0;
/// A leaf or spine switch is a flat bar, at most this wide.
const SWITCH: f64 = 26.0;
const WIDEST_LEAF: f64 = 120.0;
const WIDEST_SPINE: f64 = 420.0;
/// From the middle of a row of the fabric to the middle of the next: the share of the width
/// that keeps a wide cluster from becoming a thread, and its bounds.
const FABRIC_GAP: (f64, f64, f64) = (0.15, 104.0, 300.0);
/// The same inside a node, as a share of that gap: from its name to the switch, and from the
/// switch to the GPUs.
const INSIDE_GAP: (f64, f64) = (0.4, 0.6);
/// Room around what an open node holds.
const PADDING: f64 = 7.0;

/// A mark with its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedMark {
    pub mark: Mark,
    pub rect: Rect,
}

/// A bundle of links with its curve as SVG path data.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedLink {
    pub bundle: Bundle,
    pub path: String,
    /// Where its label stands.
    pub middle: Point,
}

/// The height at which a row of marks lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    pub tier: Tier,
    pub y: f64,
}

/// Everything drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Open nodes before what lies in them.
    pub marks: Vec<PlacedMark>,
    pub links: Vec<PlacedLink>,
    /// From the top.
    pub rows: Vec<Row>,
    pub bounds: Rect,
}

impl Scene {
    /// The innermost mark at a world point.
    pub fn hit(&self, point: Point) -> Option<PictureId> {
        self.marks.iter().rev().find(|mark| mark.rect.contains(point)).map(|mark| mark.mark.id)
    }

    /// The least distance of two rows that have links between them.
    pub fn room(&self) -> f64 {
        self.rows
            .iter()
            .zip(self.rows.iter().skip(1))
            .filter(|(_, below)| below.tier != Tier::Switch)
            .map(|(above, below)| below.y - above.y)
            .fold(f64::MAX, f64::min)
    }

    pub fn mark(&self, id: PictureId) -> Option<&PlacedMark> {
        self.marks.iter().find(|mark| mark.mark.id == id)
    }

    /// The expandable mark before (-1) or after (1) another in reading order.
    pub fn neighbour(&self, id: PictureId, after: bool) -> Option<PictureId> {
        let mut row: Vec<&PlacedMark> =
            self.marks.iter().filter(|mark| mark.mark.expandable).collect();
        row.sort_by(|a, b| a.rect.x.total_cmp(&b.rect.x));
        let at = row.iter().position(|mark| mark.mark.id == id)?;
        let next = if after { at.checked_add(1) } else { at.checked_sub(1) };
        row.get(next?).map(|mark| mark.mark.id)
    }
}

/// Places a picture. Tiers without marks take no room.
pub fn place(picture: &Picture) -> Scene {
    let widest = picture.columns.iter().copied().max().unwrap_or(0);
    let width = f64::from(widest.max(1)) * SLOT;
    let rows = rows(picture, width);
    let mut marks: Vec<PlacedMark> = picture
        .marks
        .iter()
        .filter_map(|mark| {
            let y = rows.iter().find(|row| row.tier == mark.tier)?.y;
            Some(PlacedMark { mark: *mark, rect: rect(mark, picture, width, y, &rows) })
        })
        .collect();
    marks.sort_by_key(|placed| (placed.mark.tier, placed.mark.column));
    let places: BTreeMap<PictureId, Rect> =
        marks.iter().map(|placed| (placed.mark.id, placed.rect)).collect();
    let links = picture
        .bundles
        .iter()
        .filter_map(|bundle| {
            let (from, to) = (places.get(&bundle.from)?, places.get(&bundle.to)?);
            Some(link(*bundle, from, to, width))
        })
        .collect();
    let bounds = bounds(&marks);
    Scene { marks, links, rows, bounds }
}

fn rows(picture: &Picture, width: f64) -> Vec<Row> {
    let (share, least, most) = FABRIC_GAP;
    let fabric = (width * share).clamp(least, most);
    let mut rows: Vec<Row> = Vec::new();
    for tier in [Tier::Spine, Tier::Leaf, Tier::Node, Tier::Switch, Tier::Gpu] {
        if !picture.marks.iter().any(|mark| mark.tier == tier) {
            continue;
        }
        let gap = match tier {
            Tier::Spine | Tier::Leaf | Tier::Node => fabric,
            Tier::Switch => fabric * INSIDE_GAP.0,
            Tier::Gpu => fabric * INSIDE_GAP.1,
        };
        let y = rows.last().map_or(0.0, |row| row.y + gap);
        rows.push(Row { tier, y });
    }
    rows
}

fn rect(mark: &Mark, picture: &Picture, width: f64, y: f64, rows: &[Row]) -> Rect {
    match mark.tier {
        Tier::Spine => centred(width / 2.0, y, (width * 0.6).min(WIDEST_SPINE), SWITCH),
        Tier::Leaf => {
            let slot = width / f64::from(column_count(picture, 1));
            let x = (f64::from(mark.column) + 0.5) * slot;
            centred(x, y, (slot - 10.0).min(WIDEST_LEAF), SWITCH)
        }
        Tier::Node if mark.expanded => {
            let last = rows.last().map_or(y, |row| row.y);
            let outer = span(mark, picture, width);
            Rect {
                x: outer.0 - PADDING + (SLOT - MARK) / 2.0,
                y: y - MARK / 2.0,
                width: outer.1 - (SLOT - MARK) + 2.0 * PADDING,
                height: last - y + MARK + PADDING,
            }
        }
        Tier::Node | Tier::Gpu => {
            let (x, wide) = span(mark, picture, width);
            centred(x + wide / 2.0, y, MARK, MARK)
        }
        Tier::Switch => {
            let (x, wide) = span(mark, picture, width);
            centred(x + wide / 2.0, y, wide - (SLOT - MARK), SWITCH - 6.0)
        }
    }
}

/// Start and width of a mark's slots in the grid of nodes and GPUs, which stands in the middle.
fn span(mark: &Mark, picture: &Picture, width: f64) -> (f64, f64) {
    let grid = f64::from(column_count(picture, 2)) * SLOT;
    let start = (width - grid) / 2.0 + f64::from(mark.column) * SLOT;
    (start, f64::from(mark.span) * SLOT)
}

fn column_count(picture: &Picture, row: usize) -> u32 {
    picture.columns.get(row).copied().unwrap_or(1).max(1)
}

const fn centred(x: f64, y: f64, width: f64, height: f64) -> Rect {
    Rect { x: x - width / 2.0, y: y - height / 2.0, width, height }
}

/// The curve of a bundle: upwards from the lower mark, level between marks of one row.
fn link(bundle: Bundle, from: &Rect, to: &Rect, width: f64) -> PlacedLink {
    let (low, high) = if from.y >= to.y { (from, to) } else { (to, from) };
    let start = Point { x: low.centre().x, y: low.y };
    if (low.y - high.y).abs() < 1.0 {
        return bridge(bundle, low, high);
    }
    let end = Point { x: landing(start.x, high, width), y: high.y + high.height.min(SWITCH) };
    let bend = (start.y + end.y) / 2.0;
    let path = format!(
        "M{:.1} {:.1} C{:.1} {bend:.1} {:.1} {bend:.1} {:.1} {:.1}",
        start.x, start.y, start.x, end.x, end.x, end.y
    );
    let middle = Point { x: (start.x + end.x) / 2.0, y: bend };
    PlacedLink { bundle, path, middle }
}

/// Where on the lower edge of a mark a link lands: straight above its start when the mark is
/// that wide, else in proportion, so that links fan out instead of meeting in one point.
fn landing(x: f64, high: &Rect, width: f64) -> f64 {
    let inset = high.width.min(6.0);
    let (left, right) = (high.x + inset, high.x + high.width - inset);
    if right <= left {
        return high.centre().x;
    }
    if (left..=right).contains(&x) && high.width > 0.5 * width {
        return x;
    }
    left + (x / width.max(1.0)).clamp(0.0, 1.0) * (right - left)
}

/// An arc below two neighbours.
fn bridge(bundle: Bundle, one: &Rect, other: &Rect) -> PlacedLink {
    let (left, right) = if one.x <= other.x { (one, other) } else { (other, one) };
    let bottom = left.y + left.height;
    let (from, to) = (left.centre().x, right.centre().x);
    let middle = Point { x: (from + to) / 2.0, y: bottom + PADDING };
    let path = format!(
        "M{from:.1} {bottom:.1} Q{:.1} {:.1} {to:.1} {bottom:.1}",
        middle.x,
        bottom + 2.0 * PADDING
    );
    PlacedLink { bundle, path, middle }
}

fn bounds(marks: &[PlacedMark]) -> Rect {
    let edges = marks.iter().map(|placed| placed.rect).fold(None, |edges, rect| {
        let (left, top) = (rect.x, rect.y);
        let (right, bottom) = (rect.x + rect.width, rect.y + rect.height);
        Some(match edges {
            None => (left, top, right, bottom),
            Some((l, t, r, b)) => {
                (f64::min(l, left), f64::min(t, top), f64::max(r, right), f64::max(b, bottom))
            }
        })
    });
    edges.map_or_else(Rect::default, |(left, top, right, bottom): (f64, f64, f64, f64)| Rect {
        x: left,
        y: top,
        width: right - left,
        height: bottom - top,
    })
}
