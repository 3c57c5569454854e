//! The examples' answers, digit by digit. `UPDATE_GOLDEN=1 cargo test --test golden` rewrites
//! the texts after a change that is meant.
#![cfg(not(target_arch = "wasm32"))]

mod report;

#[test]
fn the_examples_give_their_answers() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    for (name, project, expected) in report::EXAMPLES {
        let got = report::report(project).unwrap();
        if update {
            std::fs::write(folder.join(format!("{name}.txt")), got).unwrap();
        } else {
            assert_eq!(got, expected, "{name}");
        }
    }
}
