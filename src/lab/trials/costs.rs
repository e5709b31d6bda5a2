//! What Oshima's filters save: the nominal playouts of a game, which are arithmetic, and those really made.

use super::RowRecords;
use super::games::pairs;
use crate::lab::experiment::{Cell, Nominal, PlotForm, Row};
use crate::lab::pairs::Pairs;
use crate::lab::section::{Axis, Dot, Plot, ResultTable, Series, Style};
use crate::lab::stats::difference;

/// The nominal cost of a game: each n from 81 to 2 legal moves has n candidates, half of them from 80 down to the
/// threshold, of both sides.
fn nominal_playouts(each: u64, threshold: Option<f64>) -> f64 {
    let candidates = |n: u32| {
        let halved = n <= 80 && threshold.is_some_and(|th| f64::from(n) >= th);
        f64::from(n) / if halved { 2.0 } else { 1.0 }
    };
    each as f64 * (2..=81).map(candidates).sum::<f64>()
}

/// A threshold of one filter.
struct Tried {
    threshold: f64,
    results: Pairs,
    /// Playouts that the filtered player made in a game, on the mean.
    playouts: f64,
}

fn playouts(records: &RowRecords) -> f64 {
    records.numbers("/playouts/0").sum::<f64>() / records.records.len().max(1) as f64
}

/// The thresholds that were run with a filter, from the greatest down.
fn tried(nominal: &Nominal, filter: &str, rows: &[RowRecords]) -> Vec<Tried> {
    let own = rows.iter().filter(|r| r.row.text(&nominal.series) == filter && !r.records.is_empty());
    let one = |r: &RowRecords| {
        let threshold = r.row.cell(&nominal.threshold).and_then(Cell::number)?;
        Some(Tried { threshold, results: pairs(r), playouts: playouts(r) })
    };
    let mut tried: Vec<Tried> = own.filter_map(one).collect();
    tried.sort_by(|a, b| b.threshold.total_cmp(&a.threshold));
    tried
}

fn baseline<'a, 'r>(nominal: &Nominal, plot: &PlotForm, rows: &'a [RowRecords<'r>]) -> Option<&'a RowRecords<'r>> {
    let series = |row: &Row| row.text(&nominal.series);
    rows.iter().find(|r| Some(series(r.row)) == plot.baseline && !r.records.is_empty())
}

fn saved(playouts: f64, full: f64) -> String {
    format!("{:.1} %", 100.0 * (1.0 - playouts / full))
}

pub fn table(nominal: &Nominal, plot: &PlotForm, rows: &[RowRecords]) -> ResultTable {
    let mut table = ResultTable::new(
        "The last threshold before the win rate falls below the baseline, the nominal playouts of a game, and what of its own \
         playouts the filtered player really saved",
        &[
            "filter",
            "published",
            "playouts",
            "saved",
            "measured",
            "playouts",
            "saved",
            "really saved",
            "surely below from",
        ],
    );
    let full = nominal_playouts(nominal.each, None);
    let baseline = baseline(nominal, plot, rows);
    for (name, threshold, published) in &nominal.published {
        let threshold = threshold.number().map(|t| t.to_string()).unwrap_or_default();
        let mut line = vec![name.to_string(), threshold, format!("{published:.0}"), saved(*published, full)];
        let tried = tried(nominal, &name.to_string(), rows);
        match baseline {
            Some(baseline) if !tried.is_empty() => {
                let plain = pairs(baseline);
                let above = tried.iter().take_while(|t| t.results.rate() >= plain.rate()).last();
                let last = above.map_or(81.0, |t| t.threshold);
                let playouts_there = nominal_playouts(nominal.each, Some(last));
                line.extend([last.to_string(), format!("{playouts_there:.0}"), saved(playouts_there, full)]);
                line.push(above.map(|t| saved(t.playouts, playouts(baseline))).unwrap_or_default());
                let is_below = |t: &&Tried| difference(t.results.estimate(), plain.estimate()).1.1 < 0.0;
                line.push(tried.iter().find(is_below).map(|t| t.threshold.to_string()).unwrap_or_default());
            }
            _ => line.extend(vec![String::new(); 5]),
        }
        table.rows.push(line);
    }
    table
}

/// What is saved at each threshold, by the nominal count and really.
pub fn savings(nominal: &Nominal, plot: &PlotForm, rows: &[RowRecords]) -> Option<Plot> {
    let full = playouts(baseline(nominal, plot, rows)?);
    let percent = |playouts: f64, full: f64| 100.0 * (1.0 - playouts / full);
    let mut series: Vec<Series> = Vec::new();
    // In the order of the rows, for the same colours as in the plot of win rates.
    for name in rows.iter().map(|r| r.row.text(&nominal.series)) {
        if series.iter().all(|s| s.name != name) {
            let tried = tried(nominal, &name, rows);
            let points = tried.iter().map(|t| Dot::new(t.threshold, percent(t.playouts, full))).collect();
            series.push(Series { name, style: Style::Line, color: series.len(), points });
        }
    }
    series.retain(|s| !s.points.is_empty());
    let every = nominal_playouts(nominal.each, None);
    let points = (1..=81).rev().map(f64::from);
    let points = points.map(|t| Dot::new(t, percent(nominal_playouts(nominal.each, Some(t)), every))).collect();
    series.push(Series { name: "nominal".to_string(), style: Style::Dashed, color: 7, points });
    Some(Plot {
        title: "Playouts saved in a game by the filtered player, and by the nominal count".to_string(),
        x: Axis { reverse: plot.reverse, ..Axis::new(&nominal.threshold) },
        y: Axis::new("%"),
        series,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nominal_playouts_are_those_of_the_papers_table() {
        for (threshold, playouts) in [
            (None, 332_000.0),
            (Some(81.0), 332_000.0),
            (Some(77.0), 316_300.0),
            (Some(73.0), 301_400.0),
            (Some(69.0), 287_300.0),
            (Some(64.0), 270_800.0),
            (Some(59.0), 255_500.0),
        ] {
            // The print drops what is below a hundred.
            assert_eq!((nominal_playouts(100, threshold) / 100.0).floor() * 100.0, playouts, "{threshold:?}");
        }
    }
}
