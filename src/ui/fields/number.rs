//! Numbers as people type them: `1.5T`, `80 GiB`, `3e-4`, `2,048`, `1.2 万`.

/// What a field counts; decides the suffixes it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A whole number of things.
    Count,
    /// Tokens, large: `15T`, `1.2 亿`.
    Tokens,
    /// Memory in GiB.
    Gib,
    /// A port in Gb/s.
    Gbps,
    /// A plain factor.
    Factor,
}

impl Unit {
    /// The text behind the field; empty without unit.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Count | Self::Tokens | Self::Factor => "",
            Self::Gib => "GiB",
            Self::Gbps => "Gb/s",
        }
    }
}

/// The number in the unit's own scale; none when the text is no number.
pub(super) fn parse(text: &str, unit: Unit) -> Option<f64> {
    let plain: String = text
        .chars()
        .map(narrow)
        .filter(|c| !c.is_whitespace() && *c != ',' && *c != '_')
        .collect();
    let split = number_end(&plain);
    let (digits, suffix) = plain.split_at(split);
    let value: f64 = digits.parse().ok()?;
    let value = value * factor(suffix, unit)?;
    let whole = matches!(unit, Unit::Count | Unit::Tokens);
    (value.is_finite() && (!whole || value.fract() == 0.0)).then_some(value)
}

/// How the field shows a value while it is not edited.
pub(super) fn show(value: f64, unit: Unit) -> String {
    let scales: &[(f64, &str)] = match unit {
        Unit::Tokens => &[(1e12, "T"), (1e9, "B"), (1e6, "M")],
        Unit::Count | Unit::Gib | Unit::Gbps | Unit::Factor => &[],
    };
    for (scale, suffix) in scales {
        let scaled = value / scale;
        // Only when nothing is lost.
        let text = scaled.to_string();
        if scaled >= 1.0 && text.len() <= 7 {
            return format!("{text}{suffix}");
        }
    }
    value.to_string()
}

/// Length of the number at the start: sign, digits, fraction, exponent.
fn number_end(text: &str) -> usize {
    let mut end = 0;
    let mut previous = ' ';
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let exponent = matches!(c, 'e' | 'E')
            && at > 0
            && rest.peek().is_some_and(|(_, next)| next.is_ascii_digit() || "+-".contains(*next));
        let sign = matches!(c, '+' | '-') && (at == 0 || matches!(previous, 'e' | 'E'));
        if !(c.is_ascii_digit() || c == '.' || exponent || sign) {
            break;
        }
        previous = c;
        end = at + c.len_utf8();
    }
    end
}

fn factor(suffix: &str, unit: Unit) -> Option<f64> {
    let lower = suffix.to_lowercase();
    let word = lower.trim_end_matches("tokens").trim_end_matches("token");
    match (unit, word) {
        (_, "") => Some(1.0),
        (Unit::Count | Unit::Tokens, "k") => Some(1e3),
        (Unit::Count | Unit::Tokens, "万") => Some(1e4),
        (Unit::Count | Unit::Tokens, "m") => Some(1e6),
        (Unit::Tokens, "亿") => Some(1e8),
        (Unit::Tokens, "b" | "g") => Some(1e9),
        (Unit::Tokens, "t" | "万亿") => Some(1e12),
        (Unit::Gib, "gib" | "gi" | "g" | "gb") => Some(1.0),
        (Unit::Gib, "tib" | "ti" | "t" | "tb") => Some(1024.0),
        (Unit::Gib, "mib" | "mi" | "m" | "mb") => Some(1.0 / 1024.0),
        (Unit::Gbps, "gb/s" | "gbps" | "gbit/s" | "g") => Some(1.0),
        (Unit::Gbps, "tb/s" | "tbps" | "tbit/s" | "t") => Some(1000.0),
        (Unit::Factor, "x" | "×" | ":1") => Some(1.0),
        _ => None,
    }
}

/// Full-width forms of an input method as their plain letters.
fn narrow(c: char) -> char {
    match c {
        '，' => ',',
        '。' => '.',
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(c).saturating_sub(0xfee0)).unwrap_or(c)
        }
        other => other,
    }
}
