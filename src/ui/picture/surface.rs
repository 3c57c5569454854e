//! The part of the DOM that pan and zoom write to, and how a scene is fitted into it.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

use crate::view::{Gesture, Point, Scene, Size, Viewport};

/// Room at the left for the names of the rows, and around the rest, in screen pixels.
const GUTTER: f64 = 150.0;
const MARGIN: f64 = 22.0;
/// Room at the top for the controls.
const TOP: f64 = 30.0;
/// A small cluster is not enlarged beyond this.
const LARGEST: f64 = 1.25;
/// Below this scale the names inside marks are left out.
const FAR: f64 = 0.42;
/// Between two rows there must be so many pixels for a name of one or of two lines.
const ONE_LINE: f64 = 30.0;
const TWO_LINES: f64 = 52.0;
/// Below this width of the pane the names of the rows get less room.
const NARROW: f64 = 560.0;

/// The parts of the DOM that a change of view touches.
#[derive(Clone, PartialEq)]
pub(super) struct Surface {
    pub(super) svg: NodeRef,
    pub(super) world: NodeRef,
    pub(super) gutter: NodeRef,
    pub(super) gesture: Rc<RefCell<Gesture>>,
    /// Least distance of two rows with a name between them, in world pixels.
    pub(super) room: f64,
}

impl Surface {
    /// Fits a new scene unless the reader has taken the view in hand.
    pub(super) fn follow(&self, scene: &Scene) {
        if !self.gesture.borrow().by_hand {
            self.fit(scene);
        }
        self.write();
    }

    pub(super) fn fit(&self, scene: &Scene) {
        let size = self.size();
        let gutter = if size.width < NARROW { GUTTER * 0.88 } else { GUTTER };
        let inner =
            Size { width: (size.width - gutter).max(1.0), height: (size.height - TOP).max(1.0) };
        let fitted = Viewport::fit(scene.bounds, inner, MARGIN, LARGEST).panned(gutter, TOP);
        self.gesture.borrow_mut().fitted(fitted);
        self.write();
    }

    /// 100%, with the middle of the scene in the middle of the pane.
    pub(super) fn actual(&self, scene: &Scene) {
        let view = Viewport::centred(scene.bounds, self.size(), 1.0);
        let mut gesture = self.gesture.borrow_mut();
        gesture.viewport = view;
        gesture.by_hand = true;
        drop(gesture);
        self.write();
    }

    pub(super) fn zoom_middle(&self, factor: f64) {
        let size = self.size();
        let middle = Point { x: size.width / 2.0, y: size.height / 2.0 };
        self.gesture.borrow_mut().zoom(middle, factor);
        self.write();
    }

    pub(super) fn pan(&self, dx: f64, dy: f64) {
        self.gesture.borrow_mut().pan(dx, dy);
        self.write();
    }

    /// Writes the transform, and type sizes that keep the names readable at any scale.
    pub(super) fn write(&self) {
        let view = self.gesture.borrow().viewport;
        if let Some(world) = self.world.cast::<Element>() {
            let size = (11.0 / view.scale).min(14.0);
            set(&world, "transform", &view.transform());
            set(&world, "font-size", &format!("{size:.2}"));
            let far = if view.scale < FAR { " is-far" } else { "" };
            let names = match self.room * view.scale {
                room if room < ONE_LINE => " is-tight",
                room if room < TWO_LINES => " is-close",
                _ => "",
            };
            set(&world, "class", &format!("world{far}{names}"));
        }
        if let Some(gutter) = self.gutter.cast::<Element>() {
            let size = (11.5 / view.scale).min(46.0);
            set(&gutter, "font-size", &format!("{size:.2}"));
        }
    }

    pub(super) fn size(&self) -> Size {
        self.svg.cast::<Element>().map_or_else(Size::default, |svg| {
            let rect = svg.get_bounding_client_rect();
            Size { width: rect.width(), height: rect.height() }
        })
    }

    /// A point of the window as a point of the pane.
    pub(super) fn local(&self, x: i32, y: i32) -> Point {
        let (x, y) = (f64::from(x), f64::from(y));
        self.svg.cast::<Element>().map_or(Point { x, y }, |svg| {
            let rect = svg.get_bounding_client_rect();
            Point { x: x - rect.left(), y: y - rect.top() }
        })
    }
}

/// Fits again when the pane changes its size.
#[hook]
pub(super) fn use_resize(surface: &Surface, scene: &Rc<Scene>) {
    let surface = surface.clone();
    use_effect_with(scene.clone(), move |scene| {
        let scene = scene.clone();
        let svg = surface.svg.cast::<Element>();
        let changed = Closure::<dyn FnMut()>::new(move || surface.follow(&scene));
        let observer = ResizeObserver::new(changed.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(svg)) = (&observer, &svg) {
            observer.observe(svg);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop(changed);
        }
    });
}

/// Attribute names here are fixed and valid, the one reason for which setting can fail.
fn set(element: &Element, name: &str, value: &str) {
    let written = element.set_attribute(name, value);
    debug_assert!(written.is_ok());
}
