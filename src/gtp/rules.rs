//! The rules of Go in the words of KataGo and KGS. What cannot be played by is refused, not ignored.

use super::Gtp;
use super::args::{one, syntax};
use super::commands::Reply;
use crate::base::params::{clip, no_such, suggestion};
use crate::game::rules::{Bonus, Ko, NAMED, Rules, Scoring};
use serde_json::{Map, Value, json};

/// Words of KataGo and what they stand for.
const KOS: [(&str, Ko); 3] = [("SIMPLE", Ko::Simple), ("POSITIONAL", Ko::Positional), ("SITUATIONAL", Ko::Situational)];
const SCORINGS: [(&str, Scoring); 2] = [("AREA", Scoring::Area), ("TERRITORY", Scoring::Territory)];
const BONUSES: [(&str, Bonus); 3] = [("0", Bonus::Nothing), ("N-1", Bonus::AllButOne), ("N", Bonus::Each)];

fn word_for<T: PartialEq>(table: &[(&'static str, T)], value: T) -> &'static str {
    table.iter().find(|row| row.1 == value).map_or("", |row| row.0)
}

fn meaning<T: Copy>(table: &[(&'static str, T)], key: &str, word: &str) -> Result<T, String> {
    let words = || table.iter().map(|row| row.0).collect::<Vec<_>>().join(", ");
    let row = table.iter().find(|row| row.0.eq_ignore_ascii_case(word));
    row.map(|row| row.1).ok_or_else(|| format!("{key} can be: {}; not '{}'", words(), clip(word)))
}

/// Territory in seki is taxed by those who count territory, and nothing is by others.
fn tax_of(scoring: Scoring) -> &'static str {
    match scoring {
        Scoring::Area => "NONE",
        Scoring::Territory => "SEKI",
    }
}

pub fn as_json(rules: Rules) -> String {
    json!({
        "friendlyPassOk": rules.takes_off_dead,
        "hasButton": false,
        "ko": word_for(&KOS, rules.ko),
        "scoring": word_for(&SCORINGS, rules.scoring),
        "suicide": rules.suicide,
        "tax": tax_of(rules.scoring),
        "whiteHandicapBonus": word_for(&BONUSES, rules.bonus),
    })
    .to_string()
}

/// A name or a JSON object as in `kata-set-rules`; what an object does not say is as moku plays by itself.
pub fn parse(text: &str) -> Result<Rules, String> {
    if let Some(rules) = Rules::from_name(text) {
        return Ok(rules);
    }
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(wanted)) => from_object(&wanted),
        _ => {
            let names: Vec<&str> = NAMED.iter().flat_map(|row| row.names).copied().collect();
            let meant = suggestion(text, names.iter().copied());
            Err(format!("unsupported rules '{}'{meant}: {}, or a JSON object", clip(text), names.join(", ")))
        }
    }
}

fn from_object(wanted: &Map<String, Value>) -> Result<Rules, String> {
    // The tax goes by the scoring, so that comes first.
    let (first, rest): (Vec<_>, Vec<_>) = wanted.iter().partition(|(key, _)| *key == "scoring");
    first.into_iter().chain(rest).try_fold(Rules::default(), |rules, (key, value)| with(rules, key, value))
}

/// One rule changed, as in `kata-set-rule`.
pub fn with(rules: Rules, key: &str, value: &Value) -> Result<Rules, String> {
    let word = value.as_str().map_or_else(|| value.to_string(), str::to_string);
    let switch = || meaning(&[("true", true), ("false", false)], key, &word);
    Ok(match key {
        "ko" => Rules { ko: meaning(&KOS, key, &word)?, ..rules },
        // Where prisoners count, dead stones are always taken off.
        "scoring" if word.eq_ignore_ascii_case("TERRITORY") => {
            Rules { scoring: Scoring::Territory, takes_off_dead: true, ..rules }
        }
        "scoring" => Rules { scoring: meaning(&SCORINGS, key, &word)?, ..rules },
        "suicide" => Rules { suicide: switch()?, ..rules },
        "whiteHandicapBonus" => Rules { bonus: meaning(&BONUSES, key, &word)?, ..rules },
        "friendlyPassOk" => Rules { takes_off_dead: switch()? || rules.scoring == Scoring::Territory, ..rules },
        "tax" => match tax_of(rules.scoring) {
            tax if tax.eq_ignore_ascii_case(&word) => rules,
            tax => return Err(format!("tax can only be {tax} with scoring {}", word_for(&SCORINGS, rules.scoring))),
        },
        "hasButton" => match switch()? {
            false => rules,
            true => return Err("hasButton can only be false: moku does not play with a button".to_string()),
        },
        _ => {
            let keys = ["ko", "scoring", "suicide", "tax", "whiteHandicapBonus", "friendlyPassOk", "hasButton"];
            return Err(no_such("rule", key, &keys));
        }
    })
}

// ---- commands

pub fn get(gtp: &mut Gtp, _: &[String]) -> Reply {
    Ok(as_json(gtp.session.rules()))
}

pub fn set(gtp: &mut Gtp, args: &[String]) -> Reply {
    gtp.session.set_rules(parse(&args.join(" "))?);
    Ok(String::new())
}

pub fn set_one(gtp: &mut Gtp, args: &[String]) -> Reply {
    let [key, value] = args else { return syntax("a rule and its value") };
    let value = serde_json::from_str(value).unwrap_or_else(|_| value.clone().into());
    gtp.session.set_rules(with(gtp.session.rules(), key, &value)?);
    Ok(String::new())
}

/// Chinese rules as KGS has them, with positional superko.
pub fn set_as_kgs(gtp: &mut Gtp, args: &[String]) -> Reply {
    let name = one(args, "the name of rules")?;
    let name = if name.eq_ignore_ascii_case("chinese") { "chinese-kgs" } else { name };
    gtp.session.set_rules(parse(name)?);
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_are_not_played_are_refused() {
        for other in ["aga-button", "stone-scoring", "", "{", "[]", r#"{"scoring":"STONES"}"#, r#"{"ko":"SPIGHT"}"#] {
            assert!(parse(other).is_err(), "{other}");
        }
        for object in [r#"{"tax":"ALL"}"#, r#"{"hasButton":true}"#, r#"{"scoring":"TERRITORY","tax":"NONE"}"#] {
            assert!(parse(object).is_err(), "{object}");
        }
        assert!(parse(r#"{"suicide":1}"#).unwrap_err().contains("true, false"));
    }

    #[test]
    fn every_name_is_taken_and_comes_back_from_its_json() {
        for name in NAMED.iter().flat_map(|row| row.names) {
            let rules = parse(name).unwrap();
            assert_eq!(parse(&as_json(rules)), Ok(rules), "{name}");
        }
        assert_eq!(parse("{}"), Ok(Rules::default()));
        let japanese = parse(r#"{"tax":"SEKI","scoring":"territory","ko":"simple","friendlyPassOk":false}"#);
        assert_eq!(japanese, parse("japanese"));
    }

    #[test]
    fn the_words_are_those_of_katago() {
        let tromp_taylor = r#"{"friendlyPassOk":false,"hasButton":false,"ko":"POSITIONAL","scoring":"AREA","suicide":true,"tax":"NONE","whiteHandicapBonus":"0"}"#;
        assert_eq!(as_json(parse("tromp-taylor").unwrap()), tromp_taylor);
        let japanese = r#"{"friendlyPassOk":true,"hasButton":false,"ko":"SIMPLE","scoring":"TERRITORY","suicide":false,"tax":"SEKI","whiteHandicapBonus":"0"}"#;
        assert_eq!(as_json(parse("japanese").unwrap()), japanese);
    }
}
