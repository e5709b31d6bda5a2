//! The rules moku plays, in the words of KataGo and KGS. Others are refused, not ignored.

use crate::base::params::clip;
use serde_json::{Map, Value, json};

/// Area scoring, positional superko, no suicide.
fn own() -> Map<String, Value> {
    let rules = json!({
        "friendlyPassOk": true, "hasButton": false, "ko": "POSITIONAL", "scoring": "AREA", "suicide": false,
        "tax": "NONE", "whiteHandicapBonus": "0"
    });
    match rules {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

pub fn as_json() -> String {
    Value::Object(own()).to_string()
}

/// Shorthands whose scoring and suicide rule are moku's.
const NAMES: &[&str] = &["chinese", "chinese-ogs", "chinese-kgs", "cgos"];

const PLAYED: &str = "moku plays chinese rules: area scoring, positional superko, no suicide";

/// A shorthand or a JSON object as in `kata-set-rules`.
pub fn accept(text: &str) -> Result<(), String> {
    if NAMES.contains(&text.to_ascii_lowercase().as_str()) {
        return Ok(());
    }
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(wanted)) => wanted.iter().try_for_each(|(key, value)| accept_one(key, value)),
        _ => Err(format!("unsupported rules; {PLAYED}")),
    }
}

/// One rule as in `kata-set-rule`.
pub fn accept_one(key: &str, value: &Value) -> Result<(), String> {
    let text = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_string).to_ascii_uppercase();
    match own().get(key) {
        Some(own) if text(own) == text(value) => Ok(()),
        // What a pass says to the opponent does not change the result.
        Some(_) if key == "friendlyPassOk" => Ok(()),
        Some(own) => Err(format!("{key} can only be {}; {PLAYED}", text(own))),
        None => Err(format!("no rule '{}'; {PLAYED}", clip(key))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_are_not_played_are_refused() {
        assert!(accept("chinese").is_ok() && accept(&as_json()).is_ok());
        for other in ["japanese", "aga", "new-zealand", "tromp-taylor", "", "{", "[]", r#"{"scoring":"TERRITORY"}"#] {
            assert!(accept(other).is_err(), "{other}");
        }
        assert!(accept(r#"{"ko":"positional","suicide":false}"#).is_ok());
        assert!(accept(r#"{"suicide":true}"#).is_err());
    }
}
