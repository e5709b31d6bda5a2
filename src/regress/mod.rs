//! Regression tests over GTP, by the rules of gogui-regress: its files, verdicts, words and exit codes, but with the engine
//! in this process.
//!
//! A numbered command is a test. `#? [PATTERN]` after it says what the whole reply must match, `[!PATTERN]` what it must not,
//! `]*` that failure is expected. Without a pattern a test passes unless the reply is an error. Each file has an engine of
//! its own; file names in `loadsgf` are relative to the folder of the `.tst` file.

pub mod cli;
mod link;
mod pattern;
mod suite;
#[cfg(test)]
mod tests;

use crate::base::file;
use crate::session::Options;
use link::{Answer, Link};
use pattern::Pattern;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub use suite::expand;

pub struct Regress {
    pub options: Options,
    /// Long lines, one for every test, and a summary of each file.
    pub long: bool,
    /// Commands to send before each file.
    pub gtp_file: Option<PathBuf>,
}

/// How the tests of a file went, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    pub tests: usize,
    pub unexpected_fails: usize,
    pub expected_fails: usize,
    pub unexpected_passes: usize,
    pub expected_passes: usize,
    /// Errors of commands that are no tests.
    pub other_errors: usize,
    pub seconds: f64,
    pub cpu_seconds: f64,
    /// Did a pattern fail unexpectedly? An error without a pattern is a failure that leaves the exit code alone.
    pub failed: bool,
}

impl Summary {
    pub fn passes(&self) -> usize {
        self.expected_passes + self.unexpected_passes
    }

    pub fn add(&mut self, other: &Summary) {
        self.tests += other.tests;
        self.unexpected_fails += other.unexpected_fails;
        self.expected_fails += other.expected_fails;
        self.unexpected_passes += other.unexpected_passes;
        self.expected_passes += other.expected_passes;
        self.other_errors += other.other_errors;
        self.seconds += other.seconds;
        self.cpu_seconds += other.cpu_seconds;
        self.failed |= other.failed;
    }

    fn count(&mut self, fail: bool, expected_fail: bool) {
        self.tests += 1;
        *match (fail, expected_fail) {
            (true, false) => &mut self.unexpected_fails,
            (true, true) => &mut self.expected_fails,
            (false, false) => &mut self.expected_passes,
            (false, true) => &mut self.unexpected_passes,
        } += 1;
    }

    /// The text of gogui-regress's summary.dat.
    pub fn data(&self) -> String {
        format!(
            "#Tests\tFAIL\tfail\tPASS\tpass\tError\tTime\tCpuTime\n{}\t{}\t{}\t{}\t{}\t{}\t{:.1}\t{:.1}\t\n",
            self.tests,
            self.unexpected_fails,
            self.expected_fails,
            self.unexpected_passes,
            self.expected_passes,
            self.other_errors,
            self.seconds,
            self.cpu_seconds
        )
    }
}

impl Regress {
    /// Runs files in order, handing every line of the result to `say`. An error ends everything, as a dead engine does.
    pub fn run(&self, files: &[PathBuf], say: &mut dyn FnMut(&str)) -> Result<Summary, String> {
        let mut total = Summary::default();
        for file in files {
            match std::fs::metadata(file) {
                Ok(there) if there.is_file() => {}
                Ok(there) if there.is_dir() => return Err(format!("{} is a folder", file.display())),
                Ok(_) => return Err(format!("{} is not a regular file", file.display())),
                Err(_) => return Err(format!("file not found: {}", file.display())),
            }
        }
        for file in files {
            let prefix = if files.len() > 1 { format!("{} ", file.display()) } else { String::new() };
            total.add(&self.run_file(file, prefix, say)?);
        }
        Ok(total)
    }

    fn run_file(&self, file: &Path, prefix: String, say: &mut dyn FnMut(&str)) -> Result<Summary, String> {
        self.run_text(file, &read(file)?, prefix, say)
    }

    /// Runs what a file of this name holds.
    pub fn run_text(
        &self,
        file: &Path,
        text: &str,
        prefix: String,
        say: &mut dyn FnMut(&str),
    ) -> Result<Summary, String> {
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let link = Link::start(self.options.clone(), folder)?;
        let mut test = Test { file, prefix, long: self.long, link, last: None, summary: Summary::default(), say };
        if let Some(path) = &self.gtp_file {
            test.send_file(path)?;
        }
        let cpu = test.cpu_seconds();
        let began = Instant::now();
        for line in text.lines() {
            test.line(line.trim())?;
        }
        test.judge_without_pattern();
        let mut summary = test.summary;
        summary.seconds = began.elapsed().as_secs_f64();
        summary.cpu_seconds = (test.cpu_seconds() - cpu).max(0.0);
        test.link.quit();
        if self.long {
            say(&format!(
                "Summary: {}/{} passes. {} unexpected passes, {} unexpected failures",
                summary.passes(),
                summary.tests,
                summary.unexpected_passes,
                summary.unexpected_fails
            ));
        }
        Ok(summary)
    }
}

/// Larger files are no tests.
const MOST_BYTES: u64 = 32 << 20;

fn read(path: &Path) -> Result<String, String> {
    let bytes = file::read(path, MOST_BYTES).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A file being run.
struct Test<'a> {
    file: &'a Path,
    /// Before every line, if there are several files.
    prefix: String,
    long: bool,
    link: Link,
    /// The command that was sent last, until it is judged.
    last: Option<Sent>,
    summary: Summary,
    say: &'a mut dyn FnMut(&str),
}

struct Sent {
    /// -1 if the command has none.
    id: i32,
    answer: Answer,
}

impl Test<'_> {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some(pattern) = line.strip_prefix("#?") {
            let sent = self.last.take().ok_or_else(|| {
                format!("{}: a pattern without a test command before it: {line}", self.file.display())
            })?;
            return self.judge(sent, pattern.trim());
        }
        self.judge_without_pattern();
        if !line.is_empty() && !line.starts_with('#') {
            let line = line.replace('\t', " ");
            let answer = self.link.send(&line)?;
            self.last = Some(Sent { id: test_number(&line), answer });
        }
        Ok(())
    }

    fn say(&mut self, id: i32, text: &str) {
        let line = format!("{}{id} {text}", self.prefix);
        (self.say)(&line);
    }

    /// A test without a pattern fails if its reply is an error; any other command is no test.
    fn judge_without_pattern(&mut self) {
        let Some(Sent { id, answer }) = self.last.take() else { return };
        if id < 0 {
            self.summary.other_errors += usize::from(answer.is_error);
            return;
        }
        if answer.is_error {
            let reason = if answer.text.is_empty() { String::new() } else { format!(": '{}'", answer.text) };
            self.say(id, &format!("unexpected FAIL{reason}"));
        }
        self.summary.count(answer.is_error, false);
    }

    fn judge(&mut self, sent: Sent, pattern: &str) -> Result<(), String> {
        if pattern.is_empty() {
            self.last = Some(sent);
            self.judge_without_pattern();
            return Ok(());
        }
        let named = |e: String| format!("{}: {e}", self.file.display());
        let pattern = Pattern::parse(pattern).map_err(named)?;
        let got = sent.answer.body();
        let fail = sent.answer.is_error || !pattern.accepts(got).map_err(named)?;
        let expected = pattern.expected_fail;
        self.summary.count(fail, expected);
        self.summary.failed |= fail && !expected;
        let detail = format!("Correct '{}', got '{got}'", pattern.text);
        match (self.long, fail, expected) {
            (true, true, false) => self.say(sent.id, &format!("FAILED: {detail}")),
            (true, true, true) => self.say(sent.id, &format!("failed: {detail}")),
            (true, false, true) => self.say(sent.id, "PASSED"),
            (true, false, false) => self.say(sent.id, "passed"),
            (false, true, false) => self.say(sent.id, &format!("unexpected FAIL: {detail}")),
            (false, false, true) => self.say(sent.id, "unexpected PASS!"),
            (false, ..) => {}
        }
        Ok(())
    }

    fn send_file(&mut self, path: &Path) -> Result<(), String> {
        for line in read(path)?.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let answer = self.link.send(line)?;
            if answer.is_error {
                return Err(format!("GTP command '{line}' from file {} failed: {}", path.display(), answer.text));
            }
        }
        Ok(())
    }

    /// 0 if the engine does not say.
    fn cpu_seconds(&mut self) -> f64 {
        let answer = self.link.send("cputime").ok().filter(|answer| !answer.is_error);
        answer.and_then(|answer| answer.text.parse().ok()).unwrap_or(0.0)
    }
}

/// The number before the first blank, -1 if there is none. Below 0 it makes no test.
fn test_number(line: &str) -> i32 {
    line.split_once(' ').and_then(|(word, _)| word.parse().ok()).unwrap_or(-1)
}
