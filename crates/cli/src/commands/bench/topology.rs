//! How long the topology of a large cluster takes: drawing, checking, all cuts.

use planner::catalog;
use planner::cluster::ClusterSpec;
use planner::cluster::cuts::Cuts;
use planner::cluster::sketch::{self, Network, Recipe, Tier, Tors};
use planner::units::Seconds;
use serde::Serialize;

use super::now;
use crate::commands::table::Table;
use crate::failure::Failure;
use crate::words::duration;

/// One cluster; each time is the least of several rounds.
#[derive(Serialize)]
pub(super) struct Run {
    name: &'static str,
    gpus: u32,
    parts: usize,
    links: usize,
    classes: usize,
    draw_seconds: f64,
    check_seconds: f64,
    cuts_seconds: f64,
}

struct Case {
    name: &'static str,
    nodes: u32,
    tors: Tors,
}

const CASES: [Case; 4] = [
    Case { name: "rails-1280x8-h100", nodes: 1_280, tors: Tors::Rails },
    Case { name: "dual-plane-1280x8-h100", nodes: 1_280, tors: Tors::DualPlane },
    Case { name: "rails-12800x8-h100", nodes: 12_800, tors: Tors::Rails },
    Case { name: "dual-plane-12800x8-h100", nodes: 12_800, tors: Tors::DualPlane },
];

const ROUNDS: u32 = 5;

/// Segments of 32 nodes in pods of 8, two tiers above.
const NODES_PER_SEGMENT: u32 = 32;
const TIERS: [Tier; 2] =
    [Tier { width: 8, oversubscription: 1.0 }, Tier { width: 0, oversubscription: 7.0 }];

pub(super) fn runs() -> Result<Vec<Run>, Failure> {
    CASES.iter().map(Case::run).collect()
}

impl Case {
    fn run(&self) -> Result<Run, Failure> {
        let machine = catalog::machine("dgx-h100")
            .ok_or_else(|| Failure::plain(self.name, "not in the catalog"))?;
        let spec = ClusterSpec::from_machine(machine, self.nodes);
        let gpus = spec.nodes * spec.gpus_per_node;
        let mut recipe = Recipe::from_spec(&spec);
        recipe.network = Some(Network {
            tors: self.tors,
            nodes_per_segment: NODES_PER_SEGMENT,
            tiers: TIERS.to_vec(),
        });
        let draw = || recipe.sketch(catalog::accelerator);
        let drawn = draw().map_err(|error| Failure::plain(self.name, error))?;
        Ok(Run {
            name: self.name,
            gpus,
            parts: drawn.parts.len(),
            links: drawn.links.len(),
            classes: Cuts::build(&drawn).cuts.len(),
            draw_seconds: fastest(draw),
            check_seconds: fastest(|| sketch::flaws(&drawn)),
            cuts_seconds: fastest(|| Cuts::build(&drawn)),
        })
    }
}

fn fastest<T>(work: impl Fn() -> T) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = now();
        std::hint::black_box(work());
        least = least.min(start.elapsed().as_secs_f64());
    }
    least
}

pub(super) fn report(runs: &[Run]) -> String {
    let mut table = Table::of_numbers();
    table.row(["topology", "gpus", "parts", "links", "classes", "draw", "check", "cuts"]);
    for run in runs {
        let time = |seconds| duration(Seconds::new(seconds));
        table.row([
            run.name.to_owned(),
            run.gpus.to_string(),
            run.parts.to_string(),
            run.links.to_string(),
            run.classes.to_string(),
            time(run.draw_seconds),
            time(run.check_seconds),
            time(run.cuts_seconds),
        ]);
    }
    table.render()
}
