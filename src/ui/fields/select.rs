//! A choice of a few: a drop-down, a row of buttons, a switch.

use web_sys::HtmlSelectElement;
use yew::{AttrValue, Callback, Event, Html, Properties, TargetCast, component, html};

#[derive(Clone, PartialEq, Properties)]
pub struct SelectProps {
    pub id: AttrValue,
    pub label: AttrValue,
    /// Index of the choice.
    pub value: usize,
    pub choices: Vec<AttrValue>,
    /// The first choice is "automatic" and shown softly.
    #[prop_or_default]
    pub soft_first: bool,
    /// The choice is one that something else does not allow.
    #[prop_or_default]
    pub refused: bool,
    pub on_choose: Callback<usize>,
}

#[component]
pub fn Select(props: &SelectProps) -> Html {
    let onchange = {
        let on_choose = props.on_choose.clone();
        Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            if let Ok(index) = usize::try_from(select.selected_index()) {
                on_choose.emit(index);
            }
        })
    };
    let soft = props.soft_first && props.value == 0;
    html! {
        <div class="field">
            <label for={props.id.clone()}>{ &props.label }</label>
            <span class="control">
                <select
                    id={props.id.clone()}
                    class={soft.then_some("soft")}
                    aria-invalid={props.refused.then_some("true")}
                    {onchange}
                >
                    { for props.choices.iter().enumerate().map(|(index, choice)| html! {
                        <option selected={index == props.value}>{ choice }</option>
                    }) }
                </select>
            </span>
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct SegmentsProps {
    pub id: AttrValue,
    pub label: AttrValue,
    pub value: usize,
    pub choices: Vec<AttrValue>,
    pub on_choose: Callback<usize>,
}

/// Two or three choices side by side, as radio buttons.
#[component]
pub fn Segments(props: &SegmentsProps) -> Html {
    html! {
        <fieldset class="radio-row">
            <legend class="unseen">{ &props.label }</legend>
            { for props.choices.iter().enumerate().map(|(index, choice)| {
                let on_choose = props.on_choose.clone();
                let onchange = Callback::from(move |_: Event| on_choose.emit(index));
                html! {
                    <label class="radio">
                        <input
                            type="radio"
                            name={props.id.clone()}
                            checked={index == props.value}
                            {onchange}
                        />
                        <span>{ choice }</span>
                    </label>
                }
            }) }
        </fieldset>
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct SwitchProps {
    pub id: AttrValue,
    pub label: AttrValue,
    pub on: bool,
    pub on_toggle: Callback<bool>,
}

#[component]
pub fn Switch(props: &SwitchProps) -> Html {
    let onchange = {
        let (on, on_toggle) = (props.on, props.on_toggle.clone());
        Callback::from(move |_: Event| on_toggle.emit(!on))
    };
    html! {
        <div class="field">
            <label for={props.id.clone()}>{ &props.label }</label>
            <span class="control">
                <input
                    id={props.id.clone()}
                    type="checkbox"
                    class="switch"
                    checked={props.on}
                    {onchange}
                />
            </span>
        </div>
    }
}
