//! A sheet over the page that explains one number: a native dialog, so that Esc, the focus and
//! the reading order are the browser's.

use web_sys::HtmlDialogElement;
use yew::prelude::*;

use crate::text::Text;

#[derive(Clone, PartialEq, Properties)]
pub struct SheetProps {
    pub title: String,
    /// The value explained, large at the top.
    #[prop_or_default]
    pub value: String,
    pub on_close: Callback<()>,
    pub children: Html,
}

/// Open while it is mounted.
#[component]
pub fn Sheet(props: &SheetProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let dialog = use_node_ref();
    use_effect_with(dialog.clone(), |dialog| {
        // Opening fails only for an element that is open already or not in the document.
        let opened = dialog.cast::<HtmlDialogElement>().map(|dialog| dialog.show_modal());
        debug_assert!(opened.is_none_or(|result| result.is_ok()));
    });
    let on_close = props.on_close.clone();
    let close = Callback::from(move |()| on_close.emit(()));
    let on_native_close = close.reform(|_: Event| ());
    let on_button = close.reform(|_: MouseEvent| ());
    let outside = dialog.clone();
    let on_backdrop = Callback::from(move |event: MouseEvent| {
        // A click on the dialog itself, not on what it holds, is a click beside the sheet.
        let itself: Option<web_sys::EventTarget> =
            outside.cast::<HtmlDialogElement>().map(Into::into);
        if itself.is_some() && event.target() == itself {
            close.emit(());
        }
    });
    html! {
        <dialog class="sheet" ref={dialog} onclose={on_native_close} onclick={on_backdrop}
            aria-label={props.title.clone()}>
            <div class="sheet-body">
                <header class="sheet-head">
                    <h2>{ props.title.clone() }</h2>
                    <button type="button" class="quiet" onclick={on_button}>
                        { text.get("explain-close") }
                    </button>
                </header>
                if !props.value.is_empty() {
                    <p class="sheet-value">{ props.value.clone() }</p>
                }
                { props.children.clone() }
            </div>
        </dialog>
    }
}
