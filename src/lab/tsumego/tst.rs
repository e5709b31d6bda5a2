//! Problems as a regression test for gogui-regress and `moku regress`: framed files, and a `.tst` file that has them loaded
//! and asks for a move.

use super::solve::{Case, Framing};
use crate::tsumego::Problem;
use std::collections::HashSet;
use std::path::Path;

/// Test numbers go up by this, as in the suites of GNU Go, so that others fit between.
const STEP: usize = 10;

/// Writes `NAME.tst` and, in the folder `NAME` beside it, the problems. Returns the reasons for those left out.
pub fn write(cases: &[Case], path: &Path) -> Result<Vec<String>, String> {
    let failed = |path: &Path, e: std::io::Error| format!("cannot write {}: {e}", path.display());
    let stem = path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| file_name(stem) == *stem);
    let stem = stem.ok_or_else(|| {
        format!("{}: the name must be letters, digits, - and _ and end in .tst, for paths in GTP", path.display())
    })?;
    let folder = path.with_extension("");
    std::fs::create_dir_all(&folder).map_err(|e| failed(&folder, e))?;
    let mut text =
        format!("# Made by `moku tsumego tst`. Run with `moku regress {stem}.tst`, or with gogui-regress.\n");
    let (mut names, mut skipped, mut number) = (HashSet::new(), Vec::new(), 0);
    for case in cases {
        let (position, comment) = match (&case.framing, case.position()) {
            _ if case.problem.is_guess => {
                skipped.push(format!("{}: the file does not say which branch is right", case.problem.name));
                continue;
            }
            (Framing::Skipped(reason), _) => {
                skipped.push(format!("{}: {reason}", case.problem.name));
                continue;
            }
            (Framing::Framed(framed), Some(position)) => (position, framed.explanation()),
            (_, position) => (position.unwrap_or(&case.problem), String::new()),
        };
        number += STEP;
        let name = unused(&file_name(&case.problem.name), &mut names);
        let file = folder.join(format!("{name}.sgf"));
        let comment = format!("{}\n{comment}", case.problem.comment);
        std::fs::write(&file, position.to_sgf(comment.trim())).map_err(|e| failed(&file, e))?;
        text += &test(number, &format!("{stem}/{name}.sgf"), position);
    }
    std::fs::write(path, text).map_err(|e| failed(path, e))?;
    Ok(skipped)
}

fn test(number: usize, file: &str, position: &Problem) -> String {
    let right: Vec<String> = position.right.iter().map(|&p| position.size.point_to_gtp(p)).collect();
    let (color, pattern) = (position.to_play, right.join("|"));
    let name = position.name.replace(['\r', '\n'], " ");
    format!("\n# {name}\nloadsgf {file} 1\nkomi 0\n{number} reg_genmove {color}\n#? [{pattern}]\n")
}

/// Letters, digits, `-` and `_`: GTP has no quotes.
fn file_name(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '-' }).collect();
    let plain = plain.trim_matches('-').to_string();
    if plain.is_empty() { "problem".to_string() } else { plain }
}

fn unused(name: &str, names: &mut HashSet<String>) -> String {
    let mut numbered = (2..).map(|i| format!("{name}-{i}"));
    let mut found = name.to_string();
    // File systems may take small and capital letters for the same.
    while !names.insert(found.to_lowercase()) {
        found = numbered.next().unwrap_or_default();
    }
    found
}
