//! Which encoding a file has, by what it says and by how it reads.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8, WINDOWS_1252};

/// An encoding, with what a scanner of bytes has to know: which two bytes are one letter.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Charset(&'static Encoding);

/// What is tried when nothing is declared, or something wrong. ISO-8859-1 is read as Windows-1252, which has all of it.
const USUAL: [&Encoding; 6] = [WINDOWS_1252, GBK, SHIFT_JIS, BIG5, EUC_KR, EUC_JP];

/// Names that programs write and that are no labels of the web's.
const ALIASES: [(&str, &Encoding); 6] =
    [("cp936", GBK), ("cp932", SHIFT_JIS), ("ms932", SHIFT_JIS), ("cp949", EUC_KR), ("uhc", EUC_KR), ("cp950", BIG5)];

/// Letters that comments on Go in Chinese, Japanese and Korean are full of.
const COMMON: &str = "黑白黒先活死杀殺劫正解失败敗确確成功错誤误錯変变化手的是不一好次题題図图流目角边後后\
                      のはをにでがとれるコウセキ정답실패흑백선사활수다를이의가패";

/// The encodings that bytes may be in, and whether the file names this one; that one comes first.
pub(super) fn candidates(bytes: &[u8]) -> Vec<(Charset, bool)> {
    let declared = bytes.windows(3).position(|w| w == b"CA[").map_or(&[][..], |at| &bytes[at + 3..]);
    let name: Vec<u8> = declared.iter().take_while(|&&b| b != b']').map(u8::to_ascii_lowercase).collect();
    let alias = ALIASES.iter().find(|row| row.0.as_bytes() == name.trim_ascii()).map(|row| row.1);
    let named = alias.or_else(|| Encoding::for_label(&name));
    let others = USUAL.into_iter().filter(|&encoding| Some(encoding) != named);
    let mut all: Vec<(Charset, bool)> = named.map(|encoding| (Charset(encoding), true)).into_iter().collect();
    all.extend(others.map(|encoding| (Charset(encoding), false)));
    all
}

impl Charset {
    pub const UTF_8: Charset = Charset(UTF_8);

    /// Whether these two bytes may be one letter.
    pub fn is_pair(self, lead: u8, trail: u8) -> bool {
        let is_lead = match self.0 {
            e if e == SHIFT_JIS => matches!(lead, 0x81..=0x9f | 0xe0..=0xfc),
            e if e.is_single_byte() || e == UTF_8 => false,
            _ => (0x81..=0xfe).contains(&lead),
        };
        let first = if self.0 == EUC_JP { 0xa1 } else { 0x40 };
        is_lead && (first..=0xfe).contains(&trail)
    }

    pub fn decode(self, bytes: &[u8]) -> String {
        self.0.decode_without_bom_handling(bytes).0.into_owned()
    }

    /// How much the texts of a file, decoded so, look like text. What the file itself names is believed unless it has
    /// letters that there are not.
    pub fn likeness<'a>(self, bytes: &[u8], is_named: bool, texts: impl Iterator<Item = &'a str>) -> i64 {
        let (mut score, mut broken) = (0, 0);
        for letter in texts.flat_map(str::chars).filter(|c| !c.is_ascii()) {
            match letter {
                char::REPLACEMENT_CHARACTER | '\u{80}'..='\u{9f}' | '\u{e000}'..='\u{f8ff}' => broken += 1,
                // Half-width kana: what any two bytes look like in Shift_JIS.
                '\u{ff61}'..='\u{ff9f}' => score -= 1,
                c if COMMON.contains(c) => score += 3,
                _ => {}
            }
        }
        if self.0.is_single_byte() {
            // Accents stand alone among plain letters; letters of two bytes do not.
            let high = |i: usize| bytes.get(i).is_some_and(|b| *b >= 0x80);
            for i in (0..bytes.len()).filter(|&i| high(i)) {
                score += if high(i + 1) || i > 0 && high(i - 1) { -2 } else { 2 };
            }
        }
        let named = if is_named && broken == 0 { 1 << 40 } else { 0 };
        named + score - 10 * broken
    }
}
