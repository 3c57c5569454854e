//! Mounts the page in `#app`, over the static example that the build put there.

use meshwright::ui::{App, guard};

fn main() {
    guard();
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("app"));
    if let Some(root) = root {
        root.set_inner_html("");
        yew::Renderer::<App>::with_root(root).render();
    }
}
