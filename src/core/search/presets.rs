//! The table of presets: names for engine lines.

use super::Engine;
use crate::base::GameKind;

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
        name: "moku",
        aliases: &[],
        line: "uct rule=rave c=0 prior=even+patterns widen=8 playout=rules points=0.05 memory=tree",
        doc: "Go at its best: all moves as first, priors learned from games, and playouts that answer",
        paper: "Gelly and Silver 2011; Gelly, Wang, Munos and Teytaud 2006",
    },
    Preset {
        name: "moku-shot",
        aliases: &[],
        line: "uct rule=rave c=0 prior=even+patterns widen=8 playout=rules points=0.05 memory=tree halving=16",
        doc: "moku with Sequential Halving at the root",
        paper: "moku; Pepels, Cazenave, Winands and Lanctot 2014",
    },
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
        name: "shot-printed",
        aliases: &[],
        line: "shot remainder=drop share=call finished=once",
        doc: "shot by the paper's pseudo-code to the letter: what a node's halving leaves over is not made",
        paper: "Honjo and Tsuruoka",
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
    Preset {
        name: "prover",
        aliases: &["tsumego"],
        line: "uct prover=on",
        doc: "proves enclosed problems of life and death; uct elsewhere",
        paper: "Nagai 2002; Kishimoto and Mueller 2005",
    },
    Preset {
        name: "gobang",
        aliases: &["gomoku"],
        line: "puct c=0.5 sharpness=0.7 lead=0.2 threats=10 deep=60 doubt=0.5 memory=tree final=bound",
        doc: "Gobang at its best: a tree led by what is read from lines, with threats proven",
        paper: "Rosin 2011; Nagai 2002; Winands, Bjornsson and Saito 2008",
    },
    Preset {
        name: "gobang-uct",
        aliases: &[],
        line: "uct memory=tree playout=decisive decisive=on solver=on vcf=200 candidates=near",
        doc: "uct that takes what decides, proves wins and reads continuous fours",
        paper: "Teytaud and Teytaud 2010; Winands, Bjornsson and Saito 2008",
    },
];

/// What moku plays with when nobody chooses.
pub fn default_for(kind: GameKind) -> &'static str {
    match kind {
        GameKind::Go => "moku",
        GameKind::Gobang => "gobang",
    }
}

impl Preset {
    /// The games it plays.
    pub fn games(&self) -> impl Iterator<Item = GameKind> {
        GameKind::ALL.into_iter().filter(|&kind| Engine::parse_for(kind, self.name).is_ok())
    }
}

pub fn preset_names() -> String {
    PRESETS.iter().map(|p| p.name).collect::<Vec<_>>().join(", ")
}
