//! The built-in experiments: one file for each paper, and two of our own.

use super::experiment::{Experiment, Paper};
use crate::base::file;
use crate::base::params::no_such;
use std::path::Path;

/// A description is a page or two.
const MOST_BYTES: u64 = 4 << 20;

const PAPERS: [(&str, &str); 7] = [
    ("1-shot.toml", include_str!("experiments/1-shot.toml")),
    ("2-potential.toml", include_str!("experiments/2-potential.toml")),
    ("3-ruct.toml", include_str!("experiments/3-ruct.toml")),
    ("4-handicap.toml", include_str!("experiments/4-handicap.toml")),
    ("5-inheritance.toml", include_str!("experiments/5-inheritance.toml")),
    ("6-strong.toml", include_str!("experiments/6-strong.toml")),
    ("7-gobang.toml", include_str!("experiments/7-gobang.toml")),
];

/// All built-in experiments, in the order of the papers.
pub fn all() -> Result<Vec<Experiment>, String> {
    let mut experiments = Vec::new();
    for (file, text) in PAPERS {
        experiments.extend(Paper::parse(text).map_err(|e| format!("{file}: {e}"))?.experiments);
    }
    Ok(experiments)
}

/// The file, and the experiment in it, that `FILE.toml` or `FILE.toml:NAME` means.
pub fn file_of(word: &str) -> Option<(&str, Option<&str>)> {
    match word.find(".toml:") {
        Some(end) => Some((&word[..end + 5], Some(&word[end + 6..]))),
        None => word.ends_with(".toml").then_some((word, None)),
    }
}

/// The experiments that a word on the command line means: a name, `all`, or a TOML file (`FILE` or `FILE:NAME`).
pub fn find(word: &str) -> Result<Vec<Experiment>, String> {
    if let Some((path, name)) = file_of(word) {
        let bytes = file::read(Path::new(path), MOST_BYTES).map_err(|e| format!("cannot read {path}: {e}"))?;
        let text = String::from_utf8(bytes).map_err(|_| format!("cannot read {path}: it is not UTF-8"))?;
        let mut experiments = Paper::parse(&text).map_err(|e| format!("{path}: {e}"))?.experiments;
        let built_in = all()?;
        if let Some(taken) = experiments.iter().find(|e| built_in.iter().any(|b| b.name == e.name)) {
            return Err(format!("{path}: '{}' is a built-in experiment; give yours another name", taken.name));
        }
        if let Some(name) = name {
            let unknown = unknown(&experiments, name);
            experiments.retain(|e| e.name == name);
            if experiments.is_empty() {
                return Err(format!("{path}: {unknown}"));
            }
        }
        return Ok(experiments);
    }
    let mut experiments = all()?;
    if word == "all" {
        return Ok(experiments);
    }
    let unknown = unknown(&experiments, word);
    experiments.retain(|e| e.name == word);
    match experiments.is_empty() {
        true => Err(format!("{unknown}; or name a .toml file of your own")),
        false => Ok(experiments),
    }
}

fn unknown(experiments: &[Experiment], name: &str) -> String {
    no_such("experiment", name, &experiments.iter().map(|e| e.name.as_str()).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_files_are_read_and_no_name_comes_twice() {
        let mut names: Vec<String> = all().unwrap().into_iter().map(|e| e.name).collect();
        assert_eq!(names.len(), 30);
        names.sort();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn claims_about_another_experiment_find_its_rows() {
        let all = all().unwrap();
        let mut asked = 0;
        for (other, names) in all.iter().flat_map(|e| &e.claims).filter_map(|claim| claim.elsewhere()) {
            let other = all.iter().find(|e| e.name == other).unwrap_or_else(|| panic!("no experiment {other}"));
            let known = crate::lab::trials::names(other);
            assert!(names.iter().all(|name| known.contains(name)), "{names:?} of {known:?}");
            asked += 1;
        }
        assert!(asked > 0);
    }

    #[test]
    fn no_claim_of_a_paper_is_left_to_be_judged_by_hand() {
        let all = all().unwrap();
        let by_hand = all.iter().flat_map(|e| &e.claims).filter(|claim| claim.question.is_none());
        assert_eq!(by_hand.map(|claim| &claim.says).collect::<Vec<_>>(), Vec::<&String>::new());
    }

    #[test]
    fn what_is_not_there_is_answered_with_what_is() {
        assert!(find("chess").unwrap_err().contains("there are: bandit, gobang-equal-playouts"));
        assert!(find("no-such-file.toml").unwrap_err().contains("cannot read no-such-file.toml"));
        assert_eq!(find("inherit-mc").unwrap().len(), 1);
        assert_eq!(file_of("a/b.toml:c"), Some(("a/b.toml", Some("c"))));
        assert_eq!((file_of("a.toml.d/b.toml"), file_of("a.toml.d/b")), (Some(("a.toml.d/b.toml", None)), None));
    }
}
