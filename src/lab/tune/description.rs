//! What a tuning is: a description in TOML.

use super::spsa::Spsa;
use crate::base::file;
use crate::base::params::{Kind, no_such};
use crate::base::{GameKind, Size};
use crate::lab::arena::Setting;
use crate::lab::plan::hash;
use crate::lab::players::PlayerLine;
use crate::lab::sprt::Sprt;
use crate::search::Engine;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A description is a page or two.
const MOST_BYTES: u64 = 4 << 20;
/// More is no accident that anybody wants.
const MOST_ITERATIONS: u64 = 10_000_000;
const MOST_PAIRS: u64 = 1_000;
const MOST_KOMI: f32 = 1_000.0;

const BUILT_IN: [(&str, &str); 1] = [("moku-9x9", include_str!("../experiments/tune-moku-9x9.toml"))];

/// As it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    name: String,
    #[serde(default)]
    about: String,
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    size: Option<usize>,
    #[serde(default)]
    komi: Option<f32>,
    #[serde(default)]
    openings: usize,
    engine: String,
    #[serde(default)]
    opponent: Option<String>,
    iterations: u64,
    #[serde(default = "one")]
    pairs: u64,
    #[serde(default = "usual_batch")]
    batch: u64,
    #[serde(default)]
    gain: Option<f64>,
    #[serde(rename = "parameter")]
    parameters: Vec<ParameterForm>,
    #[serde(default)]
    confirm: ConfirmForm,
}

fn one() -> u64 {
    1
}

fn usual_batch() -> u64 {
    8
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ParameterForm {
    name: String,
    from: f64,
    to: f64,
    #[serde(default)]
    scale: Scale,
    #[serde(default)]
    step: Option<f64>,
    #[serde(default)]
    start: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    #[default]
    Linear,
    Log,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ConfirmForm {
    sprt: (f64, f64),
    games: u64,
    against: Option<Against>,
}

impl Default for ConfirmForm {
    fn default() -> ConfirmForm {
        ConfirmForm { sprt: (0.0, 20.0), games: 400, against: None }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Against {
    Start,
    Opponent,
}

/// A parameter that is tuned. Its place is counted in steps: values on a linear scale are a step apart, on a logarithmic
/// one a factor.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Parameter {
    pub name: String,
    pub from: f64,
    pub to: f64,
    pub scale: Scale,
    /// On a logarithmic scale a factor above 1.
    pub step: f64,
    pub start: f64,
    pub is_whole: bool,
}

/// A tuning that can be run.
#[derive(Clone, Debug)]
pub struct Tuning {
    pub name: String,
    pub about: String,
    pub setting: Setting,
    pub engine: Engine,
    pub opponent: Option<PlayerLine>,
    /// Pairs of games that a line plays in one iteration.
    pub pairs: u64,
    pub parameters: Vec<Parameter>,
    pub spsa: Spsa,
    pub confirm: Confirm,
}

#[derive(Clone, Copy, Debug)]
pub struct Confirm {
    pub sprt: Sprt,
    /// At most; 0: no such match.
    pub games: u64,
    pub against: Against,
}

impl Parameter {
    /// Where a value is, in steps.
    pub fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value / self.step,
            Scale::Log => libm::log(value) / libm::log(self.step),
        }
    }

    /// The value at a place, inside the range; a whole number if it has to be, else of four digits.
    pub fn value(&self, place: f64) -> f64 {
        let exact = match self.scale {
            Scale::Linear => place * self.step,
            Scale::Log => libm::exp(place * libm::log(self.step)),
        };
        let rounded = if self.is_whole { exact.round() } else { four_digits(exact) };
        rounded.clamp(self.from, self.to)
    }

    /// Both ends of the range, in steps.
    pub fn ends(&self) -> (f64, f64) {
        (self.place(self.from), self.place(self.to))
    }

    fn new(form: &ParameterForm, engine: &Engine) -> Result<Parameter, String> {
        let ParameterForm { name, from, to, scale, .. } = form;
        let Some((param, value)) = engine.rows().find(|(param, _)| param.name == name) else {
            // The engine knows best why not.
            let refused = engine.with(name, "0").err().map(|e| e.to_string());
            return Err(refused.unwrap_or_else(|| format!("{name} is no parameter of this engine")));
        };
        let is_whole = matches!(param.kind, Kind::Int { .. });
        if !is_whole && !matches!(param.kind, Kind::Float { .. } | Kind::FloatOr { .. }) {
            return Err(format!("{name} takes {}: only numbers can be tuned", param.range()));
        }
        if !(from.is_finite() && to.is_finite() && from < to) {
            return Err(format!("a range goes up, from {from} to {to} does not"));
        }
        if is_whole && (from.fract() != 0.0 || to.fract() != 0.0) {
            return Err(format!("from and to are whole numbers, not {from} and {to}"));
        }
        for end in [from, to] {
            engine.with(name, &end.to_string())?;
        }
        let step = match (scale, form.step) {
            (Scale::Log, _) if *from <= 0.0 => {
                return Err(format!("a logarithmic scale starts above 0, not at {from}"));
            }
            (Scale::Linear, None) => (to - from) / 10.0,
            (Scale::Log, None) => libm::pow(to / from, 0.1),
            (Scale::Linear, Some(step)) if step > 0.0 && step <= to - from => step,
            (Scale::Linear, Some(step)) => return Err(format!("a step is above 0 and inside the range, not {step}")),
            (Scale::Log, Some(step)) if step > 1.0 && step <= to / from => step,
            (Scale::Log, Some(step)) => {
                return Err(format!(
                    "a step on a logarithmic scale is a factor above 1 and inside the range, not {step}"
                ));
            }
        };
        let start = match form.start {
            Some(start) => start,
            None => {
                let number = value.to_string().parse().ok().filter(|x: &f64| x.is_finite());
                number.ok_or_else(|| format!("{value} is no number to start from; give `start`"))?
            }
        };
        if !(*from..=*to).contains(&start) {
            let whose = if form.start.is_some() { "`start`" } else { "the engine line" };
            return Err(format!("{whose} has {start}, which is not from {from} to {to}"));
        }
        if is_whole && start.fract() != 0.0 {
            return Err(format!("`start` is a whole number, not {start}"));
        }
        Ok(Parameter { name: name.clone(), from: *from, to: *to, scale: *scale, step, start, is_whole })
    }

    /// Do two lines that are so many steps apart have different values everywhere?
    fn is_told_apart(&self, steps: f64) -> bool {
        let value = |place: f64| match self.scale {
            Scale::Linear => place * self.step,
            Scale::Log => libm::exp(place * libm::log(self.step)),
        };
        let low = self.ends().0;
        !self.is_whole || value(low + steps) - value(low) >= 1.0
    }
}

fn four_digits(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}

impl Tuning {
    /// The tuning that a word on the command line means: a TOML file, or a built-in one.
    pub fn find(word: &str) -> Result<Tuning, String> {
        if !word.ends_with(".toml") {
            let text = BUILT_IN.iter().find(|(name, _)| *name == word).map(|(_, text)| text);
            let unknown = || no_such("tuning", word, &BUILT_IN.map(|(name, _)| name));
            let text = text.ok_or_else(|| format!("{}; or name a .toml file", unknown()))?;
            return Tuning::parse(text).map_err(|e| format!("{word}: {e}"));
        }
        let bytes = file::read(Path::new(word), MOST_BYTES).map_err(|e| format!("cannot read {word}: {e}"))?;
        let text = String::from_utf8(bytes).map_err(|_| format!("cannot read {word}: it is not UTF-8"))?;
        Tuning::parse(&text).map_err(|e| format!("{word}: {e}"))
    }

    pub fn parse(text: &str) -> Result<Tuning, String> {
        let form: Form = toml::from_str(text).map_err(|e| e.to_string().trim_end().to_string())?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if form.name.is_empty() || !form.name.chars().all(is_plain) {
            return Err("a name is made of letters, digits, - and _, since files are named after it".to_string());
        }
        let setting = setting(&form)?;
        let kind = setting.kind;
        let engine = Engine::parse_for(kind, &form.engine).map_err(|e| format!("engine: {e}"))?;
        if !has_budget(&engine) {
            return Err("engine: give the line a budget: playouts=, time= or level=".to_string());
        }
        let opponent = form.opponent.as_deref().map(|line| PlayerLine::parse(kind, line)).transpose();
        let opponent = opponent.map_err(|e| format!("opponent: {e}"))?;
        for (name, value, most) in [
            ("iterations", form.iterations, MOST_ITERATIONS),
            ("pairs", form.pairs, MOST_PAIRS),
            ("batch", form.batch, MOST_PAIRS),
        ] {
            if value == 0 || value > most {
                return Err(format!("`{name}` is a whole number from 1 to {most}, not {value}"));
            }
        }
        let gain = form.gain.unwrap_or_else(|| Spsa::usual_gain(form.iterations * form.pairs));
        if !(gain > 0.0 && gain <= 100.0) {
            return Err(format!("`gain` is a number above 0, up to 100, not {gain}"));
        }
        let spsa = Spsa { iterations: form.iterations, batch: form.batch, gain };
        let parameters = parameters(&form.parameters, &engine, &spsa)?;
        let confirm = confirm(&form.confirm, opponent.is_some())?;
        let tuning = Tuning {
            name: form.name,
            about: form.about,
            setting,
            engine,
            opponent,
            pairs: form.pairs,
            parameters,
            spsa,
            confirm,
        };
        // Both ends at once: a combination may be refused where each alone is not.
        for end in [|p: &Parameter| p.ends().0, |p: &Parameter| p.ends().1] {
            tuning.line(&tuning.parameters.iter().map(end).collect::<Vec<_>>())?;
        }
        Ok(tuning)
    }

    /// The engine with the parameters at these places.
    pub fn line(&self, places: &[f64]) -> Result<Engine, String> {
        self.parameters.iter().zip(places).try_fold(self.engine.clone(), |engine, (parameter, place)| {
            engine.with(&parameter.name, &parameter.value(*place).to_string()).map_err(|e| e.to_string())
        })
    }

    /// Where the parameters start.
    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.place(parameter.start)).collect()
    }

    /// Games of an iteration: the two lines play each other, or each plays the opponent.
    pub fn games(&self) -> u64 {
        2 * self.pairs * if self.opponent.is_some() { 2 } else { 1 }
    }

    /// Everything that decides the way, with the seed of the run.
    pub fn config(&self, seed: u64) -> String {
        let opponent = self.opponent.as_ref().map(PlayerLine::text);
        hash(&(&self.setting, self.engine.to_string(), opponent, self.pairs, &self.parameters, &self.spsa, seed))
    }
}

fn setting(form: &Form) -> Result<Setting, String> {
    let kind = match &form.game {
        None => GameKind::Go,
        Some(name) => GameKind::parse(name)?,
    };
    if kind == GameKind::Gobang && form.komi.is_some() {
        return Err("`komi` is for Go: gobang is not counted".to_string());
    }
    let lines = form.size.unwrap_or(if kind == GameKind::Go { 9 } else { 15 });
    let komi = form.komi.unwrap_or(if kind == GameKind::Go { 7.5 } else { 0.0 });
    let size = Size::new(lines).filter(|_| komi.abs() <= MOST_KOMI);
    let size = size.ok_or_else(|| format!("no board of {lines} lines with komi {komi}"))?;
    if form.openings >= size.area() {
        return Err(format!("{} moves of an opening do not fit on the board", form.openings));
    }
    Ok(Setting { openings: form.openings, ..Setting::new(kind, lines, komi) })
}

fn has_budget(engine: &Engine) -> bool {
    let budgets = ["playouts", "time", "level", "each"];
    engine.rows().any(|(param, value)| budgets.contains(&param.name) && value.to_string() != "0")
}

fn parameters(forms: &[ParameterForm], engine: &Engine, spsa: &Spsa) -> Result<Vec<Parameter>, String> {
    if forms.is_empty() {
        return Err("there is no [[parameter]] to tune".to_string());
    }
    let mut parameters: Vec<Parameter> = Vec::new();
    for form in forms {
        let parameter = Parameter::new(form, engine).map_err(|e| format!("parameter {}: {e}", form.name))?;
        if parameters.iter().any(|p| p.name == parameter.name) {
            return Err(format!("parameter {} is there twice", parameter.name));
        }
        if !parameter.is_told_apart(2.0 * spsa.reach(spsa.iterations)) {
            return Err(format!(
                "parameter {}: a step of {} is too small for a whole number: at the end the two lines would be the same",
                parameter.name, parameter.step
            ));
        }
        parameters.push(parameter);
    }
    Ok(parameters)
}

fn confirm(form: &ConfirmForm, has_opponent: bool) -> Result<Confirm, String> {
    let (elo0, elo1) = form.sprt;
    if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
        return Err("confirm: `sprt` is two Elo differences, the smaller first, such as [0, 30]".to_string());
    }
    if form.games % 2 == 1 || form.games > crate::lab::experiment::MOST_GAMES {
        return Err(format!("confirm: `games` is an even number of games, or 0 for no match, not {}", form.games));
    }
    let usual = if has_opponent { Against::Opponent } else { Against::Start };
    match form.against.unwrap_or(usual) {
        Against::Opponent if !has_opponent => Err("confirm: `against = \"opponent\"` needs an `opponent`".to_string()),
        against => Ok(Confirm { sprt: Sprt::new(elo0, elo1), games: form.games, against }),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub const SMALL: &str = r#"
        name = "small"
        size = 5
        komi = 1.0
        engine = "uct playouts=20 end=fill"
        iterations = 6
        batch = 3
        gain = 0.5
        [[parameter]]
        name = "c"
        from = 0.05
        to = 2
        scale = "log"
        step = 1.5
        [[parameter]]
        name = "threshold"
        from = 1
        to = 21
        step = 2
        [confirm]
        sprt = [0, 200]
        games = 8
    "#;

    #[test]
    fn places_and_values_are_each_others_and_values_stay_in_the_range() {
        let tuning = Tuning::parse(SMALL).unwrap();
        let [c, threshold] = &tuning.parameters[..] else { panic!() };
        assert_eq!((c.start, c.value(c.place(0.25))), (0.25, 0.25));
        assert_eq!(c.value(c.place(0.25) + 1.0), 0.375);
        assert_eq!((c.value(99.0), c.value(-99.0)), (2.0, 0.05));
        assert_eq!((threshold.start, threshold.value(threshold.place(8.0) + 1.2)), (8.0, 10.0));
        let line = tuning.line(&[c.place(0.5), threshold.place(3.4)]).unwrap().to_string();
        assert!(line.contains(" c=0.5 ") && line.contains(" threshold=3 "), "{line}");
    }

    #[test]
    fn built_in_tunings_can_be_run() {
        for (name, text) in BUILT_IN {
            assert_eq!(Tuning::parse(text).map(|t| t.name), Ok(name.to_string()));
        }
        assert!(Tuning::find("chess").unwrap_err().contains("there are: moku-9x9"));
    }

    #[test]
    fn what_decides_the_way_has_another_configuration_and_the_confirming_match_does_not() {
        let tuning = Tuning::parse(SMALL).unwrap();
        let config = |from: &str, to: &str| Tuning::parse(&SMALL.replacen(from, to, 1)).unwrap().config(1);
        assert_ne!(tuning.config(1), tuning.config(2));
        for (from, to) in
            [("iterations = 6", "iterations = 7"), ("step = 2", "step = 3"), ("playouts=20", "playouts=21")]
        {
            assert_ne!(config(from, to), tuning.config(1), "{to}");
        }
        assert_eq!(config("games = 8", "games = 10"), tuning.config(1));
    }

    #[test]
    fn mistakes_are_named_with_what_is_expected() {
        for (from, to, expected) in [
            ("name = \"small\"", "name = \"../etc\"", "letters"),
            ("uct playouts", "uctt playouts", "engine: no engine 'uctt'; did you mean uct?"),
            ("playouts=20", "c=1", "budget"),
            ("size = 5", "size = 50", "50 lines"),
            ("size = 5", "size = 5\ngame = \"chess\"", "no game 'chess'"),
            ("size = 5", "colour = 5", "unknown field"),
            ("size = 5", "size = 5\nopponent = \"gtp:\"", "opponent: a command is expected"),
            ("size = 5", "size = 5\nopenings = 25", "do not fit"),
            ("iterations = 6", "iterations = 0", "`iterations` is a whole number from 1"),
            ("batch = 3", "batch = 0", "`batch`"),
            ("batch = 3", "pairs = 0", "`pairs`"),
            ("gain = 0.5", "gain = 0", "`gain`"),
            ("name = \"c\"", "name = \"threshhold\"", "did you mean threshold?"),
            ("name = \"c\"", "name = \"prior-even\"", "means something only with prior even"),
            ("name = \"c\"", "name = \"memory\"", "only numbers"),
            ("name = \"c\"", "name = \"first\"", "give `start`"),
            ("from = 0.05", "from = -1", "c takes 0 to 100, not '-1'"),
            ("from = 0.05", "from = 0", "starts above 0"),
            ("from = 0.05", "from = 3", "goes up"),
            ("from = 0.05", "from = 0.3", "the engine line has 0.25"),
            ("from = 0.05", "from = 0.05\nstart = 5", "`start` has 5"),
            ("step = 1.5", "step = 0.5", "factor above 1"),
            ("step = 2", "step = 0", "above 0"),
            ("step = 2", "step = 0.4", "too small for a whole number"),
            ("from = 1\n", "from = 1.5\n", "whole numbers"),
            ("[confirm]", "[[parameter]]\nname = \"c\"\nfrom = 0.1\nto = 1\n[confirm]", "twice"),
            ("scale = \"log\"", "scale = \"root\"", "root"),
            ("sprt = [0, 200]", "sprt = [20, 0]", "smaller first"),
            ("games = 8", "games = 7", "even number"),
            ("games = 8", "games = 8\nagainst = \"opponent\"", "needs an `opponent`"),
        ] {
            assert!(SMALL.contains(from), "{from}");
            let error = Tuning::parse(&SMALL.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(expected), "{to}: {error}");
        }
        assert!(Tuning::find("no-such.toml").unwrap_err().contains("cannot read no-such.toml"));
    }
}
