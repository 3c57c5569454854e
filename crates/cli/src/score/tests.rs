//! The published table, broken tables, and what may feed a prediction.

use super::report::Score;
use super::*;

const TABLE: &str = include_str!("../../../../data/reference/training_measured.csv");

fn score(text: &str) -> Score {
    let outcomes: Vec<Outcome> = rows(text).unwrap().into_iter().map(Outcome::of).collect();
    Score::of(&outcomes)
}

#[test]
fn measured_runs_are_met() {
    let score = score(TABLE);
    println!("{}", score.table());
    let value = serde_json::to_value(&score).unwrap();
    let number = |key: &str| value.get(key).and_then(serde_json::Value::as_f64).unwrap();
    assert!(number("macro_mape_pct") < 8.5);
    assert!(number("median_pct") < 5.2);
    assert!(number("within_10_pct") > 74.0);
    assert!(value["ranking"]["regret_pct"].as_f64().unwrap() < 2.0);
    assert!(value["not_expressible"].as_array().unwrap().len() < 30);
    assert_eq!(rows(TABLE).unwrap().len(), 738);
}

/// The bars of ACCURACY.md on peaks, and the same with each family left out.
#[test]
fn published_peaks_are_met() {
    let value = serde_json::to_value(score(TABLE)).unwrap();
    let memory = |path: &str| value.pointer(&format!("/memory/{path}")).unwrap().clone();
    let number = |path: &str| memory(path).as_f64().unwrap();
    assert!(number("n") >= 128.0);
    assert!(number("macro_mape_pct") <= 2.7, "{}", number("macro_mape_pct"));
    assert!(number("median_pct") <= 1.8, "{}", number("median_pct"));
    assert!(number("p90_pct") <= 6.5, "{}", number("p90_pct"));
    assert!(number("left_out/macro_mape_pct") <= 3.9);
    assert!(number("left_out/p90_pct") <= 8.0);
    assert!(number("band_coverage_pct") >= 78.0, "{}", number("band_coverage_pct"));
    assert_eq!(memory("false_fit"), 0);
    assert_eq!(memory("false_oom"), 0);
    assert_eq!(memory("weak/false_fit"), 0);
}

#[test]
fn measured_columns_feed_nothing() {
    let mut reader = csv::Reader::from_reader(TABLE.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&headers).unwrap();
    let measured = [
        "step_time_s",
        "tokens_per_s_per_gpu",
        "tflops_per_gpu_model",
        "tflops_per_gpu_hardware",
        "mfu_pct",
        "peak_mem_GiB",
        "step_time_derived_s",
        "family",
        "source",
        "id",
        "note",
    ];
    for record in reader.records() {
        let record = record.unwrap();
        let changed = headers
            .iter()
            .zip(&record)
            .map(|(header, cell)| if measured.contains(&header) { "1" } else { cell });
        writer.write_record(changed).unwrap();
    }
    let changed = String::from_utf8(writer.into_inner().unwrap()).unwrap();
    let predictions = |text: &str| -> Vec<String> {
        let rows = rows(text).unwrap();
        rows.iter().map(|row| format!("{:?}", predict::predict(&row.configuration))).collect()
    };
    assert_eq!(predictions(TABLE), predictions(&changed));
}

#[test]
fn a_table_without_its_columns_is_refused() {
    assert!(training("a,b\n1,2\n", false).is_err());
    assert!(training("", true).is_err());
}

#[test]
fn cells_of_nonsense_are_listed_not_fatal() {
    let header = TABLE.lines().next().unwrap();
    let columns = header.split(',').count();
    for cell in ["", "-1", "1e300", "NaN", "99999999999", "🙂", "0"] {
        let line = vec![cell; columns].join(",");
        let text = format!("{header}\n{line}\n");
        assert!(training(&text, true).unwrap().contains("reason"), "{cell}");
    }
}
