//! A number with its own text while it is edited.

use web_sys::{HtmlInputElement, KeyboardEvent};
use yew::{
    AttrValue, Callback, FocusEvent, Html, InputEvent, Properties, TargetCast, component, html,
    use_context, use_state,
};

use super::number::{Unit, parse, show};
use crate::text::Text;

#[derive(Clone, PartialEq, Properties)]
pub struct NumberFieldProps {
    /// Unique in the page; the label and the error refer to it.
    pub id: AttrValue,
    pub label: AttrValue,
    /// None shows the field empty: the value is automatic.
    pub value: Option<f64>,
    pub unit: Unit,
    pub low: f64,
    pub high: f64,
    /// Shown while the field is empty.
    #[prop_or_default]
    pub placeholder: AttrValue,
    /// An empty field is a value too: none.
    #[prop_or_default]
    pub optional: bool,
    /// The value is one that something else does not allow.
    #[prop_or_default]
    pub refused: bool,
    pub on_commit: Callback<Option<f64>>,
}

/// Commits on Enter and when it is left; Escape restores.
#[component]
pub fn NumberField(props: &NumberFieldProps) -> Html {
    let text = use_context::<Text>();
    let draft = use_state(|| None::<String>);
    let wrong = use_state(|| false);
    let shown = props.value.map(|value| show(value, props.unit)).unwrap_or_default();
    let commit = {
        let (props, draft, wrong, shown) =
            (props.clone(), draft.clone(), wrong.clone(), shown.clone());
        Callback::from(move |typed: String| {
            let typed = typed.trim();
            if typed == shown || (typed.is_empty() && props.optional) {
                draft.set(None);
                wrong.set(false);
                if typed != shown {
                    props.on_commit.emit(None);
                }
                return;
            }
            match parse(typed, props.unit).filter(|v| *v >= props.low && *v <= props.high) {
                Some(value) => {
                    draft.set(None);
                    wrong.set(false);
                    props.on_commit.emit(Some(value));
                }
                None => wrong.set(true),
            }
        })
    };
    let oninput = {
        let draft = draft.clone();
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            draft.set(Some(input.value()));
        })
    };
    let onkeydown = {
        let (commit, draft, wrong) = (commit.clone(), draft.clone(), wrong.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.is_composing() || event.key_code() == 229 {
                return;
            }
            let input: HtmlInputElement = event.target_unchecked_into();
            match event.key().as_str() {
                "Enter" => commit.emit(input.value()),
                "Escape" => {
                    event.stop_propagation();
                    draft.set(None);
                    wrong.set(false);
                }
                _ => {}
            }
        })
    };
    let onblur = {
        let draft = draft.clone();
        Callback::from(move |_: FocusEvent| {
            if let Some(typed) = &*draft {
                commit.emit(typed.clone());
            }
        })
    };
    let error_id = format!("{}-error", props.id);
    let range = text.map(|text| {
        let key = if props.optional { "field-range-or-auto" } else { "field-range" };
        let suffix = props.unit.suffix();
        let unit = if suffix.is_empty() { String::new() } else { format!(" {suffix}") };
        let bounds =
            [("low", show(props.low, props.unit)), ("high", text.count(props.high) + &unit)];
        text.with(key, &bounds)
    });
    html! {
        <div class="field">
            <label for={props.id.clone()}>{ &props.label }</label>
            <span class="control">
                <input
                    id={props.id.clone()}
                    type="text"
                    inputmode="decimal"
                    autocomplete="off"
                    spellcheck="false"
                    class={if props.unit.suffix().is_empty() { "number" } else { "number with-unit" }}
                    value={(*draft).clone().unwrap_or(shown)}
                    placeholder={props.placeholder.clone()}
                    data-dirty={draft.is_some().then_some("true")}
                    aria-invalid={(*wrong || props.refused).then_some("true")}
                    aria-describedby={wrong.then(|| error_id.clone())}
                    {oninput}
                    {onkeydown}
                    {onblur}
                />
                <span class="unit" aria-hidden="true">{ props.unit.suffix() }</span>
            </span>
            if *wrong {
                <p class="field-error" id={error_id} role="alert">{ range.unwrap_or_default() }</p>
            }
        </div>
    }
}
