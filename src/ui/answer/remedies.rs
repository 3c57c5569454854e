//! The changes that lift a finding, cheapest in time first, each with a button that makes it.

use planner::explain::Remedy;
use planner::remedy::{Target, apply};
use project::{Command, Document};
use yew::prelude::*;

use super::findings::evidence;
use super::sentence;
use crate::text::Text;

/// Time that differs by less is the same.
const SAME: f64 = 0.0005;

/// The list; without buttons where nothing can be changed.
pub(super) fn list(remedies: &[Remedy], text: &Text, on_apply: Option<&Callback<Remedy>>) -> Html {
    if remedies.is_empty() {
        return Html::default();
    }
    html! {
        <div class="remedies">
            <p class="remedy-title">
                <span>{ text.get("remedy-title") }</span>
                if remedies.iter().any(|remedy| remedy.time_cost.is_some()) {
                    { " " }{ text.get("remedy-note") }
                }
            </p>
            <ol>
                { for remedies.iter().map(|remedy| one(remedy, text, on_apply)) }
            </ol>
        </div>
    }
}

fn one(remedy: &Remedy, text: &Text, on_apply: Option<&Callback<Remedy>>) -> Html {
    let steps = sentence::steps(remedy, text);
    html! {
        <li class="remedy">
            <div class="remedy-head">
                <p>
                    <span>{ &steps }</span>
                    if let Some(cost) = remedy.time_cost {
                        <span class="remedy-cost">{ time(cost, text) }</span>
                    }
                </p>
                if let Some(on_apply) = on_apply {
                    { button(remedy, &steps, text, on_apply) }
                }
            </div>
            if remedy.alters_training {
                <p class="remedy-alters">{ text.get("remedy-alters") }</p>
            }
            { evidence(&remedy.proof, text) }
        </li>
    }
}

fn button(remedy: &Remedy, steps: &str, text: &Text, on_apply: &Callback<Remedy>) -> Html {
    let label = text.with("remedy-apply-label", &[("steps", steps.to_owned())]);
    let remedy = remedy.clone();
    html! {
        <button type="button" class="secondary" aria-label={AttrValue::from(label)}
            onclick={on_apply.reform(move |_: MouseEvent| remedy.clone())}>
            { text.get("remedy-apply") }
        </button>
    }
}

/// `39% more time`.
pub fn time(cost: f64, text: &Text) -> String {
    if cost.abs() < SAME {
        return text.get("remedy-same-time");
    }
    let key = if cost > 0.0 { "remedy-more-time" } else { "remedy-less-time" };
    text.with(key, &[("share", text.percent(cost.abs()))])
}

/// The one command that carries out a remedy; none where it changes nothing that a document has.
pub(super) fn command(document: &Document, remedy: &Remedy) -> Option<Command> {
    let mut new = document.clone();
    let mut target = Target { job: &mut new.job, cluster: &mut new.cluster, pins: &mut new.pins };
    if !apply(remedy, &mut target) {
        return None;
    }
    let changed =
        (new.job != document.job, new.cluster != document.cluster, new.pins != document.pins);
    Some(match changed {
        (false, false, false) => return None,
        (true, false, false) => Command::Job(new.job),
        (false, true, false) => Command::Cluster(new.cluster),
        (false, false, true) => Command::Pins(new.pins),
        _ => Command::Replace(Box::new(new)),
    })
}
