//! The table of all cuts: one row for each class of sets.

use petgraph::Direction;

use super::super::LinkKind;
use super::super::index::usize_of;
use super::super::sketch::{Id, Kind, Medium, Sketch};
use super::flow::{least_cut, nearest};
use super::fold::{Bundle, Fold, Folded, Role};
use super::tree::{Item, Tree};
use super::twins::classes;
use crate::units::{BytesPerSecond, Seconds};

/// What a set is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Set {
    /// The GPUs of a part of that kind, against all others.
    Of(Kind),
    /// The NICs of one rail in a box, against all other NICs, over switches only.
    Rail(u16),
    /// The GPUs of a box against all storage: what it writes and reads.
    Storage(Kind),
}

/// Links that limit a cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    pub medium: Medium,
    /// One of them, as a place in the sketch's list; none for capacity that links share.
    pub link: Option<usize>,
    /// How many there are, bundles counted once.
    pub links: u64,
    /// All of them together.
    pub rate: BytesPerSecond,
}

/// A class of equal sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    pub set: Set,
    /// One of the class; none for the whole cluster.
    pub part: Option<Id>,
    /// Sets of the class.
    pub copies: u64,
    /// GPUs in one set; NICs of a rail.
    pub members: u64,
    /// What one set sends at most.
    pub send: BytesPerSecond,
    /// What one set receives at most.
    pub receive: BytesPerSecond,
    /// To the nearest member outside; none where nothing is reached.
    pub latency: Option<Seconds>,
    pub send_limits: Vec<Limit>,
    pub receive_limits: Vec<Limit>,
}

impl Cut {
    /// The share of `send` that links of one kind carry.
    pub fn send_over(&self, kind: LinkKind) -> BytesPerSecond {
        self.send_limits
            .iter()
            .filter(|limit| limit.medium.counted_as() == kind)
            .map(|limit| limit.rate)
            .sum()
    }
}

/// All cuts of a sketch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cuts {
    pub cuts: Vec<Cut>,
}

impl Cuts {
    /// Of a sketch without flaws; parts that flaws concern are left out.
    pub fn build(sketch: &Sketch) -> Self {
        let tree = Tree::new(sketch);
        let classes = classes(&tree);
        let fold = Fold { tree: &tree, classes: &classes };
        let mut builder = Builder { sketch, fold, stored: has_storage(sketch), cuts: Vec::new() };
        builder.walk(0, 1);
        let mut cuts = builder.cuts;
        cuts.sort_by_key(|cut| (cut.set, cut.part));
        Self { cuts }
    }

    /// The classes of one sort of set.
    pub fn at(&self, set: Set) -> impl Iterator<Item = &Cut> {
        self.cuts.iter().filter(move |cut| cut.set == set)
    }

    /// The class that sends least, for its members, of one sort of set.
    pub fn tightest(&self, set: Set) -> Option<&Cut> {
        let share = |cut: &Cut| cut.send.base() / float(cut.members);
        self.at(set).min_by(|one, other| share(one).total_cmp(&share(other)))
    }
}

struct Builder<'a> {
    sketch: &'a Sketch,
    fold: Fold<'a>,
    stored: bool,
    cuts: Vec<Cut>,
}

impl Builder<'_> {
    fn walk(&mut self, at: u32, copies: u64) {
        let Some(item) = self.fold.tree.item(at).copied() else { return };
        if at != 0 && item.kind.is_some_and(|kind| kind == Kind::Gpu || kind.holds_others()) {
            self.box_cuts(at, copies, &item);
        }
        self.rails(at, copies, &item);
        let below: Vec<(u32, u32)> = self.fold.kinds_below(at).collect();
        for (child, count) in below {
            self.walk(child, copies * u64::from(count));
        }
    }

    fn box_cuts(&mut self, at: u32, copies: u64, item: &Item) {
        let Some(kind) = item.kind else { return };
        let tree = self.fold.tree;
        let path = tree.path(at);
        let folded =
            self.fold.around(&path, |vertex| match tree.item(vertex).and_then(|i| i.kind) {
                Some(Kind::Gpu) if tree.holds(at, vertex) => Role::Inside,
                Some(Kind::Gpu) => Role::Outside,
                Some(Kind::Storage) => Role::Absent,
                _ => Role::Between,
            });
        self.push(Set::Of(kind), (copies, item), &folded, folded.set);
        if self.stored && folded.set > 0 && kind != Kind::Gpu {
            let gpus = folded.set;
            let folded =
                self.fold.around(&path, |vertex| match tree.item(vertex).and_then(|i| i.kind) {
                    Some(Kind::Gpu) if tree.holds(at, vertex) => Role::Inside,
                    Some(Kind::Storage) => Role::Outside,
                    _ => Role::Between,
                });
            self.push(Set::Storage(kind), (copies, item), &folded, gpus);
        }
    }

    /// Rails of a box that holds leaves or ToRs itself.
    fn rails(&mut self, at: u32, copies: u64, item: &Item) {
        let tree = self.fold.tree;
        let mut rails: Vec<u16> = tree
            .children(at)
            .filter_map(|child| tree.item(child))
            .filter(|item| matches!(item.kind, Some(Kind::Leaf | Kind::Tor)))
            .filter_map(|item| item.rail)
            .collect();
        rails.sort_unstable();
        rails.dedup();
        let path = tree.path(at);
        for rail in rails {
            let folded = self.fold.around(&path, |vertex| {
                let Some(Item { kind: Some(kind), rail: of, .. }) = tree.item(vertex) else {
                    return Role::Between;
                };
                match kind {
                    Kind::Nic if tree.holds(at, vertex) && *of == Some(rail) => Role::Inside,
                    Kind::Nic if of.is_some() => Role::Outside,
                    Kind::Storage => Role::Absent,
                    kind if kind.is_network() => Role::Between,
                    _ => Role::Absent,
                }
            });
            self.push(Set::Rail(rail), (copies, item), &folded, folded.set);
        }
    }

    fn push(&mut self, set: Set, (copies, item): (u64, &Item), folded: &Folded, members: u64) {
        if folded.set == 0 || folded.rest == 0 {
            return;
        }
        let send = least_cut(folded, Direction::Outgoing);
        let receive = least_cut(folded, Direction::Incoming);
        let part = item.part.and_then(|at| self.sketch.parts.get(usize_of(at)));
        self.cuts.push(Cut {
            set,
            part: part.map(|part| part.id),
            copies,
            members,
            send: rate(send.most),
            receive: rate(receive.most),
            latency: nearest(folded).map(Seconds::new),
            send_limits: send.bundles.iter().map(limit).collect(),
            receive_limits: receive.bundles.iter().map(limit).collect(),
        });
    }
}

fn has_storage(sketch: &Sketch) -> bool {
    sketch.parts.iter().any(|part| part.kind == Kind::Storage)
}

fn limit(bundle: &Bundle) -> Limit {
    let Bundle { medium, capacity, link, links, .. } = *bundle;
    Limit { medium, link: link.map(usize_of), links, rate: rate(capacity) }
}

fn rate(kilobytes: u64) -> BytesPerSecond {
    BytesPerSecond::gb_s(float(kilobytes) / 1e6)
}

fn float(count: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let count = count as f64;
    count
}
