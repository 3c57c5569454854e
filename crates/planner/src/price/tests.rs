use rust_decimal::Decimal;

use super::*;
use crate::catalog::accelerator;
use crate::estimate::Band;
use crate::explain::{Code, Quantity};
use crate::units::{Bytes, Currency, Money, MoneyRange};

const CNY: Currency = Currency::Cny;
const USD: Currency = Currency::Usd;

fn money(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn range(low: &str, high: &str, currency: Currency) -> Option<MoneyRange> {
    Some(MoneyRange { low: money(low), high: money(high), currency })
}

fn need(part: &str, nodes: u32, days: [f64; 3]) -> Need {
    let [p10, p50, p90] = days;
    Need {
        accelerator: accelerator(part).unwrap(),
        gpus: nodes * 8,
        gpus_per_node: 8,
        nodes,
        days: Band { p10, p50, p90 },
        tokens: 1e9,
        checkpoint: Bytes::gb(98.0),
        nic_gbps_per_node: 1600.0,
    }
}

fn options(currency: Currency, term_months: u32) -> PriceOptions {
    PriceOptions { currency, term_months, platforms: Vec::new() }
}

fn ids(lines: &[CostLine]) -> Vec<&str> {
    lines.iter().map(|line| line.platform.as_str()).collect()
}

fn part<'a>(line: &'a CostLine, key: &str) -> &'a CostPart {
    line.parts.iter().find(|part| part.key == key).unwrap()
}

fn code(line: &CostLine) -> Option<Code> {
    line.finding.as_ref().map(|finding| finding.code)
}

fn excluded(line: &CostLine, key: &str) -> bool {
    line.not_included.iter().any(|one| one == key)
}

// 16 × A100 for 10, 12 and 15 days: 3,840, 4,608 and 5,760 GPU-hours; 240, 288 and 360 h are
// 0.328767, 0.394521 and 0.493151 months of 730 h, or one month begun.
fn sixteen_a100(term_months: u32) -> Vec<CostLine> {
    costs(&need("a100-sxm-80g", 2, [10.0, 12.0, 15.0]), &options(CNY, term_months))
}

#[test]
fn the_seeds_three_come_first_then_the_three_cheapest() {
    let lines = sixteen_a100(0);
    let want = ["alibaba-lingjun", "tencent-tione", "starverse", "vast-ai", "dataoorts", "verda"];
    assert_eq!(ids(&lines), want);
    assert!(lines.iter().take(3).all(|line| line.seed));
    assert!(lines.iter().skip(3).all(|line| !line.seed));
}

#[test]
fn lingjun_adds_its_network_surcharge_and_storage() {
    let lines = sixteen_a100(0);
    let line = &lines[0];
    assert_eq!(line.per_gpu_hour, range("34.74", "34.74", CNY));
    // 3,840 × 34.74 and 5,760 × 34.74.
    assert_eq!(Some(part(line, "compute").amount), range("133401.60", "200102.40", CNY));
    // 1,200 × 0.328767 and 2,600 × 1.
    assert_eq!(Some(part(line, "network").amount), range("394.52", "2600", CNY));
    // 98 GB × 0.12 × 0.328767 and × 0.493151.
    assert_eq!(Some(part(line, "storage").amount), range("3.87", "5.80", CNY));
    assert_eq!(line.total, range("133799.99", "202708.20", CNY));
    // 4,608 × 34.74 + 1,900 × 0.394521 + 11.76 × 0.394521 = 160,081.92 + 749.59 + 4.64.
    assert_eq!(line.middle, Some(Money::new(money("160836.15"), CNY)));
    assert_eq!(line.per_million_tokens, range("133.79999", "202.7082", CNY));
    assert_eq!(code(line), None);
    assert_eq!((line.date.as_str(), line.confidence.as_str()), ("2026-08", "read"));
    for key in ["egress", "nvlink-add-on", "infiniband-add-on", "hidden-charges"] {
        assert!(excluded(line, key), "{key}");
    }
}

#[test]
fn ti_one_adds_its_rdma_plan() {
    let lines = sixteen_a100(0);
    let line = &lines[1];
    // Two bare-metal types at 19.91 and 21.71, by the month.
    assert_eq!(Some(part(line, "compute").amount), range("76454.40", "125049.60", CNY));
    // 1,700 × 0.328767 and 1,700 × 1.
    assert_eq!(Some(part(line, "network").amount), range("558.90", "1700", CNY));
    assert!(excluded(line, "minimum-term") && !excluded(line, "nvlink-add-on"));
    let offered = &part(line, "network").inputs;
    assert!(offered.iter().any(|(key, _)| key == "network_offered"));
}

#[test]
fn one_node_pays_no_network() {
    let lines = costs(&need("a100-sxm-80g", 1, [10.0, 12.0, 15.0]), &options(CNY, 0));
    for line in &lines {
        assert!(line.parts.iter().all(|part| part.key != "network"), "{}", line.platform);
        assert!(!excluded(line, "cluster-network"));
    }
}

#[test]
fn starverse_takes_the_range_of_its_class_and_says_so() {
    let lines = sixteen_a100(0);
    let line = &lines[2];
    assert_eq!(line.per_gpu_hour, range("3.5", "12", CNY));
    // 3,840 × 3.5 and 5,760 × 12; network and 98 GB of storage are in the price.
    assert_eq!(line.total, range("13440", "69120", CNY));
    assert_eq!(Some(part(line, "network").amount), range("0", "0", CNY));
    assert_eq!(Some(part(line, "storage").amount), range("0", "0", CNY));
    assert_eq!(code(line), Some(Code::WeakPrice));
    let evidence = &line.finding.as_ref().unwrap().evidence;
    let class = evidence.iter().find(|one| one.name == "price_class").unwrap();
    assert_eq!(class.value, Quantity::Name("vertical-clouds".into()));
}

#[test]
fn six_months_at_starverse_cost_45_percent_less() {
    assert_eq!(sixteen_a100(5)[2].total, range("13440", "69120", CNY));
    let lines = sixteen_a100(6);
    assert_eq!(lines[2].total, range("7392", "38016", CNY));
    assert!(excluded(&lines[2], "idle-commitment"));
}

#[test]
fn dollars_are_exchanged_at_the_catalogs_rate_with_its_date() {
    let lines = sixteen_a100(0);
    let line = &lines[3];
    // 0.6 USD × 3,840 × 7.1 and × 5,760 × 7.1.
    assert_eq!(line.per_gpu_hour, range("0.6", "0.6", USD));
    assert_eq!(line.total, range("16358.40", "24537.60", CNY));
    let inputs = &part(line, "compute").inputs;
    let date = Quantity::Name("2025".into());
    assert!(inputs.contains(&("exchange_date".into(), date)));
    assert!(excluded(line, "storage") && excluded(line, "cluster-network"));
}

#[test]
fn no_price_of_another_gpu_is_borrowed() {
    let lines = costs(&need("rtx-4090", 1, [2.0, 2.0, 2.0]), &options(USD, 0));
    for line in lines.iter().take(3) {
        assert_eq!((code(line), line.total), (Some(Code::NoPrice), None), "{}", line.platform);
        let evidence = &line.finding.as_ref().unwrap().evidence;
        let market = evidence.iter().find(|one| one.name == "market_price_high").unwrap();
        assert_eq!(market.value, Quantity::Money(Money::new(money("1.25"), CNY)));
    }
}

#[test]
fn eight_4090_for_two_days() {
    let lines = costs(&need("rtx-4090", 1, [2.0, 2.0, 2.0]), &options(USD, 0));
    assert_eq!(ids(&lines)[3..], ["zhixingyun", "gpushare", "autodl"]);
    // 384 GPU-hours × 1.31 to 1.5, × 1.32, × 1.88 to 2.58 CNY, over 7.1.
    assert_eq!(lines[3].total, range("70.85", "81.13", USD));
    assert_eq!(lines[4].total, range("71.39", "71.39", USD));
    assert_eq!(lines[5].total, range("101.68", "139.54", USD));
    assert_eq!(code(&lines[3]), Some(Code::WeakPrice));
    assert_eq!(code(&lines[5]), None);
}

#[test]
fn two_thousand_h800_for_a_month() {
    let lines = costs(&need("h800-sxm", 256, [30.0, 33.0, 40.0]), &options(CNY, 0));
    // Two providers only; the market's rent is by the month and comes last.
    assert_eq!(ids(&lines)[3..], ["autodl", "market"]);
    // 1,474,560 × 8.88 and 1,966,080 × 9.99.
    assert_eq!(lines[3].total, range("13094092.80", "19641139.20", CNY));
    // 1,474,560 × 11.64 and 1,966,080 × 13.01.
    assert_eq!(lines[4].total, range("17163878.40", "25578700.80", CNY));
    assert!(excluded(&lines[4], "minimum-term"));
}

#[test]
fn the_shown_parts_give_the_total() {
    for currency in [CNY, USD] {
        for line in costs(&need("h100-sxm", 4, [3.3, 4.7, 9.1]), &options(currency, 0)) {
            let Some(total) = line.total else { continue };
            let low: Decimal = line.parts.iter().map(|part| part.amount.low).sum();
            let high: Decimal = line.parts.iter().map(|part| part.amount.high).sum();
            assert_eq!((low, high, currency), (total.low, total.high, total.currency));
            let middle = line.middle.unwrap().amount;
            assert!(low <= middle && middle <= high, "{}", line.platform);
        }
    }
}

#[test]
fn wanted_platforms_are_shown_in_their_order() {
    let mut options = options(USD, 0);
    options.platforms = ["aws", "starverse", "nowhere"].map(str::to_owned).to_vec();
    let lines = costs(&need("a100-sxm-80g", 2, [1.0, 1.0, 1.0]), &options);
    assert_eq!(ids(&lines), ["aws", "starverse", "nowhere"]);
    // 27.44705 and 37.6223 USD a node of eight.
    assert_eq!(lines[0].per_gpu_hour, range("3.43088125", "4.7027875", USD));
    // 384 GPU-hours, and 98 GB × 0.023 × 24 / 730 = 0.07 of storage.
    assert_eq!(lines[0].total, range("1317.53", "1805.94", USD));
    assert_eq!(code(&lines[2]), Some(Code::NoPrice));
}

#[test]
fn a_run_that_never_ends_has_no_cost() {
    let never = need("a100-sxm-80g", 2, [1.0, f64::INFINITY, f64::INFINITY]);
    assert_eq!(costs(&never, &options(CNY, 0)), []);
}

#[test]
fn every_gpu_of_the_catalog_gets_its_lines() {
    for part in crate::catalog::accelerators() {
        let lines = costs(&need(part.id, 2, [1.0, 2.0, 3.0]), &options(USD, 12));
        assert!(lines.len() >= 3, "{}", part.id);
        for line in &lines {
            assert_eq!(line.total.is_none(), code(line) == Some(Code::NoPrice), "{}", part.id);
        }
    }
}
