//! The Go Text Protocol, version 2: all text of the engine is read and written here.

mod analysis;
mod args;
mod commands;
mod debug;
mod gfx;
mod gnugo;
mod gobang;
mod gogui;
pub(crate) mod input;
pub(crate) mod reply;
pub mod rules;
mod settings;
mod time;
mod tsumego;

pub use commands::COMMANDS;

use crate::base::Color;
use crate::base::params::clip;
use crate::session::{Options, Progress, Session};
use analysis::Stream;
use commands::Handler;
use gfx::LiveGraphics;
use input::{Command, Signals};
use reply::Wire;
use std::cell::Cell;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What came of a command: its reply, or a stream that is still to be written.
enum Executed {
    Text(String),
    Stream(Stream),
}

/// A session over GTP.
pub struct Gtp {
    pub(crate) session: Session,
    version: String,
    signals: Signals,
    /// The input line being answered.
    line: u64,
    live_graphics: bool,
    quit: bool,
}

impl Gtp {
    /// `version` is what the `version` command answers, if not moku's own.
    pub fn new(options: Options, version: Option<String>) -> Result<Gtp, String> {
        let session = Session::new(options)?;
        let version = version.unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_string());
        Ok(Gtp { session, version, signals: Signals::default(), line: 0, live_graphics: false, quit: false })
    }

    /// Shows searches in GoGui while they run.
    pub fn with_live_graphics(self, live_graphics: bool) -> Gtp {
        Gtp { live_graphics, ..self }
    }

    /// Answers commands in order until `quit` or the end of the input. Lines go to `log` with their direction.
    pub fn run(
        &mut self,
        input: impl BufRead + Send + 'static,
        mut output: impl Write,
        mut log: Option<&mut dyn Write>,
    ) -> std::io::Result<()> {
        let lines = input::read_on_thread(input, self.signals.clone(), input::is_interrupt);
        let mut wire = Wire { output: &mut output, log: log.as_mut().map(|log| &mut **log as &mut dyn Write) };
        for line in lines {
            wire.heard(&line.bytes);
            self.line = line.number;
            let Some(command) = input::parse(&line.bytes) else { continue };
            if line.is_cut {
                wire.say(&reply::format(&command.id, Err(input::TOO_LONG.to_string())))?;
                continue;
            }
            self.answer(&command, &mut wire)?;
            if self.quit {
                break;
            }
        }
        Ok(())
    }

    /// Answers a command. A panic in a handler becomes an error reply.
    fn answer(&mut self, command: &Command, wire: &mut Wire) -> std::io::Result<()> {
        self.session.stop_pondering();
        let result = catch_unwind(AssertUnwindSafe(|| self.execute(&command.name, &command.args)))
            .unwrap_or_else(|_| Err("internal error; the game is as it was or can be set up anew".to_string()));
        match result {
            Ok(Executed::Stream(stream)) => {
                let has_ended = Cell::new(false);
                let run = AssertUnwindSafe(|| self.run_stream(&command.id, stream, wire, &has_ended));
                // Whatever happens in a stream, it ends with an empty line.
                catch_unwind(run).unwrap_or_else(|_| if has_ended.get() { Ok(()) } else { wire.say("\n") })
            }
            Ok(Executed::Text(text)) => wire.say(&reply::format(&command.id, Ok(text))),
            Err(text) => wire.say(&reply::format(&command.id, Err(text))),
        }
    }

    fn execute(&mut self, name: &str, args: &[String]) -> Result<Executed, String> {
        let kind = self.session.kind();
        match COMMANDS.iter().find(|c| c.name == name && c.is_for(kind)) {
            Some(command) => match command.run {
                Handler::Text(run) => run(self, args).map(Executed::Text),
                Handler::Stream(parse) => parse(self, args).map(Executed::Stream),
            },
            None if name.is_empty() => Err("syntax error: a command is expected after the id".to_string()),
            None => Err(match commands::nearest(kind, name) {
                Some(near) => format!("unknown command '{}'; did you mean {near}?", clip(name)),
                None => "unknown command".to_string(),
            }),
        }
    }

    /// For searches of a side: goes on until `# interrupt`, and paints if that is wanted.
    fn watch(&self, color: Color) -> impl FnMut(&dyn Progress) -> bool + use<> {
        let (signals, line) = (self.signals.clone(), self.line);
        let mut graphics = self.live_graphics.then(|| LiveGraphics::new(self.session.size(), color));
        move |progress| {
            if let Some(graphics) = &mut graphics {
                graphics.look(progress);
            }
            !signals.is_interrupted(line)
        }
    }
}
