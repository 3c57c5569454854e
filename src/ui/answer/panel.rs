//! The right column: everything that is said about the chosen layout.

use std::rc::Rc;

use planner::answer::{Answer, Plan};
use planner::explain::Remedy;
use planner::{catalog, model};
use project::{Command, Document, ModelSource};
use yew::prelude::*;

use super::figures::{self, Shown};
use super::{Figure, assumptions, findings, platform_name, remedies, sentence, tree, words};
use crate::text::Text;
use crate::ui::chart::Patterns;
use crate::ui::explain::{CostTree, Sheet, TermTree};

#[derive(Clone, PartialEq, Properties)]
pub struct AnswerPanelProps {
    pub answer: Rc<Answer>,
    /// What the answer is for.
    pub document: Rc<Document>,
    /// A newer answer is being computed: this one stays in place, a little dimmed.
    #[prop_or_default]
    pub stale: bool,
    /// Nothing newer is being computed: the reader stopped it.
    #[prop_or_default]
    pub stopped: bool,
    /// Makes a change; without it none can be made here.
    #[prop_or_default]
    pub on_edit: Option<Callback<Command>>,
}

/// The panel with an answer.
#[component]
pub fn AnswerPanel(props: &AnswerPanelProps) -> Html {
    let shown = use_state(|| None::<Shown>);
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let answer = &props.answer;
    let open = {
        let shown = shown.clone();
        Callback::from(move |what: Shown| shown.set(Some(what)))
    };
    let close = {
        let shown = shown.clone();
        Callback::from(move |()| shown.set(None))
    };
    let on_apply = props.on_edit.as_ref().map(|on_edit| {
        let document = Rc::clone(&props.document);
        let on_edit = on_edit.clone();
        Callback::from(move |remedy: Remedy| {
            if let Some(command) = remedies::command(&document, &remedy) {
                on_edit.emit(command);
            }
        })
    });
    html! {
        <article class={classes!("answer", props.stale.then_some("is-stale"))}
            aria-busy={(props.stale && !props.stopped).to_string()}>
            <Patterns place="answer" />
            <header class="answer-head">
                <h2>{ text.get("answer-title") }</h2>
                <span class="answer-stale" aria-hidden={(!props.stale).to_string()}>
                    { text.get(if props.stopped { "answer-earlier" } else { "answer-stale" }) }
                </span>
            </header>
            <p class="answer-for">{ heading(&props.document, &text) }</p>
            { verdict(answer, &text) }
            { match &answer.plan {
                Some(plan) => planned(answer, plan, &text, &open),
                None => html! { <p class="answer-hint">{ text.get("answer-nothing-hint") }</p> },
            } }
            { findings::findings(&answer.findings, &text, on_apply.as_ref()) }
            if let Some(plan) = &answer.plan {
                { assumptions::list(&plan.explanation, &answer.findings, &text) }
            }
            <p class="answer-searched">{ searched(answer, &text) }</p>
            if let Some(what) = (*shown).clone() {
                { sheet(&what, answer, &text, close) }
            }
        </article>
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct AnswerPlaceholderProps {
    /// The engine failed: what it said, instead of the promise of an answer.
    #[prop_or_default]
    pub error: Option<String>,
}

/// The panel before the first answer, with the same frame so that nothing jumps.
#[component]
pub fn AnswerPlaceholder(props: &AnswerPlaceholderProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    html! {
        <article class="answer is-empty" aria-busy={props.error.is_none().to_string()}>
            <header class="answer-head"><h2>{ text.get("answer-title") }</h2></header>
            <div class={classes!("verdict", if props.error.is_some() { "is-does-not-fit" } else { "is-waiting" })}>
                <p role="status">
                    { props.error.clone().unwrap_or_else(|| text.get("answer-empty")) }
                </p>
            </div>
            <dl class="figures" aria-hidden="true">
                { for [Figure::StepTime, Figure::Mfu, Figure::Throughput, Figure::Days]
                    .into_iter()
                    .map(|figure| html! {
                        <div class="figure">
                            <dt>{ text.get(figure.label()) }</dt>
                            <dd class="number is-large">{ "–" }</dd>
                        </div>
                    }) }
            </dl>
        </article>
    }
}

/// The sentence with its sign, announced politely when it changes.
fn verdict(answer: &Answer, text: &Text) -> Html {
    let word = words::verdict(answer.verdict);
    html! {
        <div class={classes!("verdict", format!("is-{word}"))}>
            <span class="verdict-sign" aria-hidden="true">{ words::verdict_sign(answer.verdict) }</span>
            <div role="status" aria-live="polite">
                <p class="verdict-sentence">{ sentence::sentence(answer, text) }</p>
                if let Some(change) = sentence::change(answer, text) {
                    <p class="verdict-change">{ change }</p>
                }
            </div>
        </div>
    }
}

fn planned(answer: &Answer, plan: &Plan, text: &Text, open: &Callback<Shown>) -> Html {
    let fits = plan.memory.worst.device <= plan.memory.capacity
        && plan.memory.host.peak() <= plan.memory.host_capacity;
    let title = if fits { "answer-layout" } else { "answer-least-bad" };
    html! {
        <>
            { figures::figures(plan, text, open) }
            { figures::cost(answer, text, open) }
            <section class="answer-section">
                <h3>{ text.get(title) }</h3>
                <ul class="chips">
                    { for words::chips(&plan.layout, plan.micro_batches, text).into_iter().map(
                        |chip| html! {
                            <li class="chip" key={chip.title.clone()} title={chip.title}>
                                { chip.text }
                            </li>
                        }) }
                </ul>
            </section>
            { figures::bars(plan, text, open) }
            { findings::reasons(&answer.reasons, text) }
        </>
    }
}

fn sheet(what: &Shown, answer: &Answer, text: &Text, on_close: Callback<()>) -> Html {
    match what {
        Shown::Figure(figure) => {
            let term = answer.plan.as_ref().and_then(|plan| tree(plan, *figure));
            let Some(term) = term else { return Html::default() };
            let value = text.quantity(&term.value);
            html! {
                <Sheet title={text.get(figure.label())} {value} {on_close}>
                    <TermTree term={Rc::new(term)} />
                </Sheet>
            }
        }
        Shown::Cost(platform) => {
            let line = answer.costs.iter().find(|line| line.platform == *platform);
            let Some(line) = line else { return Html::default() };
            let value = line.total.map(|total| text.money_range(total)).unwrap_or_default();
            html! {
                <Sheet title={platform_name(line, text)} {value} {on_close}>
                    <CostTree line={Rc::new(line.clone())} />
                </Sheet>
            }
        }
    }
}

/// `Llama 3 70B on 16 × 8 H100 SXM`.
fn heading(document: &Document, text: &Text) -> String {
    let model = match &document.model {
        ModelSource::Preset(id) => model::presets()
            .iter()
            .find(|preset| preset.id == id)
            .map_or_else(|| id.clone(), |preset| preset.name.to_owned()),
        ModelSource::Config { name, .. } => name.clone(),
    };
    let cluster = &document.cluster;
    let accelerator = catalog::accelerator(&cluster.accelerator)
        .map_or_else(|| cluster.accelerator.clone(), |found| found.name.to_owned());
    text.with(
        "answer-for",
        &[
            ("model", model),
            ("nodes", cluster.nodes.to_string()),
            ("gpus", cluster.gpus_per_node.to_string()),
            ("accelerator", accelerator),
        ],
    )
}

fn searched(answer: &Answer, text: &Text) -> String {
    let searched = &answer.searched;
    text.with(
        "answer-searched",
        &[("legal", text.tally(searched.legal)), ("evaluated", text.tally(searched.evaluated))],
    )
}
