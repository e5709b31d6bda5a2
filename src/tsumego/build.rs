//! Puts the standard problems into the program, so that it has them wherever it is installed and run.

use std::io::Result;
use std::path::{Path, PathBuf};
use std::{env, fs};

const FOLDER: &str = "sgf/tsumego/standard";

fn main() -> Result<()> {
    let root = env::current_dir()?.join("../..").canonicalize()?;
    println!("cargo::rerun-if-changed={}", root.join(FOLDER).display());
    let mut files = Vec::new();
    find(&root.join(FOLDER), &mut files)?;
    files.sort();
    let name = |file: &Path| file.strip_prefix(&root).map(Path::to_path_buf).unwrap_or_default();
    let rows = files.iter().map(|file| format!("    ({:?}, include_str!({file:?})),\n", name(file)));
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
