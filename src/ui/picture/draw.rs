//! Marks and links as SVG. Everything lies in one group whose transform the canvas writes.

use planner::cluster::{ClusterSpec, MarkKind, PictureId, Tier};
use yew::prelude::*;

use super::labels;
use crate::text::Text;
use crate::view::{Load, PlacedLink, PlacedMark, Rect, Scene, level, width};

/// What the drawing needs beside the places.
pub(super) struct Drawing<'a> {
    pub scene: &'a Scene,
    pub spec: &'a ClusterSpec,
    pub loads: &'a [Load],
    pub selected: Option<PictureId>,
    /// The mark that Tab reaches.
    pub reached: Option<PictureId>,
    pub text: &'a Text,
    pub on_press: &'a Callback<PictureId>,
    pub on_key: &'a Callback<(PictureId, KeyboardEvent)>,
}

/// A mark narrower than this writes more than three characters smaller.
const LONG: f64 = 50.0;

/// Above this many bundles the lines are drawn faintly, so that they read as a weave.
const DENSE: usize = 48;

impl Drawing<'_> {
    /// Open nodes lowest, then links, then the other marks.
    pub(super) fn world(&self) -> Html {
        let dense = self.scene.links.len() > DENSE;
        let marks = |open: bool| {
            let marks = self.scene.marks.iter().filter(move |one| one.mark.expanded == open);
            html! { <g class="marks">{ for marks.map(|placed| self.mark(placed)) }</g> }
        };
        html! {
            <>
                { marks(true) }
                <g class={classes!("links", dense.then_some("is-dense"))}>
                    { for self.scene.links.iter().map(|link| self.link(link)) }
                </g>
                { marks(false) }
            </>
        }
    }

    /// Names of the rows and of the links between them, left of the drawing.
    pub(super) fn gutter(&self) -> Html {
        let x = format!("{:.1}", self.scene.bounds.x - 14.0);
        let mut kinds = Vec::new();
        for link in &self.scene.links {
            if !kinds.iter().any(|(kind, _)| *kind == link.bundle.kind) {
                kinds.push((link.bundle.kind, link));
            }
        }
        html! {
            <>
                { for self.scene.rows.iter().filter_map(|row| {
                    let name = labels::row(row.tier, self.scene, self.spec, self.text)?;
                    Some(html! {
                        <text class="row-name" x={x.clone()} y={px(row.y)} dy="0.35em"
                            text-anchor="end">{ name }</text>
                    })
                }) }
                { for kinds.into_iter().map(|(kind, link)| {
                    let load = self.load(link);
                    html! {
                        <text class="link-name" x={x.clone()} y={px(link.middle.y)}
                            text-anchor="end">
                            <tspan x={x.clone()} dy={if load.is_some() { "-0.25em" } else { "0.35em" }}>
                                { self.text.get(&format!("link-{}", kind.key())) }{ " " }
                                { self.text.bandwidth(link.bundle.capacity) }
                            </tspan>
                            if let Some(load) = load {
                                <tspan class="link-load" x={x.clone()} dy="1.25em">
                                    { self.text.with("picture-step-load", &[
                                        ("bytes", labels::traffic(load, &link.bundle, self.text)),
                                        ("share", self.text.percent(load.busy)),
                                    ]) }
                                </tspan>
                            }
                        </text>
                    }
                }) }
            </>
        }
    }

    fn load(&self, link: &PlacedLink) -> Option<&Load> {
        self.loads.iter().find(|load| load.kind == link.bundle.kind)
    }

    fn link(&self, link: &PlacedLink) -> Html {
        let load = self.load(link);
        let bundle = &link.bundle;
        let heat = load
            .map_or_else(|| "is-unknown".to_owned(), |load| format!("heat-{}", level(load.busy)));
        let touched = self.selected.is_some_and(|id| id == bundle.from || id == bundle.to);
        html! {
            <path key={format!("{}/{}", bundle.from, bundle.to)}
                class={classes!("link", heat, touched.then_some("is-selected"))}
                d={link.path.clone()} stroke-width={format!("{:.1}", width(bundle.capacity))}>
                <title>{ labels::bundle(bundle, load, self.text) }</title>
            </path>
        }
    }

    fn mark(&self, placed: &PlacedMark) -> Html {
        let mark = placed.mark;
        let name = labels::mark(&mark, self.spec, self.text);
        let look = match mark.kind {
            MarkKind::Spine | MarkKind::Leaf => "is-fabric",
            MarkKind::NvSwitch | MarkKind::Host => "is-inner",
            MarkKind::Gpu => "is-gpu",
            MarkKind::Nodes => "is-nodes",
            MarkKind::Node => "is-node",
        };
        let class = classes!(
            "mark",
            look,
            mark.expanded.then_some("is-open"),
            (self.selected == Some(mark.id)).then_some("is-selected")
        );
        let drawn = html! {
            <>
                <title>{ name.clone() }</title>
                { frame(placed) }
                { self.caption(placed) }
            </>
        };
        let id = mark.id;
        let onclick = self.on_press.reform(move |event: MouseEvent| {
            event.stop_propagation();
            id
        });
        if !mark.expandable {
            return html! { <g key={mark.id.to_string()} {class} {onclick}>{ drawn }</g> };
        }
        let onkeydown = self.on_key.reform(move |event: KeyboardEvent| (id, event));
        let tabindex = if self.reached == Some(mark.id) { "0" } else { "-1" };
        html! {
            <g key={mark.id.to_string()} id={element_id(mark.id)} {class} role="button" {tabindex}
                aria-expanded={mark.expanded.to_string()} aria-label={name} {onclick} {onkeydown}>
                { drawn }
            </g>
        }
    }

    fn caption(&self, placed: &PlacedMark) -> Html {
        let mark = &placed.mark;
        let centre = placed.rect.centre();
        let caption = labels::inside(mark, self.spec, self.text);
        if mark.expanded {
            return html! {
                <text class="mark-name is-start" x={px(placed.rect.x + 8.0)}
                    y={px(placed.rect.y + 17.0)}>
                    { labels::mark(mark, self.spec, self.text) }
                </text>
            };
        }
        let dots = match mark.kind {
            MarkKind::Node => gpu_dots(&placed.rect, self.spec.gpus_per_node),
            MarkKind::Spine
            | MarkKind::Leaf
            | MarkKind::Nodes
            | MarkKind::NvSwitch
            | MarkKind::Host
            | MarkKind::Gpu => None,
        };
        let y = if dots.is_some() { placed.rect.y + 10.0 } else { centre.y };
        let long = caption.chars().count() > 3 && placed.rect.width < LONG;
        let small = (long || dots.is_some()).then_some("is-small");
        html! {
            <>
                <text class={classes!("mark-name", small)} x={px(centre.x)} y={px(y)} dy="0.35em"
                    text-anchor="middle">{ caption }</text>
                if let Some(path) = dots {
                    <path class="dots" d={path} />
                }
            </>
        }
    }
}

/// The id of a mark's element, for the focus.
pub(super) fn element_id(id: PictureId) -> String {
    format!("mark-{id}")
}

fn frame(placed: &PlacedMark) -> Html {
    let rect = placed.rect;
    let radius = match placed.mark.tier {
        Tier::Spine | Tier::Leaf | Tier::Switch => 3.0,
        Tier::Node | Tier::Gpu => 6.0,
    };
    let behind = (placed.mark.kind == MarkKind::Nodes).then(|| {
        html! {
            <rect class="frame-behind" x={px(rect.x + 3.0)} y={px(rect.y - 3.0)}
                width={px(rect.width)} height={px(rect.height)} rx={px(radius)} />
        }
    });
    html! {
        <>
            { for behind }
            <rect class="mark-frame" x={px(rect.x)} y={px(rect.y)} width={px(rect.width)}
                height={px(rect.height)} rx={px(radius)} />
        </>
    }
}

/// The GPUs of a closed node as squares in two rows, in one path; none when they are too many.
fn gpu_dots(rect: &Rect, gpus: u32) -> Option<String> {
    if !(1..=16).contains(&gpus) {
        return None;
    }
    let across = gpus.div_ceil(2).max(2);
    let pitch = ((rect.width - 8.0) / f64::from(across)).min(7.0);
    let side = pitch - 2.0;
    let left = rect.centre().x - f64::from(across) * pitch / 2.0 + 1.0;
    let path: Vec<String> = (0..gpus)
        .map(|gpu| {
            let (row, column) = (gpu / across, gpu % across);
            let x = left + f64::from(column) * pitch;
            let y = rect.y + 19.5 + f64::from(row) * pitch;
            format!("M{x:.1} {y:.1}h{side:.1}v{side:.1}h-{side:.1}z")
        })
        .collect();
    Some(path.concat())
}

fn px(value: f64) -> String {
    format!("{value:.1}")
}
