//! Lines from others: however long one is, no more than so much of it is kept.

use std::io::{BufRead, ErrorKind, Result};

/// A line without its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawLine {
    pub bytes: Vec<u8>,
    /// Was it longer than what is kept of it?
    pub is_cut: bool,
}

/// The next line, of which `most` bytes are kept; what is beyond them is read and dropped. None at the end of the input.
pub fn read_line(input: &mut impl BufRead, most: usize) -> Result<Option<RawLine>> {
    let mut line = RawLine { bytes: Vec::new(), is_cut: false };
    let mut has_any = false;
    loop {
        let seen = match input.fill_buf() {
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            seen => seen?,
        };
        if seen.is_empty() {
            return Ok(has_any.then_some(line));
        }
        has_any = true;
        let end = seen.iter().position(|&byte| byte == b'\n');
        let part = &seen[..end.unwrap_or(seen.len())];
        let room = most - line.bytes.len();
        line.bytes.extend_from_slice(&part[..part.len().min(room)]);
        line.is_cut |= part.len() > room;
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    #[test]
    fn lines_are_read_whole_up_to_the_most_and_the_next_one_is_not_lost() {
        let text = b"one\n\n12345\n123456\nlast\r\nno end";
        for buffer in [1, 2, 7, 100] {
            let mut input = BufReader::with_capacity(buffer, &text[..]);
            let mut lines = Vec::new();
            while let Some(line) = read_line(&mut input, 5).unwrap() {
                lines.push((String::from_utf8(line.bytes).unwrap(), line.is_cut));
            }
            let expected =
                [("one", false), ("", false), ("12345", false), ("12345", true), ("last\r", false), ("no en", true)];
            assert_eq!(lines, expected.map(|(text, is_cut)| (text.to_string(), is_cut)), "buffers of {buffer}");
        }
    }

    #[test]
    fn a_line_without_an_end_takes_no_more_memory_than_is_kept() {
        let mut input = BufReader::new(std::io::repeat(b'a').take(50 << 20));
        let line = read_line(&mut input, 1000).unwrap().unwrap();
        assert!(line.is_cut && line.bytes.len() == 1000 && line.bytes.capacity() < 1 << 20);
        assert_eq!(read_line(&mut input, 1000).unwrap(), None);
    }
}
