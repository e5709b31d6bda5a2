//! Lines from standard input, read on a thread of their own so that they can arrive while a search runs.

use crate::base::lines::read_line;
use crossbeam::channel::{Receiver, unbounded};
use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

/// What the reader thread tells the running command.
#[derive(Clone, Default)]
pub struct Signals {
    interrupted: Arc<AtomicU64>,
    received: Arc<AtomicU64>,
}

/// The number of the end of the input: after every line.
const END: u64 = u64::MAX;

impl Signals {
    /// Did a line that interrupts come after this line?
    pub fn is_interrupted(&self, line: u64) -> bool {
        self.interrupted.load(SeqCst) > line
    }

    /// Did anything come after this line, if only a blank line or the end of the input?
    pub fn has_input_after(&self, line: u64) -> bool {
        self.received.load(SeqCst) > line
    }
}

/// No command that means anything is longer.
const LONGEST: usize = 1 << 20;
/// What a line is told that is.
pub const TOO_LONG: &str = "the line is longer than 1 MB";
/// Lines that wait take no more memory than this: then whoever sends faster than it is answered has to wait.
const MOST_WAITING: usize = 32 << 20;
const UNTIL_THERE_IS_ROOM: Duration = Duration::from_millis(2);

/// A line with its place in the input, from 1.
pub struct Line {
    pub number: u64,
    pub bytes: Vec<u8>,
    /// Is this only the beginning of a line that was too long?
    pub is_cut: bool,
    _room: Room,
}

/// The memory of a line that waits, given back when it is done with.
struct Room {
    size: usize,
    taken: Arc<AtomicUsize>,
}

impl Room {
    fn take(size: usize, taken: &Arc<AtomicUsize>) -> Room {
        taken.fetch_add(size, SeqCst);
        Room { size, taken: taken.clone() }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.taken.fetch_sub(self.size, SeqCst);
    }
}

/// Reads lines until the end of the input; some of them interrupt what was asked before.
pub fn read_on_thread(
    mut input: impl BufRead + Send + 'static,
    signals: Signals,
    is_interrupt: fn(&[u8]) -> bool,
) -> Receiver<Line> {
    let (lines, received) = unbounded();
    let read = move || {
        let (mut number, taken) = (0, Arc::default());
        loop {
            let line = match read_line(&mut input, LONGEST) {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(e) => {
                    log::error!("cannot read standard input: {e}");
                    break;
                }
            };
            number += 1;
            if is_interrupt(&line.bytes) {
                signals.interrupted.store(number, SeqCst);
            }
            signals.received.store(number, SeqCst);
            // Each takes some more than its text.
            let room = Room::take(line.bytes.capacity() + 2 * size_of::<Line>(), &taken);
            if lines.send(Line { number, bytes: line.bytes, is_cut: line.is_cut, _room: room }).is_err() {
                break;
            }
            while taken.load(SeqCst) > MOST_WAITING {
                std::thread::sleep(UNTIL_THERE_IS_ROOM);
            }
        }
        signals.received.store(END, SeqCst);
    };
    if let Err(e) = std::thread::Builder::new().name("reader".to_string()).spawn(read) {
        log::error!("cannot start the reader thread: {e}");
    }
    received
}

/// GoGui's way to stop a running command: a comment, so that nothing answers it.
pub fn is_interrupt(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.trim().strip_prefix('#').is_some_and(|rest| rest.trim() == "interrupt")
}

/// A command as typed: optional id, name, arguments.
#[derive(PartialEq, Debug)]
pub struct Command {
    pub id: String,
    pub name: String,
    pub args: Vec<String>,
}

/// Cleans a line as GTP says: control characters dropped, tabs are blanks, `#` starts a comment. None for a blank one.
pub fn parse(bytes: &[u8]) -> Option<Command> {
    let text: String = String::from_utf8_lossy(bytes)
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control())
        .take_while(|&c| c != '#')
        .collect();
    let mut words = text.split_whitespace().map(str::to_string).peekable();
    let id = words.next_if(|w| w.bytes().all(|b| b.is_ascii_digit()));
    let name = words.next();
    if id.is_none() && name.is_none() {
        return None;
    }
    Some(Command { id: id.unwrap_or_default(), name: name.unwrap_or_default(), args: words.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(id: &str, name: &str, args: &[&str]) -> Option<Command> {
        let args = args.iter().map(|a| a.to_string()).collect();
        Some(Command { id: id.to_string(), name: name.to_string(), args })
    }

    #[test]
    fn lines_are_cleaned_as_gtp_says() {
        assert_eq!(parse(b"  12\tplay  B\x07 D4 # a comment\r\n"), command("12", "play", &["B", "D4"]));
        assert_eq!(parse(b"name\n"), command("", "name", &[]));
        assert_eq!(parse(b"7\n"), command("7", "", &[]));
        for blank in [&b"\n"[..], b"   \r\n", b"# only a comment\n", b"\0\x01\n", b""] {
            assert_eq!(parse(blank), None);
        }
        assert_eq!(parse(b"pl\xffay\n").map(|c| c.name), Some("pl\u{fffd}ay".to_string()));
    }

    #[test]
    fn only_the_interrupt_comment_interrupts_and_only_what_came_before_it() {
        let signals = Signals::default();
        let input = std::io::Cursor::new(b"genmove b\n# interrupt \r\nname\n".to_vec());
        let lines: Vec<Line> = read_on_thread(input, signals.clone(), is_interrupt).iter().collect();
        assert_eq!(lines.len(), 3);
        assert!(signals.is_interrupted(1) && !signals.is_interrupted(3));
        assert!(!is_interrupt(b"interrupt\n") && is_interrupt(b"# interrupt"));
    }

    #[test]
    fn whoever_sends_faster_than_is_answered_fills_no_memory() {
        let input = std::io::BufReader::new(std::io::Read::take(std::io::repeat(b'\n'), 5_000_000));
        let signals = Signals::default();
        let lines = read_on_thread(input, signals.clone(), is_interrupt);
        std::thread::sleep(Duration::from_millis(300));
        assert!(lines.len() * size_of::<Line>() < MOST_WAITING, "{} wait", lines.len());
        assert_eq!(lines.iter().count(), 5_000_000, "and none is lost");
        assert!(signals.has_input_after(5_000_000));
    }

    #[test]
    fn any_line_even_a_blank_one_and_the_end_of_the_input_are_noticed() {
        let (to_reader, from_test) = std::io::pipe().map(|(read, write)| (write, read)).unwrap();
        let signals = Signals::default();
        let lines = read_on_thread(std::io::BufReader::new(from_test), signals.clone(), is_interrupt);
        let mut to_reader = to_reader;
        for number in 1..=3 {
            assert!(!signals.has_input_after(number - 1));
            std::io::Write::write_all(&mut to_reader, b"\n").unwrap();
            assert_eq!(lines.recv().unwrap().number, number);
            assert!(signals.has_input_after(number - 1) && !signals.has_input_after(number));
        }
        drop(to_reader);
        assert!(lines.recv().is_err());
        assert!(signals.has_input_after(3));
    }
}
