//! The share link: inputs only, in the fragment of the page's address, so that nothing is
//! uploaded. `v1.` or `v2.` and then base64url of deflated postcard of the types of that version.
//!
//! Links of every version that was ever released must open for ever.

mod v1;
mod v2;

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::document::Document;
use crate::limits::{self, Problem};

/// Above this many characters a file should be offered instead (UX.md 7).
pub const LONG_FRAGMENT: usize = 8_000;

/// The fragment of a document, without `#`.
pub fn to_fragment(document: &Document) -> String {
    let (version, plain) =
        if v1::holds(document) { (V1, v1::write(document)) } else { (V2, v2::write(document)) };
    format!("{version}{}", URL_SAFE_NO_PAD.encode(compress_to_vec(&plain, LEVEL)))
}

/// The bytes of a version's types.
fn encode(link: &impl Serialize) -> Vec<u8> {
    let bytes = postcard::to_allocvec(link);
    debug_assert!(bytes.is_ok(), "plain structs serialize");
    bytes.unwrap_or_default()
}

/// None for bytes of other types, and where some are left over.
fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    match postcard::take_from_bytes(bytes) {
        Ok((link, [])) => Some(link),
        Ok(_) | Err(_) => None,
    }
}

/// Reads a fragment of any version, with or without `#`.
pub fn from_fragment(fragment: &str) -> Result<Document, LinkError> {
    let fragment = fragment.trim();
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    if fragment.len() > FRAGMENT_BYTES {
        return Err(LinkError::TooLarge { limit: FRAGMENT_BYTES });
    }
    let first = fragment.strip_prefix(V1).map(|body| (body, v1::read as Reader));
    let second = || fragment.strip_prefix(V2).map(|body| (body, v2::read as Reader));
    let Some((body, read)) = first.or_else(second) else {
        return Err(unknown_version(fragment));
    };
    let packed = URL_SAFE_NO_PAD.decode(body).map_err(|_| LinkError::Damaged)?;
    let plain =
        decompress_to_vec_with_limit(&packed, PLAIN_BYTES).map_err(|error| match error.status {
            miniz_oxide::inflate::TINFLStatus::HasMoreOutput => {
                LinkError::TooLarge { limit: PLAIN_BYTES }
            }
            _ => LinkError::Damaged,
        })?;
    let document = read(&plain).ok_or(LinkError::Damaged)?;
    match limits::check(&document).into_iter().next() {
        None => Ok(document),
        Some(problem) => Err(LinkError::OutOfBounds(problem)),
    }
}

/// Why a link does not open.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkError {
    /// Not a fragment that this program makes.
    NotALink,
    /// Made by a newer Meshwright.
    Version {
        found: String,
    },
    /// Cut off or changed on its way.
    Damaged,
    TooLarge {
        limit: usize,
    },
    OutOfBounds(Problem),
}

impl LinkError {
    /// Message key.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::NotALink => "link-not-a-link",
            Self::Version { .. } => "link-version",
            Self::Damaged => "link-damaged",
            Self::TooLarge { .. } => "link-too-large",
            Self::OutOfBounds(problem) => problem.key(),
        }
    }

    /// Arguments of the message.
    pub fn args(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::NotALink | Self::Damaged => Vec::new(),
            Self::Version { found } => vec![("found", found.clone())],
            Self::TooLarge { limit } => vec![("limit", limit.to_string())],
            Self::OutOfBounds(problem) => problem.args(),
        }
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotALink => f.write_str("not a link of Meshwright; it begins with v1. or v2."),
            Self::Version { found } => {
                write!(f, "link version {found} is not known; open it with a newer Meshwright")
            }
            Self::Damaged => f.write_str("the link is damaged; copy it again, whole"),
            Self::TooLarge { limit } => write!(f, "the link holds more than {limit} bytes"),
            Self::OutOfBounds(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for LinkError {}

const V1: &str = "v1.";
const V2: &str = "v2.";

/// The document of the inflated bytes of one version.
type Reader = fn(&[u8]) -> Option<Document>;

/// Best compression; a document is small.
const LEVEL: u8 = 10;

/// Longest fragment that is read.
const FRAGMENT_BYTES: usize = 1 << 19;

/// Most bytes that a fragment may inflate to: the longest config and its company.
const PLAIN_BYTES: usize = limits::CONFIG_BYTES + (64 << 10);

/// `v` and digits before a dot is a later version; anything else is no link.
fn unknown_version(fragment: &str) -> LinkError {
    let version = fragment.split_once('.').and_then(|(head, _)| head.strip_prefix('v'));
    match version {
        Some(digits) if (1..=4).contains(&digits.len()) && digits.parse::<u32>().is_ok() => {
            LinkError::Version { found: digits.to_owned() }
        }
        _ => LinkError::NotALink,
    }
}

#[cfg(test)]
mod tests;
