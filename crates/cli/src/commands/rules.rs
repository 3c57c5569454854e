//! `meshwright rules`: what each tool refuses or warns of.

use planner::strategy::rules::{Rule, RuleSeverity, Tool, Written, tools, written_rules};
use serde::Serialize;

use super::table::Table;
use crate::Outcome;
use crate::arguments::Form;
use crate::failure::Failure;
use crate::output;

#[derive(Serialize)]
struct RuleView {
    id: &'static str,
    tools: Vec<&'static str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    versions: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    when: &'static str,
    require: &'static str,
    vary: Vec<&'static str>,
    field: &'static str,
    severity: &'static str,
    en: String,
    zh: String,
    source: &'static str,
}

pub(super) fn run(form: Form) -> Result<Outcome, Failure> {
    let views: Vec<RuleView> = written_rules().map(view).collect();
    match form {
        Form::Json => output::json(&views),
        Form::Text => output::text(&report(&views)),
    }
}

fn view((rule, written): (&'static Rule, &'static Written)) -> RuleView {
    let (en, zh) = rule.sentences();
    RuleView {
        id: rule.id,
        tools: concerned(rule).iter().map(|tool| tool.id).collect(),
        versions: rule.versions,
        when: written.when,
        require: written.require,
        vary: rule.vary.iter().map(|fact| fact.id()).collect(),
        field: rule.field,
        severity: match rule.severity {
            RuleSeverity::Block => "block",
            RuleSeverity::Warn => "warn",
        },
        en,
        zh,
        source: rule.source,
    }
}

fn concerned(rule: &Rule) -> Vec<&'static Tool> {
    tools().iter().filter(|tool| rule.concerns(tool)).collect()
}

/// Tool by tool, without the bounds of single quantities, which are the same for all.
fn report(views: &[RuleView]) -> String {
    let mut text = String::new();
    for tool in tools() {
        let own: Vec<&RuleView> = views
            .iter()
            .filter(|view| view.tools.contains(&tool.id) && view.tools.len() < tools().len())
            .collect();
        let mut table = Table::of_words();
        for view in &own {
            table.row([view.id, view.severity, view.require, view.source]);
        }
        text.push_str(&format!("{} ({}, {} rules)\n", tool.name, tool.id, own.len()));
        text.push_str(&table.render());
        text.push('\n');
    }
    text
}
