//! `moku play`: a page in the browser, served by the program itself.
//!
//! A client of [`crate::session`] like GTP is. Pages send commands over a web socket; threads of their own do them
//! (`desk` for the game on the board, `compare`, `review`, `solve`) and tell all pages what is new (`hub`). Boards are drawn by [`crate::picture`].
//! Nothing is read from or written to the disk: what pages get is in the program (`files`), what they send comes from
//! the person. `guard` keeps others out, `http`, `server` and `socket` keep limits.

mod compare;
mod desk;
mod files;
mod given;
mod guard;
mod http;
mod hub;
mod job;
mod review;
mod server;
mod socket;
mod solve;
#[cfg(test)]
mod tests;

use crate::search::engine::names_file;
use crate::session::Options;
use guard::Guard;
use hub::{Hub, Mailbox};
use job::{Asker, Clerk, Outbox, Post};
use serde::Deserialize;
use serde_json::json;
use server::Server;
use std::net::{IpAddr, SocketAddr, TcpListener, UdpSocket};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// How pages are served.
pub struct Serving {
    /// None: the own machine only, and no token.
    pub listen: Option<IpAddr>,
    /// None: the usual one, or if it is taken any that is free.
    pub port: Option<u16>,
    /// How games start.
    pub session: Options,
}

/// Browsers keep what they keep (problems solved, the last form) by port, so that it should be the same the next time. M O K U on a
/// telephone.
const USUAL_PORT: u16 = 6658;

/// A message of a page: a number, by which it knows the answer, and a command for one of the threads.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    id: u64,
    game: Option<desk::Command>,
    compare: Option<compare::Command>,
    review: Option<review::Command>,
    solve: Option<solve::Command>,
}

impl Message {
    /// Every engine line, or word of one, that it has in it.
    fn engine_lines(&self) -> Vec<String> {
        let game = match &self.game {
            Some(desk::Command::Engine { line }) => Some(line.clone()),
            Some(desk::Command::Parameter { key, value }) => Some(format!("{key}={value}")),
            Some(desk::Command::New(wish)) => wish.engine.clone(),
            _ => None,
        };
        let compared = match &self.compare {
            Some(compare::Command::Start { engines, .. }) => engines.to_vec(),
            _ => Vec::new(),
        };
        let reviewer = match &self.review {
            Some(review::Command::Start { engine, .. }) => engine.clone(),
            _ => None,
        };
        game.into_iter().chain(compared).chain(reviewer).collect()
    }
}

/// The ways to the threads that do things.
struct Threads {
    desk: Outbox<desk::Command>,
    compare: Outbox<compare::Command>,
    review: Outbox<review::Command>,
    solve: Outbox<solve::Command>,
}

impl Threads {
    fn start(options: &Options, hub: &Arc<Hub>) -> Result<Threads, String> {
        let shelf = solve::shelf()?;
        let (maker, make) = solve::maker(shelf.clone(), hub.clone());
        spawn("maker", make)?;
        Ok(Threads {
            desk: hire("board", options, hub, desk::Desk::new)?,
            compare: hire("compare", options, hub, |post| Ok(compare::Desk::new(post)))?,
            review: hire("review", options, hub, |post| Ok(review::Desk::new(post)))?,
            solve: hire("prover", options, hub, |post| Ok(solve::Desk::new(shelf, maker, post)))?,
        })
    }

    /// Hands on what a page says.
    fn hear(&self, mailbox: &Arc<Mailbox>, text: &str) {
        if !mailbox.open() {
            return;
        }
        let message: Message = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(e) => return mailbox.reply(&json!({ "error": format!("not understood: {e}") })),
        };
        let asker = match &message.solve {
            Some(command) if command.is_about_moves() => Asker::instead(mailbox.clone(), message.id),
            _ => Asker::new(mailbox.clone(), message.id),
        };
        if message.engine_lines().iter().any(|line| names_file(line)) {
            return asker.answer(Err("files are named on the command line only, not by a page".to_string()));
        }
        match message {
            Message { game: Some(command), .. } => self.desk.send(command, asker),
            Message { compare: Some(command), .. } => self.compare.send(command, asker),
            Message { review: Some(command), .. } => self.review.send(command, asker),
            Message { solve: Some(command), .. } => self.solve.send(command, asker),
            _ => asker.answer(Err("a message has one command".to_string())),
        }
    }
}

/// A thread at its post, and the way to it.
fn hire<C: Send + 'static, T: Clerk<Command = C> + Send + 'static>(
    name: &str,
    options: &Options,
    hub: &Arc<Hub>,
    make: impl FnOnce(Post<C>) -> Result<T, String>,
) -> Result<Outbox<C>, String> {
    let (outbox, inbox) = job::channel();
    let clerk = make(Post { options: options.clone(), hub: hub.clone(), inbox })?;
    spawn(name, move || job::run(clerk))?;
    Ok(outbox)
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let spawned = std::thread::Builder::new().name(name.to_string()).spawn(work);
    spawned.map(|_| ()).map_err(|e| format!("cannot start a thread: {e}"))
}

/// Starts to serve; the address to open, with its token if one is needed.
pub fn start(serving: Serving) -> Result<String, String> {
    let ip = serving.listen.unwrap_or_else(|| [127, 0, 0, 1].into());
    let bind = |port: u16| {
        let bound = TcpListener::bind(SocketAddr::new(ip, port));
        bound.map_err(|e| format!("cannot listen on {ip} port {port}: {e}"))
    };
    let listener = match serving.port {
        Some(port) => bind(port)?,
        None => bind(USUAL_PORT).or_else(|_| bind(0))?,
    };
    let address = listener.local_addr().map_err(|e| format!("cannot listen: {e}"))?;
    let guard = Guard::new(address, serving.listen.map(|_| Guard::fresh_token()));
    let url = guard.url();
    let hub = Arc::new(Hub::default());
    let threads = Threads::start(&serving.session, &hub)?;
    let hear = move |mailbox: &Arc<Mailbox>, text: &str| threads.hear(mailbox, text);
    let server = Arc::new(Server::new(guard, hub, Box::new(hear)));
    spawn("listener", move || server.run(&listener))?;
    Ok(url)
}

/// The address by which this machine would talk to others, if it has one. Nothing is sent to find out.
pub fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind(("0.0.0.0", 0)).ok()?;
    // An address that is nobody's (RFC 5737).
    socket.connect(("192.0.2.1", 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_loopback() && !ip.is_unspecified())
}

/// Shows an address in the person's browser, if there is one.
pub fn open_browser(url: &str) {
    let (program, args): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    let quiet = command.args(args).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(e) = quiet.spawn() {
        log::info!("cannot open a browser with {program}: {e}");
    }
}
