//! Parameters: one row per tunable, from which parsing, checking, printing and help derive.

use std::fmt;

/// What a parameter may be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Int {
        min: u64,
        max: u64,
    },
    Float {
        min: f64,
        max: f64,
    },
    /// A number or one word.
    FloatOr {
        word: &'static str,
        min: f64,
        max: f64,
    },
    Choice(&'static [&'static str]),
    /// The path of a file, or one word.
    File {
        word: &'static str,
    },
    /// Any of some words joined by `+`, or `none`.
    Set(&'static [&'static str]),
}

#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub name: &'static str,
    pub kind: Kind,
    pub default: &'static str,
    pub doc: &'static str,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Int(u64),
    Float(f64),
    Choice(&'static str),
    File(String),
    /// In the order of the table.
    Set(Vec<&'static str>),
}

impl Value {
    /// Is it, or does it have in it, one of these?
    pub fn is_any_of(&self, values: &[&str]) -> bool {
        match self {
            Value::Set(names) => names.iter().any(|name| values.contains(name)),
            other => values.contains(&other.to_string().as_str()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Int(i) => write!(f, "{i}"),
            Value::Float(x) => write!(f, "{x}"),
            Value::Choice(c) => f.write_str(c),
            Value::File(path) => f.write_str(path),
            Value::Set(names) if names.is_empty() => f.write_str("none"),
            Value::Set(names) => f.write_str(&names.join("+")),
        }
    }
}

/// What the code has instead of text: numbers, switches, and enums for choices.
pub trait Typed: Sized {
    /// None if the value is of another kind.
    fn of(value: Value) -> Option<Self>;
    fn to_value(&self, kind: Kind) -> Value;
}

/// An enum whose variants have names in text.
pub trait Named: Copy + PartialEq + 'static {
    const ALL: &'static [(&'static str, Self)];

    fn name(self) -> &'static str {
        let own = Self::ALL.iter().find(|(_, one)| *one == self);
        own.map_or_else(|| unreachable!("every variant has a name"), |(name, _)| name)
    }

    fn from_name(text: &str) -> Option<Self> {
        Self::ALL.iter().find(|(name, _)| *name == text).map(|(_, one)| *one)
    }
}

impl Typed for u64 {
    fn of(value: Value) -> Option<u64> {
        if let Value::Int(i) = value { Some(i) } else { None }
    }

    fn to_value(&self, _: Kind) -> Value {
        Value::Int(*self)
    }
}

impl Typed for f64 {
    fn of(value: Value) -> Option<f64> {
        if let Value::Float(x) = value { Some(x) } else { None }
    }

    fn to_value(&self, _: Kind) -> Value {
        Value::Float(*self)
    }
}

/// A number, or None for the word.
impl Typed for Option<f64> {
    fn of(value: Value) -> Option<Option<f64>> {
        match value {
            Value::Float(x) => Some(Some(x)),
            Value::Choice(_) => Some(None),
            _ => None,
        }
    }

    fn to_value(&self, kind: Kind) -> Value {
        match (self, kind) {
            (Some(x), _) => Value::Float(*x),
            (None, Kind::FloatOr { word, .. }) => Value::Choice(word),
            (None, _) => Value::Choice("none"),
        }
    }
}

/// A path, or None for the word.
impl Typed for Option<String> {
    fn of(value: Value) -> Option<Option<String>> {
        match value {
            Value::File(path) => Some(Some(path)),
            Value::Choice(_) => Some(None),
            _ => None,
        }
    }

    fn to_value(&self, kind: Kind) -> Value {
        match (self, kind) {
            (Some(path), _) => Value::File(path.clone()),
            (None, Kind::File { word }) => Value::Choice(word),
            (None, _) => Value::Choice("none"),
        }
    }
}

/// `off` and `on`.
impl Typed for bool {
    fn of(value: Value) -> Option<bool> {
        if let Value::Choice(word) = value { Some(word == "on") } else { None }
    }

    fn to_value(&self, _: Kind) -> Value {
        Value::Choice(if *self { "on" } else { "off" })
    }
}

impl<T: Named> Typed for T {
    fn of(value: Value) -> Option<T> {
        if let Value::Choice(word) = value { T::from_name(word) } else { None }
    }

    fn to_value(&self, _: Kind) -> Value {
        Value::Choice(self.name())
    }
}

impl<T: Named> Typed for Vec<T> {
    fn of(value: Value) -> Option<Vec<T>> {
        if let Value::Set(words) = value { words.into_iter().map(T::from_name).collect() } else { None }
    }

    fn to_value(&self, _: Kind) -> Value {
        Value::Set(self.iter().map(|one| one.name()).collect())
    }
}

/// A value that a parameter does not take.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{name} takes {range}, not '{}'{meant}", clip(text))]
pub struct BadValue {
    pub name: &'static str,
    pub range: String,
    pub text: String,
    /// A question, if it may have been a slip.
    pub meant: String,
}

impl Param {
    /// The value that text is, as the code has it.
    pub fn read<T: Typed>(&self, text: &str) -> Result<T, BadValue> {
        let value = self.parse(text)?;
        Ok(T::of(value).unwrap_or_else(|| unreachable!("{} has a type for its kind", self.name)))
    }

    /// The values it takes, in words: `1 to 1000`, `playouts or rate`.
    pub fn range(&self) -> String {
        match self.kind {
            Kind::Int { min, max } => format!("{min} to {max}"),
            Kind::Float { min, max } => format!("{min} to {max}"),
            Kind::FloatOr { word, min, max } => format!("{word}, or {min} to {max}"),
            Kind::Choice(names) => names.join(" or "),
            Kind::File { word } => format!("{word}, or the path of a file"),
            Kind::Set(names) => format!("none, or any of {} joined by +", names.join(", ")),
        }
    }

    pub fn parse(&self, text: &str) -> Result<Value, BadValue> {
        let value = match self.kind {
            Kind::Int { min, max } => text.parse().ok().filter(|i| (min..=max).contains(i)).map(Value::Int),
            Kind::Float { min, max } => text.parse().ok().filter(|x| (min..=max).contains(x)).map(Value::Float),
            Kind::FloatOr { word, .. } if text == word => Some(Value::Choice(word)),
            Kind::FloatOr { min, max, .. } => text.parse().ok().filter(|x| (min..=max).contains(x)).map(Value::Float),
            Kind::Choice(names) => names.iter().find(|n| **n == text).map(|n| Value::Choice(n)),
            Kind::File { word } if text == word => Some(Value::Choice(word)),
            Kind::File { .. } => (!text.is_empty()).then(|| Value::File(text.to_string())),
            Kind::Set(_) if text == "none" => Some(Value::Set(Vec::new())),
            Kind::Set(names) => {
                let words: Vec<&str> = text.split('+').collect();
                let known = words.iter().all(|word| names.contains(word));
                known.then(|| Value::Set(names.iter().copied().filter(|name| words.contains(name)).collect()))
            }
        };
        value.ok_or_else(|| BadValue {
            name: self.name,
            range: self.range(),
            text: text.to_string(),
            meant: self.meant(text).map_or_else(String::new, |name| format!("; did you mean {name}?")),
        })
    }

    /// The value that somebody may have meant, of a parameter that takes words.
    fn meant(&self, text: &str) -> Option<&'static str> {
        match self.kind {
            Kind::Choice(names) | Kind::Set(names) => nearest(text, names.iter().copied()),
            Kind::FloatOr { word, .. } | Kind::File { word } => nearest(text, [word]),
            Kind::Int { .. } | Kind::Float { .. } => None,
        }
    }
}

/// Cuts quoted user input to a length a message can bear, on one line.
pub fn clip(text: &str) -> String {
    let mut short: String = text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}

/// The name that somebody may have meant: it differs by case, signs, or a slip or two of the finger.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 40 {
        return None;
    }
    let plain = |name: &str| name.to_ascii_lowercase().replace('-', "_");
    let word = plain(word);
    let near = names.into_iter().map(|name| (edit_distance(&word, &plain(name)), name)).min()?;
    (near.0 <= 2 && near.0 * 3 < near.1.len().max(4)).then_some(near.1)
}

/// `; did you mean uct? There are`, or `; there are`: what comes before the list of all names.
pub fn suggestion<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, names).map_or("; there are".to_string(), |name| format!("; did you mean {name}? There are"))
}

/// `no game 'gobnag'; did you mean gobang? There are: go, gobang`.
pub fn no_such(what: &str, word: &str, names: &[&str]) -> String {
    format!("no {what} '{}'{}: {}", clip(word), suggestion(word, names.iter().copied()), names.join(", "))
}

/// How many slips make one word of another: a letter left out, added or another, or two neighbours swapped.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = change.min(row[j - 1] + 1).min(rows[i - 1][j] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_understood_and_another_word_is_not() {
        let names = ["uct", "tree-uct", "mc", "shot", "regress"];
        assert_eq!(nearest("uctt", names), Some("uct"));
        assert_eq!(nearest("Tree_UCT", names), Some("tree-uct"));
        assert_eq!(nearest("shto", names), Some("shot"), "two neighbours swapped");
        assert_eq!(nearest("hsto", names), None, "half of the letters");
        assert_eq!(nearest("tree", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(suggestion("shott", names), "; did you mean shot? There are");
        assert_eq!(suggestion("tree", names), "; there are");
        assert_eq!(
            no_such("game", "gobnag", &["go", "gobang"]),
            "no game 'gobnag'; did you mean gobang? There are: go, gobang"
        );
    }

    const INT: Param = Param { name: "n", kind: Kind::Int { min: 1, max: 9 }, default: "3", doc: "" };

    #[test]
    fn values_outside_the_range_are_refused_with_the_range() {
        assert_eq!(INT.parse("9"), Ok(Value::Int(9)));
        for bad in ["0", "10", "-1", "x", "", "1.5", "99999999999999999999999"] {
            assert!(INT.parse(bad).is_err_and(|e| e.to_string().contains("1 to 9")), "{bad}");
        }
        let float = Param { kind: Kind::Float { min: 0.0, max: 1.0 }, ..INT };
        assert!(float.parse("nan").is_err() && float.parse("inf").is_err() && float.parse("0.25").is_ok());
        let choice = Param { kind: Kind::Choice(&["a", "b"]), ..INT };
        assert!(choice.parse("c").is_err_and(|e| e.to_string().contains("a or b")));
    }
}
