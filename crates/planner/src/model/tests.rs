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

/// Selection biases are in `params_computed` but are buffers of the library
/// (`data/catalog/README.md`, "Counting rules"), so they are added before comparing.
#[test]
fn every_preset_counts_exactly() {
    assert_eq!(presets().len(), 101);
    for preset in presets() {
        let counts = preset.model().unwrap().counts;
        let biases = u64::from(preset.selection_biases);
        assert_eq!(counts.total + biases, preset.params_computed, "{}", preset.id);
        if let Some(library) = preset.params_library {
            assert_eq!(counts.total, library, "{}", preset.id);
        }
        // The catalog takes the bias of the head away together with the input embedding.
        let head_bias = if preset.shape.head_bias { u64::from(preset.shape.vocab) } else { 0 };
        if let Some(active) = preset.active_computed {
            let found = [
                counts.active_all + biases,
                counts.active_no_input_embedding + biases - head_bias,
                counts.active_layers_only + biases,
            ];
            assert_eq!(found, active, "{}", preset.id);
        }
    }
}
