//! `moku engines`: the presets with their parameters.

use super::width;
use moku::base::GameKind;
use moku::jobs::console::print;
use moku::search::engine::{Engine, PRESETS};

pub fn list(json: bool) -> Result<(), String> {
    let mut rows = Vec::new();
    let mut text = String::new();
    for preset in PRESETS {
        let games: Vec<GameKind> = preset.games().collect();
        let engine = Engine::parse_for(games.first().copied().unwrap_or(GameKind::Go), preset.name)?;
        let games = games.into_iter().map(GameKind::name).collect::<Vec<_>>().join(", ");
        let aliases = match preset.aliases {
            [] => String::new(),
            names => format!(" (also {})", names.join(", ")),
        };
        let about = wrapped(&format!("  {} [{}]", preset.doc, preset.paper), 2);
        let title = wrapped(&format!("{}{aliases}: {games}", preset.name), 4);
        text += &format!("{title}\n{about}\n{}\n", wrapped(&format!("  {engine}"), 4));
        let mut params = Vec::new();
        for (param, value) in engine.rows() {
            let row = format!("    {:<11} {:<9} {} ({})", param.name, value.to_string(), param.doc, param.range());
            text += &format!("{}\n", wrapped(&row, 26));
            params.push(serde_json::json!({
                "name": param.name, "value": value.to_string(), "range": param.range(), "doc": param.doc
            }));
        }
        text += "\n";
        rows.push(serde_json::json!({
            "name": preset.name, "aliases": preset.aliases, "games": games, "doc": preset.doc, "paper": preset.paper,
            "line": engine.to_string(), "parameters": params
        }));
    }
    if json { print(&serde_json::Value::Array(rows).to_string()) } else { print(text.trim_end()) }
}

/// Text in lines of at most so many letters as the terminal has, those after the first set in by so many blanks.
fn wrapped(text: &str, indent: usize) -> String {
    let most = width();
    let mut lines = String::new();
    let mut width = 0;
    let own = text.len() - text.trim_start().len();
    for (i, word) in text.trim_start().split(' ').enumerate() {
        let letters = word.chars().count();
        match (i, width + 1 + letters > most) {
            (0, _) => {
                lines += &" ".repeat(own);
                width = own;
            }
            (_, true) => {
                lines += &format!("\n{}", " ".repeat(indent));
                width = indent;
            }
            (_, false) => {
                lines.push(' ');
                width += 1;
            }
        }
        lines += word;
        width += letters;
    }
    lines
}
