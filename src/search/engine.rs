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
        line: "uct memory=tree",
        doc: "uct that keeps the part of its tree that the game went into",
        paper: "Toyoda et al., further work",
    },
    Preset {
        name: "mc",
        aliases: &["flat-mc"],
        line: "mc",
        doc: "flat Monte Carlo: every move gets the same number of playouts",
        paper: "Bruegmann 1993",
    },
];

/// What moku plays with when nobody chooses.
pub const DEFAULT: &str = "tree-uct";

const TREE: Option<(&str, &[&str])> = Some(("allocation", &["uct"]));

pub const PARAMS: &[Param] = &[
    Param {
        name: "playouts",
        kind: Kind::Int { min: 0, max: 1_000_000_000_000 },
        default: "0",
        doc: "playouts for a move, spent exactly; 0: as many as the time allows",
        when: None,
    },
    Param {
        name: "time",
        kind: Kind::Float { min: 0.0, max: 86_400.0 },
        default: "0",
        doc: "seconds for a move; 0: by the clock of the game, or one second if there is none and no playouts are given",
        when: None,
    },
    Param {
        name: "each",
        kind: Kind::Int { min: 0, max: 1_000_000_000 },
        default: "0",
        doc: "playouts for each candidate move, instead of a total; 0: not used",
        when: Some(("allocation", &["mc"])),
    },
    Param {
        name: "c",
        kind: Kind::Float { min: 0.0, max: 100.0 },
        default: "0.4",
        doc: "exploration: a child is worth mean + c sqrt(ln n / s)",
        when: TREE,
    },
    Param {
        name: "threshold",
        kind: Kind::Int { min: 1, max: 1_000_000 },
        default: "8",
        doc: "playouts through a leaf before it grows children",
        when: TREE,
    },
    Param {
        name: "first",
        kind: Kind::Float { min: 0.0, max: 1000.0 },
        default: "1000",
        doc: "what a child without playouts is worth; 1000 tries all children before any twice",
        when: TREE,
    },
    Param {
        name: "memory",
        kind: Kind::Choice(&["none", "tree"]),
        default: "none",
        doc: "what a search starts from: nothing, or the tree of the search before",
        when: TREE,
    },
    Param {
        name: "tree-mb",
        kind: Kind::Int { min: 1, max: 1_000_000 },
        default: "512",
        doc: "memory for the tree in megabytes; when it is full the tree stops growing and the search goes on",
        when: TREE,
    },
    Param {
        name: "final",
        kind: Kind::Choice(&["playouts", "rate"]),
        default: "playouts",
        doc: "the move played has the most playouts (win rate breaks ties) or the best win rate",
        when: TREE,
    },
    Param {
        name: "threads",
        kind: Kind::Int { min: 0, max: 256 },
        default: "0",
        doc: "worker threads; 0: as the program was started",
        when: None,
    },
    Param {
        name: "end",
        kind: Kind::Choice(&["person", "fill"]),
        default: "person",
        doc: "passes and resigns like a person, or plays on until only own eyes are left and never resigns",
        when: None,
    },
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
        let preset = PRESETS
            .iter()
            .find(|p| p.name == name || p.aliases.contains(&name))
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
        for i in given {
            if !engine.applies(&PARAMS[i]) {
                let (other, values) = PARAMS[i].when.unwrap_or(("", &[]));
                return Err(format!(
                    "{} means something only with {other} {}; {allocation} takes: {}",
                    PARAMS[i].name,
                    values.join(" or "),
                    engine.keys()
                ));
            }
        }
        Ok(engine)
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
        match param.when {
            None => true,
            Some(("allocation", names)) => names.contains(&self.allocation),
            Some((other, names)) => {
                let i = PARAMS.iter().position(|p| p.name == other);
                i.is_some_and(|i| self.applies(&PARAMS[i]) && names.contains(&self.values[i].to_string().as_str()))
            }
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
    }

    #[test]
    fn every_default_is_in_its_range_and_every_condition_exists() {
        for param in PARAMS {
            assert!(param.parse(param.default).is_ok(), "{}", param.name);
            if let Some((other, values)) = param.when {
                let known: Vec<&str> = match PARAMS.iter().find(|p| p.name == other).map(|p| p.kind) {
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
        assert!(Engine::parse("uct c=0.25 final=rate playouts=10").is_ok());
    }
}
