//! The yardstick: playouts that block fours on a plain mailbox, with rows counted cell by cell.

use moku::base::Rng;

const EMPTY: u8 = 0;
const OFF: u8 = 3;
const MARGIN: usize = 1;

pub struct Mailbox {
    n: usize,
    stride: usize,
    cells: Vec<u8>,
    empty: Vec<usize>,
    /// Points where each colour may make five; looked at again before they are believed.
    threats: [Vec<usize>; 2],
}

impl Mailbox {
    pub fn new(n: usize) -> Mailbox {
        let stride = n + 2 * MARGIN;
        Mailbox { n, stride, cells: vec![OFF; stride * stride], empty: Vec::new(), threats: [Vec::new(), Vec::new()] }
    }

    fn steps(&self) -> [usize; 4] {
        [1, self.stride, self.stride + 1, self.stride - 1]
    }

    fn clear(&mut self) {
        self.empty.clear();
        for y in 0..self.n {
            for x in 0..self.n {
                let p = (y + MARGIN) * self.stride + x + MARGIN;
                self.cells[p] = EMPTY;
                self.empty.push(p);
            }
        }
        self.threats.iter_mut().for_each(Vec::clear);
    }

    /// Stones of a colour in a row next to a point, one way.
    fn run(&self, p: usize, step: isize, color: u8) -> usize {
        let mut count = 0;
        let mut q = p as isize + step;
        while self.cells[q as usize] == color {
            count += 1;
            q += step;
        }
        count
    }

    /// Would a stone here make exactly five?
    fn makes_five(&self, p: usize, color: u8) -> bool {
        self.steps().iter().any(|&s| self.run(p, s as isize, color) + 1 + self.run(p, -(s as isize), color) == 5)
    }

    /// One playout from the empty board: moves, and 1, 0 or -1 for Black.
    pub fn playout(&mut self, rng: &mut Rng) -> (usize, i32) {
        self.clear();
        let (mut moves, mut color) = (0, 1u8);
        let mut rest = self.empty.len();
        while moves < self.n * self.n {
            let opponent = 3 - color;
            let mut threats = std::mem::take(&mut self.threats[opponent as usize - 1]);
            threats.retain(|&p| self.cells[p] == EMPTY && self.makes_five(p, opponent));
            let p = if threats.is_empty() {
                loop {
                    let i = rng.below(rest as u32) as usize;
                    rest -= 1;
                    let p = self.empty[i];
                    self.empty.swap(i, rest);
                    if self.cells[p] == EMPTY {
                        break p;
                    }
                }
            } else {
                threats[rng.below(threats.len() as u32) as usize]
            };
            self.threats[opponent as usize - 1] = threats;
            let wins = self.makes_five(p, color);
            self.cells[p] = color;
            moves += 1;
            if wins {
                return (moves, if color == 1 { 1 } else { -1 });
            }
            self.find_threats(p, color);
            color = opponent;
        }
        (moves, 0)
    }

    /// Empty points in line with a new stone where one more makes five.
    fn find_threats(&mut self, p: usize, color: u8) {
        for step in self.steps() {
            for step in [step as isize, -(step as isize)] {
                let mut q = p as isize;
                for _ in 0..4 {
                    q += step;
                    match self.cells[q as usize] {
                        c if c == color => {}
                        EMPTY => {
                            let q = q as usize;
                            if self.makes_five(q, color) && !self.threats[color as usize - 1].contains(&q) {
                                self.threats[color as usize - 1].push(q);
                            }
                            break; // a five has no second gap
                        }
                        _ => break,
                    }
                }
            }
        }
    }
}
