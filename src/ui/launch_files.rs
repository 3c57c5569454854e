//! The drawer's last tab: files for each launcher, with preview, copy and download.

use std::io::{Cursor, Write};
use std::rc::Rc;

use planner::answer::Answer;
use project::Document;
use yew::{
    AttrValue, Callback, Html, MouseEvent, Properties, component, html, use_context,
    use_effect_with, use_state,
};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::answer::finding;
use super::fields::Select;
use super::files;
use super::icons::{Icon, icon};
use super::notice::sentence;
use crate::engine::{Engine, Failure, LaunchFile, LaunchTarget, Reply, Request};
use crate::text::Text;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct LaunchFilesProps {
    pub document: Rc<Document>,
    /// New files are written when the answer changes.
    pub answer: Rc<Answer>,
    pub engine: Engine,
}

#[component]
pub(crate) fn LaunchFiles(props: &LaunchFilesProps) -> Html {
    let text = use_context::<Text>();
    let result = use_state(|| None::<Result<Vec<LaunchTarget>, Failure>>);
    let chosen = use_state(|| (0_usize, 0_usize));
    {
        let result = result.clone();
        let (document, engine) = (Rc::clone(&props.document), props.engine.clone());
        use_effect_with(Rc::clone(&props.answer), move |_| {
            let reply = Callback::from(move |reply| match reply {
                Ok(Reply::Exported(targets)) => result.set(Some(Ok(targets))),
                Ok(_) => {}
                Err(failure) => result.set(Some(Err(failure))),
            });
            engine.ask(Request::Export(Box::new((*document).clone())), reply);
        });
    }
    let Some(text) = text else { return Html::default() };
    let targets = match &*result {
        None => return html! { <p class="tab-empty">{ text.get("launch-writing") }</p> },
        Some(Err(failure)) => {
            return html! { <p class="tab-empty" role="alert">{ sentence(&text, failure) }</p> };
        }
        Some(Ok(targets)) => targets,
    };
    let (target_at, file_at) = *chosen;
    let Some(target) = targets.get(target_at).or_else(|| targets.first()) else {
        return html! { <p class="tab-empty">{ text.get("launch-none") }</p> };
    };
    let names: Vec<AttrValue> = targets.iter().map(|t| target_name(&text, t)).collect();
    let choose_target = {
        let chosen = chosen.clone();
        Callback::from(move |index: usize| chosen.set((index, 0)))
    };
    let choose_file = Callback::from(move |index: usize| chosen.set((target_at, index)));
    html! {
        <div class="launch">
            <div class="launch-side">
                <Select
                    id="launch-target"
                    label={AttrValue::from(text.get("launch-target"))}
                    value={target_at}
                    choices={names}
                    on_choose={choose_target}
                />
                { side(&text, target, file_at, &choose_file) }
            </div>
            { preview(&text, target.files.get(file_at)) }
        </div>
    }
}

fn target_name(text: &Text, target: &LaunchTarget) -> AttrValue {
    let name = text.get(&format!("target-{}", target.id));
    if target.refusal.is_some() {
        text.with("launch-cannot", &[("name", name)]).into()
    } else {
        name.into()
    }
}

fn side(text: &Text, target: &LaunchTarget, file_at: usize, choose: &Callback<usize>) -> Html {
    let zip = {
        let (id, files) = (target.id.clone(), target.files.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(bytes) = packed(&files) {
                files::download(&format!("meshwright-{id}.zip"), "application/zip", &bytes);
            }
        })
    };
    html! {
        <>
            <p class="hint">{ &target.version }</p>
            if let Some(refusal) = &target.refusal {
                <p class="refusal" role="alert">{ sentence(text, refusal) }</p>
            }
            <ul class="file-list" aria-label={AttrValue::from(text.get("launch-files"))}>
                { for target.files.iter().enumerate().map(|(index, file)| {
                    let choose = choose.clone();
                    html! {
                        <li key={file.name.clone()}>
                            <button
                                type="button"
                                class="file"
                                aria-current={(index == file_at).then_some("true")}
                                onclick={Callback::from(move |_: MouseEvent| choose.emit(index))}
                            >
                                { &file.name }
                            </button>
                        </li>
                    }
                }) }
            </ul>
            if !target.files.is_empty() {
                <button type="button" class="secondary" onclick={zip}>
                    { icon(Icon::Download) }{ text.get("launch-zip") }
                </button>
            }
            { for target.findings.iter().map(|each| finding(each, text)) }
        </>
    }
}

fn preview(text: &Text, file: Option<&LaunchFile>) -> Html {
    let Some(file) = file else { return html! { <div class="preview" /> } };
    let copy = {
        let words = file.text.clone();
        Callback::from(move |_: MouseEvent| files::copy(&words, Callback::noop()))
    };
    let save = {
        let file = file.clone();
        Callback::from(move |_: MouseEvent| {
            // Only the last part: the folder is for the archive.
            let name = file.name.rsplit('/').next().unwrap_or(&file.name);
            files::download(name, "text/plain", file.text.as_bytes());
        })
    };
    html! {
        <div class="preview">
            <div class="preview-head">
                <h3>{ &file.name }</h3>
                <button type="button" class="secondary" onclick={copy}>
                    { icon(Icon::Copy) }{ text.get("copy") }
                </button>
                <button type="button" class="secondary" onclick={save}>
                    { icon(Icon::Download) }{ text.get("download") }
                </button>
            </div>
            <pre tabindex="0" role="region" aria-label={file.name.clone()}>{ &file.text }</pre>
        </div>
    }
}

/// All files in one archive, stored without compression.
fn packed(files: &[LaunchFile]) -> Option<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        let mode = if file.name.ends_with(".sh") { 0o755 } else { 0o644 };
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .unix_permissions(mode);
        writer.start_file(file.name.as_str(), options).ok()?;
        writer.write_all(file.text.as_bytes()).ok()?;
    }
    Some(writer.finish().ok()?.into_inner())
}
