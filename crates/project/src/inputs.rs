//! From the document to what the planner asks for: names are looked up, configs are read.

use std::fmt;

use planner::answer::Inputs;
use planner::catalog;
use planner::explain::nearest;
use planner::model::{self, ConfigError, Model};

use crate::document::{Document, ModelSource};

impl Document {
    /// The inputs of the planner; an error names what the catalog or the reader refuses.
    pub fn inputs(&self) -> Result<Inputs, InputsError> {
        let model = self.read_model()?;
        if catalog::accelerator(&self.cluster.accelerator).is_none() {
            let known = catalog::accelerators().iter().map(|row| row.id);
            return Err(unknown(Named::Accelerator, &self.cluster.accelerator, known));
        }
        for platform in &self.price.platforms {
            if catalog::platform(platform).is_none() {
                let known = catalog::platforms().iter().map(|row| row.id);
                return Err(unknown(Named::Platform, platform, known));
            }
        }
        Ok(Inputs {
            model,
            job: self.job.clone(),
            cluster: self.cluster.clone(),
            pins: self.pins.clone(),
            price: self.price.clone(),
        })
    }

    fn read_model(&self) -> Result<Model, InputsError> {
        match &self.model {
            ModelSource::Preset(id) => model::preset(id).ok_or_else(|| {
                unknown(Named::Preset, id, model::presets().iter().map(|row| row.id))
            }),
            ModelSource::Config { name, text } => model::read_model(name, text)
                .map_err(|error| InputsError::Config { name: name.clone(), error }),
        }
    }
}

/// Why a document has no inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputsError {
    /// A name that the catalog does not have, and the one most like it.
    Unknown { what: Named, name: String, nearest: Option<&'static str> },
    /// The config.json of that name is refused.
    Config { name: String, error: ConfigError },
}

/// Tables of the catalog that a document names rows of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Preset,
    Accelerator,
    Platform,
}

impl Named {
    /// The field that holds the name.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Preset => "model.preset",
            Self::Accelerator => "cluster.accelerator",
            Self::Platform => "price.platforms",
        }
    }
}

impl InputsError {
    /// The field to look at.
    pub const fn field(&self) -> &'static str {
        match self {
            Self::Unknown { what, .. } => what.field(),
            Self::Config { .. } => "model.config",
        }
    }

    /// Message key.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Unknown { nearest: Some(_), .. } => "inputs-unknown-nearest",
            Self::Unknown { nearest: None, .. } => "inputs-unknown",
            Self::Config { error, .. } => error.key(),
        }
    }

    /// Arguments of the message; those of a config also hold the file's `name`.
    pub fn args(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Unknown { what, name, nearest } => {
                let mut args = vec![("field", what.field().to_owned()), ("name", name.clone())];
                args.extend(nearest.map(|nearest| ("nearest", nearest.to_owned())));
                args
            }
            Self::Config { name, error } => {
                let mut args = error.args();
                args.push(("name", name.clone()));
                args
            }
        }
    }
}

impl fmt::Display for InputsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { what, name, nearest } => {
                write!(f, "{}: {name} is not in the catalog", what.field())?;
                match nearest {
                    Some(nearest) => write!(f, "; did you mean {nearest}?"),
                    None => f.write_str("; take one of its ids"),
                }
            }
            Self::Config { name, error } => write!(f, "model.config: {name}: {error}"),
        }
    }
}

impl std::error::Error for InputsError {}

fn unknown(what: Named, name: &str, known: impl Iterator<Item = &'static str>) -> InputsError {
    InputsError::Unknown { what, name: name.to_owned(), nearest: nearest(name, known) }
}
