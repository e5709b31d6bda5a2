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
    /// Where the last stone would become part of a five.
    threats: Vec<usize>,
}

impl Mailbox {
    pub fn new(n: usize) -> Mailbox {
        let stride = n + 2 * MARGIN;
        Mailbox { n, stride, cells: vec![OFF; stride * stride], empty: Vec::new(), threats: Vec::new() }
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
        self.threats.clear();
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

    /// One playout from the empty board: moves, and 1, 0 or -1 for Black.
    pub fn playout(&mut self, rng: &mut Rng) -> (usize, i32) {
        self.clear();
        let (mut moves, mut color) = (0, 1u8);
        let mut rest = self.empty.len();
        while moves < self.n * self.n {
            let p = if self.threats.is_empty() {
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
                self.threats[rng.below(self.threats.len() as u32) as usize]
            };
            self.cells[p] = color;
            moves += 1;
            if self.look_around(p, color) {
                return (moves, if color == 1 { 1 } else { -1 });
            }
            color = 3 - color;
        }
        (moves, 0)
    }

    /// Does the new stone make exactly five? If not, finds the empty points where one more makes five with it: up to the
    /// first gap each way, what lies beyond the gap counted.
    fn look_around(&mut self, p: usize, color: u8) -> bool {
        self.threats.clear();
        for step in self.steps().map(|s| s as isize) {
            let (ahead, behind) = (self.run(p, step, color), self.run(p, -step, color));
            if ahead + 1 + behind == 5 {
                return true;
            }
            for (way, near) in [(step, ahead), (-step, behind)] {
                let gap = (p as isize + way * (near as isize + 1)) as usize;
                if self.cells[gap] == EMPTY
                    && ahead + 1 + behind + 1 + self.run(gap, way, color) == 5
                    && !self.threats.contains(&gap)
                {
                    self.threats.push(gap);
                }
            }
        }
        false
    }
}
