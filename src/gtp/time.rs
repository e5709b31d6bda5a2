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

pub fn kgs(gtp: &mut Gtp, args: &[String]) -> Reply {
    let expected = "none, absolute M, byoyomi M T PERIODS or canadian M T STONES";
    let [kind, rest @ ..] = args else { return syntax(expected) };
    let seconds = |s: f64| Duration::from_secs_f64(s.clamp(0.0, 1e9));
    let control = match kind.as_str() {
        "none" => TimeControl::None,
        "absolute" => {
            let [main] = numbers(rest, expected)?;
            TimeControl::Absolute { main: seconds(main) }
        }
        "byoyomi" | "canadian" => {
            let [main, period, count] = numbers(rest, expected)?;
            let (main, period, count) = (seconds(main), seconds(period), stones(count)?);
            match (kind.as_str(), period.is_zero() || count == 0) {
                (_, true) => TimeControl::Absolute { main },
                ("byoyomi", _) => TimeControl::Byoyomi { main, period, periods: count },
                _ => TimeControl::Canadian { main, period, stones: count },
            }
        }
        _ => return syntax(expected),
    };
    gtp.session.set_time_control(control);
    Ok(String::new())
}
