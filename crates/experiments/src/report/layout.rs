//! Tables that fit a width.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

/// One line under the header and nothing else: narrow, and easy to copy.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// A column of a table; header and cells may have several lines.
pub(super) struct Column {
    pub(super) header: String,
    pub(super) cells: Vec<String>,
}

impl Column {
    /// With what separates it from the next one.
    fn width(&self) -> usize {
        let lines = self.cells.iter().chain([&self.header]).flat_map(|cell| cell.lines());
        lines.map(|line| line.chars().count()).max().unwrap_or_default() + GAP
    }
}

/// Characters between columns, and after the last one: padding, and the place of the vertical lines that there are not.
const GAP: usize = 2;

/// One table, or as many below one another as the width demands, each with all of the `keys` and some of the `values`, in
/// their order. A table has one of them at least, and may be too wide then.
pub(super) fn tables(keys: &[Column], values: &[Column], width: usize) -> String {
    let width_of_keys: usize = keys.iter().map(Column::width).sum();
    let mut parts: Vec<(Vec<&Column>, usize)> = Vec::new();
    for column in values {
        match parts.last_mut() {
            Some((part, taken)) if *taken + column.width() <= width + 1 => {
                part.push(column);
                *taken += column.width();
            }
            _ => parts.push((vec![column], width_of_keys + column.width())),
        }
    }
    parts.iter().map(|(part, _)| one_table(keys, part) + "\n").collect::<Vec<_>>().join("\n")
}

fn one_table(keys: &[Column], values: &[&Column]) -> String {
    let columns: Vec<&Column> = keys.iter().chain(values.iter().copied()).collect();
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(columns.iter().map(|column| &column.header));
    for row in 0..keys[0].cells.len() {
        table.add_row(columns.iter().map(|column| &column.cells[row]));
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
    for column in table.column_iter_mut().skip(keys.len()) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_do_not_fit_go_into_a_table_below() {
        let column = |header: &str, cell: &str| Column { header: header.to_owned(), cells: vec![cell.to_owned(); 2] };
        let keys = [column("rule", "none")];
        let values = [column("a\nlong header", "1"), column("b", "2 ± 1"), column("c", "a cell of its own")];
        let all = tables(&keys, &values, 100);
        assert_eq!(all.matches("rule").count(), 1, "{all}");
        // With what is between them: 6 for the rule, 13 for the header, 7 for the cells of b, 19 for those of c.
        for (width, parts) in [(44, 1), (43, 2), (25, 2), (24, 3)] {
            let text = tables(&keys, &values, width);
            assert_eq!(text.matches("rule").count(), parts, "{width}:\n{text}");
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
        }
    }
}
