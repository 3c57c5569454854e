//! The numbers of the bars as a table: a row a part, a column a group of equal stages, so that all
//! of it fits beside the answer. Every number opens to its formula and source.

use planner::estimate::{Instant, InstantMemory, Memory};
use planner::explain::{Quantity, Term};
use planner::units::Bytes;
use yew::prelude::*;

use super::groups::Group;
use super::{PLACE, room, stage_name};
use crate::text::Text;
use crate::ui::answer::{MEMORY_PARTS, memory_parts};
use crate::ui::chart::{Part, swatch};

/// A number of the table that can be opened.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Cell {
    /// Counted from 0.
    pub(super) stage: u32,
    /// The part's key; none for the whole device.
    pub(super) part: Option<&'static str>,
    pub(super) title: String,
    pub(super) value: String,
}

impl Cell {
    /// The cell's own part of the tree of its stage.
    pub(super) fn within(&self, tree: Term) -> Term {
        let Some(part) = self.part else { return tree };
        let key = format!("memory-{part}");
        find(&tree, &key).cloned().unwrap_or(tree)
    }
}

fn find<'a>(term: &'a Term, key: &str) -> Option<&'a Term> {
    if term.key == key {
        return Some(term);
    }
    term.children.iter().find_map(|child| find(child, key))
}

/// What the table is made of.
pub(super) struct Table<'a> {
    pub(super) groups: &'a [Group<'a>],
    pub(super) memory: &'a Memory,
    pub(super) instant: Instant,
    /// GPUs of one stage.
    pub(super) gpus: u32,
    /// Which parts have a row.
    pub(super) used: &'a [bool],
    pub(super) on_open: Option<&'a Callback<Cell>>,
    pub(super) text: &'a Text,
}

impl Table<'_> {
    pub(super) fn html(&self) -> Html {
        let text = self.text;
        let instant = text.get(&format!("instant-{}", self.instant.key()));
        let caption = text.with("memory-caption", &[("instant", instant)]);
        let rows = memory_parts(&self.memory.worst.parts, text)
            .into_iter()
            .enumerate()
            .zip(self.used)
            .filter(|(_, used)| **used)
            .map(|((place, part), _)| self.part(place, &part));
        html! {
            <div class="table-frame" tabindex="0" role="region" aria-label={caption.clone()}>
                <table class="data-table memory-table">
                    <caption>{ caption }</caption>
                    <thead>
                        <tr>
                            <th scope="col">{ text.get("memory-part") }</th>
                            { for self.groups.iter().map(|group| self.head(group)) }
                        </tr>
                    </thead>
                    <tbody>{ for rows }</tbody>
                    <tfoot>
                        { self.row("memory-device", |group, at| self.device(group, at)) }
                        { self.row("memory-room", |_, at| room(self.memory, at, text)) }
                    </tfoot>
                </table>
            </div>
        }
    }

    fn head(&self, group: &Group<'_>) -> Html {
        let gpus = self.text.counted("memory-gpus", f64::from(self.gpus * group.stages()), &[]);
        html! {
            <th scope="col" class="is-number" key={group.first}>
                { stage_name(group, self.text) }<span class="memory-gpus">{ gpus }</span>
            </th>
        }
    }

    /// The row of one part, by its place in a bar.
    fn part(&self, place: usize, named: &Part) -> Html {
        let head = html! {
            <>{ swatch(PLACE, named.colour, named.pattern) }{ named.label.clone() }</>
        };
        let key = MEMORY_PARTS.get(place).copied();
        self.cells(named.label.clone(), head, |group, at| {
            let part = memory_parts(&at.parts, self.text).into_iter().nth(place);
            part.map(|part| {
                let exact = Quantity::Bytes(Bytes::gib(part.value));
                self.number(self.cell(group, key, &part.label, part.text), &exact, part.value > 0.0)
            })
            .unwrap_or_default()
        })
    }

    fn device(&self, group: &Group<'_>, at: &InstantMemory) -> Html {
        let (name, value) = (self.text.get("memory-device"), self.text.bytes_gib(at.device));
        self.number(self.cell(group, None, &name, value), &Quantity::Bytes(at.device), true)
    }

    /// A row below the parts.
    fn row(&self, key: &str, value: impl Fn(&Group<'_>, &InstantMemory) -> Html) -> Html {
        let name = self.text.get(key);
        self.cells(name.clone(), name.into(), value)
    }

    fn cells(
        &self,
        key: String,
        head: Html,
        value: impl Fn(&Group<'_>, &InstantMemory) -> Html,
    ) -> Html {
        html! {
            <tr {key}>
                <th scope="row">{ head }</th>
                { for self.groups.iter().map(|group| match group.at {
                    Some(at) => html! {
                        <td class="is-number" key={group.first}>{ value(group, at) }</td>
                    },
                    None => html! {
                        <td class="is-number soft" key={group.first}
                            title={self.text.get("memory-not-here")}>{ "–" }</td>
                    },
                }) }
            </tr>
        }
    }

    fn cell(
        &self,
        group: &Group<'_>,
        part: Option<&'static str>,
        name: &str,
        value: String,
    ) -> Cell {
        let stage = stage_name(group, self.text);
        let title = self.text.with("memory-cell", &[("part", name.to_owned()), ("stage", stage)]);
        Cell { stage: group.first, part, title, value }
    }

    /// A button that opens the number, where there is something to open.
    fn number(&self, cell: Cell, exact: &Quantity, some: bool) -> Html {
        let title = self.text.quantity_exact(exact);
        let Some(on_open) = self.on_open.filter(|_| some) else {
            let soft = (!some).then_some("soft");
            return html! { <span class={classes!("number", soft)} {title}>{ cell.value }</span> };
        };
        let label = self
            .text
            .with("figure-explain", &[("name", cell.title.clone()), ("value", cell.value.clone())]);
        let value = cell.value.clone();
        html! {
            <button type="button" class="number" aria-haspopup="dialog" aria-label={label} {title}
                onclick={on_open.reform(move |_: MouseEvent| cell.clone())}>{ value }</button>
        }
    }
}
