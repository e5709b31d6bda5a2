//! Engines as lines of text: `uct`, `mc each=100`, `uct c=0.3 memory=tree playouts=10000`.
//!
//! A line starts with a preset (see `presets`); `key=value` words change it. It is read once: searches ask for typed
//! values of the table in `params`.

pub use super::presets::{PRESETS, Preset, default_for, preset_names};

use super::EngineError;
use super::levels;
use super::params::{Condition, Final, Memory, ONLY, Only, PARAMS, Params, Row};
use super::registry::{ALLOCATIONS, Ability, Allocation};
use crate::base::GameKind;
use crate::base::params::{Kind, Param, Value, suggestion};
use crate::knowledge::Patterns;
use crate::knowledge::gobang::Guide;
use crate::playout::gammas::Gammas;
use std::fmt;

/// A chosen engine: an allocation and a value for every parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Engine {
    kind: GameKind,
    preset: &'static str,
    allocation: &'static Allocation,
    params: Box<Params>,
}

impl Engine {
    /// Reads a line for Go.
    pub fn parse(line: &str) -> Result<Engine, EngineError> {
        Engine::parse_for(GameKind::Go, line)
    }

    /// Reads a line for a game, which settles some defaults. Errors say what would be valid.
    pub fn parse_for(kind: GameKind, line: &str) -> Result<Engine, EngineError> {
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else {
            return Err(EngineError::Empty);
        };
        // Names as people type them: `UCT`, `inherited_tree_uct`.
        let plain = name.to_ascii_lowercase().replace('_', "-");
        let preset =
            PRESETS.iter().find(|p| p.name == plain || p.aliases.contains(&plain.as_str())).ok_or_else(|| {
                let names = PRESETS.iter().flat_map(|p| p.aliases.iter().copied().chain([p.name]));
                let meant = suggestion(&plain, names);
                EngineError::NoPreset { name: name.to_string(), meant }
            })?;
        let mut base = preset.line.split_whitespace();
        let wanted = base.next().unwrap_or_default();
        let allocation = ALLOCATIONS.iter().find(|a| a.name == wanted).ok_or(EngineError::NoAllocation(preset.name))?;
        let mut engine = Engine { kind, preset: preset.name, allocation, params: Box::new(Params::new(kind)?) };
        let (mut given, from_preset) = (Vec::new(), base.clone().count());
        for word in base.chain(words) {
            let (key, text) = word
                .split_once('=')
                .ok_or_else(|| EngineError::NotAPair { word: word.to_string(), keys: engine.keys() })?;
            let row = engine.row(key)?;
            engine.params.set(&row.param, text)?;
            given.push(row);
        }
        if engine.params.level > 0 {
            // In place of what the preset says; what was typed beside it is an error.
            let is_typed = |name: &str| line.split_whitespace().any(|word| word.starts_with(name));
            if !is_typed("playouts=") {
                engine.params.playouts = 0;
            }
            if !is_typed("each=") {
                engine.params.each = 0;
            }
        }
        let typed = given.split_off(from_preset);
        engine.drop_meaningless(&mut given, &typed)?;
        given.extend(typed);
        engine.check(&given)?;
        Ok(engine)
    }

    /// What a preset says and what was typed beside it leaves without a meaning is as usual: `moku prior=even` has nothing to
    /// widen by. What is the other game's stays, to be refused.
    fn drop_meaningless(&mut self, own: &mut Vec<&'static Row>, typed: &[&'static Row]) -> Result<(), EngineError> {
        let usual = Params::new(self.kind)?;
        let is_typed = |row: &Row| typed.iter().any(|other| other.param.name == row.param.name);
        let is_of_game = |row: &Row| !row.when.iter().any(|c| matches!(c, Condition::Game(kind) if *kind != self.kind));
        while let Some(i) = own.iter().position(|row| !self.applies(row) && is_of_game(row) && !is_typed(row)) {
            let row = own.remove(i);
            self.params.set(&row.param, &usual.value(&row.param).to_string())?;
        }
        Ok(())
    }

    /// The same engine with another value of one parameter.
    pub fn with(&self, key: &str, text: &str) -> Result<Engine, EngineError> {
        let mut engine = self.clone();
        let row = self.row(key)?;
        engine.params.set(&row.param, text)?;
        // Another way to say how many playouts takes the place of the one before.
        if key == "level" && engine.params.level > 0 {
            (engine.params.playouts, engine.params.each) = (0, 0);
        } else if engine.budgets().any(|(name, playouts)| name == key && playouts > 0) {
            engine.params.level = 0;
        }
        engine.check(&[row])?;
        Ok(engine)
    }

    /// A parameter's row of the table.
    fn row(&self, key: &str) -> Result<&'static Row, EngineError> {
        PARAMS.iter().find(|row| row.param.name == key).ok_or_else(|| {
            let meant = suggestion(key, self.rows().map(|(p, _)| p.name));
            EngineError::NoParameter { name: key.to_string(), meant, keys: self.keys() }
        })
    }

    /// The other ways to say how many playouts a move gets, besides `level`.
    fn budgets(&self) -> impl Iterator<Item = (&'static str, u64)> {
        [("playouts", self.params.playouts), ("each", self.params.each)].into_iter()
    }

    /// Playouts for a move on a board of so many points, by `playouts` or `level`; None: as the time allows.
    pub fn playouts(&self, area: usize) -> Option<u64> {
        match self.params.playouts {
            0 => levels::playouts(&self.params, area),
            playouts => Some(playouts),
        }
    }

    /// The engine as it searches at its level.
    pub fn at_level(&self) -> Engine {
        let mut engine = self.clone();
        levels::apply(&mut engine.params);
        engine
    }

    /// With `final=draw`: how far from the best a move is drawn. None: the best is played.
    pub fn spread(&self) -> Option<f64> {
        (self.params.choose_by == Final::Draw).then_some(self.params.spread)
    }

    /// Do the parameters that were given mean something together?
    fn check(&self, given: &[&'static Row]) -> Result<(), EngineError> {
        if let Some((game, why)) = self.allocation.only.filter(|(game, _)| *game != self.kind) {
            let (these, present) = (game.name().to_string(), self.kind.name().to_string());
            let what = self.preset.to_string();
            return Err(EngineError::WorksNotWith { what, these, present, why });
        }
        if self.params.level > 0
            && let Some((other, _)) = self.budgets().find(|(_, playouts)| *playouts > 0)
        {
            return Err(EngineError::TwoBudgets(other));
        }
        for &row in given {
            let Row { param: Param { name, .. }, when } = row;
            if let Some(missing) = when.iter().find(|condition| !self.holds(condition)) {
                let (other, values) = missing.words();
                let values = values.join(" or ");
                let keys = self.keys();
                let allocation = self.allocation.name;
                return Err(EngineError::Meaningless { name, other, values, allocation, keys });
            }
            for only in ONLY.iter().filter(|only| only.param == *name) {
                let Only { param, works_with, why, .. } = only;
                let value = self.params.value(&row.param);
                if value.is_any_of(only.values) && !self.holds(works_with) {
                    let (these, present) = (works_with.words().1.join(", "), self.present(works_with));
                    let what = format!("{param}={value}");
                    return Err(EngineError::WorksNotWith { what, these, present, why });
                }
            }
        }
        for &row in given {
            self.check_file(row)?;
        }
        Ok(())
    }

    /// Can what a file says be used?
    fn check_file(&self, row: &Row) -> Result<(), EngineError> {
        let Value::File(path) = self.params.value(&row.param) else { return Ok(()) };
        let loaded = match row.param.name {
            "weights" => Patterns::shared(&path).map(drop),
            "worth-weights" => Guide::shared(&path).map(drop),
            _ => Gammas::shared(&path).map(drop),
        };
        loaded.map_err(|e| EngineError::Weights(e.to_string()))
    }

    /// The game it plays.
    pub fn kind(&self) -> GameKind {
        self.kind
    }

    pub fn preset(&self) -> &'static str {
        self.preset
    }

    pub fn allocation(&self) -> &'static str {
        self.allocation.name
    }

    pub fn can(&self, ability: Ability) -> bool {
        self.allocation.can.contains(&ability)
    }

    /// The value of every parameter.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Holds the tree to at most so many megabytes.
    pub fn limit_tree(&mut self, megabytes: u64) {
        self.params.tree_mb = self.params.tree_mb.min(megabytes);
    }

    /// Does a search start from the one before?
    pub fn remembers(&self) -> bool {
        self.params.memory != Memory::None
    }

    /// The rows of the table that mean something for this engine, with their values as text has them.
    pub fn rows(&self) -> impl Iterator<Item = (&'static Param, Value)> {
        PARAMS.iter().filter(|row| self.applies(row)).map(|row| (&row.param, self.params.value(&row.param)))
    }

    /// What to say of a line that gives less than one playout to each point of the board, by an allocation that tries every
    /// move before any twice: its moves are hardly better than chance.
    pub fn thin(&self, area: usize) -> Option<String> {
        let tries_all = match self.allocation.name {
            _ if self.can(Ability::Grow) => self.params.first.is_none() && self.params.prior.is_empty(),
            _ => self.can(Ability::GiveEach) || self.can(Ability::Rank) || self.can(Ability::Halve),
        };
        let playouts = self.playouts(area).filter(|&n| tries_all && self.params.each == 0 && n < area as u64)?;
        Some(format!(
            "{} with {playouts} playouts a move has less than one for each of {area} points: its first moves are little \
             better than random",
            self.preset
        ))
    }

    /// What the engine is, without the name it was called by and without what is as it always is: lines that differ in
    /// these alone are of one engine, also those from before a parameter was there.
    pub fn essence(&self) -> String {
        let mut text = self.allocation.name.to_string();
        if let Ok(usual) = Params::new(self.kind) {
            let own = self.rows().filter(|(param, value)| usual.value(param) != *value);
            own.for_each(|(param, value)| text += &format!(" {}={value}", param.name));
        }
        text
    }

    fn applies(&self, row: &Row) -> bool {
        row.when.iter().all(|condition| self.holds(condition))
    }

    fn holds(&self, condition: &Condition) -> bool {
        match *condition {
            Condition::Can(ability) => self.can(ability),
            Condition::Game(kind) => self.kind == kind,
            Condition::Is(name, values) => {
                let row = PARAMS.iter().find(|row| row.param.name == name);
                row.is_some_and(|row| self.applies(row) && self.params.value(&row.param).is_any_of(values))
            }
        }
    }

    /// What there is instead of what a condition asks for.
    fn present(&self, condition: &Condition) -> String {
        match condition {
            Condition::Can(_) => self.allocation.name.to_string(),
            Condition::Game(_) => self.kind.name().to_string(),
            Condition::Is(name, _) => name.to_string(),
        }
    }

    fn keys(&self) -> String {
        let names: Vec<&str> = self.rows().map(|(p, _)| p.name).collect();
        names.join(", ")
    }
}

/// Does a line name a file that would be read? For those who must not have files read.
pub fn names_file(line: &str) -> bool {
    line.split_whitespace().filter_map(|word| word.split_once('=')).any(|(key, text)| {
        let row = PARAMS.iter().find(|row| row.param.name == key);
        row.is_some_and(|row| matches!(row.param.kind, Kind::File { word } if word != text))
    })
}

/// The whole line, every parameter included: parsing it gives the same engine.
impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.preset)?;
        self.rows().try_for_each(|(param, value)| write!(f, " {}={value}", param.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::params::Kind;
    use crate::search::params::{PolicyName, RewardName};

    #[test]
    fn a_line_with_less_than_a_playout_for_each_point_is_told() {
        let thin = |line: &str| Engine::parse(line).unwrap().thin(81);
        for line in ["mc playouts=50", "ucb1 playouts=80", "uct playouts=80", "shot playouts=10"] {
            assert!(thin(line).is_some_and(|text| text.contains("81 points")), "{line}");
        }
        for line in ["mc playouts=81", "mc each=1", "mc time=1", "uct level=1", "moku playouts=10", "random"] {
            assert_eq!(thin(line), None, "{line}");
        }
    }

    #[test]
    fn the_essence_of_a_line_is_what_differs_from_what_is_usual() {
        let essence = |line: &str| Engine::parse(line).unwrap().essence();
        assert_eq!(essence("inherited-mc c=0.25".replace(" c=0.25", "").as_str()), "mc memory=inherit discount=0.25");
        assert_eq!(essence("uct c=0.25 threshold=8"), "uct");
        let full = Engine::parse("uct c=0.41 playouts=7").unwrap();
        assert_eq!(essence(&full.to_string()), "uct playouts=7 c=0.41");
    }

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
    fn every_default_is_in_its_range_and_every_condition_can_hold() {
        let is_known = |name: &str, value: &str| {
            let kind = PARAMS.iter().find(|row| row.param.name == name).map(|row| row.param.kind);
            match kind {
                Some(Kind::Choice(names) | Kind::Set(names)) => names.contains(&value),
                Some(Kind::FloatOr { word, .. }) => word == value,
                _ => false,
            }
        };
        for Row { param, when } in PARAMS {
            assert!(param.parse(param.default).is_ok(), "{}", param.name);
            for condition in *when {
                let (name, words) = condition.words();
                assert!(!words.is_empty(), "{}: no {name} will do", param.name);
                if let Condition::Is(name, values) = condition {
                    assert!(values.iter().all(|v| is_known(name, v)), "{}", param.name);
                }
            }
        }
        for only in ONLY {
            assert!(only.values.iter().all(|v| is_known(only.param, v)), "{}", only.param);
        }
    }

    #[test]
    fn what_a_game_cannot_use_is_refused_and_its_defaults_are_its_own() {
        let gobang = |line: &str| Engine::parse_for(GameKind::Gobang, line);
        assert!(gobang("handicap").unwrap_err().to_string().contains("works with go, not with gobang"));
        assert!(gobang("potential-mc").unwrap_err().to_string().contains("territory"));
        assert!(Engine::parse("gobang").unwrap_err().to_string().contains("rows of five"));
        assert!(Engine::parse("uct playout=block-four").unwrap_err().to_string().contains("works with gobang"));
        assert!(Engine::parse("uct solver=on").unwrap_err().to_string().contains("game gobang"));
        assert!(Engine::parse("uct candidates=near").is_err() && gobang("shot candidates=near distance=3").is_ok());
        let (go, gobang) = (Engine::parse("uct").unwrap(), gobang("uct").unwrap());
        assert_eq!((go.params.c, go.params.playout), (0.25, PolicyName::Light));
        assert_eq!((gobang.params.c, gobang.params.playout), (0.41, PolicyName::BlockFour));
    }

    #[test]
    fn wrong_lines_are_refused_with_what_would_be_valid() {
        let error = |line: &str| Engine::parse(line).unwrap_err().to_string();
        assert!(error("alphabeta").contains("there are: moku, "));
        assert!(error("").contains("uct"));
        assert!(error("uct playouts").contains("key=value"));
        assert!(error("uct speed=3").contains("there are: playouts"));
        assert!(error("uct c=-1").contains("0 to 100"));
        assert!(error("uct final=best").contains("playouts or rate or bound"));
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
    fn what_a_preset_says_gives_way_to_what_is_typed_beside_it() {
        let plain = Engine::parse("moku prior=even").unwrap();
        assert_eq!((plain.params.widen, plain.params.prior.len()), (0, 1));
        assert_eq!(Engine::parse("potential-mc candidates=all").unwrap().params.from, 59);
        assert!(Engine::parse("inherited-uct memory=none").is_ok());
        assert!(Engine::parse("moku prior=even widen=3").is_err_and(|e| e.to_string().contains("prior hand")));
        assert!(Engine::parse_for(GameKind::Gobang, "moku").is_err(), "the other game's preset is refused");
        assert!(Engine::parse_for(GameKind::Gobang, "prover").is_err(), "the other game's preset is refused");
        assert!(Engine::parse("gobang-uct").is_err(), "the other game's preset is refused");
    }

    #[test]
    fn files_of_weights_are_read_with_the_line_and_a_missing_one_is_told() {
        let missing = Engine::parse("moku weights=no-such-file").unwrap_err().to_string();
        assert!(missing.contains("cannot read the weights no-such-file"), "{missing}");
        assert!(Engine::parse("moku playout=softmax playout-weights=no-such-file").is_err());
        if cfg!(unix) {
            let device = Engine::parse("moku playout=softmax playout-weights=/dev/zero").unwrap_err().to_string();
            assert!(device.contains("not a regular file"), "{device}");
        }
        assert!(Engine::parse("moku weights=built-in").is_ok());
        assert!(Engine::parse("uct weights=built-in").is_err_and(|e| e.to_string().contains("prior")));
        assert!(names_file("moku c=1 weights=x") && !names_file("moku weights=built-in playouts=5"));
    }

    #[test]
    fn a_level_doubles_the_playouts_and_takes_the_place_of_a_presets_budget() {
        let playouts = |line: &str| Engine::parse(line).unwrap().playouts(81);
        assert_eq!(playouts("uct"), None);
        assert_eq!(playouts("uct playouts=7"), Some(7));
        assert_eq!((1..=3).map(|l| playouts(&format!("uct level={l}")).unwrap()).collect::<Vec<_>>(), [81, 162, 324]);
        let preset = Engine::parse("potential-mc level=10").unwrap();
        assert_eq!((preset.params.each, preset.playouts(81)), (0, Some(81 * 512)));
        assert_eq!(Engine::parse(&preset.to_string()), Ok(preset));
    }

    #[test]
    fn a_changed_parameter_changes_nothing_else_and_may_leave_others_without_a_meaning() {
        let engine = Engine::parse("uct reward=sigmoid gain=2 playouts=50").unwrap();
        let changed = engine.with("reward", "step").unwrap();
        assert_eq!(changed.params.reward, RewardName::Step);
        assert!(!changed.to_string().contains("gain"));
        assert_eq!(changed.with("reward", "sigmoid").unwrap(), engine);
        assert_eq!(engine.with("level", "4").unwrap().playouts(81), Some(81 * 8));
        assert_eq!(engine.with("level", "4").unwrap().with("playouts", "9").unwrap().playouts(81), Some(9));
        for (key, value, hint) in [("c", "-1", "0 to 100"), ("speed", "1", "there are"), ("each", "3", "allocation mc")]
        {
            assert!(engine.with(key, value).unwrap_err().to_string().contains(hint), "{key}");
        }
    }
}
