//! Why a text gives no topology; fragments that fit after "failed to read".

use crate::limits::{MOST_BYTES, MOST_DEVICES, MOST_ELEMENTS};

/// Nothing sure could be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("{bytes} bytes, more than {MOST_BYTES}")]
    TooLong { bytes: usize },
    #[error(
        "not a topology known here; expected the output of nvidia-smi topo -m, of \
         ibnetdiscover, or a Slurm topology.conf"
    )]
    UnknownFormat,
    #[error("line {line}: {devices} devices in the header, more than {MOST_DEVICES}")]
    TooManyDevices { line: usize, devices: usize },
    #[error("line {line}: `{element}` brings the file above {MOST_ELEMENTS} elements")]
    TooManyElements { line: usize, element: String },
    #[error("line {line}: `{element}` contains itself")]
    ContainsItself { line: usize, element: String },
    #[error("line {line}: no host list can be read from `{list}`")]
    HostList { line: usize, list: String },
    #[error("no line holds what the format needs: {expected}")]
    Empty { expected: &'static str },
}
