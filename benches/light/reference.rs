//! The crate `go_game_board` as the yardstick: the light playout on its board, under moku's rules, with exactly
//! uniform choice. `Plain` asks its 3x3 codes each time; `Table` asks a table over all codes, filled once.

use go_game_board::types::{Nat, Player, Vertex};
use go_game_board::{Board, Hash3x3};
use moku::base::Rng;

/// How often to draw blindly from the empty points before listing the playable ones.
const DRAWS: usize = 4;

pub enum Rules {
    Plain,
    /// For each 3x3 code, bit 0 (Black) and bit 1 (White): legal there and not an own eye.
    Table(Vec<u8>),
}

fn is_playable(code: Hash3x3, player: Player) -> bool {
    !code.is_eyelike(player) && code.is_legal(player)
}

impl Rules {
    pub fn table() -> Rules {
        let both = |code| is_playable(code, Player::Black) as u8 | (is_playable(code, Player::White) as u8) << 1;
        Rules::Table(Hash3x3::all().map(both).collect())
    }

    #[inline(always)]
    fn allow(&self, board: &Board, player: Player, v: Vertex) -> bool {
        let code = board.hash3x3_at(v);
        let playable = match self {
            Rules::Plain => is_playable(code, player),
            Rules::Table(table) => table[usize::from(code)] >> usize::from(player) & 1 != 0,
        };
        playable && v != board.ko_vertex()
    }
}

pub struct Reference {
    empty: Board,
    board: Board,
    cap: usize,
    rules: Rules,
}

impl Reference {
    pub fn new(size: usize, rules: Rules) -> Reference {
        let empty = Board::with_size(size, size);
        Reference { board: empty.clone(), empty, cap: 3 * size * size, rules }
    }

    /// One playout from the empty board: its moves and its score for Black.
    pub fn playout(&mut self, rng: &mut Rng) -> (usize, i32) {
        self.board.load(&self.empty);
        let mut moves = 0;
        while moves < self.cap && !self.board.both_player_pass() {
            let v = self.choose(rng);
            self.board.play_legal(self.board.act_player(), v);
            moves += 1;
        }
        (moves, self.board.playout_score() + 6) // its komi of 6.5 counts as 6
    }

    /// A blind draw that happens to be playable is uniform over the playable points, and so is a draw from their list.
    #[inline(always)]
    fn choose(&self, rng: &mut Rng) -> Vertex {
        let (board, player) = (&self.board, self.board.act_player());
        let empties = board.empty_vertex_count();
        if empties == 0 {
            return Vertex::pass();
        }
        for _ in 0..DRAWS {
            let v = board.empty_vertex(rng.below(empties as u32) as usize);
            if self.rules.allow(board, player, v) {
                return v;
            }
        }
        let mut list = [Vertex::pass(); 19 * 19];
        let mut count = 0;
        for i in 0..empties {
            let v = board.empty_vertex(i);
            list[count] = v;
            count += self.rules.allow(board, player, v) as usize;
        }
        if count == 0 { Vertex::pass() } else { list[rng.below(count as u32) as usize] }
    }
}
