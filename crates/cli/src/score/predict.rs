//! One row through the planner.

use planner::collective::Network;
use planner::estimate::time::{relative_band, step_of};
use planner::estimate::{Band, Setting, StepParts};

use super::row::{Configuration, Inexpressible};
use super::{jobs, machines, models};

/// What the planner says about a configuration.
#[derive(Clone, Debug)]
pub(super) struct Prediction {
    pub(super) parts: StepParts,
    /// Around the predicted total, 1 in the middle.
    pub(super) band: Band,
    /// Columns for which a default was taken.
    pub(super) assumed: Vec<&'static str>,
}

pub(super) fn predict(row: &Configuration) -> Result<Prediction, Inexpressible> {
    let mut assumed = Vec::new();
    let model = models::model(row, &mut assumed)?;
    let accelerator = machines::gpu(row)?;
    let cluster = machines::cluster(row, &accelerator, &mut assumed)?;
    let job = jobs::job(row)?;
    let run = jobs::run(row, &job, &mut assumed)?;
    let setting = Setting {
        model: &model,
        job: &job,
        accelerator: &accelerator,
        cluster: &cluster,
        stack: run.stack,
    };
    let network = Network::new(&cluster, &accelerator);
    let parts = step_of(&setting, &network, &run.layout, run.variant);
    if !parts.total.as_seconds().is_finite() {
        return Err(Inexpressible(
            "a link or rate that the layout needs does not exist".to_owned(),
        ));
    }
    Ok(Prediction { parts, band: relative_band(&setting), assumed })
}
