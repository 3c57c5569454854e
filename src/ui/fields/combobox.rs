//! A search box over a long list (ARIA combobox with a listbox).

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement, KeyboardEvent, MouseEvent};
use yew::{
    AttrValue, Callback, FocusEvent, Html, InputEvent, Properties, TargetCast, component, html,
    use_effect_with, use_state,
};

/// One entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub id: AttrValue,
    pub label: AttrValue,
    /// Small text at the right, such as a size.
    pub detail: AttrValue,
}

#[derive(Clone, PartialEq, Properties)]
pub struct ComboboxProps {
    pub id: AttrValue,
    pub label: AttrValue,
    /// What stands in the box while nothing is typed.
    pub shown: AttrValue,
    /// Id of the chosen entry; empty without.
    pub value: AttrValue,
    pub choices: Vec<Choice>,
    /// Said when nothing matches.
    pub nothing: AttrValue,
    /// Where the chosen entry comes from, on hover.
    #[prop_or_default]
    pub source: Option<AttrValue>,
    pub on_choose: Callback<AttrValue>,
}

/// Typing filters, arrows walk, Enter takes, Escape leaves.
#[component]
pub fn Combobox(props: &ComboboxProps) -> Html {
    let typed = use_state(|| None::<String>);
    let active = use_state(|| 0_usize);
    let open = typed.is_some();
    let found: Vec<Choice> = filter(&props.choices, typed.as_deref().unwrap_or_default());
    {
        let id = props.id.clone();
        use_effect_with((open, *active), move |(open, active)| {
            if *open {
                reveal(&option_id(&id, *active));
            }
        });
    }
    let close = {
        let (typed, active) = (typed.clone(), active.clone());
        Callback::from(move |()| {
            typed.set(None);
            active.set(0);
        })
    };
    let choose = {
        let (close, on_choose) = (close.clone(), props.on_choose.clone());
        Callback::from(move |id: AttrValue| {
            close.emit(());
            on_choose.emit(id);
        })
    };
    let oninput = {
        let (typed, active) = (typed.clone(), active.clone());
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            typed.set(Some(input.value()));
            active.set(0);
        })
    };
    let onclick = {
        let typed = typed.clone();
        let at = position(&props.choices, &props.value);
        let active = active.clone();
        Callback::from(move |event: MouseEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            if typed.is_none() {
                input.select();
                typed.set(Some(String::new()));
                active.set(at);
            }
        })
    };
    let onkeydown = {
        let (typed, active, close, choose) =
            (typed.clone(), active.clone(), close.clone(), choose.clone());
        let found = found.clone();
        let at = position(&props.choices, &props.value);
        Callback::from(move |event: KeyboardEvent| {
            if event.is_composing() || event.key_code() == 229 {
                return;
            }
            let last = found.len().saturating_sub(1);
            match (event.key().as_str(), typed.is_some()) {
                ("ArrowDown" | "ArrowUp", false) => {
                    typed.set(Some(String::new()));
                    active.set(at);
                }
                ("ArrowDown", true) => active.set((*active + 1).min(last)),
                ("ArrowUp", true) => active.set(active.saturating_sub(1)),
                ("Enter", true) => match found.get(*active) {
                    Some(choice) => choose.emit(choice.id.clone()),
                    None => close.emit(()),
                },
                ("Escape", true) => {
                    event.stop_propagation();
                    close.emit(());
                    return;
                }
                _ => return,
            }
            event.prevent_default();
        })
    };
    let onblur = {
        let close = close.clone();
        Callback::from(move |_: FocusEvent| close.emit(()))
    };
    let list_id = format!("{}-list", props.id);
    // An empty filter keeps the shown name in the box, selected for typing over it.
    let value = typed.as_deref().filter(|typed| !typed.is_empty());
    html! {
        <div class="field combobox">
            <label for={props.id.clone()}>{ &props.label }</label>
            <span class="control">
                <input
                    id={props.id.clone()}
                    type="text"
                    role="combobox"
                    title={props.source.clone()}
                    autocomplete="off"
                    spellcheck="false"
                    aria-expanded={open.to_string()}
                    aria-controls={list_id.clone()}
                    aria-autocomplete="list"
                    aria-activedescendant={(open && !found.is_empty()).then(|| option_id(&props.id, *active))}
                    value={value.map_or_else(|| props.shown.to_string(), ToOwned::to_owned)}
                    {oninput}
                    {onclick}
                    {onkeydown}
                    {onblur}
                />
                <ul
                    id={list_id}
                    class="options"
                    role="listbox"
                    aria-label={props.label.clone()}
                    hidden={!open}
                >
                    if open {
                        { for found.iter().enumerate().map(|(index, choice)| {
                            option(choice, option_id(&props.id, index), index == *active, &choose)
                        }) }
                        if found.is_empty() {
                            <li class="nothing" role="presentation">{ &props.nothing }</li>
                        }
                    }
                </ul>
            </span>
        </div>
    }
}

fn option(choice: &Choice, id: String, active: bool, choose: &Callback<AttrValue>) -> Html {
    // Mouse-down, because the click would come after the box lost its focus.
    let onmousedown = {
        let (choose, id) = (choose.clone(), choice.id.clone());
        Callback::from(move |event: MouseEvent| {
            event.prevent_default();
            choose.emit(id.clone());
        })
    };
    html! {
        <li
            key={choice.id.to_string()}
            {id}
            role="option"
            class={active.then_some("active")}
            aria-selected={active.to_string()}
            {onmousedown}
        >
            <span>{ &choice.label }</span>
            <span class="detail">{ &choice.detail }</span>
        </li>
    }
}

fn option_id(id: &str, index: usize) -> String {
    format!("{id}-option-{index}")
}

/// Scrolls the list, and nothing around it, until the entry is seen.
fn reveal(id: &str) {
    let option = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id(id))
        .and_then(|element| element.dyn_into::<HtmlElement>().ok());
    let Some(option) = option else { return };
    let Some(list) = option.parent_element() else { return };
    let (top, bottom) = (option.offset_top(), option.offset_top() + option.offset_height());
    if top < list.scroll_top() {
        list.set_scroll_top(top);
    } else if bottom > list.scroll_top() + list.client_height() {
        list.set_scroll_top(bottom - list.client_height());
    }
}

fn position(choices: &[Choice], id: &AttrValue) -> usize {
    choices.iter().position(|choice| choice.id == *id).unwrap_or(0)
}

/// Entries that hold every typed word in name or id.
fn filter(choices: &[Choice], typed: &str) -> Vec<Choice> {
    let words: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
    choices
        .iter()
        .filter(|choice| {
            let label = choice.label.to_lowercase();
            words.iter().all(|word| label.contains(word) || choice.id.contains(word.as_str()))
        })
        .cloned()
        .collect()
}
