//! A shell script, built from typed lines.

use crate::name;

/// Lines of a bash script. Words are quoted by `shlex`, comments are one line each.
#[derive(Debug, Default)]
pub(crate) struct Script {
    lines: Vec<String>,
}

impl Script {
    pub(crate) fn bash() -> Self {
        Self { lines: vec!["#!/usr/bin/env bash".to_owned()] }
    }

    pub(crate) fn comment(&mut self, text: &str) -> &mut Self {
        self.lines.push(format!("# {}", name::comment(text)));
        self
    }

    pub(crate) fn blank(&mut self) -> &mut Self {
        self.lines.push(String::new());
        self
    }

    /// A `#SBATCH` line. `value` is a number or a name of [`name::job_name`].
    pub(crate) fn sbatch(&mut self, option: &'static str, value: &str) -> &mut Self {
        let value: String = value.chars().filter(|c| !c.is_whitespace()).collect();
        self.lines.push(format!("#SBATCH --{option}={value}"));
        self
    }

    pub(crate) fn sbatch_flag(&mut self, option: &'static str) -> &mut Self {
        self.lines.push(format!("#SBATCH --{option}"));
        self
    }

    /// Fixed text of ours, never anything from a user.
    pub(crate) fn fixed(&mut self, line: &'static str) -> &mut Self {
        self.lines.push(line.to_owned());
        self
    }

    pub(crate) fn export(&mut self, variable: &'static str, value: &str) -> &mut Self {
        self.lines.push(format!("export {variable}={}", quoted(value)));
        self
    }

    /// Stops with a message when a variable that the plan cannot know is not set.
    pub(crate) fn require(&mut self, variable: &'static str, meaning: &'static str) -> &mut Self {
        self.lines.push(format!(": \"${{{variable}:?set {variable}: {meaning}}}\""));
        self
    }

    /// A bash array of options, one a line, each with its reason where there is one.
    pub(crate) fn array(&mut self, variable: &'static str, options: &[Argument]) -> &mut Self {
        self.lines.push(format!("{variable}=("));
        for option in options {
            let mut line = format!("    {}", option.shell());
            if let Some(reason) = option.reason {
                line.push_str("  # ");
                line.push_str(reason);
            }
            self.lines.push(line);
        }
        self.lines.push(")".to_owned());
        self
    }

    pub(crate) fn text(&self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        text
    }
}

/// A command-line option with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Argument {
    flag: &'static str,
    value: Value,
    reason: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    None,
    Text(String),
    /// Several words after one flag.
    Words(Vec<&'static str>),
    /// The value of an environment variable at run time.
    Variable(&'static str),
}

impl Argument {
    pub(crate) const fn flag(flag: &'static str) -> Self {
        Self { flag, value: Value::None, reason: None }
    }

    pub(crate) fn value(flag: &'static str, value: impl ToString) -> Self {
        Self { flag, value: Value::Text(value.to_string()), reason: None }
    }

    pub(crate) fn values(flag: &'static str, words: &[&'static str]) -> Self {
        Self { flag, value: Value::Words(words.to_vec()), reason: None }
    }

    pub(crate) const fn variable(flag: &'static str, variable: &'static str) -> Self {
        Self { flag, value: Value::Variable(variable), reason: None }
    }

    pub(crate) const fn because(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    fn shell(&self) -> String {
        match &self.value {
            Value::None => self.flag.to_owned(),
            Value::Text(text) => format!("{} {}", self.flag, quoted(text)),
            Value::Words(words) => {
                let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
                format!("{} {}", self.flag, words.join(" "))
            }
            Value::Variable(variable) => format!("{} \"${variable}\"", self.flag),
        }
    }

    /// Words of a Kubernetes command, where `$(NAME)` is the value of a variable and `$$` a
    /// dollar sign.
    pub(crate) fn kubernetes(&self) -> Vec<String> {
        let flag = self.flag.to_owned();
        match &self.value {
            Value::None => vec![flag],
            Value::Text(text) => vec![flag, text.replace('$', "$$")],
            Value::Words(words) => std::iter::once(flag)
                .chain(words.iter().map(|word| word.replace('$', "$$")))
                .collect(),
            Value::Variable(variable) => vec![flag, format!("$({variable})")],
        }
    }
}

/// One shell word. A text that no quoting can carry (a NUL) becomes empty.
pub(crate) fn quoted(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| "''".to_owned(), |word| word.into_owned())
}
