//! The three example answers as text with every digit: the same natively and in the browser.

use std::fmt::Write as _;

use planner::answer::{Answer, Plan};

/// Name, project file and expected text.
pub(crate) const EXAMPLES: [(&str, &str, &str); 3] = [
    (
        "llama2-70b-2x8-a100",
        include_str!("../../examples/llama2-70b-2x8-a100.yaml"),
        include_str!("../golden/llama2-70b-2x8-a100.txt"),
    ),
    (
        "llama2-7b-8x4090",
        include_str!("../../examples/llama2-7b-8x4090.yaml"),
        include_str!("../golden/llama2-7b-8x4090.txt"),
    ),
    (
        "deepseek-v3-256x8-h800",
        include_str!("../../examples/deepseek-v3-256x8-h800.yaml"),
        include_str!("../golden/deepseek-v3-256x8-h800.txt"),
    ),
];

/// Solves a project file.
pub(crate) fn report(project: &str) -> Result<String, String> {
    let document = project::from_yaml(project).map_err(|error| error.to_string())?;
    let inputs = document.inputs().map_err(|error| error.to_string())?;
    Ok(text(&planner::answer::solve(&inputs)))
}

fn text(answer: &Answer) -> String {
    let mut out = format!("verdict {:?}\n", answer.verdict);
    let searched = &answer.searched;
    line(&mut out, &format!("legal {} evaluated {}", searched.legal, searched.evaluated));
    for rejected in &searched.rejected_by_gate {
        line(&mut out, &format!("gate {} {}", rejected.gate, rejected.count));
    }
    for plan in answer.plan.iter().chain(&answer.by_framework) {
        self::plan(&mut out, plan);
    }
    for reason in &answer.reasons {
        line(&mut out, &format!("reason {} {:?}", reason.key, reason.evidence));
    }
    for finding in &answer.findings {
        line(&mut out, &format!("finding {:?} {:?}", finding.code, finding.evidence));
    }
    for cost in &answer.costs {
        line(&mut out, &format!("cost {} {:?}", cost.platform, cost.total));
    }
    out
}

fn plan(out: &mut String, plan: &Plan) {
    line(out, &format!("{:?}", plan.layout));
    line(out, &format!("memory {:?}", plan.memory.worst));
    line(out, &format!("step {:?}", plan.step.parts));
    line(out, &format!("band {:?} mfu {:?} days {:?}", plan.step.band, plan.step.mfu, plan.days));
    for traffic in &plan.step.traffic {
        line(out, &format!("traffic {traffic:?}"));
    }
}

fn line(out: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}
