//! Games of a tuning on disk: JSON lines, one for each game, in a file for each shard.
//!
//! A game has a key (the part it is of, its iteration and its number); a key counts once, however many files hold it.

use super::description::{Against, Tuning};
use crate::jobs::Error;
use crate::jobs::console::make_folder;
use crate::jobs::store::{self as lines, JsonLines};
use crate::lab::code::Code;
use crate::lab::store::Shard;
use serde::{Deserialize, Serialize};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What a game is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    Search,
    /// The confirming match, by whom the line that was found is tried against.
    AgainstStart,
    AgainstOpponent,
}

impl Part {
    pub fn to_confirm(against: Against) -> Part {
        match against {
            Against::Start => Part::AgainstStart,
            Against::Opponent => Part::AgainstOpponent,
        }
    }
}

/// Part, iteration (0 in the confirming match) and number of the game in it.
pub type Key = (Part, u64, u64);

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Game {
    pub tuning: String,
    /// Hash of all that decides the way.
    pub config: String,
    pub part: Part,
    pub iteration: u64,
    pub game: u64,
    pub seed: u64,
    /// First and second player, in full.
    pub players: [String; 2],
    pub first_is: String,
    pub result: String,
    /// Of the first player.
    pub points: f64,
    pub moves: u32,
    pub seconds: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
    #[serde(flatten)]
    pub code: Code,
}

impl Game {
    pub fn key(&self) -> Key {
        (self.part, self.iteration, self.game)
    }
}

pub struct Store {
    folder: PathBuf,
    name: String,
    config: String,
    /// Open for more; None: only read.
    file: Option<JsonLines>,
    games: BTreeMap<Key, Game>,
    counts: BTreeMap<Part, u64>,
    /// Games of another description or seed.
    pub strangers: usize,
}

impl Store {
    /// Opens the shard's file for more games.
    pub fn open(folder: &Path, tuning: &Tuning, seed: u64, shard: Shard) -> Result<Store, Error> {
        make_folder(folder)?;
        let (file, _) = JsonLines::open(&folder.join(shard.file_name(&tuning.name)))?;
        let mut store = Store::new(folder, tuning, seed);
        store.file = Some(file);
        store.reload()?;
        Ok(store)
    }

    /// What there is, for a report.
    pub fn read(folder: &Path, tuning: &Tuning, seed: u64) -> Result<Store, Error> {
        let mut store = Store::new(folder, tuning, seed);
        store.reload()?;
        Ok(store)
    }

    fn new(folder: &Path, tuning: &Tuning, seed: u64) -> Store {
        Store {
            folder: folder.to_path_buf(),
            name: tuning.name.clone(),
            config: tuning.config(seed),
            file: None,
            games: BTreeMap::new(),
            counts: BTreeMap::new(),
            strangers: 0,
        }
    }

    /// Reads the files of all shards anew; others may have written meanwhile.
    pub fn reload(&mut self) -> Result<(), Error> {
        self.strangers = 0;
        for file in self.files()? {
            for game in lines::read::<Game>(&file)? {
                match game.config == self.config {
                    true => self.insert(game),
                    false => self.strangers += 1,
                }
            }
        }
        Ok(())
    }

    /// A game that is there already stays.
    fn insert(&mut self, game: Game) {
        let part = game.part;
        if let Entry::Vacant(place) = self.games.entry(game.key()) {
            place.insert(game);
            *self.counts.entry(part).or_default() += 1;
        }
    }

    fn files(&self) -> Result<Vec<PathBuf>, Error> {
        let is_own = |name: &str| match name.strip_prefix(&self.name).and_then(|rest| rest.strip_suffix(".jsonl")) {
            Some(rest) => rest.is_empty() || rest.starts_with(".shard-"),
            None => false,
        };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&self.folder).map_err(Error::read(&self.folder))? {
            let path = entry.map_err(Error::read(&self.folder))?.path();
            if path.file_name().is_some_and(|name| is_own(&name.to_string_lossy())) {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }

    pub fn config(&self) -> &str {
        &self.config
    }

    pub fn get(&self, key: &Key) -> Option<&Game> {
        self.games.get(key)
    }

    /// How many games of a part there are.
    pub fn count(&self, part: Part) -> u64 {
        self.counts.get(&part).copied().unwrap_or(0)
    }

    pub fn games(&self) -> impl Iterator<Item = &Game> {
        self.games.values()
    }

    /// What other behaviours than this program's have played here.
    pub fn others(&self) -> BTreeSet<&str> {
        let own = Code::own().behaviour;
        self.games().map(|game| game.code.behaviour.as_str()).filter(|behaviour| *behaviour != own).collect()
    }

    /// Writes a game; on an error the file is as it was before.
    pub fn append(&mut self, game: Game) -> Result<(), Error> {
        let file = self.file.as_mut().ok_or_else(|| "the games are only read here".to_string())?;
        file.append(&game)?;
        self.insert(game);
        Ok(())
    }
}
