//! The table of an engine's parameters: one row each, from which come the typed values that searches ask for, the words
//! of engine lines, and the text of every dialog and listing.
//!
//! ```
//! use moku_core::search::{Engine, params::Memory};
//! let engine = Engine::parse("tree-uct c=0.5")?;
//! assert!(engine.params().c == 0.5 && engine.params().memory == Memory::Tree);
//! # Ok::<(), moku_core::search::EngineError>(())
//! ```
//!
//! What has no row cannot be asked for:
//!
//! ```compile_fail,E0609
//! # use moku_core::search::Engine;
//! Engine::parse("uct").unwrap().params().speed;
//! ```

use super::registry::{Ability, able};
use crate::base::GameKind;
use crate::base::params::{BadValue, Kind, Named, Param, Typed, Value};
use crate::playout::local::MOST_SAMPLES;

/// When a parameter means something, or a value of it: all of these hold.
pub type When = &'static [Condition];

#[derive(Clone, Copy, Debug)]
pub enum Condition {
    /// The allocation can do this.
    Can(Ability),
    Game(GameKind),
    /// Another parameter means something and has one of these values.
    Is(&'static str, &'static [&'static str]),
}

use Condition::{Can, Game, Is};

const ALWAYS: When = &[];
const GROWS: When = &[Can(Ability::Grow)];
const HALVES: When = &[Can(Ability::Halve)];
const BOUNDS: When = &[Can(Ability::Bound)];
const READS: When = &[Can(Ability::ReadRows)];
const FILTERED: Condition = Is("candidates", &["filter1", "filter2", "filter3", "filter4", "random", "combination"]);
const POTENTIAL: Condition = Is("candidates", &["filter1", "filter2", "filter3", "filter4", "combination"]);
const GOBANG: When = &[Game(GameKind::Gobang)];
const PROVER: When = &[Is("prover", &["on"])];
const RULES: When = &[Is("playout", &["rules"])];
const SOFTMAX: When = &[Is("playout", &["softmax"])];
const INHERITS: Condition = Is("memory", &["inherit"]);
const INHERITS_IN_TREE: When = &[INHERITS, Can(Ability::Grow)];
const SIDED: Condition = Is("reward", &["dakv", "half-sigmoid", "sigmoid-komi"]);

impl Condition {
    /// What it is about, and the words that it takes.
    pub fn words(&self) -> (&'static str, Vec<&'static str>) {
        match *self {
            Can(ability) => ("allocation", able(ability)),
            Game(kind) => ("game", vec![kind.name()]),
            Is(name, values) => (name, values.to_vec()),
        }
    }
}

/// A parameter and when it means something.
#[derive(Debug)]
pub struct Row {
    pub param: Param,
    pub when: When,
}

/// One row per parameter: its field, its name in engine lines, its kind, default, when it means something, and what it
/// does. A row of choices declares their enum.
macro_rules! params {
    ($($field:ident: $name:literal $kind:ident $(($($of:tt)*))?, $default:literal, $when:expr, $doc:literal;)*) => {
        pub const PARAMS: &[Row] = &[$(Row {
            param: Param { name: $name, kind: kind!($kind $($($of)*)?), default: $default, doc: $doc },
            when: $when,
        }),*];

        /// A value for every parameter.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Params {
            $(#[doc = $doc] pub $field: typed!($kind $($($of)*)?),)*
        }

        impl Params {
            /// The defaults of a game.
            pub fn new(game: GameKind) -> Result<Params, BadValue> {
                let [$($field),*] = PARAMS else { unreachable!("every field has its row") };
                Ok(Params { $($field: $field.param.read(default_of(game, &$field.param))?,)* })
            }

            /// The value of a row as text has it.
            pub fn value(&self, row: &Param) -> Value {
                match row.name {
                    $($name => self.$field.to_value(row.kind),)*
                    name => unreachable!("{name} is no row of this table"),
                }
            }

            /// Reads the value of a row.
            pub fn set(&mut self, row: &Param, text: &str) -> Result<(), BadValue> {
                match row.name {
                    $($name => self.$field = row.read(text)?,)*
                    name => unreachable!("{name} is no row of this table"),
                }
                Ok(())
            }
        }

        $(declare!($kind $($($of)*)?);)*
    };
}

/// What text may say.
macro_rules! kind {
    (Int $min:expr, $max:expr) => { Kind::Int { min: $min, max: $max } };
    (Float $min:expr, $max:expr) => { Kind::Float { min: $min, max: $max } };
    (FloatOr $word:literal, $min:expr, $max:expr) => { Kind::FloatOr { word: $word, min: $min, max: $max } };
    (Switch) => { Kind::Choice(&["off", "on"]) };
    (File $word:literal) => { Kind::File { word: $word } };
    (Choice $of:ident: $($variant:ident $word:literal),*) => { Kind::Choice(&[$($word),*]) };
    (Set $of:ident: $($variant:ident $word:literal),*) => { Kind::Set(&[$($word),*]) };
}

/// What the code has.
macro_rules! typed {
    (Int $($range:tt)*) => { u64 };
    (Float $($range:tt)*) => { f64 };
    (FloatOr $($range:tt)*) => { Option<f64> };
    (Switch) => { bool };
    (File $word:literal) => { Option<String> };
    (Choice $of:ident: $($variants:tt)*) => { $of };
    (Set $of:ident: $($variants:tt)*) => { Vec<$of> };
}

macro_rules! declare {
    (Choice $($of:tt)*) => { declare!($($of)*); };
    (Set $($of:tt)*) => { declare!($($of)*); };
    ($of:ident: $($variant:ident $word:literal),*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $of {
            $(#[doc = concat!("`", $word, "`")] $variant,)*
        }

        impl Named for $of {
            const ALL: &'static [(&'static str, Self)] = &[$(($word, $of::$variant)),*];
        }
    };
    ($($number:tt)*) => {};
}

params! {
    playouts: "playouts" Int(0, 1_000_000_000_000), "0", ALWAYS,
        "playouts for a move, spent exactly; 0: as many as the time allows";
    time: "time" Float(0.0, 86_400.0), "0", ALWAYS,
        "seconds for a move; 0: by the clock of the game, or one second if there is none and no playouts are given";
    level: "level" Int(0, 10), "0", ALWAYS,
        "how hard to try, from somebody who has just learned the rules to all there is; without learned priors a playout for every point of the board at 1, twice as many with each level; 0: not used";
    each: "each" Int(0, 1_000_000_000), "0", &[Can(Ability::GiveEach)],
        "playouts for each candidate move, instead of a total; 0: not used";
    c: "c" Float(0.0, 100.0), "0.25", &[Can(Ability::Explore)],
        "exploration: a child is worth mean + c sqrt(ln n / s); in puct mean + c P sqrt(n) / (1 + s) with its share P of the prior";
    threshold: "threshold" Int(1, 1_000_000), "8", GROWS,
        "playouts through a leaf before it grows children";
    first: "first" FloatOr("inf", 0.0, 1000.0), "inf", GROWS,
        "what a child without playouts is worth; inf tries all children before any twice";
    remainder: "remainder" Choice(Remainder: Best "best", Drop "drop"), "best", HALVES,
        "what a node's halving leaves over goes to its best child, or (as printed) is not made";
    share: "share" Choice(Share: Used "used", Call "call"), "used", HALVES,
        "a round's share counts the playouts a node had before the call, or (as printed) those that the call has made so far";
    finished: "finished" Choice(Finished: Budget "budget", Once "once"), "budget", HALVES,
        "a finished game counts as often as it was asked about, or (as printed) as one result";
    half: "half" Choice(Half: Up "up", Down "down"), "up", HALVES,
        "half of an odd number of moves, rounded up, or (as the scan of the print shows it) down";
    depth: "depth" Int(1, 8), "2", BOUNDS,
        "plies of the tree; playouts start at its leaves";
    constant: "constant" FloatOr("theory", 0.0, 1000.0), "0.3", BOUNDS,
        "exploration: theory is 12h + 1 at height h with the number of leaves below; a number is used at all heights, without that";
    theory: "theory" Choice(Theory: Height "height", Depth "depth"), "height", &[Can(Ability::Bound), Is("constant", &["theory"])],
        "the theory's constant: 12h + 1 at height h and 1 at the lowest level, or (as printed for depth d) 12d + 1 everywhere";
    oracle: "oracle" Choice(Oracle: Resample "resample", Single "single"), "single", BOUNDS,
        "the lowest level returns a second playout drawn by its counts (as printed), or the one it learns from";
    answer: "answer" Choice(Answer: Mode "mode", Draw "draw"), "mode", BOUNDS,
        "the move with the largest share, or one drawn by the shares";
    candidates: "candidates" Choice(Narrowing: All "all", Filter1 "filter1", Filter2 "filter2", Filter3 "filter3", Filter4 "filter4", Random "random", Combination "combination", Near "near"), "all", ALWAYS,
        "which moves may be looked at: all, half of them by the potential model, or (Gobang) those near a stone";
    distance: "distance" Int(1, 24), "2", &[Is("candidates", &["near"])],
        "how many steps from a stone, diagonal ones included, is near";
    decisive: "decisive" Switch, "off", GOBANG,
        "a node looks only at a five, else at what stops one, else at an open four, where there are such moves";
    playout: "playout" Choice(PolicyName: Light "light", Rules "rules", Softmax "softmax", BlockFour "block-four", Decisive "decisive"), "light", ALWAYS,
        "how a game is played out: uniformly; in Go by rules that answer the last moves, or by learned weights; in Gobang stopping the four of the last move, or by fives, stops and open fours";
    split: "split" Switch, "on", &[Is("playout", &["block-four"])],
        "a four with a gap is stopped too; off: rows of four alone";
    capture: "capture" Float(0.0, 1.0), "0.9", RULES,
        "how often a playout takes the stone just played or saves what it put into atari";
    pattern: "pattern" Float(0.0, 1.0), "0.95", RULES,
        "how often a playout answers by a 3x3 pattern beside the last two moves";
    self_atari: "self-atari" Float(0.0, 1.0), "0.9", RULES,
        "how often a playout refuses a random move that puts itself into atari";
    playout_weights: "playout-weights" File("built-in"), "built-in", SOFTMAX,
        "the weights of the playouts: the program's own, or a file of moku learn playouts";
    elsewhere: "elsewhere" Int(0, MOST_SAMPLES), "0", SOFTMAX,
        "how many points, drawn at random, stand for all moves that are not around the last two, which is quicker; 0: each point has its own weight";
    locality: "locality" Float(0.01, 1000.0), "1", SOFTMAX,
        "how many times as likely as learned the moves around the last two are";
    tactics: "tactics" Float(0.0, 10.0), "1", SOFTMAX,
        "the power to which the learned weights of captures, escapes, ataris and the like are taken";
    weighed: "weighed" Int(0, 10_000), "0", SOFTMAX,
        "how many moves of a playout are drawn by weights, while those after them are made as by playout=rules; 0: all";
    nakade: "nakade" Float(0.0, 1.0), "0", RULES,
        "how often a playout takes the vital point of a small eye beside the last move";
    two_liberties: "two-liberties" Float(0.0, 1.0), "0", RULES,
        "how often a playout puts the last stone into an atari that it cannot run from, or gives a chain of two liberties beside it a third";
    mercy: "mercy" Float(0.0, 1.0), "0", RULES,
        "a playout ends when one side has more stones than the other by this share of the board's points; 0: never";
    solver: "solver" Switch, "off", &[Game(GameKind::Gobang), Can(Ability::Grow)],
        "wins and losses that the tree proves are backed up and end the search";
    prover: "prover" Switch, "off", &[Game(GameKind::Go), Can(Ability::Grow)],
        "first asks the exact solver when the position was set up as a problem";
    prover_time: "prover-time" Float(0.0, 86_400.0), "10", PROVER,
        "seconds that the exact solver may take for a move";
    table_mb: "table-mb" Int(1, 65_536), "64", PROVER,
        "megabytes for the exact solver's table";
    fights: "fights" Int(0, 1_000_000), "0", &[Game(GameKind::Go), Can(Ability::Grow)],
        "nodes that the exact solver may spend on a small enclosed group, at the root and where a node is visited often; 0: it is not asked";
    fights_worth: "fights-worth" Int(1, 1_000_000), "50", &[Game(GameKind::Go), Can(Ability::Grow)],
        "playouts that a move starts from, won or lost, of which the exact solver has shown that it decides a fight about ten stones or more, or comes too late; in proportion for fewer stones";
    vcf: "vcf" Int(0, 10_000), "0", &[Is("solver", &["on"])],
        "positions for a search of continuous fours where a node grows, a hundred times as many at the root; 0: none";
    worth: "worth" Choice(WorthName: Learned "learned", Hand "hand"), "learned", READS,
        "how moves and positions are valued by their lines: by weights learned from moku's own games, or by few weights by hand";
    worth_weights: "worth-weights" File("built-in"), "built-in", &[Is("worth", &["learned"])],
        "the weights of worth=learned: the program's own, or a file of moku learn gobang";
    sight: "sight" Switch, "on", READS,
        "wins seen without reading: double fours, four and three, double threes where they are proven";
    fours: "fours" Int(0, 100_000), "100", READS,
        "stones put in a search of continuous fours at a node, a hundred times as many at the root; 0: none";
    threats: "threats" Int(0, 100_000), "40", READS,
        "stones put in a search of continuous threats at a node, more where it is visited often and at the root; 0: none";
    quiet: "quiet" Choice(QuietName: Off "off", First "first", All "all"), "first", READS,
        "whether continuous threats may have quiet moves that threaten fours: none, the first one where 2,000 stones or more may be put, or all";
    defences: "defences" Switch, "on", READS,
        "reads the opponent's fours and threats too and looks only at moves that can hold";
    vet: "vet" Float(0.0, 1_000.0), "20", READS,
        "stones put for every playout so far, each time these have doubled, in reading what is threatened at the root and after the move that leads; 0: none";
    deep: "deep" Float(0.0, 1_000.0), "0", READS,
        "the same with quiet moves anywhere, where the other reading found nothing; 0: none";
    doubt: "doubt" Float(0.0, 1.0), "0", READS,
        "the move that would be played is read like that too, when it was last read with less than this part of the work; 0: never";
    transpositions: "transpositions" Switch, "off", READS,
        "nodes with the same stones, put in another order, share their children";
    forget: "forget" Switch, "off", &[Can(Ability::ReadRows), Is("transpositions", &["off"])],
        "the playouts of a move that turns out lost are taken out of all nodes above it";
    width: "width" Int(1, 625), "40", READS,
        "how many moves a node looks at, the most promising ones; all that can hold where something must be held";
    sharpness: "sharpness" Float(0.0, 10.0), "1", READS,
        "how much the prior prefers promising moves: 0 takes all alike";
    lead: "lead" Float(-1.0, 1.0), "0.1", READS,
        "how much less than its node a child without playouts is worth";
    mix: "mix" Float(0.0, 1.0), "1", READS,
        "the part of a leaf's value that its lines say; the rest says a playout";
    from: "from" Int(0, 625), "59", &[FILTERED],
        "filter only while there are at least this many moves";
    positive: "positive" Choice(Positive: Mover "mover", Black "black"), "mover", &[POTENTIAL],
        "whose stones have a positive potential: the mover's, or Black's (as printed, where Black alone filters)";
    filter_at: "where" Choice(Where: Root "root", Tree "tree"), "root", &[FILTERED, Can(Ability::FilterNodes)],
        "filter the moves at the root, or in every node";
    pass: "pass" Choice(Pass: Last "last", Always "always"), "last", &[Game(GameKind::Go), Can(Ability::HaveTree)],
        "a pass is looked at when nothing else is left, or in every node as one of its moves";
    reward: "reward" Choice(RewardName: Step "step", Sigmoid "sigmoid", Dakv "dakv", HalfSigmoid "half-sigmoid", SigmoidKomi "sigmoid-komi"), "step", ALWAYS,
        "what a finished playout is worth";
    gain: "gain" Float(0.001, 100.0), "0.4", &[Is("reward", &["sigmoid", "half-sigmoid", "sigmoid-komi"])],
        "how steep the sigmoid is";
    points: "points" Float(0.0, 1.0), "0", &[Game(GameKind::Go)],
        "the part of the reward that the score is, from all points lost to all won; 0: none";
    side: "side" Choice(SideName: Auto "auto", Behind "behind", Ahead "ahead"), "auto", &[SIDED],
        "for the side behind, ahead, or as 500 playouts say";
    target: "target" Float(0.0, 1.0), "0", &[Is("reward", &["dakv", "sigmoid-komi"])],
        "mean reward that sets the reward komi; 0: 0.05 behind, 0.5 ahead";
    even: "even" Float(0.0, 0.5), "0.35", &[SIDED, Is("side", &["auto"])],
        "a win rate between this and 1 minus this is an even game: the reward is the step";
    memory: "memory" Choice(Memory: None "none", Inherit "inherit", Tree "tree"), "none", ALWAYS,
        "what a search starts from: nothing, results of two plies ago, or the tree of the search before";
    discount: "discount" Float(0.0, 1.0), "0.35", &[INHERITS],
        "the part of the results that is inherited";
    cap: "cap" Choice(Cap: None "none", Threshold "threshold"), "none", INHERITS_IN_TREE,
        "inherited playouts as printed, or at most the threshold";
    growth: "growth" Choice(Growth: All "all", Made "made"), "all", INHERITS_IN_TREE,
        "a leaf grows by its playouts made and inherited (as printed), or by those made alone";
    root: "root" Choice(RootMemory: None "none", Inherit "inherit"), "none", INHERITS_IN_TREE,
        "whether the root inherits across turns too";
    tree_mb: "tree-mb" Int(1, 1_000_000), "512", &[Can(Ability::HaveTree)],
        "memory for the tree in megabytes; when it is full the tree stops growing and the search goes on";
    choose_by: "final" Choice(Final: Playouts "playouts", Rate "rate", Bound "bound", Draw "draw"), "playouts", &[Can(Ability::Rank)],
        "the move played has the most playouts (win rate breaks ties), the best win rate, or the best rate that it has at least, by its playouts; or it is drawn by its playouts, those of its priors included";
    spread: "spread" Float(0.01, 100.0), "1", &[Is("final", &["draw"])],
        "how far from the best a move is drawn: chances go with playouts to the power of 1 / spread";
    rule: "rule" Choice(RuleName: Ucb1 "ucb1", Rave "rave", Puct "puct"), "ucb1", GROWS,
        "how a node values its children: by UCB1, mixed with all moves as first, or by prior and playouts";
    equivalence: "equivalence" Float(1.0, 1_000_000.0), "3000", &[Is("rule", &["rave"])],
        "playouts through a move at which they are worth as much as all moves as first";
    amaf_early: "amaf-early" Float(0.0, 100.0), "0", &[Is("rule", &["rave"])],
        "how much more a move counts as first that was made at once than one made at the end of the playout";
    amaf_skip: "amaf-skip" Float(0.0, 1.0), "0.05", &[Is("rule", &["rave"])],
        "the share of descents that do without all moves as first";
    prior: "prior" Set(PriorName: Even "even", Hand "hand", Patterns "patterns"), "none", GROWS,
        "what a move is worth before its first playout: some drawn playouts, what a player would look at first, what players chose in games";
    prior_even: "prior-even" Float(0.0, 10_000.0), "14", &[Is("prior", &["even"])],
        "drawn playouts that every move starts from";
    prior_hand: "prior-hand" Float(0.0, 100.0), "1", &[Is("prior", &["hand"])],
        "how many times the weights by hand are taken";
    prior_patterns: "prior-patterns" Float(0.0, 100_000.0), "300", &[Is("prior", &["patterns"])],
        "won playouts of a move that players are sure to choose; in between by the square root of its chance";
    widen: "widen" Int(0, 625), "0", &[Is("prior", &["hand", "patterns"])],
        "a node looks at this many of its most promising moves first, and at as many more with every doubling of its playouts; 0: at all";
    weights: "weights" File("built-in"), "built-in", &[Is("prior", &["patterns"])],
        "the weights of prior=patterns: the program's own, or a file of moku learn";
    halving: "halving" Int(0, 625), "0", &[Can(Ability::HalveRoot)],
        "the root shares its playouts by Sequential Halving over this many of its most promising moves; 0: it does as other nodes";
    threads: "threads" Int(0, 256), "0", ALWAYS,
        "worker threads; 0: as the program was started";
    end: "end" Choice(End: Person "person", Fill "fill"), "person", ALWAYS,
        "passes and resigns like a person, or plays on until only own eyes are left and never resigns";
}

/// Defaults that differ in Gobang: the paper's constant, and its playouts.
const GOBANG_DEFAULTS: &[(&str, &str)] = &[("c", "0.41"), ("playout", "block-four")];

/// Values that only some allocations or games can do something with, and why.
pub struct Only {
    pub param: &'static str,
    pub values: &'static [&'static str],
    pub works_with: Condition,
    pub why: &'static str,
}

pub const ONLY: &[Only] = &[
    Only {
        param: "memory",
        values: &["inherit"],
        works_with: Can(Ability::Inherit),
        why: "halving and fixed depths count every playout themselves",
    },
    Only {
        param: "memory",
        values: &["tree"],
        works_with: Can(Ability::KeepTree),
        why: "there is no tree to keep, or it has a fixed depth",
    },
    Only {
        param: "reward",
        values: &["sigmoid", "dakv", "half-sigmoid", "sigmoid-komi"],
        works_with: Game(GameKind::Go),
        why: "a game without territory is won or lost, never by points",
    },
    Only {
        param: "candidates",
        values: &["filter1", "filter2", "filter3", "filter4", "combination"],
        works_with: Game(GameKind::Go),
        why: "the potential model estimates territory",
    },
    Only {
        param: "candidates",
        values: &["near"],
        works_with: Game(GameKind::Gobang),
        why: "any point of a Go board may matter",
    },
    Only { param: "prior", values: &["hand", "patterns"], works_with: Game(GameKind::Go), why: "it knows Go" },
    Only {
        param: "playout",
        values: &["rules", "softmax"],
        works_with: Game(GameKind::Go),
        why: "it is about captures and shapes",
    },
    Only {
        param: "playout",
        values: &["block-four", "decisive"],
        works_with: Game(GameKind::Gobang),
        why: "it is about five in a row",
    },
];

/// The choice that a parameter belongs to: itself if it is an axis of the search, else the one that it has no meaning without.
/// What an allocation has to itself belongs to the allocation, what is left to the effort.
pub fn axis_of(name: &str) -> &'static str {
    let Some(row) = PARAMS.iter().find(|row| row.param.name == name) else { return EFFORT };
    let other = row.when.iter().find_map(|condition| match *condition {
        Is(other, _) => Some(axis_of(other)),
        _ => None,
    });
    match other {
        _ if AXES.contains(&name) => row.param.name,
        Some(axis) => axis,
        None if row.when.is_empty() => EFFORT,
        None => ALLOCATION,
    }
}

const EFFORT: &str = "effort";
const ALLOCATION: &str = "allocation";
const AXES: &[&str] = &["candidates", "playout", "reward", "memory", "rule", "prior"];

fn default_of(game: GameKind, row: &Param) -> &'static str {
    let own = GOBANG_DEFAULTS.iter().find(|(name, _)| game == GameKind::Gobang && *name == row.name);
    own.map_or(row.default, |(_, value)| value)
}
