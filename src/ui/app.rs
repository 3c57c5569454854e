//! The frame: top bar, three columns, drawer; tabs instead of columns on a narrow screen.

use std::rc::Rc;

use planner::explain::{Code, Subject};
use project::{Command, Document};
use yew::{
    AttrValue, Callback, ContextProvider, Html, classes, component, html, use_memo, use_node_ref,
    use_reducer, use_state,
};

use super::actions::Actions;
use super::answer::{AnswerPanel, AnswerPlaceholder, AnswerStrip};
use super::dialogs::ShareDialog;
use super::drawer_pane::DrawerPane;
use super::effects;
use super::inputs::Inputs;
use super::notice::{NoticeBar, sentence};
use super::picture::ClusterPicture;
use super::splitter::Splitter;
use super::tabs::Tabs;
use super::topbar::{Ask, TopBar};
use crate::state::{Action, Pane, PaneSizes, Preferences, State, Store};
use crate::text::Text;

/// The whole page.
#[component]
pub fn App() -> Html {
    let store: Store = use_reducer(|| State::new(Document::example(), Preferences::load()));
    let engine = effects::use_engine(&store);
    let picker = use_node_ref();
    let sharing = use_state(|| false);
    let pane = use_state(|| 0_usize);
    let text = use_memo(store.preferences.language, |language| Text::new(*language));
    let actions =
        Actions { store: store.clone(), engine: engine.clone(), picker, sharing: sharing.clone() };
    effects::use_restoring(&store);
    effects::use_address(&store);
    effects::use_solving(&store, engine.as_ref());
    effects::use_reveal(&store);
    effects::use_model(&store, engine.as_ref());
    effects::use_saving(&store);
    effects::use_preferences(&store);
    effects::use_gateway(&actions);

    let on_ask = {
        let actions = actions.clone();
        Callback::from(move |ask: Ask| actions.run(ask))
    };
    let choose_pane = {
        let pane = pane.clone();
        Callback::from(move |index: usize| pane.set(index))
    };
    html! {
        <ContextProvider<Text> context={(*text).clone()}>
            <div class={classes!("frame", format!("shows-{}", *pane))}>
                { top(&store, &actions, &on_ask) }
                { columns(&store, &text, &actions, (*pane, &on_ask)) }
                { narrow(&store, &text, *pane, choose_pane) }
            </div>
            if *sharing {
                <ShareDialog
                    document={Rc::clone(&store.document)}
                    on_save={on_ask.reform(|()| Ask::Save)}
                    on_close={Callback::from(move |()| sharing.set(false))}
                />
            }
        </ContextProvider<Text>>
    }
}

fn top(store: &Store, actions: &Actions, on_ask: &Callback<Ask>) -> Html {
    let on_close = {
        let store = store.clone();
        Callback::from(move |()| store.dispatch(Action::Dismiss))
    };
    html! {
        <>
            <TopBar
                document={Rc::clone(&store.document)}
                saving={store.saving}
                undo={store.can_undo()}
                redo={store.can_redo()}
                preferences={store.preferences}
                picker={actions.picker.clone()}
                on_ask={on_ask.clone()}
            />
            if let Some(notice) = store.notice.clone() {
                <NoticeBar {notice} {on_close} />
            }
        </>
    }
}

fn columns(
    store: &Store,
    text: &Text,
    actions: &Actions,
    (shown, on_ask): (usize, &Callback<Ask>),
) -> Html {
    // The tabs of a narrow screen control the one pane that it shows.
    let id = |pane: usize| (pane == shown).then_some("pane-panel");
    let on_edit = {
        let store = store.clone();
        Callback::from(move |command: Command| store.dispatch(Action::Edit(command)))
    };
    let on_file = {
        let actions = actions.clone();
        Callback::from(move |(name, text): (String, String)| actions.take(name, text))
    };
    html! {
        <main class="columns">
            <section
                id={id(0)}
                class="pane inputs"
                aria-label={AttrValue::from(text.get("pane-inputs"))}
            >
                <Inputs
                    document={Rc::clone(&store.document)}
                    model={store.model.clone()}
                    engine={actions.engine.clone()}
                    refused={refused_fields(store)}
                    on_edit={on_edit.clone()}
                    {on_file}
                    on_failure={on_ask.reform(Ask::Failed)}
                />
            </section>
            { splitter(store, text, Pane::Inputs, "resize-inputs") }
            <section
                id={id(1)}
                class="pane picture-pane"
                aria-label={AttrValue::from(text.get("pane-picture"))}
            >
                <ClusterPicture
                    spec={Rc::clone(&store.cluster)}
                    answer={store.solution.answer.clone()}
                />
            </section>
            { splitter(store, text, Pane::Drawer, "resize-drawer") }
            <section
                id={id(3)}
                class="drawer"
                aria-label={AttrValue::from(text.get("pane-details"))}
            >
                <DrawerPane
                    document={Rc::clone(&store.document)}
                    answer={store.solution.answer.clone()}
                    engine={actions.engine.clone()}
                    {on_edit}
                />
            </section>
            { splitter(store, text, Pane::Answer, "resize-answer") }
            <section
                id={id(2)}
                class="pane answer-pane"
                aria-label={AttrValue::from(text.get("pane-answer"))}
            >
                { answer(store, text) }
                { progress(store, text, actions) }
            </section>
        </main>
    }
}

/// The fields of the document that broken rules point at.
fn refused_fields(store: &Store) -> Vec<AttrValue> {
    let findings = store.solution.answer.iter().flat_map(|answer| &answer.findings);
    findings
        .filter_map(|finding| match (&finding.subject, finding.code) {
            (Subject::Field(name), Code::RuleBroken) => Some(AttrValue::from(name.to_string())),
            _ => None,
        })
        .collect()
}

fn splitter(store: &Store, text: &Text, pane: Pane, key: &str) -> Html {
    let on_resize = {
        let store = store.clone();
        Callback::from(move |sizes: PaneSizes| store.dispatch(Action::Sizes(sizes)))
    };
    let label = AttrValue::from(text.get(key));
    html! { <Splitter {pane} sizes={store.preferences.sizes} {label} {on_resize} /> }
}

fn answer(store: &Store, text: &Text) -> Html {
    let on_edit = {
        let store = store.clone();
        Callback::from(move |command: Command| store.dispatch(Action::Edit(command)))
    };
    match (&store.solution.failure, &store.solution.answer) {
        (Some(failure), _) => html! { <AnswerPlaceholder error={sentence(text, failure)} /> },
        (None, Some(answer)) => html! {
            <AnswerPanel
                answer={Rc::clone(answer)}
                document={Rc::clone(&store.document)}
                stale={store.is_stale()}
                stopped={store.is_stopped()}
                on_edit={on_edit}
            />
        },
        (None, None) => html! { <AnswerPlaceholder /> },
    }
}

/// Only searches that last longer than a moment report any.
fn progress(store: &Store, text: &Text, actions: &Actions) -> Html {
    if store.is_stopped() {
        let again = {
            let store = store.clone();
            Callback::from(move |_: yew::MouseEvent| store.dispatch(Action::Again))
        };
        return html! {
            <div class="progress">
                <span role="status">{ text.get("stopped") }</span>
                <button type="button" class="link" onclick={again}>{ text.get("compute") }</button>
            </div>
        };
    }
    let Some(progress) = store.solution.progress else { return Html::default() };
    #[expect(clippy::cast_precision_loss, reason = "counts of layouts, shown with three digits")]
    let (done, total) = (progress.evaluated as f64, progress.total.max(1) as f64);
    let words = text.with("progress", &[("done", text.count(done)), ("total", text.count(total))]);
    let engine = actions.engine.clone();
    let cancel = Callback::from(move |_: yew::MouseEvent| {
        if let Some(engine) = &engine {
            engine.cancel();
        }
    });
    html! {
        <div class="progress">
            <progress max={total.to_string()} value={done.to_string()} aria-label={words.clone()} />
            <span>{ words }</span>
            <button type="button" class="link" onclick={cancel}>{ text.get("cancel") }</button>
        </div>
    }
}

/// The strip and the tabs that take the place of columns.
fn narrow(store: &Store, text: &Text, pane: usize, on_choose: Callback<usize>) -> Html {
    let names: Vec<AttrValue> = ["pane-inputs", "pane-picture", "pane-answer", "pane-details"]
        .iter()
        .map(|key| text.get(key).into())
        .collect();
    html! {
        <div class="narrow">
            if let Some(answer) = &store.solution.answer {
                <AnswerStrip answer={Rc::clone(answer)} stale={store.is_stale()} />
            }
            <Tabs
                id="pane"
                label={AttrValue::from(text.get("panes"))}
                {names}
                chosen={pane}
                {on_choose}
            />
        </div>
    }
}
