//! Good shapes of 3x3 points: the hanes, cuts and side moves of Gelly, Wang, Munos and Teytaud 2006, to which Go programs
//! have added a few since.

use crate::game::go::facts::Neighbourhood;
use std::sync::LazyLock;

/// The point in the middle is where to play. `X` and `O` are the two colours, either way round; `.` is empty, `|` off the
/// board, `?` anything; `x` anything but X, `o` anything but O.
const SHAPES: [&str; 13] = [
    // hane around a stone, three ways
    "X O X / . . . / ? ? ?",
    "X O . / . . . / ? . ?",
    "X O ? / X . . / x . ?",
    // a diagonal attachment
    ". O . / X . . / . . .",
    // cuts: unprotected, peeped at, pushed through, by a knight's move
    "X O ? / O . o / ? o ?",
    "X O ? / O . X / ? ? ?",
    "? X ? / O . O / o o o",
    "O X ? / o . O / ? ? ?",
    // at the edge: chasing, blocking a cut, blocking a connection, going down, cutting
    "X . ? / O . ? / | | |",
    "O X ? / X . O / | | |",
    "? X ? / x . O / | | |",
    "? X O / x . x / | | |",
    "? O X / X . O / | | |",
];

/// A set of neighbourhoods: one bit for each.
pub struct Shapes([u64; 1024]);

impl Shapes {
    #[inline(always)]
    pub fn contains(&self, code: Neighbourhood) -> bool {
        self.0[code as usize / 64] >> (code % 64) & 1 != 0
    }
}

/// The neighbourhoods in whose middle a stone of either colour is a good shape.
pub fn good() -> &'static Shapes {
    static GOOD: LazyLock<Shapes> = LazyLock::new(|| {
        let mut shapes = Shapes([0; 1024]);
        for shape in SHAPES {
            let cells: Vec<char> = shape.chars().filter(|c| !" /".contains(*c)).collect();
            for turn in 0..8 {
                for swap in [false, true] {
                    mark(&mut shapes.0, &cells, turn, swap);
                }
            }
        }
        shapes
    });
    &GOOD
}

/// Column and row, from the middle, of each place in a code.
pub const PLACES: [(i32, i32); 8] = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];

/// Sets the bits of all codes that a shape, turned and perhaps with colours swapped, allows.
fn mark(table: &mut [u64], cells: &[char], turn: u32, swap: bool) {
    let allowed = PLACES.map(|(x, y)| {
        let (x, y) = if turn & 1 != 0 { (-x, y) } else { (x, y) };
        let (x, y) = if turn & 2 != 0 { (x, -y) } else { (x, y) };
        let (x, y) = if turn & 4 != 0 { (y, x) } else { (x, y) };
        let (own, other) = if swap { (2, 1) } else { (1, 2) };
        let kinds: Vec<u16> = match cells[((y + 1) * 3 + x + 1) as usize] {
            '.' => vec![0],
            'X' => vec![own],
            'O' => vec![other],
            'x' => vec![0, other, 3],
            'o' => vec![0, own, 3],
            '|' => vec![3],
            _ => vec![0, 1, 2, 3],
        };
        kinds
    });
    let mut codes = vec![0u16];
    for (i, kinds) in allowed.iter().enumerate() {
        codes = codes.iter().flat_map(|code| kinds.iter().map(move |kind| code | kind << (2 * i))).collect();
    }
    for code in codes {
        table[code as usize / 64] |= 1 << (code % 64);
    }
}

#[cfg(test)]
mod tests {
    use super::good as shapes;
    use crate::base::{Point, Size};
    use crate::game::go::{Go9, SlowBoard};

    fn code(picture: &str, vertex: &str) -> (Go9, Point) {
        let slow = SlowBoard::from_picture(picture);
        let mut board = Go9::new(slow.size, 0.5);
        assert!(board.set_stones(slow.size.points().filter_map(|p| Some((p, slow.at(p)?)))));
        let p = slow.size.point_from_gtp(vertex).unwrap();
        (board, p)
    }

    #[test]
    fn hanes_and_cuts_are_good_in_all_turns_and_colours_and_an_empty_board_is_not() {
        let good = |picture: &str| {
            let (board, p) = code(picture, "C3");
            shapes().contains(board.neighbourhood(p))
        };
        assert!(good(". . . . .\n. X O X .\n. . . . .\n. . . . .\n. . . . ."));
        assert!(good(". . . . .\n. O . . .\n. X . . .\n. O . . .\n. . . . ."));
        assert!(good(". . . . .\n. X O . .\n. O . . .\n. . . . .\n. . . . ."));
        assert!(!good(". . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . ."));
        assert!(!good(". . . . .\n. X X X .\n. X . X .\n. X . X .\n. . . . ."));
        let empty = Go9::new(Size::new(9).unwrap(), 0.5);
        assert!(empty.size().points().all(|p| !shapes().contains(empty.neighbourhood(p))));
    }

    #[test]
    fn a_neighbourhood_is_what_stands_around() {
        let (board, p) = code(". X .\n. . O\nX O .", "A1");
        // A1 itself is taken; what matters is what is around it: nothing left and below, O right, empty above.
        let kinds: Vec<u16> = (0..8).map(|i| board.neighbourhood(p) >> (2 * i) & 3).collect();
        assert_eq!(kinds, [3, 3, 2, 0, 3, 3, 3, 0]);
    }
}
