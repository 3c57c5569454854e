//! The engine's worker: all computing, parsing and exporting, away from the page's thread.

fn main() {
    meshwright::engine::serve();
}
