//! Trials on disk: files of JSON lines, one for each experiment and shard.
//!
//! A trial has a key (experiment, row, index and a hash of everything else that decides its course); a key counts once,
//! however many files hold it.

use super::arena::Setting;
use super::code::Code;
use super::machine::Made;
use crate::jobs::Error;
use crate::jobs::console::make_folder;
use crate::jobs::store::{self as lines, JsonLines};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// A finished trial.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    pub experiment: String,
    pub row: String,
    /// Number of the trial in its row, from 0.
    pub index: u64,
    /// Hash of setting, players, budgets and the run's seed.
    pub config: String,
    /// Of this trial, made from the run's seed, the experiment, the row and the index.
    pub seed: u64,
    /// How budgets were set: as described, scaled, measured or by the clock.
    pub budget: String,
    pub setting: Setting,
    pub players: Vec<String>,
    /// What it was made by.
    #[serde(flatten)]
    pub code: Code,
    /// Of the whole trial.
    pub seconds: f64,
    /// Where and when; results from before that was kept have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    pub outcome: Value,
}

pub type Key = (String, String, u64, String);

impl Record {
    pub fn key(&self) -> Key {
        (self.experiment.clone(), self.row.clone(), self.index, self.config.clone())
    }

    /// Processor time where it is known, else time by the clock, which is more on a busy machine.
    pub fn cost(&self) -> f64 {
        self.made.as_ref().and_then(|made| made.cpu).unwrap_or(self.seconds)
    }

    /// The record without what differs between two runs of the same trial: times and where it was made.
    pub fn without_times(&self) -> Record {
        let mut record = Record { seconds: 0.0, made: None, ..self.clone() };
        if let Value::Object(fields) = &mut record.outcome {
            fields.remove("seconds");
        }
        record
    }
}

/// Part `index` (from 1) of `count`: the trials whose number leaves index - 1 when divided by count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    pub index: u64,
    pub count: u64,
}

impl Shard {
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// `3/8`
    pub fn parse(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
        match parts {
            Some((index, count)) if (1..=count).contains(&index) && count <= 1_000_000 => Ok(Shard { index, count }),
            _ => Err(format!("a shard is I/N with I from 1 to N, such as 3/8, not '{text}'")),
        }
    }

    /// By pairs, so that the two games with swapped colours stay together.
    pub fn holds(self, trial: u64) -> bool {
        (trial / 2) % self.count == self.index - 1
    }

    pub fn file_name(self, experiment: &str) -> String {
        match self.count {
            1 => format!("{experiment}.jsonl"),
            count => format!("{experiment}.shard-{}-of-{count}.jsonl", self.index),
        }
    }
}

/// A file of trials, open for more.
pub struct Store {
    file: JsonLines,
    done: HashSet<Key>,
    /// How many trials of a row each behaviour of moku has made here.
    behaviours: BTreeMap<(String, String), usize>,
}

impl Store {
    /// Opens the shard's file in a folder, which is made if need be, and finds out what is done: in this file and in
    /// all others of the folder.
    pub fn open(folder: &Path, experiment: &str, shard: Shard) -> Result<Store, Error> {
        make_folder(folder)?;
        let (file, _) = JsonLines::open(&folder.join(shard.file_name(experiment)))?;
        let mut files = Vec::new();
        collect_files(folder, 1, &mut files)?;
        let start = format!("{experiment}.");
        files.retain(|f| f.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&start)));
        let (mut done, mut behaviours) = (HashSet::new(), BTreeMap::new());
        for file in files {
            for record in read_folder(&file)?.iter().filter(|r| r.experiment == experiment) {
                *behaviours.entry((record.row.clone(), record.code.behaviour.clone())).or_default() += 1;
                done.insert(record.key());
            }
        }
        Ok(Store { file, done, behaviours })
    }

    pub fn is_done(&self, key: &Key) -> bool {
        self.done.contains(key)
    }

    /// How many trials of these rows were made here by each behaviour but the row's own: a signature is of a row's players.
    pub fn others(&self, own: &[(&str, &Code)]) -> Vec<(&str, usize)> {
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        for ((row, behaviour), count) in &self.behaviours {
            let mut codes = own.iter().filter(|(name, _)| name == row).peekable();
            if codes.peek().is_some() && codes.all(|(_, code)| code.behaviour != *behaviour) {
                *found.entry(behaviour.as_str()).or_default() += count;
            }
        }
        found.into_iter().collect()
    }

    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Writes a record; on an error the file is as it was before.
    pub fn append(&mut self, record: &Record) -> Result<(), Error> {
        self.file.append(record)?;
        self.done.insert(record.key());
        Ok(())
    }
}

/// Makes an experiment's file in a folder of these records, which must hold what it held.
pub fn replace(folder: &Path, experiment: &str, records: &[&Record]) -> Result<(), Error> {
    lines::replace(&folder.join(Shard::WHOLE.file_name(experiment)), records)
}

/// A file that lies beside results: in one of these folders, in one directly inside, or beside one of these files.
pub fn find_beside(paths: &[PathBuf], name: &str) -> Option<PathBuf> {
    let mut folders = Vec::new();
    for path in paths {
        let folder = if path.is_dir() { path.clone() } else { path.parent()?.to_path_buf() };
        let inside = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut inside: Vec<PathBuf> = inside.filter(|inner| path.is_dir() && inner.is_dir()).collect();
        inside.sort();
        folders.push(folder);
        folders.extend(inside);
    }
    folders.into_iter().map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// All records of the `.jsonl` files in a folder and in the folders directly inside, or of one file.
pub fn read_folder(path: &Path) -> Result<Vec<Record>, Error> {
    let mut files = Vec::new();
    if path.is_dir() {
        collect_files(path, 1, &mut files)?;
    } else {
        files.push(path.to_path_buf());
    }
    files.sort();
    let mut records = Vec::new();
    for file in files {
        records.extend(lines::read::<Record>(&file)?);
    }
    Ok(records)
}

fn collect_files(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in std::fs::read_dir(folder).map_err(Error::read(folder))? {
        let path = entry.map_err(Error::read(folder))?.path();
        if path.is_dir() && depth > 0 {
            collect_files(&path, depth - 1, files)?;
        } else if path.extension().is_some_and(|e| e == "jsonl") {
            files.push(path);
        }
    }
    Ok(())
}

/// The records of many folders, each key once for each behaviour, ordered by experiment, row, configuration, behaviour and
/// index.
pub fn merge(paths: &[PathBuf]) -> Result<Vec<Record>, Error> {
    let mut records = Vec::new();
    for path in paths {
        records.extend(read_folder(path)?);
    }
    let behaviour = |r: &Record| r.code.behaviour.clone();
    records.sort_by_cached_key(|r| (r.experiment.clone(), r.row.clone(), r.config.clone(), behaviour(r), r.index));
    records.dedup_by_key(|r| (r.key(), behaviour(r)));
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::store::tests::Scratch;

    fn record(index: u64) -> Record {
        Record {
            experiment: "e".to_string(),
            row: "a \"row\"\nof two lines".to_string(),
            index,
            config: "c".to_string(),
            seed: 7,
            budget: "as described".to_string(),
            setting: Setting::new(crate::base::GameKind::Go, 9, 7.5),
            players: vec!["uct".to_string()],
            code: Code { version: "1".to_string(), ..Code::default() },
            seconds: 0.5,
            made: None,
            outcome: serde_json::json!({ "points": 0.5, "seconds": [1.0, 2.0], "text": "é" }),
        }
    }

    #[test]
    fn a_file_cut_at_any_byte_loses_at_most_the_line_that_was_cut_and_goes_on() {
        let scratch = Scratch::new("cut");
        let mut store = Store::open(&scratch.0, "e", Shard::WHOLE).unwrap();
        (0..3).for_each(|i| store.append(&record(i)).unwrap());
        let path = store.path().to_path_buf();
        drop(store);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let kept = whole[..length].iter().filter(|&&b| b == b'\n').count() as u64;
            assert_eq!(read_folder(&scratch.0).unwrap().len() as u64, kept);
            let mut store = Store::open(&scratch.0, "e", Shard::WHOLE).unwrap();
            for i in 0..3 {
                assert_eq!(store.is_done(&record(i).key()), i < kept, "cut at {length}");
                if i >= kept {
                    store.append(&record(i)).unwrap();
                }
            }
            drop(store);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {length}");
        }
    }

    #[test]
    fn two_writers_of_one_file_are_one_too_many() {
        let scratch = Scratch::new("lock");
        let first = Store::open(&scratch.0, "e", Shard::WHOLE).unwrap();
        let error = Store::open(&scratch.0, "e", Shard::WHOLE).err().unwrap();
        assert!(matches!(error, Error::Locked(_)), "{error}");
        assert!(Store::open(&scratch.0, "e", Shard { index: 1, count: 2 }).is_ok(), "another file");
        drop(first);
        assert!(Store::open(&scratch.0, "e", Shard::WHOLE).is_ok());
    }

    #[test]
    fn merging_counts_every_key_once_and_what_other_shards_did_is_done() {
        let scratch = Scratch::new("merge");
        let shard = |index| Shard { index, count: 2 };
        for (index, trials) in [(1, vec![0, 1, 4]), (2, vec![2, 1])] {
            let mut store = Store::open(&scratch.0, "e", shard(index)).unwrap();
            trials.iter().for_each(|&i| store.append(&record(i)).unwrap());
        }
        let merged = merge(&[scratch.0.clone(), scratch.0.clone()]).unwrap();
        assert_eq!(merged.iter().map(|r| r.index).collect::<Vec<_>>(), [0, 1, 2, 4]);
        let whole = Store::open(&scratch.0, "e", Shard::WHOLE).unwrap();
        assert!(whole.is_done(&record(4).key()) && !whole.is_done(&record(3).key()));
    }

    #[test]
    fn lines_that_are_no_records_are_left_out() {
        let scratch = Scratch::new("bad");
        let mut store = Store::open(&scratch.0, "e", Shard::WHOLE).unwrap();
        store.append(&record(0)).unwrap();
        let path = store.path().to_path_buf();
        drop(store);
        let mut bytes = b"{}\n\0\0\0\n\xff\n".to_vec();
        bytes.extend(std::fs::read(&path).unwrap());
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(read_folder(&scratch.0).unwrap(), [record(0)]);
        assert!(read_folder(Path::new("no/such/folder")).is_err());
    }

    #[test]
    fn records_from_before_the_code_was_kept_are_of_an_unknown_one() {
        let old = r#"{"experiment":"e","row":"1","index":0,"config":"c","seed":18446744073709551615,"budget":"b",
            "setting":{"game":"go","size":9,"komi":7.5,"handicap":0,"openings":0,"clock":null},"players":["uct"],
            "version":"0.1.0","seconds":0.1234,"outcome":{"points":1.0}}"#;
        let read: Record = serde_json::from_str(old).unwrap();
        assert_eq!((read.code.version.as_str(), read.code.commit.as_str()), ("0.1.0", "unknown"));
        assert_eq!((read.code.behaviour.as_str(), read.seed, read.seconds), ("unknown", u64::MAX, 0.1234));
        let again: Record = serde_json::from_str(&serde_json::to_string(&read).unwrap()).unwrap();
        assert_eq!(again, read);
    }

    #[test]
    fn the_same_trial_by_another_behaviour_is_another_record_and_done_all_the_same() {
        let scratch = Scratch::new("behaviour");
        let mut other = record(0);
        other.code.behaviour = "other".to_string();
        for (i, record) in [record(0), record(1), other].iter().enumerate() {
            let folder = scratch.0.join(i.to_string());
            Store::open(&folder, "e", Shard::WHOLE).unwrap().append(record).unwrap();
        }
        assert_eq!(merge(std::slice::from_ref(&scratch.0)).unwrap().len(), 3);
        let store = Store::open(&scratch.0, "e", Shard::WHOLE).unwrap();
        assert!(store.is_done(&record(0).key()) && store.is_done(&record(1).key()));
        let (own, unknown) = (Code::own(), Code::default());
        let row = record(0).row;
        assert_eq!(store.others(&[(&row, &own)]), [("other", 1), ("unknown", 2)]);
        assert_eq!(store.others(&[(&row, &own), (&row, &unknown)]), [("other", 1)]);
        assert_eq!(store.others(&[("another row", &own)]), [], "other rows have other players");
    }

    #[test]
    fn shards_share_all_trials_and_keep_pairs_together() {
        for count in 1..=7 {
            for trial in 0..100 {
                let holders = (1..=count).filter(|&index| Shard { index, count }.holds(trial)).count();
                assert_eq!(holders, 1);
            }
            let shard = Shard { index: count, count };
            assert!((0..50).all(|pair| shard.holds(2 * pair) == shard.holds(2 * pair + 1)));
        }
        assert_eq!(Shard::parse("3/8"), Ok(Shard { index: 3, count: 8 }));
        for bad in ["", "3", "0/8", "9/8", "a/b", "1/0", "-1/2"] {
            assert!(Shard::parse(bad).is_err_and(|e| e.contains("I/N")), "{bad}");
        }
    }

    #[test]
    fn times_are_all_that_two_runs_of_a_trial_differ_in() {
        let mut other = record(1);
        other.seconds = 9.0;
        other.outcome["seconds"] = serde_json::json!([3.0, 4.0]);
        assert_ne!(other, record(1));
        assert_eq!(other.without_times(), record(1).without_times());
    }
}
