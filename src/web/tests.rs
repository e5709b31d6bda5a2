//! Pages that mean well, and clients that do not.

mod games;
mod hostile;
mod work;

use super::{Serving, start};
use crate::session::Options;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// The longest that anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Serves a page; `127.0.0.1:port`.
fn serve() -> String {
    let session = Options { size: 9, threads: 1, seed: Some(1), ..Options::default() };
    let url = start(Serving { listen: None, port: Some(0), session }).unwrap();
    url.trim_start_matches("http://").trim_end_matches('/').to_string()
}

/// What is answered to some bytes, and nothing more, until the other side closes.
fn answer(address: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let _ = stream.write_all(bytes);
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn get(address: &str, path: &str, host: &str) -> String {
    answer(address, format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
}

/// A page's side of the web socket.
struct Page {
    socket: WebSocket<TcpStream>,
    next: u64,
    /// The last news of the game.
    game: Value,
    /// The last news of every other topic since something was asked of it.
    news: BTreeMap<String, Value>,
}

impl Page {
    fn open(address: &str) -> Page {
        let mut page = Page::connect(address, &format!("http://{address}")).unwrap();
        page.wait(|game| !game.is_null());
        page
    }

    fn connect(address: &str, origin: &str) -> Result<Page, String> {
        let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
        request.headers_mut().insert("Origin", origin.parse().unwrap());
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(request, stream).map_err(|e| e.to_string())?;
        Ok(Page { socket, next: 1, game: Value::Null, news: BTreeMap::new() })
    }

    /// The next message, with what is news noted.
    fn hear(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                let value: Value = serde_json::from_str(&text).unwrap();
                match value["topic"].as_str() {
                    Some("game") => self.game = value.clone(),
                    Some(topic) => _ = self.news.insert(topic.to_string(), value.clone()),
                    None => {}
                }
                return value;
            }
        }
    }

    fn say(&mut self, value: Value) {
        assert!(self.try_say(value));
    }

    /// False if the program has closed the connection.
    fn try_say(&mut self, value: Value) -> bool {
        self.socket.send(Message::text(value.to_string())).is_ok()
    }

    /// Asks and waits for the answer.
    fn ask_of(&mut self, thread: &str, command: Value) -> Result<Value, String> {
        let id = self.next;
        self.next += 1;
        self.news.remove(thread);
        self.say(json!({ "id": id, thread: command }));
        loop {
            let heard = self.hear();
            if heard["id"] == id {
                return match heard.get("error") {
                    Some(error) => Err(error.as_str().unwrap().to_string()),
                    None => Ok(heard["ok"].clone()),
                };
            }
        }
    }

    fn ask(&mut self, command: Value) -> Result<Value, String> {
        self.ask_of("game", command)
    }

    /// Waits until the game is such.
    fn wait(&mut self, is_so: impl Fn(&Value) -> bool) {
        let began = Instant::now();
        while !is_so(&self.game) {
            assert!(began.elapsed() < PATIENCE, "the game stays {}", self.game["phase"]);
            self.hear();
        }
    }

    fn moves(&self) -> usize {
        self.game["moves"].as_array().map_or(0, Vec::len)
    }
}
