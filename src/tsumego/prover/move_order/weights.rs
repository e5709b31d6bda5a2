//! In the form that `moku tsumego learn --promises` writes.
//!
//! Fitted to 10,852 won positions in searches of random problems. Taken as they were they made whole searches longer (perhaps
//! because a move that is easy to refute is worth trying early where all are refuted in the end); at 0.3 of the fit for the
//! attacker and 0.15 for the defender they make them shorter. Liberties of the defender and room of the attacker did harm and
//! are left out.

use super::Weights;

/// By side to move, the defender first.
#[rustfmt::skip]
pub const WEIGHTS: [Weights; 2] = [
    [
        // stones taken: none, one, ... four or more
        -10, 5, 5, 0, 0,
        // liberties: none (of its own), one, ... five or more; and safe for good
        0, 0, 0, 0, 0, 0, 0,
        // a crucial chain is left with one liberty: no, yes
        0, 0,
        // other chains left with one liberty: none, one, more
        -9, 0, 9,
        // own chains joined: none, one, two, more
        -12, -5, 6, 11,
        // one of them had one liberty: no, yes
        0, 7,
        // by the distance to the nearer edge, then to the other
        -3, 3, 6, 2, -1, -4, 0,
        0, 6, 7, 2, 0, -2, 3,
        0, 0, 4, 0, -4, -4, 1,
        0, 0, 0, -1, -3, -7, 0,
        0, 0, 0, 0, -3, -4, 0,
        // free neighbours in the room for eyes, of a point outside of it and of one inside
        -10, -3, 9, 0, 0,
        -18, -9, 1, 10, 20,
        // points of the room that a stone makes useless for eyes: none to five or more
        -2, 2, 0, 0, 0, 0,
        // where the opponent's last stone is: elsewhere, beside, diagonal, two away, a knight's move away
        -2, 4, 0, -1, -1,
    ],
    [
        // stones taken: none, one, ... four or more
        -22, 6, 5, 2, 10,
        // liberties: none (of its own), one, ... five or more; and safe for good
        0, -28, -2, 8, 11, 14, -3,
        // a crucial chain is left with one liberty: no, yes
        0, 30,
        // other chains left with one liberty: none, one, more
        -10, 3, 7,
        // own chains joined: none, one, two, more
        0, -3, 1, 3,
        // one of them had one liberty: no, yes
        0, 22,
        // by the distance to the nearer edge, then to the other
        -16, -2, 5, 6, 4, -4, 1,
        0, 8, 10, 9, 5, -2, 6,
        0, 0, 10, 6, 1, -7, 3,
        0, 0, 0, 4, -7, -18, -2,
        0, 0, 0, 0, -12, -8, 0,
        // free neighbours in the room for eyes, of a point outside of it and of one inside
        0, 0, 0, 0, 0,
        0, 0, 0, 0, 0,
        // points of the room that a stone makes useless for eyes: none to five or more
        -19, -7, 11, 19, 20, 25,
        // where the opponent's last stone is: elsewhere, beside, diagonal, two away, a knight's move away
        -8, 1, 8, 0, -1,
    ],
];
