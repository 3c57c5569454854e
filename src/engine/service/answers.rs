//! What the worker does for each request.

use planner::answer::Solver;
use planner::model;
use project::Document;

use crate::engine::protocol::{Failure, LaunchTarget, ModelSummary, Reply};

/// A search for the document, or why it cannot begin.
pub(super) fn solver(document: &Document) -> Result<Solver, Failure> {
    document
        .inputs()
        .map(Solver::new)
        .map_err(|error| Failure::with(error.key(), error.args()))
}

pub(super) fn read_config(name: &str, text: &str) -> Result<Reply, Failure> {
    let model = model::read_config(name, text)
        .map_err(|error| Failure::with(error.key(), error.args()))?;
    Ok(Reply::Model(ModelSummary {
        name: model.name,
        family: model.family,
        layers: model.layers,
        hidden: model.hidden,
        params_total: model.counts.total,
        params_active: model.counts.active_all,
        assumptions: model.assumptions,
    }))
}

pub(super) fn open_project(text: &str) -> Result<Reply, Failure> {
    project::from_yaml(text)
        .map(|document| Reply::Project(Box::new(document)))
        .map_err(|error| Failure::with(error.key(), error.args()))
}
