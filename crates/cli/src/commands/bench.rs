//! `meshwright bench`: how fast the engine is on this machine.

use std::fs;
use std::hint::black_box;
use std::time::Instant;

use planner::answer::{self, Answer, Inputs, Searched};
use planner::catalog::accelerator;
use planner::collective::Network;
use planner::estimate::{Setting, memory, time};
use planner::strategy::Stack;
use planner::units::Seconds;
use serde::Serialize;

use super::table::Table;
use crate::Outcome;
use crate::arguments::Form;
use crate::failure::Failure;
use crate::output;
use crate::words::{duration, number};

/// The keys of the contract.
#[derive(Serialize)]
struct Bench {
    /// Layouts estimated in full, one after another on one core.
    plans_per_s: f64,
    searches: Vec<Run>,
    /// 0 where the system does not tell.
    peak_rss_mib: f64,
}

/// The whole search of one job, the layouts shown and their explanation included.
#[derive(Serialize)]
struct Run {
    name: &'static str,
    legal: u64,
    evaluated: u64,
    seconds: f64,
}

pub(super) fn run(form: Form) -> Result<Outcome, Failure> {
    let mut searches = Vec::new();
    let mut rate = Rate::default();
    for (name, yaml) in EXAMPLES {
        let inputs = inputs(name, yaml)?;
        let start = now();
        let answer = answer::solve(&inputs);
        let seconds = start.elapsed().as_secs_f64();
        let Searched { legal, evaluated, .. } = answer.searched;
        searches.push(Run { name, legal, evaluated, seconds });
        rate.measure(&inputs, &answer);
    }
    let plans_per_s = rate.per_second();
    let bench = Bench { plans_per_s, searches, peak_rss_mib: peak_rss_mib() };
    match form {
        Form::Json => output::json(&bench),
        Form::Text => output::text(&report(&bench)),
    }
}

const EXAMPLES: [(&str, &str); 3] = [
    ("llama2-70b-2x8-a100", include_str!("../../../../examples/llama2-70b-2x8-a100.yaml")),
    ("llama2-7b-8x4090", include_str!("../../../../examples/llama2-7b-8x4090.yaml")),
    ("deepseek-v3-256x8-h800", include_str!("../../../../examples/deepseek-v3-256x8-h800.yaml")),
];

/// Time spent on the rate of plans, for each example.
const RATE_SECONDS: f64 = 0.5;

fn inputs(name: &str, yaml: &str) -> Result<Inputs, Failure> {
    let document = project::from_yaml(yaml).map_err(|error| Failure::plain(name, error))?;
    document.inputs().map_err(|error| Failure::plain(name, error))
}

/// Layouts estimated so far, and the time they took.
#[derive(Debug, Default)]
struct Rate {
    plans: u32,
    seconds: f64,
}

impl Rate {
    /// Memory and step time of the candidates of an answer, again and again.
    fn measure(&mut self, inputs: &Inputs, answer: &Answer) {
        let Some(accelerator) = accelerator(&inputs.cluster.accelerator) else { return };
        let network = Network::new(&inputs.cluster, accelerator);
        let start = now();
        while !answer.candidates.is_empty() && start.elapsed().as_secs_f64() < RATE_SECONDS {
            for candidate in &answer.candidates {
                let layout = &candidate.layout;
                let setting = Setting {
                    model: &inputs.model,
                    job: &inputs.job,
                    accelerator,
                    cluster: &inputs.cluster,
                    stack: Stack::of(layout.framework),
                };
                black_box(memory::peak(&setting, black_box(layout)));
                black_box(time::step(&setting, &network, black_box(layout)));
                self.plans += 1;
            }
        }
        self.seconds += start.elapsed().as_secs_f64();
    }

    fn per_second(&self) -> f64 {
        if self.seconds > 0.0 { f64::from(self.plans) / self.seconds } else { 0.0 }
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn now() -> Instant {
    Instant::now()
}

/// The highest resident set so far, from the kernel's own count.
fn peak_rss_mib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib: Option<f64> =
        line.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse().ok());
    kib.unwrap_or(0.0) / 1024.0
}

fn report(bench: &Bench) -> String {
    let mut table = Table::of_numbers();
    table.row(["search", "legal", "estimated", "time"]);
    for run in &bench.searches {
        table.row([
            run.name.to_owned(),
            run.legal.to_string(),
            run.evaluated.to_string(),
            duration(Seconds::new(run.seconds)),
        ]);
    }
    format!(
        "{} plans per second on one core, peak memory {} MiB\n{}",
        number(bench.plans_per_s),
        number(bench.peak_rss_mib),
        table.render(),
    )
}
