//! The input of one situation: named values, read by type, with a record of what was read.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::super::row::Inexpressible;

/// Other names of a field, as launchers and issues write them.
const ALIASES: [(&str, &str); 28] = [
    ("attn", "attention"),
    ("batch", "micro_batch"),
    ("batch_per_gpu", "micro_batch"),
    ("batch_size", "micro_batch"),
    ("context", "seq"),
    ("cutoff", "seq"),
    ("cutoff_len", "seq"),
    ("gbs", "global_batch"),
    ("gradient_accumulation", "grad_accum"),
    ("gradient_checkpointing", "grad_ckpt"),
    ("cpu_ram_gb", "host_ram_gb"),
    ("hidden_size", "hidden"),
    ("host_memory_gb", "host_ram_gb"),
    ("intermediate", "ffn"),
    ("local_batch", "micro_batch"),
    ("max_model_len", "max_len"),
    ("mbs", "micro_batch"),
    ("n_gpus", "gpus"),
    ("num_layers", "layers"),
    ("optim", "optimizer"),
    ("rank", "lora_rank"),
    ("seq_len", "seq"),
    ("sp", "sequence_parallel"),
    ("sharding", "fsdp"),
    ("task", "job"),
    ("vocab_size", "vocab"),
    ("world", "gpus"),
    ("zero_stage", "zero"),
];

/// The values of one variant of a case. Copies share the record.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    values: Map<String, Value>,
    /// Names that anything asked for.
    read: Rc<RefCell<BTreeSet<String>>>,
    /// What was not stated and the value taken.
    assumed: Rc<RefCell<BTreeSet<String>>>,
}

impl Fields {
    pub(super) fn new(values: Map<String, Value>) -> Self {
        Self { values, read: Rc::default(), assumed: Rc::default() }
    }

    /// The value of a field, if it is stated under its name or another one.
    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        let also = ALIASES.iter().filter(|(_, usual)| *usual == name).map(|(also, _)| *also);
        std::iter::once(name).chain(also).find_map(|name| {
            self.read.borrow_mut().insert(name.to_owned());
            self.values.get(name).filter(|value| !value.is_null())
        })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, Inexpressible> {
        let Some(value) = self.value(name) else { return Ok(None) };
        value
            .as_f64()
            .filter(|number| number.is_finite())
            .map(Some)
            .ok_or_else(|| Inexpressible(format!("{name} is {value}, not a number")))
    }

    /// A number that must be stated.
    pub(super) fn needed(&self, name: &str) -> Result<f64, Inexpressible> {
        self.number(name)?.ok_or_else(|| Inexpressible(format!("{name} is not stated")))
    }

    /// A whole number from 0 to 1e9.
    pub(super) fn whole(&self, name: &str) -> Result<Option<u32>, Inexpressible> {
        self.number(name)?
            .map(|number| whole(number).ok_or_else(|| not_whole(name, number)))
            .transpose()
    }

    /// A degree: a whole number from 1, or what is taken when nothing is stated.
    pub(super) fn degree(&self, name: &str, default: u32) -> Result<u32, Inexpressible> {
        match self.whole(name)? {
            Some(0) => Err(not_whole(name, 0.0)),
            Some(value) => Ok(value),
            None => Ok(default),
        }
    }

    pub(super) fn word(&self, name: &str) -> Result<Option<&str>, Inexpressible> {
        let Some(value) = self.value(name) else { return Ok(None) };
        value
            .as_str()
            .map(|word| Some(word.trim()))
            .ok_or_else(|| Inexpressible(format!("{name} is {value}, not a word")))
    }

    /// A stage or degree that may stand in a word: 3, `z3`, `stage3`.
    pub(super) fn stage(&self, name: &str) -> Result<Option<u32>, Inexpressible> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let Some(word) = value.as_str() else { return self.whole(name) };
        let digits: String = word.chars().filter(char::is_ascii_digit).collect();
        match (digits.parse(), word) {
            (Ok(stage), _) => Ok(Some(stage)),
            (_, "none" | "off" | "ddp") => Ok(Some(0)),
            _ => Err(Inexpressible(format!("{name} is {value}, not a stage"))),
        }
    }

    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, Inexpressible> {
        let Some(value) = self.value(name) else { return Ok(None) };
        match (value.as_bool(), value.as_str()) {
            (Some(flag), _) => Ok(Some(flag)),
            (None, Some("on" | "yes" | "true")) => Ok(Some(true)),
            (None, Some("off" | "no" | "false")) => Ok(Some(false)),
            _ => Err(Inexpressible(format!("{name} is {value}, not true or false"))),
        }
    }

    /// Whole numbers of a list.
    pub(super) fn list(&self, name: &str) -> Result<Option<Vec<u32>>, Inexpressible> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let items = value.as_array().map(|items| {
            items.iter().map(|item| item.as_f64().and_then(whole)).collect::<Option<Vec<u32>>>()
        });
        match items.flatten() {
            Some(items) => Ok(Some(items)),
            None => Err(Inexpressible(format!("{name} is {value}, not a list of whole numbers"))),
        }
    }

    /// Names of all stated fields.
    pub(super) fn names(&self) -> Vec<String> {
        self.values.keys().cloned().collect()
    }

    /// The fields inside of a field that is an object.
    pub(super) fn inside(&self, name: &str) -> Option<Self> {
        let values = self.value(name)?.as_object()?.clone();
        Some(Self { values, read: Rc::default(), assumed: Rc::clone(&self.assumed) })
    }

    /// Notes a default that was taken.
    pub(super) fn assume(&self, what: impl Into<String>) {
        self.assumed.borrow_mut().insert(what.into());
    }

    pub(super) fn assumed(&self) -> BTreeSet<String> {
        self.assumed.borrow().clone()
    }

    /// Names that are stated and that nothing asked for.
    pub(super) fn unread(&self) -> Vec<String> {
        let read = self.read.borrow();
        self.values.keys().filter(|name| !read.contains(*name)).cloned().collect()
    }

    /// The same situation with one field changed.
    pub(super) fn with(&self, name: &str, value: Value) -> Self {
        let mut changed = self.clone();
        changed.values.insert(name.to_owned(), value);
        changed
    }
}

/// A whole number that fits; none for fractions and what is out of range.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is checked first"
)]
pub(super) fn whole(number: f64) -> Option<u32> {
    const MOST: f64 = 1e9;
    ((0.0..=MOST).contains(&number) && number.fract() == 0.0).then_some(number as u32)
}

fn not_whole(name: &str, number: f64) -> Inexpressible {
    Inexpressible(format!("{name} is {number}, not a whole number from 1 to 1e9"))
}
