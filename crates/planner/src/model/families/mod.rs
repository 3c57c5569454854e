//! What each `model_type` of the Hugging Face library means: structure and the defaults of
//! fields that a file does not state.
//!
//! Source of every row: `models/NAME/configuration_NAME.py` and `modeling_NAME.py` of the
//! transformers 5.24 package. Rows marked "recalled" belong to code that lives beside the
//! weights; their structure is checked by the presets of `data/catalog/models.toml`.

mod dense;
mod lookup;
mod sparse;

pub(super) use lookup::{family, supported};
