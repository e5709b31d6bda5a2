//! A moku process behind pipes, and a referee for its games.
#![allow(dead_code)] // each test program uses its part

use moku::base::{Color, Point, Size};
use moku::game::go::SlowBoard;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Enough for what takes no time, on a machine that is busy with other things; too little for a search that goes on.
pub const SOON: Duration = Duration::from_secs(20);

/// moku as a front end sees it.
pub struct Moku {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

pub fn moku(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moku"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

impl Moku {
    pub fn start(args: &[&str]) -> Moku {
        let mut child = moku(args).spawn().expect("moku starts");
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Moku { child, input, output }
    }

    pub fn send(&mut self, text: &str) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(text.as_bytes()).and_then(|()| input.flush()).expect("moku reads its input");
    }

    /// The next reply as it came, without the empty line after it.
    pub fn reply(&mut self) -> String {
        let mut text = String::new();
        while !text.ends_with("\n\n") {
            assert!(self.output.read_line(&mut text).unwrap() > 0, "the output ended after {text:?}");
        }
        text.truncate(text.len() - 2);
        text
    }

    /// The next line, without its end.
    pub fn line(&mut self) -> String {
        let mut text = String::new();
        assert!(self.output.read_line(&mut text).unwrap() > 0, "the output ended");
        text.trim_end_matches('\n').to_string()
    }

    /// The text of a successful reply.
    pub fn ask(&mut self, command: &str) -> String {
        self.send(&format!("{command}\n"));
        let reply = self.reply();
        let text = reply.strip_prefix("= ").unwrap_or_else(|| panic!("{command}: {reply}"));
        text.to_string()
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// What is left of the output.
    pub fn rest(&mut self) -> String {
        let mut bytes = Vec::new();
        self.output.read_to_end(&mut bytes).unwrap();
        String::from_utf8(bytes).expect("replies are UTF-8")
    }

    /// Waits for the end of the process.
    pub fn exit(mut self, at_most: Duration) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(began.elapsed() < at_most, "still running after {:?}", began.elapsed());
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// A failed test leaves no process behind.
impl Drop for Moku {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes all of the input at once and reads all replies, however long both are.
pub fn converse(command: Command, input: Vec<u8>) -> (String, ExitStatus) {
    let (output, status, _) = converse_watched(command, input);
    (output, status)
}

/// The same, and the most memory that moku had, in megabytes, where the system tells.
pub fn converse_watched(mut command: Command, input: Vec<u8>) -> (String, ExitStatus, Option<u64>) {
    let mut child = command.spawn().expect("moku starts");
    let status = format!("/proc/{}/status", child.id());
    let watcher = std::thread::spawn(move || {
        let mut peak = None;
        // The file has no such line any more when the process has ended.
        while let Some(kilobytes) = std::fs::read_to_string(&status).ok().and_then(|text| peak_memory(&text)) {
            peak = Some(kilobytes / 1024);
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        peak
    });
    let mut pipe = child.stdin.take().unwrap();
    // A process that has quit reads no more: that is not an error here.
    let writer = std::thread::spawn(move || drop(pipe.write_all(&input)));
    let mut bytes = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut bytes).unwrap();
    writer.join().unwrap();
    let status = child.wait().unwrap();
    (String::from_utf8(bytes).expect("replies are UTF-8"), status, watcher.join().unwrap())
}

fn peak_memory(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Splits output into replies and checks their form: sign, id, one blank, text, one empty line and none inside.
pub fn replies(output: &str) -> Vec<&str> {
    if output.is_empty() {
        return Vec::new();
    }
    let output = output.strip_suffix("\n\n").expect("the output ends with an empty line");
    let replies: Vec<&str> = output.split("\n\n").collect();
    for reply in &replies {
        let rest = reply.strip_prefix(['=', '?']).unwrap_or_else(|| panic!("no reply: {reply:?}"));
        let text = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        assert!(text.starts_with(' ') || is_stream(reply), "no blank after the id: {reply:?}");
        assert!(!text.contains('\r') && !text.contains('\0'), "control characters: {reply:?}");
    }
    replies
}

/// The first line of a stream is a bare sign and id; then come `info` lines and perhaps a move.
pub fn is_stream(reply: &str) -> bool {
    let mut lines = reply.lines();
    let first = lines.next().and_then(|line| line.strip_prefix('='));
    first.is_some_and(|id| id.bytes().all(|b| b.is_ascii_digit()))
        && lines.all(|line| line.starts_with("info ") || line.starts_with("play "))
}

/// Go by the slow board, with positional superko.
pub struct Referee {
    board: SlowBoard,
    earlier: Vec<Vec<Option<Color>>>,
}

impl Referee {
    pub fn new(size: usize) -> Referee {
        let board = SlowBoard::new(Size::new(size).unwrap());
        Referee { earlier: vec![stones(&board)], board }
    }

    pub fn passes(&self) -> u8 {
        self.board.passes
    }

    /// Plays a move as it came over GTP; false if it is none or not legal.
    pub fn play(&mut self, color: Color, vertex: &str) -> bool {
        let Some(point) = self.board.size.point_from_gtp(vertex) else { return false };
        if color != self.board.to_play {
            (self.board.to_play, self.board.ko) = (color, None);
        }
        let Some(after) = self.board.after(point) else { return false };
        let repeats = point != Point::PASS && self.earlier.contains(&stones(&after));
        self.earlier.push(stones(&after));
        self.board = after;
        !repeats
    }
}

fn stones(board: &SlowBoard) -> Vec<Option<Color>> {
    board.size.points().map(|p| board.at(p)).collect()
}
