//! What the worker does for each request.

use planner::answer::{Answer, Inputs, Plan, Solver, diagnose, solve};
use planner::estimate::Instant;
use planner::model::{self, ModelForm};
use planner::oom::{self, MessageError};
use project::{Document, ModelSource};

use crate::engine::protocol::{Failure, LaunchFile, LaunchTarget, ModelSummary, Reply};

/// A search for the document, or why it cannot begin.
pub(super) fn solver(document: &Document) -> Result<Solver, Failure> {
    inputs(document).map(Solver::new)
}

/// The files of every launcher for the chosen layout of `known`, or of a new answer.
pub(super) fn export(document: &Document, known: Option<&Answer>) -> Result<Reply, Failure> {
    let inputs = inputs(document)?;
    let solved = if known.is_none() { Some(solve(&inputs)) } else { None };
    let Some(answer) = known.or(solved.as_ref()) else {
        return Err(Failure::new("launch-none"));
    };
    let targets = launch::targets()
        .iter()
        .map(|target| exported(target.id(), target.version(), document, &inputs, answer))
        .collect();
    Ok(Reply::Exported(targets))
}

pub(super) fn read_config(name: &str, text: &str) -> Result<Reply, Failure> {
    let model =
        model::read_model(name, text).map_err(|error| Failure::with(error.key(), error.args()))?;
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

/// The form with all that the source says; empty where it says nothing.
pub(super) fn model_form(source: &ModelSource) -> Reply {
    let form = match source {
        ModelSource::Preset(id) => model::preset(id).map(|model| ModelForm::of_model(&model)),
        ModelSource::Config { name, text } => match model::read_model(name, text) {
            Ok(model) => Some(ModelForm::of_model(&model)),
            Err(_) => model::outline(text).ok().map(|outline| ModelForm::of_outline(&outline)),
        },
    };
    let form = form.unwrap_or_default();
    Reply::Form(form.values().map(|(field, value)| (field.to_owned(), value.to_owned())).collect())
}

pub(super) fn form_text(values: Vec<(String, String)>) -> Result<Reply, Failure> {
    let text = ModelForm::new(values).text();
    read_config("", &text).map(|_| Reply::ModelText(text))
}

pub(super) fn open_project(text: &str) -> Result<Reply, Failure> {
    project::from_yaml(text).map(|document| Reply::Project(Box::new(document))).map_err(|error| {
        let more = error.problems().count().saturating_sub(1).to_string();
        Failure::with(error.key(), error.args().into_iter().chain([("more", more)]))
    })
}

/// The tree behind one bar of the memory tab.
pub(super) fn stage_tree(
    document: &Document,
    answer: &Answer,
    stage: u32,
    instant: Instant,
) -> Result<Reply, Failure> {
    let (inputs, plan) = (inputs(document)?, plan(answer)?);
    let tree = planner::answer::stage_tree(&inputs, &plan.layout, stage, instant);
    tree.map(|tree| Reply::Tree(Box::new(tree))).ok_or_else(|| Failure::new("explain-again"))
}

/// What an out-of-memory message means for the plan.
pub(super) fn explain_oom(
    document: &Document,
    answer: &Answer,
    text: &str,
) -> Result<Reply, Failure> {
    let message = oom::parse(text).map_err(|error| match error {
        MessageError::TooLong => {
            Failure::with("oom-too-long", [("limit", (oom::LIMIT >> 20).to_string())])
        }
        MessageError::Nothing => Failure::new("oom-nothing"),
    })?;
    let (inputs, plan) = (inputs(document)?, plan(answer)?);
    let diagnosis = diagnose(&inputs, &plan.layout, message);
    diagnosis
        .map(|diagnosis| Reply::Diagnosed(Box::new(diagnosis)))
        .ok_or_else(|| Failure::new("explain-again"))
}

fn plan(answer: &Answer) -> Result<&Plan, Failure> {
    answer.plan.as_ref().ok_or_else(|| Failure::new("oom-no-plan"))
}

fn inputs(document: &Document) -> Result<Inputs, Failure> {
    document.inputs().map_err(|error| Failure::with(error.key(), error.args()))
}

fn exported(
    id: &str,
    version: &str,
    document: &Document,
    inputs: &Inputs,
    answer: &Answer,
) -> LaunchTarget {
    let (id, version) = (id.to_owned(), version.to_owned());
    match launch::export(&id, &document.name, inputs, answer) {
        Ok(export) => LaunchTarget {
            id,
            version,
            files: export
                .files
                .into_iter()
                .map(|file| LaunchFile { name: file.name, text: file.text })
                .collect(),
            findings: export.findings,
            refusal: None,
        },
        Err(refusal) => {
            let key = format!("refusal-{}", refusal.key());
            let refusal = Some(Failure::with(&key, refusal.args()));
            LaunchTarget { id, version, files: Vec::new(), findings: Vec::new(), refusal }
        }
    }
}
