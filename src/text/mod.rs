//! The words of the page in two languages: Fluent messages bundled with the program.
//!
//! [`Text`] is what components take from the context. Messages live in `en/*.ftl` and
//! `zh-CN/*.ftl` with the same keys; `tests.rs` proves it.

mod format;
mod language;

use std::rc::Rc;

use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};
use planner::explain::{Bilingual, NearestValues, Quantity};
use planner::units::{
    BitsPerSecond, Bytes, BytesPerSecond, Flop, FlopPerSecond, Money, MoneyRange, Seconds,
};

pub use language::Language;

/// Messages of one language. Cheap to clone; equal when the language is equal.
#[derive(Clone)]
pub struct Text(Rc<Messages>);

struct Messages {
    language: Language,
    bundle: FluentBundle<FluentResource>,
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.0.language == other.0.language
    }
}

impl Text {
    /// Reads the bundled messages of a language.
    pub fn new(language: Language) -> Self {
        let mut bundle = FluentBundle::new(vec![language.identifier()]);
        bundle.set_use_isolating(false);
        for (_, source) in language.files() {
            let resource = match FluentResource::try_new((*source).to_owned()) {
                Ok(resource) => resource,
                // What could be read is used; the tests refuse files with errors.
                Err((resource, _)) => resource,
            };
            bundle.add_resource_overriding(resource);
        }
        Self(Rc::new(Messages { language, bundle }))
    }

    pub fn language(&self) -> Language {
        self.0.language
    }

    /// The message `key`; the key itself when there is none.
    pub fn get(&self, key: &str) -> String {
        self.with(key, &[])
    }

    /// The message `key` with named values.
    pub fn with(&self, key: &str, args: &[(&str, String)]) -> String {
        self.find(key, &arguments(args)).unwrap_or_else(|| key.to_owned())
    }

    /// The message `key` when it exists.
    pub fn try_with(&self, key: &str, args: &[(&str, String)]) -> Option<String> {
        self.find(key, &arguments(args))
    }

    /// A message that depends on a count: `$n` selects the plural form, `$count` prints it.
    pub fn counted(&self, key: &str, n: f64, args: &[(&str, String)]) -> String {
        let mut arguments = arguments(args);
        arguments.set("n", FluentValue::from(n));
        arguments.set("count", FluentValue::from(self.count(n)));
        self.find(key, &arguments).unwrap_or_else(|| key.to_owned())
    }

    /// The attribute `.formula` of the message `key`: a formula in words.
    pub fn formula(&self, key: &str) -> Option<String> {
        let message = self.0.bundle.get_message(key)?;
        let pattern = message.get_attribute("formula")?.value();
        let mut errors = Vec::new();
        Some(self.0.bundle.format_pattern(pattern, None, &mut errors).into_owned())
    }

    /// A value with its unit.
    pub fn quantity(&self, quantity: &Quantity) -> String {
        match quantity {
            Quantity::Bytes(value) => self.bytes(*value),
            Quantity::Seconds(value) => self.seconds(*value),
            Quantity::Bandwidth(value) => self.bandwidth(*value),
            Quantity::Port(value) => self.port(*value),
            Quantity::Flop(value) => self.flop(*value),
            Quantity::Compute(value) => self.compute(*value),
            Quantity::Count(value) => self.count(*value),
            Quantity::Share(value) => self.percent(*value),
            Quantity::Factor(value) => self.number(*value),
            Quantity::Money(value) => self.money(*value),
            Quantity::Name(value) => value.to_string(),
            Quantity::Sentence(words) => self.either(words),
            Quantity::Nearest(all) => self.nearest(all),
        }
    }

    /// The words of this language.
    fn either(&self, words: &Bilingual) -> String {
        match self.0.language {
            Language::En => words.en.clone(),
            Language::ZhCn => words.zh.clone(),
        }
    }

    fn nearest(&self, all: &[NearestValues]) -> String {
        let said: Vec<String> = all.iter().map(|one| self.either(&one.words)).collect();
        said.join(match self.0.language {
            Language::En => "; ",
            Language::ZhCn => "；",
        })
    }

    /// The same value with six significant digits, for comparison with the command line.
    pub fn quantity_exact(&self, quantity: &Quantity) -> String {
        match quantity {
            Quantity::Bytes(value) => format!("{} GiB", self.exact(value.as_gib())),
            Quantity::Seconds(value) => format!("{} s", self.exact(value.as_seconds())),
            Quantity::Bandwidth(value) => format!("{} GB/s", self.exact(value.as_gb_s())),
            Quantity::Port(value) => format!("{} Gb/s", self.exact(value.as_gbps())),
            Quantity::Flop(value) => format!("{} FLOP", self.exact(value.base())),
            Quantity::Compute(value) => format!("{} TFLOP/s", self.exact(value.as_tflops())),
            Quantity::Count(value) | Quantity::Factor(value) => self.exact(*value),
            Quantity::Share(value) => format!("{}%", self.exact(value * 100.0)),
            Quantity::Money(value) => self.money_exact(*value),
            Quantity::Name(_) | Quantity::Sentence(_) | Quantity::Nearest(_) => {
                self.quantity(quantity)
            }
        }
    }

    /// `72.5 GiB`, from KiB to TiB by size.
    pub fn bytes(&self, value: Bytes) -> String {
        self.or_missing(value.base(), format::bytes)
    }

    /// Always in GiB: `72.5 GiB`.
    pub fn bytes_gib(&self, value: Bytes) -> String {
        self.or_missing(value.as_gib(), |gib| format!("{} GiB", format::significant(gib, 3)))
    }

    /// Microseconds to days by size, three significant digits.
    pub fn seconds(&self, value: Seconds) -> String {
        let seconds = value.as_seconds();
        if !seconds.is_finite() {
            return self.get("not-available");
        }
        let (key, scaled) = format::duration(seconds);
        self.with(key, &[("value", format::significant(scaled, 3))])
    }

    /// `21.4 days`.
    pub fn days(&self, days: f64) -> String {
        self.or_missing(days, |days| {
            self.with("unit-days", &[("value", format::significant(days, 3))])
        })
    }

    /// A share of one as `41.3%`.
    pub fn percent(&self, share: f64) -> String {
        self.or_missing(share, |share| format!("{}%", format::significant(share * 100.0, 3)))
    }

    /// One way, `450 GB/s`.
    pub fn bandwidth(&self, value: BytesPerSecond) -> String {
        self.or_missing(value.as_gb_s(), |rate| format!("{} GB/s", format::trimmed(rate, 3)))
    }

    /// A port name, `400 Gb/s`.
    pub fn port(&self, value: BitsPerSecond) -> String {
        self.or_missing(value.as_gbps(), |rate| format!("{} Gb/s", format::trimmed(rate, 3)))
    }

    /// `989 TFLOP/s`.
    pub fn compute(&self, value: FlopPerSecond) -> String {
        self.or_missing(value.base(), |rate| format!("{}FLOP/s", format::metric(rate)))
    }

    /// `1.24 EFLOP`.
    pub fn flop(&self, value: Flop) -> String {
        self.or_missing(value.base(), |work| format!("{}FLOP", format::metric(work)))
    }

    /// A plain number with thousands separated; large ones in `M`, `B`, `T`.
    pub fn count(&self, value: f64) -> String {
        self.or_missing(value, format::count)
    }

    /// A whole number as [`Self::count`] writes it.
    #[expect(clippy::cast_precision_loss, reason = "shown with three digits once it is large")]
    pub fn tally(&self, n: u64) -> String {
        self.count(n as f64)
    }

    /// Three significant digits.
    pub fn number(&self, value: f64) -> String {
        self.or_missing(value, |value| format::trimmed(value, 3))
    }

    /// Six significant digits, as the command line prints.
    pub fn exact(&self, value: f64) -> String {
        self.or_missing(value, |value| format::trimmed(value, 6))
    }

    /// `¥1.92 M`; in Chinese `¥192 万`.
    pub fn money(&self, value: Money) -> String {
        format::money_range(MoneyRange::exactly(value), self.language())
    }

    /// `¥1.92–2.31 M`; in Chinese `¥192–231 万`.
    pub fn money_range(&self, value: MoneyRange) -> String {
        format::money_range(value, self.language())
    }

    /// `¥1,923,456.78`.
    pub fn money_exact(&self, value: Money) -> String {
        format::money_exact(value.amount, value.currency)
    }

    /// `¥1,923,456.78 – ¥2,310,000.00`.
    pub fn money_range_exact(&self, value: MoneyRange) -> String {
        let low = format::money_exact(value.low, value.currency);
        if value.low == value.high {
            low
        } else {
            format!("{low} – {}", format::money_exact(value.high, value.currency))
        }
    }

    fn find(&self, key: &str, args: &FluentArgs) -> Option<String> {
        let message = self.0.bundle.get_message(key)?;
        let pattern = message.value()?;
        let mut errors = Vec::new();
        Some(self.0.bundle.format_pattern(pattern, Some(args), &mut errors).into_owned())
    }

    fn or_missing(&self, value: f64, format: impl FnOnce(f64) -> String) -> String {
        if value.is_finite() { format(value) } else { self.get("not-available") }
    }
}

fn arguments(args: &[(&str, String)]) -> FluentArgs<'static> {
    let mut arguments = FluentArgs::with_capacity(args.len());
    for (name, value) in args {
        arguments.set((*name).to_owned(), FluentValue::from(value.clone()));
    }
    arguments
}

#[cfg(test)]
mod tests;
