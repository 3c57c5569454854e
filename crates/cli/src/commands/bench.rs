//! `meshwright bench`: how fast the engine is on this machine.

mod topology;

use std::fs;
use std::hint::black_box;
use std::time::Instant;

use planner::answer::{self, Answer, Inputs, Searched};
use planner::catalog::accelerator;
use planner::collective::Network;
use planner::estimate::{Setting, memory, time};
use planner::model::preset;
use planner::strategy::{Framework, Layout, Offload, Recompute, Schedule, Stack, Zero};
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
    /// Memory of one plan, all stages and instants.
    memory_of_a_plan: Vec<PlanMemory>,
    /// 0 where the system does not tell.
    peak_rss_mib: f64,
    topologies: Vec<topology::Run>,
}

/// The whole search of one job, the layouts shown and their explanation included.
#[derive(Serialize)]
struct Run {
    name: &'static str,
    legal: u64,
    evaluated: u64,
    seconds: f64,
}

/// How long the memory of one layout takes.
#[derive(Serialize)]
struct PlanMemory {
    name: &'static str,
    stages: u32,
    nanoseconds: f64,
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
    let memory_of_a_plan =
        PLANS.iter().map(PlanCase::measure).collect::<Result<Vec<PlanMemory>, Failure>>()?;
    // The peak is that of planning: large topologies come after it.
    let peak_rss_mib = peak_rss_mib();
    let topologies = topology::runs()?;
    let bench = Bench { plans_per_s, searches, memory_of_a_plan, peak_rss_mib, topologies };
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

/// A layout whose memory is timed, on the machine of the largest example.
struct PlanCase {
    name: &'static str,
    model: &'static str,
    layout: Layout,
}

/// TP 8 with sequence parallelism and a sharded optimizer, as Megatron runs large models.
const LARGE: Layout = Layout {
    framework: Framework::MegatronCore,
    tp: 8,
    pp: 4,
    vpp: 1,
    cp: 1,
    dp: 8,
    ep: 1,
    etp: 1,
    zero: Zero::Optimizer,
    sp: true,
    micro_batch: 1,
    recompute: Recompute::None,
    schedule: Schedule::OneFOneB,
    offload: Offload::None,
    activation_offload: false,
};

const PLANS: [PlanCase; 3] = [
    PlanCase { name: "llama2-70b-pp4", model: "llama2-70b", layout: LARGE },
    PlanCase {
        name: "deepseek-v3-pp16",
        model: "deepseek-v3",
        layout: Layout { tp: 1, pp: 16, dp: 128, ep: 64, sp: false, ..LARGE },
    },
    PlanCase {
        name: "llama3.1-405b-pp16",
        model: "llama3.1-405b",
        layout: Layout { pp: 16, dp: 16, ..LARGE },
    },
];

/// Calls of one measurement, shorter than a time slice of the system, and measurements of which
/// the fastest counts.
const CALLS: u32 = 500;
const ROUNDS: u32 = 1_000;

impl PlanCase {
    fn measure(&self) -> Result<PlanMemory, Failure> {
        let (name, yaml) = EXAMPLES[2];
        let inputs = inputs(name, yaml)?;
        let unknown = || Failure::plain(self.name, "not in the catalog");
        let model = preset(self.model).ok_or_else(unknown)?;
        let accelerator = accelerator(&inputs.cluster.accelerator).ok_or_else(unknown)?;
        let setting = Setting {
            model: &model,
            job: &inputs.job,
            accelerator,
            cluster: &inputs.cluster,
            stack: Stack::of(self.layout.framework),
        };
        let mut fastest = f64::INFINITY;
        for _ in 0..ROUNDS {
            let start = now();
            for _ in 0..CALLS {
                black_box(memory::peak(&setting, black_box(&self.layout)));
            }
            fastest = fastest.min(start.elapsed().as_secs_f64() / f64::from(CALLS));
        }
        Ok(PlanMemory { name: self.name, stages: self.layout.pp, nanoseconds: fastest * 1e9 })
    }
}

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
    let mut plans = Table::of_numbers();
    plans.row(["memory of one plan", "stages", "time"]);
    for plan in &bench.memory_of_a_plan {
        plans.row([
            plan.name.to_owned(),
            plan.stages.to_string(),
            format!("{:.0} ns", plan.nanoseconds),
        ]);
    }
    format!(
        "{} plans per second on one core, peak memory {} MiB\n{}{}{}",
        number(bench.plans_per_s),
        number(bench.peak_rss_mib),
        table.render(),
        plans.render(),
        topology::report(&bench.topologies),
    )
}
