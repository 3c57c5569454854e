use std::path::PathBuf;

use serde_json::Value;

use super::*;

fn samples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples/hf_configs")
}

fn sample(file: &str) -> String {
    std::fs::read_to_string(samples().join(file)).unwrap()
}

fn thousands(count: u64) -> f64 {
    f64::from(u32::try_from(count / 1000).unwrap())
}

#[test]
fn every_sample_counts_exactly() {
    let expected: Value = serde_json::from_str(&sample("expected.json")).unwrap();
    let rows = expected.as_object().unwrap();
    assert_eq!(rows.len(), 29);
    for (file, row) in rows {
        let counts = read_config(file, &sample(file)).unwrap().counts;
        assert_eq!(Some(counts.total), row["text_params"].as_u64(), "{file}");
        for (field, found) in [
            ("active_params_all", counts.active_all),
            ("active_params_no_input_embedding", counts.active_no_input_embedding),
        ] {
            let Some(wanted) = row[field].as_u64() else { continue };
            let tolerance = row["active_tolerance_rel"].as_f64().unwrap();
            let error = (thousands(found) / thousands(wanted) - 1.0).abs();
            assert!(error <= tolerance, "{file} {field}: {found} for {wanted}");
        }
    }
}
