//! `moku bench`: how fast moku is, or what it does.

use moku::jobs::console::{print, spinner};
use moku::lab::bench::Bench;

pub fn behaviour() -> Result<(), String> {
    let bar = spinner();
    let text = moku::lab::behaviour::describe(|what| bar.set_message(what.to_string()))?;
    bar.finish_and_clear();
    print(text.trim_end())
}

pub fn speed(json: bool) -> Result<(), String> {
    let bar = spinner();
    let bench = Bench::run(|what| bar.set_message(what.to_string()))?;
    bar.finish_and_clear();
    match json {
        true => print(&serde_json::to_string(&bench).map_err(|e| e.to_string())?),
        false => print(&bench.to_string()),
    }
}
