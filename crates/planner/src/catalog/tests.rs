use super::*;
use crate::units::{Bytes, BytesPerSecond, FlopPerSecond};

#[test]
fn every_row_is_there_and_refers_to_rows() {
    assert_eq!((accelerators().len(), machines().len()), (66, 74));
    for machine in machines() {
        assert!(accelerator(machine.accelerator).is_some(), "{}", machine.id);
    }
    for part in accelerators().iter().filter(|part| !part.variant_of.is_empty()) {
        assert!(accelerator(part.variant_of).is_some(), "{}", part.id);
    }
}

#[test]
fn a_package_of_two_is_two_devices() {
    let part = accelerator("mi250x").unwrap();
    assert_eq!(part.memory, Bytes::gib(64.0));
    assert_eq!(part.bf16, Some(FlopPerSecond::tflops(191.5)));
    assert_eq!(part.link_bandwidth, BytesPerSecond::gb_s(175.0));
    assert_eq!(machine("cloudmatrix-384").unwrap().gpus, 768);
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
