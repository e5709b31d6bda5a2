//! Nodes in the first player's tree, move by move.

use super::{ROW, RowRecords};
use crate::lab::experiment::Experiment;
use crate::lab::section::{Axis, Dot, Plot, ResultTable, Section, Series, Style};
use crate::lab::stats::{Estimate, mean_interval, mean_of_few};
use serde_json::Value;

/// Nodes of the first player's moves that count, in each game.
fn of_games(records: &RowRecords) -> Vec<Vec<f64>> {
    let moves = (records.row.count("moves", 1_000).unwrap_or(49) as usize).div_ceil(2);
    let nodes = |outcome: &Value| -> Vec<f64> {
        let nodes = outcome["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
        nodes.iter().filter_map(Value::as_f64).take(moves).collect()
    };
    records.records.iter().map(|record| nodes(&record.outcome)).filter(|nodes| !nodes.is_empty()).collect()
}

fn mean(nodes: &[f64]) -> f64 {
    nodes.iter().sum::<f64>() / nodes.len().max(1) as f64
}

/// The mean over a game's moves; one game has no spread.
pub fn estimate(records: &RowRecords) -> Option<(Estimate, u64)> {
    let means: Vec<f64> = of_games(records).iter().map(|nodes| mean(nodes)).collect();
    (means.len() > 1).then(|| (mean_of_few(&means), means.len() as u64))
}

pub fn tell(_: &Experiment, rows: &[RowRecords]) -> Section {
    let title = "Nodes in the tree, mean over the first player's moves of a game, with 95 % intervals over games";
    let mut table = ResultTable::new(title, &[ROW, "nodes a move", "games"]);
    let mut series = Vec::new();
    for (color, records) in rows.iter().enumerate() {
        let games = of_games(records);
        let moves = games.iter().map(Vec::len).max().unwrap_or(0);
        let by_move: Vec<Vec<f64>> =
            (0..moves).map(|i| games.iter().filter_map(|nodes| nodes.get(i)).copied().collect()).collect();
        let of_games: Vec<f64> = games.iter().map(|nodes| mean(nodes)).collect();
        let (mean, (low, high)) = mean_of_few(&of_games);
        // One game has no spread.
        let shown = if of_games.len() < 2 { format!("{mean:.0}") } else { format!("{mean:.0} [{low:.0}, {high:.0}]") };
        table.rows.push(vec![records.label.clone(), shown, of_games.len().to_string()]);
        let dot = |(i, list): (usize, &Vec<f64>)| Dot::new((2 * i + 1) as f64, mean_interval(list).0);
        let points = by_move.iter().enumerate().filter(|(_, list)| !list.is_empty()).map(dot).collect();
        series.push(Series { name: records.label.clone(), style: Style::Line, color, points });
    }
    series.retain(|s| !s.points.is_empty());
    let plot = Plot { title: "Nodes in the tree".to_string(), x: Axis::new("move"), y: Axis::new("nodes"), series };
    Section { tables: vec![table], plots: vec![plot], ..Section::default() }
}
