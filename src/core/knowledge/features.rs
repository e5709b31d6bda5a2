//! The table of what is asked about a move. Each row is a question whose answer is a small number; 0 says nothing, every other
//! answer has a weight of its own. `tactics` answers fast, `slow` answers plainly, and a test holds them together.

/// A question about a move.
pub struct Feature {
    pub name: &'static str,
    /// What the answers mean.
    pub about: &'static str,
    /// Number of answers, 0 included.
    pub answers: usize,
}

const fn row(name: &'static str, answers: usize, about: &'static str) -> Feature {
    Feature { name, about, answers }
}

/// Sizes of chains fall into four classes: 1, 2, 3 to 5, more.
pub const SIZES: usize = 4;

#[inline(always)]
pub fn size_class(stones: usize) -> usize {
    match stones {
        0 | 1 => 0,
        2 => 1,
        3..=5 => 2,
        _ => 3,
    }
}

/// The questions, by their place in `FEATURES`.
pub const PASS: usize = 0;
pub const LINE: usize = 1;
pub const LAST: usize = 2;
pub const PREVIOUS: usize = 3;
pub const FATE_LAST: usize = 4;
pub const FATE_PREVIOUS: usize = 5;
pub const CAPTURE: usize = 6;
pub const SAVE: usize = 7;
pub const ATARI: usize = 8;
pub const SELF_ATARI: usize = 9;
pub const OWN_TWO: usize = 10;
pub const OWN_THREE: usize = 11;
pub const PRESS: usize = 12;
pub const KO: usize = 13;
pub const JOIN: usize = 14;
pub const ANSWER: usize = 15;
pub const PURSUE: usize = 16;
pub const REGION: usize = 17;

/// Lines from the edge and stages of the game that are told apart.
pub const LINES: usize = 7;
pub const STAGES: usize = 5;
/// Distances up to these are told apart: dx + dy + max(dx, dy), and steps where a chain is one point.
pub const FAR: usize = 19;
pub const FAR_FATE: usize = 10;
/// Regions up to this size are told apart.
pub const LARGEST_REGION: usize = 7;

pub const FEATURES: [Feature; 18] = [
    row("pass", 3, "a pass: after a move, after a pass"),
    row(
        "line",
        LINES * STAGES + 1,
        "line from the edge (1 to 7), by stage (stones on the board, in tenths of its area)",
    ),
    row("last", FAR, "distance to the last move: dx + dy + max(dx, dy), less 1"),
    row("previous", FAR, "distance to the move before it"),
    row("fate-last", FAR_FATE + 1, "common fate distance to the last move: steps, where a chain is one point"),
    row("fate-previous", FAR_FATE + 1, "common fate distance to the move before it"),
    row(
        "capture",
        4 * SIZES + 1,
        "stones taken; a chain of one's own in atari is freed; the last move's stone is among them",
    ),
    row("save", 5 * SIZES + 1, "own chain in atari joined: liberties then 1, 2 caught in a ladder, 2, 3, more"),
    row("atari", 4 * SIZES + 1, "enemy chain put into atari: it is caught in a ladder; the new chain has one liberty"),
    row("self-atari", 2 * SIZES + 1, "the new chain has one liberty: with nothing taken, or something"),
    row(
        "own-two",
        6 * SIZES + 1,
        "own chain of two liberties joined: liberties then up to 2, 3, more; a ladder threatens it",
    ),
    row("own-three", 3 * SIZES + 1, "own chain of three liberties joined: liberties then up to 3, 4, more"),
    row("press", 2 * SIZES + 1, "enemy chain of three or four liberties loses one"),
    row("ko", 4, "takes a ko; while a ko is on: an atari or capture, anything else"),
    row("join", 25, "different chains around: own, enemy's"),
    row("answer", 5, "liberty of an own chain next to the last move, by its liberties"),
    row("pursue", 5, "liberty of the chain of the last move, by its liberties"),
    row("region", 4 * LARGEST_REGION + 1, "small region of empty points within one colour: size, whose, its middle"),
];

/// The answers about one move.
pub type Answers = [u8; FEATURES.len()];

/// Where the weights of each question begin, and the number of all.
const OFFSETS: [usize; FEATURES.len() + 1] = {
    let mut offsets = [0; FEATURES.len() + 1];
    let mut i = 0;
    while i < FEATURES.len() {
        offsets[i + 1] = offsets[i] + FEATURES[i].answers;
        i += 1;
    }
    offsets
};

/// Number of weights of the questions.
pub const WEIGHTS: usize = OFFSETS[FEATURES.len()];

/// The weights that a move's answers ask for.
#[inline(always)]
pub fn indices(answers: &Answers) -> impl Iterator<Item = usize> {
    answers.iter().enumerate().filter(|&(_, &answer)| answer != 0).map(|(i, &answer)| OFFSETS[i] + answer as usize)
}

/// The weights of one question.
pub fn range(feature: usize) -> std::ops::Range<usize> {
    OFFSETS[feature]..OFFSETS[feature + 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_has_a_weight_of_its_own() {
        let mut seen = vec![0; WEIGHTS];
        for (i, feature) in FEATURES.iter().enumerate() {
            assert!(feature.answers <= 256, "{}", feature.name);
            for answer in 1..feature.answers {
                let mut answers = Answers::default();
                answers[i] = answer as u8;
                for index in indices(&answers) {
                    assert!(range(i).contains(&index));
                    seen[index] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&n| n <= 1));
        assert_eq!(seen.iter().sum::<usize>(), WEIGHTS - FEATURES.len());
    }
}
