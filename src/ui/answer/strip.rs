//! The answer in one line, pinned at the bottom of a narrow screen.

use std::rc::Rc;

use planner::answer::Answer;
use planner::units::Seconds;
use yew::prelude::*;

use super::{cheapest, words};
use crate::text::Text;

#[derive(Clone, PartialEq, Properties)]
pub struct AnswerStripProps {
    pub answer: Rc<Answer>,
    #[prop_or_default]
    pub stale: bool,
}

/// Verdict, step time, days and cost. The panel announces changes, so this line does not.
#[component]
pub fn AnswerStrip(props: &AnswerStripProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let answer = &props.answer;
    let word = words::verdict(answer.verdict);
    let mut facts = Vec::new();
    if let Some(plan) = &answer.plan {
        facts.push(text.seconds(plan.step.parts.total));
        facts.push(text.seconds(Seconds::days(plan.days.p50)));
        if let Some((_, total)) = cheapest(answer) {
            facts.push(text.money_range(total));
        }
    }
    html! {
        <p class={classes!("strip", format!("is-{word}"), props.stale.then_some("is-stale"))}>
            <span class="verdict-sign" aria-hidden="true">{ words::verdict_sign(answer.verdict) }</span>
            <span class="strip-verdict">{ text.get(&format!("verdict-{word}")) }</span>
            { for facts.into_iter().map(|fact| html! { <span class="strip-fact">{ fact }</span> }) }
        </p>
    }
}
