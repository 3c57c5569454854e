//! The drawing surface: pan, zoom and keys. The transform is written through node references,
//! so that moving the view redraws nothing.

use std::cell::RefCell;
use std::rc::Rc;

use planner::cluster::{ClusterSpec, PictureId};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

use super::draw::{Drawing, element_id};
use crate::text::Text;
use crate::view::{Gesture, Load, Point, Scene, Size, Viewport};

/// Room at the left for the names of the rows, and around the rest, in screen pixels.
const GUTTER: f64 = 150.0;
const MARGIN: f64 = 22.0;
/// Room at the top for the controls.
const TOP: f64 = 30.0;
/// A small cluster is not enlarged beyond this.
const LARGEST: f64 = 1.25;
/// One step of the keys.
const STEP: f64 = 48.0;
const ZOOM: f64 = 1.2;
/// Below this scale the names inside marks are left out.
const FAR: f64 = 0.42;
/// Between two rows there must be so many pixels for a name of one or of two lines.
const ONE_LINE: f64 = 30.0;
const TWO_LINES: f64 = 52.0;
/// Below this width of the pane the names of the rows get less room.
const NARROW: f64 = 560.0;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct CanvasProps {
    pub scene: Rc<Scene>,
    pub spec: Rc<ClusterSpec>,
    pub loads: Rc<Vec<Load>>,
    pub selected: Option<PictureId>,
    /// Chosen by pointer or key; a mark that can open does.
    pub on_press: Callback<PictureId>,
    pub on_select: Callback<Option<PictureId>>,
}

/// The parts of the DOM that a change of view touches.
#[derive(Clone, PartialEq)]
struct Surface {
    svg: NodeRef,
    world: NodeRef,
    gutter: NodeRef,
    gesture: Rc<RefCell<Gesture>>,
    /// Least distance of two rows with a name between them, in world pixels.
    room: f64,
}

/// The picture with its controls.
#[component]
pub(super) fn Canvas(props: &CanvasProps) -> Html {
    let surface = Surface {
        svg: use_node_ref(),
        world: use_node_ref(),
        gutter: use_node_ref(),
        gesture: use_mut_ref(Gesture::default),
        room: props.scene.room(),
    };
    {
        let surface = surface.clone();
        use_effect_with(props.scene.clone(), move |scene| surface.follow(scene));
    }
    use_resize(&surface, &props.scene);
    let refocus = use_mut_ref(|| None::<PictureId>);
    {
        // A mark that opens or closes is drawn anew: the focus goes with it.
        let refocus = Rc::clone(&refocus);
        use_effect_with(props.scene.clone(), move |_| {
            if let Some(id) = refocus.borrow_mut().take() {
                focus(id);
            }
        });
    }
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let on_key = mark_keys(props, refocus);
    let drawing = Drawing {
        scene: &props.scene,
        spec: &props.spec,
        loads: &props.loads,
        selected: props.selected,
        reached: reached(props),
        text: &text,
        on_press: &props.on_press,
        on_key: &on_key,
    };
    let deselect = props.on_select.reform(|_: MouseEvent| None);
    let pointer = Pointers::new(&surface);
    html! {
        <div class="canvas">
            { controls(&surface, &props.scene, &text) }
            <p id="picture-keys" class="unseen">{ text.get("picture-keys") }</p>
            <svg class="canvas-svg" ref={surface.svg.clone()} role="application" tabindex="0"
                aria-label={text.get("picture-title")} aria-describedby="picture-keys"
                onclick={deselect} onpointerdown={pointer.down} onpointermove={pointer.moved}
                onpointerup={pointer.up.clone()} onpointercancel={pointer.up}
                onwheel={wheel(&surface)} onkeydown={keys(&surface, &props.scene)}
                onkeyup={space_up(&surface)}>
                <g ref={surface.world.clone()}>
                    { drawing.world() }
                    <g class="gutter" ref={surface.gutter.clone()}>{ drawing.gutter() }</g>
                </g>
            </svg>
        </div>
    }
}

impl Surface {
    /// Fits a new scene unless the reader has taken the view in hand.
    fn follow(&self, scene: &Scene) {
        if !self.gesture.borrow().by_hand {
            self.fit(scene);
        }
        self.write();
    }

    fn fit(&self, scene: &Scene) {
        let size = self.size();
        let gutter = if size.width < NARROW { GUTTER * 0.88 } else { GUTTER };
        let inner =
            Size { width: (size.width - gutter).max(1.0), height: (size.height - TOP).max(1.0) };
        let fitted = Viewport::fit(scene.bounds, inner, MARGIN, LARGEST).panned(gutter, TOP);
        self.gesture.borrow_mut().fitted(fitted);
        self.write();
    }

    /// 100%, with the middle of the scene in the middle of the pane.
    fn actual(&self, scene: &Scene) {
        let view = Viewport::centred(scene.bounds, self.size(), 1.0);
        let mut gesture = self.gesture.borrow_mut();
        gesture.viewport = view;
        gesture.by_hand = true;
        drop(gesture);
        self.write();
    }

    fn zoom_middle(&self, factor: f64) {
        let size = self.size();
        let middle = Point { x: size.width / 2.0, y: size.height / 2.0 };
        self.gesture.borrow_mut().zoom(middle, factor);
        self.write();
    }

    fn pan(&self, dx: f64, dy: f64) {
        self.gesture.borrow_mut().pan(dx, dy);
        self.write();
    }

    /// Writes the transform, and type sizes that keep the names readable at any scale.
    fn write(&self) {
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

    fn size(&self) -> Size {
        self.svg.cast::<Element>().map_or_else(Size::default, |svg| {
            let rect = svg.get_bounding_client_rect();
            Size { width: rect.width(), height: rect.height() }
        })
    }

    /// A point of the window as a point of the pane.
    fn local(&self, x: i32, y: i32) -> Point {
        let (x, y) = (f64::from(x), f64::from(y));
        self.svg.cast::<Element>().map_or(Point { x, y }, |svg| {
            let rect = svg.get_bounding_client_rect();
            Point { x: x - rect.left(), y: y - rect.top() }
        })
    }
}

/// Fits again when the pane changes its size.
#[hook]
fn use_resize(surface: &Surface, scene: &Rc<Scene>) {
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

/// The mark in the order of Tab: the selected one, else the first.
fn reached(props: &CanvasProps) -> Option<PictureId> {
    let first = || {
        let expandable = props.scene.marks.iter().filter(|placed| placed.mark.expandable);
        expandable.min_by(|a, b| a.rect.x.total_cmp(&b.rect.x)).map(|placed| placed.mark.id)
    };
    props
        .selected
        .filter(|id| props.scene.mark(*id).is_some_and(|placed| placed.mark.expandable))
        .or_else(first)
}

/// Keys on a mark: Enter or space opens it, arrows walk to its neighbours.
fn mark_keys(
    props: &CanvasProps,
    refocus: Rc<RefCell<Option<PictureId>>>,
) -> Callback<(PictureId, KeyboardEvent)> {
    let scene = props.scene.clone();
    let (on_press, on_select) = (props.on_press.clone(), props.on_select.clone());
    Callback::from(move |(id, event): (PictureId, KeyboardEvent)| {
        let key = event.key();
        match key.as_str() {
            "Enter" | " " => {
                *refocus.borrow_mut() = Some(id);
                on_press.emit(id);
            }
            "ArrowLeft" | "ArrowRight" => {
                if let Some(next) = scene.neighbour(id, key == "ArrowRight") {
                    on_select.emit(Some(next));
                    focus(next);
                }
            }
            "Escape" => on_select.emit(None),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    })
}

fn focus(id: PictureId) {
    let element = gloo_element(&element_id(id));
    if let Some(element) = element {
        // An SVG element that cannot take the focus leaves it where it was.
        let _ = element.focus();
    }
}

fn gloo_element(id: &str) -> Option<web_sys::SvgElement> {
    web_sys::window()?.document()?.get_element_by_id(id)?.dyn_into().ok()
}

/// Handlers of the pointer.
struct Pointers {
    down: Callback<PointerEvent>,
    moved: Callback<PointerEvent>,
    up: Callback<PointerEvent>,
}

impl Pointers {
    fn new(surface: &Surface) -> Self {
        let down = {
            let surface = surface.clone();
            Callback::from(move |event: PointerEvent| press(&surface, &event))
        };
        let moved = {
            let surface = surface.clone();
            Callback::from(move |event: PointerEvent| {
                let at = surface.local(event.client_x(), event.client_y());
                let changed = surface.gesture.borrow_mut().moved(event.pointer_id(), at);
                if changed {
                    surface.write();
                }
            })
        };
        let up = {
            let surface = surface.clone();
            Callback::from(move |event: PointerEvent| {
                surface.gesture.borrow_mut().release(event.pointer_id());
            })
        };
        Self { down, moved, up }
    }
}

/// A drag begins on empty space, with the middle button, or anywhere while space is held.
fn press(surface: &Surface, event: &PointerEvent) {
    let on_mark = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
        .and_then(|element| element.closest(".mark:not(.is-open)").ok().flatten())
        .is_some();
    let middle = event.button() == 1;
    let space = surface.gesture.borrow().space;
    if !(middle || space || (event.button() == 0 && !on_mark)) {
        return;
    }
    if middle {
        event.prevent_default();
    }
    let at = surface.local(event.client_x(), event.client_y());
    surface.gesture.borrow_mut().press(event.pointer_id(), at);
    if let Some(svg) = surface.svg.cast::<Element>() {
        // Without the capture a drag only ends a little early.
        let _ = svg.set_pointer_capture(event.pointer_id());
    }
}

/// Zooms with Ctrl or ⌘; without them the page scrolls.
fn wheel(surface: &Surface) -> Callback<WheelEvent> {
    let surface = surface.clone();
    Callback::from(move |event: WheelEvent| {
        if !(event.ctrl_key() || event.meta_key()) {
            return;
        }
        event.prevent_default();
        let at = surface.local(event.client_x(), event.client_y());
        let turn = event.delta_y().clamp(-120.0, 120.0);
        surface.gesture.borrow_mut().zoom(at, libm::exp(-turn * 0.003));
        surface.write();
    })
}

/// Keys of the picture itself.
fn keys(surface: &Surface, scene: &Rc<Scene>) -> Callback<KeyboardEvent> {
    let (surface, scene) = (surface.clone(), scene.clone());
    Callback::from(move |event: KeyboardEvent| {
        if event.is_composing() {
            return;
        }
        let command = event.ctrl_key() || event.meta_key();
        match (event.code().as_str(), event.key().as_str()) {
            ("Digit0", _) if command => surface.actual(&scene),
            _ if command || event.alt_key() => return,
            ("Digit1", _) if event.shift_key() => surface.fit(&scene),
            (_, "+" | "=") => surface.zoom_middle(ZOOM),
            (_, "-" | "_") => surface.zoom_middle(1.0 / ZOOM),
            (_, "ArrowLeft") => surface.pan(STEP, 0.0),
            (_, "ArrowRight") => surface.pan(-STEP, 0.0),
            (_, "ArrowUp") => surface.pan(0.0, STEP),
            (_, "ArrowDown") => surface.pan(0.0, -STEP),
            ("Space", _) => surface.gesture.borrow_mut().space = true,
            _ => return,
        }
        event.prevent_default();
    })
}

fn space_up(surface: &Surface) -> Callback<KeyboardEvent> {
    let surface = surface.clone();
    Callback::from(move |event: KeyboardEvent| {
        if event.code() == "Space" {
            surface.gesture.borrow_mut().space = false;
        }
    })
}

fn controls(surface: &Surface, scene: &Rc<Scene>, text: &Text) -> Html {
    let button = |key: &str, sign: &'static str, act: Callback<MouseEvent>| {
        html! {
            <button type="button" class="tool" aria-label={text.get(key)} title={text.get(key)}
                onclick={act}>{ sign }</button>
        }
    };
    let zoom = |factor: f64| {
        let surface = surface.clone();
        Callback::from(move |_: MouseEvent| surface.zoom_middle(factor))
    };
    let fit = {
        let (surface, scene) = (surface.clone(), scene.clone());
        Callback::from(move |_: MouseEvent| surface.fit(&scene))
    };
    let actual = {
        let (surface, scene) = (surface.clone(), scene.clone());
        Callback::from(move |_: MouseEvent| surface.actual(&scene))
    };
    html! {
        <div class="canvas-tools" role="toolbar" aria-label={text.get("picture-toolbar")}>
            { button("picture-zoom-in", "+", zoom(ZOOM)) }
            { button("picture-zoom-out", "−", zoom(1.0 / ZOOM)) }
            { button("picture-fit", "⤢", fit) }
            { button("picture-actual", "1:1", actual) }
        </div>
    }
}

/// Attribute names here are fixed and valid, the one reason for which setting can fail.
fn set(element: &Element, name: &str, value: &str) {
    let written = element.set_attribute(name, value);
    debug_assert!(written.is_ok());
}
