//! Physical quantities and money as types, so that GiB, GB/s and Gb/s cannot be mixed.

mod money;
mod physical;

pub use money::{Currency, Money, MoneyRange};
pub use physical::{BitsPerSecond, Bytes, BytesPerSecond, Flop, FlopPerSecond, Seconds, Watts};

#[cfg(test)]
mod tests;
