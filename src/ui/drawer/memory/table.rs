//! The numbers of the bars as a table; every number opens to its formula and source.

use planner::estimate::{InstantMemory, Memory};
use planner::explain::{Quantity, Term};
use planner::units::Bytes;
use yew::prelude::*;

use super::groups::Group;
use super::{PLACE, stage_numbers};
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

pub(super) fn table(
    groups: &[Group<'_>],
    (memory, gpus): (&Memory, u32),
    used: &[bool],
    on_open: Option<&Callback<Cell>>,
    text: &Text,
) -> Html {
    let names: Vec<Part> = shown(memory_parts(&memory.worst.parts, text), used).collect();
    html! {
        <div class="table-frame" tabindex="0" role="region" aria-label={text.get("memory-title")}>
            <table class="data-table">
                <caption class="unseen">{ text.get("memory-title") }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ text.get("memory-stage") }</th>
                        <th scope="col" class="is-number">{ text.get("memory-gpu-column") }</th>
                        <th scope="col" class="is-number">{ text.get("memory-device") }</th>
                        { for names.iter().map(|part| html! {
                            <th scope="col" class="is-number">
                                { swatch(PLACE, part.colour, part.pattern) }{ part.label.clone() }
                            </th>
                        }) }
                    </tr>
                </thead>
                <tbody>
                    { for groups.iter().map(|group| {
                        let columns = Columns { used, gpus, on_open };
                        row(group, &columns, text)
                    }) }
                </tbody>
                <tfoot>
                    <tr>
                        <th scope="row">{ text.get("memory-capacity") }</th>
                        <td></td>
                        <td class="is-number">{ text.bytes_gib(memory.capacity) }</td>
                        <td colspan={names.len().to_string()}></td>
                    </tr>
                </tfoot>
            </table>
        </div>
    }
}

/// What all rows share.
struct Columns<'a> {
    used: &'a [bool],
    /// GPUs of one stage.
    gpus: u32,
    on_open: Option<&'a Callback<Cell>>,
}

fn row(group: &Group<'_>, columns: &Columns<'_>, text: &Text) -> Html {
    let stages = group.last - group.first + 1;
    html! {
        <tr key={group.first}>
            <th scope="row">{ stage_numbers(group, text) }</th>
            <td class="is-number">{ text.count(f64::from(columns.gpus * stages)) }</td>
            { match group.at {
                Some(at) => cells(group, at, columns, text),
                None => html! {
                    <td class="soft" colspan={(count(columns.used) + 1).to_string()}>
                        { text.get("memory-not-here") }
                    </td>
                },
            } }
        </tr>
    }
}

fn cells(group: &Group<'_>, at: &InstantMemory, columns: &Columns<'_>, text: &Text) -> Html {
    let stage = text.with("subject-stage", &[("stage", stage_numbers(group, text))]);
    let cell = |part: Option<&'static str>, name: String, value: String| Cell {
        stage: group.first,
        part,
        title: text.with("memory-cell", &[("part", name), ("stage", stage.clone())]),
        value,
    };
    let parts = memory_parts(&at.parts, text).into_iter().zip(MEMORY_PARTS);
    html! {
        <>
            <td class="is-number" title={text.quantity_exact(&Quantity::Bytes(at.device))}>
                { number(
                    cell(None, text.get("memory-device"), text.bytes_gib(at.device)),
                    at.device > Bytes::ZERO,
                    columns,
                    text,
                ) }
            </td>
            { for shown(parts, columns.used).map(|(part, key)| html! {
                <td class="is-number" key={key}>
                    { number(cell(Some(key), part.label, part.text), part.value > 0.0, columns, text) }
                </td>
            }) }
        </>
    }
}

/// A button that opens the number, where there is something to open.
fn number(cell: Cell, some: bool, columns: &Columns<'_>, text: &Text) -> Html {
    let Some(on_open) = columns.on_open.filter(|_| some) else {
        return html! { <span class={classes!((!some).then_some("soft"))}>{ cell.value }</span> };
    };
    let label =
        text.with("figure-explain", &[("name", cell.title.clone()), ("value", cell.value.clone())]);
    let value = cell.value.clone();
    html! {
        <button type="button" class="number" aria-haspopup="dialog" aria-label={label}
            onclick={on_open.reform(move |_: MouseEvent| cell.clone())}>{ value }</button>
    }
}

/// The items whose part is used.
fn shown<T>(items: impl IntoIterator<Item = T>, used: &[bool]) -> impl Iterator<Item = T> {
    items.into_iter().zip(used).filter(|(_, used)| **used).map(|(item, _)| item)
}

fn count(used: &[bool]) -> usize {
    used.iter().filter(|used| **used).count()
}
