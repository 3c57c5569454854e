//! The examples' answers, digit by digit, and their launch files. `UPDATE_GOLDEN=1 cargo test --test golden` rewrites
//! the texts after a change that is meant.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot read its files must fail")]

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

/// Every file of every target, or the refusal, one after the other.
fn launch_files(project: &str) -> String {
    let document = project::from_yaml(project).unwrap();
    let inputs = document.inputs().unwrap();
    let answer = planner::answer::solve(&inputs);
    let mut text = String::new();
    for target in launch::targets() {
        match launch::export(target.id(), &document.name, &inputs, &answer) {
            Ok(export) => {
                for file in export.files {
                    text += &format!("==== {} {}\n{}", target.id(), file.name, file.text);
                }
            }
            Err(refusal) => text += &format!("==== {} refused: {refusal}\n", target.id()),
        }
    }
    text
}

#[test]
fn the_launch_files_of_the_examples_are_known() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    for (name, project, _) in report::EXAMPLES {
        let got = launch_files(project);
        let place = folder.join(format!("{name}.launch.txt"));
        if update {
            std::fs::write(place, got).unwrap();
        } else {
            assert_eq!(got, std::fs::read_to_string(place).unwrap(), "{name}");
        }
    }
}
