//! `meshwright`: the engine without a page.
fn main() {}
