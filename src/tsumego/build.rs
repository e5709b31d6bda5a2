//! Puts moku's own sets of problems into the program, so that it has them wherever it is installed and run.

use std::io::Result;
use std::path::{Path, PathBuf};
use std::{env, fs};

const FOLDERS: [&str; 2] = ["sgf/tsumego/standard", "sgf/tsumego/table5"];

fn main() -> Result<()> {
    let root = env::current_dir()?.join("../..").canonicalize()?;
    let mut files = Vec::new();
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
        find(&root.join(folder), &mut files)?;
    }
    files.sort();
    let name = |file: &Path| file.strip_prefix(&root).map(Path::to_path_buf).unwrap_or_default();
    let rows = files.iter().map(|file| format!("    ({:?}, include_str!({file:?})),\n", name(file)));
    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(out.join("sets.rs"), format!("&[\n{}]\n", rows.collect::<String>()))
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
