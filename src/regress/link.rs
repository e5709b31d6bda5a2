//! An engine in this process, spoken to over GTP as if it were another: two pipes and a thread.

use crate::gtp::Gtp;
use crate::session::Options;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub struct Link {
    /// None once the engine has been told to quit.
    to: Option<PipeWriter>,
    from: BufReader<PipeReader>,
    /// What file names are relative to.
    folder: PathBuf,
}

/// A reply to a command.
pub struct Answer {
    pub is_error: bool,
    /// Without status, id and blanks around it.
    pub text: String,
    /// From the first blank on, which is what patterns are held against.
    body: String,
}

impl Answer {
    fn new(full: &str) -> Answer {
        let rest = full.get(1..).unwrap_or("").trim_start_matches(|c: char| c.is_ascii_digit());
        let body = full.find(' ').map_or("", |blank| &full[blank..]);
        Answer { is_error: full.starts_with('?'), text: rest.trim().to_string(), body: body.trim().to_string() }
    }

    pub fn body(&self) -> &str {
        &self.body
    }
}

/// How long a live analysis is listened to, which would otherwise go on until the next line.
const ANALYSIS: Duration = Duration::from_secs(1);

const DIED: &str = "the engine has quit, but there are more commands";

impl Link {
    pub fn start(options: Options, folder: PathBuf) -> Result<Link, String> {
        let failed = |e: std::io::Error| format!("cannot make a pipe to the engine: {e}");
        let mut gtp = Gtp::new(options, None)?;
        let (input, to) = pipe().map_err(failed)?;
        let (from, output) = pipe().map_err(failed)?;
        std::thread::spawn(move || {
            if let Err(e) = gtp.run(BufReader::new(input), output, None) {
                log::error!("the engine's pipe broke: {e}");
            }
        });
        Ok(Link { to: Some(to), from: BufReader::new(from), folder })
    }

    /// Sends a command and waits for the reply.
    pub fn send(&mut self, line: &str) -> Result<Answer, String> {
        let to = self.to.as_mut().ok_or(DIED)?;
        if !line.chars().take_while(|&c| c != '#').any(|c| !c.is_control() && !c.is_whitespace()) {
            return Ok(Answer::new("? no command")); // GTP has no reply to such a line
        }
        writeln!(to, "{}", in_folder(line, &self.folder)).map_err(|_| DIED)?;
        let mut full = String::new();
        loop {
            let mut bytes = Vec::new();
            let read = self.from.read_until(b'\n', &mut bytes).map_err(|e| format!("the engine's pipe broke: {e}"))?;
            let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_string();
            match () {
                _ if read == 0 => {
                    self.to = None;
                    return Err(DIED.to_string());
                }
                _ if line.is_empty() && full.is_empty() => {}
                _ if line.is_empty() => return Ok(Answer::new(&full)),
                _ if full.is_empty() && is_start_of_stream(&line) => {
                    std::thread::sleep(ANALYSIS);
                    writeln!(to).map_err(|_| DIED)?;
                    full = line;
                }
                _ => full = if full.is_empty() { line } else { format!("{full}\n{line}") },
            }
        }
    }

    pub fn quit(&mut self) {
        let _ = self.send("quit");
        self.to = None;
    }
}

/// A reply has a blank after its sign and id, a stream of lines has none.
fn is_start_of_stream(line: &str) -> bool {
    line.strip_prefix('=').is_some_and(|id| id.bytes().all(|b| b.is_ascii_digit()))
}

/// The command with the file name of `loadsgf` or `printsgf` put into the folder. The engine shares this process's working
/// directory, which is not the folder of the tests.
fn in_folder(line: &str, folder: &Path) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let has_id = words.first().is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()));
    let at = usize::from(has_id);
    match (words.get(at), words.get(at + 1)) {
        (Some(&("loadsgf" | "printsgf")), Some(name)) if !folder.as_os_str().is_empty() => {
            let name = folder.join(name).display().to_string();
            let rest = words[at + 2..].iter().copied();
            words[..=at].iter().copied().chain([name.as_str()]).chain(rest).collect::<Vec<_>>().join(" ")
        }
        _ => line.to_string(),
    }
}
