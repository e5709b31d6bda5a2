//! An outside GTP engine as a child process: GNU Go, Pachi, another moku.
//!
//! One thread gathers replies from the engine's stdout, one drains its stderr into the log, so that a full pipe never
//! stops the engine and a silent engine never stops us. Commands and replies alternate; the reply to a command that
//! timed out may still come, and is then skipped before the next one.

use crate::base::lines::read_line;
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};
use log::debug;
use parking_lot::Mutex;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use thiserror::Error;

/// How long an engine has to leave after `quit`, before it is killed.
const QUIT_PATIENCE: Duration = Duration::from_secs(1);
/// How long to wait for the exit status of an engine that closed its output.
const DEATH_PATIENCE: Duration = Duration::from_millis(200);
const POLL: Duration = Duration::from_millis(5);
/// What is kept of a line, and of a reply: an engine that never stops talking fills no memory.
const LONGEST_LINE: usize = 1 << 20;
const LONGEST_REPLY: usize = 4 << 20;
/// Replies that nobody asked for wait here; then the engine has to.
const MOST_REPLIES: usize = 64;
/// A time-out that stands for none.
const FOREVER: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

#[derive(Debug, Error)]
pub enum OutsideError {
    #[error("cannot understand the command line `{line}`: {reason}")]
    CommandLine { line: String, reason: &'static str },

    #[error("cannot start {engine}: {source}")]
    Start { engine: String, source: std::io::Error },

    #[error("{command:?} is not one line with a GTP command, so it was not sent to {engine}")]
    NotACommand { engine: String, command: String },

    #[error("{engine} refused `{command}`: {reason}")]
    Refused { engine: String, command: String, reason: String },

    #[error("{engine} ended without an answer to `{command}` ({how})")]
    Died { engine: String, command: String, how: String },

    #[error("{engine} did not answer `{command}` within {seconds} s{last_words}")]
    TimedOut { engine: String, command: String, seconds: f64, last_words: String },
}

impl OutsideError {
    /// Does the engine still answer? One that refuses a command does.
    pub fn is_refusal(&self) -> bool {
        matches!(self, OutsideError::Refused { .. } | OutsideError::NotACommand { .. })
    }
}

pub struct Outside {
    name: String,
    child: Child,
    /// `None` after quit.
    input: Option<ChildStdin>,
    replies: Receiver<Reply>,
    /// Replies still to come to commands that timed out.
    late: usize,
    last_words: Arc<Mutex<String>>,
    /// The thread that listens for last words.
    listener: Option<JoinHandle<()>>,
}

/// The text of a reply: what follows `=` is `Ok`, what follows `?` is `Err`.
type Reply = Result<String, String>;

impl Outside {
    /// Starts an engine from a line such as `gnugo --mode gtp` or `"/my engines/x" -c 'a b'`; there is no shell, but
    /// blanks, quotes and backslashes mean what they mean to one (on Windows backslashes are part of paths). Nothing is
    /// sent yet.
    pub fn start(command_line: &str) -> Result<Outside, OutsideError> {
        let wrong = |reason| OutsideError::CommandLine { line: command_line.to_owned(), reason };
        let words = split_command_line(command_line, cfg!(windows)).map_err(wrong)?;
        let (program, arguments) = words.split_first().ok_or_else(|| wrong("expected the name of a program"))?;
        let name = Path::new(program).file_stem().map_or(program.clone(), |stem| stem.to_string_lossy().into_owned());
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|source| OutsideError::Start { engine: program.clone(), source })?;
        let (sender, replies) = bounded(MOST_REPLIES);
        let last_words = Arc::default();
        if let Some(output) = child.stdout.take() {
            let name = name.clone();
            thread::spawn(move || gather_replies(&name, output, &sender));
        }
        let listener = child.stderr.take().map(|errors| {
            let (name, last_words) = (name.clone(), Arc::clone(&last_words));
            thread::spawn(move || drain_errors(&name, errors, &last_words))
        });
        Ok(Outside { name, input: child.stdin.take(), child, replies, late: 0, last_words, listener })
    }

    /// The name of the program, without folder and ending.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sends a command and waits for the text of the reply, without `=`, id and surrounding blanks.
    pub fn send(&mut self, command: &str, timeout: Option<Duration>) -> Result<String, OutsideError> {
        let command = command.trim();
        if command.is_empty() || command.starts_with('#') || command.contains(char::is_control) {
            return Err(OutsideError::NotACommand { engine: self.name.clone(), command: command.to_owned() });
        }
        debug!("{} < {command}", self.name);
        if self.write_line(command).is_err() {
            return Err(self.died(command));
        }
        self.await_reply(command, timeout)
    }

    /// Asks the engine to leave and sees to it that it does.
    pub fn quit(self) {
        drop(self);
    }

    fn write_line(&mut self, line: &str) -> std::io::Result<()> {
        let input = self.input.as_mut().ok_or(std::io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())?;
        input.flush()
    }

    fn await_reply(&mut self, command: &str, timeout: Option<Duration>) -> Result<String, OutsideError> {
        let patience = timeout.unwrap_or(FOREVER).min(FOREVER);
        let deadline = Instant::now() + patience;
        loop {
            match self.replies.recv_deadline(deadline) {
                Ok(_) if self.late > 0 => self.late -= 1,
                Ok(Ok(text)) => return Ok(text),
                Ok(Err(reason)) => {
                    return Err(OutsideError::Refused {
                        engine: self.name.clone(),
                        command: command.to_owned(),
                        reason,
                    });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.died(command)),
                Err(RecvTimeoutError::Timeout) => {
                    self.late += 1;
                    let (engine, command) = (self.name.clone(), command.to_owned());
                    let last_words = match self.last_words.lock().as_str() {
                        "" => String::new(),
                        words => format!("; its last words: {words}"),
                    };
                    let seconds = patience.as_secs_f64();
                    return Err(OutsideError::TimedOut { engine, command, seconds, last_words });
                }
            }
        }
    }

    fn died(&mut self, command: &str) -> OutsideError {
        let status = self.wait(DEATH_PATIENCE).map_or("it closed its output".to_owned(), |status| status.to_string());
        poll(DEATH_PATIENCE, || self.listener.as_ref().is_none_or(JoinHandle::is_finished).then_some(()));
        let last_words = self.last_words.lock().clone();
        let how = if last_words.is_empty() { status } else { format!("{status}; its last words: {last_words}") };
        OutsideError::Died { engine: self.name.clone(), command: command.to_owned(), how }
    }

    /// The exit status, if there is one before patience ends.
    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        poll(patience, || self.child.try_wait().ok().flatten())
    }
}

/// Asks again and again until there is an answer or patience ends.
fn poll<T>(patience: Duration, mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + patience;
    loop {
        let answer = ask();
        if answer.is_some() || Instant::now() >= deadline {
            return answer;
        }
        thread::sleep(POLL);
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let asked = self.write_line("quit");
        self.input = None;
        if self.wait(QUIT_PATIENCE).is_none() {
            debug!("{} did not leave ({asked:?}) and is killed", self.name);
            let killed = self.child.kill().and_then(|()| self.child.wait());
            debug!("{} killed: {killed:?}", self.name);
        }
    }
}

/// Lines as they come, decoded as well as may be, without line ends; reading errors end them like the end of the file.
fn lines(source: impl Read) -> impl Iterator<Item = String> {
    let mut source = BufReader::new(source);
    let next = move || read_line(&mut source, LONGEST_LINE).ok().flatten();
    std::iter::from_fn(next).map(|line| String::from_utf8_lossy(&line.bytes).trim_end().to_owned())
}

/// A reply starts with `=` or `?` and ends with an empty line; lines between replies are not GTP and only logged.
fn gather_replies(name: &str, output: impl Read, replies: &Sender<Reply>) {
    let mut reply = String::new();
    for line in lines(output) {
        debug!("{name} > {line}");
        if line.is_empty() {
            if !reply.is_empty() && replies.send(parse_reply(&std::mem::take(&mut reply))).is_err() {
                return;
            }
            continue;
        }
        let has_room = reply.len() + line.len() < LONGEST_REPLY;
        if has_room && (!reply.is_empty() || line.starts_with(['=', '?'])) {
            let gap = if reply.is_empty() { "" } else { "\n" };
            reply += &format!("{gap}{line}");
        }
    }
}

fn parse_reply(text: &str) -> Reply {
    let is_refusal = text.starts_with('?');
    let text = text.trim_start_matches(['=', '?']).trim_start_matches(|c: char| c.is_ascii_digit());
    let text = text.trim().to_owned();
    if is_refusal { Err(text) } else { Ok(text) }
}

fn drain_errors(name: &str, errors: impl Read, last_words: &Mutex<String>) {
    for line in lines(errors).filter(|line| !line.is_empty()) {
        debug!("{name} ! {line}");
        *last_words.lock() = line;
    }
}

/// Splits like a shell: blanks separate; '...' is literal; "..." knows \" and \\; outside quotes a backslash makes the
/// next character literal. Where backslashes are part of paths they mean nothing else, but for \" in "...".
fn split_command_line(line: &str, backslash_is_path: bool) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, blank) if blank.is_whitespace() => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (Some(open), close) if open == close => quote = None,
            (None, '\\') if !backslash_is_path => {
                let escaped = letters.next().ok_or("expected a character after the last backslash")?;
                word.get_or_insert_default().push(escaped);
            }
            (Some('"'), '\\') => {
                let known = if backslash_is_path { "\"" } else { "\"\\" };
                let escaped = letters.next_if(|c| known.contains(*c)).unwrap_or('\\');
                word.get_or_insert_default().push(escaped);
            }
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if quote.is_some() { Err("expected another quotation mark") } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        split_command_line(line, false).unwrap()
    }

    #[test]
    fn windows_paths_keep_their_backslashes() {
        let words = |line: &str| split_command_line(line, true).unwrap();
        assert_eq!(words(r"C:\go\gnugo.exe --mode gtp"), [r"C:\go\gnugo.exe", "--mode", "gtp"]);
        assert_eq!(words(r#""C:\my go\x.exe" \\host\share\y"#), [r"C:\my go\x.exe", r"\\host\share\y"]);
        assert_eq!(words(r#"x "a \"b\" c" '\'"#), ["x", r#"a "b" c"#, r"\"]);
    }

    #[test]
    fn command_lines_split_at_blanks_outside_quotes() {
        assert_eq!(words("gnugo --mode gtp"), ["gnugo", "--mode", "gtp"]);
        assert_eq!(words("  a\t b  "), ["a", "b"]);
        assert_eq!(words(r#""/my engines/x" -c 'a "b" \n' d" e"'f'"#), ["/my engines/x", "-c", r#"a "b" \n"#, "d ef"]);
        assert_eq!(words(r#"a\ b "c\"d\\e\f" '' """#), ["a b", r#"c"d\e\f"#, "", ""]);
        assert_eq!(words(""), Vec::<String>::new());
    }

    #[test]
    fn command_lines_that_cannot_be_meant_are_errors() {
        for (line, reason) in [
            ("", "expected the name of a program"),
            ("a 'b", "expected another quotation mark"),
            ("a \"b", "expected another quotation mark"),
            ("a\\", "expected a character after the last backslash"),
        ] {
            let error = Outside::start(line).err().map(|e| e.to_string());
            assert_eq!(error, Some(format!("cannot understand the command line `{line}`: {reason}")));
        }
    }

    #[test]
    fn replies_are_found_among_stray_lines_with_ids_and_carriage_returns() {
        let output = "hello\r\n\r\n= \r\nA\r\n B\r\n\r\n\r\n=12 D4\n\n?3 no\n\nstray\n?\n\n= caf\u{e9}\n\n= cut off";
        let (sender, receiver) = bounded(100);
        gather_replies("test", output.as_bytes(), &sender);
        drop(sender);
        let replies: Vec<Reply> = receiver.iter().collect();
        let ok = |text: &str| Ok(text.to_owned());
        let no = |text: &str| Err(text.to_owned());
        assert_eq!(replies, [ok("A\n B"), ok("D4"), no("no"), no(""), ok("café")]);
    }

    #[test]
    fn a_program_that_does_not_exist_is_named() {
        let error = Outside::start("/no/such/engine --gtp").err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.starts_with("cannot start /no/such/engine: "), "{error}");
    }

    #[cfg(unix)]
    mod with_a_shell {
        use super::*;

        /// A small engine in the one language that every Unix has.
        const FAKE: &str = r#"sh -c '
            echo "a banner"
            while read -r line; do case "$line" in
                name) printf "= Fake\r\n\r\n";;
                list) printf "= \na\nb\n\n";;
                "7 id") printf "=7 yes\n\n";;
                noise) i=0
                    while [ $i -lt 3000 ]; do echo "a line of noise for a pipe of 64 kB" >&2; i=$((i+1)); done
                    printf "=\n\n";;
                slow) sleep 0.3; printf "= late\n\n";;
                hang) exec sleep 60;;
                die) echo "out of memory" >&2; exit 3;;
                quit) printf "=\n\n"; exit 0;;
                *) printf "? unknown command\n\n";;
            esac; done'"#;

        const SOON: Option<Duration> = Some(Duration::from_secs(20));

        fn fake() -> Outside {
            Outside::start(FAKE).unwrap()
        }

        #[test]
        fn replies_come_back_as_text() {
            let mut engine = fake();
            assert_eq!(engine.name(), "sh");
            assert_eq!(engine.send("name", SOON).unwrap(), "Fake");
            assert_eq!(engine.send(" list ", None).unwrap(), "a\nb");
            assert_eq!(engine.send("7 id", SOON).unwrap(), "yes");
            engine.quit();
        }

        #[test]
        fn refusals_are_errors_and_the_engine_goes_on() {
            let mut engine = fake();
            let error = engine.send("foo", SOON).unwrap_err();
            assert!(matches!(error, OutsideError::Refused { .. }));
            assert_eq!(error.to_string(), "sh refused `foo`: unknown command");
            assert_eq!(engine.send("name", SOON).unwrap(), "Fake");
        }

        #[test]
        fn what_is_not_a_command_is_not_sent() {
            let mut engine = fake();
            for command in ["", "  ", "# comment", "name\nname", "a\tb"] {
                assert!(matches!(engine.send(command, SOON), Err(OutsideError::NotACommand { .. })), "{command:?}");
            }
            assert_eq!(engine.send("name", SOON).unwrap(), "Fake");
        }

        #[test]
        fn death_is_told_with_status_and_last_words() {
            let mut engine = fake();
            let error = engine.send("die", None).unwrap_err();
            let expected = "sh ended without an answer to `die` (exit status: 3; its last words: out of memory)";
            assert_eq!(error.to_string(), expected);
            assert!(matches!(engine.send("name", None), Err(OutsideError::Died { .. })), "it stays dead");
        }

        #[test]
        fn a_late_reply_is_not_taken_for_the_next() {
            let mut engine = fake();
            let error = engine.send("slow", Some(Duration::from_millis(30))).unwrap_err();
            assert_eq!(error.to_string(), "sh did not answer `slow` within 0.03 s");
            assert_eq!(engine.send("name", SOON).unwrap(), "Fake");
        }

        #[test]
        fn an_engine_that_hangs_times_out_and_is_killed() {
            let mut engine = fake();
            let error = engine.send("hang", Some(Duration::from_millis(100))).unwrap_err();
            assert!(matches!(error, OutsideError::TimedOut { .. }));
            let before = Instant::now();
            engine.quit();
            assert!(before.elapsed() < Duration::from_secs(10));
        }

        #[test]
        fn an_engine_that_obeys_quit_leaves_at_once() {
            let mut engine = fake();
            engine.send("name", SOON).unwrap();
            let before = Instant::now();
            engine.quit();
            assert!(before.elapsed() < QUIT_PATIENCE);
        }

        #[test]
        fn much_noise_on_stderr_does_not_stop_the_engine() {
            assert_eq!(fake().send("noise", SOON).unwrap(), "");
        }
    }
}
