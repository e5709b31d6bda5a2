//! Where and when a trial was made: what its times depend on beside the code.

use super::run::rounded;
use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Made {
    /// When it ended: `2026-01-31T23:59:59Z`.
    pub date: String,
    pub processor: String,
    /// Trials at the same time.
    pub threads: usize,
    /// Processes that wanted to run in the last minute, on the mean, ours among them; where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// Seconds of moku's processor time, where no other trial ran at the same time: what it costs on a machine that is busy, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<f64>,
    /// What its row was played for, where results said when to stop: `--sprt 0,30`, `--until 5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
}

/// Processor time from here on.
pub struct Clock(ProcessTime);

impl Clock {
    pub fn start() -> Clock {
        Clock(ProcessTime::now())
    }
}

impl Made {
    /// Here and now, among so many trials at the same time.
    pub fn now(threads: usize, clock: &Clock) -> Made {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Made {
            date: date(seconds),
            processor: processor(),
            threads,
            load: load(),
            cpu: (threads == 1).then(|| rounded(clock.0.elapsed().as_secs_f64())),
            goal: None,
        }
    }
}

fn processor() -> String {
    static NAME: OnceLock<String> = OnceLock::new();
    let name = || {
        let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with("model name"));
        let name = line.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().to_string());
        name.unwrap_or_else(|| format!("{} {}", std::env::consts::OS, std::env::consts::ARCH))
    };
    NAME.get_or_init(name).clone()
}

fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// Of seconds since 1970, in UTC. The days are counted from the first of March, so that the leap day is the last of a year
/// (Richards 2013, Explanatory Supplement to the Astronomical Almanac, 15.11).
fn date(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let day = days + 719_468; // since the first of March of the year 0
    let era = day / 146_097;
    let of_era = day % 146_097;
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153; // from March
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date(seconds), expected);
        }
        let made = Made::now(3, &Clock::start());
        assert!(made.threads == 3 && !made.processor.is_empty() && made.date.as_str() > "2026");
    }

    #[test]
    fn processor_time_is_of_one_trial_alone() {
        let clock = Clock::start();
        let began = std::time::Instant::now();
        while Made::now(1, &clock).cpu.is_some_and(|seconds| seconds < 0.01) {
            assert!(began.elapsed().as_secs() < 60, "work takes processor time");
        }
        assert_eq!(Made::now(2, &clock).cpu, None, "of two at the same time it is not known whose it was");
    }
}
