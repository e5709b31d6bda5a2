//! The end of a game: what it counts for, and what becomes of its stones.

use super::Gtp;
use super::args::{one, syntax};
use super::commands::Reply;
use super::reply;

pub fn score(gtp: &mut Gtp, _: &[String]) -> Reply {
    let table = gtp.session.table();
    if !table.has_territory() && !table.is_over() {
        return Err("cannot score: the game is not over".into());
    }
    Ok(reply::score(gtp.session.judge().score))
}

pub fn status_list(gtp: &mut Gtp, args: &[String]) -> Reply {
    let wanted = one(args, "alive, dead or seki")?;
    let mut judged = gtp.session.judge();
    // On KGS whatever a clean-up leaves is alive, whoever would have had to take it.
    if gtp.cleaned.as_ref().is_some_and(|stones| *stones == gtp.stones()) {
        judged.alive.append(&mut judged.dead);
    }
    let chains = match wanted {
        "alive" => judged.alive,
        "dead" => judged.dead,
        "seki" => judged.seki, // by area scoring stones in seki are alive
        _ => return syntax("alive, dead or seki"),
    };
    let size = gtp.session.size();
    Ok(chains.into_iter().map(|chain| size.points_to_gtp(chain)).collect::<Vec<_>>().join("\n"))
}
