//! A row's name is its cells one after the other. In tables each cell has a column of its own, and so has what was run instead of the
//! description.

use crate::lab::experiment::Experiment;
use crate::lab::section::ResultTable;
use crate::lab::trials::{ROW, RowRecords};

/// What a row was run with, where that is not its description.
const RUN_WITH: &str = "run with";

/// The table with the columns of the experiment in the place of rows' names; a table that is not one of rows stays.
pub fn apart(table: ResultTable, experiment: &Experiment, rows: &[RowRecords]) -> ResultTable {
    let columns = experiment.row_columns();
    if columns.is_empty() || table.head.first().is_none_or(|name| name != ROW) {
        return table;
    }
    let of_row = |label: &String| rows.iter().find(|records| records.label == *label);
    let cells = |line: &Vec<String>| -> Option<Vec<String>> {
        let (label, rest) = line.split_first()?;
        let records = of_row(label)?;
        let run_with = label.strip_prefix(records.row.name.as_str()).unwrap_or_default().trim();
        let run_with = run_with.trim_start_matches('(').trim_end_matches(')').to_string();
        let own = columns.iter().map(|column| records.row.text(column));
        Some(own.chain([run_with]).chain(rest.iter().cloned()).collect())
    };
    let Some(lines) = table.rows.iter().map(cells).collect() else { return table };
    let head = columns.iter().cloned().chain([RUN_WITH.to_string()]).chain(table.head.into_iter().skip(1)).collect();
    ResultTable { head, rows: lines, ..table }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::experiment::Paper;

    #[test]
    fn cells_of_a_rows_name_stand_apart() {
        let text = "title = \"t\"\n[[experiment]]\nname = \"e\"\nkind = \"match\"\nsize = 5\ngames = 2\nfirst = \"mc each={n}\"\n\
                    second = \"mc each=1\"\ncolumns = [\"who\", \"n\", \"published\"]\nrows = [[\"a b\", 10, 5], [\"\", 20, \"\"]]";
        let experiment = Paper::parse(text).unwrap().experiments.remove(0);
        let records = |i: usize, mark: &str| {
            let row = &experiment.rows[i];
            RowRecords { row, label: format!("{}{mark}", row.name), records: Vec::new(), scaled: None }
        };
        let rows = [records(0, ""), records(1, " (5 playouts, set-up 2)")];
        let mut table = ResultTable::new("t", &[ROW, "x"]);
        rows.iter().for_each(|r| table.rows.push(vec![r.label.clone(), "7".to_string()]));
        let shown = apart(table.clone(), &experiment, &rows);
        assert_eq!(shown.head, ["who", "n", RUN_WITH, "x"]);
        assert_eq!(shown.rows, [["a b", "10", "", "7"], ["", "20", "5 playouts, set-up 2", "7"]]);
        // A table of something else stays, and so does one with a line that is no row.
        let other = ResultTable { head: vec!["problem".to_string(), "x".to_string()], ..table.clone() };
        assert_eq!(apart(other.clone(), &experiment, &rows).head, other.head);
        table.rows.push(vec!["sum".to_string(), "14".to_string()]);
        assert_eq!(apart(table.clone(), &experiment, &rows).rows, table.rows);
    }
}
