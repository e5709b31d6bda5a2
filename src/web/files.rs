//! The page's files, which are in the program.

pub struct File {
    path: &'static str,
    pub kind: &'static str,
    pub text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! files {
    ($($path:literal $kind:ident $name:literal;)*) => {
        const FILES: &[File] = &[$(File { path: $path, kind: $kind, text: include_str!(concat!("page/", $name)) }),*];
    };
}

files! {
    "/" HTML "index.html";
    "/style.css" CSS "style.css";
    "/icon.svg" SVG "icon.svg";
    "/main.js" JAVASCRIPT "main.js";
    "/wire.js" JAVASCRIPT "wire.js";
    "/dom.js" JAVASCRIPT "dom.js";
    "/board.js" JAVASCRIPT "board.js";
    "/graph.js" JAVASCRIPT "graph.js";
    "/table.js" JAVASCRIPT "table.js";
    "/play.js" JAVASCRIPT "play.js";
    "/look.js" JAVASCRIPT "look.js";
    "/compare.js" JAVASCRIPT "compare.js";
    "/review.js" JAVASCRIPT "review.js";
    "/solve.js" JAVASCRIPT "solve.js";
}

/// The file of a path; every other path names none, whatever it looks like.
pub fn find(path: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.path == path)
}
