//! Claims as they stand, put into a page of somebody's own prose.
//!
//! Between `<!-- claims: NAME -->` and `<!-- end -->` stands what the results say about the claims of an experiment; all else
//! is left as it is.

use super::Chapter;
use crate::lab::catalogue;
use crate::lab::experiment::Experiment;
use std::fmt::Write;

const START: &str = "<!-- claims: ";
const START_END: &str = " -->";
const END: &str = "<!-- end -->";

/// The page with every table of claims made anew.
pub fn write_into(page: &str, chapters: &[Chapter]) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = page;
    while let Some(at) = rest.find(START) {
        let line = rest[at..].lines().next().unwrap_or_default();
        let name = line.strip_prefix(START).and_then(|line| line.strip_suffix(START_END));
        let name = name.ok_or_else(|| format!("'{line}' is expected to be {START}NAME{START_END}"))?;
        let end = rest[at..].find(END).ok_or_else(|| format!("{line} has no {END} after it"))? + at;
        let own: Vec<&Chapter> = chapters.iter().filter(|chapter| chapter.name == name).collect();
        out += &rest[..at];
        let _ = writeln!(out, "{line}");
        own.iter().for_each(|chapter| out += &claims(chapter));
        if own.is_empty() {
            let mut known = catalogue::find(name).map_err(|e| format!("{line}: {e}"))?;
            out += &unknown(&known.remove(0));
        }
        out += END;
        rest = &rest[end + END.len()..];
    }
    match out.is_empty() {
        true => Err(format!("there is no {START}NAME{START_END} to write tables after")),
        false => Ok(out + rest),
    }
}

/// What is asked and has no results yet.
fn unknown(experiment: &Experiment) -> String {
    let hours = experiment.hours;
    let mut out = format!(
        "\n`{}` has no results of the present behaviour; all of it takes about {hours} core hours:\n\n",
        experiment.name
    );
    out += "| claim | |\n| --- | --- |\n";
    for claim in &experiment.claims {
        let _ = writeln!(out, "| {} | open |", claim.says.trim_end_matches('.').replace('|', "\\|"));
    }
    out + "\n"
}

/// A paragraph and a table in Markdown.
fn claims(chapter: &Chapter) -> String {
    let scaled = if chapter.is_scaled { ", not the paper's: for orientation" } else { "" };
    let mut out = format!("\n`{}`, budgets {}{scaled}; {} games:\n\n", chapter.name, chapter.budget, chapter.trials);
    out += "| claim | | what came out | more games for 80 % power | core hours |\n| --- | --- | --- | --- | --- |\n";
    // At the pace of these trials.
    let hours = |games: u64| format!("{:.1}", games as f64 * chapter.hours / chapter.trials.max(1) as f64);
    for claim in chapter.claims.iter().filter(|claim| claim.verdict.is_some()) {
        let verdict = match claim.verdict_text() {
            "open" => "open".to_string(),
            decided => format!("**{decided}**"),
        };
        let needed = claim.games_needed.map(hours).unwrap_or_default();
        let cells = [claim.says.trim_end_matches('.'), &verdict, &claim.found, &claim.needed_text(), &needed];
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out + "\n"
}
