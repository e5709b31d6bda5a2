//! A problem as a file has it: stones, who moves, and which first moves are right.
//!
//! Sets mark their answers in several ways, all of which are read:
//! - words of the table in [`super::conventions`] in a comment or a node's name, or TE, or GB/GW for the side to move, on
//!   the first move or anywhere after it; words for wrong, BM, DO, WV on the first move itself outweigh what follows;
//! - if no branch is marked right but some are marked wrong, the others are right;
//! - if nothing is marked at all, the first branch is taken for right; with several branches that is a guess, and is said
//!   to be one.
//!
//! A file may hold many games, and a game many positions, one after another or as branches of set-up nodes. A game without
//! set-up stones is a problem if its moves come to a place where there are several ways on, or a task is told.

use crate::TsumegoError;
use crate::base::{Black, Color, GameKind, Point, Size, White};
use crate::conventions::verdict_of;
use crate::game::go::SlowBoard;
use crate::sgf::{self, GameTree, Mark, Node, SgfError, Step};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The name in the file, else the file's own; numbered if there are several.
    pub name: String,
    pub path: PathBuf,
    /// Which of the problems in the file, from 1.
    pub number: usize,
    pub size: Size,
    /// In ascending order of points.
    pub stones: Vec<(Point, Color)>,
    pub to_play: Color,
    /// First moves that solve it, in ascending order; none if the file has no answer.
    pub right: Vec<Point>,
    /// First moves that the file has and that do not solve it.
    pub wrong: Vec<Point>,
    /// The file does not say which branch is right: the first was taken.
    pub is_guess: bool,
    pub goal: Option<Goal>,
    /// Stones that the goal is about, if it is about given chains and the file names them.
    pub target: Vec<Point>,
    /// How hard it is, in the words of the file.
    pub level: Option<String>,
    /// What the file says to the solver.
    pub comment: String,
}

/// What the side to move wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    Kill,
    Live,
    /// The best there is for the side to move, attacker or defender, is a ko.
    Ko,
    Seki,
    /// To take a chain.
    Capture,
    /// To win a race between two chains.
    Race,
    /// To connect two chains.
    Connect,
    /// To keep two chains of the opponent apart.
    Cut,
}

/// Every goal with its name, the words that ask for it and what asks for it in scripts without blanks. The first row that
/// fits a text counts: a ko or seki decides, and a race is not yet a kill.
const GOALS: [(Goal, &str, &[&str], &[&str]); 8] = [
    (Goal::Ko, "ko", &["ko"], &["劫", "コウ", "패"]),
    (Goal::Seki, "seki", &["seki"], &["セキ"]),
    (Goal::Race, "race", &["race", "semeai"], &["攻め合い", "攻合", "对杀", "對殺", "수상전"]),
    (Goal::Connect, "connect", &["connect", "connects"], &["渡り", "连回", "連回"]),
    (Goal::Cut, "cut", &["cut", "cuts"], &[]),
    (Goal::Kill, "kill", &["kill", "kills"], &["死", "杀", "殺"]),
    (Goal::Live, "live", &["live", "lives"], &["活", "生"]),
    (Goal::Capture, "capture", &["capture", "captures", "oiotoshi"], &["吃", "捕"]),
];

/// The names of all goals.
pub const GOAL_NAMES: [&str; GOALS.len()] = {
    let mut names = [""; GOALS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = GOALS[i].1;
        i += 1;
    }
    names
};

impl Goal {
    pub fn name(self) -> &'static str {
        GOALS.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// The goal that a text names: `Black to play and kill.`, `goal=live`, `黒先白死`. A ko or seki decides: `kill with ko`.
    pub fn from_text(text: &str) -> Option<Goal> {
        let words: Vec<String> = words(text).map(str::to_lowercase).collect();
        let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
        let any = |parts: &[&str]| parts.iter().any(|part| text.contains(part));
        GOALS.iter().find(|(_, _, names, parts)| has(names) || any(parts)).map(|row| row.0)
    }
}

/// The points with a stone that a text names: `Black captures C3.`
pub fn named_stones(text: &str, size: Size, has_stone: impl Fn(Point) -> bool) -> Vec<Point> {
    words(text).filter_map(|word| size.point_from_gtp(word)).filter(|&p| !p.is_pass() && has_stone(p)).collect()
}

pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

impl Problem {
    /// All problems in the bytes of a file; `path` names them.
    pub fn read(bytes: &[u8], path: &Path) -> Result<Vec<Problem>, SgfError> {
        let mut problems = Vec::new();
        for tree in sgf::read_trees(bytes)? {
            if tree.kind != GameKind::Go {
                return Err(SgfError::NotGo);
            }
            let first = problems.len();
            let reader = Reader { tree: &tree, children: children(&tree), path };
            reader.positions(&mut problems);
            if problems.len() == first {
                problems.extend(reader.after_moves());
            }
            // A name that a game's positions share does not tell them apart.
            if problems.len() - first > 1 && tree.name.is_some() {
                for (i, problem) in problems[first..].iter_mut().enumerate() {
                    problem.name = format!("{} ({})", problem.name, i + 1);
                }
            }
        }
        let several = problems.len() > 1;
        for (i, problem) in problems.iter_mut().enumerate() {
            problem.number = i + 1;
            if problem.name.is_empty() {
                let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
                problem.name = if several { format!("{stem} #{}", i + 1) } else { stem };
            }
        }
        Ok(problems)
    }

    /// The problem as a file with komi 0, its first moves marked RIGHT or WRONG. `comment` is for the solver to read.
    pub fn to_sgf(&self, comment: &str) -> String {
        let stones = |color: Color| {
            let own = self.stones.iter().filter(|stone| stone.1 == color);
            own.map(|stone| format!("[{}]", sgf::letters(self.size, stone.0))).collect::<String>()
        };
        let mut text = format!(
            "(;FF[4]GM[1]CA[UTF-8]SZ[{}]KM[0]RU[Chinese]GN[{}]PL[{}]\nAB{}\nAW{}\nC[{}]",
            self.size,
            sgf::escape(&self.name),
            self.to_play.letter(),
            stones(Black),
            stones(White),
            sgf::escape(comment)
        );
        if let Some(level) = &self.level {
            text += &format!("DI[{}]", sgf::escape(level));
        }
        for (points, verdict) in [(&self.right, "RIGHT"), (&self.wrong, "WRONG")] {
            for &p in points {
                text += &format!("\n(;{}[{}]C[{verdict}])", self.to_play.letter(), sgf::letters(self.size, p));
            }
        }
        text + ")\n"
    }

    /// Could the stones stand on a board, and is there anything to fight about?
    pub fn check(&self) -> Result<(), TsumegoError> {
        if Color::BOTH.iter().any(|color| self.stones.iter().all(|stone| stone.1 != *color)) {
            return Err(TsumegoError::OneColor);
        }
        let mut board = SlowBoard::new(self.size);
        self.stones.iter().for_each(|&(p, color)| board.set(p, Some(color)));
        match board.is_possible() {
            true => Ok(()),
            false => Err(TsumegoError::NoLiberty),
        }
    }

    /// The side whose stones are to live or die: by the goal, else the one that the other encloses.
    pub fn defender(&self) -> Color {
        match self.goal {
            Some(Goal::Kill) => self.to_play.opponent(),
            Some(Goal::Live) => self.to_play,
            _ => self.enclosed(),
        }
    }

    /// The colour whose stones stand nearer to the corner that the stones are in, or nearer to the side's middle.
    fn enclosed(&self) -> Color {
        let [x, y] = [0, 1].map(|axis| {
            let along: Vec<usize> =
                self.stones.iter().map(|&(p, _)| [self.size.xy(p).0, self.size.xy(p).1][axis]).collect();
            (along.iter().min().copied().unwrap_or(0), along.iter().max().copied().unwrap_or(0))
        });
        // The heart of the problem: the border on each axis that the stones reach for, else the middle.
        let heart = |(low, high): (usize, usize)| {
            let last = self.size.n() - 1;
            match (low, last - high) {
                (a, b) if a < b && a <= 2 => 0.0,
                (a, b) if b < a && b <= 2 => last as f64,
                _ => (low + high) as f64 / 2.0,
            }
        };
        let (hx, hy) = (heart(x), heart(y));
        let distance = |color: Color| {
            let own = self.stones.iter().filter(|stone| stone.1 == color).map(|&(p, _)| {
                let (x, y) = self.size.xy(p);
                (x as f64 - hx).abs().max((y as f64 - hy).abs())
            });
            let (sum, count) = own.fold((0.0, 0.0), |(sum, count), d| (sum + d, count + 1.0));
            if count == 0.0 { f64::INFINITY } else { sum / count }
        };
        if distance(self.to_play) <= distance(self.to_play.opponent()) { self.to_play } else { self.to_play.opponent() }
    }
}

fn children(tree: &GameTree) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); tree.nodes.len()];
    for (i, node) in tree.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(i);
        }
    }
    children
}

struct Reader<'a> {
    tree: &'a GameTree,
    children: Vec<Vec<usize>>,
    path: &'a Path,
}

/// A position on the way down, before any move.
#[derive(Clone, Default)]
struct Place {
    stones: BTreeMap<Point, Color>,
    to_play: Option<Color>,
    comment: String,
}

impl Reader<'_> {
    /// Every position that is set up before a move is a problem, except those that another is built upon.
    fn positions(&self, problems: &mut Vec<Problem>) {
        let roots = (0..self.tree.nodes.len()).filter(|&i| self.tree.nodes[i].parent.is_none());
        let mut todo: Vec<(usize, Place)> = roots.map(|root| (root, Place::default())).collect();
        todo.reverse();
        while let Some((at, mut place)) = todo.pop() {
            place.add(&self.tree.nodes[at]);
            let (moves, positions) = self.next(at);
            if !place.stones.is_empty() && (!moves.is_empty() || positions.is_empty()) {
                problems.push(self.problem(&place, &moves));
            }
            todo.extend(positions.into_iter().rev().map(|next| (next, place.clone())));
        }
    }

    /// The position that a game without set-up stones comes to: where there are several ways on, or a task is told.
    fn after_moves(&self) -> Option<Problem> {
        let mut board = SlowBoard::new(self.tree.size);
        let (mut at, mut moves) = (0, 0);
        loop {
            let node = self.tree.nodes.get(at)?;
            for step in &node.steps {
                if let Step::Move(color, p) = *step {
                    board.to_play = color;
                    board = board.after(p)?;
                    moves += 1;
                }
            }
            let children = &self.children[at];
            let is_task = Goal::from_text(&node.comment).is_some();
            if moves > 0 && (children.len() > 1 || is_task) {
                let stones = self.tree.size.points().filter_map(|p| Some((p, board.at(p)?))).collect();
                let place = Place { stones, to_play: Some(board.to_play), comment: node.comment.clone() };
                return Some(self.problem(&place, children));
            }
            at = *children.first()?;
        }
    }

    /// The nearest nodes with a move and with set-up stones, at or after this node. Nodes with neither are looked through.
    fn next(&self, at: usize) -> (Vec<usize>, Vec<usize>) {
        if first_move(&self.tree.nodes[at]).is_some() {
            return (vec![at], Vec::new());
        }
        let (mut moves, mut positions) = (Vec::new(), Vec::new());
        let mut todo: Vec<usize> = self.children[at].iter().rev().copied().collect();
        while let Some(next) = todo.pop() {
            let node = &self.tree.nodes[next];
            match () {
                _ if sets_stones(node) => positions.push(next),
                _ if first_move(node).is_some() => moves.push(next),
                _ => todo.extend(self.children[next].iter().rev()),
            }
        }
        (moves, positions)
    }

    fn problem(&self, place: &Place, moves: &[usize]) -> Problem {
        let first = moves.first().and_then(|&at| first_move(&self.tree.nodes[at]));
        let to_play = place.to_play.or(first.map(|(color, _)| color)).unwrap_or(Black);
        let own = moves.iter().filter_map(|&at| match first_move(&self.tree.nodes[at]) {
            Some((color, point)) if color == to_play => Some((at, point)),
            _ => None,
        });
        let answers: Vec<(Point, Option<bool>)> = own.map(|(at, point)| (point, self.verdict(at, to_play))).collect();
        let some_right = answers.iter().any(|answer| answer.1 == Some(true));
        let some_wrong = answers.iter().any(|answer| answer.1 == Some(false));
        let is_right = |i: usize| match (some_right, some_wrong) {
            (true, _) => answers[i].1 == Some(true),
            (false, true) => answers[i].1.is_none(),
            (false, false) => i == 0,
        };
        let pick = |wanted: bool| {
            let mut points: Vec<Point> =
                (0..answers.len()).filter(|&i| is_right(i) == wanted).map(|i| answers[i].0).collect();
            points.sort();
            points.dedup();
            points
        };
        let right = pick(true);
        let wrong: Vec<Point> = pick(false).into_iter().filter(|p| !right.contains(p)).collect();
        let about = self.tree.about.as_deref().unwrap_or("");
        let is_guess = !some_right && !some_wrong && right.len() + wrong.len() > 1;
        Problem {
            name: self.tree.name.clone().unwrap_or_default(),
            path: self.path.to_owned(),
            number: 1,
            size: self.tree.size,
            stones: place.stones.iter().map(|(&p, &color)| (p, color)).collect(),
            to_play,
            right,
            wrong,
            is_guess,
            goal: Goal::from_text(&place.comment).or_else(|| value_of(about, "goal").and_then(Goal::from_text)),
            target: named_stones(&place.comment, self.tree.size, |p| place.stones.contains_key(&p)),
            level: self.tree.level.clone().or_else(|| value_of(about, "level").map(str::to_string)),
            comment: place.comment.clone(),
        }
    }

    /// What the file says of a first move, None if nothing. The nearest mark counts; of several equally near, a good one.
    fn verdict(&self, at: usize, to_play: Color) -> Option<bool> {
        let own = said(&self.tree.nodes[at], to_play);
        if own.is_some() {
            return own;
        }
        let mut todo = self.children[at].clone();
        let mut wrong = false;
        while let Some(next) = todo.pop() {
            match said(&self.tree.nodes[next], to_play) {
                Some(true) => return Some(true),
                Some(false) => wrong = true,
                None => {}
            }
            todo.extend(&self.children[next]);
        }
        wrong.then_some(false)
    }
}

impl Place {
    fn add(&mut self, node: &Node) {
        for step in &node.steps {
            if let Step::SetUp { stones, to_play } = step {
                for &(p, color) in stones {
                    match color {
                        Some(color) => self.stones.insert(p, color),
                        None => self.stones.remove(&p),
                    };
                }
                self.to_play = to_play.or(self.to_play);
            }
        }
        if !node.comment.is_empty() && first_move(node).is_none() {
            self.comment.clone_from(&node.comment);
        }
    }
}

fn first_move(node: &Node) -> Option<(Color, Point)> {
    node.steps.iter().find_map(|step| match *step {
        Step::Move(color, point) => Some((color, point)),
        Step::SetUp { .. } => None,
    })
}

fn sets_stones(node: &Node) -> bool {
    node.steps.iter().any(|step| matches!(step, Step::SetUp { stones, .. } if !stones.is_empty()))
}

/// Is this node's line right (true) or wrong, in its own words?
fn said(node: &Node, to_play: Color) -> Option<bool> {
    let has = |mark: Mark| node.marks.contains(&mark);
    match verdict_of(&node.comment).or_else(|| verdict_of(&node.name)) {
        Some(verdict) => Some(verdict),
        None if has(Mark::BadMove) || has(Mark::GoodFor(to_play.opponent())) => Some(false),
        // A good move of the opponent is no merit of ours.
        None if has(Mark::GoodFor(to_play)) => Some(true),
        None if has(Mark::GoodMove) && first_move(node).is_none_or(|(color, _)| color == to_play) => Some(true),
        None => None,
    }
}

/// The word after `key=`.
fn value_of<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let mut words = text.split(|c: char| c.is_whitespace() || c == ',' || c == ';');
    words.find_map(|word| word.strip_prefix(key)?.strip_prefix('=')).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Problem> {
        Problem::read(text.as_bytes(), Path::new("set/my.sgf")).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn one(text: &str) -> Problem {
        let mut problems = read(text);
        assert_eq!(problems.len(), 1, "{text}");
        problems.remove(0)
    }

    /// `A1 B2 / C3`: right moves, then wrong ones.
    fn answers(text: &str) -> String {
        let problem = one(text);
        let gtp = |points: &[Point]| problem.size.points_to_gtp(points.iter().copied());
        format!("{} / {}", gtp(&problem.right), gtp(&problem.wrong))
    }

    #[test]
    fn right_moves_are_known_by_any_common_mark_on_the_move_or_after_it() {
        let root = "(;SZ[9]AB[bb]AW[cc]PL[B]";
        for (variations, expected) in [
            ("(;B[aa]C[RIGHT])(;B[ba]C[WRONG])", "A9 / B9"),
            ("(;B[aa])(;B[ba];W[aa];B[ca]C[RIGHT])(;B[da]C[The side on the right])", "B9 / A9 D9"),
            ("(;B[aa];W[ba]C[bad])(;B[ba](;W[ca])(;W[da]C[Correct!]))", "B9 / A9"),
            ("(;B[aa]C[+])(;B[ba]C[- no])", "A9 / B9"),
            ("(;B[aa]C[Incorrect.])(;B[ba]C[This is not correct])(;B[ca])", "C9 / A9 B9"),
            ("(;B[aa]TE[1])(;B[ba])", "A9 / B9"),
            ("(;B[aa];W[ba];B[ca]GB[1])(;B[ba];W[aa]GW[1])", "A9 / B9"),
            ("(;B[aa];W[ba]TE[1])(;B[ba]GB[])", "B9 / A9"),
            ("(;B[aa]BM[1];W[ba];B[ca]C[RIGHT])(;B[ba];W[aa];B[ca]C[RIGHT])", "B9 / A9"),
            ("(;B[aa]WV[1])(;B[ba])(;B[ca])", "B9 C9 / A9"),
            ("(;B[aa])(;B[ba])", "A9 / B9"),
            (";B[aa];W[ba]", "A9 / "),
            ("(;B[aa]C[正解])(;B[ba]C[失敗])", "A9 / B9"),
            ("(;B[aa]N[Correct 1])(;B[ba]DO[])", "A9 / B9"),
            ("(;B[aa]C[NOTTHIS])(;B[ba]C[FORCE];W[ca])(;B[ca]C[CHOICE])", "B9 C9 / A9"),
            ("(;B[aa]C[RIGHT])(;B[aa]C[WRONG])", "A9 / "),
            ("(;W[aa]C[RIGHT])(;B[ba]C[RIGHT])", "B9 / "),
            ("(;B[]C[RIGHT])", "pass / "),
            ("", " / "),
        ] {
            assert_eq!(answers(&format!("{root}{variations})")), expected, "{variations}");
        }
    }

    #[test]
    fn the_side_to_move_is_the_files_word_else_who_moves_else_black() {
        assert_eq!(one("(;SZ[9]AB[bb]AW[cc]PL[W])").to_play, White);
        assert_eq!(one("(;SZ[9]AB[bb]AW[cc];W[aa])").to_play, White);
        assert_eq!(one("(;SZ[9]AB[bb]AW[cc])").to_play, Black);
    }

    #[test]
    fn a_file_may_hold_many_games_and_a_game_many_positions() {
        let problems = read("junk (;SZ[9]AB[bb];B[aa]) (;SZ[9]GN[two]AW[cc];B[ba])\n(;SZ[9]AB[dd])");
        let names: Vec<&str> = problems.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["my #1", "two", "my #3"]);
        assert_eq!(problems.iter().map(|p| p.number).collect::<Vec<_>>(), [1, 2, 3]);
        let problems = read("(;SZ[9]GN[set](;AB[aa]C[one];C[note];B[ba])(;AB[bb]AW[ab]PL[W]))");
        assert_eq!(problems.len(), 2);
        assert_eq!((problems[0].name.as_str(), problems[0].stones.len(), problems[0].right.len()), ("set (1)", 1, 1));
        assert_eq!((problems[1].name.as_str(), problems[1].stones.len(), problems[1].to_play), ("set (2)", 2, White));
        let problems = read("(;SZ[9](;AB[aa];B[ba])(;AB[bb];B[ba]))");
        assert_eq!(problems.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["my #1", "my #2"]);
    }

    #[test]
    fn set_up_in_several_nodes_adds_up() {
        let problem = one("(;SZ[9];AB[aa][bb];AE[aa]AW[cc]C[White to live];W[ab])");
        assert_eq!(problem.stones.len(), 2);
        assert_eq!((problem.goal, problem.to_play), (Some(Goal::Live), White));
    }

    #[test]
    fn an_answer_that_the_file_does_not_mark_is_a_guess_if_there_are_others() {
        let is_guess = |text: &str| one(&format!("(;SZ[9]AB[bb]AW[cc]{text})")).is_guess;
        assert!(is_guess("(;B[aa])(;B[ba])"));
        assert!(
            !is_guess(";B[aa];W[ba]") && !is_guess("(;B[aa]C[RIGHT])(;B[ba])") && !is_guess("(;B[aa])(;B[ba]BM[1])")
        );
    }

    #[test]
    fn a_position_reached_by_moves_is_a_problem_where_the_ways_part() {
        let problem = one("(;SZ[9];B[aa];W[ba];B[cc];W[ab]C[Black to kill](;B[bb]C[RIGHT])(;B[da]))");
        assert_eq!((problem.stones.len(), problem.to_play, problem.goal), (3, Black, Some(Goal::Kill)), "A9 was taken");
        assert_eq!((problem.right.len(), problem.wrong.len()), (1, 1));
        assert!(read("(;SZ[9];B[aa];W[ba];B[cc])").is_empty(), "a game is no problem");
    }

    #[test]
    fn goal_and_level_are_found_in_comments_and_properties() {
        let goal = |text: &str| one(&format!("(;SZ[9]AB[bb]C[{text}])")).goal;
        assert_eq!(goal("Black to play and kill."), Some(Goal::Kill));
        assert_eq!(goal("Kill, with a ko"), Some(Goal::Ko));
        assert_eq!(goal("黒先白死"), Some(Goal::Kill));
        assert_eq!(goal("Black to move"), None);
        let problem = one("(;SZ[9]AB[bb]GC[some set, goal=live level=3k])");
        assert_eq!((problem.goal, problem.level.as_deref()), (Some(Goal::Live), Some("3k")));
        assert_eq!(one("(;SZ[9]AB[bb]DI[5k])").level.as_deref(), Some("5k"));
    }

    #[test]
    fn a_problem_survives_writing_and_reading() {
        let problem = one("(;SZ[9]GN[a \\]]DI[5k]AB[bb]AW[cc]PL[W]C[White to live](;W[aa]C[RIGHT])(;W[ba])(;W[]))");
        assert_eq!(one(&problem.to_sgf("White to live")), problem);
    }

    #[test]
    fn deep_nesting_and_broken_files_are_no_danger() {
        let deep = format!("(;SZ[9]AB[bb]{}{}", "(;B[aa]".repeat(50_000), ")".repeat(50_001));
        assert_eq!(one(&deep).right.len(), 1);
        for text in
            ["", "(", "(;AB[zz]SZ[9])", "(;GM[4]AB[aa])", "(;SZ[9]AB[aa", "(;SZ[9]AB[aa](;B[bb]", "((((", "(;)))))"]
        {
            let _ = Problem::read(text.as_bytes(), Path::new("x.sgf"));
        }
        assert!(Problem::read(b"(;SZ[9]AB[aa](;B[bb]", Path::new("x.sgf")).is_ok());
        assert!(Problem::read(b"(;SZ[9]AB[zz])", Path::new("x.sgf")).is_err());
    }
}
