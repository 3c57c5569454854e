//! Dialogs: share the document as a link.

use std::rc::Rc;

use project::{Document, LONG_FRAGMENT, to_fragment};
use web_sys::{HtmlDialogElement, HtmlInputElement};
use yew::{
    AttrValue, Callback, Html, MouseEvent, Properties, TargetCast, component, html, use_context,
    use_effect_with, use_node_ref, use_state,
};

use super::files;
use super::icons::{Icon, icon};
use crate::text::Text;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct ShareDialogProps {
    pub document: Rc<Document>,
    pub on_save: Callback<()>,
    pub on_close: Callback<()>,
}

#[component]
pub(crate) fn ShareDialog(props: &ShareDialogProps) -> Html {
    let text = use_context::<Text>();
    let dialog = use_node_ref();
    let copied = use_state(|| None::<bool>);
    {
        let dialog = dialog.clone();
        use_effect_with((), move |()| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                // Already open is as good.
                drop(dialog.show_modal());
            }
        });
    }
    let Some(text) = text else { return Html::default() };
    let link = address(&props.document);
    let copy = {
        let (link, copied) = (link.clone(), copied.clone());
        Callback::from(move |_: MouseEvent| {
            let copied = copied.clone();
            files::copy(&link, Callback::from(move |done: bool| copied.set(Some(done))));
        })
    };
    let close = props.on_close.reform(|_: MouseEvent| ());
    let onclose = props.on_close.reform(|_: yew::Event| ());
    let onfocus = Callback::from(|event: yew::FocusEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        input.select();
    });
    let title_id = "share-title";
    html! {
        <dialog ref={dialog} class="dialog" aria-labelledby={title_id} {onclose}>
            <div class="dialog-head">
                <h2 id={title_id}>{ text.get("share-title") }</h2>
                <button
                    type="button"
                    class="icon-button"
                    aria-label={AttrValue::from(text.get("close"))}
                    onclick={close}
                >
                    { icon(Icon::Close) }
                </button>
            </div>
            <p>{ text.get("share-about") }</p>
            if link.len() > LONG_FRAGMENT {
                <p class="hint">{ text.get("share-long") }</p>
            }
            <div class="share-link">
                <input
                    type="text"
                    readonly={true}
                    aria-label={AttrValue::from(text.get("share-link"))}
                    value={link}
                    {onfocus}
                />
                <button type="button" class="primary" onclick={copy}>
                    { icon(Icon::Copy) }{ text.get("copy") }
                </button>
            </div>
            <p class="hint" role="status">
                { match *copied {
                    Some(true) => text.get("copied"),
                    Some(false) => text.get("copy-failed"),
                    None => String::new(),
                } }
            </p>
            <p>
                <button
                    type="button"
                    class="link"
                    onclick={props.on_save.reform(|_: MouseEvent| ())}
                >
                    { text.get("share-file") }
                </button>
            </p>
        </dialog>
    }
}

/// The address of this page with the document in the fragment.
fn address(document: &Document) -> String {
    let href = web_sys::window().and_then(|window| window.location().href().ok());
    let href = href.unwrap_or_default();
    let page = href.split('#').next().unwrap_or_default();
    format!("{page}#{}", to_fragment(document))
}
