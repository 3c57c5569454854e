//! The few icons of the page, drawn in the text's colour.

use yew::{Html, html};

/// Names of the drawings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    Undo,
    Redo,
    Open,
    Save,
    Share,
    Light,
    Dark,
    System,
    Chevron,
    Close,
    Copy,
    Download,
}

/// Decoration beside or instead of a label that the element carries itself.
pub(crate) fn icon(icon: Icon) -> Html {
    let path = match icon {
        Icon::Undo => "M6 3 2.5 6.5 6 10M3 6.5h6.5a4 4 0 0 1 0 8H6",
        Icon::Redo => "M10 3l3.5 3.5L10 10M13 6.5H6.5a4 4 0 0 0 0 8H10",
        Icon::Open => "M2 13V3.5h4l1.5 2H14V13zM2 8h12",
        Icon::Save => "M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11",
        Icon::Share => "M8 10V2M4.5 5 8 1.5 11.5 5M3 8v6h10V8",
        Icon::Light => {
            "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1"
        }
        Icon::Dark => "M13.5 9.5A6 6 0 0 1 6.5 2.500a6 6 0 1 0 7 7z",
        Icon::System => "M2 3h12v8H2zM6 14h4M8 11v3",
        Icon::Chevron => "M4 6l4 4 4-4",
        Icon::Close => "M3.500 3.500l9 9M12.500 3.500l-9 9",
        Icon::Copy => "M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3",
        Icon::Download => "M8 2v8M4.500 7 8 10.500 11.500 7M2.500 13.500h11",
    };
    html! {
        <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d={path} />
        </svg>
    }
}
