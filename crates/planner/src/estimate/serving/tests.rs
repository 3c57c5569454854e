//! Published weights and verdicts, and what must always hold.

use proptest::prelude::*;

use super::*;
use crate::catalog::accelerator;
use crate::model::{KvFormat, preset};

fn serving(format: WeightFormat, tp: u32) -> Serving {
    Serving { format, tp, pp: 1, utilization: 0.9 }
}

#[test]
fn published_sizes_of_weights() {
    // Start log of vLLM (cases H01): 14.99 GiB.
    let llama = weights(&preset("llama3-8b").unwrap(), WeightFormat::SixteenBit).as_gib();
    assert!((llama / 14.99 - 1.0).abs() < 0.01, "{llama}");
    // 671 GB in FP8 (cases H10).
    let deepseek = weights(&preset("deepseek-v3").unwrap(), WeightFormat::EightBit).as_gb();
    assert!((deepseek / 671.0 - 1.0).abs() < 0.01, "{deepseek}");
}

#[test]
fn deepseek_v3_needs_a_node_of_large_cards() {
    let model = preset("deepseek-v3").unwrap();
    let verdict = |gpu: &str, tp: u32| {
        let part = accelerator(gpu).unwrap();
        room(&model, part, &serving(WeightFormat::EightBit, tp), Bytes::ZERO).verdict
    };
    assert_eq!(verdict("h800-sxm", 8), Verdict::DoesNotFit);
    assert_eq!(verdict("h20-96g", 8), Verdict::Fits);
    assert_eq!(verdict("h200-sxm", 2), Verdict::DoesNotFit);
    let part = accelerator("h200-sxm").unwrap();
    let fewest = fewest_gpus(&model, part, &serving(WeightFormat::EightBit, 2), 8);
    assert_eq!(fewest, Some(8));
    let short = room(&model, part, &serving(WeightFormat::EightBit, 2), Bytes::ZERO);
    let finding = finding(&short, 2, fewest).unwrap();
    assert_eq!(finding.code, Code::OutOfMemory);
    assert_eq!(finding.remedies[0].steps[0].to, "8");
}

/// Cases H02, H06 and H08: windows, copied heads, a latent cache on every GPU.
#[test]
fn caches_of_published_models() {
    let model = |id| preset(id).unwrap();
    let sequence =
        |id, tokens| sequence_bytes(&model(id).kv_cache(), KvFormat::Bf16, tokens).as_gib();
    let windowed = sequence("gpt-oss-120b", 131_072.0);
    assert!((windowed / 4.5 - 1.0).abs() < 0.01, "{windowed}");
    let qwen = model("qwen3-235b-a22b");
    let here = qwen.kv_bytes_per_token(KvFormat::Bf16) * tp_share(&qwen, 4);
    assert_eq!(here, Bytes::new(48_128.0));
    assert!((tp_share(&qwen, 8) - 0.25).abs() < 1e-12);
    assert!((tp_share(&model("deepseek-v3"), 8) - 1.0).abs() < 1e-12);
    let tokens = capacity(&qwen.kv_cache(), KvFormat::Bf16, 0.25, Bytes::gib(8.11));
    assert!((tokens / 178_880.0 - 1.0).abs() < 0.02, "{tokens}");
}

proptest! {
    #[test]
    fn more_gpus_never_hold_less(tp in 1u32..7, sequence in 0.0f64..40.0) {
        let model = preset("llama3-70b").unwrap();
        let part = accelerator("a100-sxm-80g").unwrap();
        let sequence = Bytes::gib(sequence);
        let on = |tp| room(&model, part, &serving(WeightFormat::SixteenBit, tp), sequence);
        let (few, many) = (on(tp), on(tp + 1));
        prop_assert!(many.pool >= few.pool);
        prop_assert!(many.verdict <= few.verdict);
        prop_assert!(few.pool <= few.taken);
    }
}
