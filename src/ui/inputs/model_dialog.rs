//! A model of one's own: a pasted config.json or Megatron arguments, or a form. What is wrong is
//! said in the dialog, which keeps what was typed.

use planner::model::{FORM_FLAGS, FORM_NUMBERS};
use project::{Command, ModelSource};
use web_sys::{HtmlDialogElement, HtmlInputElement, HtmlTextAreaElement};
use yew::{
    AttrValue, Callback, Html, InputEvent, MouseEvent, Properties, TargetCast, component, html,
    use_context, use_effect_with, use_node_ref, use_state,
};

use crate::engine::{Engine, Failure, Reply, Request};
use crate::text::Text;
use crate::ui::icons::{Icon, icon};
use crate::ui::intake::{PASTED, PASTED_SCRIPT};
use crate::ui::notice::sentence;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ModelDialogProps {
    /// The form begins with this model.
    pub source: ModelSource,
    pub engine: Engine,
    pub on_edit: Callback<Command>,
    pub on_close: Callback<()>,
}

#[component]
pub(super) fn ModelDialog(props: &ModelDialogProps) -> Html {
    let text = use_context::<Text>();
    let dialog = use_node_ref();
    let pasted = use_state(String::new);
    let values = use_state(Vec::<(String, String)>::new);
    let failure = use_state(|| None::<Failure>);
    let fill = {
        let (engine, values) = (props.engine.clone(), values.clone());
        Callback::from(move |source: ModelSource| {
            let values = values.clone();
            let reply = Callback::from(move |reply| {
                if let Ok(Reply::Form(form)) = reply {
                    values.set(form);
                }
            });
            engine.ask(Request::ModelForm(source), reply);
        })
    };
    {
        let (dialog, fill, source) = (dialog.clone(), fill.clone(), props.source.clone());
        use_effect_with((), move |()| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                // Already open is as good.
                drop(dialog.show_modal());
            }
            fill.emit(source);
        });
    }
    let Some(text) = text else { return Html::default() };
    // A text that cannot be counted fills the form with what it states.
    let take = {
        let (props, failure) = (props.clone(), failure.clone());
        Callback::from(move |(name, request): (String, Request)| {
            let (props, failure, fill) = (props.clone(), failure.clone(), fill.clone());
            let engine = props.engine.clone();
            let tried = match &request {
                Request::ReadConfig { name, text } => {
                    Some(ModelSource::Config { name: name.clone(), text: text.clone() })
                }
                _ => None,
            };
            let reply = Callback::from(move |reply| {
                let source = match (reply, &tried) {
                    (Ok(Reply::ModelText(text)), _) => {
                        ModelSource::Config { name: name.clone(), text }
                    }
                    (Ok(Reply::Model(_)), Some(source)) => source.clone(),
                    (Ok(_), _) => return,
                    (Err(found), tried) => {
                        failure.set(Some(found));
                        if let Some(source) = tried {
                            fill.emit(source.clone());
                        }
                        return;
                    }
                };
                props.on_edit.emit(Command::Model(source));
                props.on_close.emit(());
            });
            engine.ask(request, reply);
        })
    };
    let use_text = {
        let (take, pasted) = (take.clone(), pasted.clone());
        Callback::from(move |_: MouseEvent| {
            let text = (*pasted).clone();
            let name = if text.trim_start().starts_with('{') { PASTED } else { PASTED_SCRIPT };
            let request = Request::ReadConfig { name: name.to_owned(), text };
            take.emit((name.to_owned(), request));
        })
    };
    let use_form = {
        let (values, name) = (values.clone(), text.get("model-own-name"));
        Callback::from(move |_: MouseEvent| {
            take.emit((name.clone(), Request::FormText((*values).clone())));
        })
    };
    let on_paste = Callback::from(move |event: InputEvent| {
        let area: HtmlTextAreaElement = event.target_unchecked_into();
        pasted.set(area.value());
    });
    let close = props.on_close.reform(|_: MouseEvent| ());
    let onclose = props.on_close.reform(|_: yew::Event| ());
    html! {
        <dialog ref={dialog} class="dialog model-dialog" aria-labelledby="model-own" {onclose}>
            <div class="dialog-head">
                <h2 id="model-own">{ text.get("model-own") }</h2>
                <button
                    type="button"
                    class="icon-button"
                    aria-label={AttrValue::from(text.get("close"))}
                    onclick={close}
                >
                    { icon(Icon::Close) }
                </button>
            </div>
            <label for="model-pasted">{ text.get("model-pasted") }</label>
            <textarea id="model-pasted" rows="6" spellcheck="false" oninput={on_paste} />
            <button type="button" class="primary" onclick={use_text}>
                { text.get("model-use-text") }
            </button>
            if let Some(failure) = &*failure {
                <p class="wrong" role="alert">{ sentence(&text, failure) }</p>
            }
            <h3>{ text.get("model-form") }</h3>
            <p class="hint">{ text.get("model-form-about") }</p>
            <div class="model-form">
                { for FORM_NUMBERS.iter().chain(&FORM_FLAGS).map(|field| {
                    let typed = values.iter().find(|(name, _)| name == field);
                    let value = typed.map(|(_, value)| value.clone()).unwrap_or_default();
                    let on_change = {
                        let values = values.clone();
                        Callback::from(move |value: String| {
                            let mut changed = (*values).clone();
                            changed.retain(|(name, _)| name != field);
                            changed.push(((*field).to_owned(), value));
                            values.set(changed);
                        })
                    };
                    entry(&text, field, value, on_change)
                }) }
            </div>
            <button type="button" class="primary" onclick={use_form}>
                { text.get("model-use-form") }
            </button>
        </dialog>
    }
}

/// One labelled field; the message of a field is `model-field-NAME`.
fn entry(text: &Text, field: &'static str, value: String, on_change: Callback<String>) -> Html {
    let flag = FORM_FLAGS.contains(&field);
    let checked = flag && !value.is_empty();
    let oninput = Callback::from(move |event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        on_change.emit(match (flag, input.checked()) {
            (false, _) => input.value(),
            (true, true) => "on".to_owned(),
            (true, false) => String::new(),
        });
    });
    html! {
        <label key={field}>
            <span>{ text.get(&format!("model-field-{field}")) }</span>
            <input
                type={if flag { "checkbox" } else { "text" }}
                inputmode="numeric"
                {value}
                {checked}
                {oninput}
            />
        </label>
    }
}
