//! The command line, read by hand: few commands, few options.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::failure::Failure;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Help,
    Version,
    Model {
        file: PathBuf,
    },
    /// Read topology files.
    Topology {
        files: Vec<PathBuf>,
    },
    Plan {
        project: PathBuf,
        top: usize,
        form: Form,
    },
    /// Compare the estimates with a table of measured runs.
    ScoreTraining {
        file: PathBuf,
        form: Form,
    },
    /// Compare the engine with reported situations.
    ScoreCases {
        file: PathBuf,
        models: PathBuf,
        form: Form,
    },
    /// Write the launch files of a target into a folder.
    Export {
        project: PathBuf,
        target: String,
        folder: PathBuf,
    },
    /// Name the targets.
    ExportList,
    /// List the rule table.
    Rules {
        form: Form,
    },
    /// Explain an out-of-memory message of a job.
    Oom {
        project: PathBuf,
        message: PathBuf,
        form: Form,
    },
    Bench {
        form: Form,
    },
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    Json,
}

pub(crate) const USAGE: &str = "\
meshwright plans GPU clusters for training large language models

usage:
  meshwright model FILE                         count the parameters of a config.json or Megatron script
  meshwright topology FILE...                   read nvidia-smi topo, ibnetdiscover, Slurm topology.conf
  meshwright plan PROJECT [--top N] [--json]    find the best layout of a project, or judge the pinned one
  meshwright export PROJECT --target NAME --out DIR
                                                write the launch files of the best layout
  meshwright export --list                      name the targets
  meshwright oom PROJECT MESSAGE [--json]       explain an out-of-memory message, in a file or - for stdin
  meshwright score training CSV [--json]        compare the estimates with measured runs
  meshwright score cases CSV --models CSV [--json]
                                                compare the engine with reported situations
  meshwright rules [--json]                     list what each framework refuses, and where that is written
  meshwright bench [--json]                     measure the engine on this machine
  meshwright --help | --version

results go to stdout, findings to stderr
exit status: 0 done, 1 does not fit or a check failed, 2 bad input
";

/// Rows of the candidates table unless `--top` says otherwise.
const TOP: usize = 10;

/// Commands of the contract that this version does not have.
const LATER: [&str; 3] = ["read", "claims", "acceptance"];

pub(crate) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Request, Failure> {
    let mut words = Words::new(arguments)?;
    if words.flag("--help") || words.flag("-h") {
        return Ok(Request::Help);
    }
    if words.flag("--version") || words.flag("-V") {
        return Ok(Request::Version);
    }
    let Some(command) = words.positional() else { return Ok(Request::Help) };
    let command = command.to_string_lossy().into_owned();
    let request = match command.as_str() {
        "help" => Request::Help,
        "model" => Request::Model { file: words.file("FILE")? },
        "topology" => {
            let mut files = vec![words.file("FILE")?];
            while let Some(file) = words.positional() {
                files.push(file.into());
            }
            Request::Topology { files }
        }
        "plan" => Request::Plan {
            top: words.number("--top")?.unwrap_or(TOP),
            form: words.form(),
            project: words.file("PROJECT")?,
        },
        "export" if words.flag("--list") => Request::ExportList,
        "export" => Request::Export {
            target: words.required("--target")?.to_string_lossy().into_owned(),
            folder: words.required("--out")?.into(),
            project: words.file("PROJECT")?,
        },
        "score" => score(&mut words)?,
        "rules" => Request::Rules { form: words.form() },
        "oom" => {
            let form = words.form();
            let project = words.file("PROJECT")?;
            Request::Oom { project, message: words.file("MESSAGE")?, form }
        }
        "bench" => Request::Bench { form: words.form() },
        known if LATER.contains(&known) => {
            return Err(Failure::new(known, "not built yet", "see meshwright --help"));
        }
        _ => return Err(Failure::new(command, "unknown command", "see meshwright --help")),
    };
    words.finish()?;
    Ok(request)
}

fn score(words: &mut Words) -> Result<Request, Failure> {
    let what = words.positional().unwrap_or_default().to_string_lossy().into_owned();
    match what.as_str() {
        "training" => Ok(Request::ScoreTraining { form: words.form(), file: words.file("CSV")? }),
        "cases" => Ok(Request::ScoreCases {
            models: words.required("--models")?.into(),
            form: words.form(),
            file: words.file("CSV")?,
        }),
        "collectives" => Err(Failure::new(format!("score {what}"), "not built yet", USE_HELP)),
        _ => Err(Failure::new("score", "needs a subject", "say: score training CSV")),
    }
}

/// The words that nobody has taken yet.
struct Words {
    options: Vec<(String, Option<OsString>)>,
    positionals: Vec<OsString>,
}

/// Options that take the next word as their value.
const VALUED: [&str; 4] = ["--top", "--target", "--out", "--models"];

impl Words {
    fn new(arguments: impl Iterator<Item = OsString>) -> Result<Self, Failure> {
        let mut words = Self { options: Vec::new(), positionals: Vec::new() };
        let mut arguments = arguments;
        while let Some(word) = arguments.next() {
            match word.to_str() {
                Some("--") => {
                    words.positionals.extend(arguments);
                    break;
                }
                Some(option) if option.starts_with('-') && option.len() > 1 => {
                    words.add_option(option, &mut arguments)?;
                }
                _ => words.positionals.push(word),
            }
        }
        Ok(words)
    }

    /// `--top 5` or `--top=5`.
    fn add_option(
        &mut self,
        option: &str,
        rest: &mut impl Iterator<Item = OsString>,
    ) -> Result<(), Failure> {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(OsString::from(value))),
            None => (option, None),
        };
        let value = match (VALUED.contains(&name), value) {
            (true, None) => {
                let next = rest.next();
                Some(next.ok_or_else(|| Failure::new(name, "needs a value", USE_HELP))?)
            }
            (_, value) => value,
        };
        self.options.push((name.to_owned(), value));
        Ok(())
    }

    fn flag(&mut self, name: &str) -> bool {
        let before = self.options.len();
        self.options.retain(|(option, value)| option != name || value.is_some());
        self.options.len() < before
    }

    fn value(&mut self, name: &str) -> Option<OsString> {
        let at = self.options.iter().position(|(option, _)| option == name)?;
        self.options.remove(at).1
    }

    fn required(&mut self, name: &str) -> Result<OsString, Failure> {
        self.value(name).ok_or_else(|| Failure::new(name, "missing", USE_HELP))
    }

    fn number(&mut self, name: &str) -> Result<Option<usize>, Failure> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let text = value.to_string_lossy();
        match text.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => {
                let cause = format!("{text} is not a whole number");
                Err(Failure::new(name, cause, "give a number such as 10"))
            }
        }
    }

    fn form(&mut self) -> Form {
        if self.flag("--json") { Form::Json } else { Form::Text }
    }

    fn positional(&mut self) -> Option<OsString> {
        if self.positionals.is_empty() { None } else { Some(self.positionals.remove(0)) }
    }

    fn file(&mut self, name: &str) -> Result<PathBuf, Failure> {
        let word = self.positional();
        word.map(PathBuf::from).ok_or_else(|| Failure::new(name, "missing", USE_HELP))
    }

    fn finish(mut self) -> Result<(), Failure> {
        if let Some((option, _)) = self.options.first() {
            return Err(Failure::new(option.as_str(), "unknown option", USE_HELP));
        }
        match self.positional() {
            Some(word) => {
                let word = word.to_string_lossy().into_owned();
                Err(Failure::new(word, "one argument too many", USE_HELP))
            }
            None => Ok(()),
        }
    }
}

const USE_HELP: &str = "see meshwright --help";
