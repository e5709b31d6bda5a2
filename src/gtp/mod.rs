//! The Go Text Protocol, version 2: all text of the engine is read and written here.

mod commands;
mod input;
mod reply;
mod rules;
#[cfg(test)]
mod tests;

pub use commands::COMMANDS;

use crate::base::params::clip;
use crate::session::{Options, Session};
use input::{Command, Signals};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A session over GTP.
pub struct Gtp {
    pub(crate) session: Session,
    version: String,
    signals: Signals,
    /// The input line being answered.
    line: u64,
    quit: bool,
}

impl Gtp {
    /// `version` is what the `version` command answers, if not moku's own.
    pub fn new(options: Options, version: Option<String>) -> Result<Gtp, String> {
        let session = Session::new(options)?;
        let version = version.unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_string());
        Ok(Gtp { session, version, signals: Signals::default(), line: 0, quit: false })
    }

    /// Answers commands in order until `quit` or the end of the input. Lines go to `log` with their direction.
    pub fn run(
        &mut self,
        input: impl BufRead + Send + 'static,
        mut output: impl Write,
        mut log: Option<&mut dyn Write>,
    ) -> std::io::Result<()> {
        let lines = input::read_on_thread(input, self.signals.clone());
        for line in lines {
            if let Some(log) = &mut log {
                writeln!(log, "> {}", String::from_utf8_lossy(&line.bytes).trim_end())?;
                log.flush()?;
            }
            self.line = line.number;
            let Some(command) = input::parse(&line.bytes) else { continue };
            let answer = self.answer(&command);
            output.write_all(answer.as_bytes())?;
            output.flush()?;
            if let Some(log) = &mut log {
                for line in answer.trim_end().lines() {
                    writeln!(log, "< {line}")?;
                }
                log.flush()?;
            }
            if self.quit {
                break;
            }
        }
        Ok(())
    }

    /// The whole reply to a command. A panic in a handler becomes an error reply.
    fn answer(&mut self, command: &Command) -> String {
        let result = catch_unwind(AssertUnwindSafe(|| self.execute(&command.name, &command.args)))
            .unwrap_or_else(|_| Err("internal error; the game is as it was or can be set up anew".to_string()));
        reply::format(&command.id, result)
    }

    pub(crate) fn execute(&mut self, name: &str, args: &[String]) -> Result<String, String> {
        match COMMANDS.iter().find(|c| c.name == name) {
            Some(command) => (command.run)(self, args),
            None if name.is_empty() => Err("syntax error: a command is expected after the id".to_string()),
            None => Err(match commands::nearest(name) {
                Some(near) => format!("unknown command '{}'; did you mean {near}?", clip(name)),
                None => "unknown command".to_string(),
            }),
        }
    }

    /// For searches: goes on until `# interrupt`.
    fn watch(&self) -> impl FnMut(&dyn Fn() -> crate::search::Report) -> bool + use<> {
        let (signals, line) = (self.signals.clone(), self.line);
        move |_| !signals.is_interrupted(line)
    }
}
