//! Tests of the crate as a whole.

#[expect(clippy::unwrap_used, reason = "a test that cannot read its sources must fail")]
mod tidy;
