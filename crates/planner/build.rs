//! Turns `data/` into static tables. A bad row fails the build and names itself.

#[path = "build/catalog.rs"]
mod catalog;
#[path = "build/models.rs"]
mod models;
#[path = "build/rules.rs"]
mod rules;

fn main() {
    catalog::generate();
    models::generate();
    rules::generate();
}
