//! Engines as lines of text: `uct`, `mc each=100`, `uct c=0.3 memory=tree playouts=10000`.
//!
//! A line starts with a preset (see `presets`); `key=value` words change it. One table of parameters.

pub use super::presets::{PRESETS, Preset, default_for, preset_names};

use super::registry::ALLOCATIONS;
use crate::base::GameKind;
use crate::base::params::{Kind, Param, Value, clip, suggestion};
use std::fmt;

type When = &'static [(&'static str, &'static [&'static str])];
const ALWAYS: When = &[];
const MC: When = &[("allocation", &["mc"])];
const UCT: When = &[("allocation", &["uct"])];
const UCB: When = &[("allocation", &["uct", "ucb1"])];
const PUCT: When = &[("allocation", &["puct"])];
const EXPLORES: When = &[("allocation", &["uct", "ucb1", "puct"])];
const SHOT: When = &[("allocation", &["shot"])];
const RUCT: When = &[("allocation", &["ruct"])];
const IN_TREE: When = &[("allocation", &["uct", "shot", "ruct", "puct"])];
const FILTERED: &[&str] = &["filter1", "filter2", "filter3", "filter4", "random", "combination"];
const INHERIT: When = &[("memory", &["inherit"])];
const INHERIT_UCT: When = &[("memory", &["inherit"]), ("allocation", &["uct"])];
const GOBANG: When = &[("game", &["gobang"])];
const GOBANG_UCT: When = &[("game", &["gobang"]), ("allocation", &["uct"])];
const GO_UCT: When = &[("game", &["go"]), ("allocation", &["uct"])];
const PROVER: When = &[("prover", &["on"])];
const RULES: When = &[("playout", &["rules"])];
const SIDED: &[&str] = &["dakv", "half-sigmoid", "sigmoid-komi"];

/// One row per parameter: name, kind, default, when it means something, and what it does.
macro_rules! params {
    ($($name:literal $kind:expr, $default:literal, $when:expr, $doc:literal;)*) => {
        pub const PARAMS: &[Param] = &[$(Param { name: $name, kind: $kind, default: $default, doc: $doc, when: $when }),*];
    };
}

params! {
    "playouts" Kind::Int { min: 0, max: 1_000_000_000_000 }, "0", ALWAYS,
        "playouts for a move, spent exactly; 0: as many as the time allows";
    "time" Kind::Float { min: 0.0, max: 86_400.0 }, "0", ALWAYS,
        "seconds for a move; 0: by the clock of the game, or one second if there is none and no playouts are given";
    "level" Kind::Int { min: 0, max: 10 }, "0", ALWAYS,
        "how hard to try: a playout for every point of the board at 1, twice as many with each level; 0: not used";
    "each" Kind::Int { min: 0, max: 1_000_000_000 }, "0", MC,
        "playouts for each candidate move, instead of a total; 0: not used";
    "c" Kind::Float { min: 0.0, max: 100.0 }, "0.25", EXPLORES,
        "exploration: a child is worth mean + c sqrt(ln n / s); in puct mean + c P sqrt(n) / (1 + s) with its share P of the prior";
    "threshold" Kind::Int { min: 1, max: 1_000_000 }, "8", UCT,
        "playouts through a leaf before it grows children";
    "first" Kind::FloatOr { word: "inf", min: 0.0, max: 1000.0 }, "inf", UCT,
        "what a child without playouts is worth; inf tries all children before any twice";
    "remainder" Kind::Choice(&["best", "drop"]), "best", SHOT,
        "what a node's halving leaves over goes to its best child, or (as printed) is not made";
    "share" Kind::Choice(&["used", "call"]), "used", SHOT,
        "a round's share counts the playouts a node has had before, or (as printed) only those of this call";
    "depth" Kind::Int { min: 1, max: 8 }, "2", RUCT,
        "plies of the tree; playouts start at its leaves";
    "constant" Kind::FloatOr { word: "theory", min: 0.0, max: 1000.0 }, "0.3", RUCT,
        "exploration: theory is 12h + 1 at height h with the number of leaves below; a number is used at all heights, without that";
    "oracle" Kind::Choice(&["resample", "single"]), "single", RUCT,
        "the lowest level returns a second playout drawn by its counts (as printed), or the one it learns from";
    "answer" Kind::Choice(&["mode", "draw"]), "mode", RUCT,
        "the move with the largest share, or one drawn by the shares";
    "candidates" Kind::Choice(&["all", "filter1", "filter2", "filter3", "filter4", "random", "combination", "near"]), "all", ALWAYS,
        "which moves may be looked at: all, half of them by the potential model, or (Gobang) those near a stone";
    "distance" Kind::Int { min: 1, max: 24 }, "2", &[("candidates", &["near"])],
        "how many steps from a stone, diagonal ones included, is near";
    "decisive" Kind::Choice(&["off", "on"]), "off", GOBANG,
        "a node looks only at a five, else at what stops one, else at an open four, where there are such moves";
    "playout" Kind::Choice(&["light", "rules", "block-four", "decisive"]), "light", ALWAYS,
        "how a game is played out: uniformly; in Go by rules that answer the last moves; in Gobang stopping the four of the last move, or by fives, stops and open fours";
    "capture" Kind::Float { min: 0.0, max: 1.0 }, "0.9", RULES,
        "how often a playout takes the stone just played or saves what it put into atari";
    "pattern" Kind::Float { min: 0.0, max: 1.0 }, "0.95", RULES,
        "how often a playout answers by a 3x3 pattern beside the last two moves";
    "self-atari" Kind::Float { min: 0.0, max: 1.0 }, "0.9", RULES,
        "how often a playout refuses a random move that puts itself into atari";
    "solver" Kind::Choice(&["off", "on"]), "off", GOBANG_UCT,
        "wins and losses that the tree proves are backed up and end the search";
    "prover" Kind::Choice(&["off", "on"]), "off", GO_UCT,
        "first asks the exact solver when the position was set up as a problem";
    "prover-time" Kind::Float { min: 0.0, max: 86_400.0 }, "10", PROVER,
        "seconds that the exact solver may take for a move";
    "table-mb" Kind::Int { min: 1, max: 65_536 }, "64", PROVER,
        "megabytes for the exact solver's table";
    "vcf" Kind::Int { min: 0, max: 10_000 }, "0", &[("solver", &["on"])],
        "positions for a search of continuous fours where a node grows, a hundred times as many at the root; 0: none";
    "sight" Kind::Choice(&["off", "on"]), "on", PUCT,
        "wins seen without reading: double fours, four and three, double threes where they are proven";
    "fours" Kind::Int { min: 0, max: 100_000 }, "100", PUCT,
        "stones put in a search of continuous fours at a node, a hundred times as many at the root; 0: none";
    "threats" Kind::Int { min: 0, max: 100_000 }, "40", PUCT,
        "stones put in a search of continuous threats at a node, more where it is visited often and at the root; 0: none";
    "defences" Kind::Choice(&["off", "on"]), "on", PUCT,
        "reads the opponent's fours and threats too and looks only at moves that can hold";
    "width" Kind::Int { min: 1, max: 625 }, "40", PUCT,
        "how many moves a node looks at, the most promising ones; all that can hold where something must be held";
    "sharpness" Kind::Float { min: 0.0, max: 10.0 }, "1", PUCT,
        "how much the prior prefers promising moves: 0 takes all alike";
    "lead" Kind::Float { min: -1.0, max: 1.0 }, "0.1", PUCT,
        "how much less than its node a child without playouts is worth";
    "mix" Kind::Float { min: 0.0, max: 1.0 }, "1", PUCT,
        "the part of a leaf's value that its lines say; the rest says a playout";
    "from" Kind::Int { min: 0, max: 625 }, "59", &[("candidates", FILTERED)],
        "filter only while there are at least this many moves";
    "where" Kind::Choice(&["root", "tree"]), "root", &[("candidates", FILTERED), ("allocation", &["uct", "shot", "ruct"])],
        "filter the moves at the root, or in every node";
    "reward" Kind::Choice(&["step", "sigmoid", "dakv", "half-sigmoid", "sigmoid-komi"]), "step", ALWAYS,
        "what a finished playout is worth";
    "gain" Kind::Float { min: 0.001, max: 100.0 }, "0.4", &[("reward", &["sigmoid", "half-sigmoid", "sigmoid-komi"])],
        "how steep the sigmoid is";
    "side" Kind::Choice(&["auto", "behind", "ahead"]), "auto", &[("reward", SIDED)],
        "for the side behind, ahead, or as 500 playouts say";
    "target" Kind::Float { min: 0.0, max: 1.0 }, "0", &[("reward", &["dakv", "sigmoid-komi"])],
        "mean reward that sets the reward komi; 0: 0.05 behind, 0.5 ahead";
    "even" Kind::Float { min: 0.0, max: 0.5 }, "0.35", &[("reward", SIDED), ("side", &["auto"])],
        "a win rate between this and 1 minus this is an even game: the reward is the step";
    "memory" Kind::Choice(&["none", "inherit", "tree"]), "none", ALWAYS,
        "what a search starts from: nothing, results of two plies ago, or the tree of the search before";
    "discount" Kind::Float { min: 0.0, max: 1.0 }, "0.35", INHERIT,
        "the part of the results that is inherited";
    "cap" Kind::Choice(&["none", "threshold"]), "none", INHERIT_UCT,
        "inherited playouts as printed, or at most the threshold";
    "root" Kind::Choice(&["none", "inherit"]), "none", INHERIT_UCT,
        "whether the root inherits across turns too";
    "tree-mb" Kind::Int { min: 1, max: 1_000_000 }, "512", IN_TREE,
        "memory for the tree in megabytes; when it is full the tree stops growing and the search goes on";
    "final" Kind::Choice(&["playouts", "rate"]), "playouts", UCB,
        "the move played has the most playouts (win rate breaks ties) or the best win rate";
    "rule" Kind::Choice(&["ucb1", "rave", "puct"]), "ucb1", UCT,
        "how a node values its children: by UCB1, mixed with all moves as first, or by prior and playouts";
    "equivalence" Kind::Float { min: 1.0, max: 1_000_000.0 }, "3000", &[("rule", &["rave"])],
        "playouts through a move at which they are worth as much as all moves as first";
    "amaf-skip" Kind::Float { min: 0.0, max: 1.0 }, "0.05", &[("rule", &["rave"])],
        "the share of descents that do without all moves as first";
    "prior" Kind::Set(&["even", "hand", "patterns"]), "none", UCT,
        "what a move is worth before its first playout: some drawn playouts, what a player would look at first, what players chose in games";
    "prior-even" Kind::Float { min: 0.0, max: 10_000.0 }, "14", &[("prior", &["even"])],
        "drawn playouts that every move starts from";
    "prior-hand" Kind::Float { min: 0.0, max: 100.0 }, "1", &[("prior", &["hand"])],
        "how many times the weights by hand are taken";
    "prior-patterns" Kind::Float { min: 0.0, max: 100_000.0 }, "300", &[("prior", &["patterns"])],
        "won playouts of a move that players are sure to choose; in between by the square root of its chance";
    "halving" Kind::Int { min: 0, max: 625 }, "0", UCT,
        "the root shares its playouts by Sequential Halving over this many of its most promising moves; 0: it does as other nodes";
    "threads" Kind::Int { min: 0, max: 256 }, "0", ALWAYS,
        "worker threads; 0: as the program was started";
    "end" Kind::Choice(&["person", "fill"]), "person", ALWAYS,
        "passes and resigns like a person, or plays on until only own eyes are left and never resigns";
}

/// The other ways to say how many playouts a move gets, besides `level`.
const BUDGETS: [&str; 2] = ["playouts", "each"];

/// Defaults that differ in Gobang: the paper's constant, and its playouts.
const GOBANG_DEFAULTS: &[(&str, &str)] = &[("c", "0.41"), ("playout", "block-four")];

/// Values that only some allocations or games can do something with, and why.
struct Only {
    param: &'static str,
    values: &'static [&'static str],
    works_with: &'static str,
    these: &'static [&'static str],
    why: &'static str,
}

const ONLY: &[Only] = &[
    Only {
        param: "memory",
        values: &["inherit"],
        works_with: "allocation",
        these: &["mc", "ucb1", "uct"],
        why: "halving and fixed depths count every playout themselves",
    },
    Only {
        param: "memory",
        values: &["tree"],
        works_with: "allocation",
        these: &["uct", "shot", "puct"],
        why: "there is no tree to keep, or it has a fixed depth",
    },
    Only {
        param: "reward",
        values: &["sigmoid", "dakv", "half-sigmoid", "sigmoid-komi"],
        works_with: "game",
        these: &["go"],
        why: "a game without territory is won or lost, never by points",
    },
    Only {
        param: "candidates",
        values: &["filter1", "filter2", "filter3", "filter4", "combination"],
        works_with: "game",
        these: &["go"],
        why: "the potential model estimates territory",
    },
    Only {
        param: "candidates",
        values: &["near"],
        works_with: "game",
        these: &["gobang"],
        why: "any point of a Go board may matter",
    },
    Only { param: "prior", values: &["hand", "patterns"], works_with: "game", these: &["go"], why: "it knows Go" },
    Only {
        param: "playout",
        values: &["rules"],
        works_with: "game",
        these: &["go"],
        why: "it is about captures and shapes",
    },
    Only {
        param: "playout",
        values: &["block-four", "decisive"],
        works_with: "game",
        these: &["gobang"],
        why: "it is about five in a row",
    },
];

/// A chosen engine: an allocation and a value for every parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Engine {
    kind: GameKind,
    preset: &'static str,
    allocation: &'static str,
    values: Vec<Value>,
}

impl Engine {
    /// Reads a line for Go.
    pub fn parse(line: &str) -> Result<Engine, String> {
        Engine::parse_for(GameKind::Go, line)
    }

    /// Reads a line for a game, which settles some defaults. Errors say what would be valid.
    pub fn parse_for(kind: GameKind, line: &str) -> Result<Engine, String> {
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else {
            return Err(format!("an engine line starts with a name: {}", preset_names()));
        };
        // Names as people type them: `UCT`, `inherited_tree_uct`.
        let plain = name.to_ascii_lowercase().replace('_', "-");
        let preset =
            PRESETS.iter().find(|p| p.name == plain || p.aliases.contains(&plain.as_str())).ok_or_else(|| {
                let names = PRESETS.iter().flat_map(|p| p.aliases.iter().copied().chain([p.name]));
                let meant = suggestion(&plain, names);
                format!("no engine '{}'{meant}; there are: {}", clip(name), preset_names())
            })?;
        let mut base = preset.line.split_whitespace();
        let wanted = base.next().unwrap_or_default();
        let allocation = ALLOCATIONS
            .iter()
            .find(|a| a.name == wanted)
            .ok_or_else(|| format!("preset {name} names no allocation"))?
            .name;
        let values = PARAMS.iter().map(|p| p.parse(default_of(kind, p))).collect::<Result<_, _>>()?;
        let mut engine = Engine { kind, preset: preset.name, allocation, values };
        let mut given = Vec::new();
        for word in base.chain(words) {
            let (key, text) = word
                .split_once('=')
                .ok_or_else(|| format!("'{}' is not key=value; keys: {}", clip(word), engine.keys()))?;
            let i = engine.index(key)?;
            engine.values[i] = PARAMS[i].parse(text)?;
            given.push(i);
        }
        if engine.int("level") > 0 {
            // In place of what the preset says; what was typed beside it is an error.
            let typed = |name: &&str| line.split_whitespace().any(|word| word.starts_with(&format!("{name}=")));
            let of_preset: Vec<&str> = BUDGETS.into_iter().filter(|name| !typed(name)).collect();
            engine.reset(&of_preset);
        }
        engine.check(&given)?;
        Ok(engine)
    }

    /// The same engine with another value of one parameter.
    pub fn with(&self, key: &str, text: &str) -> Result<Engine, String> {
        let mut engine = self.clone();
        let i = self.index(key)?;
        engine.values[i] = PARAMS[i].parse(text)?;
        // Another way to say how many playouts takes the place of the one before.
        if key == "level" && engine.int("level") > 0 {
            engine.reset(&BUDGETS);
        } else if BUDGETS.contains(&key) && engine.int(key) > 0 {
            engine.reset(&["level"]);
        }
        engine.check(&[i])?;
        Ok(engine)
    }

    /// The place of a parameter in the table.
    fn index(&self, key: &str) -> Result<usize, String> {
        PARAMS.iter().position(|p| p.name == key).ok_or_else(|| {
            let meant = suggestion(key, self.parameters().map(|(p, _)| p.name));
            format!("no parameter '{}'{meant}; there are: {}", clip(key), self.keys())
        })
    }

    fn reset(&mut self, names: &[&str]) {
        for (param, value) in PARAMS.iter().zip(&mut self.values) {
            if let (true, Ok(default)) = (names.contains(&param.name), param.parse(param.default)) {
                *value = default;
            }
        }
    }

    /// Playouts for a move on a board of so many points, by `playouts` or `level`; None: as the time allows.
    pub fn playouts(&self, area: usize) -> Option<u64> {
        match (self.int("playouts"), self.int("level")) {
            (0, 0) => None,
            (0, level) => Some((area as u64) << (level - 1)),
            (playouts, _) => Some(playouts),
        }
    }

    /// Do the parameters that were given mean something together?
    fn check(&self, given: &[usize]) -> Result<(), String> {
        if self.allocation == "puct" && self.kind != GameKind::Gobang {
            return Err(format!(
                "{} works with gobang, not with {}: it reads rows of five",
                self.preset,
                self.kind.name()
            ));
        }
        if self.int("level") > 0
            && let Some(other) = BUDGETS.iter().find(|name| self.int(name) > 0)
        {
            return Err(format!("level says how many playouts are made: leave out {other}"));
        }
        for &i in given {
            let Param { name, when, .. } = PARAMS[i];
            if let Some((other, values)) = when.iter().find(|condition| !self.holds(condition)) {
                let values = values.join(" or ");
                let keys = self.keys();
                return Err(format!(
                    "{name} means something only with {other} {values}; {} takes: {keys}",
                    self.allocation
                ));
            }
            for only in ONLY.iter().filter(|only| only.param == name) {
                let Only { param, works_with, these, why, .. } = only;
                let value = self.value(param);
                if value.is_any_of(only.values) && !self.holds(&(works_with, these)) {
                    let (these, present) = (these.join(", "), self.pseudo(works_with));
                    return Err(format!("{param}={value} works with {these}, not with {present}: {why}"));
                }
            }
        }
        Ok(())
    }

    /// The game it plays.
    pub fn kind(&self) -> GameKind {
        self.kind
    }

    pub fn preset(&self) -> &'static str {
        self.preset
    }

    pub fn allocation(&self) -> &'static str {
        self.allocation
    }

    /// Holds a whole number to at most this much.
    pub fn cap(&mut self, name: &str, most: u64) {
        let i = PARAMS.iter().position(|p| p.name == name);
        if let Some(Value::Int(value)) = i.and_then(|i| self.values.get_mut(i)) {
            *value = most.min(*value);
        }
    }

    /// Does a search start from the one before?
    pub fn remembers(&self) -> bool {
        self.choice("memory") != "none"
    }

    /// Parameters that mean something for this engine, with their values.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static Param, &Value)> {
        PARAMS.iter().zip(&self.values).filter(|(p, _)| self.applies(p))
    }

    pub fn int(&self, name: &str) -> u64 {
        match self.value(name) {
            Value::Int(i) => *i,
            other => unreachable!("{name} is {other:?}, not a whole number"),
        }
    }

    pub fn float(&self, name: &str) -> f64 {
        match self.value(name) {
            Value::Float(x) => *x,
            other => unreachable!("{name} is {other:?}, not a number"),
        }
    }

    /// A number, or None for the word.
    pub fn float_or(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Value::Float(x) => Some(*x),
            _ => None,
        }
    }

    pub fn choice(&self, name: &str) -> &'static str {
        match self.value(name) {
            Value::Choice(c) => c,
            other => unreachable!("{name} is {other:?}, not a choice"),
        }
    }

    pub fn set(&self, name: &str) -> &[&'static str] {
        match self.value(name) {
            Value::Set(names) => names,
            other => unreachable!("{name} is {other:?}, not a set"),
        }
    }

    fn value(&self, name: &str) -> &Value {
        let i = PARAMS.iter().position(|p| p.name == name);
        &self.values[i.unwrap_or_else(|| unreachable!("no parameter {name} in the table"))]
    }

    fn applies(&self, param: &Param) -> bool {
        param.when.iter().all(|condition| self.holds(condition))
    }

    /// What conditions call `allocation` and `game`.
    fn pseudo(&self, name: &str) -> &'static str {
        if name == "game" { self.kind.name() } else { self.allocation }
    }

    fn holds(&self, (other, values): &(&str, &[&str])) -> bool {
        match PARAMS.iter().position(|p| p.name == *other) {
            None => values.contains(&self.pseudo(other)),
            Some(i) => self.applies(&PARAMS[i]) && self.values[i].is_any_of(values),
        }
    }

    fn keys(&self) -> String {
        let names: Vec<&str> = self.parameters().map(|(p, _)| p.name).collect();
        names.join(", ")
    }
}

/// The whole line, every parameter included: parsing it gives the same engine.
impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.preset)?;
        self.parameters().try_for_each(|(param, value)| write!(f, " {}={value}", param.name))
    }
}

fn default_of(kind: GameKind, param: &Param) -> &'static str {
    let own = GOBANG_DEFAULTS.iter().find(|(name, _)| kind == GameKind::Gobang && *name == param.name);
    own.map_or(param.default, |(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_parses_and_prints_a_line_that_means_the_same() {
        for preset in PRESETS {
            for name in [preset.name].iter().chain(preset.aliases) {
                assert!(preset.games().count() > 0, "{name}");
                for kind in preset.games() {
                    let engine = Engine::parse_for(kind, name).unwrap();
                    assert_eq!(Engine::parse_for(kind, &engine.to_string()), Ok(engine));
                }
            }
        }
        for kind in GameKind::ALL {
            assert!(Engine::parse_for(kind, default_for(kind)).is_ok());
        }
        for (typed, preset) in [("UCT", "uct"), ("Inherited_Tree_UCT", "inherited-uct"), ("SHOT", "shot")] {
            assert_eq!(Engine::parse(typed).map(|e| e.preset()), Ok(preset));
        }
    }

    #[test]
    fn every_default_is_in_its_range_and_every_condition_exists() {
        for param in PARAMS {
            assert!(param.parse(param.default).is_ok(), "{}", param.name);
            for (other, values) in param.when {
                let known: Vec<&str> = match PARAMS.iter().find(|p| p.name == *other).map(|p| p.kind) {
                    Some(Kind::Choice(names) | Kind::Set(names)) => names.to_vec(),
                    _ if *other == "game" => GameKind::ALL.map(GameKind::name).to_vec(),
                    _ => ALLOCATIONS.iter().map(|a| a.name).collect(),
                };
                assert!(values.iter().all(|v| known.contains(v)), "{}", param.name);
            }
        }
    }

    #[test]
    fn what_a_game_cannot_use_is_refused_and_its_defaults_are_its_own() {
        let gobang = |line: &str| Engine::parse_for(GameKind::Gobang, line);
        assert!(gobang("handicap").unwrap_err().contains("works with go, not with gobang"));
        assert!(gobang("potential-mc").unwrap_err().contains("territory"));
        assert!(Engine::parse("gobang").unwrap_err().contains("rows of five"));
        assert!(Engine::parse("uct playout=block-four").unwrap_err().contains("works with gobang"));
        assert!(Engine::parse("uct solver=on").unwrap_err().contains("game gobang"));
        assert!(Engine::parse("uct candidates=near").is_err() && gobang("shot candidates=near distance=3").is_ok());
        let (go, gobang) = (Engine::parse("uct").unwrap(), gobang("uct").unwrap());
        assert_eq!((go.float("c"), go.choice("playout")), (0.25, "light"));
        assert_eq!((gobang.float("c"), gobang.choice("playout")), (0.41, "block-four"));
    }

    #[test]
    fn wrong_lines_are_refused_with_what_would_be_valid() {
        let error = |line: &str| Engine::parse(line).unwrap_err();
        assert!(error("alphabeta").contains("there are: moku, "));
        assert!(error("").contains("uct"));
        assert!(error("uct playouts").contains("key=value"));
        assert!(error("uct speed=3").contains("there are: playouts"));
        assert!(error("uct c=-1").contains("0 to 100"));
        assert!(error("uct final=best").contains("playouts or rate"));
        assert!(error("mc c=1").contains("mc takes: playouts"));
        assert!(error("uct each=3").contains("allocation mc"));
        assert!(error("mc memory=tree").contains("works with uct, shot"));
        assert!(error("uct gain=1").contains("reward sigmoid"));
        assert!(error("mc candidates=filter1 where=tree").contains("allocation uct"));
        assert!(Engine::parse("uct c=0.25 final=rate playouts=10").is_ok());
        assert!(error("uct level=11").contains("0 to 10"));
        assert!(error("uct level=3 playouts=5").contains("leave out playouts"));
        assert!(error("uct playouts=5 level=3").contains("leave out playouts"));
    }

    #[test]
    fn a_level_doubles_the_playouts_and_takes_the_place_of_a_presets_budget() {
        let playouts = |line: &str| Engine::parse(line).unwrap().playouts(81);
        assert_eq!(playouts("uct"), None);
        assert_eq!(playouts("uct playouts=7"), Some(7));
        assert_eq!((1..=3).map(|l| playouts(&format!("uct level={l}")).unwrap()).collect::<Vec<_>>(), [81, 162, 324]);
        let preset = Engine::parse("potential-mc level=10").unwrap();
        assert_eq!((preset.int("each"), preset.playouts(81)), (0, Some(81 * 512)));
        assert_eq!(Engine::parse(&preset.to_string()), Ok(preset));
    }

    #[test]
    fn a_changed_parameter_changes_nothing_else_and_may_leave_others_without_a_meaning() {
        let engine = Engine::parse("uct reward=sigmoid gain=2 playouts=50").unwrap();
        let changed = engine.with("reward", "step").unwrap();
        assert_eq!(changed.choice("reward"), "step");
        assert!(!changed.to_string().contains("gain"));
        assert_eq!(changed.with("reward", "sigmoid").unwrap(), engine);
        assert_eq!(engine.with("level", "4").unwrap().playouts(81), Some(81 * 8));
        assert_eq!(engine.with("level", "4").unwrap().with("playouts", "9").unwrap().playouts(81), Some(9));
        for (key, value, hint) in [("c", "-1", "0 to 100"), ("speed", "1", "there are"), ("each", "3", "allocation mc")]
        {
            assert!(engine.with(key, value).unwrap_err().contains(hint), "{key}");
        }
    }
}
