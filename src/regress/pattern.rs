//! `[PATTERN]`, `[!PATTERN]`, `[PATTERN]*`: what a reply should be.
//!
//! gogui-regress matches Java's regular expressions against the whole reply, with the dot matching line ends. The
//! crate regex-lite reads nearly all of them alike, letters of classes such as `\w` being ASCII in both; it has no look-around,
//! back references or possessive quantifiers.

use regex_lite::Regex;

#[derive(Debug)]
pub struct Pattern {
    /// As it stands between the brackets.
    pub text: String,
    pub expected_fail: bool,
}

impl Pattern {
    pub fn parse(text: &str) -> Result<Pattern, String> {
        let (text, expected_fail) = match text.strip_suffix('*') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let opened = text.strip_prefix('[').ok_or_else(|| format!("a pattern opens with a bracket: {text}"))?;
        let inner = opened.strip_suffix(']').ok_or_else(|| format!("a pattern closes with a bracket: {text}"))?;
        Ok(Pattern { text: inner.trim().to_string(), expected_fail })
    }

    pub fn accepts(&self, reply: &str) -> Result<bool, String> {
        let (pattern, negated) = match self.text.strip_prefix('!') {
            Some(pattern) => (pattern, true),
            None => (self.text.as_str(), false),
        };
        let whole = Regex::new(&format!("(?ms)\\A(?:{pattern})\\z")).map_err(|e| {
            let reason = e.to_string();
            let last = reason.lines().last().unwrap_or("").trim_start_matches("error: ").to_string();
            format!("cannot use the pattern '{pattern}': {last}")
        })?;
        Ok(whole.is_match(reply) != negated)
    }
}
