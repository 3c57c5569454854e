//! What each `model_type` of the Hugging Face library means: structure and the defaults of
//! fields that a file does not state. A family is one row of one of these files.
//!
//! Source of every row but those of `recalled`: `models/NAME/configuration_NAME.py` and
//! `modeling_NAME.py` of the transformers 5.24 package; `tests/samples/library` holds counts of
//! its own classes for them.

mod bases;
mod gpt_like;
mod latent;
mod llama_like;
mod lookup;
mod recalled;
mod sparse;

pub(super) use lookup::{family, is_recalled, names, nested_type};
