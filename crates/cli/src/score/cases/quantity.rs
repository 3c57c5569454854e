//! The name of a quantity, taken apart: `gpu_peak_ratio sel/none`, `verdict@80GB card`,
//! `state_gb_per_gpu`, `valid_tp<=8`, `usd_h cpu`.

use planner::units::Bytes;

/// A quantity as a check names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    /// Without variants, context, unit and scope.
    pub(super) name: String,
    /// GiB or GB, where the name ends in one.
    pub(super) unit: Option<Unit>,
    pub(super) scope: Scope,
    /// The name says that it is of one GPU.
    pub(super) per_gpu: bool,
    pub(super) compared: Compared,
    /// After `@`: what is different from the situation.
    pub(super) context: Option<String>,
    /// After `<=`: where a list ends.
    pub(super) limit: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Gib,
    Gb,
}

/// Whose amount it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    PerGpu,
    Total,
    Stage(u32),
}

/// What follows the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Compared {
    Nothing,
    /// `a/b`: the quantity of one variant over that of another.
    Ratio(String, String),
    /// One word: an item, a source or an order.
    Word(String),
}

impl Unit {
    pub(super) const fn of(self, bytes: Bytes) -> f64 {
        match self {
            Self::Gib => bytes.as_gib(),
            Self::Gb => bytes.as_gb(),
        }
    }
}

impl Quantity {
    pub(super) fn parse(text: &str) -> Self {
        let (text, context) = match text.split_once('@') {
            Some((name, context)) => (name, Some(context.trim().to_owned())),
            None => (text, None),
        };
        let (text, limit) = match text.split_once("<=") {
            Some((name, limit)) => (name, limit.trim().parse().ok()),
            None => (text, None),
        };
        let (name, compared) = match text.trim().split_once(' ') {
            None => (text.trim(), Compared::Nothing),
            Some((name, rest)) => match rest.split_once('/') {
                Some((left, right)) => {
                    (name, Compared::Ratio(left.trim().to_owned(), right.trim().to_owned()))
                }
                None => (name, Compared::Word(rest.trim().to_owned())),
            },
        };
        let per_gpu = name.ends_with("_per_gpu");
        let (name, scope) = scoped(name);
        let (name, unit) = match (name.strip_suffix("_gib"), name.strip_suffix("_gb")) {
            (Some(name), _) => (name, Some(Unit::Gib)),
            (_, Some(name)) => (name, Some(Unit::Gb)),
            _ => (name, None),
        };
        // The unit can also stand inside: kv_gib_needed.
        let (name, unit) = match unit {
            Some(_) => (name.to_owned(), unit),
            None if name.contains("_gib_") => (name.replace("_gib_", "_"), Some(Unit::Gib)),
            // A rate in GB/s is no amount.
            None if name.contains("_gb_s") => (name.to_owned(), None),
            None if name.contains("_gb_") => (name.replace("_gb_", "_"), Some(Unit::Gb)),
            None => (name.to_owned(), None),
        };
        Self { name, unit, scope, per_gpu, compared, context, limit }
    }
}

fn scoped(name: &str) -> (&str, Scope) {
    if let Some(name) = name.strip_suffix("_total") {
        return (name, Scope::Total);
    }
    if let Some((name, stage)) = name.rsplit_once("_stage")
        && let Ok(stage) = stage.parse()
    {
        return (name, Scope::Stage(stage));
    }
    (name.strip_suffix("_per_gpu").unwrap_or(name), Scope::PerGpu)
}
