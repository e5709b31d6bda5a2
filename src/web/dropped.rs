//! Files that were dropped on a page. A page sends bytes as letters, one for each, since files have many encodings.

/// The bytes of a file.
pub fn bytes(letters: &str) -> Result<Vec<u8>, String> {
    let byte = |c: char| u8::try_from(u32::from(c)).map_err(|_| "the file did not arrive as bytes".to_string());
    letters.chars().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_arrives_as_it_was_and_nothing_else_does() {
        let all: Vec<u8> = (0..=255).collect();
        let letters: String = all.iter().map(|&b| char::from(b)).collect();
        assert_eq!(bytes(&letters), Ok(all));
        assert!(bytes("目").is_err());
    }
}
