//! The rules of Go that people and servers play by, as five choices, and the names that stand for them.

/// Which positions may not come again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ko {
    /// The position before the last move only.
    Simple,
    /// Any position.
    Positional,
    /// Any position with the same side to move.
    Situational,
}

/// What counts at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scoring {
    /// Stones and the points they surround.
    Area,
    /// Points surrounded, but for those in seki, and prisoners.
    Territory,
}

/// What White gets for handicap stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bonus {
    Nothing,
    /// A point for every stone but the first.
    AllButOne,
    /// A point for every stone.
    Each,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    pub ko: Ko,
    pub scoring: Scoring,
    /// May several stones be put to death by their own side? (A single one never may: the position would repeat.)
    pub suicide: bool,
    pub bonus: Bonus,
    /// Are dead stones taken off when both have passed? Else everything left on the board counts as alive.
    pub takes_off_dead: bool,
}

impl Default for Rules {
    /// What moku plays if nobody says anything.
    fn default() -> Self {
        Rules {
            ko: Ko::Positional,
            scoring: Scoring::Area,
            suicide: false,
            bonus: Bonus::Nothing,
            takes_off_dead: true,
        }
    }
}

/// Rules that have a name.
pub struct NamedRules {
    /// The first is the usual one; all are in lower case with dashes.
    pub names: &'static [&'static str],
    /// What SGF calls them (RU).
    pub in_sgf: &'static str,
    pub rules: Rules,
}

/// As KataGo has them under these names. Rules with a button or with a tax on groups are not here.
pub const NAMED: &[NamedRules] = &[
    NamedRules {
        names: &["chinese"],
        in_sgf: "Chinese",
        rules: Rules {
            ko: Ko::Simple,
            scoring: Scoring::Area,
            suicide: false,
            bonus: Bonus::Each,
            takes_off_dead: true,
        },
    },
    NamedRules {
        names: &["chinese-ogs", "chinese-kgs"],
        in_sgf: "Chinese",
        rules: Rules {
            ko: Ko::Positional,
            scoring: Scoring::Area,
            suicide: false,
            bonus: Bonus::Each,
            takes_off_dead: true,
        },
    },
    NamedRules {
        names: &["japanese", "korean"],
        in_sgf: "Japanese",
        rules: Rules {
            ko: Ko::Simple,
            scoring: Scoring::Territory,
            suicide: false,
            bonus: Bonus::Nothing,
            takes_off_dead: true,
        },
    },
    NamedRules {
        names: &["tromp-taylor"],
        in_sgf: "Tromp-Taylor",
        rules: Rules {
            ko: Ko::Positional,
            scoring: Scoring::Area,
            suicide: true,
            bonus: Bonus::Nothing,
            takes_off_dead: false,
        },
    },
    NamedRules {
        names: &["cgos"],
        in_sgf: "Chinese",
        rules: Rules {
            ko: Ko::Positional,
            scoring: Scoring::Area,
            suicide: false,
            bonus: Bonus::Nothing,
            takes_off_dead: false,
        },
    },
    NamedRules {
        names: &["aga", "bga", "french"],
        in_sgf: "AGA",
        rules: Rules {
            ko: Ko::Situational,
            scoring: Scoring::Area,
            suicide: false,
            bonus: Bonus::AllButOne,
            takes_off_dead: true,
        },
    },
    NamedRules {
        names: &["new-zealand", "nz"],
        in_sgf: "NZ",
        rules: Rules {
            ko: Ko::Situational,
            scoring: Scoring::Area,
            suicide: true,
            bonus: Bonus::Nothing,
            takes_off_dead: true,
        },
    },
    NamedRules {
        names: &["goe", "ing"],
        in_sgf: "GOE",
        rules: Rules {
            ko: Ko::Positional,
            scoring: Scoring::Area,
            suicide: true,
            bonus: Bonus::Nothing,
            takes_off_dead: true,
        },
    },
];

impl Rules {
    /// Rules by one of their names, however they are spelled.
    pub fn from_name(name: &str) -> Option<Rules> {
        let plain = |text: &str| text.to_ascii_lowercase().replace(['-', '_', ' '], "");
        let wanted = plain(name);
        NAMED.iter().find(|row| row.names.iter().any(|known| plain(known) == wanted)).map(|row| row.rules)
    }

    /// What SGF calls these or the nearest rules.
    pub fn in_sgf(self) -> &'static str {
        let same = NAMED.iter().find(|row| row.rules == self);
        let close = || NAMED.iter().find(|row| row.rules.scoring == self.scoring && row.rules.suicide == self.suicide);
        let near = || NAMED.iter().find(|row| row.rules.scoring == self.scoring);
        same.or_else(close).or_else(near).map_or("Chinese", |row| row.in_sgf)
    }

    /// What White gets for so many handicap stones.
    pub fn handicap_points(self, stones: usize) -> f32 {
        match self.bonus {
            Bonus::Nothing => 0.0,
            Bonus::AllButOne => stones.saturating_sub(1) as f32,
            Bonus::Each => stones as f32,
        }
    }

    /// The komi of an even game by these rules.
    pub fn usual_komi(self) -> f32 {
        match self.scoring {
            Scoring::Area => 7.5,
            Scoring::Territory => 6.5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_spelled() {
        for name in ["tromp-taylor", "Tromp Taylor", "tromptaylor", "TROMP_TAYLOR"] {
            assert!(Rules::from_name(name).is_some_and(|r| r.suicide && !r.takes_off_dead), "{name}");
        }
        assert_eq!(Rules::from_name("Korean"), Rules::from_name("japanese"));
        for unknown in ["", "stone-scoring", "aga-button", "japan"] {
            assert_eq!(Rules::from_name(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn every_row_is_named_in_files_by_a_name_that_leads_back_to_its_scoring_and_suicide() {
        for row in NAMED {
            let back = Rules::from_name(row.in_sgf).unwrap();
            assert_eq!((back.scoring, back.suicide), (row.rules.scoring, row.rules.suicide), "{}", row.in_sgf);
            assert_eq!(row.rules.in_sgf(), row.in_sgf);
        }
        assert_eq!(Rules::default().in_sgf(), "Chinese");
        let odd = Rules { suicide: true, ..Rules::from_name("japanese").unwrap() };
        assert_eq!(odd.in_sgf(), "Japanese");
    }

    #[test]
    fn handicap_stones_are_paid_for_by_the_rules_that_say_so() {
        let points = |name| Rules::from_name(name).unwrap().handicap_points(4);
        assert_eq!([points("chinese"), points("aga"), points("japanese")], [4.0, 3.0, 0.0]);
        assert_eq!(Rules::from_name("aga").unwrap().handicap_points(0), 0.0);
    }
}
