//! Claims and results as they stand, put into a page of somebody's own prose.
//!
//! Between `<!-- claims: NAME -->` and `<!-- end -->` stands what the results say about the claims of an experiment, between `<!-- results: NAME -->` and
//! `<!-- end -->` its table of results; all else is left as it is.

use super::Chapter;
use crate::lab::catalogue;
use crate::lab::claims::ClaimVerdict;
use crate::lab::experiment::Experiment;
use std::fmt::Write;

const START: &str = "<!-- ";
const START_END: &str = " -->";
/// What a place asks for, and how it is written.
type Place = (&'static str, fn(&Chapter) -> String);
const PLACES: [Place; 2] = [("claims: ", claims), ("results: ", results)];
/// Columns that only the full report has.
const LEFT_OUT: [&str; 1] = ["most pulled, %"];
const END: &str = "<!-- end -->";

/// The page with every table of claims made anew.
pub fn write_into(page: &str, chapters: &[Chapter]) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = page;
    let next = |rest: &str| {
        PLACES
            .iter()
            .filter_map(|(word, write)| Some((rest.find(&format!("{START}{word}"))?, *word, *write)))
            .min_by_key(|n| n.0)
    };
    while let Some((at, word, write)) = next(rest) {
        let line = rest[at..].lines().next().unwrap_or_default();
        let name = line.strip_prefix(START).and_then(|line| line.strip_prefix(word)?.strip_suffix(START_END));
        let name = name.ok_or_else(|| format!("'{line}' is expected to be {START}{word}NAME{START_END}"))?;
        let end = rest[at..].find(END).ok_or_else(|| format!("{line} has no {END} after it"))? + at;
        let own: Vec<&Chapter> = chapters.iter().filter(|chapter| chapter.name == name).collect();
        out += &rest[..at];
        let _ = writeln!(out, "{line}");
        own.iter().for_each(|chapter| out += &write(chapter));
        if own.is_empty() {
            let mut known = catalogue::find(name).map_err(|e| format!("{line}: {e}"))?;
            out += &unknown(&known.remove(0), word);
        }
        out += END;
        rest = &rest[end + END.len()..];
    }
    match out.is_empty() {
        true => Err(format!("there is no {START}claims: NAME{START_END} to write tables after")),
        false => Ok(out + rest),
    }
}

/// What is asked and has no results yet.
fn unknown(experiment: &Experiment, word: &str) -> String {
    let (name, hours) = (&experiment.name, experiment.hours);
    let says = format!("\n`{name}` has no results of the present behaviour; all of it takes about {hours} core hours");
    if word != PLACES[0].0 {
        return says + ".\n\n";
    }
    let mut out = says + ":\n\n";
    out += "| claim | |\n| --- | --- |\n";
    for claim in &experiment.claims {
        let _ = writeln!(out, "| {} | open |", claim.says.trim_end_matches('.').replace('|', "\\|"));
    }
    out + "\n"
}

/// How an experiment was run, in a line.
fn said(chapter: &Chapter) -> String {
    let scaled = if chapter.is_scaled { ", not the paper's: for orientation" } else { "" };
    let budgets = chapter.budgets().map_or(String::new(), |said| format!(", budgets {said}{scaled}"));
    let (name, trials) = (&chapter.name, chapter.trials);
    format!("\n`{name}`{budgets}; {trials} games or trials, {:.2} core hours.\n\n", chapter.hours)
}

/// The first table, without what only the full report has.
fn results(chapter: &Chapter) -> String {
    let Some(table) = chapter.section.tables.first() else { return said(chapter) };
    let table = table.without_empty_columns();
    let kept: Vec<usize> = (0..table.head.len()).filter(|&i| !LEFT_OUT.contains(&table.head[i].as_str())).collect();
    let line = |cells: &[String]| {
        let cells: Vec<String> =
            kept.iter().filter_map(|&i| cells.get(i)).map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rows: String = table.rows.iter().map(|row| line(row)).collect();
    let rule = vec!["---".to_string(); table.head.len()];
    format!("{}{}:\n\n{}{}{rows}\n", said(chapter), table.title, line(&table.head), line(&rule))
}

/// A paragraph and a table in Markdown.
fn claims(chapter: &Chapter) -> String {
    let mut out = said(chapter);
    out += "| claim | | what came out | more games | core hours |\n| --- | --- | --- | --- | --- |\n";
    for claim in &chapter.claims {
        let verdict = match claim.verdict_text() {
            undecided if claim.verdict.is_none_or(|verdict| verdict == ClaimVerdict::Open) => undecided.to_string(),
            decided => format!("**{decided}**"),
        };
        let cells =
            [claim.says.trim_end_matches('.'), &verdict, &claim.found, &claim.needed_text(), &claim.hours_text()];
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out + "\n"
}
