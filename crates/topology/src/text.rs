//! Lines and cells with their places.

/// The text without terminal escapes, carriage returns and a byte order mark.
pub(crate) fn without_escapes(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut chars = text.trim_start_matches('\u{feff}').chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' if chars.next_if_eq(&'[').is_some() => {
                // Parameters end with a letter (ECMA-48, 5.4); a line end is never part of them.
                while chars.next_if(|c| c.is_ascii_digit() || *c == ';').is_some() {}
                chars.next_if(char::is_ascii_alphabetic);
            }
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' => clean.push('\n'),
            c => clean.push(c),
        }
    }
    clean
}

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell<'a> {
    pub(crate) text: &'a str,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// Cells of a line: at tabs where it has any, empty ones kept; otherwise at runs of spaces.
pub(crate) fn cells(line: &str, number: usize) -> Vec<Cell<'_>> {
    let tabs = line.contains('\t');
    let mut column = 1;
    let mut cells = Vec::new();
    for piece in line.split(if tabs { '\t' } else { ' ' }) {
        let text = piece.trim();
        if tabs || !text.is_empty() {
            let lead = piece.chars().take_while(|c| c.is_whitespace()).count();
            cells.push(Cell { text, line: number, column: column + lead });
        }
        column += piece.chars().count() + 1;
    }
    cells
}
