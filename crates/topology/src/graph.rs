//! What every format is brought to: elements, links and groups by name.

use serde::Serialize;

use crate::limits::MOST_FINDINGS;

/// Elements, links and groups; names are unique among the elements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub links: Vec<Link>,
    pub groups: Vec<Group>,
}

/// An element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Node {
    pub name: String,
    pub kind: NodeKind,
}

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NodeKind {
    Gpu,
    Nic,
    Host,
    Switch,
}

/// How two elements reach each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    pub from: String,
    pub to: String,
    #[serde(flatten)]
    pub kind: LinkKind,
}

/// What a link is, as far as the file says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum LinkKind {
    /// Bonded NVLinks; the rate of one depends on the GPU, which the file does not name.
    Nvlink { count: u32 },
    /// A PCIe or socket path of `nvidia-smi`.
    Path { code: &'static str },
    /// A cable with its port rate one way, where the file says it.
    Cable {
        #[serde(skip_serializing_if = "Option::is_none")]
        gbps: Option<u32>,
    },
    /// A cable whose rate the file does not say.
    Network,
}

/// Elements that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    pub name: String,
    pub kind: &'static str,
    pub members: Vec<String>,
}

/// Something in the file that was not believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Counted from one.
    pub line: usize,
    /// Character of the line, counted from one.
    pub column: usize,
    pub message: String,
}

/// Adds a finding, unless there are too many to read.
pub(crate) fn find(findings: &mut Vec<Finding>, line: usize, column: usize, message: String) {
    if findings.len() < MOST_FINDINGS {
        findings.push(Finding { line, column, message });
    }
}
