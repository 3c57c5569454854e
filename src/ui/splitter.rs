//! The border between two panes: drag it, or move it with the arrow keys.

use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, PointerEvent};
use yew::{AttrValue, Callback, Html, Properties, component, html, use_mut_ref};

use crate::state::{Pane, PaneSizes};

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct SplitterProps {
    pub pane: Pane,
    pub sizes: PaneSizes,
    pub label: AttrValue,
    pub on_resize: Callback<PaneSizes>,
}

const STEP: u32 = 16;

#[component]
pub(crate) fn Splitter(props: &SplitterProps) -> Html {
    /// Where the drag began and the size then.
    type Drag = Option<(i32, u32)>;
    let drag = use_mut_ref(|| None as Drag);
    let SplitterProps { pane, sizes, .. } = *props;
    let size = sizes.of(pane);
    let resize = props.on_resize.reform(move |size: u32| sizes.with(pane, size));
    let onpointerdown = {
        let drag = drag.clone();
        Callback::from(move |event: PointerEvent| {
            event.prevent_default();
            *drag.borrow_mut() = Some((along(pane, &event), size));
            let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            if let Some(target) = target {
                // Without capture the drag ends at the border; no harm.
                drop(target.set_pointer_capture(event.pointer_id()));
            }
        })
    };
    let onpointermove = {
        let (drag, resize) = (drag.clone(), resize.clone());
        Callback::from(move |event: PointerEvent| {
            let begun = *drag.borrow();
            if let Some((start, size)) = begun {
                let way = along(pane, &event) - start;
                let grown = if pane == Pane::Inputs { way } else { -way };
                resize.emit(size.saturating_add_signed(grown));
            }
        })
    };
    let end = Callback::from(move |_: PointerEvent| *drag.borrow_mut() = None);
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        let grow = match (pane, event.key().as_str()) {
            (Pane::Inputs, "ArrowRight")
            | (Pane::Answer, "ArrowLeft")
            | (Pane::Drawer, "ArrowUp") => true,
            (Pane::Inputs, "ArrowLeft")
            | (Pane::Answer, "ArrowRight")
            | (Pane::Drawer, "ArrowDown") => false,
            _ => return,
        };
        event.prevent_default();
        resize.emit(if grow { size.saturating_add(STEP) } else { size.saturating_sub(STEP) });
    });
    let (low, high) = pane.bounds();
    let (class, orientation) = match pane {
        Pane::Inputs => ("splitter after-inputs", "vertical"),
        Pane::Answer => ("splitter before-answer", "vertical"),
        Pane::Drawer => ("splitter above-drawer", "horizontal"),
    };
    html! {
        <div
            {class}
            role="separator"
            tabindex="0"
            aria-label={props.label.clone()}
            aria-orientation={orientation}
            aria-valuenow={size.to_string()}
            aria-valuemin={low.to_string()}
            aria-valuemax={high.to_string()}
            {onpointerdown}
            {onpointermove}
            onpointerup={end.clone()}
            onpointercancel={end}
            {onkeydown}
        />
    }
}

fn along(pane: Pane, event: &PointerEvent) -> i32 {
    match pane {
        Pane::Inputs | Pane::Answer => event.client_x(),
        Pane::Drawer => event.client_y(),
    }
}
