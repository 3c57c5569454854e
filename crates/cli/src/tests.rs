//! The command line, and values as words.

use std::ffi::OsString;
use std::path::PathBuf;

use planner::units::{Bytes, Seconds};

use crate::arguments::{Form, Request, parse};
use crate::words::{duration, gib, number, words};

fn request(line: &str) -> Result<Request, String> {
    parse(line.split_whitespace().map(OsString::from)).map_err(|failure| failure.to_string())
}

#[test]
fn commands_are_read_in_any_order_of_options() {
    let plan = Request::Plan { project: PathBuf::from("p.yaml"), top: 3, form: Form::Json };
    assert_eq!(request("plan p.yaml --top 3 --json"), Ok(plan.clone()));
    assert_eq!(request("plan --json --top=3 p.yaml"), Ok(plan.clone()));
    assert_eq!(request("--json plan --top 3 -- p.yaml"), Ok(plan));
    assert_eq!(request("export --list"), Ok(Request::ExportList));
    assert_eq!(request(""), Ok(Request::Help));
    assert_eq!(request("plan --help"), Ok(Request::Help));
    assert_eq!(request("--version"), Ok(Request::Version));
}

#[test]
fn bad_command_lines_are_one_line_with_a_hint() {
    for (line, expected) in [
        ("frob", "frob: unknown command; see meshwright --help"),
        ("claims", "claims: not built yet; see meshwright --help"),
        ("plan", "PROJECT: missing; see meshwright --help"),
        ("plan a b", "b: one argument too many; see meshwright --help"),
        ("plan a --top", "--top: needs a value; see meshwright --help"),
        ("plan a --top x", "--top: x is not a whole number; give a number such as 10"),
        ("plan a --fast", "--fast: unknown option; see meshwright --help"),
        ("export a --target x", "--out: missing; see meshwright --help"),
    ] {
        assert_eq!(request(line), Err(expected.to_owned()), "{line}");
    }
}

#[test]
fn numbers_have_three_digits_and_a_unit() {
    let shown = [1234.5, 123.4, 12.34, 1.234, 0.1234, 0.0123, 0.0].map(number);
    assert_eq!(shown, ["1234", "123", "12.3", "1.23", "0.123", "0.01230", "0"]);
    assert_eq!(number(f64::INFINITY), "never");
    assert_eq!(gib(Bytes::gib(79.25)), "79.2 GiB");
    assert_eq!(duration(Seconds::micros(5.0)), "5.00 µs");
    assert_eq!(duration(Seconds::millis(5.0)), "5.00 ms");
    assert_eq!(duration(Seconds::new(90.0)), "90.0 s");
    assert_eq!(duration(Seconds::hours(3.0)), "3.00 h");
    assert_eq!(duration(Seconds::days(21.0)), "21.0 days");
    assert_eq!(words("out-of_memory"), "out of memory");
}
