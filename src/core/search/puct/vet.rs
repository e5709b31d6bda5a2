//! Doubts about the moves that lead: they are read for threats with far more work than other nodes.

use super::{Puct, ROOT};
use crate::base::{Color, Point};
use crate::game::Game;
use crate::knowledge::gobang::{Effort, Known, Quiet, Reader};
use crate::search::tree::Node;
use crate::search::{MoveStats, Proof, Worker};
use std::cmp::Ordering;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Playouts before the leading move is read for the first time, and how many leaders may be refuted at a time.
const FROM: u32 = 128;
const LEADERS: usize = 4;
/// Playouts between two looks at the move that would be played.
const EACH: u32 = 32;
/// The most of the time left that one reading may take.
const TIME: f64 = 0.3;

pub(super) struct Vetting {
    /// Stones to put for each playout so far: with quiet moves where the engine line allows them, and with quiet moves
    /// anywhere; 0: no such reading.
    work: f64,
    deep: f64,
    /// A move that would be played is read again when its last reading had less than this part of the work; 0: never.
    doubt: f64,
    order: fn(&MoveStats, &MoveStats) -> Ordering,
    /// Playouts of this search when all is read next, and when the move that would be played is looked at next.
    at: AtomicU32,
    doubt_at: AtomicU32,
    /// Moves at the root with the work of their last reading.
    read: Mutex<Vec<(Point, u64)>>,
}

impl Vetting {
    pub fn new(work: f64, deep: f64, doubt: f64, order: fn(&MoveStats, &MoveStats) -> Ordering) -> Vetting {
        let [at, doubt_at] = [AtomicU32::new(FROM), AtomicU32::new(FROM)];
        Vetting { work, deep, doubt, order, at, doubt_at, read: Mutex::new(Vec::new()) }
    }

    /// Is something due after so many playouts? The next time is set, so that one worker alone does it.
    fn is_due(at: &AtomicU32, made: u32, next: u32) -> bool {
        let due = at.load(Relaxed);
        made >= due && at.compare_exchange(due, next.max(due), Relaxed, Relaxed).is_ok()
    }

    /// The work of a move's last reading.
    pub fn work_of(&self, p: Point) -> u64 {
        let read = self.read.lock().unwrap_or_else(|broken| broken.into_inner());
        read.iter().find(|r| r.0 == p).map_or(0, |r| r.1)
    }

    fn remember(&self, p: Point, work: u64) {
        let mut read = self.read.lock().unwrap_or_else(|broken| broken.into_inner());
        match read.iter_mut().find(|r| r.0 == p) {
            Some(known) => known.1 = work,
            None => read.push((p, work)),
        }
    }
}

impl<G: Game> Puct<G> {
    /// Reads the root and the move that leads with work in proportion to the playouts so far, each time they have doubled,
    /// and the move that would be played whenever that was not done.
    pub(super) fn vet(&self, worker: &Worker, reader: &mut Reader) {
        let vetting = &self.vetting;
        if vetting.work == 0.0 && vetting.deep == 0.0 {
            return;
        }
        let made = self.tree.node(ROOT).visits().saturating_sub(self.kept);
        if Vetting::is_due(&vetting.at, made, vetting.at.load(Relaxed).saturating_mul(2)) {
            if self.vet_root(made, worker, reader) {
                return;
            }
            self.vet_leaders(made, worker, reader, 0.0, |children| children.max_by_key(|n| n.visits()));
        }
        if vetting.doubt > 0.0 && Vetting::is_due(&vetting.doubt_at, made, made.saturating_add(EACH)) {
            let stats = |n: &Node| MoveStats {
                visits: n.visits().into(),
                weight: n.weight(),
                rate: n.rate(),
                ..MoveStats::new(n.point(), Vec::new())
            };
            let order = vetting.order;
            self.vet_leaders(made, worker, reader, vetting.doubt, |children| {
                children.max_by(|a, b| order(&stats(a), &stats(b)))
            });
        }
    }

    /// Work for one reading with so many stones for each playout.
    fn vet_work(&self, made: u32, each: f64, worker: &Worker, reader: &Reader) -> u64 {
        let mut work = f64::from(made) * each;
        if let Some((gone, left)) = worker.time() {
            let speed = reader.lines.work() as f64 / gone.as_secs_f64().max(1e-4);
            work = work.min(TIME * left.as_secs_f64() * speed);
        }
        work as u64
    }

    /// A win of this colour, to move, by threats: first with few quiet moves, then with quiet moves anywhere.
    fn long_threats(&self, color: Color, made: u32, worker: &Worker, reader: &mut Reader) -> Option<Vec<Point>> {
        let work = self.vet_work(made, self.vetting.work, worker, reader);
        let found = if work > 0 { reader.threats(color, work) } else { None };
        if found.is_some() || self.vetting.deep == 0.0 {
            return found;
        }
        let work = self.vet_work(made, self.vetting.deep, worker, reader);
        let usual = std::mem::replace(&mut reader.quiet, Quiet::Everywhere);
        let found = reader.threats(color, work);
        reader.quiet = usual;
        found
    }

    /// What the side to play threatens, and what threatens it; true if that settled the root.
    fn vet_root(&self, made: u32, worker: &Worker, reader: &mut Reader) -> bool {
        let root = self.tree.node(ROOT);
        let children = self.tree.children(root).1;
        if let Some(line) = self.long_threats(self.color, made, worker, reader) {
            if let Some(child) = line.first().and_then(|p| children.iter().find(|n| n.point() == *p)) {
                child.prove(Proof::win_in(line.len().div_ceil(2)));
            }
            return true;
        }
        let opponent = self.color.opponent();
        if self.effort.defends
            && reader.lines.fives(opponent).is_empty()
            && let Some(line) = self.long_threats(opponent, made, worker, reader)
            && let Some(holding) = reader.defences(opponent)
            && children.iter().any(|n| holding.contains(n.point()))
        {
            self.drop_losing(root, holding, line.len().div_ceil(2));
        }
        false
    }

    /// What threatens the side to play after the best move that is not refuted yet, unless that was read with this part of
    /// the work before.
    fn vet_leaders(
        &self,
        made: u32,
        worker: &Worker,
        reader: &mut Reader,
        part: f64,
        best: impl for<'a> Fn(&mut dyn Iterator<Item = &'a Node>) -> Option<&'a Node>,
    ) {
        let children = self.tree.children(self.tree.node(ROOT)).1;
        let opponent = self.color.opponent();
        let each = self.vetting.work.max(self.vetting.deep);
        for _ in 0..LEADERS {
            let leader = best(&mut children.iter().filter(|n| n.proof().is_none()));
            let Some(leader) = leader else { return };
            let work = self.vet_work(made, each, worker, reader);
            if part > 0.0 && self.vetting.work_of(leader.point()) as f64 >= part * work as f64 {
                return;
            }
            self.vetting.remember(leader.point(), work);
            reader.lines.play(leader.point(), self.color);
            let sight = reader.look(opponent, Effort { threats: 0, defends: false, ..self.effort });
            let lost_in = match sight.known {
                Some(Known::Win(moves)) => Some(moves),
                Some(Known::Loss(_)) => None,
                None => self.long_threats(opponent, made, worker, reader).map(|line| line.len().div_ceil(2)),
            };
            reader.lines.undo();
            match lost_in {
                Some(moves) => leader.prove(Proof::loss_in(moves)),
                None => return,
            }
        }
    }
}
