//! Lists of test files: `@FILE` stands for the names in FILE, one a line.

use std::path::{Path, PathBuf};

/// Deeper than anybody nests lists; a list that names itself would go on for ever.
const DEPTH: usize = 20;

pub fn expand(names: &[String]) -> Result<Vec<PathBuf>, String> {
    let mut names = names.to_vec();
    for _ in 0..DEPTH {
        if !names.iter().any(|name| name.starts_with('@')) {
            return Ok(names.into_iter().map(PathBuf::from).collect());
        }
        let mut expanded = Vec::new();
        for name in names {
            match name.strip_prefix('@') {
                Some(list) => {
                    let text = super::read(Path::new(list))?;
                    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
                    expanded.extend(lines.map(str::to_string));
                }
                None => expanded.push(name),
            }
        }
        names = expanded;
    }
    Err(format!("lists of tests are nested more than {DEPTH} deep: does one name itself?"))
}
