//! The words by which sets tell right moves from wrong ones.

use crate::problem::words;

/// How a word is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Look {
    /// A word of its own, in capitals or small.
    Word,
    /// In capitals only, since it is also an everyday word.
    Capitals,
    /// The whole comment, in capitals or small.
    Alone,
    /// Words that follow one another, in capitals or small.
    Phrase,
    /// At the beginning.
    Start,
    /// Anywhere: scripts without blanks.
    Part,
}

/// What is looked for, and whether it says right (`Some(true)`), wrong, or nothing though it looks like it. The first row
/// that fits counts.
const CONVENTIONS: [(&str, Look, Option<bool>); 29] = [
    ("+", Look::Start, Some(true)),
    ("-", Look::Start, Some(false)),
    ("不正解", Look::Part, Some(false)),
    ("不正确", Look::Part, Some(false)),
    ("正解", Look::Part, Some(true)),
    ("正确", Look::Part, Some(true)),
    ("正確", Look::Part, Some(true)),
    ("成功", Look::Part, Some(true)),
    ("정답", Look::Part, Some(true)),
    ("失败", Look::Part, Some(false)),
    ("失敗", Look::Part, Some(false)),
    ("错误", Look::Part, Some(false)),
    ("錯誤", Look::Part, Some(false)),
    ("실패", Look::Part, Some(false)),
    ("오답", Look::Part, Some(false)),
    // A variation, a node where the solver chooses, an answer that is forced: nothing about right or wrong.
    ("変化", Look::Part, None),
    ("变化", Look::Part, None),
    ("NOTTHIS", Look::Capitals, Some(false)),
    ("that is right", Look::Phrase, Some(true)),
    ("that s right", Look::Phrase, Some(true)),
    ("RIGHT", Look::Capitals, Some(true)),
    ("WRONG", Look::Capitals, Some(false)),
    ("right", Look::Alone, Some(true)),
    ("wrong", Look::Alone, Some(false)),
    ("correct", Look::Word, Some(true)),
    ("incorrect", Look::Word, Some(false)),
    ("success", Look::Word, Some(true)),
    ("failure", Look::Word, Some(false)),
    ("solution", Look::Alone, Some(true)),
];

/// Words that turn the one after them round.
const NEGATIONS: [&str; 4] = ["not", "isn", "t", "never"];

/// What a comment says of the line that it stands on; `None` if nothing.
pub fn verdict_of(comment: &str) -> Option<bool> {
    let comment = comment.trim();
    let all: Vec<&str> = words(comment).collect();
    // Of words the first in the text, not the first in the table.
    let is_word = |look: Look| matches!(look, Look::Word | Look::Capitals);
    let first = (0..all.len()).find_map(|i| {
        let fits = |(name, look, _): &&(&str, Look, Option<bool>)| match look {
            Look::Word => all[i].eq_ignore_ascii_case(name),
            Look::Capitals => all[i] == *name,
            _ => false,
        };
        let negated = i > 0 && NEGATIONS.iter().any(|no| all[i - 1].eq_ignore_ascii_case(no));
        CONVENTIONS.iter().find(fits).and_then(|row| row.2).map(|right| right != negated)
    });
    let small = all.join(" ").to_ascii_lowercase();
    for (name, look, says) in CONVENTIONS.iter().filter(|row| !is_word(row.1)) {
        let fits = match look {
            Look::Start => comment.starts_with(name),
            Look::Part => comment.contains(name),
            Look::Alone => small == *name,
            _ => format!(" {small} ").contains(&format!(" {name} ")),
        };
        if fits {
            return says.or(first);
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_convention_is_read_and_common_words_are_not_taken_for_one() {
        for (comment, expected) in [
            ("RIGHT", Some(true)),
            ("right", Some(true)),
            ("Correct!", Some(true)),
            ("That is right.", Some(true)),
            ("Success", Some(true)),
            ("Solution", Some(true)),
            ("+", Some(true)),
            ("黑先白死 正解", Some(true)),
            ("正确", Some(true)),
            ("成功", Some(true)),
            ("정답", Some(true)),
            ("WRONG", Some(false)),
            ("Incorrect", Some(false)),
            ("not correct", Some(false)),
            ("This is NOT RIGHT", Some(false)),
            ("- no", Some(false)),
            ("NOTTHIS", Some(false)),
            ("失败", Some(false)),
            ("失敗図", Some(false)),
            ("错误", Some(false)),
            ("실패", Some(false)),
            ("不正解", Some(false)),
            ("変化図", None),
            ("变化", None),
            ("FORCE", None),
            ("CHOICE", None),
            ("the right side", None),
            ("The solution is elsewhere", None),
            ("", None),
        ] {
            assert_eq!(verdict_of(comment), expected, "{comment}");
        }
    }
}
