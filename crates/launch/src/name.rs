//! Names that are safe where they stand.

/// A name for Kubernetes objects: DNS label of RFC 1123, at most 40 characters so that the
/// operator's suffixes still fit into 63.
pub(crate) fn dns_label(text: &str) -> String {
    let label = squeeze(text, |c| c.is_ascii_lowercase() || c.is_ascii_digit(), '-', 40);
    if label.is_empty() { "plan".to_owned() } else { label }
}

/// A name for Slurm jobs and files: letters, digits, `.`, `_` and `-`.
pub(crate) fn job_name(text: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    let name = squeeze(text, allowed, '-', 60);
    if name.is_empty() { "plan".to_owned() } else { name }
}

/// One line of text for a comment: no line ends or other control characters.
pub(crate) fn comment(text: &str) -> String {
    let visible = |c: char| if c.is_control() || is_line_end(c) { ' ' } else { c };
    text.chars().map(visible).take(160).collect()
}

const fn is_line_end(c: char) -> bool {
    matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Keeps what is allowed, turns each run of the rest into one `filler`, none at the ends.
fn squeeze(text: &str, allowed: impl Fn(char) -> bool, filler: char, longest: usize) -> String {
    let mut out = String::new();
    let keep_case = allowed('A');
    for c in text.chars() {
        let c = if keep_case { c } else { c.to_ascii_lowercase() };
        if out.len() >= longest {
            break;
        }
        if allowed(c) {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with(filler) {
            out.push(filler);
        }
    }
    out.trim_end_matches(filler).to_owned()
}
