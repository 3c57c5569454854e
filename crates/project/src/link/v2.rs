//! Version 2 of the link form: version 1, and what came after it. These types are frozen.

use planner::strategy::{Adapter, Job, Pins};
use serde::{Deserialize, Serialize};

use super::v1;
use crate::document::Document;
use crate::words::Word;

/// The bytes of a document.
pub(super) fn write(document: &Document) -> Vec<u8> {
    super::encode(&Link::of(document))
}

/// The document of the bytes; none if they are anything else.
pub(super) fn read(bytes: &[u8]) -> Option<Document> {
    super::decode::<Link>(bytes)?.document()
}

#[derive(Serialize, Deserialize)]
struct Link {
    first: v1::Link,
    adapter: LinkAdapter,
    activation_offload: Option<bool>,
}

#[derive(Serialize, Deserialize)]
struct LinkAdapter {
    rank: u32,
    base: u8,
    dora: bool,
}

impl Link {
    fn of(document: &Document) -> Self {
        let Adapter { rank, base, dora } = document.job.adapter;
        Self {
            first: v1::Link::of(document),
            adapter: LinkAdapter { rank, base: base.code(), dora },
            activation_offload: document.pins.activation_offload,
        }
    }

    fn document(self) -> Option<Document> {
        let document = self.first.document()?;
        let LinkAdapter { rank, base, dora } = self.adapter;
        let adapter = Adapter { rank, base: Word::from_code(base)?, dora };
        let activation_offload = self.activation_offload;
        Some(Document {
            job: Job { adapter, ..document.job },
            pins: Pins { activation_offload, ..document.pins },
            ..document
        })
    }
}
