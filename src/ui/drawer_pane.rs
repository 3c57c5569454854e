//! The drawer under the picture: tabs with the details of the answer.

use std::rc::Rc;

use planner::answer::Answer;
use planner::remedy::pins_of;
use planner::strategy::Layout;
use project::{Command, Document};
use yew::{AttrValue, Callback, Html, Properties, component, html, use_context, use_state};

use super::drawer::{CandidatesTab, CommunicationTab, MemoryTab, PlatformsTab, TimeTab};
use super::launch_files::LaunchFiles;
use super::tabs::Tabs;
use crate::engine::Engine;
use crate::text::Text;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct DrawerPaneProps {
    pub document: Rc<Document>,
    pub answer: Option<Rc<Answer>>,
    pub engine: Option<Engine>,
    pub on_edit: Callback<Command>,
}

/// Message keys of the tabs, in order.
const TABS: [&str; 6] = [
    "tab-candidates",
    "tab-memory",
    "tab-time",
    "tab-communication",
    "tab-platforms",
    "tab-launch",
];

#[component]
pub(crate) fn DrawerPane(props: &DrawerPaneProps) -> Html {
    let chosen = use_state(|| 0_usize);
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let names: Vec<AttrValue> = TABS.iter().map(|key| text.get(key).into()).collect();
    let on_choose = {
        let chosen = chosen.clone();
        Callback::from(move |index: usize| chosen.set(index))
    };
    html! {
        <>
            <Tabs
                id="drawer"
                label={AttrValue::from(text.get("pane-details"))}
                {names}
                chosen={*chosen}
                {on_choose}
            />
            <div
                id="drawer-panel"
                class="drawer-panel"
                role="tabpanel"
                tabindex="0"
                aria-labelledby={format!("drawer-tab-{}", *chosen)}
            >
                { match &props.answer {
                    Some(answer) => panel(props, *chosen, answer),
                    None => html! { <p class="tab-empty">{ text.get("drawer-empty") }</p> },
                } }
            </div>
        </>
    }
}

fn panel(props: &DrawerPaneProps, chosen: usize, answer: &Rc<Answer>) -> Html {
    let answer = Rc::clone(answer);
    match chosen {
        0 => {
            let on_pin = props.on_edit.reform(|layout: Layout| Command::Pins(pins_of(&layout)));
            html! { <CandidatesTab {answer} {on_pin} /> }
        }
        1 => html! { <MemoryTab {answer} engine={props.engine.clone()} /> },
        2 => html! { <TimeTab {answer} /> },
        3 => html! { <CommunicationTab {answer} /> },
        4 => html! { <PlatformsTab {answer} /> },
        _ => match &props.engine {
            Some(engine) => html! {
                <LaunchFiles
                    document={Rc::clone(&props.document)}
                    {answer}
                    engine={engine.clone()}
                />
            },
            None => Html::default(),
        },
    }
}
