//! Who may ask: the page that moku itself has served, and nobody who only happens to reach the port.
//!
//! A page of another site can make a browser send requests here. Its `Host` is then a name that is not ours (a name of its
//! own that it lets point to this machine), or its `Origin` is not ours. Both are refused. Beyond the own machine a token is
//! needed too, first in the address, then in a cookie that no other site can have the browser send.

use super::http::Head;
use std::net::{IpAddr, SocketAddr};

pub struct Guard {
    address: SocketAddr,
    /// None: whoever can reach the own machine's loopback may play.
    token: Option<String>,
}

impl Guard {
    pub fn new(address: SocketAddr, token: Option<String>) -> Guard {
        Guard { address, token }
    }

    /// A token that cannot be guessed: the standard library's random keys, 128 bits of them.
    pub fn fresh_token() -> String {
        use std::hash::{BuildHasher, Hasher, RandomState};
        let part = |_| {
            let mut hasher = RandomState::new().build_hasher();
            hasher.write_u8(1);
            hasher.finish()
        };
        (0..2).map(part).map(|bits| format!("{bits:016x}")).collect()
    }

    /// The address to open.
    pub fn url(&self) -> String {
        let at = if self.address.ip().is_unspecified() {
            SocketAddr::new([127, 0, 0, 1].into(), self.address.port())
        } else {
            self.address
        };
        match &self.token {
            Some(token) => format!("http://{at}/?token={token}"),
            None => format!("http://{at}/"),
        }
    }

    /// Does the request come to this machine by a name of its own, with the token if there is one?
    pub fn admits(&self, head: &Head) -> bool {
        let is_host = head.header("host").is_some_and(|host| self.is_own(host));
        let knows = |token: &String| {
            [head.query("token"), head.cookie(&self.cookie_name())]
                .into_iter()
                .flatten()
                .any(|given| is_same(given, token))
        };
        is_host && self.token.as_ref().is_none_or(knows)
    }

    /// Is a web socket asked for by a page of ours?
    pub fn admits_socket(&self, head: &Head) -> bool {
        let origin = head.header("origin").and_then(|origin| origin.strip_prefix("http://"));
        self.admits(head) && origin.is_some() && origin == head.header("host")
    }

    /// Browsers tell cookies apart by machine, not by port.
    fn cookie_name(&self) -> String {
        format!("moku-{}", self.address.port())
    }

    /// The line of the head that keeps the token for the page's further requests.
    pub fn cookie(&self) -> String {
        match &self.token {
            Some(token) => format!("Set-Cookie: {}={token}; HttpOnly; SameSite=Strict; Path=/\r\n", self.cookie_name()),
            None => String::new(),
        }
    }

    /// A number is nobody's to point elsewhere; of names only `localhost` is ours.
    fn is_own(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let ip: Option<IpAddr> = name.trim_start_matches('[').trim_end_matches(']').parse().ok();
        ip.is_some_and(|ip| ip == self.address.ip() || ip.is_loopback() || self.address.ip().is_unspecified())
    }
}

/// Takes as long for a near miss as for any other.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (x, y)| all | (x ^ y)) == 0
}

#[cfg(test)]
mod tests {
    use super::super::http;
    use super::*;

    fn head(path: &str, headers: &str) -> Head {
        http::parse(format!("GET {path} HTTP/1.1\r\n{headers}\r\n").as_bytes()).unwrap().unwrap()
    }

    #[test]
    fn only_names_of_this_machine_are_answered() {
        let guard = Guard::new("127.0.0.1:8080".parse().unwrap(), None);
        let admits = |host: &str| guard.admits(&head("/", &format!("Host: {host}\r\n")));
        for own in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"] {
            assert!(admits(own), "{own}");
        }
        for other in
            ["evil.example:8080", "127.0.0.1:81", "127.0.0.1", "127.0.0.1.evil.example:8080", "10.0.0.1:8080", ""]
        {
            assert!(!admits(other), "{other}");
        }
        assert!(!guard.admits(&head("/", "")));
    }

    #[test]
    fn a_socket_needs_a_page_of_ours() {
        let guard = Guard::new("127.0.0.1:8080".parse().unwrap(), None);
        let admits = |origin: &str| guard.admits_socket(&head("/ws", &format!("Host: localhost:8080\r\n{origin}")));
        assert!(admits("Origin: http://localhost:8080\r\n"));
        for other in ["", "Origin: null\r\n", "Origin: http://evil.example\r\n", "Origin: https://localhost:8080\r\n"] {
            assert!(!admits(other), "{other}");
        }
    }

    #[test]
    fn beyond_the_own_machine_a_token_is_needed() {
        let token = Guard::fresh_token();
        assert!(token.len() == 32 && token != Guard::fresh_token());
        let guard = Guard::new("0.0.0.0:80".parse().unwrap(), Some(token.clone()));
        let admits = |path: &str, more: &str| guard.admits(&head(path, &format!("Host: 192.168.0.7\r\n{more}")));
        assert!(admits(&format!("/?token={token}"), "") && admits("/", &format!("Cookie: a=b; moku-80={token}\r\n")));
        assert!(!admits("/", "") && !admits("/?token=", "") && !admits(&format!("/?token={token}0"), ""));
        assert!(!guard.admits(&head(&format!("/?token={token}"), "Host: evil.example\r\n")));
        assert!(guard.url().starts_with("http://127.0.0.1:80/?token="));
    }
}
