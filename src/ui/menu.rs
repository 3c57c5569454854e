//! A button that opens a list of actions.

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent, Node};
use yew::{
    AttrValue, Callback, FocusEvent, Html, MouseEvent, NodeRef, Properties, component, html,
    use_node_ref, use_state,
};

use super::icons::{Icon, icon};

/// One action: the label and what stands softly under it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    pub label: AttrValue,
    pub detail: AttrValue,
}

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct MenuProps {
    pub label: AttrValue,
    pub items: Vec<Item>,
    /// Index of the action.
    pub on_choose: Callback<usize>,
}

/// Arrows walk, Enter acts, Escape or leaving closes.
#[component]
pub(crate) fn Menu(props: &MenuProps) -> Html {
    let open = use_state(|| false);
    let button = use_node_ref();
    let list = use_node_ref();
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let onkeydown = {
        let (open, button, list) = (open.clone(), button.clone(), list.clone());
        Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "Escape" if *open => {
                event.stop_propagation();
                open.set(false);
                focus(&button);
            }
            key @ ("ArrowDown" | "ArrowUp") => {
                event.prevent_default();
                if *open { walk(&list, key == "ArrowDown") } else { open.set(true) }
            }
            _ => {}
        })
    };
    let onfocusout = {
        let open = open.clone();
        Callback::from(move |event: FocusEvent| {
            let inside = event
                .current_target()
                .and_then(|target| target.dyn_into::<Node>().ok())
                .zip(event.related_target().and_then(|target| target.dyn_into::<Node>().ok()))
                .is_some_and(|(menu, target)| menu.contains(Some(&target)));
            if !inside {
                open.set(false);
            }
        })
    };
    html! {
        <div class="menu" {onkeydown} {onfocusout}>
            <button
                ref={button}
                type="button"
                class="plain"
                aria-haspopup="menu"
                aria-expanded={open.to_string()}
                onclick={toggle}
            >
                { &props.label }{ icon(Icon::Chevron) }
            </button>
            <ul ref={list} role="menu" aria-label={props.label.clone()} hidden={!*open}>
                { for props.items.iter().enumerate().map(|(index, item)| {
                    let (open, on_choose) = (open.clone(), props.on_choose.clone());
                    let onclick = Callback::from(move |_: MouseEvent| {
                        open.set(false);
                        on_choose.emit(index);
                    });
                    html! {
                        <li role="none" key={index}>
                            <button type="button" role="menuitem" {onclick}>
                                <span>{ &item.label }</span>
                                <span class="detail">{ &item.detail }</span>
                            </button>
                        </li>
                    }
                }) }
            </ul>
        </div>
    }
}

fn focus(node: &NodeRef) {
    if let Some(element) = node.cast::<HtmlElement>() {
        // An element that cannot take the focus leaves it where it is.
        drop(element.focus());
    }
}

/// Moves the focus to the next or previous action, around the ends.
fn walk(list: &NodeRef, forward: bool) {
    let Some(list) = list.cast::<HtmlElement>() else { return };
    let Ok(buttons) = list.query_selector_all("button") else { return };
    let count = buttons.length();
    if count == 0 {
        return;
    }
    let active = list.owner_document().and_then(|document| document.active_element());
    let at = (0..count).find(|index| {
        buttons
            .get(*index)
            .is_some_and(|button| active.as_ref().is_some_and(|a| button.is_same_node(Some(a))))
    });
    let next = match (at, forward) {
        (None, true) => 0,
        (None, false) => count - 1,
        (Some(at), true) => (at + 1) % count,
        (Some(at), false) => (at + count - 1) % count,
    };
    if let Some(button) = buttons.get(next).and_then(|node| node.dyn_into::<HtmlElement>().ok()) {
        drop(button.focus());
    }
}
