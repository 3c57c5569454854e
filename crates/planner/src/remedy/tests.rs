use super::*;
use crate::cluster::fixtures::hgx;
use crate::estimate::Verdict;
use crate::explain::{Remedy, RemedyStep};
use crate::strategy::tests::job;
use crate::strategy::{Framework, Offload, Pins, Precision, Recompute, Zero};
use crate::units::{Bytes, Seconds};

fn found(field: &'static str, seconds: f64, gpus: u32) -> Remedy {
    let words = (Some("a".to_owned()), Some("b".to_owned()));
    let before = Pace::new(Seconds::new(10.0), &job(64), 8);
    let pace = Pace::new(Seconds::new(seconds), &job(64), gpus);
    let memory = ("device", Bytes::gib(40.0));
    remedy(vec![step(field, words)], Some(&before), &Found { verdict: Verdict::Fits, memory, pace })
}

#[test]
fn cheapest_first_then_hardware_then_what_trains_otherwise() {
    let list = rank(vec![
        found("precision", 5.0, 8),
        found("nodes", 6.0, 16),
        found("zero", 12.0, 8),
        found("recompute", 13.0, 8),
        found("zero", 11.0, 8),
        found("offload", 9.0, 8),
        found("tp", 14.0, 8),
    ]);
    let said: Vec<_> =
        list.iter().map(|one| (one.steps[0].field.as_ref(), one.time_cost.unwrap())).collect();
    let fields: Vec<_> = said.iter().map(|(field, _)| *field).collect();
    assert_eq!(fields, ["offload", "zero", "recompute", "tp", "nodes"]);
    assert!((said[1].1 - 0.1).abs() < 1e-12, "{said:?}");
}

#[test]
fn hours_of_gpus_are_said_where_there_are_more() {
    let has = |remedy: &Remedy| remedy.proof.iter().any(|one| one.name == "gpu_hours_change");
    assert!(has(&found("nodes", 6.0, 16)));
    assert!(!has(&found("zero", 6.0, 8)));
    assert!(found("kind", 6.0, 8).alters_training);
}

#[test]
fn each_word_of_a_pin_is_read_again() {
    for framework in [Framework::MegatronCore, Framework::DeepSpeed, Framework::Torchtitan] {
        for zero in [Zero::None, Zero::Optimizer, Zero::Gradients, Zero::Weights] {
            for recompute in [Recompute::None, Recompute::Selective, Recompute::Full] {
                for offload in [Offload::None, Offload::Optimizer, Offload::OptimizerAndWeights] {
                    let all = Pins {
                        activation_offload: None,
                        framework: Some(framework),
                        tp: Some(8),
                        pp: Some(4),
                        vpp: Some(2),
                        cp: Some(1),
                        ep: Some(16),
                        zero: Some(zero),
                        micro_batch: Some(3),
                        recompute: Some(recompute),
                        offload: Some(offload),
                    };
                    let mut read = Pins::default();
                    for field in pinned_fields(&all) {
                        assert!(pin(&mut read, field, word(&all, field).as_deref()), "{field}");
                    }
                    assert_eq!(read, all);
                    pinned_fields(&all).for_each(|field| assert!(pin(&mut read, field, None)));
                    assert_eq!(read, Pins::default());
                }
            }
        }
    }
}

#[test]
fn a_step_is_carried_out_or_refused() {
    let mut inputs = (job(64), hgx("h100-sxm", 2, 400.0), Pins::default());
    let mut carry = |field: &'static str, to: &str| {
        let words = (None, Some(to.to_owned()));
        let steps: Vec<RemedyStep> = vec![step(field, words)];
        let remedy = Remedy { steps, time_cost: None, alters_training: false, proof: Vec::new() };
        let (job, cluster, pins) = &mut inputs;
        apply(&remedy, &mut Target { job, cluster, pins })
    };
    assert!(carry("nodes", "9"));
    assert!(carry("nic_speed", "200 Gb/s"));
    assert!(carry("precision", "pure-bf16"));
    assert!(!carry("nodes", "many"));
    assert!(!carry("zero", "3"));
    assert!(!carry("attention", "flash"));
    assert_eq!(inputs.1.nodes, 9);
    assert_eq!(inputs.0.precision, Precision::PureBf16);
    assert_eq!(inputs.2, Pins::default());
}
