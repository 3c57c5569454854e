//! The picture pane: which marks are open, which is selected, and what is said about it.

use std::collections::BTreeSet;
use std::rc::Rc;

use planner::answer::Answer;
use planner::cluster::{ClusterSpec, PictureId, picture};
use yew::prelude::*;

use super::canvas::Canvas;
use super::{labels, legend, outline};
use crate::text::Text;
use crate::view::{Load, Scene, loads, place};

/// Up to this many nodes the first one is open at first.
const FEW: u32 = 8;

#[derive(Clone, PartialEq, Properties)]
pub struct ClusterPictureProps {
    pub spec: Rc<ClusterSpec>,
    /// Colours the links by the traffic of its plan.
    pub answer: Option<Rc<Answer>>,
}

/// The drawn cluster with its legend and its table twin.
#[component]
pub fn ClusterPicture(props: &ClusterPictureProps) -> Html {
    let open = {
        let nodes = props.spec.nodes;
        use_state(move || first_open(nodes))
    };
    let selected = use_state(|| None::<PictureId>);
    let scene =
        use_memo((props.spec.clone(), (*open).clone()), |(spec, open)| place(&picture(spec, open)));
    let full = use_memo(props.spec.clone(), |spec| outline::opened(spec));
    let loads = use_memo(
        (props.spec.clone(), props.answer.clone(), full.clone()),
        |(spec, answer, full)| {
            let plan = answer.as_ref().and_then(|answer| answer.plan.as_ref());
            plan.map(|plan| loads(spec, full, &plan.step)).unwrap_or_default()
        },
    );
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let on_select = {
        let selected = selected.clone();
        Callback::from(move |id: Option<PictureId>| selected.set(id))
    };
    let on_press = {
        let (open, selected, scene) = (open.clone(), selected.clone(), scene.clone());
        Callback::from(move |id: PictureId| {
            selected.set(Some(id));
            if scene.mark(id).is_some_and(|placed| placed.mark.expandable) {
                open.set(toggled(&open, id));
            }
        })
    };
    let on_shut = {
        let (open, selected) = (open.clone(), selected.clone());
        Callback::from(move |id: PictureId| {
            selected.set(Some(id));
            open.set(toggled(&open, id));
        })
    };
    html! {
        <div class="picture">
            <Canvas scene={scene.clone()} spec={props.spec.clone()} loads={loads.clone()}
                selected={*selected} {on_press} {on_select} />
            <div class="picture-foot">
                { detail(*selected, &scene, props, &loads, &text, &on_shut) }
                { legend::legend(!loads.is_empty(), &text) }
                { outline::outline(&props.spec, &full, &loads, &text) }
            </div>
        </div>
    }
}

fn first_open(nodes: u32) -> BTreeSet<PictureId> {
    (nodes <= FEW).then_some(PictureId::Node { node: 0 }).into_iter().collect()
}

fn toggled(open: &BTreeSet<PictureId>, id: PictureId) -> BTreeSet<PictureId> {
    let mut open = open.clone();
    if !open.remove(&id) {
        open.insert(id);
    }
    open
}

/// One line about the selected mark and its links; about the cluster when nothing is selected.
fn detail(
    selected: Option<PictureId>,
    scene: &Scene,
    props: &ClusterPictureProps,
    loads: &[Load],
    text: &Text,
    on_shut: &Callback<PictureId>,
) -> Html {
    let spec = &props.spec;
    let Some(placed) = selected.and_then(|id| scene.mark(id)) else {
        let total = u64::from(spec.nodes) * u64::from(spec.gpus_per_node);
        let summary = text.with(
            "picture-summary",
            &[
                ("nodes", spec.nodes.to_string()),
                ("gpus", spec.gpus_per_node.to_string()),
                ("total", text.tally(total)),
            ],
        );
        return html! { <p class="picture-detail">{ summary }</p> };
    };
    let mark = placed.mark;
    let mut said: Vec<String> = Vec::new();
    for link in &scene.links {
        let bundle = &link.bundle;
        let load = loads.iter().find(|load| load.kind == bundle.kind);
        let words = labels::bundle(bundle, load, text);
        if (bundle.from == mark.id || bundle.to == mark.id) && !said.contains(&words) {
            said.push(words);
        }
    }
    said.truncate(2);
    let group = mark.parent.filter(|id| matches!(id, PictureId::Nodes { .. }));
    html! {
        <p class="picture-detail">
            <strong>{ labels::mark(&mark, spec, text) }</strong>
            { for said.into_iter().map(|words| html! { <span>{ words }</span> }) }
            if let Some(group) = group {
                <button type="button" class="quiet"
                    onclick={on_shut.reform(move |_: MouseEvent| group)}>
                    { text.get("picture-close-group") }
                </button>
            }
        </p>
    }
}
