//! A pasted out-of-memory message against the plan: what was being allocated, when, and what helps.

use std::rc::Rc;

use planner::explain::Quantity;
use planner::oom::{Diagnosis, Fix, Match, Message, Place};
use planner::units::Bytes;
use web_sys::{HtmlDialogElement, HtmlTextAreaElement};
use yew::prelude::*;

use crate::engine::{Engine, Failure, Reply, Request};
use crate::text::Text;
use crate::ui::answer::{evidence, remedy_time, steps, words};
use crate::ui::explain::TermTree;
use crate::ui::icons::{Icon, icon};
use crate::ui::notice::sentence;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct OomDialogProps {
    pub engine: Engine,
    pub on_close: Callback<()>,
}

/// Open while it is mounted. A text that is no such message is kept, with what was expected.
#[component]
pub(super) fn OomDialog(props: &OomDialogProps) -> Html {
    let text = use_context::<Text>();
    let dialog = use_node_ref();
    let pasted = use_state(String::new);
    let result = use_state(|| None::<Result<Rc<Diagnosis>, Failure>>);
    use_effect_with(dialog.clone(), |dialog| {
        if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
            // Already open is as good.
            drop(dialog.show_modal());
        }
    });
    let Some(text) = text else { return Html::default() };
    let on_explain = {
        let (engine, pasted, result) = (props.engine.clone(), pasted.clone(), result.clone());
        Callback::from(move |_: MouseEvent| {
            let result = result.clone();
            let reply = Callback::from(move |reply| match reply {
                Ok(Reply::Diagnosed(found)) => result.set(Some(Ok(Rc::from(found)))),
                Ok(_) => {}
                Err(failure) => result.set(Some(Err(failure))),
            });
            engine.ask(Request::ExplainOom { text: (*pasted).clone() }, reply);
        })
    };
    let on_paste = Callback::from(move |event: InputEvent| {
        let area: HtmlTextAreaElement = event.target_unchecked_into();
        pasted.set(area.value());
    });
    let close = props.on_close.reform(|_: MouseEvent| ());
    let onclose = props.on_close.reform(|_: Event| ());
    html! {
        <dialog ref={dialog} class="dialog model-dialog oom-dialog" aria-labelledby="oom-title" {onclose}>
            <div class="dialog-head">
                <h2 id="oom-title">{ text.get("oom-title") }</h2>
                <button type="button" class="icon-button" aria-label={text.get("close")}
                    onclick={close}>
                    { icon(Icon::Close) }
                </button>
            </div>
            <label for="oom-pasted">{ text.get("oom-pasted") }</label>
            <textarea id="oom-pasted" rows="6" spellcheck="false" oninput={on_paste}
                placeholder={text.get("oom-placeholder")} />
            <button type="button" class="primary" onclick={on_explain}>
                { text.get("oom-explain") }
            </button>
            <div class="oom-result" role="status" aria-live="polite">
                { match &*result {
                    None => Html::default(),
                    Some(Ok(diagnosis)) => shown(diagnosis, &text),
                    Some(Err(failure)) => html! {
                        <p class="wrong" role="alert">{ sentence(&text, failure) }</p>
                    },
                } }
            </div>
        </dialog>
    }
}

fn shown(diagnosis: &Diagnosis, text: &Text) -> Html {
    let place = match diagnosis.message.place {
        Place::Device => "device",
        Place::Communicator => "communicator",
        Place::Host => "host",
    };
    html! {
        <>
            <h3>{ text.get(&format!("oom-place-{place}")) }</h3>
            { said(&diagnosis.message, text) }
            { tensor(diagnosis, text) }
            if let Some(instant) = &diagnosis.instant {
                <p>
                    { text.with("oom-instant", &[
                        ("stage", (instant.stage + 1).to_string()),
                        ("instant", words::inside(&text.get(&format!("instant-{}", instant.instant)))),
                        ("tensors", text.bytes_gib(instant.tensors)),
                    ]) }
                </p>
            }
            if let Some(pieces) = &diagnosis.fragmentation {
                <p>
                    { text.with(
                        if pieces.explains { "oom-fragmented" } else { "oom-not-fragmented" },
                        &[("unallocated", text.bytes(pieces.unallocated))],
                    ) }
                </p>
            }
            { fixes(&diagnosis.fixes, text) }
        </>
    }
}

/// The figures that the message prints.
fn said(message: &Message, text: &Text) -> Html {
    let figures: [(&str, Option<Bytes>); 6] = [
        ("tried", message.tried),
        ("allocated", message.allocated),
        ("idle", message.reserved_unallocated),
        ("in-process", message.in_process),
        ("free", message.free),
        ("capacity", message.capacity),
    ];
    html! {
        <dl class="evidence">
            { for figures.into_iter().filter_map(|(key, value)| {
                let value = value?;
                Some(html! {
                    <div key={key}>
                        <dt>{ text.get(&format!("oom-said-{key}")) }</dt>
                        <dd title={text.quantity_exact(&Quantity::Bytes(value))}>
                            { text.bytes(value) }
                        </dd>
                    </div>
                })
            }) }
        </dl>
    }
}

/// The tensor of the failed size with its factors, or the closest ones.
fn tensor(diagnosis: &Diagnosis, text: &Text) -> Html {
    let (Some(tried), Some(first)) = (diagnosis.message.tried, diagnosis.matches.first()) else {
        return Html::default();
    };
    let named = diagnosis.named();
    let key = if named.is_some() { "oom-named" } else { "oom-not-named" };
    let sentence = text.with(
        key,
        &[
            ("tried", text.bytes(tried)),
            ("tensor", name(first, text)),
            ("size", text.bytes(first.block)),
        ],
    );
    let others = diagnosis.matches.get(1..).unwrap_or_default();
    html! {
        <>
            <p class={classes!(named.is_some().then_some("oom-named"))}>{ sentence }</p>
            if !first.tensor.planned {
                <p class="soft">{ text.get("oom-elsewhere") }</p>
            }
            <TermTree term={Rc::new(first.tensor.term.clone())} />
            if !others.is_empty() {
                <details>
                    <summary>{ text.get("oom-others") }</summary>
                    <dl class="evidence">
                        { for others.iter().map(|one| html! {
                            <div key={one.tensor.term.key.to_string()}>
                                <dt>{ name(one, text) }</dt>
                                <dd>{ text.bytes(one.block) }</dd>
                            </div>
                        }) }
                    </dl>
                </details>
            }
        </>
    }
}

fn name(one: &Match, text: &Text) -> String {
    let key = &one.tensor.term.key;
    text.try_with(&format!("term-{key}"), &[]).unwrap_or_else(|| key.to_string())
}

fn fixes(fixes: &[Fix], text: &Text) -> Html {
    if fixes.is_empty() {
        return html! { <p>{ text.get("oom-no-fix") }</p> };
    }
    html! {
        <>
            <h3>{ text.get("oom-fixes") }</h3>
            <ul class="oom-fixes">
                { for fixes.iter().map(|fix| {
                    let word = words::verdict(fix.verdict);
                    html! {
                        <li>
                            <span>{ steps(&fix.remedy, text) }</span>{ " " }
                            if let Some(cost) = fix.remedy.time_cost {
                                <span class="soft">{ remedy_time(cost, text) }</span>
                            }
                            <span class={classes!("verdict-word", format!("is-{word}"))}>
                                { words::verdict_sign(fix.verdict) }{ " " }
                                { text.get(&format!("verdict-{word}")) }
                            </span>
                            if fix.remedy.alters_training {
                                <p class="soft">{ text.get("remedy-alters") }</p>
                            }
                            { evidence(&fix.remedy.proof, text) }
                        </li>
                    }
                }) }
            </ul>
        </>
    }
}
