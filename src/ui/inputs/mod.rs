//! The left column: everything that the answer depends on, in five sections.

mod choices;
mod cluster;
mod cluster_fields;
mod job;
mod model;
mod model_dialog;
mod price;
mod strategy;

use std::rc::Rc;

use project::{Command, Document};
use yew::{AttrValue, Callback, Children, Html, Properties, component, html, use_context};

pub(crate) use self::choices::{label, label_key};
use self::cluster::ClusterSection;
use self::job::JobSection;
use self::model::ModelSection;
use self::price::PriceSection;
use self::strategy::StrategySection;
use crate::engine::{Engine, Failure, ModelSummary};
use crate::text::Text;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct InputsProps {
    pub document: Rc<Document>,
    /// What the model file says.
    pub model: Option<Rc<ModelSummary>>,
    pub engine: Option<Engine>,
    /// Fields whose pins break a rule.
    #[prop_or_default]
    pub refused: Vec<AttrValue>,
    pub on_edit: Callback<Command>,
    /// A config.json or project was given: file name and text.
    pub on_file: Callback<(String, String)>,
    pub on_failure: Callback<Failure>,
}

#[component]
pub(crate) fn Inputs(props: &InputsProps) -> Html {
    let InputsProps { document, model, engine, refused, on_edit, on_file, on_failure } = props;
    html! {
        <form class="sections" autocomplete="off" onsubmit={ignore()}>
            <ModelSection
                source={document.model.clone()}
                summary={model.clone()}
                engine={engine.clone()}
                on_edit={on_edit.clone()}
                on_file={on_file.clone()}
                on_failure={on_failure.clone()}
            />
            <JobSection job={document.job.clone()} on_edit={on_edit.clone()} />
            <ClusterSection cluster={document.cluster.clone()} on_edit={on_edit.clone()} />
            <StrategySection
                pins={document.pins.clone()}
                refused={refused.clone()}
                on_edit={on_edit.clone()}
            />
            <PriceSection options={document.price.clone()} on_edit={on_edit.clone()} />
        </form>
    }
}

/// Enter in a field commits the field, it does not send a form.
fn ignore() -> Callback<yew::SubmitEvent> {
    Callback::from(|event: yew::SubmitEvent| event.prevent_default())
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct SectionProps {
    pub number: u8,
    /// Message key.
    pub title: AttrValue,
    /// At the right of the title.
    #[prop_or_default]
    pub extra: Html,
    pub children: Children,
}

/// A numbered section with its heading.
#[component]
pub(super) fn Section(props: &SectionProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let id = format!("section-{}", props.title);
    html! {
        <section class="section" aria-labelledby={id.clone()}>
            <div class="section-head">
                <h2 {id}>
                    <span class="ordinal" aria-hidden="true">{ props.number }</span>
                    { text.get(&props.title) }
                </h2>
                { props.extra.clone() }
            </div>
            { for props.children.iter() }
        </section>
    }
}
