//! Engines as lines of text: `uct`, `mc each=100`, `uct c=0.3 memory=tree playouts=10000`.
//!
//! A line starts with a preset; `key=value` words change it. One table of presets, one of parameters.

use super::registry::ALLOCATIONS;
use crate::base::params::{Kind, Param, Value, clip};
use std::fmt;

/// A name for an engine line.
pub struct Preset {
    pub name: &'static str,
    /// Other names a reader of the papers might type.
    pub aliases: &'static [&'static str],
    /// Allocation and the parameters that differ from their defaults.
    pub line: &'static str,
    pub doc: &'static str,
    pub paper: &'static str,
}

pub const PRESETS: &[Preset] = &[
    Preset {
        name: "uct",
        aliases: &[],
        line: "uct",
        doc: "UCB1 in every node of a growing tree",
        paper: "Kocsis and Szepesvari 2006",
    },
    Preset {
        name: "tree-uct",
        aliases: &[],
        line: "uct memory=tree first=1.1",
        doc: "uct that keeps the part of its tree that the game went into",
        paper: "Toyoda, Matsumoto, Sasaki and Kotani, further work",
    },
    Preset {
        name: "inherited-uct",
        aliases: &["inherited-tree-uct"],
        line: "uct memory=inherit discount=0.35 threshold=10 final=rate",
        doc: "uct whose new nodes inherit from two plies ago",
        paper: "Toyoda, Matsumoto, Sasaki and Kotani",
    },
    Preset {
        name: "shot",
        aliases: &[],
        line: "shot",
        doc: "Sequential Halving in every node of a tree",
        paper: "Honjo and Tsuruoka; Cazenave 2014",
    },
    Preset {
        name: "mc",
        aliases: &["flat-mc"],
        line: "mc",
        doc: "flat Monte Carlo: every move gets the same number of playouts",
        paper: "Bruegmann 1993",
    },
    Preset {
        name: "inherited-mc",
        aliases: &[],
        line: "mc memory=inherit discount=0.25",
        doc: "mc that starts from its results of two plies ago",
        paper: "Toyoda, Matsumoto, Sasaki and Kotani",
    },
    Preset {
        name: "potential-mc",
        aliases: &["potential-pruned-mc"],
        line: "mc each=100 candidates=combination from=59",
        doc: "mc over the moves that the potential model leaves",
        paper: "Oshima, Yamada and Endo",
    },
    Preset {
        name: "potential-uct",
        aliases: &["potential-pruned-uct"],
        line: "uct candidates=combination from=59",
        doc: "uct over the moves that the potential model leaves",
        paper: "Oshima, Yamada and Endo",
    },
    Preset { name: "ucb1", aliases: &[], line: "ucb1", doc: "UCB1 over the moves, no tree", paper: "Auer et al. 2002" },
    Preset {
        name: "inherited-ucb1",
        aliases: &[],
        line: "ucb1 memory=inherit discount=0.7 final=rate",
        doc: "ucb1 that starts from its results of two plies ago",
        paper: "Toyoda, Matsumoto, Sasaki and Kotani",
    },
    Preset {
        name: "ruct",
        aliases: &[],
        line: "ruct",
        doc: "upper and lower confidence bounds on a tree of fixed depth",
        paper: "Okuyama, Hatano, Takimoto and Takeda",
    },
    Preset {
        name: "handicap",
        aliases: &[
            "handicap-uct",
            "sigmoid-komi",
            "handicap-aware",
            "handicap-sigmoid-komi",
            "handicap-aware-sigmoid-komi",
        ],
        line: "uct reward=sigmoid-komi",
        doc: "uct whose reward looks for points when far behind or ahead",
        paper: "Ito, Shibahara and Kotani",
    },
    Preset {
        name: "random",
        aliases: &[],
        line: "random",
        doc: "any move that fills no own eye, without thinking",
        paper: "an opponent of Ito, Shibahara and Kotani",
    },
];

/// What moku plays with when nobody chooses.
pub const DEFAULT: &str = "tree-uct";

type When = &'static [(&'static str, &'static [&'static str])];
const ALWAYS: When = &[];
const MC: When = &[("allocation", &["mc"])];
const UCT: When = &[("allocation", &["uct"])];
const UCB: When = &[("allocation", &["uct", "ucb1"])];
const SHOT: When = &[("allocation", &["shot"])];
const RUCT: When = &[("allocation", &["ruct"])];
const IN_TREE: When = &[("allocation", &["uct", "shot", "ruct"])];
const FILTERED: &[&str] = &["filter1", "filter2", "filter3", "filter4", "random", "combination"];
const INHERIT: When = &[("memory", &["inherit"])];
const INHERIT_UCT: When = &[("memory", &["inherit"]), ("allocation", &["uct"])];
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
    "each" Kind::Int { min: 0, max: 1_000_000_000 }, "0", MC,
        "playouts for each candidate move, instead of a total; 0: not used";
    "c" Kind::Float { min: 0.0, max: 100.0 }, "0.25", UCB,
        "exploration: a child is worth mean + c sqrt(ln n / s)";
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
    "candidates" Kind::Choice(&["all", "filter1", "filter2", "filter3", "filter4", "random", "combination"]), "all", ALWAYS,
        "which moves may be looked at: all, or half of them by the potential model";
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
    "threads" Kind::Int { min: 0, max: 256 }, "0", ALWAYS,
        "worker threads; 0: as the program was started";
    "end" Kind::Choice(&["person", "fill"]), "person", ALWAYS,
        "passes and resigns like a person, or plays on until only own eyes are left and never resigns";
}

/// Values that only some allocations can do something with, and why.
const ONLY: &[(&str, &str, &[&str], &str)] = &[
    ("memory", "inherit", &["mc", "ucb1", "uct"], "halving and fixed depths count every playout themselves"),
    ("memory", "tree", &["uct", "shot"], "there is no tree to keep, or it has a fixed depth"),
];

/// A chosen engine: an allocation and a value for every parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Engine {
    preset: &'static str,
    allocation: &'static str,
    values: Vec<Value>,
}

impl Engine {
    /// Reads a line. Errors say what would be valid.
    pub fn parse(line: &str) -> Result<Engine, String> {
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else {
            return Err(format!("an engine line starts with a name: {}", preset_names()));
        };
        // Names as people type them: `UCT`, `inherited_tree_uct`.
        let plain = name.to_ascii_lowercase().replace('_', "-");
        let preset = PRESETS
            .iter()
            .find(|p| p.name == plain || p.aliases.contains(&plain.as_str()))
            .ok_or_else(|| format!("no engine '{}'; there are: {}", clip(name), preset_names()))?;
        let mut base = preset.line.split_whitespace();
        let wanted = base.next().unwrap_or_default();
        let allocation = ALLOCATIONS
            .iter()
            .find(|a| a.name == wanted)
            .ok_or_else(|| format!("preset {name} names no allocation"))?
            .name;
        let values = PARAMS.iter().map(|p| p.parse(p.default)).collect::<Result<_, _>>()?;
        let mut engine = Engine { preset: preset.name, allocation, values };
        let mut given = Vec::new();
        for word in base.chain(words) {
            let (key, text) = word
                .split_once('=')
                .ok_or_else(|| format!("'{}' is not key=value; keys: {}", clip(word), engine.keys()))?;
            let i = PARAMS
                .iter()
                .position(|p| p.name == key)
                .ok_or_else(|| format!("no parameter '{}'; there are: {}", clip(key), engine.keys()))?;
            engine.values[i] = PARAMS[i].parse(text)?;
            given.push(i);
        }
        engine.check(&given)?;
        Ok(engine)
    }

    /// Do the parameters that were given mean something together?
    fn check(&self, given: &[usize]) -> Result<(), String> {
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
            for (param, value, allocations, why) in ONLY {
                if name == *param && self.choice(param) == *value && !allocations.contains(&self.allocation) {
                    let allocations = allocations.join(", ");
                    return Err(format!(
                        "{param}={value} works with {allocations}, not with {}: {why}",
                        self.allocation
                    ));
                }
            }
        }
        Ok(())
    }

    pub fn preset(&self) -> &'static str {
        self.preset
    }

    pub fn allocation(&self) -> &'static str {
        self.allocation
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

    fn value(&self, name: &str) -> &Value {
        let i = PARAMS.iter().position(|p| p.name == name);
        &self.values[i.unwrap_or_else(|| unreachable!("no parameter {name} in the table"))]
    }

    fn applies(&self, param: &Param) -> bool {
        param.when.iter().all(|condition| self.holds(condition))
    }

    fn holds(&self, (other, values): &(&str, &[&str])) -> bool {
        match PARAMS.iter().position(|p| p.name == *other) {
            None => values.contains(&self.allocation),
            Some(i) => self.applies(&PARAMS[i]) && values.contains(&self.values[i].to_string().as_str()),
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

pub fn preset_names() -> String {
    PRESETS.iter().map(|p| p.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_parses_and_prints_a_line_that_means_the_same() {
        for preset in PRESETS {
            for name in [preset.name].iter().chain(preset.aliases) {
                let engine = Engine::parse(name).unwrap();
                assert_eq!(Engine::parse(&engine.to_string()), Ok(engine));
            }
        }
        assert!(Engine::parse(DEFAULT).is_ok());
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
                    Some(Kind::Choice(names)) => names.to_vec(),
                    _ => ALLOCATIONS.iter().map(|a| a.name).collect(),
                };
                assert!(values.iter().all(|v| known.contains(v)), "{}", param.name);
            }
        }
    }

    #[test]
    fn wrong_lines_are_refused_with_what_would_be_valid() {
        let error = |line: &str| Engine::parse(line).unwrap_err();
        assert!(error("alphabeta").contains("there are: uct"));
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
    }
}
