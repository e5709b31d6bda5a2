//! What can be changed while moku runs, besides the game: one table, shown by GoGui as a dialog (`moku-param`), and under
//! KataGo's names by `kata-set-param` and its kin.

use super::Gtp;
use super::args::syntax;
use super::commands::Reply;
use crate::base::params::{Kind, Param, no_such};
use crate::search::engine::PRESETS;
use crate::session::AnalysisCaps;

/// A setting of the program; the engine's own parameters come after these.
struct SessionSetting {
    name: &'static str,
    kind: Kind,
    doc: &'static str,
    get: fn(&Gtp) -> String,
    set: fn(&mut Gtp, f64),
}

/// 0 or 1.
const SWITCH: Kind = Kind::Int { min: 0, max: 1 };

const SETTINGS: &[SessionSetting] = &[
    SessionSetting {
        name: "ponder",
        kind: SWITCH,
        doc: "think on while the opponent does",
        get: |gtp| u8::from(gtp.session.ponders()).to_string(),
        set: |gtp, x| gtp.session.set_ponders(x != 0.0),
    },
    SessionSetting {
        name: "live_gfx",
        kind: SWITCH,
        doc: "show the search in GoGui while it runs",
        get: |gtp| u8::from(gtp.live_graphics).to_string(),
        set: |gtp, x| gtp.live_graphics = x != 0.0,
    },
    SessionSetting {
        name: "seconds",
        kind: Kind::Float { min: 0.0, max: 86_400.0 },
        doc: "for a move when neither the engine nor the clock says",
        get: |gtp| gtp.session.seconds().to_string(),
        set: |gtp, x| gtp.session.set_seconds(x),
    },
    SessionSetting {
        name: "resign",
        kind: Kind::Float { min: 0.0, max: 1.0 },
        doc: "resign below this win rate; 0: never",
        get: |gtp| gtp.session.resign_below().unwrap_or(0.0).to_string(),
        set: |gtp, x| gtp.session.set_resign_below((x > 0.0).then_some(x as f32)),
    },
    SessionSetting {
        name: "analysis_visits",
        kind: Kind::Int { min: 0, max: 1_000_000_000_000 },
        doc: "a live analysis stops after so many playouts; 0: never",
        get: |gtp| gtp.session.analysis_caps().visits.to_string(),
        set: |gtp, x| {
            let caps = AnalysisCaps { visits: x as u64, ..gtp.session.analysis_caps() };
            gtp.session.set_analysis_caps(caps);
        },
    },
    SessionSetting {
        name: "analysis_seconds",
        kind: Kind::Float { min: 0.0, max: 86_400.0 },
        doc: "a live analysis stops after so long; 0: never",
        get: |gtp| gtp.session.analysis_caps().seconds.to_string(),
        set: |gtp, x| {
            let caps = AnalysisCaps { seconds: x, ..gtp.session.analysis_caps() };
            gtp.session.set_analysis_caps(caps);
        },
    },
];

/// KataGo's names for some of these.
const KATA_NAMES: [(&str, &str); 5] = [
    ("maxVisits", "playouts"),
    ("maxPlayouts", "playouts"),
    ("maxTime", "time"),
    ("numSearchThreads", "threads"),
    ("ponderingEnabled", "ponder"),
];

impl SessionSetting {
    fn parse(&self, text: &str) -> Result<f64, String> {
        let text = match (self.kind, text) {
            (Kind::Int { min: 0, max: 1 }, "true") => "1",
            (Kind::Int { min: 0, max: 1 }, "false") => "0",
            (_, text) => text,
        };
        let row = Param { name: self.name, kind: self.kind, default: "", doc: self.doc };
        row.parse(text).map(|value| value.to_string().parse().unwrap_or(0.0)).map_err(|e| e.to_string())
    }
}

/// Every name with its value, and the kind that GoGui's dialog has for it.
fn all(gtp: &Gtp) -> Vec<(&'static str, String, String)> {
    let dialog = |kind: Kind| match kind {
        Kind::Int { min: 0, max: 1 } => "bool".to_string(),
        Kind::Choice(names) => format!("list/{}", names.join("/")),
        _ => "string".to_string(),
    };
    let own = SETTINGS.iter().map(|s| (s.name, (s.get)(gtp), dialog(s.kind)));
    own.chain(gtp.session.engine().rows().map(|(p, value)| (p.name, value.to_string(), dialog(p.kind)))).collect()
}

fn get(gtp: &Gtp, name: &str) -> Result<String, String> {
    let all = all(gtp);
    let found = all.iter().find(|(known, ..)| *known == name).map(|(_, value, _)| value.clone());
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|(name, ..)| *name).collect();
        no_such("parameter", name, &names)
    })
}

fn set(gtp: &mut Gtp, name: &str, value: &str) -> Result<(), String> {
    get(gtp, name)?;
    match SETTINGS.iter().find(|s| s.name == name) {
        Some(setting) => {
            let number = setting.parse(value)?;
            (setting.set)(gtp, number);
            Ok(())
        }
        None => Ok(gtp.session.set_engine_parameter(name, value)?),
    }
}

/// `moku-param`: all of them for GoGui's dialog; `moku-param KEY VALUE`: one is set.
pub fn param(gtp: &mut Gtp, args: &[String]) -> Reply {
    match args {
        [] => {
            let rows = all(gtp).into_iter().map(|(name, value, dialog)| format!("[{dialog}] {name} {value}"));
            Ok(rows.collect::<Vec<_>>().join("\n"))
        }
        [name] => get(gtp, name),
        [name, value] => set(gtp, name, value).map(|()| String::new()),
        _ => syntax("a name and a value, or nothing"),
    }
}

/// `moku-engine`: the presets as a drop-down for GoGui; `moku-engine engine NAME`: one is chosen.
pub fn engine(gtp: &mut Gtp, args: &[String]) -> Reply {
    match args {
        [] => {
            let kind = gtp.session.kind();
            let names: Vec<&str> = PRESETS.iter().filter(|p| p.games().any(|k| k == kind)).map(|p| p.name).collect();
            Ok(format!("[list/{}] engine {}", names.join("/"), gtp.session.engine().preset()))
        }
        [key, name] if key == "engine" => Ok(gtp.session.set_engine(name).map(|()| String::new())?),
        _ => syntax("engine and a name, or nothing"),
    }
}

/// moku's name for a parameter that may be called as KataGo does.
fn own_name(name: &str) -> &str {
    KATA_NAMES.iter().find(|(kata, _)| *kata == name).map_or(name, |(_, own)| own)
}

pub fn kata_get(gtp: &mut Gtp, args: &[String]) -> Reply {
    match args {
        [name] => get(gtp, own_name(name)),
        _ => syntax("the name of a parameter"),
    }
}

pub fn kata_set(gtp: &mut Gtp, args: &[String]) -> Reply {
    match args {
        [name, value] => set(gtp, own_name(name), value).map(|()| String::new()),
        _ => syntax("the name of a parameter and its value"),
    }
}

/// `kata-set-params`: all of a JSON object's, or none.
pub fn kata_set_all(gtp: &mut Gtp, args: &[String]) -> Reply {
    let Ok(serde_json::Value::Object(wanted)) = serde_json::from_str(&args.join(" ")) else {
        return syntax("a JSON object of parameters and their values");
    };
    let mut before = Vec::new();
    for (name, value) in &wanted {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
        let name = own_name(name);
        let result = get(gtp, name).and_then(|old| set(gtp, name, &value).map(|()| old));
        match result {
            Ok(old) => before.push((name, old)),
            Err(error) => {
                // In the other order, since one parameter may give another its meaning.
                before.iter().rev().for_each(|(name, old)| {
                    let _ = set(gtp, name, old);
                });
                return Err(format!("nothing was changed: {error}"));
            }
        }
    }
    Ok(String::new())
}

fn kata_names(gtp: &Gtp) -> Vec<&'static str> {
    let own = all(gtp).into_iter().map(|(name, ..)| name);
    KATA_NAMES.iter().map(|(kata, _)| *kata).chain(own).collect()
}

pub fn kata_list(gtp: &mut Gtp, _: &[String]) -> Reply {
    Ok(kata_names(gtp).join(" "))
}

pub fn kata_get_all(gtp: &mut Gtp, _: &[String]) -> Reply {
    let pairs = kata_names(gtp).into_iter().map(|name| Ok((name.to_string(), get(gtp, own_name(name))?.into())));
    let map = pairs.collect::<Result<serde_json::Map<String, serde_json::Value>, String>>()?;
    Ok(serde_json::Value::Object(map).to_string())
}
