//! The listener: bounded connections, each with its own thread; half-open ones make room for others.

use super::guard::Guard;
use super::http::{self, Head, Refusal};
use super::hub::{Hub, Mailbox};
use super::{files, socket};
use parking_lot::Mutex;
use std::io::Write;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// Connections at the same time, web sockets included.
const MOST_CONNECTIONS: usize = 96;

/// What becomes of a message of a page.
pub type Hear = dyn Fn(&Arc<Mailbox>, &str) + Send + Sync;

pub struct Server {
    pub guard: Guard,
    pub hub: Arc<Hub>,
    pub hear: Box<Hear>,
    doors: Mutex<Doors>,
}

/// Connections by number, the oldest first.
#[derive(Default)]
struct Doors {
    next: u64,
    open: Vec<Door>,
}

struct Door {
    number: u64,
    stream: TcpStream,
    /// Has its head not arrived yet?
    is_waiting: bool,
}

impl Server {
    pub fn new(guard: Guard, hub: Arc<Hub>, hear: Box<Hear>) -> Server {
        Server { guard, hub, hear, doors: Mutex::default() }
    }

    /// Answers for ever.
    pub fn run(self: Arc<Server>, listener: &TcpListener) {
        loop {
            match listener.accept() {
                Ok((stream, _)) => self.clone().let_in(stream),
                Err(e) => {
                    // No more files may be open, say: others have to close first.
                    log::warn!("cannot accept a connection: {e}");
                    std::thread::sleep(Duration::from_millis(50));
                }
            }
        }
    }

    fn let_in(self: Arc<Server>, stream: TcpStream) {
        let Ok(handle) = stream.try_clone() else { return };
        let Some(number) = self.doors.lock().enter(handle) else { return };
        let own = self.clone();
        let spawned = std::thread::Builder::new().name("connection".to_string()).spawn(move || {
            own.attend(stream, number);
            own.doors.lock().leave(number);
        });
        if spawned.is_err() {
            self.doors.lock().leave(number);
        }
    }

    fn attend(&self, mut stream: TcpStream, number: u64) {
        let head = http::read_head(&mut stream);
        self.doors.lock().has_spoken(number);
        let result = match head {
            Ok(None) => Ok(()),
            Ok(Some(head)) if head.path == "/ws" => self.open_socket(stream, &head),
            Ok(Some(head)) => self.send_file(&mut stream, &head),
            Err(refusal) => http::refuse(&mut stream, refusal),
        };
        if let Err(e) = result {
            log::debug!("a connection broke: {e}");
        }
    }

    fn send_file(&self, stream: &mut TcpStream, head: &Head) -> std::io::Result<()> {
        if !self.guard.admits(head) {
            return http::refuse(stream, Refusal::Forbidden);
        }
        match files::find(&head.path) {
            Some(file) => http::answer(stream, head, file.kind, &self.guard.cookie(), file.text.as_bytes()),
            None => http::refuse(stream, Refusal::NotFound),
        }
    }

    fn open_socket(&self, mut stream: TcpStream, head: &Head) -> std::io::Result<()> {
        if !self.guard.admits_socket(head) {
            return http::refuse(&mut stream, Refusal::Forbidden);
        }
        let Some(greeting) = socket::greeting(head) else {
            return http::refuse(&mut stream, Refusal::BadRequest);
        };
        let Some(mailbox) = self.hub.join() else {
            return http::refuse(&mut stream, Refusal::Busy);
        };
        match stream.write_all(greeting.as_bytes()) {
            Ok(()) => socket::serve(stream, &self.hub, &mailbox, |text| (self.hear)(&mailbox, text)),
            Err(_) => self.hub.leave(&mailbox),
        }
        Ok(())
    }
}

impl Doors {
    /// The number of a new connection. If there are too many, the oldest that has not said what it wants has to go;
    /// `None` if all have.
    fn enter(&mut self, stream: TcpStream) -> Option<u64> {
        if self.open.len() >= MOST_CONNECTIONS {
            let oldest = self.open.iter().position(|door| door.is_waiting)?;
            let _ = self.open.remove(oldest).stream.shutdown(Shutdown::Both);
        }
        self.next += 1;
        self.open.push(Door { number: self.next, stream, is_waiting: true });
        Some(self.next)
    }

    fn has_spoken(&mut self, number: u64) {
        self.open.iter_mut().filter(|door| door.number == number).for_each(|door| door.is_waiting = false);
    }

    fn leave(&mut self, number: u64) {
        self.open.retain(|door| door.number != number);
    }
}
