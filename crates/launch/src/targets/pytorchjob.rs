//! A Kubeflow PyTorchJob (kubeflow.org/v1; rules: reference/export_keys.md, section 7).

use planner::cluster::{ClusterSpec, Fabric};
use planner::strategy::Framework;
use serde::Serialize;

use super::{deepspeed, environment};
use crate::script::Argument;
use crate::{LaunchFile, Order, Refusal, Target, header, megatron, name, torchtitan};

pub(super) struct PyTorchJob;

impl Target for PyTorchJob {
    fn id(&self) -> &'static str {
        "pytorchjob"
    }

    fn version(&self) -> &'static str {
        "Kubeflow training-operator 1.9, PyTorchJob kubeflow.org/v1"
    }

    fn accepts(&self, framework: Framework) -> bool {
        matches!(framework, Framework::MegatronCore | Framework::DeepSpeed | Framework::Torchtitan)
    }

    fn files(&self, order: &Order<'_>) -> Result<Vec<LaunchFile>, Refusal> {
        if order.plan.layout.offload.nvme() {
            return Err(Refusal::CannotExpress {
                target: self.id(),
                knob: "offload",
                value: "nvme".to_owned(),
                hint: "its pods mount no drives of the node; choose the target deepspeed",
            });
        }
        let label = name::dns_label(order.project);
        let program = Program::of(order);
        let settings = format!("{label}-settings");
        let pod = Pod::of(order, &program, &settings);
        let nodes = order.inputs.cluster.nodes;
        let job = Job {
            api_version: "kubeflow.org/v1",
            kind: "PyTorchJob",
            metadata: Metadata { name: label.clone() },
            spec: Spec {
                nproc_per_node: order.inputs.cluster.gpus_per_node.to_string(),
                run_policy: RunPolicy { clean_pod_policy: "None", backoff_limit: 3 },
                pytorch_replica_specs: Replicas {
                    master: Replica::new(1, pod.clone()),
                    worker: (nodes > 1).then(|| Replica::new(nodes - 1, pod)),
                },
            },
        };
        let body = serde_saphyr::to_string(&job)
            .map_err(|_| Refusal::NothingFits { target: self.id(), knob: "framework" })?;
        let mut text = String::new();
        for line in header::lines(order, self) {
            text.push_str(&format!("# {}\n", name::comment(&line)));
        }
        text.push_str(&format!("# Before: kubectl create configmap {settings}"));
        for (variable, meaning) in &program.variables {
            text.push_str(&format!(" \\\n#   --from-literal={variable}=...   ({meaning})"));
        }
        text.push_str("\n# The image and the RDMA resource are those of your cluster.\n");
        text.push_str(&body);
        Ok(vec![LaunchFile { name: format!("{label}.yaml"), text }])
    }
}

/// What runs in each pod.
struct Program {
    command: Vec<String>,
    variables: Vec<(&'static str, &'static str)>,
    environment: Vec<Variable>,
}

impl Program {
    fn of(order: &Order<'_>) -> Self {
        let mut environment: Vec<Variable> = environment::nccl(&order.inputs.cluster)
            .into_iter()
            .map(|(variable, value, _)| Variable::new(variable, value))
            .collect();
        let words = |arguments: Vec<Argument>| {
            arguments.iter().flat_map(Argument::kubernetes).collect::<Vec<_>>()
        };
        let start = |program: &[&str], arguments: Vec<String>| {
            let program = program.iter().map(|word| (*word).to_owned());
            std::iter::once("torchrun".to_owned()).chain(program).chain(arguments).collect()
        };
        match order.plan.layout.framework {
            Framework::DeepSpeed => Self {
                command: start(
                    &["$(TRAIN_SCRIPT)"],
                    words(deepspeed::trainer(
                        order,
                        Argument::variable("--deepspeed", "DEEPSPEED_CONFIG"),
                    )),
                ),
                variables: vec![
                    ("TRAIN_SCRIPT", deepspeed::train_script(order)),
                    ("DEEPSPEED_CONFIG", "path of deepspeed.json in the image or a volume"),
                    ("MODEL_PATH", deepspeed::model_path(order)),
                    ("OUTPUT_DIR", "folder for checkpoints on shared storage"),
                    ("LR", "peak learning rate"),
                ],
                environment,
            },
            Framework::Torchtitan => Self {
                command: start(&["-m", "torchtitan.train"], words(torchtitan::arguments(order))),
                variables: torchtitan::VARIABLES.to_vec(),
                environment,
            },
            Framework::MegatronCore
            | Framework::MegatronLegacy
            | Framework::MegatronDeepSpeed
            | Framework::FsdpEager
            | Framework::HuggingFace
            | Framework::FusedCuda => {
                let inputs = order.inputs;
                let layout = &order.plan.layout;
                if megatron::needs_one_connection(order) {
                    environment.push(Variable::new("CUDA_DEVICE_MAX_CONNECTIONS", "1"));
                }
                let arguments = [
                    megatron::model_arguments(&inputs.model, inputs.job.sequence),
                    megatron::parallel_arguments(&inputs.model, layout),
                    megatron::training_arguments(order),
                ];
                Self {
                    command: start(
                        &["$(MEGATRON_PATH)/pretrain_gpt.py"],
                        words(arguments.concat()),
                    ),
                    variables: megatron::VARIABLES.to_vec(),
                    environment,
                }
            }
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Job {
    api_version: &'static str,
    kind: &'static str,
    metadata: Metadata,
    spec: Spec,
}

/// An object by its name.
#[derive(Clone, Serialize)]
struct Metadata {
    name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Spec {
    /// A string: an integer is refused.
    nproc_per_node: String,
    run_policy: RunPolicy,
    pytorch_replica_specs: Replicas,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunPolicy {
    clean_pod_policy: &'static str,
    backoff_limit: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Replicas {
    master: Replica,
    #[serde(skip_serializing_if = "Option::is_none")]
    worker: Option<Replica>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replica {
    replicas: u32,
    restart_policy: &'static str,
    template: Template,
}

impl Replica {
    const fn new(replicas: u32, spec: Pod) -> Self {
        Self { replicas, restart_policy: "OnFailure", template: Template { spec } }
    }
}

#[derive(Serialize)]
struct Template {
    spec: Pod,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Pod {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    host_network: bool,
    containers: [Container; 1],
    volumes: [Volume; 1],
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Container {
    /// The operator looks for this name.
    name: &'static str,
    image: &'static str,
    command: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    env: Vec<Variable>,
    env_from: [Settings; 1],
    resources: Resources,
    security_context: Security,
    volume_mounts: [Mount; 1],
}

#[derive(Clone, Serialize)]
struct Variable {
    name: &'static str,
    value: &'static str,
}

impl Variable {
    const fn new(name: &'static str, value: &'static str) -> Self {
        Self { name, value }
    }
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    config_map_ref: Metadata,
}

#[derive(Clone, Serialize)]
struct Resources {
    limits: Limits,
}

#[derive(Clone, Serialize)]
struct Limits {
    #[serde(rename = "nvidia.com/gpu")]
    gpus: u32,
    #[serde(rename = "rdma/hca_shared_devices", skip_serializing_if = "Option::is_none")]
    rdma: Option<u32>,
}

#[derive(Clone, Serialize)]
struct Security {
    capabilities: Capabilities,
}

#[derive(Clone, Serialize)]
struct Capabilities {
    add: [&'static str; 1],
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Mount {
    name: &'static str,
    mount_path: &'static str,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Volume {
    name: &'static str,
    empty_dir: Memory,
}

#[derive(Clone, Serialize)]
struct Memory {
    medium: &'static str,
}

impl Pod {
    fn of(order: &Order<'_>, program: &Program, settings: &str) -> Self {
        let cluster = &order.inputs.cluster;
        let container = Container {
            name: "pytorch",
            image: "nvcr.io/nvidia/pytorch:25.06-py3",
            command: program.command.clone(),
            env: program.environment.clone(),
            env_from: [Settings { config_map_ref: Metadata { name: settings.to_owned() } }],
            resources: Resources {
                limits: Limits {
                    gpus: cluster.gpus_per_node,
                    rdma: uses_rdma(cluster).then_some(1),
                },
            },
            // Registered memory needs to be locked.
            security_context: Security { capabilities: Capabilities { add: ["IPC_LOCK"] } },
            volume_mounts: [Mount { name: "shm", mount_path: "/dev/shm" }],
        };
        Self {
            host_network: uses_rdma(cluster) && cluster.fabric == Fabric::Roce,
            containers: [container],
            // The default of 64 MiB breaks NCCL and data loaders.
            volumes: [Volume { name: "shm", empty_dir: Memory { medium: "Memory" } }],
        }
    }
}

fn uses_rdma(cluster: &ClusterSpec) -> bool {
    cluster.nodes > 1 && matches!(cluster.fabric, Fabric::InfiniBand | Fabric::Roce)
}
