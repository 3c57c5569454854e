//! Columns of text for a terminal.

/// Rows of cells; the first column is flush left, the others too or flush right.
#[derive(Debug)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
    flush: Flush,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flush {
    Left,
    Right,
}

impl Table {
    /// For names.
    pub(super) const fn of_words() -> Self {
        Self { rows: Vec::new(), flush: Flush::Left }
    }

    /// For numbers.
    pub(super) const fn of_numbers() -> Self {
        Self { rows: Vec::new(), flush: Flush::Right }
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows, indented by two, each on a line of its own.
    pub(super) fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                cells.map(|cell| width(cell)).max().unwrap_or(0)
            })
            .collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::from(" ");
            for (index, (cell, width_of_column)) in row.iter().zip(&widths).enumerate() {
                let space = " ".repeat(width_of_column.saturating_sub(width(cell)));
                line.push_str(if index == 0 { " " } else { "  " });
                if index == 0 || self.flush == Flush::Left {
                    line.push_str(cell);
                    line.push_str(&space);
                } else {
                    line.push_str(&space);
                    line.push_str(cell);
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// Cells that a terminal gives to a text: CJK letters take two.
fn width(text: &str) -> usize {
    text.chars().map(|c| if ('\u{2e80}'..='\u{ffe6}').contains(&c) { 2 } else { 1 }).sum()
}
