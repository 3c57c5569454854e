#![expect(clippy::float_cmp, reason = "the compared values are exact in binary")]

use std::collections::BTreeSet;

use planner::cluster::{ClusterSpec, LinkKind, PictureId, Tier, picture};
use planner::units::BytesPerSecond;

use super::*;
use crate::ui::sample;

#[test]
fn ticks_are_round_and_end_at_the_largest_value() {
    assert_eq!(ticks(80.0, 4), [0.0, 20.0, 40.0, 60.0, 80.0]);
    assert_eq!(ticks(93.0, 5), [0.0, 20.0, 40.0, 60.0, 80.0]);
    assert_eq!(ticks(0.0, 5), [0.0]);
    assert_eq!(ticks(f64::INFINITY, 5), [0.0]);
    for max in [0.0123, 1.0, 7.7, 80.0, 12_345.0] {
        let count = ticks(max, 5).len();
        assert!((3..=7).contains(&count), "{count} ticks for {max}");
    }
}

#[test]
fn a_scale_keeps_every_value_inside() {
    let scale = Scale::new(80.0, 100.0);
    assert_eq!([scale.at(40.0), scale.at(90.0), scale.at(-1.0)], [50.0, 100.0, 0.0]);
    assert_eq!(scale.at(f64::NAN), 0.0);
    assert_eq!(Scale::new(0.0, 100.0).at(0.5), 50.0);
}

#[test]
fn a_log_scale_gives_each_decade_the_same_room() {
    let scale = LogScale::new(1.0, 100.0, 200.0);
    assert!((scale.at(10.0) - 100.0).abs() < 1e-9);
    let values: Vec<f64> = scale.ticks().iter().map(|tick| tick.value).collect();
    assert_eq!(values, [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
}

#[test]
fn a_short_log_scale_still_has_round_ticks() {
    let values: Vec<f64> =
        LogScale::new(55.0, 101.0, 200.0).ticks().iter().map(|tick| tick.value).collect();
    assert_eq!(values, [60.0, 80.0, 100.0]);
}

#[test]
fn a_bar_adds_up_and_never_leaves_its_frame() {
    let segments = stack(&[20.0, 0.0, 40.0, 60.0], 80.0, 100.0);
    assert_eq!(
        segments,
        [
            Segment { part: 0, start: 0.0, length: 25.0 },
            Segment { part: 2, start: 25.0, length: 50.0 },
            Segment { part: 3, start: 75.0, length: 25.0 },
        ]
    );
    assert!(stack(&[1.0], 0.0, 100.0).is_empty());
}

#[test]
fn zoom_keeps_the_point_under_the_pointer() {
    let before = Viewport { x: 10.0, y: -20.0, scale: 0.5 };
    let pointer = Point { x: 300.0, y: 120.0 };
    let after = before.zoomed(pointer, 1.7);
    let (was, is) = (before.world(pointer), after.world(pointer));
    assert!((was.x - is.x).abs() < 1e-9 && (was.y - is.y).abs() < 1e-9);
}

#[test]
fn fit_shows_all_of_the_content_in_the_middle() {
    let content = Rect { x: -50.0, y: 0.0, width: 1000.0, height: 200.0 };
    let screen = Size { width: 520.0, height: 400.0 };
    let view = Viewport::fit(content, screen, 10.0, 1.0);
    assert_eq!(view.scale, 0.5);
    let corner = view.world(Point { x: 10.0, y: 150.0 });
    assert!((corner.x + 50.0).abs() < 1e-9 && corner.y.abs() < 1e-9);
}

#[test]
fn rows_without_a_value_come_last_either_way() {
    let values = [Some(2.0), None, Some(1.0), Some(f64::INFINITY), Some(3.0)];
    assert_eq!(order(&values, Direction::Ascending), [2, 0, 4, 1, 3]);
    assert_eq!(order(&values, Direction::Descending), [4, 0, 2, 1, 3]);
}

#[test]
fn equal_rows_keep_their_order() {
    let values = [Some(1.0), Some(1.0), Some(1.0)];
    assert_eq!(order(&values, Direction::Descending), [0, 1, 2]);
}

#[test]
fn levels_grow_with_the_busy_share() {
    let shares = [0.0, 0.01, 0.1, 0.2, 0.5, 0.9, 1.0];
    assert_eq!(shares.map(level), [0, 1, 2, 3, 4, LEVELS, LEVELS]);
}

#[test]
fn faster_links_are_wider_but_never_wide() {
    let widths = [12.5, 50.0, 450.0, 1800.0].map(|rate| width(BytesPerSecond::gb_s(rate)));
    assert_eq!(widths[0], 1.0);
    assert!(widths.is_sorted() && widths[3] <= 5.0, "{widths:?}");
}

#[test]
fn links_of_a_kind_share_the_bytes_of_their_node() {
    let answer = sample::answer();
    let step = &answer.plan.as_ref().unwrap().step;
    let spec = sample::cluster();
    let loads = loads(&spec, &picture(&spec, &BTreeSet::new()), step);
    let nic = loads.iter().find(|load| load.kind == LinkKind::Nic).unwrap();
    let one = nic.bytes(BytesPerSecond::gb_s(50.0)).as_gb();
    assert!((one - (70.0 + 96.0) / 8.0).abs() < 1e-9, "{one} GB on one NIC");
    assert!((nic.busy - one / 50.0 / 12.8).abs() < 1e-12);
    // Nothing inside a node is drawn while all are closed.
    assert!(loads.iter().all(|load| load.kind != LinkKind::NvLink));
}

#[test]
fn a_drag_pans_and_two_fingers_zoom() {
    let mut gesture = Gesture::default();
    assert!(!gesture.moved(1, Point { x: 5.0, y: 5.0 }));
    gesture.press(1, Point { x: 0.0, y: 0.0 });
    assert!(gesture.moved(1, Point { x: 10.0, y: 4.0 }) && gesture.by_hand);
    assert_eq!((gesture.viewport.x, gesture.viewport.y), (10.0, 4.0));
    gesture.press(2, Point { x: 110.0, y: 4.0 });
    gesture.moved(2, Point { x: 210.0, y: 4.0 });
    assert_eq!(gesture.viewport.scale, 2.0);
    gesture.release(1);
    gesture.release(2);
    assert!(!gesture.moved(2, Point { x: 0.0, y: 0.0 }));
}

/// Each cluster closed, with its first mark open, and with what that opened open too.
fn scenes() -> Vec<Scene> {
    let mut scenes = Vec::new();
    for (nodes, gpus, nics) in [(1, 8, 0), (2, 4, 2), (16, 8, 8), (300, 8, 4), (16_384, 8, 8)] {
        let spec =
            ClusterSpec { nodes, gpus_per_node: gpus, nics_per_node: nics, ..sample::cluster() };
        let mut open: BTreeSet<PictureId> = BTreeSet::new();
        for _ in 0..3 {
            let drawn = picture(&spec, &open);
            open.extend(drawn.marks.iter().find(|mark| mark.expandable).map(|mark| mark.id));
            scenes.push(place(&drawn));
        }
    }
    scenes
}

#[test]
fn marks_of_a_row_never_overlap() {
    for scene in scenes() {
        for tier in [Tier::Spine, Tier::Leaf, Tier::Node, Tier::Switch, Tier::Gpu] {
            let mut row: Vec<Rect> = scene
                .marks
                .iter()
                .filter(|placed| placed.mark.tier == tier)
                .map(|placed| placed.rect)
                .collect();
            row.sort_by(|a, b| a.x.total_cmp(&b.x));
            for pair in row.windows(2) {
                assert!(pair[0].x + pair[0].width <= pair[1].x, "{tier:?}: {pair:?}");
            }
        }
    }
}

#[test]
fn every_mark_lies_in_the_bounds_and_is_hit_in_its_middle() {
    for scene in scenes() {
        for placed in &scene.marks {
            let centre = placed.rect.centre();
            assert!(scene.bounds.contains(centre));
            if !placed.mark.expanded {
                assert_eq!(scene.hit(centre), Some(placed.mark.id));
            }
        }
    }
}

#[test]
fn what_an_open_node_holds_lies_inside_it() {
    for scene in scenes() {
        for placed in &scene.marks {
            let node = placed.mark.parent.filter(|id| matches!(id, PictureId::Node { .. }));
            if let Some(node) = node {
                let outer = scene.mark(node).unwrap().rect;
                assert!(outer.contains(Point { x: placed.rect.x, y: placed.rect.y }));
                assert!(outer.x + outer.width >= placed.rect.x + placed.rect.width);
                assert!(outer.y + outer.height >= placed.rect.y + placed.rect.height);
            }
        }
    }
}

#[test]
fn every_bundle_is_drawn_and_marks_stay_few() {
    let drawn = picture(&sample::cluster(), &BTreeSet::new());
    let scene = place(&drawn);
    assert_eq!(scene.links.len(), drawn.bundles.len());
    for scene in scenes() {
        assert!(scene.marks.len() + scene.links.len() <= 600);
    }
}

#[test]
fn neighbours_walk_the_nodes_from_left_to_right() {
    let scene = place(&picture(&sample::cluster(), &BTreeSet::new()));
    let first = PictureId::Node { node: 0 };
    let second = PictureId::Node { node: 1 };
    assert_eq!(scene.neighbour(first, true), Some(second));
    assert_eq!(scene.neighbour(second, false), Some(first));
    assert_eq!(scene.neighbour(first, false), None);
}
