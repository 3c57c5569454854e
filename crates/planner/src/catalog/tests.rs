use std::collections::BTreeSet;
use std::fs;

use rust_decimal::Decimal;

use super::*;
use crate::units::{Bytes, BytesPerSecond, FlopPerSecond};

#[path = "../../build/catalog/tables.rs"]
mod reader;

fn read(name: &str) -> Result<String, String> {
    let path = format!("{}/../../data/catalog/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))
}

/// Changes one text of one file and expects the reader to refuse it with this message.
#[track_caller]
fn refused(file: &str, from: &str, to: &str, message: &str) {
    let changed = |name: &str| {
        let text = read(name)?;
        if name != file {
            return Ok(text);
        }
        assert!(text.contains(from), "{file} has no {from:?}");
        Ok(text.replacen(from, to, 1))
    };
    assert_eq!(reader::source(changed).unwrap_err(), message);
}

#[test]
fn the_counts_are_those_of_the_readme() {
    assert_eq!((accelerators().len(), machines().len()), (66, 74));
    assert_eq!((prices().len(), cny_prices().len()), (461, 64));
    assert_eq!((platforms().len(), platform_scopes().len()), (6, 7));
    assert_eq!((claims().len(), checks().len()), (107, 36));
    assert_eq!((thresholds().len(), scenarios().len()), (26, 7));
}

#[test]
fn ids_are_unique() {
    #[track_caller]
    fn check(ids: impl Iterator<Item = &'static str>) {
        let ids: Vec<_> = ids.collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    }
    check(accelerators().iter().map(|row| row.id));
    check(machines().iter().map(|row| row.id));
    check(platforms().iter().map(|row| row.id).chain(platform_scopes().iter().map(|row| row.id)));
    check(claims().iter().map(|row| row.id));
    check(checks().iter().map(|row| row.id));
    check(thresholds().iter().map(|row| row.id));
    check(scenarios().iter().map(|row| row.id));
}

#[test]
fn references_resolve() {
    let part = |id: &str| id.is_empty() || accelerator(id).is_some();
    let subject =
        |id: &str| platform(id).is_some() || platform_scopes().iter().any(|row| row.id == id);
    let claim = |id: &str| claims().iter().any(|row| row.id == id);
    assert!(accelerators().iter().all(|row| part(row.variant_of)));
    assert!(machines().iter().all(|row| accelerator(row.accelerator).is_some()));
    assert!(prices().iter().all(|row| part(row.accelerator)));
    assert!(cny_prices().iter().all(|row| accelerator(row.accelerator_id).is_some()));
    assert!(claims().iter().all(|row| subject(row.platform)));
    assert!(claims().iter().flat_map(|row| row.checks).all(|id| check(id).is_some()));
    assert!(thresholds().iter().all(|row| claim(row.claim)));
    assert!(scenarios().iter().all(|row| claim(row.claim) && subject(row.recommended)));
}

#[test]
fn every_check_is_about_a_claim() {
    let used: BTreeSet<_> = claims().iter().flat_map(|row| row.checks).collect();
    assert!(checks().iter().all(|row| used.contains(&row.id)));
}

#[test]
fn operations_hold_every_table() {
    let all = operations();
    let lengths = [
        all.failure_records.len(),
        all.failure_causes.len(),
        all.daly_examples.len(),
        all.storage_prices.len(),
        all.egress.len(),
        all.addons.len(),
        all.commitments.len(),
        all.reserved_medians.len(),
        all.pue.len(),
        all.grid.len(),
        all.training_energy.len(),
    ];
    assert_eq!(lengths, [9, 14, 3, 11, 7, 8, 5, 1, 6, 16, 5]);
    assert_eq!(all.failure_causes.iter().map(|row| row.count).sum::<u32>(), 419);
    assert_eq!(all.exchange.cny_per_usd, Decimal::new(71, 1));
    assert_eq!(all.exchange.date, "2025");
}

#[test]
fn the_worked_intervals_follow_young_and_daly() {
    for row in operations().daly_examples {
        let mtbf = 86400.0 / (f64::from(row.gpus) * row.rate_per_gpu_day);
        let interval = libm::sqrt(2.0 * row.write_s * row.mtbf_s);
        assert!((mtbf / row.mtbf_s - 1.0).abs() < 1e-3, "{mtbf} {}", row.mtbf_s);
        assert!((interval / row.interval_s - 1.0).abs() < 1e-3, "{interval} {}", row.interval_s);
    }
}

#[test]
fn a_package_of_two_is_two_devices() {
    let part = accelerator("mi250x").unwrap();
    assert_eq!(part.memory, Bytes::gib(64.0));
    assert_eq!(part.bf16, Some(FlopPerSecond::tflops(191.5)));
    assert_eq!(part.link_bandwidth, BytesPerSecond::gb_s(175.0));
    assert_eq!(machine("cloudmatrix-384").unwrap().gpus, 768);
    let rent = cny_prices().iter().find(|row| row.accelerator_id == "ascend-910c").unwrap();
    assert_eq!((rent.gpus, rent.cny_per_gpu_hour_min), (16, Decimal::new(5565, 3)));
}

#[test]
fn an_absent_rate_stays_absent() {
    assert_eq!(accelerator("a100-sxm-80g").unwrap().fp8, None);
    assert_eq!(accelerator("v100-sxm2-32g").unwrap().bf16, None);
}

#[test]
fn links_tell_switches_from_bridges() {
    assert_eq!(accelerator("h100-sxm").unwrap().link, Link::NvLink);
    assert_eq!(accelerator("rtx-3090").unwrap().link, Link::NvLinkBridge);
    assert_eq!(accelerator("rtx-4090").unwrap().link, Link::None);
    assert_eq!(accelerator("mi300x").unwrap().link, Link::Other);
}

#[test]
fn money_is_read_exactly() {
    let row = prices().iter().find(|row| row.instance == "p4d.24xlarge").unwrap();
    assert_eq!(row.on_demand_usd_per_hour, Some(Decimal::new(21_957_642, 6)));
}

#[test]
fn the_files_as_they_are_pass() {
    assert!(reader::source(read).is_ok());
}

#[test]
fn a_missing_field_is_named() {
    refused(
        "accelerators.toml",
        "vendor = \"nvidia\"\n",
        "",
        "accelerators.toml: accelerator `v100-sxm2-32g`: field `vendor` is missing",
    );
}

#[test]
fn a_value_out_of_range_is_named() {
    refused(
        "accelerators.toml",
        "year = 2017",
        "year = 17",
        "accelerators.toml: accelerator `v100-sxm2-32g`: field `year` is 17, \
         not a whole number of 2015 to 2030",
    );
}

#[test]
fn a_misspelt_field_is_named() {
    refused(
        "machines.toml",
        "rails = 8",
        "rail = 8",
        "machines.toml: machine `dgx-a100-80g`: field `rail` is unknown",
    );
}

#[test]
fn an_unknown_part_is_named() {
    refused(
        "prices.csv",
        "A100-40GB,a100-sxm-40g,",
        "A100-40GB,a100-sxm-40gb,",
        "prices.csv: line 2: field `accelerator_id` is `a100-sxm-40gb`, \
         which is no accelerator of the catalog",
    );
}

#[test]
fn a_second_row_with_the_same_id_is_named() {
    refused(
        "accelerators.toml",
        "id = \"v100-pcie-32g\"",
        "id = \"v100-sxm2-32g\"",
        "accelerators.toml: accelerator `v100-sxm2-32g`: field `id` is `v100-sxm2-32g`, \
         which an earlier row has too",
    );
}

#[test]
fn a_second_price_of_one_instance_is_named() {
    refused(
        "prices.csv",
        "us-east-2,21.95764",
        "us-east-1,21.95764",
        "prices.csv: line 3: field `instance` is `p4d.24xlarge`, \
         which an earlier row prices in this region too",
    );
}

#[test]
fn a_month_that_does_not_give_the_hour_is_named() {
    refused(
        "prices_cny.csv",
        "7.11,7.11,monthly",
        "7.11,8.11,monthly",
        "prices_cny.csv: line 10: field `cny_per_gpu_hour_max` does not agree with 7.11, \
         the node-month over GPUs and hours",
    );
}

#[test]
fn a_claim_without_its_check_is_named() {
    refused(
        "platforms.toml",
        "checks = [\"x-sources\"]",
        "checks = [\"x-source\"]",
        "platforms.toml: claim `a1-01`: field `checks` is `x-source`, \
         which is no check of the catalog",
    );
}

#[test]
fn an_unknown_word_is_named() {
    refused(
        "operations.toml",
        "kind = \"object\"",
        "kind = \"tape\"",
        "operations.toml: storage_price number 1: field `kind` is `tape`, \
         not one of object, block, parallel-fs",
    );
}

#[test]
fn a_table_that_nothing_reads_is_named() {
    refused("operations.toml", "[fx]", "[forex]", "operations.toml: no table `fx`");
    refused(
        "operations.toml",
        "[fx]",
        "[forex]\nrate = 7\n[fx]",
        "operations.toml: table `forex` is unknown",
    );
}
