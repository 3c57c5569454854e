//! Inputs in, answer out; in slices, so that a caller can show progress and stop.

use super::advice;
use super::assemble;
use super::judge::Judge;
use super::{Answer, Inputs};
use crate::catalog::{Accelerator, accelerator};
use crate::collective::Network;
use crate::estimate::time;
use crate::search::{Progress, Search};
use crate::strategy::Space;

/// A running plan.
#[derive(Debug)]
pub struct Solver {
    inputs: Inputs,
    machine: Option<Machine>,
    search: Option<Search>,
    cache: time::Cache,
}

/// What follows from the cluster alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Machine {
    pub(super) accelerator: &'static Accelerator,
    pub(super) network: Network,
}

/// Plans a job: the whole search and everything shown of it.
pub fn solve(inputs: &Inputs) -> Answer {
    let mut solver = Solver::new(inputs.clone());
    while !solver.advance(u64::MAX) {}
    solver.finish()
}

impl Solver {
    pub fn new(inputs: Inputs) -> Self {
        let machine = Machine::of(&inputs);
        let mut cache = time::Cache::default();
        let search = machine.map(|machine| {
            let space = space(&inputs);
            Search::new(&space, &mut Judge::new(&inputs, machine, &mut cache))
        });
        Self { inputs, machine, search, cache }
    }

    /// Works through about `layouts` more layouts; true when the search is over.
    pub fn advance(&mut self, layouts: u64) -> bool {
        let (Some(search), Some(machine)) = (&mut self.search, self.machine) else {
            return true;
        };
        let space = space(&self.inputs);
        search.advance(&space, &mut Judge::new(&self.inputs, machine, &mut self.cache), layouts)
    }

    pub fn progress(&self) -> Progress {
        match &self.search {
            Some(search) => search.progress(),
            None => Progress { done: 0, total: 0 },
        }
    }

    /// The answer from what was searched so far.
    pub fn finish(self) -> Answer {
        let (Some(machine), Some(search)) = (self.machine, self.search) else {
            return advice::unknown_accelerator(&self.inputs);
        };
        assemble::answer(&self.inputs, machine, &search.finish())
    }
}

impl Machine {
    /// None when the catalog has no such accelerator.
    pub(super) fn of(inputs: &Inputs) -> Option<Self> {
        let accelerator = accelerator(&inputs.cluster.accelerator)?;
        let network = Network::new(&inputs.cluster, accelerator);
        Some(Self { accelerator, network })
    }
}

/// The legal layouts of these inputs.
pub(super) fn space(inputs: &Inputs) -> Space<'_> {
    let gpus = inputs.cluster.nodes * inputs.cluster.gpus_per_node;
    Space::new(&inputs.model, &inputs.job, &inputs.pins, gpus)
}
