//! Puts the standard problems into the program, so that it has them wherever it is installed and run.

use std::io::Result;
use std::path::{Path, PathBuf};
use std::{env, fs};

const FOLDER: &str = "sgf/tsumego/standard";

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed={FOLDER}");
    let mut files = Vec::new();
    find(Path::new(FOLDER), &mut files)?;
    files.sort();
    let root = env::current_dir()?;
    let rows = files.iter().map(|file| format!("    ({file:?}, include_str!({:?})),\n", root.join(file)));
    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(out.join("standard.rs"), format!("&[\n{}]\n", rows.collect::<String>()))
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => find(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}
