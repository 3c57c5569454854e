//! How predicted peaks compare with published ones: by family, by kind of number, and whether
//! runs fit.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use planner::estimate::memory::{FITTED, Fitted, band};
use planner::estimate::{Band, Instant, MemoryParts, Verdict};
use serde::Serialize;

use super::memory::Peak;
use super::row::Measured;
use super::stats::{Summary, mean, share};

/// Errors over all rows that print a peak or ran out of memory; key names are a contract.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MemoryScore {
    n: usize,
    /// Mean over families of the family's mean error.
    macro_mape_pct: f64,
    median_pct: f64,
    p90_pct: f64,
    bias_pct: f64,
    within_5_pct: f64,
    /// Peaks within the p10–p90 band of their framework and kind.
    band_coverage_pct: f64,
    families: BTreeMap<String, Summary>,
    by_kind: BTreeMap<String, Summary>,
    /// Each family predicted with the constants that its own rows inform put back to counted values.
    left_out: LeftOut,
    constants: Vec<Constant>,
    /// Runs that failed, of those predicted to fit.
    false_fit: usize,
    /// Runs that worked, of those predicted to fail.
    false_oom: usize,
    /// Runs that worked or failed, with a stated layout.
    judged: usize,
    /// The same of rows of quality C.
    weak: Judged,
    rows: Vec<MemoryRow>,
}

/// A fitted constant, and what takes its place when a family that informs it is left out.
#[derive(Clone, Debug, Serialize)]
struct Constant {
    name: &'static str,
    value: f64,
    counted: f64,
    range: (f64, f64),
    families: &'static [&'static str],
}

#[derive(Clone, Debug, Serialize)]
struct LeftOut {
    macro_mape_pct: f64,
    median_pct: f64,
    p90_pct: f64,
    families: BTreeMap<String, Summary>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Judged {
    false_fit: usize,
    false_oom: usize,
    judged: usize,
}

#[derive(Clone, Debug, Serialize)]
struct MemoryRow {
    id: String,
    family: String,
    kind: String,
    framework: &'static str,
    band: Option<Band>,
    /// A to D; A and B count.
    quality: String,
    scored: bool,
    /// TP, PP and the micro-batch are stated.
    layout_stated: bool,
    failed: bool,
    verdict: Verdict,
    stage: u32,
    instant: Instant,
    measured_gib: Option<f64>,
    predicted_gib: Option<f64>,
    error_pct: Option<f64>,
    left_out_error_pct: Option<f64>,
    parts_gib: BTreeMap<&'static str, f64>,
}

impl MemoryScore {
    pub(super) fn of<'a>(peaks: impl Iterator<Item = (&'a Measured, &'a Peak)>) -> Self {
        let rows: Vec<MemoryRow> =
            peaks.map(|(measured, peak)| MemoryRow::of(measured, peak)).collect();
        let by_kind = grouped(&rows, |row| &row.kind, |row| row.error_pct);
        let families = grouped(&rows, |row| &row.family, |row| row.error_pct);
        let all = errors(&rows, |row| row.error_pct);
        let pooled = Summary::of(&all);
        let trusted = Judged::of(rows.iter().filter(|row| row.scored));
        Self {
            n: all.len(),
            macro_mape_pct: over_families(&families),
            median_pct: pooled.median_pct,
            p90_pct: pooled.p90_pct,
            bias_pct: pooled.bias_pct,
            within_5_pct: share(&all, |error| error.abs() <= 0.05),
            band_coverage_pct: coverage(&rows),
            by_kind,
            families,
            left_out: LeftOut::of(&rows),
            constants: FITTED.iter().map(Constant::of).collect(),
            false_fit: trusted.false_fit,
            false_oom: trusted.false_oom,
            judged: trusted.judged,
            weak: Judged::of(rows.iter().filter(|row| row.quality == "C")),
            rows,
        }
    }

    /// Lines for people.
    pub(super) fn table(&self) -> String {
        let mut text = String::new();
        let mut line = |args: std::fmt::Arguments<'_>| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{args}");
        };
        line(format_args!(
            "memory                 mean over families {:.2}%, median {:.2}%, p90 {:.2}%, \
             bias {:+.1}% over {} peaks",
            self.macro_mape_pct, self.median_pct, self.p90_pct, self.bias_pct, self.n
        ));
        for (name, summary) in self.families.iter().chain(&self.by_kind) {
            line(format_args!(
                "  {name:<20} {:>4} {:>7.1}% {:>7.1}% {:>7.1}% {:>+7.1}%",
                summary.n, summary.median_pct, summary.mape_pct, summary.p90_pct, summary.bias_pct
            ));
        }
        line(format_args!("  inside the band      {:.1}%", self.band_coverage_pct));
        line(format_args!(
            "  family left out      mean over families {:.2}%, median {:.2}%, p90 {:.2}%",
            self.left_out.macro_mape_pct, self.left_out.median_pct, self.left_out.p90_pct
        ));
        for (name, summary) in &self.left_out.families {
            line(format_args!(
                "    {name:<18} {:>4} {:>7.1}% {:>7.1}% {:>7.1}% {:>+7.1}%",
                summary.n, summary.median_pct, summary.mape_pct, summary.p90_pct, summary.bias_pct
            ));
        }
        for constant in &self.constants {
            line(format_args!(
                "  {:<46} {:>6} ({}–{}), counted {}; {}",
                constant.name,
                constant.value,
                constant.range.0,
                constant.range.1,
                constant.counted,
                constant.families.join(", ")
            ));
        }
        line(format_args!(
            "fit or not             {} false \"fits\", {} false \"out of memory\" of {} runs",
            self.false_fit, self.false_oom, self.judged
        ));
        line(format_args!(
            "  of quality C         {} false \"fits\", {} false \"out of memory\" of {} runs",
            self.weak.false_fit, self.weak.false_oom, self.weak.judged
        ));
        text
    }
}

/// Relative errors of the rows that count.
fn errors(rows: &[MemoryRow], of: fn(&MemoryRow) -> Option<f64>) -> Vec<f64> {
    let scored = rows.iter().filter(|row| row.scored && !row.failed);
    scored.filter_map(|row| Some(of(row)? / 100.0)).collect()
}

fn grouped(
    rows: &[MemoryRow],
    key: fn(&MemoryRow) -> &String,
    of: fn(&MemoryRow) -> Option<f64>,
) -> BTreeMap<String, Summary> {
    let mut groups: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.scored && !row.failed) {
        if let Some(error) = of(row) {
            groups.entry(key(row).clone()).or_default().push(error / 100.0);
        }
    }
    groups.into_iter().map(|(name, errors)| (name, Summary::of(&errors))).collect()
}

/// In percent: measured over predicted within the band.
fn coverage(rows: &[MemoryRow]) -> f64 {
    let scored = rows.iter().filter(|row| row.scored && !row.failed);
    let inside: Vec<f64> = scored
        .filter_map(|row| {
            let ratio = 1.0 / (1.0 + row.error_pct? / 100.0);
            let band = row.band?;
            Some(if (band.p10..=band.p90).contains(&ratio) { 1.0 } else { 0.0 })
        })
        .collect();
    share(&inside, |inside| inside > 0.5)
}

fn over_families(families: &BTreeMap<String, Summary>) -> f64 {
    let means: Vec<f64> = families.values().map(|family| family.mape_pct).collect();
    mean(&means)
}

impl Constant {
    fn of(fitted: &Fitted) -> Self {
        let Fitted { name, value, counted, range, families } = *fitted;
        Self { name, value, counted, range, families }
    }
}

impl LeftOut {
    fn of(rows: &[MemoryRow]) -> Self {
        let families = grouped(rows, |row| &row.family, |row| row.left_out_error_pct);
        let pooled = Summary::of(&errors(rows, |row| row.left_out_error_pct));
        Self {
            macro_mape_pct: over_families(&families),
            median_pct: pooled.median_pct,
            p90_pct: pooled.p90_pct,
            families,
        }
    }
}

impl Judged {
    fn of<'a>(rows: impl Iterator<Item = &'a MemoryRow>) -> Self {
        let mut judged = Self::default();
        let judged_rows = rows.filter(|row| row.failed || row.measured_gib.is_some());
        for row in judged_rows.filter(|row| row.layout_stated) {
            judged.judged += 1;
            judged.false_fit += usize::from(row.failed && row.verdict == Verdict::Fits);
            judged.false_oom += usize::from(!row.failed && row.verdict == Verdict::DoesNotFit);
        }
        judged
    }
}

impl MemoryRow {
    fn of(measured: &Measured, peak: &Peak) -> Self {
        let printed = Measured::number(&measured.peak_mem_gib);
        let both = printed.zip(peak.as_printed);
        let bytes = both.map(|(printed, (kind, _))| kind.bytes(printed));
        let error = both
            .zip(bytes)
            .map(|((_, (_, predicted)), bytes)| 100.0 * (predicted / bytes.base() - 1.0));
        Self {
            id: measured.id.clone(),
            family: measured.family.clone(),
            kind: peak.as_printed.map_or_else(String::new, |(kind, _)| kind.key().to_owned()),
            framework: peak.framework.key(),
            band: peak.as_printed.map(|(kind, _)| band(peak.framework, kind)),
            quality: measured.quality.clone(),
            scored: measured.trusted(),
            layout_stated: peak.layout_stated,
            failed: measured.out_of_memory(),
            verdict: peak.verdict,
            stage: peak.worst.stage,
            instant: peak.worst.instant,
            measured_gib: bytes.map(planner::units::Bytes::as_gib),
            predicted_gib: peak
                .as_printed
                .map(|(_, predicted)| planner::units::Bytes::new(predicted).as_gib()),
            error_pct: error,
            left_out_error_pct: bytes
                .zip(peak.left_out)
                .map(|(bytes, predicted)| 100.0 * (predicted / bytes.base() - 1.0)),
            parts_gib: parts(&peak.worst.parts),
        }
    }
}

fn parts(parts: &MemoryParts) -> BTreeMap<&'static str, f64> {
    [
        ("weights", parts.weights),
        ("gradients", parts.gradients),
        ("optimizer", parts.optimizer),
        ("activations", parts.activations),
        ("working", parts.working),
        ("logits", parts.logits),
        ("buffers", parts.buffers),
        ("runtime", parts.runtime),
    ]
    .into_iter()
    .map(|(name, bytes)| (name, bytes.as_gib()))
    .collect()
}
