//! Matches: many games between two players, colours alternating, over several jobs.
//!
//! Games come in pairs that share a seed, each player once Black. A game depends on its number and the match's seed
//! alone, so that the number of jobs changes nothing but the time.

use super::arena::{GameResult, Setting, play_game};
use super::code::Code;
use super::pairs::Pairs;
use super::players::{Player, PlayerLine};
use super::sprt::{Sprt, Watch};
use super::stats::{Rate, elo_of, elo_text};
use crate::base::rng::mix;
use crate::base::{Color, GameKind};
use crate::jobs::console::make_folder;
use crate::jobs::{Next, Runner};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

pub struct Match {
    pub setting: Setting,
    /// First and second player.
    pub players: [PlayerLine; 2],
    /// The first player's colour in every game; None: they take turns.
    pub first_is: Option<Color>,
    pub games: usize,
    pub jobs: usize,
    pub seed: u64,
    /// Where to write the games.
    pub sgf_folder: Option<PathBuf>,
    /// Ends the match as soon as one of two hypotheses is accepted.
    pub sprt: Option<Sprt>,
}

/// A finished game, in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct GameLine {
    pub game: usize,
    pub seed: u64,
    pub first_is: &'static str,
    pub result: String,
    /// 1 for a win of the first player, 0 for a loss, a half for a draw.
    pub points: f32,
    pub moves: u32,
    /// Of the first and the second player.
    pub seconds: [f64; 2],
    pub moves_of: [u32; 2],
    pub playouts: [u64; 2],
    pub errors: Vec<String>,
}

/// The games of a match so far, in order of their numbers.
#[derive(Debug, Serialize)]
pub struct Outcome {
    #[serde(flatten)]
    pub code: Code,
    pub first: String,
    pub second: String,
    pub setting: Setting,
    pub seed: u64,
    /// What the sequential test says, if one was asked for.
    pub sprt: Option<&'static str>,
    pub games: Vec<GameLine>,
}

impl Match {
    /// Plays the games that are left, telling each as it ends; `stop` ends the match after the games in hand.
    pub fn run(&self, stop: &AtomicBool, mut told: impl FnMut(&GameLine)) -> Result<Outcome, String> {
        if let Some(folder) = &self.sgf_folder {
            make_folder(folder)?;
        }
        let numbers: Vec<usize> = (0..self.games).collect();
        let mut games = Vec::new();
        let mut watch = self.sprt.map(|sprt| Watch::new(sprt, self.first_is.is_none()));
        Runner { threads: self.jobs, stop, time: None }.run(
            &numbers,
            || None,
            |seats, &game| self.play(game, seats).map(Some),
            |_, line| {
                told(&line);
                let is_over = watch.as_mut().is_some_and(|watch| {
                    watch.add(line.game, f64::from(line.points));
                    watch.end().is_some()
                });
                games.push(line);
                Ok(if is_over { Next::Stop } else { Next::Go })
            },
        )?;
        games.sort_by_key(|g| g.game);
        // Games that were in hand when the test ended are not of it: the result is the same with any number of jobs.
        if let Some(length) = watch.as_ref().and_then(Watch::end) {
            games.truncate(length);
        }
        let sprt = watch.map(|watch| watch.decision.text());
        let [first, second] = self.players.each_ref().map(PlayerLine::text);
        Ok(Outcome { code: Code::own(), first, second, setting: self.setting.clone(), seed: self.seed, sprt, games })
    }

    /// Plays a game between the seated players, who stay for the next one.
    fn play(&self, game: usize, seats: &mut Option<[Player; 2]>) -> Result<GameLine, String> {
        let [first, second] = match seats {
            Some(seats) => seats,
            None => {
                let [a, b] = &self.players;
                seats.insert([a.sit_down(&self.setting)?, b.sit_down(&self.setting)?])
            }
        };
        let [a, b] = &self.players;
        let turn = if game.is_multiple_of(2) { Color::Black } else { Color::White };
        let color = self.first_is.unwrap_or(turn);
        // Two games with swapped colours make a pair.
        let pair = if self.first_is.is_some() { game } else { game / 2 };
        let seed = mix(&[self.seed, pair as u64]) & 0xffff_ffff;
        let result = match color {
            Color::Black => play_game(&self.setting, [a, b], [first, second], seed),
            Color::White => play_game(&self.setting, [b, a], [second, first], seed),
        };
        if let Some(reason) = result.broken {
            return Err(format!("game {}: {reason}", game + 1));
        }
        if let Some(folder) = &self.sgf_folder {
            let text = result.record.to_sgf(concat!("moku:", env!("CARGO_PKG_VERSION")));
            let file = folder.join(format!("game-{:04}.sgf", game + 1));
            if let Err(e) = std::fs::write(&file, text) {
                log::warn!("cannot write {}: {e}", file.display());
            }
        }
        // An engine that failed may have died: others are seated for the next game.
        if !result.errors.is_empty() {
            *seats = None;
        }
        Ok(GameLine::new(game, seed, color, result))
    }
}

impl GameLine {
    pub fn new(game: usize, seed: u64, first: Color, result: GameResult) -> GameLine {
        let (i, j) = (first.index(), 1 - first.index());
        let points = match result.ending.winner() {
            Some(winner) if winner == first => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
        GameLine {
            game,
            seed,
            first_is: if first == Color::Black { "black" } else { "white" },
            result: result.ending.text(),
            points,
            moves: result.moves[0] + result.moves[1],
            seconds: [result.seconds[i], result.seconds[j]],
            moves_of: [result.moves[i], result.moves[j]],
            playouts: [result.playouts[i], result.playouts[j]],
            errors: result.errors,
        }
    }
}

impl Outcome {
    /// The first player's results by pairs; with one colour all the time there are none.
    pub fn pairs(&self) -> Pairs {
        let is_paired = self.games.windows(2).any(|two| two[0].first_is != two[1].first_is);
        let number = |game: usize| if is_paired { game / 2 } else { game };
        Pairs::collect(self.games.iter().map(|g| (number(g.game), f64::from(g.points))))
    }

    /// The first player's results, in all games or with one colour.
    pub fn rate(&self, color: Option<&str>) -> Rate {
        let mut rate = Rate::default();
        let games = self.games.iter().filter(|g| color.is_none_or(|c| c == g.first_is));
        games.for_each(|game| rate.add(f64::from(game.points)));
        rate
    }

    fn mean(&self, of: impl Fn(&GameLine) -> f64, per: impl Fn(&GameLine) -> f64) -> f64 {
        let total: f64 = self.games.iter().map(of).sum();
        let count: f64 = self.games.iter().map(per).sum();
        if count == 0.0 { 0.0 } else { total / count }
    }

    /// Everything, for machines.
    pub fn to_json(&self) -> String {
        let (rate, pairs) = (self.rate(None), self.pairs());
        let mut value = serde_json::to_value(self).unwrap_or_default();
        let (elo, (elo_low, elo_high)) = elo_of(pairs.estimate());
        value["summary"] = serde_json::json!({
            "games": rate.games, "wins": rate.wins, "draws": rate.draws, "losses": rate.losses(), "rate": rate.rate(),
            "pairs": pairs.counts, "without_partner": pairs.single.games, "interval": pairs.interval(), "elo": finite(elo), "elo_interval": [finite(elo_low), finite(elo_high)],
        });
        value.to_string()
    }
}

/// JSON has no infinity.
fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (rate, pairs) = (self.rate(None), self.pairs());
        writeln!(f, "first   {}", self.first)?;
        writeln!(f, "second  {}", self.second)?;
        let size = self.setting.size;
        let terms = match self.setting.kind {
            GameKind::Go => format!("komi {}", self.setting.komi),
            GameKind::Gobang => format!("gobang, {} rule", self.setting.rule.name()),
        };
        let handicap = match self.setting.handicap {
            0 => String::new(),
            stones => format!(", {stones} handicap stones"),
        };
        writeln!(f, "{size}x{size}, {terms}{handicap}, seed {}, moku {}", self.seed, self.code)?;
        writeln!(f, "first wins    {pairs} games, {} wins, {} draws, {} losses", rate.wins, rate.draws, rate.losses())?;
        writeln!(f, "  as Black    {}", self.rate(Some("black")))?;
        writeln!(f, "  as White    {}", self.rate(Some("white")))?;
        writeln!(f, "  pairs       {}", pairs.text())?;
        writeln!(f, "Elo           {}", elo_text(pairs.estimate()))?;
        if let Some(verdict) = self.sprt {
            writeln!(f, "SPRT          {verdict}")?;
        }
        writeln!(f, "mean length   {:.1} moves", self.mean(|g| g.moves as f64, |_| 1.0))?;
        for (i, name) in ["first ", "second"].iter().enumerate() {
            let seconds = self.mean(|g| g.seconds[i], |g| g.moves_of[i] as f64);
            let playouts = self.mean(|g| g.playouts[i] as f64, |g| g.moves_of[i] as f64);
            writeln!(f, "{name} takes  {:.1} ms and {playouts:.0} playouts a move", 1000.0 * seconds)?;
        }
        let errors: Vec<&GameLine> = self.games.iter().filter(|g| !g.errors.is_empty()).collect();
        write!(f, "errors        {}", errors.iter().map(|g| g.errors.len()).sum::<usize>())?;
        for game in errors {
            write!(f, "\n  game {}: {}", game.game + 1, game.errors.join("; "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::SeqCst;

    fn run(jobs: usize) -> Outcome {
        let players = ["uct playouts=60", "mc playouts=60"].map(|line| PlayerLine::parse(GameKind::Go, line).unwrap());
        let setting = Setting::new(GameKind::Go, 5, 1.0);
        let games = Match { setting, players, first_is: None, games: 8, jobs, seed: 3, sgf_folder: None, sprt: None };
        games.run(&AtomicBool::new(false), |_| ()).unwrap()
    }

    #[test]
    fn the_number_of_jobs_changes_no_game() {
        let key = |outcome: &Outcome| -> Vec<(usize, u64, String, u32)> {
            outcome.games.iter().map(|g| (g.game, g.seed, g.result.clone(), g.moves)).collect()
        };
        assert_eq!(key(&run(1)), key(&run(3)));
    }

    #[test]
    fn colours_alternate_in_pairs_of_one_seed_and_draws_are_half() {
        let outcome = run(2);
        for pair in outcome.games.chunks(2) {
            assert_eq!((pair[0].first_is, pair[1].first_is), ("black", "white"));
            assert_eq!(pair[0].seed, pair[1].seed);
        }
        let total: f32 = outcome.games.iter().map(|g| g.points).sum();
        assert_eq!(outcome.rate(None).points(), total as f64);
        let text = outcome.to_json();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["games"].as_array().map(Vec::len), Some(8));
        assert_eq!(json["summary"]["games"], 8);
    }

    #[test]
    fn a_sequential_test_ends_at_the_same_game_with_any_number_of_jobs() {
        let run = |jobs| {
            let players = ["uct playouts=200", "random"].map(|line| PlayerLine::parse(GameKind::Go, line).unwrap());
            let setting = Setting::new(GameKind::Go, 5, 1.0);
            let sprt = Some(Sprt::new(0.0, 200.0));
            let games = Match { setting, players, first_is: None, games: 400, jobs, seed: 3, sgf_folder: None, sprt };
            let outcome = games.run(&AtomicBool::new(false), |_| ()).unwrap();
            (outcome.games.len(), outcome.sprt)
        };
        let (games, verdict) = run(1);
        assert!(games < 40 && games % 2 == 0, "{games}");
        assert_eq!(verdict, Some("H1 accepted"));
        assert_eq!(run(3), (games, verdict));
    }

    #[test]
    fn a_stop_ends_the_match_after_the_games_in_hand() {
        let stop = AtomicBool::new(false);
        let players = ["mc playouts=5", "mc playouts=5"].map(|line| PlayerLine::parse(GameKind::Go, line).unwrap());
        let setting = Setting::new(GameKind::Go, 3, 0.5);
        let games =
            Match { setting, players, first_is: None, games: 100_000, jobs: 2, seed: 3, sgf_folder: None, sprt: None };
        let outcome = games.run(&stop, |_| stop.store(true, SeqCst)).unwrap();
        assert!(!outcome.games.is_empty() && outcome.games.len() < 1_000);
    }

    #[cfg(unix)]
    #[test]
    fn an_engine_that_dies_ends_the_match_with_its_last_words() {
        let dying = "gtp: sh -c 'while read -r l; do case $l in genmove*) echo no net >&2; exit 1;; *) echo =; echo;; esac; done'";
        let players = ["random", dying].map(|line| PlayerLine::parse(GameKind::Go, line).unwrap());
        let setting = Setting::new(GameKind::Go, 5, 1.0);
        let games =
            Match { setting, players, first_is: None, games: 20, jobs: 2, seed: 3, sgf_folder: None, sprt: None };
        let error = games.run(&AtomicBool::new(false), |_| panic!("a game was told")).unwrap_err();
        assert!(error.contains("no net"), "{error}");
    }

    #[test]
    fn an_engine_that_cannot_be_started_is_an_error_with_its_name() {
        let players =
            ["uct", "gtp: no-such-program-anywhere"].map(|line| PlayerLine::parse(GameKind::Go, line).unwrap());
        let setting = Setting::new(GameKind::Go, 5, 1.0);
        let games =
            Match { setting, players, first_is: None, games: 2, jobs: 1, seed: 3, sgf_folder: None, sprt: None };
        let error = games.run(&AtomicBool::new(false), |_| ()).unwrap_err();
        assert!(error.contains("no-such-program-anywhere"), "{error}");
    }
}
