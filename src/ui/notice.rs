//! One message above the columns: what went wrong, where, and what to do.

use yew::{AttrValue, Callback, Html, MouseEvent, Properties, component, html, use_context};

use super::icons::{Icon, icon};
use super::inputs::label_key;
use crate::engine::Failure;
use crate::state::{Notice, NoticeKind};
use crate::text::Text;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct NoticeBarProps {
    pub notice: Notice,
    pub on_close: Callback<()>,
}

#[component]
pub(crate) fn NoticeBar(props: &NoticeBarProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let Notice { kind, failure, place } = &props.notice;
    let words = sentence(&text, failure);
    let (class, role) = match kind {
        NoticeKind::Done => ("notice done", "status"),
        NoticeKind::Error => ("notice error", "alert"),
    };
    let onclick = props.on_close.reform(|_: MouseEvent| ());
    html! {
        <div {class} {role}>
            <p>
                if !place.is_empty() {
                    <strong>{ place }</strong>{ " " }
                }
                { words }
            </p>
            <button
                type="button"
                class="icon-button"
                aria-label={AttrValue::from(text.get("close"))}
                {onclick}
            >
                { icon(Icon::Close) }
            </button>
        </div>
    }
}

/// A failure in words: place, cause and hint.
pub(crate) fn sentence(text: &Text, failure: &Failure) -> String {
    let args: Vec<(String, String)> = failure
        .args
        .iter()
        .map(|(name, value)| (name.clone(), worded(text, name, value)))
        .collect();
    let args: Vec<(&str, String)> =
        args.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let cause = text.with(&failure.key, &args);
    let number = |wanted: &str| {
        failure.args.iter().find(|(name, value)| name == wanted && value != "0").map(|(_, v)| v)
    };
    let placed = match number("line") {
        Some(line) if !failure.key.starts_with("config-") => {
            text.with("at-line", &[("line", line.clone()), ("cause", cause)])
        }
        _ => cause,
    };
    match number("more").and_then(|more| more.parse().ok()) {
        Some(more) => text.counted("and-more", more, &[("cause", placed)]),
        None => placed,
    }
}

/// Fields by their label, expected kinds by their message, the rest as it is.
fn worded(text: &Text, name: &str, value: &str) -> String {
    let message = match name {
        "field" if value.starts_with("--") => {
            text.try_with(&format!("model-field-{}", value.trim_start_matches('-')), &[])
        }
        "field" | "path" => text.try_with(&label_key(value), &[]),
        // Project files give the whole key, model files its end.
        "expected" => {
            text.try_with(value, &[]).or_else(|| text.try_with(&format!("expected-{value}"), &[]))
        }
        // Keys of messages of their own.
        "cause" | "kind" => text.try_with(value, &[]),
        _ => None,
    };
    message.unwrap_or_else(|| value.to_owned())
}
