//! What a tuning has found so far: a table, a plot of each parameter's way, and the confirming match; as text, JSON or a page.

use super::description::{Against, Parameter, Scale, Tuning};
use super::state::State;
use super::store::Store;
use crate::html::{self, escape};
use crate::lab::report::{figure, titled_table};
use crate::lab::section::{Axis, Dot, Plot, ResultTable, Series, Style};
use crate::lab::sprt::{Decision, Sprt, Watch};
use crate::lab::stats::elo_text;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;

pub struct Report<'a> {
    tuning: &'a Tuning,
    state: State,
    watch: Watch,
    seed: u64,
    games: usize,
    errors: usize,
    hours: f64,
    codes: BTreeSet<String>,
    notes: Vec<String>,
}

impl<'a> Report<'a> {
    pub fn new(tuning: &'a Tuning, seed: u64, store: &Store) -> Report<'a> {
        let state = State::follow(tuning, seed, store);
        let watch = state.confirmation(tuning, store);
        let errors = store.games().filter(|game| !game.errors.is_empty()).count();
        let mut notes = Vec::new();
        if errors > 0 {
            notes.push(format!("{errors} games ended with an error of a player."));
        }
        if store.strangers > 0 {
            let count = store.strangers;
            notes.push(format!("{count} games in this folder are of another description or seed, and are left out."));
        }
        let others = store.others();
        if !others.is_empty() {
            let named: Vec<&str> = others.into_iter().collect();
            notes.push(format!("Some games are by a moku of another behaviour: {}.", named.join(", ")));
        }
        Report {
            tuning,
            state,
            watch,
            seed,
            games: store.games().count(),
            errors,
            hours: store.games().map(|game| game.seconds).sum::<f64>() / 3600.0,
            codes: store.games().map(|game| game.code.to_string()).collect(),
            notes,
        }
    }

    fn answer(&self) -> Vec<f64> {
        self.tuning.spsa.answer(&self.state.way)
    }

    fn table(&self) -> ResultTable {
        let head = ["parameter", "range", "scale", "step", "start", "last", "tuned"];
        let mut table =
            ResultTable::new("Parameters; the tuned value is the mean of the second half of the way", &head);
        let answer = self.answer();
        for (i, parameter) in self.tuning.parameters.iter().enumerate() {
            let Parameter { name, from, to, scale, step, start, .. } = parameter;
            let (scale, step) = match scale {
                Scale::Linear => ("linear", format!("{step:.4}")),
                Scale::Log => ("log", format!("x {step:.4}")),
            };
            table.rows.push(vec![
                name.clone(),
                format!("{from} to {to}"),
                scale.to_string(),
                step,
                start.to_string(),
                parameter.value(self.state.place()[i]).to_string(),
                parameter.value(answer[i]).to_string(),
            ]);
        }
        table
    }

    fn plots(&self) -> Vec<Plot> {
        let (answer, last) = (self.answer(), self.state.iterations(self.tuning) as f64);
        let batch = self.tuning.spsa.batch as f64;
        let plot = |(i, parameter): (usize, &Parameter)| {
            let dot =
                |(at, place): (usize, &Vec<f64>)| Dot::new((at as f64 * batch).min(last), parameter.value(place[i]));
            let level = |value: f64, from: f64| vec![Dot::new(from, value), Dot::new(last, value)];
            let line = |name: &str, style: Style, color: usize, points: Vec<Dot>| Series {
                name: name.to_string(),
                style,
                color,
                points,
            };
            Plot {
                title: parameter.name.clone(),
                x: Axis::new("iteration"),
                y: Axis::new(&parameter.name).log(parameter.scale == Scale::Log),
                series: vec![
                    line("its way", Style::Line, 0, self.state.way.iter().enumerate().map(dot).collect()),
                    line("start", Style::Dashed, 1, level(parameter.start, 0.0)),
                    line("tuned", Style::Dashed, 2, level(parameter.value(answer[i]), (last / 2.0).floor())),
                ],
            }
        };
        self.tuning.parameters.iter().enumerate().map(plot).collect()
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let tuning = self.tuning;
        let line = |places: &[f64]| tuning.line(places).map_or_else(|e| e, |engine| engine.to_string());
        let mut lines = vec![("start", line(&tuning.start())), ("tuned", line(&self.answer()))];
        lines.extend(tuning.opponent.as_ref().map(|opponent| ("opponent", opponent.text())));
        lines
    }

    /// What the confirming match says, in words.
    fn confirmation(&self) -> String {
        let Sprt { elo0, elo1, .. } = self.tuning.confirm.sprt;
        let against = match self.tuning.confirm.against {
            Against::Start => "the start line",
            Against::Opponent => "the opponent",
        };
        let results = self.watch.results;
        if self.tuning.confirm.games == 0 {
            return "There is no confirming match (`games = 0`).".to_string();
        }
        if results.games() == 0 {
            return format!("The confirming match against {against} comes when all iterations are played.");
        }
        let verdict = match self.watch.decision {
            Decision::AcceptH1 => format!("confirmed: {elo1} Elo stronger rather than {elo0}"),
            Decision::AcceptH0 => format!("not confirmed: {elo0} Elo stronger rather than {elo1}"),
            Decision::Continue | Decision::Narrow => format!("undecided between {elo0} and {elo1} Elo"),
        };
        format!(
            "The tuned line wins {results} fresh games against {against}, Elo {}: {verdict}. Pairs {}.",
            elo_text(results.estimate()),
            results.text()
        )
    }

    fn head(&self) -> String {
        let spsa = &self.tuning.spsa;
        let codes: Vec<&str> = self.codes.iter().map(String::as_str).collect();
        format!(
            "{}, {} of {} iterations in batches of {}, {} games each, gain {:.4}, seed {}, {} games, {:.2} core hours, \
             moku {}",
            self.tuning.setting,
            self.state.iterations(self.tuning),
            spsa.iterations,
            spsa.batch,
            self.tuning.games(),
            spsa.gain,
            self.seed,
            self.games,
            self.hours,
            codes.join("; ")
        )
    }

    pub fn json(&self) -> Value {
        let answer = self.answer();
        let one = |(i, parameter): (usize, &Parameter)| {
            let way: Vec<f64> = self.state.way.iter().map(|place| parameter.value(place[i])).collect();
            let mut value = json!(parameter);
            value["last"] = json!(way.last());
            value["tuned"] = json!(parameter.value(answer[i]));
            value["way"] = json!(way);
            value
        };
        let results = self.watch.results;
        json!({
            "name": self.tuning.name, "about": self.tuning.about, "setting": self.tuning.setting, "seed": self.seed,
            "iterations": self.state.iterations(self.tuning), "of": self.tuning.spsa.iterations,
            "batch": self.tuning.spsa.batch, "gain": self.tuning.spsa.gain, "pairs": self.tuning.pairs,
            "games": self.games, "errors": self.errors, "core_hours": self.hours, "moku": self.codes,
            "lines": self.lines().into_iter().map(|(name, line)| (name.to_string(), json!(line))).collect::<serde_json::Map<_, _>>(),
            "parameters": self.tuning.parameters.iter().enumerate().map(one).collect::<Vec<_>>(),
            "confirm": {
                "against": self.tuning.confirm.against,
                "sprt": [self.tuning.confirm.sprt.elo0, self.tuning.confirm.sprt.elo1],
                "decision": self.watch.decision.text(), "games": results.games(), "pairs": results.counts,
                "rate": results.rate(), "interval": results.interval(),
            },
            "notes": self.notes,
        })
    }

    /// One page that needs nothing else.
    pub fn page(&self) -> Result<String, String> {
        let name = &self.tuning.name;
        let mut out = format!("<header><h1>{}</h1><p>{}</p></header>", escape(name), escape(&self.tuning.about));
        let _ = write!(out, "<section><p class=\"setup\">{}.</p>", escape(&self.head()));
        out += &titled_table(&self.table());
        let _ = write!(out, "<p>{}</p>", escape(&self.confirmation()));
        out += "<div class=\"plots\">";
        for plot in self.plots() {
            out += &figure(&plot)?;
        }
        out += "</div>";
        out += &html::list("notes", &self.notes);
        let mut lines = String::from("<dl class=\"players\">");
        for (name, line) in self.lines() {
            let _ = write!(lines, "<dt>{}</dt><dd><code>{}</code></dd>", escape(name), escape(&line));
        }
        out += &html::folded("Players, as engine lines", &(lines + "</dl>"));
        Ok(html::page(&format!("moku tune: {name}"), &(out + "</section>")))
    }
}

/// For a terminal.
impl std::fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        writeln!(f, "{}: {}", self.tuning.name, self.head())?;
        write!(f, "\n{}\n", self.table())?;
        for (name, line) in self.lines() {
            writeln!(f, "{name:8}  {line}")?;
        }
        write!(f, "\n{}", self.confirmation())?;
        self.notes.iter().try_for_each(|note| write!(f, "\n{note}"))
    }
}
