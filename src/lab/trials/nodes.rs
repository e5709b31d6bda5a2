//! Nodes in the first player's tree, move by move.

use super::RowRecords;
use crate::lab::experiment::Experiment;
use crate::lab::section::{Axis, Dot, Plot, ResultTable, Section, Series, Style};
use crate::lab::stats::mean_interval;

pub fn tell(_: &Experiment, rows: &[RowRecords]) -> Section {
    let title = "Nodes in the tree, mean over the first player's moves of a game, with 95 % intervals over games";
    let mut table = ResultTable::new(title, &["row", "nodes a move", "games"]);
    let mut series = Vec::new();
    for (color, records) in rows.iter().enumerate() {
        let last = records.row.count("moves", 1_000).unwrap_or(49) as usize;
        let mut by_move: Vec<Vec<f64>> = vec![Vec::new(); last.div_ceil(2)];
        let mut of_games = Vec::new();
        for record in &records.records {
            let nodes = record.outcome["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
            let nodes: Vec<f64> = nodes.iter().filter_map(|n| n.as_f64()).take(by_move.len()).collect();
            nodes.iter().zip(&mut by_move).for_each(|(&n, list)| list.push(n));
            if !nodes.is_empty() {
                of_games.push(nodes.iter().sum::<f64>() / nodes.len() as f64);
            }
        }
        let (mean, (low, high)) = mean_interval(&of_games);
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
