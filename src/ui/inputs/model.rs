//! Section 1: a preset by search, a config.json or Megatron arguments by drop, file or paste, or
//! a model of one's own.

use std::rc::Rc;

use planner::model;
use project::{Command, ModelSource};
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::{
    AttrValue, Callback, Event, Html, NodeRef, Properties, TargetCast, component, html,
    use_context, use_memo, use_node_ref, use_state,
};

use super::Section;
use super::choices::label;
use super::model_dialog::ModelDialog;
use crate::engine::{Engine, Failure, ModelSummary};
use crate::text::Text;
use crate::ui::fields::{Choice, Combobox};
use crate::ui::files;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ModelProps {
    pub source: ModelSource,
    pub summary: Option<Rc<ModelSummary>>,
    pub engine: Option<Engine>,
    pub on_edit: Callback<Command>,
    pub on_file: Callback<(String, String)>,
    pub on_failure: Callback<Failure>,
}

#[component]
pub(super) fn ModelSection(props: &ModelProps) -> Html {
    let text = use_context::<Text>();
    let picker = use_node_ref();
    let opened = use_state(|| false);
    let choices = use_memo(text.clone(), |text| presets(text.as_ref()));
    let Some(text) = text else { return Html::default() };
    let (value, shown) = match &props.source {
        ModelSource::Preset(id) => {
            let found = choices.iter().find(|choice| *choice.id == **id);
            (
                AttrValue::from(id.clone()),
                found.map_or_else(|| id.clone().into(), |c| c.label.clone()),
            )
        }
        ModelSource::Config { name, .. } => (AttrValue::default(), AttrValue::from(name.clone())),
    };
    let preset = planner::model::presets().iter().find(|preset| preset.id == value.as_str());
    let origin = preset.map(|preset| {
        let args = [("source", preset.source.to_owned()), ("check", preset.verified.to_owned())];
        AttrValue::from(text.with("preset-source", &args))
    });
    let on_choose =
        props.on_edit.reform(|id: AttrValue| Command::Model(ModelSource::Preset(id.to_string())));
    let open = {
        let opened = opened.clone();
        Callback::from(move |_: yew::MouseEvent| opened.set(true))
    };
    html! {
        <Section number={1} title="section-model">
            <Combobox
                id="model"
                label={label(&text, "model")}
                {shown}
                {value}
                choices={(*choices).clone()}
                nothing={text.get("model-nothing")}
                source={origin}
                {on_choose}
            />
            { about(&text, &props.source, props.summary.as_deref()) }
            { file_picker(&text, props, &picker) }
            <p class="hint">
                <button type="button" class="link" aria-haspopup="dialog" onclick={open}>
                    { text.get("model-own-open") }
                </button>
            </p>
            if let (Some(engine), true) = (props.engine.clone(), *opened) {
                <ModelDialog
                    source={props.source.clone()}
                    {engine}
                    on_edit={props.on_edit.clone()}
                    on_close={Callback::from(move |()| opened.set(false))}
                />
            }
        </Section>
    }
}

/// What is known of the chosen model, in one line.
fn about(text: &Text, source: &ModelSource, summary: Option<&ModelSummary>) -> Html {
    let ModelSource::Config { .. } = source else { return Html::default() };
    let Some(summary) = summary else { return Html::default() };
    #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
    let (total, active) = (summary.params_total as f64, summary.params_active as f64);
    let key = if summary.params_total == summary.params_active {
        "model-about"
    } else {
        "model-about-experts"
    };
    let args = [
        ("family", summary.family.clone()),
        ("layers", summary.layers.to_string()),
        ("hidden", text.count(f64::from(summary.hidden))),
        ("total", text.count(total)),
        ("active", text.count(active)),
    ];
    html! {
        <>
            <p class="hint">{ text.with(key, &args) }</p>
            if !summary.assumptions.is_empty() {
                <p class="hint">
                    { text.with("model-assumed", &[("fields", summary.assumptions.join(", "))]) }
                </p>
            }
        </>
    }
}

fn file_picker(text: &Text, props: &ModelProps, picker: &NodeRef) -> Html {
    let onchange = {
        let (on_file, on_failure) = (props.on_file.clone(), props.on_failure.clone());
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            if let Some(file) = input.files().and_then(|files| files.get(0)) {
                files::read(file, on_file.clone(), on_failure.clone());
            }
            input.set_value("");
        })
    };
    let onclick = {
        let picker = picker.clone();
        Callback::from(move |_: yew::MouseEvent| {
            if let Some(input) = picker.get().and_then(|n| n.dyn_into::<HtmlInputElement>().ok()) {
                input.click();
            }
        })
    };
    html! {
        <p class="hint">
            { text.get("model-or") }{ " " }
            <button type="button" class="link" {onclick}>{ text.get("model-open") }</button>
            <input
                ref={picker}
                type="file"
                accept=".json,.sh,.txt,application/json,text/*"
                hidden={true}
                aria-label={text.get("model-open")}
                {onchange}
            />
        </p>
    }
}

fn presets(text: Option<&Text>) -> Vec<Choice> {
    model::presets()
        .iter()
        .map(|preset| Choice {
            id: preset.id.into(),
            label: preset.name.into(),
            detail: text
                .map(|text| text.count(preset.params_published_b * 1e9))
                .unwrap_or_default()
                .into(),
        })
        .collect()
}
