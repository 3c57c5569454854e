//! Where the document waits for the next visit: IndexedDB, else localStorage.
//!
//! Stored is the link form of the document, which opens for ever. One `put` is one transaction.

use gloo_storage::{LocalStorage, Storage};
use idb::{Database, DatabaseEvent, Factory, ObjectStoreParams, Query, TransactionMode};
use project::Document;
use wasm_bindgen::JsValue;

const DATABASE: &str = "meshwright";
const STORE: &str = "documents";
const CURRENT: &str = "current";
/// In localStorage, when there is no database.
const FALLBACK: &str = "meshwright.document";
/// In localStorage, written when the page crashes.
const RESCUE: &str = "meshwright.rescue";
/// In localStorage: the reader has a project of his own.
const OWN: &str = "meshwright.own";
/// In localStorage: the project from before a link was opened.
const PREVIOUS: &str = "meshwright.previous";

/// Neither place took the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageError;

/// Keeps the document.
pub async fn save(document: &Document) -> Result<(), StorageError> {
    let text = project::to_fragment(document);
    if put(&text).await.is_ok() {
        // One place only, so that an old copy cannot come back.
        LocalStorage::delete(FALLBACK);
        mark_own();
        return Ok(());
    }
    LocalStorage::set(FALLBACK, text).map_err(|_| StorageError)
}

/// Tells `early.js` of the next visit that the static example is not this reader's project.
fn mark_own() {
    // Without the mark the example is seen for a moment, no more.
    drop(LocalStorage::set(OWN, true));
}

/// The document of the last visit, when there is one that can be read.
pub async fn load() -> Option<Document> {
    let fallback: Option<String> = LocalStorage::get(FALLBACK).ok();
    let text = match fallback {
        Some(text) => text,
        None => get().await.ok().flatten()?,
    };
    project::from_fragment(&text).ok()
}

/// Keeps the document at once, for a page that is about to stop.
pub fn rescue(document: &Document) {
    // A page that stops can do no more than try.
    drop(LocalStorage::set(RESCUE, project::to_fragment(document)));
}

/// Takes out what [`rescue`] kept.
pub fn recover() -> Option<Document> {
    let text: String = LocalStorage::get(RESCUE).ok()?;
    LocalStorage::delete(RESCUE);
    project::from_fragment(&text).ok()
}

/// Keeps the project that a link is about to replace.
pub fn keep_previous(document: &Document) {
    // Undo still has it when the browser refuses.
    drop(LocalStorage::set(PREVIOUS, project::to_fragment(document)));
}

/// The project from before the last link, while there is one.
pub fn previous() -> Option<Document> {
    // The static page is drawn where there is no browser.
    if cfg!(not(target_arch = "wasm32")) {
        return None;
    }
    let text: String = LocalStorage::get(PREVIOUS).ok()?;
    project::from_fragment(&text).ok()
}

async fn put(text: &str) -> Result<(), idb::Error> {
    let database = open().await?;
    let transaction = database.transaction(&[STORE], TransactionMode::ReadWrite)?;
    let store = transaction.object_store(STORE)?;
    store.put(&JsValue::from_str(text), Some(&JsValue::from_str(CURRENT)))?;
    transaction.commit()?.await?;
    database.close();
    Ok(())
}

async fn get() -> Result<Option<String>, idb::Error> {
    let database = open().await?;
    let transaction = database.transaction(&[STORE], TransactionMode::ReadOnly)?;
    let store = transaction.object_store(STORE)?;
    let value = store.get(Query::Key(JsValue::from_str(CURRENT)))?.await?;
    database.close();
    Ok(value.and_then(|value| value.as_string()))
}

async fn open() -> Result<Database, idb::Error> {
    let mut request = Factory::new()?.open(DATABASE, Some(1))?;
    request.on_upgrade_needed(|event| {
        if let Ok(database) = event.database() {
            // A failure shows itself when the store is opened.
            drop(database.create_object_store(STORE, ObjectStoreParams::new()));
        }
    });
    request.await
}
