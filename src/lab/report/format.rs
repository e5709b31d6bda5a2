//! Tables as other programs and papers want them.

use super::Chapter;
use crate::lab::claims::Judged;
use crate::lab::section::ResultTable;
use clap::ValueEnum;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    Text,
    /// Tables one after the other, with a blank line between
    Csv,
    Markdown,
    /// tabular environments, to be put into a paper
    Latex,
}

/// A chapter's tables, and its claims if results judge them.
pub fn format(chapter: &Chapter, format: Format) -> String {
    let mut tables: Vec<ResultTable> = chapter.section.tables.iter().map(ResultTable::without_empty_columns).collect();
    if chapter.claims.iter().any(Judged::is_answered) {
        tables.push(Judged::table(chapter.claims_title(), &chapter.claims).without_empty_columns());
    }
    let notes = &chapter.section.notes;
    match format {
        Format::Text => chapter.to_string(),
        Format::Csv => tables.iter().map(|table| csv(chapter, table)).collect::<Vec<_>>().join("\n"),
        Format::Markdown => {
            let tables: String = tables.iter().map(markdown).collect();
            let notes: String = notes.iter().map(|note| format!("{note}\n\n")).collect();
            let budgets = chapter.budgets().map_or(String::new(), |said| format!("Budgets: {said}.\n\n"));
            format!("## {}\n\n{budgets}{tables}{notes}", chapter.name)
        }
        Format::Latex => {
            let tables: String = tables.iter().map(latex).collect();
            let notes: String = notes.iter().map(|note| format!("% {note}\n")).collect();
            let budgets = chapter.budgets().map_or(String::new(), |said| format!(", budgets: {said}"));
            format!("% {}{budgets}\n{notes}{tables}", chapter.name)
        }
    }
}

/// With the experiment, its budgets and the table's title in every line, so that a line says all.
fn csv(chapter: &Chapter, table: &ResultTable) -> String {
    let line = |start: [&str; 3], cells: &[String]| -> String {
        let cells = start.into_iter().chain(cells.iter().map(String::as_str)).map(csv_cell);
        cells.collect::<Vec<_>>().join(",") + "\n"
    };
    let rows: String = table.rows.iter().map(|row| line([&chapter.name, &chapter.budget, &table.title], row)).collect();
    line(["experiment", "budgets", "table"], &table.head) + &rows
}

fn csv_cell(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}

fn markdown(table: &ResultTable) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rows: String = table.rows.iter().map(|row| line(row)).collect();
    let rule = vec!["---".to_string(); table.head.len()];
    format!("{}\n\n{}{}{rows}\n", table.title, line(&table.head), line(&rule))
}

fn latex(table: &ResultTable) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| latex_text(cell)).collect();
        format!("  {} \\\\\n", cells.join(" & "))
    };
    let rows: String = table.rows.iter().map(|row| line(row)).collect();
    let columns = "l".repeat(table.head.len());
    format!(
        "% {}\n\\begin{{tabular}}{{{columns}}}\n  \\hline\n{}  \\hline\n{rows}  \\hline\n\\end{{tabular}}\n\n",
        table.title,
        line(&table.head)
    )
}

/// Letters that mean something to TeX, and those that its fonts lack.
fn latex_text(text: &str) -> String {
    let one = |c: char| match c {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{c}"),
        '\\' => "\\textbackslash{}".to_string(),
        '~' => "\\textasciitilde{}".to_string(),
        '^' => "\\textasciicircum{}".to_string(),
        '<' | '>' => format!("${c}$"),
        '½' => "$\\frac12$".to_string(),
        // A bracket after a line's end would be its argument.
        '[' => "{[}".to_string(),
        ']' => "{]}".to_string(),
        '\n' => " ".to_string(),
        c => c.to_string(),
    };
    text.chars().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> ResultTable {
        let mut table = ResultTable::new("Rates", &["row", "50 %"]);
        table.rows.push(vec!["a, \"b\" | c_1".to_string(), "½ [1, 2]".to_string()]);
        table
    }

    #[test]
    fn no_cell_breaks_its_table() {
        assert_eq!(markdown(&table()), "Rates\n\n| row | 50 % |\n| --- | --- |\n| a, \"b\" \\| c_1 | ½ [1, 2] |\n\n");
        assert_eq!(csv_cell("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(csv_cell("plain"), "plain");
        let text = latex(&table());
        assert!(text.contains("  row & 50 \\% \\\\\n") && text.contains("\\begin{tabular}{ll}"), "{text}");
        assert!(text.contains("a, \"b\" | c\\_1 & $\\frac12$ {[}1, 2{]} \\\\\n"), "{text}");
    }
}
