//! Rules of frameworks over a layout of which only some quantities are stated.

use planner::strategy::rules::RuleSeverity;
use planner::strategy::{Fact, Proposal, Tool, Violation, valid_values, violations};

use super::super::super::row::Inexpressible;
use super::super::check::Got;
use super::super::fields::Fields;
use super::super::models::Models;
use super::super::quantity::{Compared, Quantity, Scope};

/// Fields that name the tool or method.
const TOOLS: [&str; 3] = ["framework", "engine", "method"];
/// Whose rules count where no tool is named.
const USUAL: &str = "megatron";
/// How far valid values are listed where nothing bounds them.
const MOST: i64 = 1_024;

type Answer = Option<Result<Got, Inexpressible>>;

pub(super) fn of(fields: &Fields, quantity: &Quantity, models: &Models) -> Answer {
    if quantity.compared != Compared::Nothing || !partial(fields) {
        return None;
    }
    let name = quantity.name.as_str();
    Some(match name {
        "verdict" => broken(fields, models).map(|broken| {
            let refused = broken.iter().any(|one| one.rule.severity == RuleSeverity::Block);
            Got::Word(if refused { "INVALID" } else { "VALID" }.to_owned())
        }),
        "message" | "advice" => broken(fields, models).map(|broken| Got::Text(words(&broken))),
        "bubble_pct" => proposal(fields, models).and_then(|proposal| {
            let percent = proposal.bubble_percent();
            percent.map(Got::Number).ok_or_else(|| Inexpressible("no pipeline is stated".into()))
        }),
        _ => match (name.strip_prefix("nearest_valid_"), name.strip_prefix("valid_")) {
            (Some(of), _) => nearest(fields, models, of),
            (_, Some(of)) => valid(fields, models, (of, quantity.limit)),
            _ => return fact(fields, models, quantity),
        },
    })
}

/// Without a GPU, a config or what an engine is asked for, only rules can be asked.
fn partial(fields: &Fields) -> bool {
    let room = fields.has("gpu") || fields.has("config") || super::serving::asks_for_room(fields);
    let named = TOOLS.iter().any(|name| fields.has(name));
    let model = fields.has("model") || fields.has("params");
    !room && (named || !model) && (named || states_something(fields))
}

fn states_something(fields: &Fields) -> bool {
    fields.names().iter().any(|name| fact_named(fields, name).is_some())
}

/// A named tool refuses the layout of a situation that also states a model and GPUs.
pub(super) fn refused(fields: &Fields, models: &Models) -> bool {
    let named = TOOLS.iter().any(|name| fields.has(name));
    let (Ok(tool), Ok(proposal)) = (tool(fields), proposal(fields, models)) else { return false };
    if !named {
        return false;
    }
    let broken = violations(tool, &proposal);
    broken.iter().any(|one| one.rule.severity == RuleSeverity::Block)
}

/// The tool whose rules count.
fn tool(fields: &Fields) -> Result<&'static Tool, Inexpressible> {
    let mut named = None;
    for field in TOOLS {
        named = named.or(fields.word(field)?);
    }
    let name = named.unwrap_or_else(|| {
        fields.assume(format!("framework {USUAL}"));
        USUAL
    });
    Tool::named(&name.to_lowercase())
        .ok_or_else(|| Inexpressible(format!("there are no rules of {name}")))
}

/// Every stated quantity that rules know, those that follow from words, and those of a model.
fn proposal(fields: &Fields, models: &Models) -> Result<Proposal, Inexpressible> {
    let mut proposal = of_model(fields, models);
    for name in fields.names() {
        let Some(fact) = fact_named(fields, &name) else { continue };
        // A word such as `full_shard` is no number; flags for it follow below.
        let value = match (fields.flag(&name), fields.whole(&name)) {
            (Ok(Some(flag)), _) => Some(u32::from(flag)),
            (_, Ok(value)) => value,
            _ => fields.stage(&name).ok().flatten().filter(|_| fact == Fact::Zero),
        };
        if let Some(value) = value {
            proposal = proposal.with(fact, i64::from(value));
        }
    }
    for (fact, holds) in flags(fields) {
        if holds {
            proposal = proposal.with(fact, 1);
        }
    }
    if let Some(split) = fields.list("layer_split")? {
        let layers = split.iter().map(|layers| i64::from(*layers)).sum();
        let stages = i64::try_from(split.len()).unwrap_or(i64::MAX);
        proposal = proposal.with(Fact::SplitLayers, layers).with(Fact::SplitStages, stages);
    }
    Ok(proposal)
}

/// What words of the situation say.
fn flags(fields: &Fields) -> [(Fact, bool); 9] {
    let says = |name: &str, words: &[&str]| {
        let word = fields.word(name).ok().flatten().unwrap_or_default().to_lowercase();
        words.iter().any(|part| word.contains(part))
    };
    let four_bit = says("quant", &["nf4", "4bit"]) || says("job", &["qlora"]);
    let packed = says("quant", &["gptq", "awq"]);
    [
        (Fact::Fp8, says("precision", &["fp8", "float8"])),
        (Fact::PureBf16, says("precision", &["pure"])),
        (Fact::Fsdp, super::super::layout::sharded_fsdp(fields)),
        (Fact::Lora, says("job", &["lora"])),
        (Fact::Gptq, packed),
        (Fact::Qlora, four_bit && !packed),
        (Fact::Adam8bit, says("optimizer", &["8bit"])),
        (Fact::OffloadOptimizer, says("offload", &["opt"])),
        (Fact::OffloadWeights, says("offload", &["param"])),
    ]
}

/// The widths of a model that is named or described.
fn of_model(fields: &Fields, models: &Models) -> Proposal {
    let mut proposal = Proposal::new();
    if !fields.has("model") {
        return proposal;
    }
    let Ok(model) = models.of(fields) else { return proposal };
    let attention = &model.attention;
    let facts = [
        (Fact::Heads, attention.heads),
        (Fact::KvHeads, attention.kv_heads),
        (Fact::Layers, model.layers),
        (Fact::Hidden, model.hidden),
        (Fact::Vocab, model.vocab),
    ];
    for (fact, value) in facts {
        proposal = proposal.with(fact, i64::from(value));
    }
    if let Some(experts) = model.experts {
        proposal = proposal.with(Fact::Experts, i64::from(experts.experts));
    }
    proposal
}

/// The rules of a named tool that a situation breaks, in words.
pub(super) fn told(fields: &Fields, models: &Models, tool: &str) -> String {
    match (Tool::named(tool), proposal(fields, models)) {
        (Some(tool), Ok(proposal)) => words(&violations(tool, &proposal)),
        _ => String::new(),
    }
}

/// A quantity by the name that cases use; under a method, `sp` is the degree of that method.
fn fact_named(fields: &Fields, name: &str) -> Option<Fact> {
    let method = fields.word("method").ok().flatten().map(str::to_lowercase);
    match (name, method.as_deref()) {
        ("sp", Some("ulysses")) => Some(Fact::Ulysses),
        ("gbs", _) => Fact::named("global_batch"),
        ("mbs", _) => Fact::named("micro_batch"),
        _ => Fact::named(name),
    }
}

fn broken(fields: &Fields, models: &Models) -> Result<Vec<Violation>, Inexpressible> {
    Ok(violations(tool(fields)?, &proposal(fields, models)?))
}

/// Each broken rule in words, with the nearest valid values.
fn words(broken: &[Violation]) -> String {
    let lines: Vec<String> = broken
        .iter()
        .map(|one| {
            let nearest: Vec<String> = one.nearest.iter().map(|near| near.words().0).collect();
            format!("{}; nearest: {}", one.en, nearest.join(", "))
        })
        .collect();
    lines.join("\n")
}

fn known(fields: &Fields, name: &str) -> Result<Fact, Inexpressible> {
    fact_named(fields, name).ok_or_else(|| Inexpressible(format!("rules know no {name}")))
}

/// The valid values of a quantity next to the stated one.
fn nearest(fields: &Fields, models: &Models, name: &str) -> Result<Got, Inexpressible> {
    let fact = known(fields, name)?;
    let values: Vec<f64> = broken(fields, models)?
        .iter()
        .filter_map(|one| one.nearest(fact))
        .flat_map(|near| near.values().map(number).collect::<Vec<_>>())
        .collect();
    Ok(Got::Numbers(values))
}

/// All valid values up to the limit, or up to what the quantity cuts.
fn valid(
    fields: &Fields,
    models: &Models,
    (name, limit): (&str, Option<u32>),
) -> Result<Got, Inexpressible> {
    let fact = known(fields, name)?;
    let proposal = proposal(fields, models)?;
    let whole = [Fact::Heads, Fact::Layers, Fact::Experts, Fact::Gpus];
    let cut = whole.into_iter().filter_map(|whole| proposal.value(whole)).max();
    let most = limit.map(i64::from).or(cut).unwrap_or(MOST);
    let values = valid_values(tool(fields)?, &proposal, fact, 1..=most);
    Ok(Got::Numbers(values.into_iter().map(number).collect()))
}

/// A quantity that is stated or follows from others: DP, copies of the embedding.
fn fact(fields: &Fields, models: &Models, quantity: &Quantity) -> Answer {
    let name = quantity.name.as_str();
    let (name, bytes) = match name.split_once("_bf16_per_copy") {
        Some((name, _)) => (format!("{name}_bytes"), true),
        None => (name.to_owned(), false),
    };
    let fact = fact_named(fields, &name)?;
    let value = proposal(fields, models).and_then(|proposal| {
        proposal
            .value(fact)
            .map(number)
            .ok_or_else(|| Inexpressible(format!("{name} does not follow from what is stated")))
    });
    Some(value.and_then(|value| match (bytes, quantity.unit, quantity.scope) {
        (true, Some(unit), Scope::PerGpu) => {
            Ok(Got::Number(unit.of(planner::units::Bytes::new(value))))
        }
        (true, ..) => Err(Inexpressible(format!("{name} names no unit"))),
        (false, ..) => Ok(Got::Number(value)),
    }))
}

#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
const fn number(value: i64) -> f64 {
    value as f64
}
