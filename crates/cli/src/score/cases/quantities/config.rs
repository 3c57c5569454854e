//! What a config.json states of its language model, whether or not it can be counted.

use planner::model::{KvCache, KvFormat, Outline, Stated, outline};
use planner::strategy::rules::RuleSeverity;
use planner::strategy::{Fact, Proposal, Tool, violations};

use super::super::super::row::Inexpressible;
use super::super::check::Got;
use super::super::fields::Fields;
use super::super::models::Models;
use super::super::quantity::{Compared, Quantity};

/// The engine whose rules decide on the TP of an imported model.
const ENGINE: &str = "vllm";

type Answer = Option<Result<Got, Inexpressible>>;

pub(super) fn of(fields: &Fields, quantity: &Quantity, _: &Models) -> Answer {
    if quantity.compared != Compared::Nothing || !fields.has("config") || fields.has("gpu") {
        return None;
    }
    let number = |of: fn(&Outline) -> Option<&Stated<u32>>, name: &str| {
        read(fields).and_then(|outline| {
            of(&outline)
                .map(|stated| Got::Number(f64::from(stated.value)))
                .ok_or_else(|| Inexpressible(format!("the config states no {name}")))
        })
    };
    Some(match quantity.name.as_str() {
        "layers" => number(|outline| outline.layers.as_ref(), "layers"),
        "hidden" => number(|outline| outline.hidden.as_ref(), "hidden size"),
        "heads" => number(|outline| outline.heads.as_ref(), "heads"),
        "kv_heads" => number(|outline| outline.kv_heads.as_ref(), "key-value heads"),
        "head_dim" => number(|outline| outline.head_dim.as_ref(), "head size"),
        "vocab" => number(|outline| outline.vocab.as_ref(), "vocabulary"),
        "top_k" | "experts_per_token" => number(|outline| outline.top_k.as_ref(), "top-k"),
        "ffn" | "intermediate" => number(|outline| outline.width.as_ref(), "feed-forward width"),
        "moe_ffn" => number(|outline| outline.expert_width.as_ref(), "expert width"),
        "window" | "sliding_window" => number(|outline| outline.window.as_ref(), "window"),
        "max_len" | "max_positions" => {
            number(|outline| outline.max_positions.as_ref(), "positions")
        }
        "kv_lora_rank" => number(|outline| outline.kv_rank.as_ref(), "latent width"),
        "tied" => read(fields).and_then(|outline| {
            let tied = outline.tied.map(|stated| Got::Flag(stated.value));
            tied.ok_or_else(|| Inexpressible("the config does not state tied".to_owned()))
        }),
        "quant" | "quantization" => read(fields).map(|outline| {
            Got::Word(outline.quantization.map_or_else(|| "none".to_owned(), |one| one.value))
        }),
        "message" | "error" => Ok(Got::Text(match read(fields) {
            Ok(_) => String::new(),
            Err(refused) => refused.0,
        })),
        "experts" => number(|outline| outline.experts.as_ref(), "experts"),
        "verdict" if !super::serving::asks_for_room(fields) => verdict(fields),
        _ => return None,
    })
}

/// The config of a situation as far as it can be read.
fn read(fields: &Fields) -> Result<Outline, Inexpressible> {
    let config =
        fields.value("config").ok_or_else(|| Inexpressible("no config is stated".to_owned()))?;
    outline(&config.to_string())
        .map_err(|error| Inexpressible(format!("config cannot be read: {error}")))
}

/// A config that is refused is an error; one that is read is valid if its TP is.
fn verdict(fields: &Fields) -> Result<Got, Inexpressible> {
    let Ok(outline) = read(fields) else { return Ok(Got::Word("ERROR".to_owned())) };
    let Some(tp) = fields.whole("tp")? else { return Ok(Got::Word("VALID".to_owned())) };
    let tool = Tool::named(fields.word("framework")?.unwrap_or(ENGINE))
        .ok_or_else(|| Inexpressible("there are no rules of that framework".to_owned()))?;
    let facts = [(Fact::Heads, &outline.heads), (Fact::KvHeads, &outline.kv_heads)];
    let mut proposal = Proposal::new().with(Fact::Tp, i64::from(tp));
    for (fact, stated) in facts {
        if let Some(stated) = stated {
            proposal = proposal.with(fact, i64::from(stated.value));
        }
    }
    let refused =
        violations(tool, &proposal).iter().any(|one| one.rule.severity == RuleSeverity::Block);
    Ok(Got::Word(if refused { "INVALID" } else { "VALID" }.to_owned()))
}

/// What one token leaves in the cache, of a named model or of a config. A config beside a name
/// states what the name may not say.
pub(super) fn cache(fields: &Fields, models: &Models) -> Result<KvCache, Inexpressible> {
    if fields.has("config") {
        let stated = read(fields).and_then(|outline| {
            outline.kv_cache().map_err(|error| Inexpressible(error.to_string()))
        });
        let mut cache = match (stated, models.of(fields)) {
            (_, Ok(model)) => model.kv_cache(),
            (stated, Err(_)) => stated?,
        };
        // Where the others keep a state of fixed size, some files count those that do not.
        let inside = fields.inside("config");
        if let Some(growing) = inside.map(|inside| inside.whole("full_attention_layers")) {
            cache.growing_layers = growing?.unwrap_or(cache.growing_layers);
        }
        return Ok(cache);
    }
    Ok(models.of(fields)?.kv_cache())
}

pub(super) fn format(fields: &Fields) -> Result<KvFormat, Inexpressible> {
    match fields.word("kv_dtype")? {
        None => {
            fields.assume("kv_dtype auto");
            Ok(KvFormat::Auto)
        }
        Some(word) => KvFormat::named(word)
            .ok_or_else(|| Inexpressible(format!("kv_dtype {word} is not known"))),
    }
}
