//! One game between two players, each an engine line or an outside GTP engine.

use super::players::{Fault, Player, PlayerLine};
use crate::base::rng::mix;
use crate::base::{Color, GameKind, Point, Rng, Size};
use crate::game::Illegal;
use crate::game::gobang::Rule;
use crate::session::{Answer, Options, Session, handicap};
use crate::sgf::GameRecord;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::{Duration, Instant};

/// Openings are spread over at least this many lines each way.
const SMALLEST_OPENING: usize = 5;
/// A random stream apart from the players'.
const OPENING_STREAM: u64 = 0x4f70_656e;

/// The board a match is played on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    #[serde(rename = "game")]
    pub kind: GameKind,
    /// Gobang: what more than five in a row is.
    #[serde(skip)]
    pub rule: Rule,
    pub size: usize,
    pub komi: f32,
    /// Stones that Black starts with (on the standard points, then spread out); White moves first.
    #[serde(default)]
    pub handicap: usize,
    /// Where those stones stand, if not there: `C3 G7`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub handicap_at: String,
    /// Random moves near the centre that every game starts with; both games of a pair have the same.
    #[serde(default)]
    pub openings: usize,
    /// Seconds each side has for the whole game, if there is a clock.
    pub clock: Option<f64>,
    /// Seconds that an outside engine has for an answer, if not the usual patience.
    #[serde(skip)]
    pub timeout: Option<f64>,
}

impl Setting {
    /// A game on a board of this size, without handicap, openings or clock.
    pub fn new(kind: GameKind, size: usize, komi: f32) -> Setting {
        Setting {
            kind,
            rule: Rule::Exact,
            size,
            komi,
            handicap: 0,
            handicap_at: String::new(),
            openings: 0,
            clock: None,
            timeout: None,
        }
    }

    /// The points of a random opening: within a square around the centre, wide enough to leave most of it empty.
    fn opening(&self, size: Size, seed: u64) -> Vec<Point> {
        let side = (1..=size.n()).find(|s| s * s >= 4 * self.openings && *s >= SMALLEST_OPENING).unwrap_or(size.n());
        let low = (size.n() - side) / 2;
        let mut points: Vec<Point> = (0..side * side).map(|i| size.point(low + i % side, low + i / side)).collect();
        Rng::new(mix(&[seed, OPENING_STREAM])).shuffle(&mut points);
        points.truncate(self.openings);
        points
    }

    /// Where the handicap stones stand.
    pub fn handicap_points(&self) -> Vec<Point> {
        match Size::new(self.size) {
            Some(size) if !self.handicap_at.is_empty() => {
                self.handicap_at.split_whitespace().filter_map(|word| size.point_from_gtp(word)).collect()
            }
            Some(size) if self.handicap > 0 => handicap::free(size, self.handicap),
            _ => Vec::new(),
        }
    }
}

/// `go 9x9, komi 0.5, 2 handicap stones at C3 G7`
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}x{}", self.kind.name(), self.size, self.size)?;
        if self.kind == GameKind::Go {
            write!(f, ", komi {}", self.komi)?;
        }
        if let (Some(size), 1..) = (Size::new(self.size), self.handicap) {
            write!(f, ", {} handicap stones at {}", self.handicap, size.points_to_gtp(self.handicap_points()))?;
        }
        if self.openings > 0 {
            write!(f, ", openings of {} random moves", self.openings)?;
        }
        match self.clock {
            Some(seconds) => write!(f, ", {seconds} s a game"),
            None => Ok(()),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Ending {
    Counted(f32),
    Resigned(Color),
    OutOfTime(Color),
    /// This side made an illegal move or failed.
    Forfeit(Color),
}

impl Ending {
    /// Who won; None is a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Ending::Counted(score) if score > 0.0 => Some(Color::Black),
            Ending::Counted(score) if score < 0.0 => Some(Color::White),
            Ending::Counted(_) => None,
            Ending::Resigned(loser) | Ending::OutOfTime(loser) | Ending::Forfeit(loser) => Some(loser.opponent()),
        }
    }

    /// As SGF and GTP write it: `B+3.5`, `W+R`, `B+T`, `W+F`, `0`.
    pub fn text(self) -> String {
        match (self, self.winner()) {
            (Ending::Counted(score), Some(winner)) => {
                format!("{}+{}", winner.letter(), (score.abs() as f64 * 1e4).round() / 1e4)
            }
            (_, None) => "0".to_string(),
            (Ending::Resigned(_), Some(winner)) => format!("{}+R", winner.letter()),
            (Ending::OutOfTime(_), Some(winner)) => format!("{}+T", winner.letter()),
            (Ending::Forfeit(_), Some(winner)) => format!("{}+F", winner.letter()),
        }
    }
}

pub struct GameResult {
    pub ending: Ending,
    pub record: GameRecord,
    /// Thinking time, moves and playouts, by colour.
    pub seconds: [f64; 2],
    pub moves: [u32; 2],
    pub playouts: [u64; 2],
    /// Nodes in the tree at each of a side's moves.
    pub nodes: [Vec<usize>; 2],
    pub errors: Vec<String>,
    /// An outside engine died or hangs: this is no game, and there will be none.
    pub broken: Option<String>,
}

impl GameResult {
    /// Notes what a side did wrong; it forfeits the game.
    fn fault(&mut self, color: Color, what: &str, fault: Fault) -> Option<Ending> {
        let text = format!("{color}: {what}{}", fault.text);
        if fault.is_gone {
            self.broken = Some(text.clone());
        }
        self.errors.push(text);
        Some(Ending::Forfeit(color))
    }
}

/// Plays one game; `players` and `lines` are Black's and White's. Errors of an engine end its game, not the match.
pub fn play_game(setting: &Setting, lines: [&PlayerLine; 2], players: [&mut Player; 2], seed: u64) -> GameResult {
    let size = Size::new(setting.size).unwrap_or_else(|| unreachable!("settings are checked"));
    let mut result = GameResult {
        ending: Ending::Counted(0.0),
        record: GameRecord::new(setting.kind, size),
        seconds: [0.0; 2],
        moves: [0; 2],
        playouts: [0; 2],
        nodes: [Vec::new(), Vec::new()],
        errors: Vec::new(),
        broken: None,
    };
    let mut board = match referee(setting) {
        Ok(board) => board,
        Err(e) => {
            result.errors.push(e);
            return result;
        }
    };
    result.ending = run_game(setting, size, players, seed, &mut board, &mut result).unwrap_or_else(|| {
        let as_it_stands = lines.iter().all(|line| line.fills());
        Ending::Counted(if as_it_stands { board.table().area_score() } else { board.judge().score })
    });
    result.record = board.to_record();
    result.record.result = Some(result.ending.text());
    result.record.players = lines.map(|line| Some(line.text()));
    result
}

/// A session that only keeps the record.
fn referee(setting: &Setting) -> Result<Session, String> {
    let Setting { kind, rule, size, komi, .. } = *setting;
    let mut board = Session::new(Options { kind, rule, size, komi, threads: 1, seed: Some(0), ..Options::default() })?;
    if setting.handicap > 0 {
        board.place_handicap(&setting.handicap_points());
    }
    Ok(board)
}

/// Moves until somebody fails, resigns or both pass (None).
fn run_game(
    setting: &Setting,
    size: Size,
    mut players: [&mut Player; 2],
    seed: u64,
    board: &mut Session,
    result: &mut GameResult,
) -> Option<Ending> {
    for color in Color::BOTH {
        if let Err(e) = players[color.index()].new_game(setting, mix(&[seed, color.index() as u64])) {
            return result.fault(color, "", e);
        }
    }
    for point in setting.opening(size, seed) {
        let color = board.table().to_play();
        // A point that an earlier capture forbids is left out, and a stone that would win.
        if board.play(color, point).is_err() {
            continue;
        }
        if board.table().winner().is_some() {
            board.undo();
            continue;
        }
        for (seat, player) in Color::BOTH.into_iter().zip(players.iter_mut()) {
            if let Err(e) = player.play(size, color, point) {
                return result.fault(seat, "refuses the opening: ", e);
            }
        }
    }
    let mut left = setting.clock.map(|s| [Duration::from_secs_f64(s); 2]);
    let mut color = board.table().to_play();
    let mut passes = 0;
    // Longer than any sensible game: superko lets silly ones go on for ever.
    for _ in 0..4 * size.area() {
        let i = color.index();
        let began = Instant::now();
        let answer = players[i].genmove(size, color, left.map(|l| l[i]));
        let used = began.elapsed();
        result.seconds[i] += used.as_secs_f64();
        result.moves[i] += 1;
        let (playouts, nodes) = players[i].effort();
        result.playouts[i] += playouts;
        result.nodes[i].push(nodes);
        if let Some(left) = &mut left {
            if used > left[i] {
                return Some(Ending::OutOfTime(color));
            }
            left[i] -= used;
        }
        let point = match answer {
            Ok(Answer::Play(point)) => point,
            Ok(Answer::Resign) => return Some(Ending::Resigned(color)),
            Err(e) => return result.fault(color, "", e),
        };
        if let Err(e) = board.play(color, point) {
            let illegal = |e: Illegal| format!("{color}: illegal move {}: {}", size.point_to_gtp(point), e.reason());
            result.errors.push(illegal(e));
            return Some(Ending::Forfeit(color));
        }
        if let Err(e) = players[1 - i].play(size, color, point) {
            return result.fault(color.opponent(), &format!("refuses {}: ", size.point_to_gtp(point)), e);
        }
        passes = if point.is_pass() { passes + 1 } else { 0 };
        if passes == 2 || !board.table().has_territory() && board.table().is_over() {
            break;
        }
        color = color.opponent();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::engine::PRESETS;
    use crate::sgf::Step;

    fn setting(size: usize) -> Setting {
        Setting::new(GameKind::Go, size, 7.5)
    }

    fn game(line: &str, size: usize, seed: u64) -> GameResult {
        game_of(&setting(size), line, seed)
    }

    fn game_of(setting: &Setting, line: &str, seed: u64) -> GameResult {
        let line = PlayerLine::parse(setting.kind, line).unwrap();
        let [mut black, mut white] = [(); 2].map(|()| line.sit_down(setting).unwrap());
        play_game(setting, [&line, &line], [&mut black, &mut white], seed)
    }

    /// The moves, for comparing games.
    fn moves(result: &GameResult) -> Vec<&Step> {
        result.record.steps.iter().collect()
    }

    #[test]
    fn every_preset_plays_legal_games_and_repeats_them_with_one_thread() {
        let games = PRESETS.iter().flat_map(|preset| preset.games().map(move |kind| (preset, kind)));
        for (preset, kind) in games {
            let budget = if preset.line.contains("each=") { "each=1" } else { "playouts=80" };
            for (size, threads) in [(9, 1), (9, 2), (13, 1), (13, 2)] {
                let line = format!("{} {budget} threads={threads}", preset.name);
                let game = |line: &str, size, seed| game_of(&Setting::new(kind, size, 7.5), line, seed);
                let first = game(&line, size, 1);
                assert!(first.errors.is_empty(), "{line} on {size}x{size}: {:?}", first.errors);
                let second = game(&line, size, if threads == 1 { 1 } else { 2 });
                assert!(second.errors.is_empty(), "{line} on {size}x{size}: {:?}", second.errors);
                assert!(
                    threads > 1 || moves(&first) == moves(&second),
                    "{line} on {size}x{size} does not repeat itself"
                );
            }
        }
    }

    #[test]
    fn filling_games_end_with_nothing_but_eyes_and_no_resignation() {
        let result = game("uct playouts=30 end=fill", 7, 3);
        assert!(matches!(result.ending, Ending::Counted(_)) && result.errors.is_empty());
        assert!(result.moves[0] + result.moves[1] > 49);
    }

    #[test]
    fn handicap_stones_are_blacks_and_white_begins() {
        let line = PlayerLine::parse(GameKind::Go, "mc playouts=50 end=fill").unwrap();
        let setting = Setting { handicap: 13, komi: 0.5, ..setting(9) };
        let [mut black, mut white] = [(); 2].map(|()| line.sit_down(&setting).unwrap());
        let result = play_game(&setting, [&line, &line], [&mut black, &mut white], 1);
        assert!(result.errors.is_empty(), "{:?}", result.errors);
        assert!(matches!(&result.record.steps[0], Step::SetUp { stones, .. } if stones.len() == 13));
        assert!(matches!(result.record.steps[1], Step::Move(Color::White, _)));
        assert_eq!(result.ending.winner(), Some(Color::Black));
    }

    #[test]
    fn endings_are_written_as_sgf_writes_them() {
        let texts = [
            (Ending::Counted(3.5), "B+3.5"),
            (Ending::Counted(-10.0), "W+10"),
            (Ending::Counted(0.0), "0"),
            (Ending::Resigned(Color::Black), "W+R"),
            (Ending::OutOfTime(Color::White), "B+T"),
            (Ending::Forfeit(Color::White), "B+F"),
        ];
        for (ending, text) in texts {
            assert_eq!(ending.text(), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_engine_that_speaks_no_gtp_or_dies_is_told_and_plays_no_game() {
        let setting = Setting { timeout: Some(0.3), ..setting(5) };
        let sit = |command: &str| PlayerLine::parse(GameKind::Go, command).unwrap().sit_down(&setting).err();
        let error = sit("gtp: /bin/cat").unwrap_or_default();
        assert!(error.contains("cat did not answer `protocol_version` within 0.3 s"), "{error}");
        let error = sit("gtp: /bin/false").unwrap_or_default();
        assert!(error.contains("false ended without an answer"), "{error}");
        // One that dies, and one that hangs, at its second move.
        for (end, told) in
            [("exit 3", "its last words: oh no"), ("exec sleep 9", "within 0.3 s; its last words: oh no")]
        {
            let script = format!(
                "gtp: sh -c 'while read -r line; do case $line in genmove*) echo \"= pass\"; echo;; \
                 play*) echo oh no >&2; {end};; *) echo =; echo;; esac; done'"
            );
            let line = PlayerLine::parse(GameKind::Go, &script).unwrap();
            let other = PlayerLine::parse(GameKind::Go, "random").unwrap();
            let [mut black, mut white] = [&line, &other].map(|line| line.sit_down(&setting).unwrap());
            let result = play_game(&setting, [&line, &other], [&mut black, &mut white], 1);
            assert!(result.broken.as_ref().is_some_and(|text| text.contains(told)), "{:?}", result.broken);
        }
    }

    #[test]
    fn no_opening_is_won_before_the_players_move() {
        let setting = Setting { openings: 100, ..Setting::new(GameKind::Gobang, 15, 0.0) };
        for seed in 0..6 {
            let result = game_of(&setting, "mc playouts=5", seed);
            assert!(result.errors.is_empty(), "{:?}", result.errors);
            assert!(result.moves.iter().all(|&moves| moves > 0), "the loser of an opening resigns at once");
        }
    }

    #[test]
    fn openings_are_near_the_centre_in_turns_and_depend_on_the_seed_alone() {
        for kind in GameKind::ALL {
            let setting = Setting { openings: 5, ..Setting::new(kind, 15, 7.5) };
            let opening = |line: &str, seed: u64| {
                let result = game_of(&setting, line, seed);
                assert!(result.errors.is_empty(), "{:?}", result.errors);
                result.record.steps[..5].to_vec()
            };
            let size = Size::new(15).unwrap();
            let first = opening("mc playouts=15", 1);
            for (i, step) in first.iter().enumerate() {
                let Step::Move(color, p) = step else { panic!("{step:?}") };
                assert_eq!(*color, Color::BOTH[i % 2]);
                let (x, y) = size.xy(*p);
                assert!(x.abs_diff(7) <= 2 && y.abs_diff(7) <= 2);
            }
            assert!(first == opening("uct playouts=20", 1) && first != opening("mc playouts=15", 2));
        }
    }
}
