//! Time settings in the words of GTP, KGS and KataGo.

use super::Gtp;
use super::args::{color, numbers, stones, syntax};
use super::commands::Reply;
use crate::session::{Clock, TimeControl};
use std::time::Duration;

pub fn settings(gtp: &mut Gtp, args: &[String]) -> Reply {
    let [main, period, count] = numbers(args, "main time, period and stones, in seconds")?;
    if main < 0.0 || period < 0.0 {
        return syntax("times that are not negative");
    }
    gtp.session.set_time_control(Clock::from_gtp(main, period, stones(count)?));
    Ok(String::new())
}

pub fn left(gtp: &mut Gtp, args: &[String]) -> Reply {
    let [c, rest @ ..] = args else { return syntax("a colour, seconds and stones") };
    let color = color(c)?;
    let [time, count] = numbers(rest, "seconds and stones after the colour")?;
    let count = stones(count)?;
    gtp.session.clock_mut().set_left(color, time, count);
    Ok(String::new())
}

/// The systems of `kata-time_settings`; the first four are those of `kgs-time_settings`.
const SYSTEMS: [(&str, &str); 6] = [
    ("none", ""),
    ("absolute", "M"),
    ("byoyomi", "M T PERIODS"),
    ("canadian", "M T STONES"),
    ("fischer", "M INCREMENT"),
    ("fischer-capped", "M INCREMENT MOST_MAIN MOST_PER_MOVE"),
];

pub fn list_systems(_: &mut Gtp, _: &[String]) -> Reply {
    Ok(SYSTEMS.map(|(name, _)| name).join(" "))
}

pub fn kgs(gtp: &mut Gtp, args: &[String]) -> Reply {
    set(gtp, args, &SYSTEMS[..4])
}

pub fn kata(gtp: &mut Gtp, args: &[String]) -> Reply {
    set(gtp, args, &SYSTEMS)
}

fn set(gtp: &mut Gtp, args: &[String], systems: &[(&str, &str)]) -> Reply {
    let expected = systems.iter().map(|(name, rest)| format!("{name} {rest}").trim_end().to_string());
    let expected = expected.collect::<Vec<_>>().join(", ");
    let [name, rest @ ..] = args else { return syntax(&expected) };
    if !systems.iter().any(|(known, _)| known == name) {
        return syntax(&expected);
    }
    let seconds = |s: f64| Duration::from_secs_f64(s.clamp(0.0, 1e9));
    // KataGo writes no limit as a negative number.
    let limit = |s: f64| (s >= 0.0).then(|| seconds(s));
    let control = match name.as_str() {
        "none" => TimeControl::None,
        "absolute" => {
            let [main] = numbers(rest, &expected)?;
            TimeControl::Absolute { main: seconds(main) }
        }
        "fischer" => {
            let [main, increment] = numbers(rest, &expected)?;
            let (main, increment) = (seconds(main), seconds(increment));
            TimeControl::Fischer { main, increment, most: None, most_per_move: None }
        }
        "fischer-capped" => {
            let [main, increment, most, most_per_move] = numbers(rest, &expected)?;
            let (most, most_per_move) = (limit(most), limit(most_per_move));
            TimeControl::Fischer { main: seconds(main), increment: seconds(increment), most, most_per_move }
        }
        _ => {
            let [main, period, count] = numbers(rest, &expected)?;
            let (main, period, count) = (seconds(main), seconds(period), stones(count)?);
            match (name.as_str(), period.is_zero() || count == 0) {
                (_, true) => TimeControl::Absolute { main },
                ("byoyomi", _) => TimeControl::Byoyomi { main, period, periods: count },
                _ => TimeControl::Canadian { main, period, stones: count },
            }
        }
    };
    gtp.session.set_time_control(control);
    Ok(String::new())
}
