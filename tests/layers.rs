//! Modules import downwards only: a layer never names one that comes after it. Between crates the compiler sees to
//! that; this sees to it inside of them.

use std::fs;
use std::path::{Path, PathBuf};

/// From the bottom up. `lab` stands beside `main`: it may use everything below, only the top uses it.
const ORDER: &[&str] = &[
    "base",
    "game",
    "sgf",
    "knowledge",
    "playout",
    "search",
    "pool",
    "table",
    "tsumego",
    "session",
    "picture",
    "html",
    "gtp",
    "gomocup",
    "analysis",
    "jobs",
    "regress",
    "review",
    "web",
    "lab",
];
/// Where everything comes together.
const TOP: &[&str] = &["main", "cli", "lib"];
/// `sgf` describes games and knows no more than what a game is.
const SGF_MAY: &[&str] = &["base", "game"];

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Code without comments, strings and blanks: `use crate :: a` becomes `usecrate::a`.
fn squeeze(source: &str) -> String {
    let mut text = String::new();
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '/' if chars.peek() == Some(&'/') => {
                chars.by_ref().take_while(|&c| c != '\n').for_each(drop);
            }
            '"' => {
                while let Some(c) = chars.next() {
                    match c {
                        '\\' => drop(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            // A quote in quotes opens no string; lifetimes have no closing quote.
            '\'' if chars.peek() == Some(&'"') => drop(chars.next()),
            c if c.is_whitespace() => {}
            c => text.push(c),
        }
    }
    text
}

/// The names right after a path's start: one, or all in braces at the first level.
fn heads(rest: &str) -> Vec<String> {
    let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(group) = rest.strip_prefix('{') else { return vec![word(rest)] };
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                found.push(word(&group[start..i]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(word(&group[start..i]));
                start = i + 1;
            }
            _ => {}
        }
    }
    found
}

/// Top-level modules that a file names, by `crate::`, `moku::` or a chain of `super::` that leads out of its layer.
///
/// `depth` is the number of modules between the file's own module and the root of the crate.
fn named(source: &str, depth: usize) -> Vec<String> {
    let text = squeeze(source);
    let mut found = Vec::new();
    for start in ["crate::", "moku::", "moku_core::"] {
        for (i, _) in text.match_indices(start) {
            // `$crate::` is `crate::` too; `mycrate::` is not.
            let before = text[..i].chars().next_back();
            let is_use = text[..i].ends_with("use");
            if is_use || !before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
                found.extend(heads(&text[i + start.len()..]));
            }
        }
    }
    // Modules inside the file (tests) are one deeper: a chain leads out if it is longer than the file is deep. Chains
    // of exactly that length end at the root when written in the file's own module; from an inner module they do not,
    // and then name something that is no layer.
    for (i, _) in text.match_indices("super::") {
        if text[..i].ends_with("super::") {
            continue;
        }
        let mut rest = &text[i..];
        let mut length = 0;
        while let Some(shorter) = rest.strip_prefix("super::") {
            (rest, length) = (shorter, length + 1);
        }
        if length >= depth {
            found.extend(heads(rest));
        }
    }
    found.retain(|name| ORDER.contains(&name.as_str()));
    found
}

fn may_use(own: &str, other: &str) -> bool {
    let rank = |name: &str| ORDER.iter().position(|layer| *layer == name);
    match (own, other) {
        _ if TOP.contains(&own) || own == other => true,
        ("sgf", other) => SGF_MAY.contains(&other),
        (_, "lab") => false,
        _ => rank(other) < rank(own),
    }
}

#[test]
fn every_layer_imports_only_what_is_below_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    assert!(files.len() > 30, "only {} files found", files.len());
    let (mut wrong, mut imports) = (Vec::new(), 0);
    for file in &files {
        let inside = file.strip_prefix(&src).unwrap().with_extension("");
        let mut modules: Vec<&str> = inside.iter().map(|part| part.to_str().unwrap()).collect();
        if modules.last() == Some(&"mod") {
            modules.pop();
        }
        // Crates of their own: `core` holds layers, `tsumego` is one.
        if modules[0] == "core" {
            modules.remove(0);
        }
        let own = modules[0];
        if own == "tsumego" && modules.len() > 1 {
            modules.remove(0);
        }
        assert!(ORDER.contains(&own) || TOP.contains(&own), "{own} has no place in the order of layers");
        for other in named(&fs::read_to_string(file).unwrap(), modules.len()) {
            imports += 1;
            if !may_use(own, &other) {
                wrong.push(format!("src/{}.rs uses {other}, which is not below {own}", inside.display()));
            }
        }
    }
    assert!(imports > 50, "only {imports} imports found");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn imports_are_found_however_they_are_written() {
    let one = |source: &str, depth| named(source, depth).join(" ");
    assert_eq!(one("use crate::gtp::Gtp;", 2), "gtp");
    assert_eq!(one("use crate::{\n  base::{Color, Point},\n  search,\n};", 2), "base search");
    assert_eq!(one("fn f() -> crate::session::Session { crate :: pool::Pool }", 1), "session pool");
    assert_eq!(one("use super::super::gtp;", 2), "gtp");
    assert_eq!(one("use super::{gtp, base};", 1), "gtp base");
    assert_eq!(one("use super::gtp;", 2), "", "a module of the own layer");
    assert_eq!(one("// crate::gtp\nlet s = \"crate::gtp\"; let q = '\"'; mycrate::gtp;", 1), "");
    assert!(may_use("lab", "gtp") && may_use("main", "lab") && !may_use("gtp", "lab") && !may_use("base", "game"));
    assert!(!may_use("playout", "search") && !may_use("pool", "session") && may_use("search", "playout"));
    assert!(may_use("sgf", "game") && may_use("playout", "sgf") && !may_use("sgf", "playout"));
}
