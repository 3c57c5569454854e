//! The model reader on arbitrary texts: no panic, no hang, no absurd count.
//!
//! `cargo +nightly fuzz run model tests/samples/hf_configs` from the root of the repository.
#![no_main]

use libfuzzer_sys::fuzz_target;
use planner::model::{KvFormat, outline, read_model};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(model) = read_model("fuzz", text) {
        assert!(model.counts.total <= 1_000_000_000_000_000);
        assert!(model.counts.active_all <= model.counts.total);
        assert!(model.kv_bytes_per_token(KvFormat::Auto).base().is_finite());
    }
    if let Ok(outline) = outline(text) {
        let _bytes = outline.kv_bytes_per_token(KvFormat::Auto);
    }
});
