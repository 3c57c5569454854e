//! Files in and out: read one that the reader gave, offer one for download.

use js_sys::{Array, Uint8Array};
use project::FILE_BYTES;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, BlobPropertyBag, File, HtmlAnchorElement, Url};
use yew::Callback;

use crate::engine::Failure;

/// Reads a text file and passes its name and text on. Too large ones are refused unread.
pub(crate) fn read(file: File, on_file: Callback<(String, String)>, on_failure: Callback<Failure>) {
    let name = file.name();
    #[expect(clippy::cast_precision_loss, reason = "a limit of a few hundred KiB")]
    let limit = FILE_BYTES as f64;
    if file.size() > limit {
        on_failure.emit(Failure::with(
            "file-too-large",
            [
                ("line", "0".to_owned()),
                ("path", name),
                ("bytes", file.size().to_string()),
                ("limit", FILE_BYTES.to_string()),
            ],
        ));
        return;
    }
    spawn_local(async move {
        match JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string()) {
            Some(text) => on_file.emit((name, text)),
            None => on_failure.emit(Failure::with("file-unreadable", [("path", name)])),
        }
    });
}

/// Offers bytes as a file with this name. False when the browser refuses.
pub(crate) fn download(name: &str, kind: &str, bytes: &[u8]) -> bool {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = Array::of1(&Uint8Array::from(bytes));
    let Ok(blob) = Blob::new_with_u8_array_sequence_and_options(&parts, &options) else {
        return false;
    };
    let Ok(url) = Url::create_object_url_with_blob(&blob) else { return false };
    let link = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.create_element("a").ok())
        .and_then(|element| element.dyn_into::<HtmlAnchorElement>().ok());
    let Some(link) = link else { return false };
    link.set_href(&url);
    link.set_download(name);
    link.click();
    // The click has started the download; the address is no longer needed after it.
    gloo_timers::callback::Timeout::new(60_000, move || {
        drop(Url::revoke_object_url(&url));
    })
    .forget();
    true
}

/// Puts text on the clipboard; `done` says whether it worked.
pub(crate) fn copy(text: &str, done: Callback<bool>) {
    let Some(window) = web_sys::window() else {
        done.emit(false);
        return;
    };
    let promise = window.navigator().clipboard().write_text(text);
    spawn_local(async move { done.emit(JsFuture::from(promise).await.is_ok()) });
}
