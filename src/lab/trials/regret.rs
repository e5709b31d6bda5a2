//! Random trees of depth two or more: how far the answers of RUCT, UCT and uniform sampling are from the best move.
//!
//! A tree has k moves with m replies each, and m at every ply below. A leaf pays 1 with a probability of its own; at odd plies
//! the least child counts, at even ones the greatest. The best move is worth 0.5 + gap/2, the second 0.5 - gap/2, the others
//! anything from 0.1 up to that.

use super::{Part, RowRecords, TrialRunner, Unit};
use crate::base::rng::mix;
use crate::base::{Point, Rng};
use crate::lab::experiment::{Experiment, Row};
use crate::lab::plan::Planned;
use crate::lab::players::PlayerLine;
use crate::lab::section::{Axis, Dot, Plot, ResultTable, Section, Series, Style};
use crate::lab::stats::{Rate, deviation, mean_interval, mean_of_few, student};
use crate::search::params::Oracle;
use crate::search::registry::{Ability, able};
use crate::search::ruct::{Constant, FixedDepth, World};
use crate::search::{Budget, Engine, Worker};
use serde_json::{Value, json};

pub struct Trees;

/// The paper's factor of the bound at depth d (theorem 3.3); 2312 at depth two, as in theorem 3.2.
fn bound_factor(depth: usize) -> f64 {
    8.0 * (libm::pow(16.0, depth as f64) - 1.0).powi(2) / 225.0
}

/// For the trees of searches.
const TREE_MB: usize = 64;
/// Leaves that a tree may have.
const MOST_LEAVES: u64 = 1_000_000;
const LEAST_VALUE: f64 = 0.1;

#[derive(Clone)]
struct Tree {
    m: usize,
    depth: usize,
    /// The probability of each leaf, move by move.
    leaves: Vec<f64>,
}

impl Tree {
    fn random(k: usize, m: usize, depth: usize, gap: f64, rng: &mut Rng) -> Tree {
        let (best, second) = (0.5 + gap / 2.0, 0.5 - gap / 2.0);
        let mut values = vec![best, second];
        values.extend((2..k).map(|_| LEAST_VALUE + rng.unit() * (second - LEAST_VALUE).max(0.0)));
        values.truncate(k);
        rng.shuffle(&mut values);
        // One child of a node has its value; the others are worse for the player who chooses among them.
        for ply in 1..depth {
            let mut below = Vec::new();
            for value in values {
                let other = |rng: &mut Rng| match ply % 2 {
                    1 => value + rng.unit() * (1.0 - value),
                    _ => value * rng.unit(),
                };
                let mut children: Vec<f64> = (0..m).map(|_| other(rng)).collect();
                children[rng.below(m as u32) as usize] = value;
                below.extend(children);
            }
            values = below;
        }
        Tree { m, depth, leaves: values }
    }

    /// What each move is worth when the leaves are worth this.
    fn worths(&self, leaves: &[f64]) -> Vec<f64> {
        let mut values = leaves.to_vec();
        for ply in (1..self.depth).rev() {
            let of = |children: &[f64]| match ply % 2 {
                1 => children.iter().copied().fold(f64::INFINITY, f64::min),
                _ => children.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            };
            values = values.chunks(self.m).map(of).collect();
        }
        values
    }

    fn values(&self) -> Vec<f64> {
        self.worths(&self.leaves)
    }

    /// Leaves below a move.
    fn size(&self) -> usize {
        self.m.pow(self.depth as u32 - 1)
    }

    fn best(&self) -> f64 {
        self.values().into_iter().fold(0.0, f64::max)
    }

    /// The sum over worse moves of their leaves / (mu* - mu_i), which the bound multiplies with its factor and ln T / T.
    fn difficulty(&self) -> f64 {
        let best = self.best();
        self.values().iter().filter(|&&v| v < best).map(|v| self.size() as f64 / (best - v)).sum()
    }

    fn pull(&self, leaf: usize, rng: &mut Rng) -> f64 {
        f64::from(rng.unit() < self.leaves[leaf])
    }
}

/// Plies made, and the number of the move and the leaf.
impl World for Tree {
    type State = (usize, usize);

    fn root(&self) -> (usize, usize) {
        (0, 0)
    }

    fn moves(&self, state: &(usize, usize), _: &mut Rng) -> Vec<Point> {
        let count = if state.0 == 0 { self.leaves.len() / self.size() } else { self.m };
        (1..=count as u16).map(Point).collect()
    }

    fn play(&self, state: &mut (usize, usize), point: Point) {
        let own = point.index() - 1;
        *state = (state.0 + 1, if state.0 == 0 { own } else { state.1 * self.m + own });
    }

    fn is_over(&self, _: &(usize, usize)) -> bool {
        false
    }

    fn reward(&self, state: (usize, usize), rng: &mut Rng) -> f32 {
        self.pull(state.1, rng) as f32
    }
}

/// Plies of a row's trees; two where nothing is said.
fn depth_of(row: &Row) -> Result<usize, String> {
    match row.cell("depth") {
        None => Ok(2),
        Some(_) => row.count("depth", 8).map(|depth| depth as usize),
    }
}

/// Half decades from 100 up to the last, all even.
fn checkpoints(calls: u64) -> Vec<u64> {
    let mut points: Vec<u64> =
        [100, 316, 1_000, 3_162, 10_000, 31_622, 100_000, 316_228, 1_000_000, 3_162_278, 10_000_000]
            .into_iter()
            .filter(|&c| c < calls)
            .collect();
    points.push(calls.next_multiple_of(2));
    points
}

/// Regret of the distribution (None if there is none) and of the answer, at each checkpoint.
type Course = Vec<(Option<f64>, f64)>;

impl TrialRunner for Trees {
    fn run(&mut self, planned: &Planned, _: u64, seed: u64) -> Result<Value, String> {
        let row = &planned.row;
        let (k, m) = (row.count("k", 1_000)? as usize, row.count("m", 1_000)? as usize);
        let (gap, calls) = (row.number("gap")?, row.count("calls", 100_000_000)?);
        if k < 2 || !(gap > 0.0 && gap <= 0.8) {
            return Err("k is at least 2 and gap is above 0, at most 0.8".to_string());
        }
        let depth = depth_of(row)?;
        if (m as u64).checked_pow(depth as u32 - 1).is_none_or(|size| size * k as u64 > MOST_LEAVES) {
            return Err(format!("a tree has at most {MOST_LEAVES} leaves"));
        }
        let tree = Tree::random(k, m, depth, gap, &mut Rng::new(seed));
        let at = checkpoints(calls);
        let mut players = Vec::new();
        for (i, player) in planned.players.iter().enumerate() {
            let seed = mix(&[seed, i as u64 + 1]);
            let course = match player {
                PlayerLine::Uniform => uniform(&tree, &at, seed),
                PlayerLine::Inside(engine) => search(&tree, engine, &at, seed)?,
                PlayerLine::Outside(_) => return Err("programs do not play on made-up trees".to_string()),
            };
            let digits = |x: f64| (x * 1e7).round() / 1e7;
            let share: Vec<Option<f64>> = course.iter().map(|c| c.0.map(digits)).collect();
            let answer: Vec<f64> = course.iter().map(|c| digits(c.1)).collect();
            players.push(json!({ "share": share, "answer": answer }));
        }
        Ok(json!({ "calls": at, "difficulty": tree.difficulty(), "players": players }))
    }
}

/// Every leaf in turn; the answer is the move whose least mean is best.
fn uniform(tree: &Tree, at: &[u64], seed: u64) -> Course {
    let mut rng = Rng::new(seed);
    let (values, best) = (tree.values(), tree.best());
    let mut sums = vec![(0.0, 0.0); tree.leaves.len()];
    let mut made = 0;
    let mut course = Vec::new();
    for &until in at {
        while made < until {
            let leaf = (made % tree.leaves.len() as u64) as usize;
            sums[leaf] = (sums[leaf].0 + tree.pull(leaf, &mut rng), sums[leaf].1 + 1.0);
            made += 1;
        }
        let means: Vec<f64> = sums.iter().map(|(sum, n): &(f64, f64)| sum / n.max(1.0)).collect();
        let worths = tree.worths(&means);
        let answer = (0..worths.len()).max_by(|&a, &b| worths[a].total_cmp(&worths[b])).unwrap_or(0);
        course.push((None, best - values[answer]));
    }
    course
}

fn search(tree: &Tree, engine: &Engine, at: &[u64], seed: u64) -> Result<Course, String> {
    let params = engine.params();
    let (constant, resamples) = match engine.allocation() {
        _ if engine.can(Ability::Bound) => (Constant::of(params), params.oracle == Oracle::Resample),
        // UCT on so many plies: the same with its own constant, c sqrt(ln n / s) being (c / sqrt 2) sqrt(2 ln n / s).
        _ if engine.can(Ability::Grow) => (Constant::Fixed((params.c / std::f64::consts::SQRT_2) as f32), false),
        other => {
            let names = [Ability::Grow, Ability::Bound].map(|ability| able(ability).join(", ")).join(" and ");
            return Err(format!("players on made-up trees are uniform, {names}, not {other}"));
        }
    };
    let (values, best) = (tree.values(), tree.best());
    let search = FixedDepth::new(tree.clone(), tree.depth, constant, resamples, TREE_MB);
    let mut made = 0;
    let mut course = Vec::new();
    for &until in at {
        let budget = Budget::playouts(until - made);
        search.work(&mut Worker::new(&budget, seed, until as usize));
        made = until;
        let shares = search.shares();
        let total = shares.iter().map(|(_, visits)| *visits as f64).sum::<f64>().max(1.0);
        let regret = |point: Point| best - values[point.index() - 1];
        let share = shares.iter().map(|&(point, visits)| regret(point) * visits as f64 / total).sum();
        let mode = shares.iter().max_by_key(|(_, visits)| *visits).map_or(0.0, |(point, _)| regret(*point));
        course.push((Some(share), mode));
    }
    Ok(course)
}

/// One player's regrets at each checkpoint, of all trees.
fn columns(records: &RowRecords, player: usize, what: &str, count: usize) -> Vec<Vec<f64>> {
    (0..count).map(|i| records.numbers(&format!("/players/{player}/{what}/{i}")).collect()).collect()
}

const OVER: &str = "over the bound";
const SLOPE: &str = "slope";

/// Of each player that answers with a distribution: how far its regret is over the bound, and its slope on log-log paper.
pub fn parts(row: &Row) -> Vec<String> {
    let players = row.lines.iter().filter(|line| *line != "uniform").map(|line| short_name(line));
    players.flat_map(|name| [OVER, SLOPE].map(|what| format!("{name} {what}"))).collect()
}

/// A bound above 1, which no regret can reach, says nothing: there is no figure then.
pub fn figures(records: &RowRecords) -> Vec<Part> {
    let Some(first) = records.records.first() else { return Vec::new() };
    let calls: Vec<f64> = first.outcome["calls"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    let [.., start, _, end] = calls[..] else { return Vec::new() };
    let factor = bound_factor(depth_of(records.row).unwrap_or(2)) * libm::log(end) / end;
    let bounds: Vec<f64> = records.numbers("/difficulty").map(|difficulty| factor * difficulty).collect();
    let trials = records.records.len() as u64;
    let mut found = Vec::new();
    for (i, line) in records.row.lines.iter().enumerate().filter(|(_, line)| *line != "uniform") {
        let shares = columns(records, i, "share", calls.len());
        let [.., before, _, last] = &shares[..] else { continue };
        if before.len() != last.len() || last.len() < 2 || last.len() != bounds.len() {
            continue;
        }
        let part = |what: &str, value| Part {
            name: format!("{} {what}", short_name(line)),
            value,
            trials,
            unit: Unit::Plain(3),
        };
        if mean_interval(&bounds).0 < 1.0 {
            let over: Vec<f64> = last.iter().zip(&bounds).map(|(regret, bound)| regret - bound).collect();
            found.push(part(OVER, mean_of_few(&over)));
        }
        let (a, b) = (mean_interval(before).0, mean_interval(last).0);
        if a > 0.0 && b > 0.0 {
            // The logarithm of a ratio of means, by the delta method; the same trees are in both.
            let decade = libm::log(end / start);
            let parts: Vec<f64> = before.iter().zip(last).map(|(x, y)| y / b - x / a).collect();
            let n = parts.len() as f64;
            let half = student(n - 1.0) * deviation(&parts) / n.sqrt() / decade;
            let slope = libm::log(b / a) / decade;
            found.push(part(SLOPE, (slope, (slope - half, slope + half))));
        }
    }
    found
}

pub fn tell(_: &Experiment, rows: &[RowRecords]) -> Section {
    let mut section = Section::default();
    for records in rows {
        let Some(first) = records.records.first() else { continue };
        let calls: Vec<f64> =
            first.outcome["calls"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        let Some(&last) = calls.last() else { continue };
        let (difficulty, _) = mean_interval(&records.numbers("/difficulty").collect::<Vec<_>>());
        let depth = depth_of(records.row).unwrap_or(2);
        let bound = |t: f64| bound_factor(depth) * difficulty * libm::log(t) / t;
        let mut name =
            format!("k = {}, m = {}, gap {}", records.row.text("k"), records.row.text("m"), records.row.text("gap"));
        if depth != 2 {
            name += &format!(", depth {depth}");
        }
        let mut table = ResultTable::new(
            &format!("{name}: mean regret after {last:.0} calls, {} trees, with 95 % intervals", records.records.len()),
            &["player", "of the distribution", "slope", "of the answer", "best move found, %"],
        );
        let plot = |title: String| Plot {
            title,
            x: Axis::new("oracle calls").log(true),
            y: Axis::new("regret").log(true),
            series: Vec::new(),
        };
        let mut by_share = plot(format!("Regret of the distribution, {name}"));
        let mut by_answer = plot(format!("Regret of the answer, {name}"));
        for (i, line) in first.players.iter().enumerate() {
            let short = short_name(line);
            let shares = columns(records, i, "share", calls.len());
            let answers = columns(records, i, "answer", calls.len());
            let line = |columns: &[Vec<f64>]| -> Vec<Dot> {
                let dot = |(&x, values): (&f64, &Vec<f64>)| Dot::new(x, mean_interval(values).0);
                calls.iter().zip(columns).map(dot).filter(|dot| dot.y > 0.0).collect()
            };
            let (share_line, answer_line) = (line(&shares), line(&answers));
            let shown = |columns: &[Vec<f64>]| match columns.last() {
                Some(values) if !values.is_empty() => {
                    let (mean, (low, high)) = mean_interval(values);
                    format!("{mean:.5} [{:.5}, {high:.5}]", low.max(0.0))
                }
                _ => String::new(),
            };
            let found = answers.last().map_or(0, |values| values.iter().filter(|&&x| x == 0.0).count());
            table.rows.push(vec![
                short.clone(),
                shown(&shares),
                slope(&share_line),
                shown(&answers),
                Rate { wins: found as u64, draws: 0, games: records.records.len() as u64 }.percent_text(),
            ]);
            by_share.series.push(Series { name: short.clone(), style: Style::Line, color: i, points: share_line });
            by_answer.series.push(Series { name: short, style: Style::Line, color: i, points: answer_line });
        }
        let guide = |name: &str, color: usize, f: &dyn Fn(f64) -> f64| {
            let points = calls.iter().map(|&t| Dot::new(t, f(t))).collect();
            Series { name: name.to_string(), style: Style::Dashed, color, points }
        };
        let colors = first.players.len();
        by_share.series.push(guide("the bound", colors, &bound));
        for plot in [&mut by_share, &mut by_answer] {
            plot.series.push(guide("1/T", colors + 1, &|t| 10.0 / t));
            plot.series.push(guide("1/√T", colors + 2, &|t| 1.0 / t.sqrt()));
            plot.series.retain(|s| !s.points.is_empty());
        }
        let says = (0..400).map(|i| libm::pow(10.0, 2.0 + f64::from(i) / 20.0)).find(|&t| bound(t) < 1.0);
        section.notes.push(format!(
            "{name}: after {last:.0} calls the bound is {:.3}; it is below 1, the most that a regret can be, from {} calls on.",
            bound(last),
            says.map_or("no number of".to_string(), |t| format!("{t:.1e}")),
        ));
        section.tables.push(table);
        section.plots.extend([by_share, by_answer]);
    }
    section
}

/// What of a line tells players apart.
fn short_name(line: &str) -> String {
    let words = line.split_whitespace().enumerate();
    let kept = words.filter(|(i, w)| {
        *i == 0 || ["c=", "constant=", "theory=depth", "oracle="].iter().any(|key| w.starts_with(key))
    });
    kept.map(|(_, w)| if w.starts_with("c=1.41") { "c=√2" } else { w }).collect::<Vec<_>>().join(" ")
}

/// The slope on log-log paper over the last decade.
fn slope(line: &[Dot]) -> String {
    match line {
        [.., a, _, b] if a.y > 0.0 && b.y > 0.0 => format!("{:.2}", libm::log(b.y / a.y) / libm::log(b.x / a.x)),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_have_the_gap_and_lie_below_it() {
        let mut rng = Rng::new(5);
        for (k, m, gap) in [(2, 1, 0.5), (5, 3, 0.2), (10, 10, 0.1)] {
            for _ in 0..50 {
                let tree = Tree::random(k, m, 2, gap, &mut rng);
                let mut values = tree.values();
                values.sort_by(|a, b| b.total_cmp(a));
                assert_eq!((values.len(), tree.leaves.len()), (k, k * m));
                assert!((values[0] - values[1] - gap).abs() < 1e-9 && (values[0] - 0.5 - gap / 2.0).abs() < 1e-9);
                assert!(tree.leaves.iter().all(|p| (0.1..=1.0).contains(p)));
                let worse: f64 = values[1..].iter().map(|v| m as f64 / (values[0] - v)).sum();
                assert!((worse - tree.difficulty()).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn deeper_trees_are_worth_what_both_players_make_of_them() {
        let mut rng = Rng::new(6);
        for depth in [1, 2, 3, 4] {
            let tree = Tree::random(3, 2, depth, 0.2, &mut rng);
            assert_eq!(tree.leaves.len(), 3 * 2usize.pow(depth as u32 - 1));
            let mut values = tree.values();
            values.sort_by(|a, b| b.total_cmp(a));
            assert!((values[0] - 0.6).abs() < 1e-9 && (values[1] - 0.4).abs() < 1e-9, "{values:?}");
        }
        let tree = Tree { m: 2, depth: 3, leaves: vec![0.1, 0.6, 0.9, 0.2, 0.5, 0.3, 0.4, 1.0] };
        assert_eq!(tree.values(), [0.6, 0.5]);
        assert_eq!(bound_factor(2), 2312.0);
        let at = checkpoints(20_000);
        assert_eq!(uniform(&tree, &at, 1).last().unwrap().1, 0.0);
        for line in ["uct c=1", "ruct constant=0.3", "ruct constant=0.3 oracle=resample"] {
            let course = search(&tree, &Engine::parse(line).unwrap(), &at, 1).unwrap();
            assert_eq!(course.last().unwrap().1, 0.0, "{line}");
        }
    }

    #[test]
    fn every_player_finds_the_best_of_an_easy_tree() {
        let tree = Tree { m: 2, depth: 2, leaves: vec![0.9, 0.95, 0.1, 0.9, 0.8, 0.2] };
        let at = checkpoints(20_000);
        assert_eq!(uniform(&tree, &at, 1).last().unwrap().1, 0.0);
        for line in ["uct c=1", "ruct constant=0.3 oracle=single", "ruct constant=0.3 oracle=resample"] {
            let course = search(&tree, &Engine::parse(line).unwrap(), &at, 1).unwrap();
            let (share, answer) = course.last().unwrap();
            assert_eq!(*answer, 0.0, "{line}");
            assert!(share.unwrap() < 0.05, "{line}: {share:?}");
        }
        assert!(search(&tree, &Engine::parse("mc").unwrap(), &at, 1).is_err());
    }
}
