//! Section 3: a template and three numbers; all fields behind a disclosure.

use planner::catalog;
use planner::cluster::{ClusterSpec, Template, templates};
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

/// The machine that the cluster is built of, else "own".
fn template(text: &Text, cluster: &ClusterSpec, on_edit: &Callback<Command>) -> Html {
    let machines = machines();
    let value = machines
        .iter()
        .position(|template| same_machine(&template.spec, cluster))
        .map_or(0, |index| index + 1);
    let mut choices = vec![AttrValue::from(text.get("template-own"))];
    choices.extend(
        machines.iter().map(|template| text.get(&format!("template-{}", template.machine)).into()),
    );
    let on_choose = {
        let (on_edit, now) = (on_edit.clone(), cluster.clone());
        Callback::from(move |index: usize| {
            if let Some(template) = index.checked_sub(1).and_then(|index| machines.get(index)) {
                on_edit.emit(Command::Cluster(rebuilt(template, &now)));
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

/// One template for each machine, the one with most nodes.
fn machines() -> Vec<Template> {
    let mut machines: Vec<Template> = Vec::new();
    for template in templates().into_iter().rev() {
        if machines.iter().all(|known| known.machine != template.machine) {
            machines.push(template);
        }
    }
    machines.reverse();
    machines
}

/// Whether the nodes are that machine. How many there are, and what joins them beyond the NICs,
/// is not the machine's; the NICs of a lone node carry nothing.
fn same_machine(machine: &ClusterSpec, cluster: &ClusterSpec) -> bool {
    let node = machine.accelerator == cluster.accelerator
        && machine.gpus_per_node == cluster.gpus_per_node
        && machine.intra == cluster.intra;
    let network = machine.nics_per_node == cluster.nics_per_node
        && machine.nic_speed == cluster.nic_speed
        && machine.rail_optimized == cluster.rail_optimized;
    node && (network || cluster.nodes == 1)
}

/// The template's machine, as many as now where nodes are of the same size.
fn rebuilt(template: &Template, now: &ClusterSpec) -> ClusterSpec {
    let keeps = template.spec.gpus_per_node == now.gpus_per_node
        && (now.nodes == 1 || template.spec.nics_per_node > 0);
    match catalog::machine(template.machine) {
        Some(machine) if keeps => ClusterSpec::from_machine(machine, now.nodes),
        _ => template.spec.clone(),
    }
}
