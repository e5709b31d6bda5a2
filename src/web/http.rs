//! HTTP as far as a page needs it: one request for each connection, a head of limited size and time, no bodies.
//!
//! What a browser sends more than a head goes over the web socket, which has limits of its own. So a body, however large,
//! is refused before any of it is read.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A head is no larger than this, and here within this time.
const HEAD_BYTES: usize = 16 << 10;
const HEAD_TIME: Duration = Duration::from_secs(5);
const MOST_HEADERS: usize = 64;
/// Nobody reads so slowly who means well.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// The head of a request.
#[derive(Debug, PartialEq)]
pub struct Head {
    pub method: String,
    /// Without the query.
    pub path: String,
    pub query: String,
    headers: Vec<(String, String)>,
}

/// Why a request has no answer but this.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    BadRequest,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    Timeout,
    TooLarge,
    HeadTooLarge,
    Busy,
}

impl Refusal {
    /// The status line, and what to do.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Refusal::BadRequest => ("400 Bad Request", "This is no HTTP request that moku understands."),
            Refusal::Forbidden => {
                ("403 Forbidden", "Open the address exactly as moku printed it when it was started, with its token.")
            }
            Refusal::NotFound => ("404 Not Found", "There is no such page; the first one is /"),
            Refusal::MethodNotAllowed => ("405 Method Not Allowed", "Only GET and HEAD are answered."),
            Refusal::Timeout => ("408 Request Timeout", "The request took too long to arrive."),
            Refusal::TooLarge => ("413 Content Too Large", "Requests have no body here."),
            Refusal::HeadTooLarge => ("431 Request Header Fields Too Large", "The head of the request is too large."),
            Refusal::Busy => ("503 Service Unavailable", "Too many pages are open; close one and try again."),
        }
    }
}

impl Head {
    /// The value of a header that is there exactly once; of two, nobody knows which is meant.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name));
        let first = found.next()?;
        found.next().is_none().then_some(first.1.as_str())
    }

    fn has_header(&self, name: &str) -> bool {
        self.headers.iter().any(|(key, _)| key.eq_ignore_ascii_case(name))
    }

    /// A value of the query, without decoding: ours have none but plain letters.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name).map(|(_, v)| v)
    }

    /// A value of a cookie.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        let pairs = self.header("cookie")?.split(';').filter_map(|pair| pair.trim().split_once('='));
        pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Does it ask for a web socket?
    pub fn is_upgrade(&self) -> bool {
        self.header("upgrade").is_some_and(|value| value.eq_ignore_ascii_case("websocket"))
    }
}

/// Reads a head. `None` if the other side closed without a word.
pub fn read_head(stream: &mut TcpStream) -> Result<Option<Head>, Refusal> {
    let deadline = Instant::now() + HEAD_TIME;
    let mut bytes = Vec::with_capacity(1024);
    let mut chunk = [0; 2048];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return Err(Refusal::Timeout);
        }
        let count = match stream.read(&mut chunk) {
            Ok(0) if bytes.is_empty() => return Ok(None),
            Ok(0) => return Err(Refusal::BadRequest),
            Ok(count) => count,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Err(Refusal::Timeout),
        };
        bytes.extend_from_slice(&chunk[..count]);
        if let Some(head) = parse(&bytes)? {
            return Ok(Some(head));
        }
        if bytes.len() >= HEAD_BYTES {
            return Err(Refusal::HeadTooLarge);
        }
    }
}

/// The head at the start of what has arrived, if it is all there.
pub fn parse(bytes: &[u8]) -> Result<Option<Head>, Refusal> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(httparse::Status::Partial) => return Ok(None),
        Ok(httparse::Status::Complete(_)) => {}
        Err(httparse::Error::TooManyHeaders) => return Err(Refusal::HeadTooLarge),
        Err(_) => return Err(Refusal::BadRequest),
    }
    let target = request.path.unwrap_or("/");
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let headers = request.headers.iter().map(|h| (h.name.to_string(), String::from_utf8_lossy(h.value).into_owned()));
    let head = Head {
        method: request.method.unwrap_or("").to_string(),
        path: path.to_string(),
        query: query.to_string(),
        headers: headers.collect(),
    };
    let has_body = head.has_header("transfer-encoding")
        || head.has_header("content-length") && head.header("content-length").map(str::trim) != Some("0");
    match head.method.as_str() {
        _ if has_body => Err(Refusal::TooLarge),
        "GET" | "HEAD" => Ok(Some(head)),
        _ => Err(Refusal::MethodNotAllowed),
    }
}

/// What every answer says: nothing from elsewhere, nothing told elsewhere, no frame around it.
const GUARDS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
Cross-Origin-Opener-Policy: same-origin\r\nCache-Control: no-store\r\nConnection: close\r\n";

/// A page or a part of it; `extra` are further lines of the head, each with its end.
pub fn answer(stream: &mut TcpStream, head: &Head, kind: &str, extra: &str, body: &[u8]) -> io::Result<()> {
    let body = if head.method == "HEAD" { (body.len(), &[][..]) } else { (body.len(), body) };
    send(stream, "200 OK", kind, extra, body)
}

/// Says why not, and what to do.
pub fn refuse(stream: &mut TcpStream, refusal: Refusal) -> io::Result<()> {
    let (status, text) = refusal.words();
    let body = format!("{text}\n");
    send(stream, status, "text/plain; charset=utf-8", "", (body.len(), body.as_bytes()))
}

fn send(stream: &mut TcpStream, status: &str, kind: &str, extra: &str, body: (usize, &[u8])) -> io::Result<()> {
    stream.set_write_timeout(Some(WRITE_TIME))?;
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{GUARDS}{extra}\r\n", body.0);
    stream.write_all(&[head.as_bytes(), body.1].concat())?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_when_it_is_whole_and_headers_count_once() {
        let text = b"GET /a?token=x&b=1 HTTP/1.1\r\nHost: localhost:1\r\nCookie: a=1; token=y\r\n\r\n";
        assert_eq!(parse(&text[..30]), Ok(None));
        let head = parse(text).unwrap().unwrap();
        assert_eq!((head.path.as_str(), head.query("token"), head.cookie("token")), ("/a", Some("x"), Some("y")));
        assert_eq!((head.header("HOST"), head.query("c"), head.cookie("b")), (Some("localhost:1"), None, None));
        let twice = b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n";
        assert_eq!(parse(twice).unwrap().unwrap().header("host"), None);
    }

    #[test]
    fn bodies_other_methods_and_garbage_are_refused() {
        let refused = |text: &str| parse(text.as_bytes()).unwrap_err();
        assert_eq!(refused("POST / HTTP/1.1\r\nContent-Length: 104857600\r\n\r\n"), Refusal::TooLarge);
        assert_eq!(refused("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), Refusal::TooLarge);
        assert_eq!(refused("DELETE / HTTP/1.1\r\n\r\n"), Refusal::MethodNotAllowed);
        assert_eq!(refused("\x16\x03\x01\x02\x00\x01"), Refusal::BadRequest);
        let many = "A: b\r\n".repeat(200);
        assert_eq!(refused(&format!("GET / HTTP/1.1\r\n{many}\r\n")), Refusal::HeadTooLarge);
    }
}
