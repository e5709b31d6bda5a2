//! Files that somebody names: read whole, but only if they are files and not too large.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// The bytes of a regular file. Devices and pipes, which may never end, and files of more than `most` bytes are errors.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    // Before it is opened: opening a pipe waits for somebody to write to it.
    let kind = std::fs::metadata(path)?;
    if !kind.is_file() {
        let what = if kind.is_dir() { "it is a folder" } else { "it is not a regular file" };
        return Err(Error::new(ErrorKind::InvalidInput, what));
    }
    let mut bytes = Vec::new();
    // It may grow while it is read, and some files do not tell their size.
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let text = format!("it is larger than {} MB, the most that is read", most >> 20);
        return Err(Error::new(ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_some_size_are_read() {
        let folder = std::env::temp_dir().join(format!("moku-file-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a");
        std::fs::write(&path, vec![b'x'; 1 << 20]).unwrap();
        assert_eq!(read(&path, 1 << 20).unwrap().len(), 1 << 20);
        std::fs::write(&path, vec![b'x'; (1 << 20) + 1]).unwrap();
        let reason = |path: &Path| read(path, 1 << 20).unwrap_err().to_string();
        assert!(reason(&path).contains("larger than 1 MB"));
        assert!(reason(&folder).contains("folder"));
        if cfg!(unix) {
            assert!(reason(Path::new("/dev/zero")).contains("regular file"));
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
