//! Fields bound to the document: labels, bounds and words come from the project's own tables.

use project::{Command, Pin, Word, numbers};
use yew::{AttrValue, Callback, Html, html};

use crate::text::Text;
use crate::ui::fields::{NumberField, Select, Unit};

/// The message that names a field by its path, such as `cluster.nodes`.
pub(crate) fn label(text: &Text, path: &str) -> AttrValue {
    text.get(&label_key(path)).into()
}

/// `cluster.gpus_per_node` → `command-cluster-gpus-per-node`.
pub(crate) fn label_key(path: &str) -> String {
    format!("command-{}", path.replace(['.', '_'], "-"))
}

/// A number of the document. `path` gives label and bounds.
pub(super) fn number(
    text: &Text,
    path: &'static str,
    value: (f64, Unit),
    on_commit: Callback<f64>,
) -> Html {
    let (value, unit) = value;
    let (low, high) = numbers(path).unwrap_or((0.0, f64::MAX));
    let on_commit = Callback::from(move |value: Option<f64>| {
        if let Some(value) = value {
            on_commit.emit(value);
        }
    });
    html! {
        <NumberField
            id={path}
            label={label(text, path)}
            value={Some(value)}
            {unit}
            {low}
            {high}
            {on_commit}
        />
    }
}

/// A whole number of the document.
pub(super) fn whole(
    text: &Text,
    path: &'static str,
    value: u32,
    on_edit: &Callback<Command>,
    command: fn(u32) -> Command,
) -> Html {
    let on_edit = on_edit.clone();
    let on_commit = Callback::from(move |value: f64| {
        if let Some(value) = to_u32(value) {
            on_edit.emit(command(value));
        }
    });
    number(text, path, (f64::from(value), Unit::Count), on_commit)
}

/// A choice among the words of a type; messages are `choice-KIND-WORD`.
pub(super) fn choice<T: Word>(
    text: &Text,
    path: &'static str,
    kind: &str,
    value: T,
    on_choose: Callback<T>,
) -> Html {
    let choices = T::ALL.iter().map(|choice| word(text, kind, *choice)).collect::<Vec<_>>();
    let at = T::ALL.iter().position(|choice| *choice == value).unwrap_or(0);
    let on_choose = Callback::from(move |index: usize| {
        if let Some(value) = T::ALL.get(index) {
            on_choose.emit(*value);
        }
    });
    html! { <Select id={path} label={label(text, path)} value={at} {choices} {on_choose} /> }
}

/// A pinned number: empty is automatic.
pub(super) fn pinned_number(
    text: &Text,
    path: &'static str,
    value: Option<u32>,
    refused: &[AttrValue],
    on_edit: &Callback<Command>,
    pin: fn(Option<u32>) -> Pin,
) -> Html {
    let (low, high) = numbers(path).unwrap_or((1.0, f64::MAX));
    let on_edit = on_edit.clone();
    let on_commit = Callback::from(move |value: Option<f64>| {
        on_edit.emit(Command::Pin(pin(value.and_then(to_u32))));
    });
    html! {
        <NumberField
            id={path}
            label={label(text, path)}
            value={value.map(f64::from)}
            unit={Unit::Count}
            {low}
            {high}
            placeholder={text.get("auto")}
            optional={true}
            refused={is_refused(path, refused)}
            {on_commit}
        />
    }
}

/// Whether a finding points at the field of this path, such as `pins.tp`.
fn is_refused(path: &str, refused: &[AttrValue]) -> bool {
    let name = path.rsplit('.').next();
    refused.iter().any(|field| Some(field.as_str()) == name)
}

/// A pinned choice: the first entry is automatic.
pub(super) fn pinned_choice<T: Word>(
    text: &Text,
    path: &'static str,
    kind: &str,
    value: (Option<T>, &[T]),
    refused: &[AttrValue],
    on_choose: Callback<Option<T>>,
) -> Html {
    let (value, offered) = value;
    let mut choices = vec![AttrValue::from(text.get("auto"))];
    choices.extend(offered.iter().map(|choice| word(text, kind, *choice)));
    let at = value
        .and_then(|value| offered.iter().position(|choice| *choice == value))
        .map_or(0, |index| index + 1);
    let offered = offered.to_vec();
    let on_choose = Callback::from(move |index: usize| {
        let chosen = index.checked_sub(1).and_then(|index| offered.get(index)).copied();
        on_choose.emit(chosen);
    });
    html! {
        <Select
            id={path}
            label={label(text, path)}
            value={at}
            {choices}
            soft_first={true}
            refused={is_refused(path, refused)}
            {on_choose}
        />
    }
}

/// The message of one choice.
pub(super) fn word<T: Word>(text: &Text, kind: &str, value: T) -> AttrValue {
    text.get(&format!("choice-{kind}-{}", value.word().to_lowercase())).into()
}

pub(super) fn to_u32(value: f64) -> Option<u32> {
    let whole = value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    whole.then_some(value as u32)
}
