//! The checked rows as Rust statics.

use std::collections::{BTreeMap, BTreeSet};

use super::expression::{Op, parse, variant};
use super::row::{FactRow, RuleRow, Severity, ToolRow, rows};

/// Deepest stack an expression may need; `evaluate.rs` has that many places.
const DEPTH: usize = 12;

/// The text of the file in, Rust statics out.
pub(crate) fn source(text: &str) -> Result<String, String> {
    let document: toml::Table = text.parse().map_err(|error| format!("{error}"))?;
    if let Some(other) = document.keys().find(|key| !TABLES.contains(&key.as_str())) {
        return Err(format!("unknown table `{other}`"));
    }
    let book = Book {
        facts: rows(&document, "fact")?,
        tools: rows(&document, "tool")?,
        rules: rows(&document, "rule")?,
    };
    book.check_names()?;
    Ok(format!("{}{}{}", book.fact_source()?, book.tool_source()?, book.rule_source()?))
}

const TABLES: [&str; 4] = ["schema_version", "fact", "tool", "rule"];

/// The word for all tools.
const ALL: &str = "all";

struct Book {
    facts: Vec<FactRow>,
    tools: Vec<ToolRow>,
    rules: Vec<RuleRow>,
}

impl Book {
    fn check_names(&self) -> Result<(), String> {
        let facts = self.facts.iter().flat_map(|row| names(&row.id, &row.aliases));
        let tools = self.tools.iter().flat_map(|row| names(&row.id, &row.aliases));
        unique("fact", facts)?;
        unique("tool", tools)?;
        unique("rule", self.rules.iter().map(|row| row.id.as_str()))?;
        if self.facts.len() > 128 || self.tools.len() > 32 {
            return Err("more than 128 facts or 32 tools".to_owned());
        }
        Ok(())
    }

    fn known(&self, name: &str) -> bool {
        self.facts.iter().any(|row| row.id == name)
    }

    /// An expression of a row, every quantity known.
    fn expression(&self, row: &str, field: &str, text: &str) -> Result<Vec<Op>, String> {
        let refuse = |why: String| format!("{row}: field `{field}` {why}");
        let ops = parse(text).map_err(refuse)?;
        if let Some(name) = ops.iter().filter_map(Op::fact).find(|name| !self.known(name)) {
            return Err(refuse(format!("names the unknown quantity `{name}`")));
        }
        if depth(&ops) > DEPTH {
            return Err(refuse(format!("is nested deeper than {DEPTH}")));
        }
        Ok(ops)
    }

    fn fact_source(&self) -> Result<String, String> {
        let variants: Vec<String> = self.facts.iter().map(|row| variant(&row.id)).collect();
        let mut out = format!(
            "/// A named quantity of a proposal, one for each `[[fact]]` of `data/rules.toml`.\n\
             #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]\n\
             pub enum Fact {{ {} }}\n\
             impl Fact {{ pub const ALL: [Self; {}] = [{}]; }}\n\
             pub(super) static FACTS: [FactRow; {}] = [\n",
            variants.join(", "),
            variants.len(),
            variants.iter().map(|name| format!("Self::{name}")).collect::<Vec<_>>().join(", "),
            variants.len(),
        );
        let mut seen = BTreeSet::new();
        for row in &self.facts {
            let name = format!("fact `{}`", row.id);
            let derive = match &row.derive {
                Some(text) => self.expression(&name, "derive", text)?,
                None => Vec::new(),
            };
            // Only earlier rows, so that no derivation turns in a circle.
            if let Some(late) = derive.iter().filter_map(Op::fact).find(|fact| !seen.contains(fact))
            {
                return Err(format!("{name}: field `derive` names the later row `{late}`"));
            }
            seen.insert(row.id.as_str());
            texts(&name, &[("en", &row.en), ("zh", &row.zh)])?;
            out.push_str(&format!(
                "FactRow {{ id: {:?}, en: {:?}, zh: {:?}, aliases: &{:?}, derive: {}, \
                 least: {}, flag: {} }},\n",
                row.id,
                row.en,
                row.zh,
                row.aliases,
                literals(&derive),
                row.least,
                row.flag,
            ));
        }
        out.push_str("];\n");
        Ok(out)
    }

    fn tool_source(&self) -> Result<String, String> {
        let mut out = String::from("pub(super) static TOOLS: &[Tool] = &[\n");
        for (index, row) in self.tools.iter().enumerate() {
            let name = format!("tool `{}`", row.id);
            if let Some(other) = row.like.iter().find(|other| self.tool(other).is_none()) {
                return Err(format!("{name}: field `like` names the unknown tool `{other}`"));
            }
            let mut defaults = Vec::new();
            for (fact, value) in &row.defaults {
                if !self.known(fact) {
                    return Err(format!(
                        "{name}: field `defaults` names the unknown quantity `{fact}`"
                    ));
                }
                defaults.push(format!("(Fact::{}, {value})", variant(fact)));
            }
            out.push_str(&format!(
                "Tool {{ id: {:?}, name: {:?}, aliases: &{:?}, defaults: &[{}], bit: {} }},\n",
                row.id,
                row.name,
                row.aliases,
                defaults.join(", "),
                1_u32 << index,
            ));
        }
        out.push_str("];\n");
        Ok(out)
    }

    fn rule_source(&self) -> Result<String, String> {
        let mut out = String::from("pub(super) static RULES: &[Rule] = &[\n");
        let rows: Vec<RuleRow> =
            self.facts.iter().map(bound).chain(self.rules.iter().cloned()).collect();
        for row in &rows {
            out.push_str(&self.rule(row)?);
        }
        out.push_str("];\npub(super) static WRITTEN: &[Written] = &[\n");
        for row in &rows {
            out.push_str(&format!(
                "Written {{ when: {:?}, require: {:?} }},\n",
                row.when.as_deref().unwrap_or_default(),
                row.require,
            ));
        }
        out.push_str("];\n");
        Ok(out)
    }

    fn rule(&self, row: &RuleRow) -> Result<String, String> {
        let name = format!("rule `{}`", row.id);
        texts(&name, &[("en", &row.en), ("zh", &row.zh), ("source", &row.source)])?;
        texts(&name, &[("field", &row.field)])?;
        if shown(&row.en) != shown(&row.zh) {
            return Err(format!("{name}: `en` and `zh` show different quantities"));
        }
        let require = self.expression(&name, "require", &row.require)?;
        let when = match &row.when {
            Some(text) => self.expression(&name, "when", text)?,
            None => Vec::new(),
        };
        if row.tools.is_empty() {
            return Err(format!("{name}: field `tools` is empty"));
        }
        let reads = self.reads(&[when.clone(), require.clone()].concat())?;
        let vary = self.facts(&name, "vary", &row.vary)?;
        let show = self.facts(&name, "show", &row.show)?;
        if let Some(fact) = row.vary.iter().find(|fact| reads & self.bit(fact) == 0) {
            return Err(format!("{name}: field `vary` names `{fact}`, which nothing reads"));
        }
        let mut values = Vec::new();
        let en = self.message(&name, "en", &row.en, &mut values)?;
        let zh = self.message(&name, "zh", &row.zh, &mut values)?;
        Ok(format!(
            "Rule {{ id: {:?}, tools: {}, versions: {:?}, when: {}, require: {}, reads: {reads}, \
             vary: {vary}, show: {show}, field: {:?}, en: {en:?}, zh: {zh:?}, values: &[{}], source: {:?}, severity: Severity::{} }},\n",
            row.id,
            self.tool_bits(&name, &row.tools)?,
            row.versions,
            literals(&when),
            literals(&require),
            row.field,
            values.join(", "),
            row.source,
            match row.severity {
                Severity::Block => "Block",
                Severity::Warn => "Warn",
            },
        ))
    }

    /// The message with each `{…}`, which holds an expression, as its place in `values`, which
    /// grows by those that it lacks: both languages share them.
    fn message(
        &self,
        row: &str,
        field: &str,
        text: &str,
        values: &mut Vec<String>,
    ) -> Result<String, String> {
        let mut message = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (inside, tail) = after
                .split_once('}')
                .ok_or_else(|| format!("{row}: field `{field}` opens `{{` without `}}`"))?;
            let value = literals(&self.expression(row, field, inside)?);
            let place = values.iter().position(|known| *known == value).unwrap_or(values.len());
            if place == values.len() {
                values.push(value);
            }
            message.push_str(&format!("{before}{{{place}}}"));
            rest = tail;
        }
        Ok(message + rest)
    }

    /// A list of quantities as a slice of `Fact`.
    fn facts(&self, row: &str, field: &str, names: &[String]) -> Result<String, String> {
        if let Some(name) = names.iter().find(|name| !self.known(name)) {
            return Err(format!("{row}: field `{field}` names the unknown quantity `{name}`"));
        }
        let facts: Vec<_> = names.iter().map(|name| format!("Fact::{}", variant(name))).collect();
        Ok(format!("&[{}]", facts.join(", ")))
    }

    fn bit(&self, fact: &str) -> u128 {
        self.facts.iter().position(|row| row.id == fact).map_or(0, |index| 1 << index)
    }

    fn tool(&self, id: &str) -> Option<usize> {
        self.tools.iter().position(|row| row.id == id)
    }

    /// The bits of the tools named and of all that are like one of them.
    fn tool_bits(&self, row: &str, tools: &[String]) -> Result<u32, String> {
        let mut bits = 0_u32;
        if tools.iter().any(|id| id == ALL) {
            return Ok(u32::MAX);
        }
        for id in tools {
            let index = self
                .tool(id)
                .ok_or_else(|| format!("{row}: field `tools` names the unknown tool `{id}`"))?;
            bits |= 1 << index;
        }
        loop {
            let before = bits;
            for (index, tool) in self.tools.iter().enumerate() {
                let like = |id: &String| self.tool(id).is_some_and(|at| bits >> at & 1 == 1);
                if tool.like.iter().any(like) {
                    bits |= 1 << index;
                }
            }
            if bits == before {
                return Ok(bits);
            }
        }
    }

    /// Bits of the quantities read, those behind derived ones included.
    fn reads(&self, ops: &[Op]) -> Result<u128, String> {
        let mut bits = 0_u128;
        for name in ops.iter().filter_map(Op::fact) {
            bits |= self.bit(name);
            let derive = self.facts.iter().find(|row| row.id == name).map(|row| &row.derive);
            if let Some(Some(derive)) = derive {
                bits |= self.reads(&parse(derive)?)?;
            }
        }
        Ok(bits)
    }
}

/// The rule that a quantity lies in its own bounds.
fn bound(fact: &FactRow) -> RuleRow {
    let FactRow { id, en, zh, least, .. } = fact;
    let (require, en, zh) = if fact.flag {
        let require = format!("{id} == 0 || {id} == 1");
        (
            require,
            format!("{en}: {{{id}}} is neither 0 nor 1"),
            format!("{zh}：{{{id}}} 既非 0 也非 1"),
        )
    } else {
        let require = format!("{id} >= {least}");
        (require, format!("{en} {{{id}}} is below {least}"), format!("{zh} {{{id}}} 小于 {least}"))
    };
    RuleRow {
        id: format!("bound-{}", id.replace('_', "-")),
        tools: vec![ALL.to_owned()],
        versions: String::new(),
        when: Some(format!("given({id})")),
        require,
        vary: vec![id.clone()],
        show: Vec::new(),
        field: id.clone(),
        en,
        zh,
        source: "definition of the quantity".to_owned(),
        severity: Severity::Block,
    }
}

/// What stands in braces, sorted.
fn shown(text: &str) -> Vec<&str> {
    let mut found: Vec<_> =
        text.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
    found.sort_unstable();
    found
}

fn names<'a>(id: &'a str, aliases: &'a [String]) -> impl Iterator<Item = &'a str> {
    std::iter::once(id).chain(aliases.iter().map(String::as_str))
}

fn unique<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for name in names {
        let count = counts.entry(name).or_default();
        *count += 1;
        if *count > 1 {
            return Err(format!("{what} `{name}`: field `id` is not unique"));
        }
    }
    Ok(())
}

fn texts(row: &str, fields: &[(&str, &String)]) -> Result<(), String> {
    match fields.iter().find(|(_, text)| text.trim().is_empty()) {
        Some((field, _)) => Err(format!("{row}: field `{field}` is empty")),
        None => Ok(()),
    }
}

fn literals(ops: &[Op]) -> String {
    format!("&[{}]", ops.iter().map(Op::literal).collect::<Vec<_>>().join(", "))
}

/// Most values on the stack at once.
fn depth(ops: &[Op]) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    for op in ops {
        now = match op {
            Op::Int(_) | Op::Fact(_) | Op::Given(_) | Op::Known(_) => now + 1,
            Op::Plain("Not") => now,
            Op::Plain("If") => now.saturating_sub(2),
            Op::Plain(_) => now.saturating_sub(1),
        };
        most = most.max(now);
    }
    most
}
