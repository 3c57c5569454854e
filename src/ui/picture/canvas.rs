//! The drawing surface: pan, zoom and keys. The transform is written through node references,
//! so that moving the view redraws nothing.

use std::cell::RefCell;
use std::rc::Rc;

use planner::cluster::{ClusterSpec, PictureId};
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

use super::draw::{Drawing, element_id};
use super::surface::{Surface, use_resize};
use crate::text::Text;
use crate::view::{Gesture, Load, Scene};

/// One step of the keys.
const STEP: f64 = 48.0;
const ZOOM: f64 = 1.2;

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
