//! The link form: round trips, old links, and what is said about bad ones.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;

use super::{LinkError, URL_SAFE_NO_PAD, from_fragment, to_fragment};
use crate::arbitrary;
use crate::document::Document;
use crate::file::{from_yaml, to_yaml};
use base64::Engine;
use miniz_oxide::deflate::compress_to_vec;

proptest! {
    #[test]
    fn every_document_survives_its_link(document in arbitrary::document()) {
        let fragment = to_fragment(&document);
        prop_assert_eq!(from_fragment(&fragment), Ok(document.clone()));
        prop_assert_eq!(from_fragment(&format!("#{fragment}\n")), Ok(document));
    }

    #[test]
    fn no_text_breaks_the_reader(text in "(v[12]\\.)?[A-Za-z0-9_-]{0,200}") {
        let _ = from_fragment(&text);
    }

    #[test]
    fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let packed = URL_SAFE_NO_PAD.encode(compress_to_vec(&bytes, 1));
        let _ = from_fragment(&format!("v1.{packed}"));
        let _ = from_fragment(&format!("v2.{packed}"));
    }
}

#[test]
fn links_of_presets_are_short() {
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for entry in fs::read_dir(examples).unwrap() {
        let document = from_yaml(&fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap();
        let length = to_fragment(&document).len();
        assert!(length <= 2_000, "{length}");
    }
}

/// Each line of `golden/VERSION.links` opens; its document is in the file of the same number.
#[test]
fn links_of_old_versions_open() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/link/golden");
    for version in ["v1", "v2"] {
        let links = fs::read_to_string(folder.join(format!("{version}.links"))).unwrap();
        assert!(links.lines().count() >= 2);
        for (number, link) in links.lines().enumerate() {
            let now = folder.join(format!("{version}.{number}.now"));
            let document = from_fragment(link).unwrap();
            assert_eq!(to_yaml(&document), fs::read_to_string(now).unwrap());
            // Nothing but the version that holds it is needed to say the same again.
            assert_eq!(to_fragment(&document)[..3], link[..3]);
        }
    }
}

#[test]
fn bad_links_are_refused() {
    let good = to_fragment(&Document::example());
    let cut = &good[..good.len() - 9];
    let bomb = URL_SAFE_NO_PAD.encode(compress_to_vec(&vec![0; 50 << 20], 6));
    for (fragment, key) in [
        ("", "link-not-a-link"),
        ("section-2", "link-not-a-link"),
        ("v3.abc", "link-version"),
        ("v2.", "link-damaged"),
        ("v1.", "link-damaged"),
        ("v1.%%%", "link-damaged"),
        (cut, "link-damaged"),
        (&format!("v1.{bomb}"), "link-too-large"),
        (&"v".repeat(1 << 20), "link-too-large"),
    ] {
        let shown: String = fragment.chars().take(20).collect();
        assert_eq!(from_fragment(fragment).unwrap_err().key(), key, "{shown}");
    }
    let mut wrong = Document::example();
    wrong.cluster.nodes = 0;
    let error = from_fragment(&to_fragment(&wrong)).unwrap_err();
    assert!(matches!(error, LinkError::OutOfBounds(_)), "{error}");
}
