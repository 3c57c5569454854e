//! Reasons and findings: what was compared, in which of the three looks, and what lifts it.

use planner::answer::Reason;
use planner::explain::{Code, Evidence, Finding, Remedy, Severity, Subject};
use yew::prelude::*;

use super::{sentence, words};
use crate::text::Text;

/// The reasons, most important first.
pub(super) fn reasons(reasons: &[Reason], text: &Text) -> Html {
    if reasons.is_empty() {
        return Html::default();
    }
    html! {
        <section class="answer-section">
            <h3>{ text.get("answer-reasons") }</h3>
            <ol class="reasons">
                { for reasons.iter().map(|reason| html! {
                    <li>
                        <p>{ text.with(&format!("reason-{}", reason.key), &values(&reason.evidence, text)) }</p>
                        { evidence(&reason.evidence, text) }
                    </li>
                }) }
            </ol>
        </section>
    }
}

/// The findings, blocks before warnings before notes.
pub(super) fn findings(findings: &[Finding], text: &Text) -> Html {
    if findings.is_empty() {
        return Html::default();
    }
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| finding.severity);
    html! {
        <section class="answer-section">
            <h3>{ text.get("answer-findings") }</h3>
            <ul class="findings">{ for sorted.into_iter().map(|one| finding(one, text)) }</ul>
        </section>
    }
}

/// One finding with its look, subject, numbers and remedy.
pub fn finding(finding: &Finding, text: &Text) -> Html {
    let severity = words::severity(finding.severity);
    let sign = match finding.severity {
        Severity::Block => "✕",
        Severity::Warn => "!",
        Severity::Note => "i",
    };
    let message =
        text.with(&format!("finding-{}", code(finding.code)), &values(&finding.evidence, text));
    html! {
        <li class={classes!("finding", format!("is-{severity}"))}>
            <span class="finding-sign" aria-hidden="true">{ sign }</span>
            <div>
                <p class="finding-text">
                    <span class="unseen">{ text.get(&format!("severity-{severity}")) }{ " " }</span>
                    { message }
                    if let Some(subject) = subject(&finding.subject, text) {
                        <span class="finding-subject">{ subject }</span>
                    }
                </p>
                { evidence(&finding.evidence, text) }
                if let Some(remedy) = &finding.remedy {
                    { remedy_lines(remedy, text) }
                }
            </div>
        </li>
    }
}

fn remedy_lines(remedy: &Remedy, text: &Text) -> Html {
    html! {
        <div class="remedy">
            <p>
                <span class="remedy-title">{ text.get("remedy-title") }</span>{ " " }
                { sentence::steps(remedy, text) }
            </p>
            if !remedy.proof.is_empty() {
                <p class="unseen">{ text.get("remedy-proof") }</p>
                { evidence(&remedy.proof, text) }
            }
        </div>
    }
}

/// Named numbers in one wrapping line.
fn evidence(evidence: &[Evidence], text: &Text) -> Html {
    if evidence.is_empty() {
        return Html::default();
    }
    html! {
        <dl class="evidence">
            { for evidence.iter().map(|one| html! {
                <div>
                    <dt>{ evidence_name(&one.name, text) }</dt>
                    <dd title={text.quantity_exact(&one.value)}>{ text.quantity(&one.value) }</dd>
                </div>
            }) }
        </dl>
    }
}

fn evidence_name(name: &str, text: &Text) -> String {
    let key = name.replace('_', "-");
    [format!("evidence-{key}"), format!("term-{key}"), format!("field-{key}")]
        .iter()
        .find_map(|key| text.try_with(key, &[]))
        .unwrap_or_else(|| name.to_owned())
}

/// The numbers as arguments of a message.
fn values<'a>(evidence: &'a [Evidence], text: &Text) -> Vec<(&'a str, String)> {
    evidence.iter().map(|one| (one.name.as_ref(), text.quantity(&one.value))).collect()
}

fn subject(subject: &Subject, text: &Text) -> Option<String> {
    match subject {
        Subject::Plan | Subject::Platform(_) => None,
        Subject::Stage(stage) => {
            Some(text.with("subject-stage", &[("stage", (stage + 1).to_string())]))
        }
        Subject::Field(name) => Some(sentence::field(name, text)),
        Subject::Link(link) => Some(text.with(
            "subject-link",
            &[(
                "link",
                text.try_with(&format!("link-{link}"), &[]).unwrap_or_else(|| link.to_string()),
            )],
        )),
    }
}

/// The end of the message keys `finding-…`, as the planner serializes the code.
const fn code(code: Code) -> &'static str {
    match code {
        Code::NoLegalLayout => "no-legal-layout",
        Code::OutOfMemory => "out-of-memory",
        Code::HostOutOfMemory => "host-out-of-memory",
        Code::TightMemory => "tight-memory",
        Code::NotDivisible => "not-divisible",
        Code::TooLarge => "too-large",
        Code::FrameworkRule => "framework-rule",
        Code::CrossesDomain => "crosses-domain",
        Code::CommunicationBound => "communication-bound",
        Code::LargeBubble => "large-bubble",
        Code::FewMicroBatches => "few-micro-batches",
        Code::NoPeerToPeer => "no-peer-to-peer",
        Code::PrecisionUnsupported => "precision-unsupported",
        Code::OtherLayoutForTarget => "other-layout-for-target",
        Code::WeakPrice => "weak-price",
        Code::NoPrice => "no-price",
        Code::Assumed => "assumed",
        Code::UnknownAccelerator => "unknown-accelerator",
    }
}
