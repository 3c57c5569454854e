use super::number::{Unit, parse, show};

#[track_caller]
fn check(text: &str, unit: Unit, expected: Option<f64>) {
    assert_eq!(parse(text, unit).map(|v| v.to_string()), expected.map(|v| v.to_string()), "{text}");
}

#[test]
fn numbers_are_read_as_people_type_them() {
    check("1.5T", Unit::Tokens, Some(1.5e12));
    check("1B", Unit::Tokens, Some(1e9));
    check("2 亿", Unit::Tokens, Some(2e8));
    check("14.8 t tokens", Unit::Tokens, Some(14.8e12));
    check("80 GiB", Unit::Gib, Some(80.0));
    check("2 TiB", Unit::Gib, Some(2048.0));
    check("3e-4", Unit::Factor, Some(3e-4));
    check("1E3", Unit::Count, Some(1000.0));
    check("2,048", Unit::Count, Some(2048.0));
    check("４０９６", Unit::Count, Some(4096.0));
    check("4k", Unit::Count, Some(4000.0));
    check("400 Gb/s", Unit::Gbps, Some(400.0));
    check("3:1", Unit::Factor, Some(3.0));
}

#[test]
fn other_text_is_no_number() {
    for text in ["", "abc", "1.2.3", "--4", "8 GiB", "1.5", "NaN", "inf", "1e999"] {
        check(text, Unit::Count, None);
    }
}

#[test]
fn what_is_shown_reads_back() {
    for value in [1.0, 1e9, 14.8e12, 123_456_789.0, 15e12, 999.0] {
        check(&show(value, Unit::Tokens), Unit::Tokens, Some(value));
    }
    assert_eq!(show(14.8e12, Unit::Tokens), "14.8T");
    assert_eq!(show(2048.0, Unit::Gib), "2048");
}
