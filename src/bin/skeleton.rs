//! Writes the worked example, computed and drawn natively, to standard output: one frame for
//! each language. Built with the feature `ssr` by `./dev build`.

use std::rc::Rc;

use meshwright::text::Language;
use meshwright::ui::{Skeleton, SkeletonProps};
use project::Document;

fn main() -> Result<(), String> {
    let document = Document::example();
    let inputs = document.inputs().map_err(|error| error.to_string())?;
    let answer = Rc::new(planner::answer::solve(&inputs));
    let document = Rc::new(document);
    let runtime =
        tokio::runtime::Builder::new_current_thread().build().map_err(|error| error.to_string())?;
    let mut html = String::new();
    for language in [Language::En, Language::ZhCn] {
        let props =
            SkeletonProps { language, document: Rc::clone(&document), answer: Rc::clone(&answer) };
        let renderer = yew::LocalServerRenderer::<Skeleton>::with_props(props).hydratable(false);
        html.push_str(&tokio::task::LocalSet::new().block_on(&runtime, renderer.render()));
    }
    std::io::Write::write_all(&mut std::io::stdout(), html.as_bytes())
        .map_err(|error| error.to_string())
}
