//! What commands share: printing, files, progress bars and Ctrl-C.

use super::Error;
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write;
use std::ops::{Bound, RangeBounds};
use std::path::Path;
use std::str::FromStr;
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
    may_be_folder(folder)?;
    std::fs::create_dir_all(folder).map_err(Error::write(folder))
}

/// Is this a folder, or nothing yet?
pub fn may_be_folder(folder: &Path) -> Result<(), Error> {
    match folder.exists() && !folder.is_dir() {
        true => Err(Error::write(folder)(std::io::Error::other("it is not a folder"))),
        false => Ok(()),
    }
}

/// Can a file be written here? Asked before hours of work, not after them.
pub fn may_write(path: &Path) -> Result<(), Error> {
    let tried = match std::fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(std::io::Error::other("it is a folder")),
        Ok(there) if there.is_file() => OpenOptions::new().append(true).open(path).map(drop),
        // A device or a pipe: opening it may wait for somebody.
        Ok(_) => Ok(()),
        Err(_) => {
            let made = OpenOptions::new().write(true).create_new(true).open(path);
            made.and_then(|_| std::fs::remove_file(path))
        }
    };
    tried.map_err(Error::write(path))
}

/// Refuses options that were given and mean nothing.
pub fn refuse(options: &[(&str, bool)], why: &str) -> Result<(), String> {
    match options.iter().find(|(_, given)| *given) {
        Some((name, _)) => Err(format!("{name} {why}")),
        None => Ok(()),
    }
}

/// A whole number of an option, within bounds.
pub fn whole<T>(
    bounds: impl RangeBounds<T> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display,
{
    move |text| {
        let number = text.parse().ok().filter(|number| bounds.contains(number));
        number.ok_or_else(|| match (bounds.start_bound(), bounds.end_bound()) {
            (Bound::Included(least), Bound::Included(most)) => {
                format!("a whole number from {least} to {most} is expected")
            }
            (Bound::Included(least), _) => format!("a whole number, at least {least}, is expected"),
            _ => "a whole number is expected".to_string(),
        })
    }
}

/// Hours of an option.
pub fn hours(text: &str) -> Result<f64, String> {
    let expected = || "a positive number of hours is expected".to_string();
    text.parse().ok().filter(|&x: &f64| x > 0.0 && x < 1e6).ok_or_else(expected)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_told_what_is_expected() {
        let (few, many) = (whole::<u8>(2..=25), whole::<u64>(1..));
        assert_eq!((few("2"), few("25"), many("18446744073709551615")), (Ok(2), Ok(25), Ok(u64::MAX)));
        for text in ["1", "26", "300", "-1", "x", "", "2.5", "9 "] {
            assert_eq!(few(text), Err("a whole number from 2 to 25 is expected".to_string()), "{text}");
        }
        assert_eq!(many("0"), Err("a whole number, at least 1, is expected".to_string()));
        assert!(hours("0.5").is_ok() && ["0", "-1", "nan", "inf", "x"].iter().all(|text| hours(text).is_err()));
    }

    #[test]
    fn what_cannot_be_written_is_known_before_the_work() {
        let folder = std::env::temp_dir().join(format!("moku-may-write-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let reason = |path: &Path| may_write(path).unwrap_err().to_string();
        assert!(reason(&folder).contains("it is a folder"));
        assert!(reason(&folder.join("none/a")).starts_with("cannot write "));
        let file = folder.join("a");
        assert!(may_write(&file).is_ok() && !file.exists(), "nothing is left behind");
        std::fs::write(&file, "kept").unwrap();
        assert!(may_write(&file).is_ok() && std::fs::read(&file).unwrap() == b"kept");
        assert!(make_folder(&file).unwrap_err().to_string().contains("it is not a folder"));
        assert!(may_be_folder(&folder).is_ok() && may_be_folder(&folder.join("new")).is_ok());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
