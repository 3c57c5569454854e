//! The score as numbers and as a table: families, ranking of layouts, what was assumed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::Outcome;
use super::memory_score::MemoryScore;
use super::stats::{Summary, kendall_tau, mean, quantile, share};

/// Layouts that a group needs before their order is judged.
const RANKED_FROM: usize = 4;

/// Everything that `score training` prints; key names are a contract.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Score {
    families: BTreeMap<String, Summary>,
    macro_mape_pct: f64,
    median_pct: f64,
    mape_pct: f64,
    bias_pct: f64,
    within_10_pct: f64,
    within_20_pct: f64,
    band_coverage_pct: f64,
    /// Mean width of the band relative to its middle.
    band_width_pct: f64,
    memory: MemoryScore,
    ranking: Ranking,
    not_expressible: Vec<Refusal>,
    /// Column and number of rows for which its default was taken.
    assumed_fields: BTreeMap<&'static str, usize>,
    rows: Vec<RowScore>,
}

#[derive(Clone, Debug, Serialize)]
struct Ranking {
    groups: usize,
    /// Measured time of the predicted best over the best measured, mean over the groups.
    regret_pct: f64,
    kendall_tau: f64,
    by_group: Vec<GroupScore>,
}

#[derive(Clone, Debug, Serialize)]
struct GroupScore {
    name: String,
    layouts: usize,
    regret_pct: f64,
    kendall_tau: f64,
}

#[derive(Clone, Debug, Serialize)]
struct Refusal {
    id: String,
    line: u64,
    reason: String,
}

#[derive(Clone, Debug, Serialize)]
struct RowScore {
    id: String,
    family: String,
    scored: bool,
    measured_s: Option<f64>,
    predicted_s: f64,
    error_pct: Option<f64>,
    parts: planner::estimate::StepParts,
}

impl Score {
    pub(super) fn of(outcomes: &[Outcome]) -> Self {
        let mut by_family: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        let (mut all, mut covered, mut widths) = (Vec::new(), Vec::new(), Vec::new());
        for outcome in outcomes {
            let Some((measured, prediction)) = outcome.scored() else { continue };
            let predicted = prediction.parts.total.as_seconds();
            let error = predicted / measured - 1.0;
            by_family.entry(outcome.row.measured.family.clone()).or_default().push(error);
            all.push(error);
            let band = prediction.band;
            let ratio = measured / predicted;
            covered.push(if ratio >= band.p10 && ratio <= band.p90 { 1.0 } else { 0.0 });
            widths.push(band.p90 - band.p10);
        }
        let families: BTreeMap<String, Summary> =
            by_family.iter().map(|(name, errors)| (name.clone(), Summary::of(errors))).collect();
        let means: Vec<f64> = families.values().map(|family| family.mape_pct).collect();
        let pooled = Summary::of(&all);
        Self {
            macro_mape_pct: mean(&means),
            median_pct: pooled.median_pct,
            mape_pct: pooled.mape_pct,
            bias_pct: pooled.bias_pct,
            within_10_pct: share(&all, |error| error.abs() <= 0.1),
            within_20_pct: share(&all, |error| error.abs() <= 0.2),
            band_coverage_pct: share(&covered, |inside| inside > 0.5),
            band_width_pct: 100.0 * mean(&widths),
            families,
            memory: MemoryScore::of(
                outcomes.iter().filter_map(|outcome| {
                    Some((&outcome.row.measured, outcome.peak.as_ref().ok()?))
                }),
            ),
            ranking: Ranking::of(outcomes),
            not_expressible: refusals(outcomes),
            assumed_fields: assumed(outcomes),
            rows: outcomes.iter().filter_map(RowScore::of).collect(),
        }
    }

    /// The score for people.
    pub(super) fn table(&self) -> String {
        let mut text = String::new();
        let mut line = |args: std::fmt::Arguments<'_>| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{args}");
        };
        line(format_args!(
            "{:<22} {:>4} {:>8} {:>8} {:>8} {:>8}",
            "family", "n", "median", "mean", "p90", "bias"
        ));
        for (name, family) in &self.families {
            line(format_args!(
                "{name:<22} {:>4} {:>7.1}% {:>7.1}% {:>7.1}% {:>+7.1}%",
                family.n, family.median_pct, family.mape_pct, family.p90_pct, family.bias_pct
            ));
        }
        line(format_args!("mean over families     {:>7.2}%", self.macro_mape_pct));
        line(format_args!("median of all rows     {:>7.2}%", self.median_pct));
        line(format_args!("bias of all rows       {:>+7.2}%", self.bias_pct));
        line(format_args!(
            "within 10 % / 20 %     {:>7.1}% / {:.1}%",
            self.within_10_pct, self.within_20_pct
        ));
        line(format_args!(
            "inside the band        {:>7.1}% (mean width {:.0}%)",
            self.band_coverage_pct, self.band_width_pct
        ));
        line(format_args!(
            "layout ranking         regret {:.1}%, tau {:.2} over {} groups",
            self.ranking.regret_pct, self.ranking.kendall_tau, self.ranking.groups
        ));
        line(format_args!("{}", self.memory.table().trim_end()));
        line(format_args!("not expressible        {}", self.not_expressible.len()));
        for refusal in &self.not_expressible {
            line(format_args!("  line {} {}: {}", refusal.line, refusal.id, refusal.reason));
        }
        for (field, rows) in &self.assumed_fields {
            line(format_args!("assumed {field:<30} in {rows} rows"));
        }
        text
    }
}

impl RowScore {
    fn of(outcome: &Outcome) -> Option<Self> {
        let prediction = outcome.prediction.as_ref().ok()?;
        let predicted = prediction.parts.total.as_seconds();
        let measured = super::row::Measured::number(&outcome.row.measured.step_time_derived_s);
        Some(Self {
            id: outcome.row.measured.id.clone(),
            family: outcome.row.measured.family.clone(),
            scored: outcome.scored().is_some(),
            measured_s: measured,
            predicted_s: predicted,
            error_pct: measured.map(|measured| 100.0 * (predicted / measured - 1.0)),
            parts: prediction.parts,
        })
    }
}

impl Ranking {
    /// Groups with the same model, GPUs, sequence, batch and source.
    fn of(outcomes: &[Outcome]) -> Self {
        let mut groups: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
        for outcome in outcomes {
            let Some((measured, prediction)) = outcome.scored() else { continue };
            let row = &outcome.row.configuration;
            let name = format!(
                "{} {} on {} {} batch {} seq {} {}",
                outcome.row.measured.family,
                row.model,
                row.n_gpus,
                row.gpu,
                row.global_batch,
                row.seq_len,
                row.precision
            );
            groups.entry(name).or_default().push((prediction.parts.total.as_seconds(), measured));
        }
        let by_group: Vec<GroupScore> = groups
            .into_iter()
            .filter(|(_, pairs)| pairs.len() >= RANKED_FROM)
            .map(|(name, pairs)| GroupScore {
                name,
                layouts: pairs.len(),
                regret_pct: regret(&pairs),
                kendall_tau: kendall_tau(&pairs),
            })
            .collect();
        let regrets: Vec<f64> = by_group.iter().map(|group| group.regret_pct).collect();
        let taus: Vec<f64> = by_group.iter().map(|group| group.kendall_tau).collect();
        Self {
            groups: by_group.len(),
            regret_pct: mean(&regrets),
            kendall_tau: mean(&taus),
            by_group,
        }
    }
}

/// In percent: measured time of the row predicted fastest over the fastest measured, less 1.
fn regret(pairs: &[(f64, f64)]) -> f64 {
    let chosen = pairs.iter().min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |pair| pair.1);
    let measured: Vec<f64> = pairs.iter().map(|pair| pair.1).collect();
    let best = quantile(&measured, 0.0);
    if best > 0.0 { 100.0 * (chosen / best - 1.0) } else { 0.0 }
}

fn refusals(outcomes: &[Outcome]) -> Vec<Refusal> {
    outcomes
        .iter()
        .filter_map(|outcome| {
            let reason = outcome.refusal()?.0.clone();
            Some(Refusal { id: outcome.row.measured.id.clone(), line: outcome.row.line, reason })
        })
        .collect()
}

fn assumed(outcomes: &[Outcome]) -> BTreeMap<&'static str, usize> {
    let mut fields = BTreeMap::new();
    for prediction in outcomes.iter().filter_map(|outcome| outcome.prediction.as_ref().ok()) {
        for field in &prediction.assumed {
            *fields.entry(*field).or_insert(0) += 1;
        }
    }
    fields
}
