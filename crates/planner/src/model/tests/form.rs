//! The form of a model of one's own.

use super::super::*;
use super::refused;

fn form(values: &[(&str, &str)]) -> ModelForm {
    ModelForm::new(values.iter().map(|(field, value)| ((*field).to_owned(), (*value).to_owned())))
}

/// What the form can say of a preset is read back: sizes, experts and latent attention.
#[test]
fn a_preset_goes_through_the_form() {
    for id in ["llama3-70b", "mixtral-8x7b", "deepseek-v3", "qwen2.5-72b", "llama4-scout"] {
        let known = preset(id).unwrap();
        let text = ModelForm::of_model(&known).text();
        let found = read_model("own", &text).unwrap();
        assert_eq!(found.counts.total, known.counts.total, "{id}\n{text}");
        assert_eq!(found.attention, known.attention, "{id}");
        assert_eq!(found.experts, known.experts, "{id}");
        assert_eq!((found.tied, found.max_positions), (known.tied, known.max_positions), "{id}");
    }
}

#[test]
fn an_outline_fills_what_it_states() {
    let text = r#"{"model_type": "new", "num_hidden_layers": 4, "hidden_size": 64,
        "num_attention_heads": 4, "intermediate_size": 256}"#;
    let mut values: Vec<(String, String)> = ModelForm::of_outline(&outline(text).unwrap())
        .values()
        .map(|(field, value)| (field.to_owned(), value.to_owned()))
        .collect();
    let refusal = read_model("", &ModelForm::new(values.clone()).text());
    refused(refusal, "config-missing-field", "--max-position-embeddings");
    values.push(("max-position-embeddings".to_owned(), " 2 048 ".to_owned()));
    values.push(("padded-vocab-size".to_owned(), "1000".to_owned()));
    let found = read_model("", &ModelForm::new(values).text()).unwrap();
    assert_eq!((found.layers, found.feed_forward.width, found.max_positions), (4, 256, 2048));
}

#[test]
fn what_is_typed_wrongly_is_refused_by_its_field() {
    let known = ModelForm::of_model(&preset("deepseek-v3").unwrap());
    let with = |field: &str, value: &str| {
        let all = known.values().map(|(field, value)| (field.to_owned(), value.to_owned()));
        let changed = all.chain([(field.to_owned(), value.to_owned())]);
        read_model("", &ModelForm::new(changed).text())
    };
    refused(with("num-layers", ""), "config-missing-field", "--num-layers");
    refused(with("hidden-size", "big"), "config-wrong-type", "--hidden-size");
    refused(with("hidden-size", "1 --num-layers 2"), "config-wrong-type", "--hidden-size");
    refused(with("num-attention-heads", "-3"), "config-out-of-bounds", "--num-attention-heads");
    refused(with("first-dense-layers", "99"), "config-out-of-bounds", "--moe-layer-freq");
    refused(with("first-dense-layers", "x"), "config-unsupported-field", "--moe-layer-freq");
    refused(with("moe-router-topk", "300"), "config-too-large", "--moe-router-topk");
    refused(read_model("", &form(&[]).text()), "config-missing-field", "--num-layers");
}
