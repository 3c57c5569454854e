//! The cost of a job, platform by platform (DESIGN.md, Price). Every figure comes from the
//! catalog: nothing here is a price.

use std::borrow::Cow;

use rust_decimal::Decimal;

use super::amount::{Span, Three, decimal};
use super::extras::{self, Extra, count, money, not_included};
use super::need::Need;
use super::quote::{Quote, cheapest};
use super::types::{CostLine, CostPart, PriceOptions};
use crate::catalog::{Accelerator, Platform, operations, platform, platforms};
use crate::explain::{Code, Evidence, Finding, Quantity, Severity, Subject};
use crate::units::{Currency, Money};

/// The products of the first seed article, and the companies that the price tables name.
const SEED: [(&str, &str); 3] =
    [("alibaba-lingjun", "alibaba"), ("tencent-tione", "tencent"), ("starverse", "starverse")];

/// How many platforms stand beside the seed's three.
const OTHERS: usize = 3;

/// Digits after the point: of money, and of the small amounts for a million tokens.
const CENTS: u32 = 2;
const MICROS: u32 = 6;

/// One line per platform: the wanted ones, or the seed's three and the three cheapest others
/// that rent this GPU. Empty when the days of the need are no finite time.
///
/// The low end of a total takes the fewest days and the lowest price, the high end the most and
/// the highest.
pub fn costs(need: &Need, options: &PriceOptions) -> Vec<CostLine> {
    let Some(span) = Span::of_days(need.days) else { return Vec::new() };
    let job = Job { need, options, span };
    if options.platforms.is_empty() {
        let seed = SEED.iter().map(|(id, _)| *id);
        let others = cheapest(need.accelerator, options.term_months).into_iter().take(OTHERS);
        seed.chain(others).map(|id| job.line(id)).collect()
    } else {
        options.platforms.iter().map(|id| job.line(id)).collect()
    }
}

/// What all lines share.
struct Job<'a> {
    need: &'a Need,
    options: &'a PriceOptions,
    span: Span,
}

impl Job<'_> {
    fn line(&self, id: &str) -> CostLine {
        let provider = SEED.iter().find(|(seed, _)| *seed == id).map_or(id, |(_, name)| name);
        let quote = self.quote(id, provider);
        let mut line = named(id);
        let Some(quote) = quote else {
            line.finding = Some(no_price(id, self.need.accelerator));
            return line;
        };
        line.not_included = not_included(id, provider, self.need, self.options.term_months);
        line.finding = quote.is_weak().then(|| weak_price(id, provider, &quote));
        line.per_gpu_hour = Some(quote.per_gpu_hour.range(quote.currency));
        self.name_terms(&quote, &mut line);
        self.add_up(id, provider, &quote, &mut line);
        line.source = quote.source;
        quote.date.clone_into(&mut line.date);
        quote.confidence.clone_into(&mut line.confidence);
        line
    }

    /// The provider's own price, else the range of its class for the same GPU.
    fn quote(&self, id: &str, provider: &str) -> Option<Quote> {
        let of = |name| Quote::of(name, self.need.accelerator, self.options.term_months);
        of(provider).or_else(|| of(class_of(platform(id)?)?.id))
    }

    fn name_terms(&self, quote: &Quote, line: &mut CostLine) {
        let term = self.options.term_months;
        if quote.monthly && term == 0 {
            line.not_included.push("minimum-term".into());
        }
        if Decimal::from(term) > self.span.months().middle {
            line.not_included.push("idle-commitment".into());
        }
    }

    /// Parts and totals; all stay empty when an amount is beyond what money can hold.
    fn add_up(&self, id: &str, provider: &str, quote: &Quote, line: &mut CostLine) {
        let Some(compute) = self.compute(id, quote) else { return };
        let network = extras::network(id, self.need, self.span);
        let storage = extras::storage(provider, self.need, self.span);
        if network.is_none() && self.need.nodes > 1 {
            line.not_included.push("cluster-network".into());
        }
        if storage.is_none() {
            line.not_included.push("storage".into());
        }
        let extras = [Some(compute), network, storage].into_iter().flatten();
        let parts = extras.map(|extra| self.part(extra)).collect::<Option<Vec<_>>>();
        let Some(parts) = parts else { return };
        let Some(total) = parts.iter().try_fold(Three::ZERO, |sum, (amount, _)| sum.plus(*amount))
        else {
            return;
        };
        let currency = self.options.currency;
        line.total = Some(total.range(currency));
        line.middle = Some(total.middle(currency));
        line.per_million_tokens = self.per_million(total).map(|each| each.range(currency));
        line.parts = parts.into_iter().map(|(_, part)| part).collect();
    }

    /// GPU hours × price × (1 − term discount).
    fn compute(&self, id: &str, quote: &Quote) -> Option<Extra> {
        let hours = self.span.hours().scaled(Decimal::from(self.need.gpus))?;
        let price = quote.per_gpu_hour;
        let mut inputs = vec![
            ("gpus".into(), Quantity::Count(f64::from(self.need.gpus))),
            ("gpu_hours_low".into(), count(hours.low)),
            ("gpu_hours_middle".into(), count(hours.middle)),
            ("gpu_hours_high".into(), count(hours.high)),
            ("price_low".into(), money(price.low, quote.currency)),
            ("price_high".into(), money(price.high, quote.currency)),
        ];
        let mut amount = hours.times(price)?;
        if let Some(percent) = platform(id).and_then(|row| discount(row, self.options.term_months))
        {
            let share = percent / 100.0;
            amount = amount.scaled(Decimal::ONE - decimal(share)?)?;
            inputs.push(("term_discount".into(), Quantity::Share(share)));
        }
        let source = Cow::Owned(quote.source.clone());
        Some(Extra { key: "compute", amount, currency: quote.currency, inputs, source })
    }

    /// The addend in the wanted currency, rounded, so that the shown parts give the total.
    fn part(&self, extra: Extra) -> Option<(Three, CostPart)> {
        let wanted = self.options.currency;
        let amount = extra.amount.converted(extra.currency, wanted)?.rounded(CENTS);
        let mut inputs = extra.inputs;
        let mut source = extra.source.into_owned();
        if extra.currency != wanted {
            let exchange = operations().exchange;
            inputs.push(("cny_per_usd".into(), money(exchange.cny_per_usd, Currency::Cny)));
            inputs.push(("exchange_date".into(), Quantity::Name(exchange.date.into())));
            source = format!("{source}; {}", exchange.source);
        }
        let range = amount.range(wanted);
        Some((amount, CostPart { key: extra.key.into(), amount: range, inputs, source }))
    }

    fn per_million(&self, total: Three) -> Option<Three> {
        let millions = decimal(self.need.tokens / 1e6)?;
        let each = |amount: Decimal| amount.checked_div(millions);
        let (low, middle, high) = (each(total.low)?, each(total.middle)?, each(total.high)?);
        Some(Three { low, middle, high }.rounded(MICROS))
    }
}

/// The class of platforms that a platform belongs to.
fn class_of(member: &Platform) -> Option<&'static Platform> {
    let of_class = |row: &&Platform| row.platform_class == member.platform_class;
    let classes = platforms().iter().filter(|row| SEED.iter().all(|(id, _)| *id != row.id));
    classes.into_iter().find(of_class)
}

/// Percent off, when the term is long enough.
fn discount(row: &Platform, term_months: u32) -> Option<f64> {
    (f64::from(term_months) >= row.term_discount_months?).then_some(row.term_discount_pct?)
}

/// A line with nothing but its name.
fn named(id: &str) -> CostLine {
    let row = platform(id);
    CostLine {
        platform: id.to_owned(),
        name_en: row.map_or(id, |row| row.name_en).to_owned(),
        name_zh: row.map_or(id, |row| row.name_zh).to_owned(),
        seed: row.is_some(),
        finding: None,
        total: None,
        middle: None,
        per_million_tokens: None,
        per_gpu_hour: None,
        parts: Vec::new(),
        not_included: Vec::new(),
        source: String::new(),
        date: String::new(),
        confidence: String::new(),
    }
}

/// No price of this GPU there; the market's rent for it is shown beside where it is known.
fn no_price(id: &str, part: &'static Accelerator) -> Finding {
    let mut evidence = vec![Evidence::new("accelerator", Quantity::Name(part.id.into()))];
    if let Some(market) = Quote::of("market", part, 1) {
        let Three { low, high, .. } = market.per_gpu_hour;
        let value = |amount| Quantity::Money(Money::new(amount, market.currency));
        evidence.push(Evidence::new("market_price_low", value(low)));
        evidence.push(Evidence::new("market_price_high", value(high)));
        evidence.push(Evidence::new("price_date", Quantity::Name(market.date.into())));
    }
    finding(Code::NoPrice, Severity::Warn, id, evidence)
}

fn weak_price(id: &str, provider: &str, quote: &Quote) -> Finding {
    let mut evidence = vec![
        Evidence::new("price_confidence", Quantity::Name(quote.confidence.into())),
        Evidence::new("price_date", Quantity::Name(quote.date.into())),
    ];
    if quote.provider != provider {
        evidence.push(Evidence::new("price_class", Quantity::Name(quote.provider.into())));
    }
    finding(Code::WeakPrice, Severity::Note, id, evidence)
}

fn finding(code: Code, severity: Severity, id: &str, evidence: Vec<Evidence>) -> Finding {
    let subject = Subject::Platform(Cow::Owned(id.to_owned()));
    Finding { code, severity, subject, evidence, remedies: Vec::new() }
}
