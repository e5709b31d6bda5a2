//! Clients that mean no good: the program goes on, and so does the game.

use super::*;
use std::net::Shutdown;

#[test]
fn only_pages_of_the_program_are_served_to_hosts_of_its_own() {
    let address = serve();
    let page = get(&address, "/", &address);
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("Content-Security-Policy: default-src 'none'"));
    assert!(page.ends_with("</html>\n"));
    for path in ["/main.js", "/style.css", "/board.js", "/icon.svg"] {
        assert!(get(&address, path, &address).starts_with("HTTP/1.1 200"), "{path}");
    }
    for path in ["/../Cargo.toml", "/..%2f..%2fetc/passwd", "/etc/passwd", "//", "/index.html", "/.git/config", "/%00"]
    {
        assert!(get(&address, path, &address).starts_with("HTTP/1.1 404"), "{path}");
    }
    for host in ["evil.example", "evil.example:80", "127.0.0.1", ""] {
        assert!(get(&address, "/", host).starts_with("HTTP/1.1 403"), "{host}");
    }
    assert!(answer(&address, b"GET / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 403"));
}

#[test]
fn other_sites_get_no_socket() {
    let address = serve();
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://localhost:1"] {
        assert!(Page::connect(&address, origin).is_err(), "{origin}");
    }
    assert!(get(&address, "/ws", &address).starts_with("HTTP/1.1 403"));
}

#[test]
fn large_bodies_heads_and_garbage_are_refused_before_they_are_read() {
    let address = serve();
    let body = format!("POST / HTTP/1.1\r\nHost: {address}\r\nContent-Length: 104857600\r\n\r\n");
    assert!(answer(&address, body.as_bytes()).starts_with("HTTP/1.1 413"));
    let mut sender = TcpStream::connect(&address).unwrap();
    sender.set_write_timeout(Some(PATIENCE)).unwrap();
    let _ = sender.write_all(body.as_bytes());
    // All of it is not taken: the connection breaks long before.
    let taken = (0..1600).take_while(|_| sender.write_all(&[0; 65536]).is_ok()).count();
    assert!(taken < 1600, "100 MB were taken");
    let head = format!("GET / HTTP/1.1\r\nHost: {address}\r\nX: {}\r\n\r\n", "y".repeat(1 << 20));
    assert!(!answer(&address, head.as_bytes()).contains("200 OK"));
    for garbage in [&b"\x00\xff\xfe\r\n\r\n"[..], b"GET\r\n\r\n", b"\r\n\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"] {
        assert!(!answer(&address, garbage).contains("200 OK"));
    }
    assert!(get(&address, "/", &address).contains("200 OK"));
}

#[test]
fn half_open_sockets_make_room_for_a_person() {
    let address = serve();
    let mut page = Page::open(&address);
    let half: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut stream = TcpStream::connect(&address).unwrap();
            let _ = stream.write_all(b"GET / HT");
            stream
        })
        .collect();
    let began = Instant::now();
    assert!(get(&address, "/", &address).contains("200 OK"));
    assert!(began.elapsed() < Duration::from_secs(4), "a person waits for {:?}", began.elapsed());
    page.ask(json!({ "do": "play", "at": "E5" })).unwrap();
    drop(half);
}

#[test]
fn a_broken_socket_hurts_nobody_else() {
    let address = serve();
    let mut page = Page::open(&address);
    page.ask(json!({ "do": "new", "game": "go", "size": 9, "you": "both" })).unwrap();
    let frames: [&[u8]; 6] = [
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\x81\x05hello",                                // not masked
        b"\x81\xff\x00\x00\x00\x00\x06\x40\x00\x00abcd", // 100 MB are to come
        b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xffabcd", // more than there is
        b"\x81\x82\x00\x00\x00\x00\xff\xfe",             // no UTF-8
        b"\x89\xfe\x7f\xff\x00\x00\x00\x00",             // an endless ping
    ];
    for frame in frames {
        let mut other = Page::connect(&address, &format!("http://{address}")).unwrap();
        other.socket.get_mut().write_all(frame).unwrap();
        let _ = other.socket.get_mut().shutdown(Shutdown::Write);
        while other.socket.read().is_ok() {}
    }
    page.ask(json!({ "do": "play", "at": "E5" })).unwrap();
    page.wait(|game| game["at"] == 1);
}

#[test]
fn nonsense_is_answered_with_what_is_wrong() {
    let mut page = Page::open(&serve());
    let nonsense = [
        "",
        "{",
        "null",
        "[]",
        "{\"id\":1}",
        "{\"id\":-1}",
        "{\"id\":1,\"game\":{\"do\":\"fly\"}}",
        "{\"id\":1,\"game\":{\"do\":\"play\"}}",
        "{\"id\":1,\"game\":{\"do\":\"play\",\"at\":\"E5\",\"x\":1}}",
        "{\"id\":1,\"game\":{\"do\":\"go\",\"at\":-1}}",
        "{\"id\":1,\"file\":\"/etc/passwd\"}",
        "{\"id\":1,\"game\":{\"do\":\"load\",\"sgf\":\"(;GM[7])\"}}",
        "{\"id\":1,\"game\":{\"do\":\"new\",\"game\":\"chess\",\"you\":\"black\"}}",
        "{\"id\":1,\"game\":{\"do\":\"new\",\"game\":\"go\",\"you\":\"black\",\"komi\":1e30}}",
        "{\"id\":1,\"game\":{\"do\":\"new\",\"game\":\"go\",\"you\":\"black\",\"clock\":{\"main\":-1}}}",
    ];
    for text in nonsense {
        page.socket.send(Message::text(text)).unwrap();
        while page.hear().get("error").is_none() {}
    }
    // Deep nesting does not overflow anything.
    page.socket.send(Message::text("[".repeat(1_000_000))).unwrap();
    while page.hear().get("error").is_none() {}
    page.ask(json!({ "do": "play", "at": "E5" })).unwrap();
}

#[test]
fn a_flood_of_requests_does_not_stop_a_game() {
    let address = serve();
    let mut page = Page::open(&address);
    page.ask(json!({ "do": "new", "game": "go", "size": 9, "you": "nobody", "level": 2 })).unwrap();
    page.wait(|game| game["at"].as_u64() >= Some(1));
    let before = page.moves();
    for _ in 0..600 {
        assert!(get(&address, "/icon.svg", &address).contains("200 OK"));
    }
    let mut other = Page::open(&address);
    for id in 0..3000 {
        // Who babbles may be cut off.
        if !other.try_say(json!({ "id": id, "game": { "do": "play", "at": "A1" } })) {
            break;
        }
    }
    page.wait(|game| game["moves"].as_array().unwrap().len() > before + 2);
}

#[test]
fn what_cannot_be_done_does_not_break_off_a_search() {
    let address = serve();
    let mut page = Page::open(&address);
    page.ask(json!({ "do": "new", "game": "go", "size": 9, "you": "both" })).unwrap();
    page.ask(json!({ "do": "play", "at": "E5" })).unwrap();
    page.ask(json!({ "do": "analyse", "on": true })).unwrap();
    let playouts = |page: &mut Page| loop {
        let heard = page.hear();
        if let (true, Some(playouts)) = (heard["topic"] == "live", heard["playouts"].as_u64()) {
            return playouts;
        }
    };
    let mut last = playouts(&mut page);
    for command in [
        json!({ "do": "play", "at": "E5" }),
        json!({ "do": "play", "at": "Z99" }),
        json!({ "do": "dead", "at": "E5" }),
        json!({ "do": "accept" }),
        json!({ "do": "play-on" }),
        json!({ "do": "return" }),
        json!({ "do": "go", "at": 7 }),
        json!({ "do": "overlay", "name": "x" }),
        json!({ "do": "load", "sgf": "(;GM[7])" }),
        json!({ "do": "engine", "line": "alphabeta" }),
        json!({ "do": "parameter", "key": "playouts", "value": "many" }),
        json!({ "do": "new", "game": "chess", "you": "black" }),
    ] {
        assert!(page.ask(command.clone()).is_err(), "{command}");
        let now = playouts(&mut page);
        assert!(now >= last, "{command} has broken off the search");
        last = now;
    }
    page.ask(json!({ "do": "undo" })).unwrap();
    page.wait(|game| game["at"] == 0);
}
