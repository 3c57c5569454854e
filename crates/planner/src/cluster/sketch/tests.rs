//! Recipes of real machines, and what is refused.

use std::collections::BTreeSet;

use super::*;
use crate::catalog;
use crate::cluster::cuts::{Cuts, Set};
use crate::cluster::fixtures::hgx;
use crate::cluster::{ClusterSpec, check, templates};
use crate::units::{BytesPerSecond, Seconds};

fn draw(recipe: &Recipe) -> Sketch {
    recipe.sketch(catalog::accelerator).expect("a sound recipe")
}

#[test]
fn all_machines_of_the_catalog_and_all_templates_are_sound() {
    let machines = catalog::machines().iter().map(|row| ClusterSpec::from_machine(row, 2));
    let sound = machines.filter(|spec| {
        catalog::accelerator(&spec.accelerator).is_some_and(|row| check(spec, row).is_ok())
    });
    let specs: Vec<ClusterSpec> =
        sound.chain(templates().into_iter().map(|template| template.spec)).collect();
    assert!(specs.len() > 50, "{}", specs.len());
    for spec in specs {
        let sketch = draw(&Recipe::from_spec(&spec));
        assert_eq!(flaws(&sketch), [], "{spec:?}");
        assert_eq!(sketch.count(Kind::Gpu), (spec.nodes * spec.gpus_per_node) as usize);
        assert_eq!(sketch.count(Kind::Nic), (spec.nodes * spec.nics_per_node) as usize);
    }
}

#[test]
fn a_box_has_as_many_switches_as_said() {
    let template = templates().into_iter().find(|row| row.id == "h100-pcie-8").expect("a row");
    for count in 0..5 {
        let mut recipe = Recipe::from_spec(&template.spec);
        recipe.machines[0].slots = Slots::Switches(count);
        let sketch = draw(&recipe);
        assert_eq!(sketch.count(Kind::PcieSwitch), count as usize);
        assert_eq!(flaws(&sketch), []);
    }
}

#[test]
fn two_types_of_nodes_and_a_storage_stand_in_one_cluster() {
    let mut recipe = Recipe::from_spec(&hgx("h100-sxm", 4, 400.0));
    let other = hgx("a100-sxm-80g", 2, 200.0);
    recipe.machines.push(Machines { spec: other, slots: Slots::Usual });
    recipe.storage = Some(Storage {
        rate: BytesPerSecond::gb_s(30.0),
        iops: 1e6,
        nic: BytesPerSecond::gb_s(12.0),
    });
    let sketch = draw(&recipe);
    assert_eq!(flaws(&sketch), []);
    let cuts = Cuts::build(&sketch);
    let nodes: Vec<u64> = cuts.at(Set::Of(Kind::Node)).map(|cut| cut.copies).collect();
    assert_eq!(nodes, [4, 2]);
    let read: Vec<f64> =
        cuts.at(Set::Storage(Kind::Node)).map(|cut| cut.receive.as_gb_s()).collect();
    assert_eq!(read, [30.0, 30.0]);
    let text = serde_json::to_string(&sketch).expect("text");
    assert_eq!(serde_json::from_str::<Sketch>(&text).expect("a sketch"), sketch);
}

fn pair() -> Sketch {
    let link = Link {
        from: 5,
        to: 6,
        medium: Medium::NvLink,
        rate: BytesPerSecond::gb_s(50.0),
        latency: Seconds::micros(1.0),
        count: 1,
        share: None,
        measured: None,
    };
    Sketch {
        parts: vec![
            Part::new(9, Kind::Node, None),
            Part::new(5, Kind::Gpu, Some(9)),
            Part::new(6, Kind::Gpu, Some(9)),
        ],
        links: vec![link.reversed(), link],
        shares: Vec::new(),
    }
}

#[track_caller]
fn found(change: impl Fn(&mut Sketch), want: &[Flaw]) {
    let mut sketch = pair();
    change(&mut sketch);
    assert_eq!(flaws(&sketch), want);
}

#[test]
fn every_fault_names_its_element() {
    found(|_| {}, &[]);
    let (from, to) = (5, 6);
    found(|s| s.links[1].to = 5, &[Flaw::ToItself { link: 1, id: 5 }]);
    found(|s| s.links[1].to = 7, &[Flaw::UnknownEnd { link: 1, id: 7 }]);
    found(|s| s.links[1].to = 9, &[Flaw::EndsAtBox { link: 1, id: 9 }]);
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let rate = BytesPerSecond::gb_s(rate);
        found(|s| s.links[1].rate = rate, &[Flaw::NoCapacity { link: 1, from, to }]);
        found(|s| s.links[1].measured = Some(rate), &[Flaw::NoCapacity { link: 1, from, to }]);
    }
    let early = Seconds::micros(-1.0);
    found(|s| s.links[1].latency = early, &[Flaw::BadLatency { link: 1, from, to }]);
    found(|s| s.links[1].share = Some(3), &[Flaw::BadShare { link: 1, share: 3 }]);
    found(|s| s.parts[0].within = Some(9), &[Flaw::InsideItself { id: 9, through: 1 }]);
    found(|s| s.parts[1].within = Some(8), &[Flaw::UnknownBox { id: 5, within: 8 }]);
    found(|s| s.parts[1].within = Some(6), &[Flaw::InsideDevice { id: 5, within: 6 }]);
    found(|s| s.links.clear(), &[Flaw::Island { id: 6, others: 0 }]);
    found(|s| s.parts.push(Part::new(9, Kind::Rack, None)), &[Flaw::DoubleId { id: 9 }]);
    found(|s| s.parts.iter_mut().skip(1).for_each(|part| part.kind = Kind::Nic), &[Flaw::NoGpu]);
}

#[test]
fn a_long_cycle_of_boxes_is_named_and_ends() {
    let mut sketch = pair();
    let ring = (100..1100).map(|id| Part::new(id, Kind::Rack, Some(100 + (id - 99) % 1000)));
    sketch.parts.extend(ring);
    assert_eq!(flaws(&sketch), [Flaw::InsideItself { id: 100, through: 1000 }]);
    assert_eq!(Cuts::build(&sketch).at(Set::Of(Kind::Gpu)).count(), 2);
    assert_eq!(sketch.without(&BTreeSet::from([5])).count(Kind::Gpu), 1);
}

#[test]
fn more_parts_than_can_be_held_are_refused_by_number() {
    let mut sketch = pair();
    let last = u32::try_from(MOST_PARTS).expect("a number");
    sketch.parts = (0..=last).map(|id| Part::new(id, Kind::Gpu, None)).collect();
    assert_eq!(flaws(&sketch), [Flaw::TooLarge { parts: MOST_PARTS + 1, links: 2 }]);
}
