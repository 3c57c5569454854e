//! The bounds of every input, in one table, so that all messages about them read alike.
//!
//! A document that passes [`check`] cannot overflow the planner: GPUs, sequences and tokens
//! stay far inside `u32`, `u64` and the whole numbers of `f64`.

use std::fmt;

use crate::document::{Document, ModelSource};

/// A value outside its bounds. `field` is the path of the file form, such as `cluster.nodes`.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub field: &'static str,
    pub value: String,
    pub limits: Limits,
}

/// What a field accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limits {
    /// A number from `low` to `high`, both included.
    Numbers { low: f64, high: f64 },
    /// A text of so many characters.
    Characters { low: usize, high: usize },
    /// A list of at most `high` entries.
    Entries { high: usize },
    /// Lower-case letters, digits, `.`, `-` and `_`.
    Id,
    /// No control characters.
    Printable,
}

impl Problem {
    /// Message key.
    pub const fn key(&self) -> &'static str {
        match self.limits {
            Limits::Numbers { .. } => "problem-numbers",
            Limits::Characters { .. } => "problem-characters",
            Limits::Entries { .. } => "problem-entries",
            Limits::Id => "problem-id",
            Limits::Printable => "problem-printable",
        }
    }

    /// Arguments of the message.
    pub fn args(&self) -> Vec<(&'static str, String)> {
        let mut args = vec![("field", self.field.to_owned()), ("value", self.value.clone())];
        match self.limits {
            Limits::Numbers { low, high } => {
                args.extend([("low", low.to_string()), ("high", high.to_string())]);
            }
            Limits::Characters { low, high } => {
                args.extend([("low", low.to_string()), ("high", high.to_string())]);
            }
            Limits::Entries { high } => args.push(("high", high.to_string())),
            Limits::Id | Limits::Printable => {}
        }
        args
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}; use {}", self.field, self.value, self.limits)
    }
}

impl std::error::Error for Problem {}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers { low, high } => write!(f, "a number from {low} to {high}"),
            Self::Characters { low, high } => write!(f, "{low} to {high} characters"),
            Self::Entries { high } => write!(f, "at most {high} entries"),
            Self::Id => f.write_str("lower-case letters, digits, dots, dashes and underscores"),
            Self::Printable => f.write_str("text without control characters"),
        }
    }
}

/// The bounds of a numeric field; none for a field that is not a bounded number.
pub fn numbers(field: &str) -> Option<(f64, f64)> {
    NUMBERS.iter().find(|row| row.0 == field).map(|row| (row.1, row.2))
}

/// All values outside their bounds, in the order of the file form.
pub fn check(document: &Document) -> Vec<Problem> {
    let mut problems = Vec::new();
    text(&mut problems, "name", &document.name, TITLE);
    check_model(&mut problems, &document.model);
    check_job(&mut problems, document);
    check_cluster(&mut problems, document);
    check_pins(&mut problems, document);
    check_price(&mut problems, document);
    problems
}

/// Longest config.json, in bytes; the longest known is under 100 KiB.
pub const CONFIG_BYTES: usize = 256 << 10;

const TITLE: TextRule = TextRule { low: 0, high: 200, letters: Limits::Printable };
const FILE_NAME: TextRule = TextRule { low: 1, high: 200, letters: Limits::Printable };
const ID: TextRule = TextRule { low: 1, high: 64, letters: Limits::Id };
const PLATFORMS: usize = 64;

/// Field, lowest and highest value. Wide enough for any real job and for mistakes to show.
const NUMBERS: &[(&str, f64, f64)] = &[
    ("job.sequence", 1.0, 16_777_216.0),
    ("job.global_batch", 1.0, 1_048_576.0),
    ("job.adapter.rank", 1.0, 8_192.0),
    ("job.tokens", 1.0, 1e18),
    ("cluster.nodes", 1.0, 16_384.0),
    ("cluster.gpus_per_node", 1.0, 1_024.0),
    ("cluster.gpus", 1.0, 1_048_576.0),
    ("cluster.nics_per_node", 0.0, 1_024.0),
    ("cluster.nic_gbps", 0.0, 10_000.0),
    ("cluster.spine.nodes_per_segment", 0.0, 16_384.0),
    ("cluster.spine.oversubscription", 0.1, 64.0),
    ("cluster.host_memory_gib", 1.0, 1_048_576.0),
    ("pins.tp", 1.0, 1_048_576.0),
    ("pins.pp", 1.0, 1_048_576.0),
    ("pins.vpp", 1.0, 1_024.0),
    ("pins.cp", 1.0, 1_048_576.0),
    ("pins.ep", 1.0, 1_048_576.0),
    ("pins.micro_batch", 1.0, 65_536.0),
    ("price.term_months", 0.0, 120.0),
];

/// How long a text may be, and which letters it may hold.
#[derive(Clone, Copy)]
struct TextRule {
    low: usize,
    high: usize,
    letters: Limits,
}

fn check_model(problems: &mut Vec<Problem>, model: &ModelSource) {
    match model {
        ModelSource::Preset(id) => text(problems, "model.preset", id, ID),
        ModelSource::Config { name, text: config } => {
            text(problems, "model.config_name", name, FILE_NAME);
            if config.is_empty() || config.len() > CONFIG_BYTES {
                problems.push(Problem {
                    field: "model.config",
                    value: config.len().to_string(),
                    limits: Limits::Characters { low: 1, high: CONFIG_BYTES },
                });
            }
        }
    }
}

fn check_job(problems: &mut Vec<Problem>, document: &Document) {
    let job = &document.job;
    number(problems, "job.sequence", f64::from(job.sequence));
    number(problems, "job.global_batch", f64::from(job.global_batch));
    number(problems, "job.adapter.rank", f64::from(job.adapter.rank));
    number(problems, "job.tokens", job.tokens);
}

fn check_cluster(problems: &mut Vec<Problem>, document: &Document) {
    let cluster = &document.cluster;
    text(problems, "cluster.accelerator", &cluster.accelerator, ID);
    number(problems, "cluster.nodes", f64::from(cluster.nodes));
    number(problems, "cluster.gpus_per_node", f64::from(cluster.gpus_per_node));
    let gpus = f64::from(cluster.nodes) * f64::from(cluster.gpus_per_node);
    if cluster.nodes > 0 && cluster.gpus_per_node > 0 {
        number(problems, "cluster.gpus", gpus);
    }
    number(problems, "cluster.nics_per_node", f64::from(cluster.nics_per_node));
    number(problems, "cluster.nic_gbps", cluster.nic_speed.as_gbps());
    if let Some(spine) = &cluster.spine {
        let segment = f64::from(spine.nodes_per_segment);
        number(problems, "cluster.spine.nodes_per_segment", segment);
        number(problems, "cluster.spine.oversubscription", spine.oversubscription);
    }
    number(problems, "cluster.host_memory_gib", cluster.host_memory.as_gib());
}

fn check_pins(problems: &mut Vec<Problem>, document: &Document) {
    let pins = &document.pins;
    let fields = [
        ("pins.tp", pins.tp),
        ("pins.pp", pins.pp),
        ("pins.vpp", pins.vpp),
        ("pins.cp", pins.cp),
        ("pins.ep", pins.ep),
        ("pins.micro_batch", pins.micro_batch),
    ];
    for (field, value) in fields {
        if let Some(value) = value {
            number(problems, field, f64::from(value));
        }
    }
}

fn check_price(problems: &mut Vec<Problem>, document: &Document) {
    let price = &document.price;
    number(problems, "price.term_months", f64::from(price.term_months));
    if price.platforms.len() > PLATFORMS {
        problems.push(Problem {
            field: "price.platforms",
            value: price.platforms.len().to_string(),
            limits: Limits::Entries { high: PLATFORMS },
        });
    }
    for platform in &price.platforms {
        text(problems, "price.platforms", platform, ID);
    }
}

fn number(problems: &mut Vec<Problem>, field: &'static str, value: f64) {
    let Some((low, high)) = numbers(field) else {
        debug_assert!(false, "{field} has no bounds");
        return;
    };
    // A NaN lies in no range.
    if !(low..=high).contains(&value) {
        problems.push(Problem {
            field,
            value: value.to_string(),
            limits: Limits::Numbers { low, high },
        });
    }
}

fn text(problems: &mut Vec<Problem>, field: &'static str, value: &str, rule: TextRule) {
    let TextRule { low, high, letters } = rule;
    let count = value.chars().count();
    let is_id =
        |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-' | '_');
    let allowed = |c: char| if letters == Limits::Id { is_id(c) } else { !c.is_control() };
    if !(low..=high).contains(&count) {
        let value = count.to_string();
        problems.push(Problem { field, value, limits: Limits::Characters { low, high } });
    } else if !value.chars().all(allowed) {
        problems.push(Problem { field, value: format!("{value:?}"), limits: letters });
    }
}
