//! Puts the commit that the program is built from into it, so that results can name it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What decides how the program behaves, for a dirty tree to be told from a clean one.
const SOURCES: [&str; 4] = ["src", "build.rs", "Cargo.toml", "Cargo.lock"];

fn main() {
    println!("cargo::rustc-env=MOKU_COMMIT={}", commit().unwrap_or_else(|| "unknown".to_string()));
    println!("cargo::rerun-if-changed=build.rs");
}

fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_string())
}

/// The commit's short hash, `-dirty` when sources differ from it; None outside of a checkout of this project.
fn commit() -> Option<String> {
    let top = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?);
    if fs::canonicalize(top).ok()? != fs::canonicalize(env::current_dir().ok()?).ok()? {
        return None;
    }
    // The script runs again when another commit is checked out or sources change, and only then.
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD", "packed-refs"].into_iter().chain(branch.as_deref()) {
        let file = git(&["rev-parse", "--git-path", name]).filter(|file| Path::new(file).exists());
        file.iter().for_each(|file| println!("cargo::rerun-if-changed={file}"));
    }
    SOURCES.iter().for_each(|source| println!("cargo::rerun-if-changed={source}"));
    let hash = git(&["rev-parse", "--short=7", "HEAD"])?;
    let mut status = vec!["status", "--porcelain", "--untracked-files=no", "--"];
    status.extend(SOURCES);
    let is_dirty = !git(&status)?.is_empty();
    Some(if is_dirty { format!("{hash}-dirty") } else { hash })
}
