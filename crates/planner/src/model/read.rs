//! Which reader a text belongs to.

use super::config::read_config;
use super::error::ConfigError;
use super::json::check_size;
use super::{Model, megatron};

/// Reads the language model that a text describes: a config.json, or Megatron-LM arguments,
/// alone or in a launch script. `name` is kept as the model's name.
///
/// # Errors
/// Whatever cannot be expressed exactly is refused with the place in the text.
pub fn read_model(name: &str, text: &str) -> Result<Model, ConfigError> {
    check_size(text)?;
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if !start.starts_with('{') && megatron::is_megatron(text) {
        return megatron::read(name, text);
    }
    read_config(name, text)
}
