//! The languages and their bundled files.

use serde::{Deserialize, Serialize};
use unic_langid::LanguageIdentifier;

/// A language of the page. Both are complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    #[serde(rename = "en")]
    En,
    #[serde(rename = "zh-CN")]
    ZhCn,
}

impl Language {
    /// The tag for the `lang` attribute.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::ZhCn => "zh-CN",
        }
    }

    /// The best language for what a browser asks for, such as `zh-Hans-CN`.
    pub fn from_browser(tag: &str) -> Self {
        if tag.to_ascii_lowercase().starts_with("zh") { Self::ZhCn } else { Self::En }
    }

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::En => Self::ZhCn,
            Self::ZhCn => Self::En,
        }
    }

    pub(super) fn identifier(self) -> LanguageIdentifier {
        // Both tags are well formed; the default is the unknown language, which only turns
        // off plural forms.
        self.tag().parse().unwrap_or_default()
    }

    /// File name and content.
    pub(super) const fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::En => &[
                ("shell.ftl", include_str!("en/shell.ftl")),
                ("answer.ftl", include_str!("en/answer.ftl")),
                ("terms.ftl", include_str!("en/terms.ftl")),
                ("oom.ftl", include_str!("en/oom.ftl")),
            ],
            Self::ZhCn => &[
                ("shell.ftl", include_str!("zh-CN/shell.ftl")),
                ("answer.ftl", include_str!("zh-CN/answer.ftl")),
                ("terms.ftl", include_str!("zh-CN/terms.ftl")),
                ("oom.ftl", include_str!("zh-CN/oom.ftl")),
            ],
        }
    }
}
