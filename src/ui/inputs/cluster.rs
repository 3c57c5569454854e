//! Section 3: a template and three numbers; all fields behind a disclosure.

use planner::cluster::{ClusterSpec, templates};
use planner::units::BitsPerSecond;
use project::Command;
use yew::{AttrValue, Callback, Html, Properties, component, html, use_context};

use super::Section;
use super::choices::{number, whole};
use super::cluster_fields::ClusterFields;
use crate::text::Text;
use crate::ui::fields::{Select, Unit};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ClusterProps {
    pub cluster: ClusterSpec,
    pub on_edit: Callback<Command>,
}

#[component]
pub(super) fn ClusterSection(props: &ClusterProps) -> Html {
    let Some(text) = use_context::<Text>() else { return Html::default() };
    let ClusterProps { cluster, on_edit } = props;
    let gpus = f64::from(cluster.nodes) * f64::from(cluster.gpus_per_node);
    let total = text.counted("cluster-gpus", gpus, &[]);
    let nic_speed = on_edit.reform(|gbps: f64| Command::NicSpeed(BitsPerSecond::gbps(gbps)));
    let nic = (cluster.nic_speed.as_gbps(), Unit::Gbps);
    let extra = html! { <span class="hint">{ total }</span> };
    html! {
        <Section number={3} title="section-cluster" {extra}>
            { template(&text, cluster, on_edit) }
            { whole(&text, "cluster.nodes", cluster.nodes, on_edit, Command::Nodes) }
            { whole(&text, "cluster.gpus_per_node", cluster.gpus_per_node, on_edit,
                Command::GpusPerNode) }
            if cluster.nics_per_node > 0 {
                { number(&text, "cluster.nic_gbps", nic, nic_speed) }
            }
            <details class="more">
                <summary>{ text.get("cluster-all-fields") }</summary>
                <ClusterFields cluster={cluster.clone()} on_edit={on_edit.clone()} />
            </details>
        </Section>
    }
}

/// The template that the cluster equals, else "own".
fn template(text: &Text, cluster: &ClusterSpec, on_edit: &Callback<Command>) -> Html {
    let templates = templates();
    let value = templates
        .iter()
        .position(|template| template.spec == *cluster)
        .map_or(0, |index| index + 1);
    let mut choices = vec![AttrValue::from(text.get("template-own"))];
    choices.extend(
        templates.iter().map(|template| text.get(&format!("template-{}", template.id)).into()),
    );
    let on_choose = {
        let on_edit = on_edit.clone();
        Callback::from(move |index: usize| {
            if let Some(template) = index.checked_sub(1).and_then(|index| templates.get(index)) {
                on_edit.emit(Command::Cluster(template.spec.clone()));
            }
        })
    };
    html! {
        <Select
            id="cluster.template"
            label={text.get("cluster-template")}
            {value}
            {choices}
            soft_first={true}
            {on_choose}
        />
    }
}
