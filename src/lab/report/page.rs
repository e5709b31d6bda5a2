//! The report as one HTML page that needs nothing else.

use super::{Chapter, plot};
use crate::html::{self, Cell, escape, prose};
use crate::lab::claims::Judged;
use crate::lab::code::Code;
use crate::lab::section::{Plot, ResultTable, Style};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Longer tables are folded.
const LONG: usize = 24;

pub fn page(chapters: &[Chapter]) -> Result<String, String> {
    let mut out = String::new();
    let trials: usize = chapters.iter().map(|c| c.trials).sum();
    let hours: f64 = chapters.iter().map(|c| c.hours).sum();
    let _ = write!(
        out,
        "<header><h1>moku laboratory</h1><p>{} experiment{}, {trials} games and trials, {hours:.1} core hours. Written by \
         moku {}. Intervals are of 95 %; a published figure is compatible when the interval of the difference holds 0, so \
         that one in twenty is called different by chance alone.</p></header>",
        chapters.len(),
        if chapters.len() == 1 { "" } else { "s" },
        Code::own(),
    );
    contents(&mut out, chapters);
    for (i, chapter) in chapters.iter().enumerate() {
        write_chapter(&mut out, i, chapter)?;
    }
    Ok(html::page("moku laboratory", &out))
}

/// Papers with their experiments, each in one piece.
fn contents(out: &mut String, chapters: &[Chapter]) {
    *out += "<nav><ul>";
    for (number, of_paper) in chapters.chunk_by(|a, b| a.paper == b.paper).enumerate() {
        let first: usize = chapters.chunk_by(|a, b| a.paper == b.paper).take(number).map(<[Chapter]>::len).sum();
        let (paper, authors) = (escape(&of_paper[0].paper), escape(&of_paper[0].authors));
        let _ = write!(out, "<li><b>{paper}</b> <small>{authors}</small><ul>");
        for (i, chapter) in of_paper.iter().enumerate() {
            let _ = write!(
                out,
                "<li><a href=\"#e{}\">{}</a> <small>{}</small></li>",
                first + i,
                escape(&chapter.name),
                escape(&about_line(chapter))
            );
        }
        *out += "</ul></li>";
    }
    *out += "</ul></nav>";
}

/// `Table 1; largest budget 1000; 5 of 8 rows compatible`
fn about_line(chapter: &Chapter) -> String {
    let budgets = chapter.budgets().unwrap_or_default().to_string();
    let parts = [chapter.figure.clone(), budgets, verdicts(chapter)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// `5 of 8 rows compatible`
fn verdicts(chapter: &Chapter) -> String {
    let cells = || chapter.section.tables.iter().flat_map(|table| table.rows.iter().flatten());
    let count = |words: &[&str]| cells().filter(|cell| words.contains(&cell.as_str())).count();
    match count(&["compatible", "higher", "lower"]) {
        0 => String::new(),
        all => format!("{} of {all} rows compatible", count(&["compatible"])),
    }
}

fn write_chapter(out: &mut String, i: usize, chapter: &Chapter) -> Result<(), String> {
    let joined = |words: &BTreeSet<String>| words.iter().map(String::as_str).collect::<Vec<_>>().join("; ");
    let source = [&chapter.paper, &chapter.authors, &chapter.figure];
    let source: Vec<&str> = source.into_iter().map(String::as_str).filter(|words| !words.is_empty()).collect();
    let boards = joined(&chapter.settings);
    let _ = write!(
        out,
        "\n<section id=\"e{i}\"><h2>{}</h2><p class=\"source\">{}</p><p>{}</p>",
        escape(&chapter.name),
        escape(&source.join("; ")),
        prose(&chapter.about)
    );
    let _ = write!(
        out,
        "<p class=\"setup\">{}{}{}{} trials, {:.2} core hours, moku {}.</p>",
        escape(&boards),
        if boards.is_empty() { "" } else { ". " },
        chapter.budgets().map_or(String::new(), |said| format!("Budgets: {}. ", escape(said))),
        chapter.trials,
        chapter.hours,
        escape(&joined(&chapter.versions))
    );
    if !chapter.claims.is_empty() {
        let claims = match chapter.claims.iter().any(Judged::is_answered) {
            true => titled_table(&Judged::table(chapter.claims_title(), &chapter.claims)),
            false => {
                let said: Vec<String> = chapter.claims.iter().map(|claim| claim.says.clone()).collect();
                format!("<h3>{}</h3>{}", chapter.claims_title(), html::list("", &said))
            }
        };
        let _ = write!(out, "<div class=\"claims\">{claims}</div>");
    }
    *out += "<div class=\"plots\">";
    for plot in &chapter.section.plots {
        *out += &figure(plot)?;
    }
    *out += "</div>";
    chapter.section.tables.iter().for_each(|table| *out += &titled_table(table));
    *out += &html::list("notes", &chapter.section.notes);
    *out += &html::boards(&chapter.section.boards);
    players(out, chapter);
    *out += "</section>";
    Ok(())
}

/// A plot under its title, with its legend.
pub fn figure(plot: &Plot) -> Result<String, String> {
    let svg = plot::svg(plot)?;
    Ok(format!("<figure><figcaption>{}</figcaption>{svg}{}</figure>", escape(&plot.title), legend(plot)))
}

/// Names of the series with a sign of their style.
fn legend(plot: &Plot) -> String {
    let mut out = String::from("<ul class=\"legend\">");
    for series in &plot.series {
        let class = match series.style {
            Style::Measured | Style::Forest => "dot",
            Style::Published => "ring",
            Style::Line => "line",
            Style::Dashed => "dash",
            Style::Bars => "bar",
        };
        let color = series.color % 10;
        let _ = write!(out, "<li><i class=\"{class}\" style=\"--c:var(--c{color})\"></i>{}</li>", escape(&series.name));
    }
    out + "</ul>"
}

/// A table of a report under its title, folded if it is long.
pub fn titled_table(table: &ResultTable) -> String {
    let table = table.without_empty_columns();
    let cell = |text: &String| {
        Cell::text(text).class(match text.as_str() {
            "compatible" | "holds" => "good",
            "higher" | "lower" | "does not hold" => "bad",
            _ => "",
        })
    };
    let rows: Vec<Vec<Cell>> = table.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let body = html::table(&table.head, &rows, &[]);
    match rows.len() > LONG {
        true => html::folded(&format!("{} ({} rows)", table.title, rows.len()), &body),
        false => format!("<p class=\"caption\">{}</p>{body}", escape(&table.title)),
    }
}

/// Engine lines in full, folded: they are long.
fn players(out: &mut String, chapter: &Chapter) {
    let shown: Vec<&(String, Vec<String>)> = chapter.players.iter().filter(|(_, lines)| !lines.is_empty()).collect();
    if shown.is_empty() {
        return;
    }
    let mut body = String::from("<dl class=\"players\">");
    for (row, lines) in shown {
        let _ = write!(body, "<dt>{}</dt>", escape(row));
        lines.iter().for_each(|line| {
            let _ = write!(body, "<dd><code>{}</code></dd>", escape(line));
        });
    }
    *out += &html::folded("Players, as engine lines", &(body + "</dl>"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::plan::AS_DESCRIBED;
    use crate::lab::section::Section;

    #[test]
    fn experiments_of_our_own_are_not_as_described() {
        let chapter = |figure: &str, budget: &str| Chapter {
            name: "e".to_string(),
            paper: String::new(),
            authors: String::new(),
            figure: figure.to_string(),
            about: String::new(),
            claims: Vec::new(),
            budget: budget.to_string(),
            is_scaled: false,
            trials: 0,
            hours: 0.0,
            versions: BTreeSet::new(),
            settings: BTreeSet::new(),
            players: Vec::new(),
            measures: Vec::new(),
            section: Section::default(),
        };
        for (figure, budget, line) in [
            ("Table 1", AS_DESCRIBED, "Table 1; as described"),
            ("", AS_DESCRIBED, ""),
            ("", "largest budget 9", "largest budget 9"),
            ("ours (x)", AS_DESCRIBED, "ours (x)"),
            ("Theorem 3 (the paper has no experiment)", AS_DESCRIBED, "Theorem 3 (the paper has no experiment)"),
        ] {
            assert_eq!(about_line(&chapter(figure, budget)), line);
        }
    }

    #[test]
    fn long_tables_are_folded_and_verdicts_have_their_colour() {
        let mut table = ResultTable::new("t", &["a", "verdict"]);
        (0..LONG).for_each(|i| table.rows.push(vec![i.to_string(), "higher".to_string()]));
        let text = titled_table(&table);
        assert!(text.contains("<td class=\"bad\">higher</td>") && !text.contains("<details>"));
        table.rows.push(vec!["x".to_string(), "compatible".to_string()]);
        assert!(titled_table(&table).starts_with("<details><summary>t (25 rows)</summary>"));
    }
}
