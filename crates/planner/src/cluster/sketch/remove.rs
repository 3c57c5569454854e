//! What is left of a drawn cluster when parts or links of it fail.

use std::collections::BTreeSet;

use super::{Id, Kind, Sketch};
use crate::cluster::index::Index;

impl Sketch {
    /// Without these parts, all that lies in them, and every link that ends there.
    #[must_use]
    pub fn without(&self, dead: &BTreeSet<Id>) -> Self {
        let index = Index::new(&self.parts);
        let gone: Vec<bool> =
            self.parts.iter().map(|part| self.lies_in(part.id, dead, &index)).collect();
        let lives = |id: Id| index.place(id).and_then(|at| gone.get(at)) == Some(&false);
        Self {
            parts: self.parts.iter().filter(|part| lives(part.id)).cloned().collect(),
            links: self.links.iter().filter(|l| lives(l.from) && lives(l.to)).cloned().collect(),
            shares: self.shares.clone(),
        }
    }

    /// Without the links at these places of the list.
    #[must_use]
    pub fn without_links(&self, dead: &BTreeSet<usize>) -> Self {
        let links = self.links.iter().enumerate().filter(|(at, _)| !dead.contains(at));
        Self {
            parts: self.parts.clone(),
            links: links.map(|(_, link)| link.clone()).collect(),
            shares: self.shares.clone(),
        }
    }

    /// Without the leaves and ToRs of one rail: its NICs stand, but reach nothing.
    #[must_use]
    pub fn without_rail(&self, rail: u16) -> Self {
        let dead = self
            .parts
            .iter()
            .filter(|part| part.rail == Some(rail) && matches!(part.kind, Kind::Leaf | Kind::Tor));
        self.without(&dead.map(|part| part.id).collect())
    }

    /// Containment of a checked sketch ends; a cycle is left after as many steps as parts.
    fn lies_in(&self, id: Id, dead: &BTreeSet<Id>, index: &Index) -> bool {
        let mut at = Some(id);
        for _ in 0..=self.parts.len() {
            match at {
                Some(id) if dead.contains(&id) => return true,
                Some(id) => {
                    let part = index.place(id).and_then(|place| self.parts.get(place));
                    at = part.and_then(|part| part.within);
                }
                None => return false,
            }
        }
        false
    }
}
