//! Every field of the cluster.

use planner::catalog::{self, Confidence};
use planner::cluster::{ClusterSpec, Spine};
use planner::units::Bytes;
use project::Command;
use yew::{AttrValue, Callback, Html, Properties, component, html, use_context, use_memo};

use super::choices::{choice, label, number, to_u32, whole};
use crate::text::Text;
use crate::ui::fields::{Choice, Combobox, Switch, Unit};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ClusterFieldsProps {
    pub cluster: ClusterSpec,
    pub on_edit: Callback<Command>,
}

#[component]
pub(super) fn ClusterFields(props: &ClusterFieldsProps) -> Html {
    let text = use_context::<Text>();
    let gpus = use_memo(text.clone(), |text| accelerators(text.as_ref()));
    let Some(text) = text else { return Html::default() };
    let ClusterFieldsProps { cluster, on_edit } = props;
    let gpu = catalog::accelerator(&cluster.accelerator);
    let shown =
        gpu.map_or_else(|| AttrValue::from(cluster.accelerator.clone()), |gpu| gpu.name.into());
    let source = gpu.map(|gpu| {
        let confidence = match gpu.confidence {
            Confidence::High => "confidence-high",
            Confidence::Medium => "confidence-medium",
            Confidence::Low => "confidence-low",
        };
        let args = [("source", gpu.source.to_owned()), ("confidence", text.get(confidence))];
        AttrValue::from(text.with("catalog-source", &args))
    });
    let accelerator = on_edit.reform(|id: AttrValue| Command::Accelerator(id.to_string()));
    let intra = on_edit.reform(Command::Intra);
    let host = on_edit.reform(|gib: f64| Command::HostMemory(Bytes::gib(gib)));
    let host_value = (cluster.host_memory.as_gib(), Unit::Gib);
    html! {
        <>
            <Combobox
                id="cluster.accelerator"
                label={label(&text, "cluster.accelerator")}
                {shown}
                value={cluster.accelerator.clone()}
                choices={(*gpus).clone()}
                nothing={text.get("accelerator-nothing")}
                {source}
                on_choose={accelerator}
            />
            { choice(&text, "cluster.intra", "intra", cluster.intra, intra) }
            { number(&text, "cluster.host_memory_gib", host_value, host) }
            { whole(&text, "cluster.nics_per_node", cluster.nics_per_node, on_edit,
                Command::NicsPerNode) }
            if cluster.nics_per_node > 0 {
                { network(&text, cluster, on_edit) }
            }
        </>
    }
}

fn network(text: &Text, cluster: &ClusterSpec, on_edit: &Callback<Command>) -> Html {
    let fabric = on_edit.reform(Command::Fabric);
    let rails = on_edit.reform(Command::RailOptimized);
    let spine = on_edit.reform(|on: bool| {
        let new = Spine { nodes_per_segment: 0, oversubscription: 1.0 };
        Command::Spine(on.then_some(new))
    });
    html! {
        <>
            { choice(text, "cluster.fabric", "fabric", cluster.fabric, fabric) }
            <Switch
                id="cluster.rail_optimized"
                label={label(text, "cluster.rail_optimized")}
                on={cluster.rail_optimized}
                on_toggle={rails}
            />
            <Switch
                id="cluster.spine"
                label={label(text, "cluster.spine")}
                on={cluster.spine.is_some()}
                on_toggle={spine}
            />
            if let Some(spine) = cluster.spine {
                { spine_fields(text, spine, on_edit) }
            }
        </>
    }
}

fn spine_fields(text: &Text, spine: Spine, on_edit: &Callback<Command>) -> Html {
    let segment = {
        let on_edit = on_edit.clone();
        Callback::from(move |value: f64| {
            if let Some(nodes_per_segment) = to_u32(value) {
                on_edit.emit(Command::Spine(Some(Spine { nodes_per_segment, ..spine })));
            }
        })
    };
    let oversubscription = on_edit
        .reform(move |oversubscription| Command::Spine(Some(Spine { oversubscription, ..spine })));
    let per_segment = (f64::from(spine.nodes_per_segment), Unit::Count);
    let factor = (spine.oversubscription, Unit::Factor);
    html! {
        <>
            { number(text, "cluster.spine.nodes_per_segment", per_segment, segment) }
            { number(text, "cluster.spine.oversubscription", factor, oversubscription) }
        </>
    }
}

fn accelerators(text: Option<&Text>) -> Vec<Choice> {
    catalog::accelerators()
        .iter()
        .map(|gpu| Choice {
            id: gpu.id.into(),
            label: gpu.name.into(),
            detail: text.map(|text| text.bytes_gib(gpu.memory)).unwrap_or_default().into(),
        })
        .collect()
}
