//! Reasons and findings: what was compared, in which of the three looks, and what lifts it.

use planner::answer::Reason;
use planner::explain::{Code, Evidence, Finding, Quantity, Remedy, Severity, Subject};
use yew::prelude::*;

use super::{remedies, sentence, words};
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
                        <p>{ reason_sentence(reason, text) }</p>
                    </li>
                }) }
            </ol>
        </section>
    }
}

/// The findings, blocks before warnings before notes. Defaults taken stand in the list of
/// assumptions instead.
pub(super) fn findings(
    findings: &[Finding],
    text: &Text,
    on_apply: Option<&Callback<Remedy>>,
) -> Html {
    let mut sorted: Vec<&Finding> =
        findings.iter().filter(|finding| finding.code != Code::Assumed).collect();
    if sorted.is_empty() {
        return Html::default();
    }
    sorted.sort_by_key(|finding| finding.severity);
    html! {
        <section class="answer-section">
            <h3>{ text.get("answer-findings") }</h3>
            <ul class="findings">
                { for sorted.into_iter().map(|one| with_button(one, text, on_apply)) }
            </ul>
        </section>
    }
}

/// One finding with its look, subject, numbers and remedies.
pub fn finding(finding: &Finding, text: &Text) -> Html {
    with_button(finding, text, None)
}

fn with_button(finding: &Finding, text: &Text, on_apply: Option<&Callback<Remedy>>) -> Html {
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
                { evidence(numbers(finding), text) }
                { remedies::list(&finding.remedies, text, on_apply) }
            </div>
        </li>
    }
}

/// What stands below the message: a broken rule is the message already.
fn numbers(finding: &Finding) -> &[Evidence] {
    match finding.evidence.split_first() {
        Some((_, rest)) if finding.code == Code::RuleBroken => rest,
        _ => &finding.evidence,
    }
}

/// Why the chosen value of a knob beats another one.
pub(super) fn reason_sentence(reason: &Reason, text: &Text) -> String {
    let named = |name: &str| reason.evidence.iter().find(|one| one.name == name);
    let knob = named("knob").map(|one| text.quantity(&one.value)).unwrap_or_default();
    let args: Vec<(&str, String)> = reason
        .evidence
        .iter()
        .map(|one| {
            let said = match one.name.as_ref() {
                "chosen" => sentence::choice(&knob, &text.quantity(&one.value), text),
                "other" => {
                    let said = sentence::choice(&knob, &text.quantity(&one.value), text);
                    if knob == "framework" { said } else { words::inside(&said) }
                }
                // No line break parts an amount from its unit.
                _ => value(one, text).replace(' ', "\u{a0}"),
            };
            (one.name.as_ref(), said)
        })
        .collect();
    text.with(&format!("reason-{}", reason.key), &args)
}

/// Named numbers in one wrapping line.
pub fn evidence(evidence: &[Evidence], text: &Text) -> Html {
    if evidence.is_empty() {
        return Html::default();
    }
    html! {
        <dl class="evidence">
            { for evidence.iter().map(|one| html! {
                <div key={one.name.to_string()}>
                    <dt>{ evidence_name(&one.name, text) }</dt>
                    <dd title={text.quantity_exact(&one.value)}>{ value(one, text) }</dd>
                </div>
            }) }
        </dl>
    }
}

/// The name of a compared number.
pub(super) fn evidence_name(name: &str, text: &Text) -> String {
    let key = name.replace('_', "-");
    [format!("evidence-{key}"), format!("term-{key}"), format!("field-{key}")]
        .iter()
        .find_map(|key| text.try_with(key, &[]))
        .unwrap_or_else(|| name.to_owned())
}

/// A compared value in words: names that are keys of messages are looked up.
fn value(evidence: &Evidence, text: &Text) -> String {
    let word = match &evidence.value {
        Quantity::Name(word) => word,
        Quantity::Share(share) if evidence.name == "gpu_hours_change" => {
            let sign = if *share < 0.0 { "−" } else { "+" };
            return format!("{sign}{}", text.percent(share.abs()));
        }
        other => return text.quantity(other),
    };
    match evidence.name.as_ref() {
        "knob" => sentence::field(word, text),
        "gate" | "axis" | "price_class" | "price_confidence" => {
            let kind = match evidence.name.as_ref() {
                "price_class" => "price-class",
                "price_confidence" => "confidence",
                other => other,
            };
            text.try_with(&format!("{kind}-{word}"), &[]).unwrap_or_else(|| word.to_string())
        }
        _ => word.to_string(),
    }
}

/// The numbers as arguments of a message.
fn values<'a>(evidence: &'a [Evidence], text: &Text) -> Vec<(&'a str, String)> {
    evidence.iter().map(|one| (one.name.as_ref(), value(one, text))).collect()
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
        Code::RuleBroken => "rule-broken",
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
