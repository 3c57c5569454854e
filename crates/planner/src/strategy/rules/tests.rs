//! The cases of kind c, and what must hold for every row.

use super::*;

/// Kind c of the real cases: tool, quantities, and the rules it must break.
#[track_caller]
fn check(tool: &str, facts: &[(&str, i64)], broken: &[&str]) -> Vec<Violation> {
    let found = violations(Tool::named(tool).unwrap(), &proposal(facts));
    let blocking: Vec<_> = found
        .iter()
        .filter(|one| one.rule.severity == RuleSeverity::Block)
        .map(|one| one.rule.id)
        .collect();
    assert_eq!(blocking, broken, "{found:#?}");
    found
}

fn proposal(facts: &[(&str, i64)]) -> Proposal {
    facts.iter().fold(Proposal::new(), |proposal, (name, value)| {
        proposal.with(Fact::named(name).unwrap(), *value)
    })
}

fn valid(tool: &str, facts: &[(&str, i64)], fact: Fact, most: i64) -> Vec<i64> {
    valid_values(Tool::named(tool).unwrap(), &proposal(facts), fact, 1..=most)
}

#[test]
fn c01_layers_and_virtual_stages() {
    let facts = [("layers", 80), ("pp", 16), ("layers_per_virtual_stage", 2)];
    let found = check("megatron", &facts, &["layers-chunks"]);
    assert!(found[0].en.contains("80 layers"));
    assert_eq!(found[0].nearest[0].words().0, "PP 10 (VPP 4) or 20 (VPP 2)");
    assert_eq!(found[0].nearest[1].words().0, "layers per virtual stage 1 (VPP 5) or 5 (VPP 1)");
}

#[test]
fn c03_uneven_split() {
    let facts = [
        ("layers", 46),
        ("experts", 128),
        ("tp", 8),
        ("pp", 4),
        ("ep", 16),
        ("etp", 1),
        ("cp", 1),
        ("global_batch", 16),
        ("micro_batch", 2),
        ("gpus", 64),
    ];
    let found = check("megatron", &facts, &["layers-pipeline"]);
    assert!(found[0].en.contains("46"));
    let split = [("split_layers", 46), ("split_stages", 4)];
    check("megatron", &[facts.as_slice(), &split].concat(), &[]);
    let short = [("split_layers", 45), ("split_stages", 4)];
    let found = check("megatron", &[facts.as_slice(), &short].concat(), &["split-sum"]);
    assert_eq!(found[0].nearest(Fact::SplitLayers).unwrap().above, Some(46));
}

#[test]
fn c06_expert_ranks_fold_over_context() {
    let facts = [
        ("moe", 1),
        ("experts", 64),
        ("layers", 32),
        ("gpus", 32),
        ("tp", 2),
        ("cp", 2),
        ("pp", 2),
        ("ep", 8),
        ("etp", 1),
    ];
    check("megatron", &facts, &[]);
    assert_eq!(proposal(&facts).value(Fact::Dp), Some(4));
    assert_eq!(proposal(&facts).value(Fact::Edp), Some(2));
}

#[test]
fn c07_heads_in_vllm() {
    let heads = [("heads", 52), ("kv_heads", 52)];
    let with = |tp| [heads.as_slice(), &[("tp", tp)]].concat();
    let found = check("vllm", &with(3), &["heads-tp", "kv-heads-replicate"]);
    assert_eq!(found[0].nearest[0].words().0, "TP 2 or 4");
    check("vllm", &with(8), &["heads-tp", "kv-heads-replicate"]);
    check("vllm", &with(4), &[]);
    assert_eq!(valid("vllm", &heads, Fact::Tp, 8), [1, 2, 4]);
}

#[test]
fn c11_kv_heads_are_copied_by_some() {
    let facts = [("heads", 32), ("kv_heads", 4), ("tp", 8)];
    check("vllm", &facts, &[]);
    assert_eq!(proposal(&facts).value(Fact::KvReplication), Some(2));
    let found = check("transformers-tp", &facts, &["kv-heads-split"]);
    assert_eq!(found[0].nearest[0].values().collect::<Vec<_>>(), [4]);
}

#[test]
fn c12_ulysses_sets() {
    let facts = [("heads", 40), ("kv_heads", 8)];
    assert_eq!(valid("ulysses", &facts, Fact::Ulysses, 40), [1, 2, 4, 8, 40]);
}

#[test]
fn c15_sequence_over_the_mesh() {
    let found = check("torchtitan", &[("seq", 8190), ("tp", 4)], &["sequence-mesh"]);
    assert_eq!(found[0].nearest(Fact::Sequence).unwrap().words().0, "sequence 8184 or 8192");
    check("torchtitan", &[("seq", 8192), ("tp", 4)], &[]);
}

#[test]
fn c16_the_batch_product() {
    let facts = [("global_batch", 256), ("micro_batch", 2), ("gpus", 7), ("dp", 7)];
    let found = check("deepspeed", &facts, &["batch-divides"]);
    assert_eq!(found[0].nearest(Fact::GlobalBatch).unwrap().words().0, "global batch 252 or 266");
}

#[test]
fn c18_batch_of_a_tensor_parallel_job() {
    let facts =
        |batch| [("gpus", 64), ("tp", 8), ("pp", 2), ("micro_batch", 2), ("global_batch", batch)];
    let found = check("megatron", &facts(18), &["batch-divides"]);
    assert_eq!(found[0].nearest(Fact::GlobalBatch).unwrap().words().0, "global batch 16 or 24");
    check("megatron", &facts(16), &[]);
}

#[test]
fn c19_micro_batches_fill_the_pipeline() {
    let facts = |count| [("pp", 8), ("microbatches", count), ("local_batch", count)];
    check("torchtitan", &facts(4), &["micro-batches-fill-stages"]);
    check("torchtitan", &facts(8), &[]);
    let bubble = proposal(&facts(8)).bubble_percent().unwrap();
    assert!((bubble - 46.7).abs() < 0.1, "{bubble}");
}

#[test]
fn c24_tied_embeddings_on_two_stages() {
    let facts = [("hidden", 4096), ("vocab", 128_256), ("tied", 1), ("pp", 4), ("tp", 1)];
    check("megatron", &facts, &[]);
    assert_eq!(proposal(&facts).value(Fact::EmbeddingCopies), Some(2));
    assert_eq!(proposal(&facts).value(Fact::EmbeddingBytes), Some(1_050_673_152));
}
