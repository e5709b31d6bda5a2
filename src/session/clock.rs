//! Time: the settings of a game, each side's clock, and how long to think about the next move.
//!
//! The clock runs by itself between `time_left` messages, since many front ends send none.
//!
//! No move takes just the time it was given: workers wake up late on a busy machine, answers travel. How late moves are is
//! learnt from those before, and kept back: what a move costs beyond its time is its mean lateness and twice the mean
//! deviation from it, and whatever else happens, the latest move of late must not be the last.

use crate::base::Color;
use std::time::Duration;

/// Time settings as GTP and KGS know them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TimeControl {
    None,
    Absolute {
        main: Duration,
    },
    /// A number of stones within each period.
    Canadian {
        main: Duration,
        period: Duration,
        stones: u32,
    },
    /// Periods of one move each, lost when used up.
    Byoyomi {
        main: Duration,
        period: Duration,
        periods: u32,
    },
    /// Every move adds some time, up to a most if there is one; a move may have a most of its own.
    Fischer {
        main: Duration,
        increment: Duration,
        most: Option<Duration>,
        most_per_move: Option<Duration>,
    },
}

/// What a side has left.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Left {
    time: Duration,
    /// Stones to play in this period, or periods left; 0 is main time.
    stones: u32,
}

#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    left: [Left; 2],
    lateness: Lateness,
    /// What each side used by its own account, and in how many moves.
    used: [(Duration, u32); 2],
}

/// How much later than planned moves are, as learnt from those before. Stays from game to game.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Lateness {
    mean: f64,
    deviation: f64,
    /// The worst of late: every move that is better wears it off.
    worst: f64,
    /// Seconds a move that only the front end's clock sees.
    travel: f64,
}

impl Lateness {
    const UNKNOWN: Lateness = Lateness { mean: 0.01, deviation: 0.0, worst: 0.03, travel: 0.0 };
    /// A new observation counts this much.
    const WEIGHT: f64 = 0.2;
    const WEAR: f64 = 0.97;

    fn learn(&mut self, seconds: f64) {
        self.deviation += Lateness::WEIGHT * ((seconds - self.mean).abs() - self.deviation);
        self.mean += Lateness::WEIGHT * (seconds - self.mean);
        self.worst = seconds.max(self.worst * Lateness::WEAR).max(Lateness::UNKNOWN.worst);
    }

    /// What to expect of a move, rather too much than too little.
    fn of_a_move(&self) -> Duration {
        seconds((self.mean + 2.0 * self.deviation).max(0.003) + self.travel)
    }

    /// What may well happen once.
    fn at_worst(&self) -> Duration {
        seconds(self.worst * 1.5 + self.travel)
    }
}

/// A side's clock is told in whole seconds by many: as much of what is missing is no journey.
const ROUNDING: f64 = 1.0;
/// Of an absolute time this share, but no more than this long, is kept for a game that will not end: every answer is
/// a little late, and so many more moves must be possible.
const SPARE_SHARE: f64 = 0.25;
const SPARE_MOST: Duration = Duration::from_secs(3);
const SPARE_MOVES: f64 = 250.0;
/// Where moves are late that alone may use up a clock: what so many of them are late is kept too.
const LATE_MOVES: f64 = 80.0;

impl Default for Clock {
    fn default() -> Self {
        Clock::new(TimeControl::None)
    }
}

impl Clock {
    pub fn new(control: TimeControl) -> Clock {
        let left = match control {
            TimeControl::None => Left { time: Duration::ZERO, stones: 0 },
            TimeControl::Absolute { main } | TimeControl::Fischer { main, .. } => Left { time: main, stones: 0 },
            TimeControl::Canadian { main, period, stones } if main.is_zero() => Left { time: period, stones },
            TimeControl::Byoyomi { main, period, periods } if main.is_zero() => Left { time: period, stones: periods },
            TimeControl::Canadian { main, .. } | TimeControl::Byoyomi { main, .. } => Left { time: main, stones: 0 },
        };
        Clock { control, left: [left; 2], lateness: Lateness::UNKNOWN, used: [(Duration::ZERO, 0); 2] }
    }

    /// Other settings; what was learnt about lateness stays.
    pub fn set_control(&mut self, control: TimeControl) {
        *self = Clock { lateness: self.lateness, ..Clock::new(control) };
    }

    /// GTP's `time_settings`: no limit if there is a period without stones, absolute without a period. Nobody who sends
    /// nothing but zeros means a game that is lost at once: no limit either.
    pub fn from_gtp(main: f64, period: f64, stones: u32) -> TimeControl {
        let (main, period) = (seconds(main), seconds(period));
        match (period.is_zero(), stones) {
            (true, _) if main.is_zero() => TimeControl::None,
            (true, _) => TimeControl::Absolute { main },
            (false, 0) => TimeControl::None,
            (false, stones) => TimeControl::Canadian { main, period, stones },
        }
    }

    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// A new game: both sides have their full time.
    pub fn reset(&mut self) {
        self.set_control(self.control);
    }

    /// The front end says what a side has left.
    pub fn set_left(&mut self, color: Color, time: f64, stones: u32) {
        self.left[color.index()] = Left { time: seconds(time), stones };
        let (used, moves) = self.used[color.index()];
        if let (TimeControl::Absolute { main }, 1..) = (self.control, moves) {
            let elsewhere = main.as_secs_f64() - used.as_secs_f64() - time - ROUNDING;
            self.lateness.travel = (elsewhere / moves as f64).clamp(0.0, 1.0);
        }
    }

    /// A move ended so much later than it should have.
    pub fn learn_lateness(&mut self, late: Duration) {
        self.lateness.learn(late.as_secs_f64());
    }

    /// What a side has left: time, and the stones of a period or the number of periods; 0 is main time.
    pub fn left(&self, color: Color) -> (Duration, u32) {
        let Left { time, stones } = self.left[color.index()];
        (time, stones)
    }

    /// Would a side that thinks this long have lost on time?
    pub fn is_lost(&self, color: Color, used: Duration) -> bool {
        let (time, stones) = self.left(color);
        let overtime = match (self.control, stones) {
            (TimeControl::None, _) => return false,
            (TimeControl::Byoyomi { period, periods, .. }, 0) => period * periods,
            (TimeControl::Byoyomi { period, .. }, left) => period * left.saturating_sub(1),
            (TimeControl::Canadian { period, .. }, 0) => period,
            _ => Duration::ZERO,
        };
        used > time + overtime
    }

    /// A side thought this long about a move.
    pub fn spend(&mut self, color: Color, used: Duration) {
        let (total, moves) = &mut self.used[color.index()];
        (*total, *moves) = (total.saturating_add(used), *moves + 1);
        let left = &mut self.left[color.index()];
        let mut used = used;
        if let TimeControl::Fischer { increment, most, .. } = self.control {
            let time = left.time.saturating_sub(used).saturating_add(increment);
            left.time = most.map_or(time, |most| time.min(most.max(increment)));
            return;
        }
        if left.stones == 0 {
            let (period, stones) = match self.control {
                TimeControl::Canadian { period, stones, .. } => (period, stones),
                TimeControl::Byoyomi { period, periods, .. } => (period, periods),
                _ => (Duration::ZERO, 0),
            };
            if used <= left.time || stones == 0 {
                left.time = left.time.saturating_sub(used);
                return;
            }
            used -= left.time;
            *left = Left { time: period, stones };
        }
        match self.control {
            TimeControl::Canadian { period, stones, .. } => {
                left.time = left.time.saturating_sub(used);
                left.stones -= 1;
                if left.stones == 0 {
                    *left = Left { time: period, stones };
                }
            }
            TimeControl::Byoyomi { period, .. } => {
                let over = used.saturating_sub(left.time).as_secs_f64();
                let lost = if used < left.time { 0 } else { 1 + (over / period.as_secs_f64().max(1e-9)) as u32 };
                *left = Left { time: period, stones: left.stones.saturating_sub(lost).max(1) };
            }
            _ => left.time = left.time.saturating_sub(used),
        }
    }

    /// How long to think about a move when about this many own moves are still to come; None is no limit.
    pub fn allot(&self, color: Color, own_moves_to_come: f64) -> Option<Duration> {
        let left = self.left[color.index()];
        let moves = own_moves_to_come.max(1.0) + 3.0;
        let late = self.lateness.of_a_move();
        let share = left.time.div_f64(moves);
        // What overtime allows for one move; in main time it comes on top.
        let overtime = match self.control {
            TimeControl::Canadian { period, stones, .. } => period.div_f64(stones as f64 + 0.3),
            TimeControl::Byoyomi { period, .. } => period.mul_f64(0.85),
            _ => Duration::ZERO,
        };
        let available = if left.stones == 0 { left.time + overtime } else { left.time };
        let safe = available.saturating_sub(self.lateness.at_worst());
        let wanted = match (self.control, left.stones) {
            (TimeControl::None, _) => return None,
            (TimeControl::Absolute { main }, _) => {
                let usual = main.mul_f64(SPARE_SHARE).min(SPARE_MOST);
                let spare = usual.max(seconds(self.lateness.mean * LATE_MOVES));
                let beyond_spare = left.time.saturating_sub(spare).div_f64(moves);
                beyond_spare.max(left.time.div_f64(SPARE_MOVES))
            }
            (TimeControl::Fischer { increment, most_per_move, .. }, _) => {
                (share + increment.mul_f64(0.85)).min(most_per_move.unwrap_or(Duration::MAX))
            }
            (TimeControl::Canadian { .. } | TimeControl::Byoyomi { .. }, 0) => share.max(overtime),
            (TimeControl::Canadian { .. }, stones) => left.time.div_f64(stones as f64 + 0.3),
            (TimeControl::Byoyomi { .. }, _) => left.time.mul_f64(0.85),
        };
        Some(wanted.saturating_sub(late).min(safe.mul_f64(0.9)).max(Duration::from_millis(1)))
    }
}

fn seconds(s: f64) -> Duration {
    Duration::from_secs_f64(s.clamp(0.0, 1e9))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Black;

    fn s(x: f64) -> Duration {
        Duration::from_secs_f64(x)
    }

    #[test]
    fn time_settings_mean_what_gtp_says() {
        assert_eq!(Clock::from_gtp(0.0, 1.0, 0), TimeControl::None);
        assert_eq!(Clock::from_gtp(0.0, 0.0, 0), TimeControl::None, "nobody plays with no time at all");
        assert_eq!(Clock::from_gtp(60.0, 0.0, 0), TimeControl::Absolute { main: s(60.0) });
        let canadian = TimeControl::Canadian { main: s(0.0), period: s(5.0), stones: 1 };
        assert_eq!(Clock::from_gtp(0.0, 5.0, 1), canadian);
        assert_eq!(Clock::new(TimeControl::None).allot(Black, 30.0), None);
    }

    #[test]
    fn no_game_of_any_length_uses_more_than_its_absolute_time() {
        for moves in [20, 60, 200, 600] {
            let mut clock = Clock::new(TimeControl::Absolute { main: s(10.0) });
            let mut total = Duration::ZERO;
            for i in 0..moves {
                // Each answer is 3 ms late.
                let used = clock.allot(Black, (28.0 - i as f64).max(8.0)).unwrap() + Duration::from_millis(3);
                total += used;
                clock.spend(Black, used);
            }
            assert!(total < s(10.0), "{moves} moves took {total:?}");
        }
    }

    #[test]
    fn a_busy_machine_costs_no_game() {
        // Lateness as seen under a load of 46: mostly little, now and then a quarter of a second.
        let lateness = |i: u32| match i % 10 {
            9 => 0.28,
            4 => 0.12,
            _ => 0.02 + 0.004 * (i % 7) as f64,
        };
        for moves in [30, 60, 100] {
            let mut clock = Clock::new(TimeControl::Absolute { main: s(10.0) });
            let mut total = Duration::ZERO;
            for i in 0..moves {
                let late = s(lateness(i));
                let used = clock.allot(Black, (28.0 - i as f64).max(8.0)).unwrap() + late;
                clock.learn_lateness(late);
                total += used;
                clock.spend(Black, used);
            }
            assert!(total < s(10.0), "{moves} moves took {total:?}");
        }
    }

    #[test]
    fn lateness_is_forgotten_when_it_ends_and_the_journey_of_an_answer_is_seen() {
        let mut clock = Clock::new(TimeControl::Absolute { main: s(60.0) });
        let calm = clock.allot(Black, 20.0).unwrap();
        (0..20).for_each(|i| clock.learn_lateness(s(if i % 3 == 0 { 0.5 } else { 0.05 })));
        assert!(clock.allot(Black, 20.0).unwrap() + s(0.2) < calm);
        (0..200).for_each(|_| clock.learn_lateness(s(0.01)));
        assert!(clock.allot(Black, 20.0).unwrap() + s(0.01) > calm);
        clock.reset();
        (0..10).for_each(|_| clock.spend(Black, s(1.0)));
        clock.set_left(Black, 49.2, 0);
        assert_eq!(clock.lateness.travel, 0.0, "only rounded down");
        clock.set_left(Black, 46.0, 0);
        assert!((clock.lateness.travel - 0.3).abs() < 1e-9, "four seconds in ten moves");
    }

    #[test]
    fn an_increment_is_used_and_the_clock_never_falls() {
        let (second, cap) = (s(1.0), Some(s(12.0)));
        for (most, most_per_move) in [(None, None), (cap, None), (None, Some(s(0.5))), (cap, Some(s(2.0)))] {
            for main in [s(0.5), s(10.0)] {
                let control = TimeControl::Fischer { main, increment: second, most, most_per_move };
                let mut clock = Clock::new(control);
                for i in 0..400 {
                    let left = clock.left[0].time;
                    let used = clock.allot(Black, (30.0 - i as f64).max(8.0)).unwrap();
                    assert!(used + Duration::from_millis(3) < left, "{control:?}: {used:?} of {left:?}");
                    assert!(used <= most_per_move.unwrap_or(s(60.0)));
                    assert!(used > s(0.25), "{control:?}: {used:?} although every move adds a second");
                    clock.spend(Black, used + Duration::from_millis(3));
                    assert!(clock.left[0].time <= most.unwrap_or(s(1000.0)));
                }
            }
        }
    }

    #[test]
    fn overtime_is_kept_by_move_and_by_stones() {
        let mut clock = Clock::new(TimeControl::Canadian { main: s(2.0), period: s(5.0), stones: 5 });
        for _ in 0..100 {
            let used = clock.allot(Black, 30.0).unwrap() + Duration::from_millis(3);
            assert!(used < clock.left[0].time + if clock.left[0].stones == 0 { s(1.0) } else { s(0.0) });
            clock.spend(Black, used);
            assert!(!clock.left[0].time.is_zero());
        }
        let mut clock = Clock::new(TimeControl::Byoyomi { main: s(1.0), period: s(2.0), periods: 3 });
        for _ in 0..100 {
            clock.spend(Black, clock.allot(Black, 30.0).unwrap() + Duration::from_millis(3));
        }
        assert_eq!(clock.left[0].stones, 3, "no period was lost");
    }

    #[test]
    fn main_time_runs_into_overtime_without_hurried_moves() {
        for control in [
            TimeControl::Canadian { main: s(3.0), period: s(10.0), stones: 5 },
            TimeControl::Byoyomi { main: s(3.0), period: s(2.0), periods: 3 },
        ] {
            let mut clock = Clock::new(control);
            for _ in 0..60 {
                let used = clock.allot(Black, 30.0).unwrap();
                assert!(used > s(1.0), "{used:?} with {:?} left under {control:?}", clock.left[0]);
                clock.spend(Black, used + Duration::from_millis(3));
            }
        }
    }

    #[test]
    fn a_move_that_outlasts_its_period_costs_one() {
        let mut clock = Clock::new(TimeControl::Byoyomi { main: s(0.0), period: s(10.0), periods: 5 });
        clock.set_left(Black, 4.0, 3);
        clock.spend(Black, s(3.9));
        assert_eq!(clock.left[0], Left { time: s(10.0), stones: 3 });
        clock.set_left(Black, 4.0, 3);
        clock.spend(Black, s(4.1));
        assert_eq!(clock.left[0], Left { time: s(10.0), stones: 2 });
        clock.spend(Black, s(25.0));
        assert_eq!(clock.left[0], Left { time: s(10.0), stones: 1 }, "the last period cannot be lost twice");
    }

    #[test]
    fn a_game_is_lost_when_the_last_period_is_used_up() {
        let lost = |control, used| Clock::new(control).is_lost(Black, s(used));
        assert!(!lost(TimeControl::None, 1e6));
        let absolute = TimeControl::Absolute { main: s(10.0) };
        assert!(!lost(absolute, 9.9) && lost(absolute, 10.1));
        let byoyomi = TimeControl::Byoyomi { main: s(10.0), period: s(5.0), periods: 3 };
        assert!(!lost(byoyomi, 24.9) && lost(byoyomi, 25.1));
        let no_main = TimeControl::Byoyomi { main: s(0.0), period: s(5.0), periods: 3 };
        assert!(!lost(no_main, 14.9) && lost(no_main, 15.1));
        let canadian = TimeControl::Canadian { main: s(10.0), period: s(5.0), stones: 3 };
        assert!(!lost(canadian, 14.9) && lost(canadian, 15.1));
    }

    #[test]
    fn time_left_overrules_the_own_clock_and_may_be_nothing() {
        let mut clock = Clock::new(TimeControl::Absolute { main: s(60.0) });
        clock.set_left(Black, 0.0, 0);
        assert!(clock.allot(Black, 10.0).unwrap() <= Duration::from_millis(1));
        clock.set_left(Black, -3.0, 0);
        assert!(clock.allot(Black, 10.0).unwrap() <= Duration::from_millis(1));
        clock.reset();
        assert!(clock.allot(Black, 10.0).unwrap() > s(1.0));
    }
}
