//! The frame: top bar, three columns, drawer; tabs instead of columns on a narrow screen.

use yew::{ContextProvider, Html, component, html};

use crate::text::{Language, Text};

/// The whole page.
#[component]
pub fn App() -> Html {
    let text = Text::new(Language::En);
    html! {
        <ContextProvider<Text> context={text.clone()}>
            <div class="frame">
                <header class="bar"><h1 class="brand">{ text.get("app-name") }</h1></header>
                <section class="pane inputs" aria-label={text.get("pane-inputs")}></section>
                <section class="pane picture-pane" aria-label={text.get("pane-picture")}></section>
                <section class="pane answer-pane" aria-label={text.get("pane-answer")}></section>
                <section class="drawer" aria-label={text.get("pane-details")}></section>
            </div>
        </ContextProvider<Text>>
    }
}
