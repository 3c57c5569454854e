//! The page as it stands before the program has loaded: the worked example with its answer,
//! drawn at build time by the same components. `bin/skeleton.rs` writes it into `index.html`.

use std::rc::Rc;

use planner::answer::Answer;
use project::Document;
use yew::{
    AttrValue, Callback, ContextProvider, Html, NodeRef, Properties, classes, component, html,
};

use super::answer::{AnswerPanel, AnswerStrip};
use super::drawer_pane::DrawerPane;
use super::inputs::Inputs;
use super::picture::ClusterPicture;
use super::topbar::TopBar;
use crate::state::{PaneSizes, Preferences, Saving, Theme};
use crate::text::{Language, Text};

/// Candidates in the static table; the program brings the others.
const ROWS: usize = 8;

#[derive(Clone, PartialEq, Properties)]
pub struct SkeletonProps {
    pub language: Language,
    pub document: Rc<Document>,
    pub answer: Rc<Answer>,
}

/// The frame with an answer and without any behaviour.
#[component]
pub fn Skeleton(props: &SkeletonProps) -> Html {
    let SkeletonProps { language, document, answer } = props;
    let text = Text::new(*language);
    let label = |key: &str| AttrValue::from(text.get(key));
    let mut short = Answer::clone(answer);
    short.candidates.truncate(ROWS);
    html! {
        <ContextProvider<Text> context={text.clone()}>
            <div class={classes!("frame", "shows-0", "is-skeleton")} lang={AttrValue::Static(language.tag())}>
                <TopBar
                    document={Rc::clone(document)}
                    saving={Saving::Saved}
                    undo={None::<&'static str>}
                    redo={None::<&'static str>}
                    preferences={Preferences {
                        language: *language,
                        theme: Theme::System,
                        sizes: PaneSizes::default(),
                    }}
                    picker={NodeRef::default()}
                    on_ask={Callback::noop()}
                />
                <section class="pane inputs" aria-label={label("pane-inputs")}>
                    <Inputs
                        document={Rc::clone(document)}
                        model={None}
                        engine={None}
                        on_edit={Callback::noop()}
                        on_file={Callback::noop()}
                        on_failure={Callback::noop()}
                    />
                </section>
                <section class="pane picture-pane" aria-label={label("pane-picture")}>
                    <ClusterPicture
                        spec={Rc::new(document.cluster.clone())}
                        answer={Some(Rc::clone(answer))}
                    />
                </section>
                <section class="drawer" aria-label={label("pane-details")}>
                    <DrawerPane
                        document={Rc::clone(document)}
                        answer={Some(Rc::new(short))}
                        engine={None}
                        on_edit={Callback::noop()}
                    />
                </section>
                <section class="pane answer-pane" aria-label={label("pane-answer")}>
                    <AnswerPanel answer={Rc::clone(answer)} document={Rc::clone(document)} />
                </section>
                <div class="narrow">
                    <AnswerStrip answer={Rc::clone(answer)} stale={false} />
                </div>
            </div>
        </ContextProvider<Text>>
    }
}
