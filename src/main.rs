//! Mounts the page in `#app`, under the static example that the build put before it.

use meshwright::ui::{App, guard};

fn main() {
    guard();
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("app"));
    if let Some(root) = root {
        yew::Renderer::<App>::with_root(root).render();
    }
}
