//! What the reader chose about the page itself; kept apart from the document.

use gloo_storage::{LocalStorage, Storage};
use serde::{Deserialize, Serialize};

use crate::text::Language;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preferences {
    pub language: Language,
    pub theme: Theme,
    pub sizes: PaneSizes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    Light,
    Dark,
}

/// Sizes in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaneSizes {
    pub inputs: u32,
    pub answer: u32,
    pub drawer: u32,
}

/// A pane with a border that can be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    Inputs,
    Answer,
    Drawer,
}

const LANGUAGE: &str = "meshwright.language";
const THEME: &str = "meshwright.theme";
const SIZES: &str = "meshwright.sizes";

impl Theme {
    /// Light, dark, system, and again.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }
}

impl Default for PaneSizes {
    fn default() -> Self {
        Self { inputs: 316, answer: 380, drawer: 320 }
    }
}

impl PaneSizes {
    pub const fn of(self, pane: Pane) -> u32 {
        match pane {
            Pane::Inputs => self.inputs,
            Pane::Answer => self.answer,
            Pane::Drawer => self.drawer,
        }
    }

    /// The same with one size changed, within the bounds of the pane.
    #[must_use]
    pub fn with(mut self, pane: Pane, size: u32) -> Self {
        let (low, high) = pane.bounds();
        let size = size.clamp(low, high);
        match pane {
            Pane::Inputs => self.inputs = size,
            Pane::Answer => self.answer = size,
            Pane::Drawer => self.drawer = size,
        }
        self
    }
}

impl Pane {
    pub const ALL: [Self; 3] = [Self::Inputs, Self::Answer, Self::Drawer];

    /// Least and greatest size.
    pub const fn bounds(self) -> (u32, u32) {
        match self {
            Self::Inputs => (260, 480),
            Self::Answer => (300, 640),
            Self::Drawer => (40, 640),
        }
    }

    /// The custom property of `tokens.css`.
    pub const fn property(self) -> &'static str {
        match self {
            Self::Inputs => "--column-inputs",
            Self::Answer => "--column-answer",
            Self::Drawer => "--drawer",
        }
    }
}

impl Preferences {
    /// As stored, else as the browser asks.
    pub fn load() -> Self {
        let browser = web_sys::window().and_then(|window| window.navigator().language());
        Self {
            language: LocalStorage::get(LANGUAGE)
                .unwrap_or_else(|_| Language::from_browser(&browser.unwrap_or_default())),
            theme: LocalStorage::get(THEME).unwrap_or_default(),
            sizes: LocalStorage::get(SIZES).unwrap_or_default(),
        }
    }

    /// Stores them; a browser that refuses loses only these choices.
    pub fn store(&self) {
        let stored = [
            LocalStorage::set(LANGUAGE, self.language),
            LocalStorage::set(THEME, self.theme),
            LocalStorage::set(SIZES, self.sizes),
        ];
        drop(stored);
    }

    /// Writes them to the root element: language, theme and sizes.
    pub fn show(&self) {
        let root = web_sys::window()
            .and_then(|window| window.document())
            .and_then(|document| document.document_element());
        let Some(root) = root else { return };
        let mut done = vec![root.set_attribute("lang", self.language.tag())];
        done.push(match self.theme {
            Theme::System => root.remove_attribute("data-theme"),
            Theme::Light => root.set_attribute("data-theme", "light"),
            Theme::Dark => root.set_attribute("data-theme", "dark"),
        });
        if let Some(root) = wasm_bindgen::JsCast::dyn_ref::<web_sys::HtmlElement>(&root) {
            for pane in Pane::ALL {
                let size = format!("{}px", self.sizes.of(pane));
                done.push(root.style().set_property(pane.property(), &size));
            }
        }
        debug_assert!(done.iter().all(Result::is_ok), "valid attribute names");
    }
}
