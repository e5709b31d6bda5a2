//! A page's web socket: one thread hears it, another tells it what is new.

use super::http::Head;
use super::hub::{Hub, Mailbox};
use parking_lot::Mutex;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::{Role, WebSocket, WebSocketConfig};
use tungstenite::{Bytes, Error, Message};

/// The largest thing that may be dropped on the page, with some room for its wrapping.
const LARGEST: usize = 4 << 20;
/// How long a page may not read what it is sent.
const WRITE_TIME: Duration = Duration::from_secs(5);
/// A silent page is asked whether it is still there, and after this long taken for gone.
const PING_EVERY: Duration = Duration::from_secs(15);
const SILENCE: Duration = Duration::from_secs(50);
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// One socket for both threads: frames are written whole, so that they do not mix.
#[derive(Clone)]
struct Wire {
    stream: Arc<TcpStream>,
    writing: Arc<Mutex<()>>,
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self.stream).read(buffer)
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _whole = self.writing.lock();
        match (&*self.stream).write_all(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(e) => {
                // Half a frame is on the way: nothing after it could be understood.
                let _ = self.stream.shutdown(Shutdown::Both);
                Err(io::Error::new(io::ErrorKind::BrokenPipe, e))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.stream).flush()
    }
}

fn socket(wire: Wire) -> WebSocket<Wire> {
    let config = WebSocketConfig::default()
        .max_message_size(Some(LARGEST))
        .max_frame_size(Some(LARGEST))
        .read_buffer_size(16 << 10)
        .write_buffer_size(0);
    WebSocket::from_raw_socket(wire, Role::Server, Some(config))
}

/// The words that turn a request into a web socket; `None` if it is none.
pub fn greeting(head: &Head) -> Option<String> {
    let key = head.header("sec-websocket-key")?;
    (head.is_upgrade() && head.header("sec-websocket-version") == Some("13")).then(|| {
        format!(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: {}\r\n\r\n",
            derive_accept_key(key.as_bytes())
        )
    })
}

/// Serves a page until it goes. `hear` gets its messages.
pub fn serve(stream: TcpStream, hub: &Hub, mailbox: &Arc<Mailbox>, hear: impl Fn(&str)) {
    if let Err(e) = talk(stream, mailbox, hear) {
        log::debug!("a page has gone: {e}");
    }
    hub.leave(mailbox);
}

fn talk(stream: TcpStream, mailbox: &Arc<Mailbox>, hear: impl Fn(&str)) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_TIME))?;
    stream.set_read_timeout(Some(LOOK_EVERY))?;
    let wire = Wire { stream: Arc::new(stream), writing: Arc::default() };
    let (own, theirs) = (wire.clone(), mailbox.clone());
    let writer = std::thread::Builder::new().name("page".to_string()).spawn(move || write(own, &theirs))?;
    let result = read(wire.clone(), mailbox, hear);
    mailbox.close();
    let _ = wire.stream.shutdown(Shutdown::Both);
    let _ = writer.join();
    result
}

fn write(wire: Wire, mailbox: &Mailbox) {
    let mut socket = socket(wire.clone());
    let mut send = |message| socket.send(message).is_ok();
    while let Ok(next) = mailbox.next(PING_EVERY) {
        let message = match next {
            Some(words) => Message::text(words.to_string()),
            None => Message::Ping(Bytes::new()),
        };
        if !send(message) {
            break;
        }
    }
    mailbox.close();
    let _ = wire.stream.shutdown(Shutdown::Both);
}

fn read(wire: Wire, mailbox: &Mailbox, hear: impl Fn(&str)) -> io::Result<()> {
    let mut socket = socket(wire);
    let mut heard = Instant::now();
    while !mailbox.is_closed() {
        match socket.read() {
            Ok(Message::Text(text)) => {
                heard = Instant::now();
                hear(text.as_str());
            }
            Ok(Message::Close(_)) => break,
            // Nothing of ours, but a sign of life.
            Ok(_) => heard = Instant::now(),
            Err(Error::Io(e)) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                if heard.elapsed() > SILENCE {
                    return Err(io::Error::new(io::ErrorKind::TimedOut, "no sign of life"));
                }
            }
            Err(Error::ConnectionClosed | Error::AlreadyClosed) => break,
            Err(e) => return Err(io::Error::other(e)),
        }
    }
    Ok(())
}
