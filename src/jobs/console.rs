//! What commands share: printing, files, progress bars and Ctrl-C.

use super::Error;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// Prints, and takes a closed pipe for the reader's wish to hear no more.
pub fn print(text: &str) -> Result<(), String> {
    match writeln!(std::io::stdout(), "{}", text.trim_end()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("cannot write: {e}")),
        _ => Ok(()),
    }
}

pub fn write(path: &Path, text: &str) -> Result<(), String> {
    Ok(std::fs::write(path, text).map_err(Error::write(path))?)
}

pub fn make_folder(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(Error::write(folder))
}

/// Refuses options that were given and mean nothing.
pub fn refuse(options: &[(&str, bool)], why: &str) -> Result<(), String> {
    match options.iter().find(|(_, given)| *given) {
        Some((name, _)) => Err(format!("{name} {why}")),
        None => Ok(()),
    }
}

/// Jobs at the same time when nobody says: one for each core.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

/// A flag that Ctrl-C sets: once, to finish what is in hand and report. Twice ends at once.
pub fn stop_on_ctrl_c() -> Result<Arc<AtomicBool>, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    let handler = move || {
        if asked.swap(true, SeqCst) {
            std::process::exit(130);
        }
        eprintln!("moku: finishing what is in hand; Ctrl-C again leaves it");
    };
    ctrlc::set_handler(handler).map_err(|e| format!("cannot listen for Ctrl-C: {e}"))?;
    Ok(stop)
}

/// A bar on standard error if that is a terminal: `what` are done, with a message and the time left.
pub fn bar(total: usize, what: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template(&format!("{{prefix}}{{bar:30}} {{pos}}/{{len}} {what}{{msg}}, {{eta}} left"));
    ProgressBar::new(total as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A line that says what goes on, where nothing can be counted.
pub fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
