//! Sets of problems: files, folders of them, and those that moku has with it.

use super::{Problem, TsumegoError};
use crate::sgf;
use std::path::{Path, PathBuf};

/// Where the standard shapes lie in moku's own folder. Where there is no such folder, the name stands for those in the program.
pub const STANDARD: &str = "sgf/tsumego/standard";

/// In the same way the harder problems that the experiment `tsumego` takes.
pub const TABLE5: &str = "sgf/tsumego/table5";

/// The files of those folders, with what they hold.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sets.rs"));

/// A file on the disk, or one in the program.
struct Source {
    path: PathBuf,
    text: Option<&'static str>,
}

impl Problem {
    /// All problems in files and folders. Folders are searched for `.sgf` files, in order of their names.
    pub fn read_all(paths: &[PathBuf]) -> Result<Vec<Problem>, TsumegoError> {
        let (problems, mut unreadable) = Problem::read_set(paths)?;
        match unreadable.is_empty() {
            true => Ok(problems),
            false => Err(unreadable.swap_remove(0)),
        }
    }

    /// The same, but a file that cannot be read does not keep the others from being used: it is left out, with the reason.
    /// An error if nothing is left.
    pub fn read_set(paths: &[PathBuf]) -> Result<(Vec<Problem>, Vec<TsumegoError>), TsumegoError> {
        let mut sources = Vec::new();
        for path in paths {
            let before = sources.len();
            find(path, &mut sources)?;
            if sources.len() == before {
                return Err(TsumegoError::NoFiles(path.clone()));
            }
        }
        let (mut problems, mut unreadable) = (Vec::new(), Vec::new());
        for source in &sources {
            match source.read() {
                Ok(read) => problems.extend(read),
                Err(reason) => unreadable.push(reason),
            }
        }
        if problems.is_empty() && !unreadable.is_empty() {
            return Err(unreadable.swap_remove(0));
        }
        Ok((problems, unreadable))
    }
}

impl Source {
    /// At least one problem.
    fn read(&self) -> Result<Vec<Problem>, TsumegoError> {
        let bytes = match self.text {
            Some(text) => text.as_bytes().to_vec(),
            None => sgf::read_bytes(&self.path).map_err(TsumegoError::File)?,
        };
        let problems = Problem::read(&bytes, &self.path)
            .map_err(|reason| TsumegoError::NoProblem { path: self.path.clone(), reason })?;
        match problems.is_empty() {
            true => Err(TsumegoError::NoStones(self.path.clone())),
            false => Ok(problems),
        }
    }
}

fn find(path: &Path, sources: &mut Vec<Source>) -> Result<(), TsumegoError> {
    if !path.exists() && [STANDARD, TABLE5].iter().any(|set| path.starts_with(set)) {
        sources.extend(own(path));
        return Ok(());
    }
    if !path.is_dir() {
        sources.push(Source { path: path.to_owned(), text: None });
        return Ok(());
    }
    let unreadable = |source| TsumegoError::Folder { path: path.to_owned(), source };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?.path());
    }
    entries.sort();
    for entry in entries {
        if entry.is_dir() || entry.extension().is_some_and(|e| e.eq_ignore_ascii_case("sgf")) {
            find(&entry, sources)?;
        }
    }
    Ok(())
}

/// The program's own files at or below a path.
fn own(path: &Path) -> impl Iterator<Item = Source> {
    let own = FILES.iter().map(|&(name, text)| Source { path: PathBuf::from(name), text: Some(text) });
    own.filter(move |source| source.path.starts_with(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_its_sets_with_it() {
        for set in [STANDARD, TABLE5] {
            let folder = Problem::read_all(&[PathBuf::from(set)]).unwrap();
            let held: Vec<Problem> = own(Path::new(set)).flat_map(|source| source.read().unwrap()).collect();
            assert_eq!(held, folder);
        }
        let (traps, all) = (own(&Path::new(STANDARD).join("trap")).count(), own(Path::new(STANDARD)).count());
        assert!(0 < traps && traps < all, "{traps}");
        let missing = Problem::read_all(&[Path::new(STANDARD).join("no-such.sgf")]).unwrap_err().to_string();
        assert!(missing.contains("no-such.sgf"), "{missing}");
    }

    #[test]
    fn a_broken_file_does_not_keep_the_others_from_being_used() {
        let folder = std::env::temp_dir().join(format!("moku-broken-set-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        write("a.sgf", "(;SZ[9]AB[zz])");
        let paths = [folder.clone()];
        assert!(Problem::read_set(&paths).unwrap_err().to_string().contains("AB[zz]"));
        write("b.sgf", "(;SZ[9]AB[aa]AW[bb];B[cc])");
        write("c.sgf", "(;SZ[9]GM[4]AB[aa])");
        write("d.sgf", "(;SZ[9])");
        write("e.txt", "no game at all");
        let (problems, unreadable) = Problem::read_set(&paths).unwrap();
        assert_eq!((problems.len(), unreadable.len()), (1, 3), "{unreadable:?}");
        assert!(
            matches!(&unreadable[1], TsumegoError::NoProblem { path, reason: sgf::SgfError::NotGo } if path.ends_with("c.sgf"))
        );
        assert!(matches!(unreadable[2], TsumegoError::NoStones(_)), "{unreadable:?}");
        assert!(Problem::read_all(&paths).unwrap_err().to_string().contains("a.sgf"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
