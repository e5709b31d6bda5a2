//! Players by the clock as players by playouts: how many playouts a time gives here, measured once.
//!
//! A player with `time=S` is measured in a game against itself at a tenth of a second a move or less, and its playouts a
//! second are multiplied by S. A player with `time=first` gets the time that the first player takes for a move, on the mean
//! of games between the two. Times are processor time, which other work on the machine does not lengthen. The figures
//! are kept in `calibration.json` beside the results; all shards of a run take the same.

use super::arena::{Setting, play_game};
use super::players::PlayerLine;
use crate::jobs::store::write_whole;
use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One player's measure.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measure {
    pub experiment: String,
    pub setting: Setting,
    /// The player as it was written.
    pub line: String,
    /// The first player, where the time is its.
    pub beside: Option<String>,
    /// Seconds for a move, and the playouts they give.
    pub seconds: f64,
    pub playouts: u64,
    pub version: String,
}

/// The measures in a folder.
pub struct Calibration {
    path: PathBuf,
    measures: Vec<Measure>,
}

/// At most this long a move when measuring.
const SECONDS: f64 = 0.1;
/// Games to measure by.
const GAMES: u64 = 2;
/// A first guess for a player whose speed is not known.
const GUESS: u64 = 2_000;

impl Calibration {
    pub fn load(folder: &Path) -> Result<Calibration, String> {
        let path = folder.join("calibration.json");
        Ok(Calibration { measures: read(&path)?, path })
    }

    /// Takes over what another folder has and this one has not, and keeps it.
    pub fn absorb(&mut self, other: &Calibration) -> Result<(), String> {
        let before = self.measures.len();
        other.measures.iter().for_each(|measure| self.add(measure.clone()));
        if self.measures.len() > before { self.save() } else { Ok(()) }
    }

    /// The first measure of a player stands for all.
    fn add(&mut self, measure: Measure) {
        if self.find(&measure.setting, &measure.line, measure.beside.as_deref()).is_none() {
            self.measures.push(measure);
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn find(&self, setting: &Setting, line: &str, beside: Option<&str>) -> Option<&Measure> {
        self.measures.iter().find(|m| m.setting == *setting && m.line == line && m.beside.as_deref() == beside)
    }

    /// Measures a player and keeps the figure. `line` is written without its time.
    pub fn measure(&mut self, experiment: &str, setting: &Setting, line: &str, time: Time) -> Result<(), String> {
        let (seconds, playouts_a_second, beside) = match time {
            Time::Seconds(seconds) => {
                let tried = format!("{line} time={}", seconds.min(SECONDS));
                let [own, _] = speeds(setting, [&tried, &tried])?;
                (seconds, own.playouts / own.seconds, None)
            }
            Time::OfFirst(first) => {
                // Once with a guess, then again with about what it will be.
                let mut playouts = GUESS;
                let mut figures = (0.0, 0.0);
                for _ in 0..2 {
                    let [first, own] = speeds(setting, [first, &format!("{line} playouts={playouts}")])?;
                    figures = (first.seconds / first.moves, own.playouts / own.seconds);
                    playouts = ((figures.0 * figures.1) as u64).max(1);
                }
                (figures.0, figures.1, Some(first.to_string()))
            }
        };
        let typed = match time {
            Time::Seconds(seconds) => format!("{line} time={seconds}"),
            Time::OfFirst(_) => format!("{line} time=first"),
        };
        let measure = Measure {
            experiment: experiment.to_string(),
            setting: setting.clone(),
            line: typed,
            beside,
            seconds,
            playouts: ((seconds * playouts_a_second).round() as u64).max(1),
            version: env!("CARGO_PKG_VERSION").to_string(),
        };
        // Another process may have measured meanwhile.
        self.measures = read(&self.path)?;
        self.add(measure);
        self.save()
    }

    /// Whole or not at all, for shards that read it at the same time.
    fn save(&self) -> Result<(), String> {
        let failed = |e: std::io::Error| format!("cannot write {}: {e}", self.path.display());
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let text = serde_json::to_string_pretty(&self.measures).map_err(|e| e.to_string())?;
        Ok(write_whole(&self.path, (text + "\n").as_bytes())?)
    }
}

fn read(path: &Path) -> Result<Vec<Measure>, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).map_err(|e| format!("{} is damaged: {e}", path.display())),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(format!("cannot read {}: {e}", path.display())),
    }
}

/// What a player's time is.
#[derive(Clone, Copy)]
pub enum Time<'a> {
    Seconds(f64),
    /// As long as this player takes.
    OfFirst(&'a str),
}

struct Speed {
    seconds: f64,
    playouts: f64,
    moves: f64,
}

/// What two players take in a few games, colours alternating.
fn speeds(setting: &Setting, lines: [&str; 2]) -> Result<[Speed; 2], String> {
    let lines = [PlayerLine::parse(setting.kind, lines[0])?, PlayerLine::parse(setting.kind, lines[1])?];
    let [mut first, mut second] = [lines[0].sit_down(setting)?, lines[1].sit_down(setting)?];
    let mut sums = [[0.0; 3]; 2];
    let began = ProcessTime::now();
    let mut wall = 0.0;
    for game in 0..GAMES {
        let swapped = game % 2 == 1;
        let result = match swapped {
            false => play_game(setting, [&lines[0], &lines[1]], [&mut first, &mut second], game),
            true => play_game(setting, [&lines[1], &lines[0]], [&mut second, &mut first], game),
        };
        if let Some(error) = result.errors.first() {
            return Err(format!("a game to measure time by failed: {error}"));
        }
        for (player, sums) in sums.iter_mut().enumerate() {
            let color = player ^ usize::from(swapped);
            wall += result.seconds[color];
            sums[0] += result.seconds[color];
            sums[1] += result.playouts[color] as f64;
            sums[2] += f64::from(result.moves[color]);
        }
    }
    // Both players' times are put right by what of them was really spent on the processor.
    let share = (began.elapsed().as_secs_f64() / wall.max(1e-9)).min(1.0);
    Ok(sums.map(|[seconds, playouts, moves]| Speed {
        seconds: (seconds * share).max(1e-9),
        playouts: playouts.max(1.0),
        moves: moves.max(1.0),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::GameKind;
    use crate::jobs::store::tests::Scratch;

    #[test]
    fn a_measure_is_made_once_and_found_again() {
        let scratch = Scratch::new("calibration");
        let setting = Setting::new(GameKind::Go, 5, 0.5);
        let mut calibration = Calibration::load(&scratch.0).unwrap();
        assert!(calibration.find(&setting, "mc end=fill time=0.004", None).is_none());
        let time = Time::Seconds(0.004);
        calibration.measure("e", &setting, "mc end=fill", time).unwrap();
        let playouts = calibration.find(&setting, "mc end=fill time=0.004", None).unwrap().playouts;
        assert!(playouts > 10);
        let first = "shot playouts=300 end=fill";
        calibration.measure("e", &setting, "uct end=fill", Time::OfFirst(first)).unwrap();
        let again = Calibration::load(&scratch.0).unwrap();
        assert_eq!(again.find(&setting, "mc end=fill time=0.004", None).unwrap().playouts, playouts);
        let beside = again.find(&setting, "uct end=fill time=first", Some(first)).unwrap();
        assert!(beside.playouts > 0 && beside.seconds > 0.0);
        assert!(again.find(&Setting { size: 7, ..setting }, "mc end=fill time=0.004", None).is_none());
    }

    #[test]
    fn two_that_measure_at_once_lose_nothing_and_agree_on_the_first_figure() {
        let scratch = Scratch::new("calibration-two");
        let setting = Setting::new(GameKind::Go, 5, 0.5);
        let [mut one, mut other] = [(); 2].map(|()| Calibration::load(&scratch.0).unwrap());
        let time = Time::Seconds(0.002);
        one.measure("e", &setting, "mc end=fill", time).unwrap();
        other.measure("f", &setting, "uct end=fill", time).unwrap();
        other.measure("f", &setting, "mc end=fill", time).unwrap();
        assert_eq!(other.measures.len(), 2);
        let line = "mc end=fill time=0.002";
        assert_eq!(other.find(&setting, line, None), one.find(&setting, line, None));
        let elsewhere = Scratch::new("calibration-elsewhere");
        let mut merged = Calibration::load(&elsewhere.0).unwrap();
        merged.absorb(&other).unwrap();
        assert_eq!(Calibration::load(&elsewhere.0).unwrap().measures, other.measures);
    }

    #[test]
    fn seconds_are_the_same_to_the_last_digit_when_read_and_written_again() {
        let scratch = Scratch::new("calibration-digits");
        let mut calibration = Calibration::load(&scratch.0).unwrap();
        let setting = Setting::new(GameKind::Go, 5, 0.5);
        let mut rng = crate::base::rng::Rng::new(1);
        let measure = |i: u64| Measure {
            experiment: "e".to_string(),
            setting: setting.clone(),
            line: format!("mc time={i}"),
            beside: None,
            seconds: rng.next_u64() as f64 / 1e21,
            playouts: 1,
            version: String::new(),
        };
        calibration.measures = (0..1000).map(measure).collect();
        calibration.save().unwrap();
        assert!(Calibration::load(&scratch.0).unwrap().measures == calibration.measures);
    }

    #[test]
    fn a_damaged_file_is_an_error_with_its_name() {
        let scratch = Scratch::new("calibration-bad");
        std::fs::create_dir_all(&scratch.0).unwrap();
        std::fs::write(scratch.0.join("calibration.json"), "[{").unwrap();
        assert!(Calibration::load(&scratch.0).err().unwrap().contains("calibration.json is damaged"));
    }
}
