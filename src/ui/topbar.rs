//! The top bar: name, state of saving, undo, files, language and theme.

use std::rc::Rc;

use project::{Command, Document};
use web_sys::HtmlInputElement;
use yew::{
    AttrValue, Callback, Event, Html, MouseEvent, NodeRef, Properties, TargetCast, component, html,
    use_context,
};

use super::files;
use super::icons::{Icon, icon};
use super::inputs::label;
use super::menu::{Item, Menu};
use crate::engine::Failure;
use crate::state::{self, Preferences, Saving, Theme};
use crate::text::{Language, Text};

/// What the bar asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ask {
    Edit(Command),
    Undo,
    Redo,
    /// Index in the menu: the examples, then the project from before a link.
    Example(usize),
    Open,
    File(String, String),
    Failed(Failure),
    Save,
    Share,
    Language(Language),
    Theme(Theme),
}

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct TopBarProps {
    pub document: Rc<Document>,
    pub saving: Saving,
    /// Paths of the fields that undo and redo would change.
    pub undo: Option<&'static str>,
    pub redo: Option<&'static str>,
    pub preferences: Preferences,
    /// The hidden file field, which the shortcut opens too.
    pub picker: NodeRef,
    pub on_ask: Callback<Ask>,
}

#[component]
pub(crate) fn TopBar(props: &TopBarProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let TopBarProps { document, on_ask, .. } = props;
    let rename = on_ask.reform(|event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        Ask::Edit(Command::Name(input.value()))
    });
    let undo = history(&text, "undo", props.undo);
    let redo = history(&text, "redo", props.redo);
    html! {
        <header class="bar">
            <h1 class="brand">{ text.get("app-name") }</h1>
            <input
                class="project-name"
                type="text"
                maxlength="200"
                aria-label={AttrValue::from(text.get("project-name"))}
                value={document.name.clone()}
                onchange={rename}
            />
            { saving(&text, props.saving, on_ask) }
            <span class="gap" />
            { titled(Icon::Undo, (&text.get("undo"), &undo), props.undo.is_some(), on_ask, Ask::Undo) }
            { titled(Icon::Redo, (&text.get("redo"), &redo), props.redo.is_some(), on_ask, Ask::Redo) }
            { examples(&text, on_ask) }
            { button(Icon::Open, &text.get("open-project"), true, on_ask, Ask::Open) }
            { button(Icon::Save, &text.get("save-project"), true, on_ask, Ask::Save) }
            { button(Icon::Share, &text.get("share"), true, on_ask, Ask::Share) }
            { language(&text, on_ask) }
            { theme(&text, props.preferences.theme, on_ask) }
            { file_field(&text, &props.picker, on_ask) }
        </header>
    }
}

fn history(text: &Text, key: &str, field: Option<&str>) -> String {
    match field {
        Some(field) => {
            let name = label(text, field).to_string();
            text.with(&format!("{key}-field"), &[("field", name)])
        }
        None => text.get(key),
    }
}

fn button(kind: Icon, name: &str, enabled: bool, on_ask: &Callback<Ask>, ask: Ask) -> Html {
    titled(kind, (name, name), enabled, on_ask, ask)
}

/// A button whose tooltip says more than its name.
fn titled(
    kind: Icon,
    (name, title): (&str, &str),
    enabled: bool,
    on_ask: &Callback<Ask>,
    ask: Ask,
) -> Html {
    let name = AttrValue::from(name.to_owned());
    let title = AttrValue::from(title.to_owned());
    html! {
        <button
            type="button"
            class="icon-button"
            aria-label={name}
            {title}
            disabled={!enabled}
            onclick={on_ask.reform(move |_: MouseEvent| ask.clone())}
        >
            { icon(kind) }
        </button>
    }
}

fn saving(text: &Text, saving: Saving, on_ask: &Callback<Ask>) -> Html {
    match saving {
        Saving::Saved => html! {
            <span class="saving" role="status">{ text.get("saving-saved") }</span>
        },
        Saving::Pending => html! {
            <span class="saving" role="status">{ text.get("saving-pending") }</span>
        },
        Saving::Failed => html! {
            <span class="saving failed" role="alert">
                { text.get("saving-failed") }{ " " }
                <button type="button" class="link" onclick={on_ask.reform(|_: MouseEvent| Ask::Save)}>
                    { text.get("saving-download") }
                </button>
            </span>
        },
    }
}

fn examples(text: &Text, on_ask: &Callback<Ask>) -> Html {
    let mut items: Vec<Item> = ["example-llama2-70b", "example-llama2-7b", "example-deepseek-v3"]
        .iter()
        .map(|key| Item {
            label: text.get(key).into(),
            detail: text.get(&format!("{key}-about")).into(),
        })
        .collect();
    if let Some(document) = state::previous() {
        let label = text.get("previous-project").into();
        items.push(Item { label, detail: document.name.into() });
    }
    html! {
        <Menu
            label={AttrValue::from(text.get("examples"))}
            {items}
            on_choose={on_ask.reform(Ask::Example)}
        />
    }
}

fn language(text: &Text, on_ask: &Callback<Ask>) -> Html {
    let other = text.language().other();
    let (name, short) = match other {
        Language::En => ("EN: switch to English", "EN"),
        Language::ZhCn => ("中：切换到中文", "中"),
    };
    html! {
        <button
            type="button"
            class="plain language"
            lang={other.tag()}
            aria-label={name}
            title={name}
            onclick={on_ask.reform(move |_: MouseEvent| Ask::Language(other))}
        >
            { short }
        </button>
    }
}

fn theme(text: &Text, theme: Theme, on_ask: &Callback<Ask>) -> Html {
    let (kind, name) = match theme {
        Theme::System => (Icon::System, text.get("theme-system")),
        Theme::Light => (Icon::Light, text.get("theme-light")),
        Theme::Dark => (Icon::Dark, text.get("theme-dark")),
    };
    button(kind, &name, true, on_ask, Ask::Theme(theme.next()))
}

fn file_field(text: &Text, picker: &NodeRef, on_ask: &Callback<Ask>) -> Html {
    let on_ask = on_ask.clone();
    let onchange = Callback::from(move |event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            let on_file = on_ask.reform(|(name, text)| Ask::File(name, text));
            files::read(file, on_file, on_ask.reform(Ask::Failed));
        }
        input.set_value("");
    });
    html! {
        <input
            ref={picker.clone()}
            type="file"
            accept=".yaml,.yml,.json"
            hidden={true}
            aria-label={AttrValue::from(text.get("open-project"))}
            {onchange}
        />
    }
}
