//! A row of ARIA tabs. The owner draws the panel, so that only the chosen one exists.

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};
use yew::{AttrValue, Callback, Html, MouseEvent, Properties, component, html, use_node_ref};

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct TabsProps {
    /// Unique in the page; panels are labelled by `ID-tab-INDEX` and the one there is called `ID-panel`.
    pub id: AttrValue,
    pub label: AttrValue,
    pub names: Vec<AttrValue>,
    pub chosen: usize,
    pub on_choose: Callback<usize>,
}

/// Arrow keys move between tabs, as the pattern asks.
#[component]
pub(crate) fn Tabs(props: &TabsProps) -> Html {
    let row = use_node_ref();
    let onkeydown = {
        let (row, chosen, count) = (row.clone(), props.chosen, props.names.len());
        let on_choose = props.on_choose.clone();
        Callback::from(move |event: KeyboardEvent| {
            let next = match event.key().as_str() {
                "ArrowRight" => (chosen + 1) % count.max(1),
                "ArrowLeft" => (chosen + count.saturating_sub(1)) % count.max(1),
                "Home" => 0,
                "End" => count.saturating_sub(1),
                _ => return,
            };
            event.prevent_default();
            on_choose.emit(next);
            let tab = row
                .cast::<HtmlElement>()
                .and_then(|row| row.children().item(u32::try_from(next).unwrap_or(0)))
                .and_then(|tab| tab.dyn_into::<HtmlElement>().ok());
            if let Some(tab) = tab {
                // A tab that cannot take the focus leaves it where it is.
                drop(tab.focus());
            }
        })
    };
    html! {
        <div ref={row} class="tabs" role="tablist" aria-label={props.label.clone()} {onkeydown}>
            { for props.names.iter().enumerate().map(|(index, name)| {
                let chosen = index == props.chosen;
                let on_choose = props.on_choose.clone();
                html! {
                    <button
                        key={index}
                        type="button"
                        role="tab"
                        id={format!("{}-tab-{index}", props.id)}
                        aria-selected={chosen.to_string()}
                        aria-controls={chosen.then(|| format!("{}-panel", props.id))}
                        tabindex={if chosen { "0" } else { "-1" }}
                        onclick={Callback::from(move |_: MouseEvent| on_choose.emit(index))}
                    >
                        { name }
                    </button>
                }
            }) }
        </div>
    }
}
