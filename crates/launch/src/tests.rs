use proptest::prelude::*;

use crate::name;
use crate::script::{Argument, Script, quoted};

proptest! {
    #[test]
    fn a_quoted_word_reads_back_as_itself(text in "[^\\x00]{0,40}") {
        let words = shlex::split(&quoted(&text)).unwrap();
        prop_assert_eq!(words, vec![text]);
    }

    #[test]
    fn a_project_name_never_leaves_its_line(text in any::<String>()) {
        let mut script = Script::bash();
        script.comment(&text).sbatch("job-name", &name::job_name(&text));
        prop_assert_eq!(script.text().lines().count(), 3);
        prop_assert!(!script.text().contains('\r'));
    }

    #[test]
    fn kubernetes_names_are_dns_labels(text in any::<String>()) {
        let label = name::dns_label(&text);
        prop_assert!(!label.is_empty() && label.len() <= 40);
        prop_assert!(label.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'));
        prop_assert!(!label.starts_with('-') && !label.ends_with('-'));
    }
}

#[test]
fn a_dollar_sign_is_not_expanded_by_kubernetes() {
    let words = Argument::value("--name", "$(HOME)").kubernetes();
    assert_eq!(words, ["--name", "$$(HOME)"]);
}
