//! Reading a request's body: every value with its place, so that whatever is wrong is called by its name.

use engine::{Duration, Time};
use serde_json::{Map, Value};

use crate::Refusal;
use crate::unique_keys::UniqueKeys;

/// The largest whole number that JSON carries unharmed through every program: 2^53 − 1.
pub const LARGEST_WHOLE: u64 = (1 << 53) - 1;

const NANOS_PER_SECOND: f64 = 1e9;

/// The units of a length of time, in nanoseconds.
const UNITS: [(&str, u128); 6] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Reads a body; an empty one says nothing, as `{}` does.
///
/// # Errors
///
/// When it is not JSON, or has a key twice in one object.
pub fn parse(bytes: &[u8]) -> Result<Value, Refusal> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Value::Object(Map::new()));
    }
    let read = serde_json::from_slice(bytes).map(|UniqueKeys(value)| value);
    read.map_err(|error| Refusal::new(400, format!("The body is not JSON: {error}.")))
}

/// A value at a place of the body.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// The place: keys with dots between them.
    pub path: String,
    /// What stands there.
    pub value: &'a Value,
}

/// An object at a place of the body.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    path: String,
    keys: &'a Map<String, Value>,
}

impl<'a> Field<'a> {
    /// The whole body.
    #[must_use]
    pub fn root(value: &'a Value) -> Self {
        Self { path: String::new(), value }
    }

    /// A refusal of this value: `problem` follows the value's name, `remedy` says what would be right.
    #[must_use]
    pub fn refuse(&self, problem: &str, remedy: &str) -> Refusal {
        let name = if self.path.is_empty() { "The body".to_owned() } else { format!("`{}`", self.path) };
        let stop = if remedy.ends_with('?') { "" } else { "." };
        Refusal::of_key(self.path.clone(), format!("{name} {problem}: {remedy}{stop}"))
    }

    fn refuse_value(&self, remedy: &str) -> Refusal {
        self.refuse(&format!("is {}", clipped(self.value)), remedy)
    }

    /// The value as an object that has no keys but the `known` ones.
    ///
    /// # Errors
    ///
    /// When it is no object, or has another key.
    pub fn section(&self, known: &[&str]) -> Result<Section<'a>, Refusal> {
        let Value::Object(keys) = self.value else {
            return Err(self.refuse_value("give an object, {…}"));
        };
        let section = Section { path: self.path.clone(), keys };
        match keys.keys().find(|key| !known.contains(&key.as_str())) {
            Some(unknown) => Err(section.unknown(unknown, known)),
            None => Ok(section),
        }
    }

    /// The value of a key, if this is an object that has it.
    #[must_use]
    pub fn key(&self, key: &str) -> Option<Field<'a>> {
        let keys = self.value.as_object()?;
        Section { path: self.path.clone(), keys }.optional(key)
    }

    /// The values of a list, each with its place.
    ///
    /// # Errors
    ///
    /// When it is no list, or has more than `most` values.
    pub fn list(&self, most: usize) -> Result<Vec<Field<'a>>, Refusal> {
        let Value::Array(values) = self.value else {
            return Err(self.refuse_value("give a list, […]"));
        };
        if values.len() > most {
            return Err(self.refuse(&format!("has {} entries", values.len()), &format!("give {most} at most")));
        }
        let field = |(index, value)| Field { path: format!("{}[{index}]", self.path), value };
        Ok(values.iter().enumerate().map(field).collect())
    }

    /// A text.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn text(&self) -> Result<&'a str, Refusal> {
        self.value.as_str().ok_or_else(|| self.refuse_value("give a text in quotation marks"))
    }

    /// One of a few words.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn word(&self, words: &[&'static str]) -> Result<&'static str, Refusal> {
        self.choice(words).map(|index| words[index])
    }

    /// One of a few words, by its position among them.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn choice(&self, words: &[&str]) -> Result<usize, Refusal> {
        let given = self.value.as_str();
        if let Some(index) = words.iter().position(|&word| Some(word) == given) {
            return Ok(index);
        }
        let meant = given.and_then(|given| did_you_mean(given, words));
        let meant = meant.map(|word| format!("; did you mean \"{word}\"?")).unwrap_or_default();
        Err(self.refuse_value(&format!("give one of {}{meant}", quoted(words, '"'))))
    }

    /// Yes or no.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn flag(&self) -> Result<bool, Refusal> {
        self.value.as_bool().ok_or_else(|| self.refuse_value("give true or false"))
    }

    /// A whole number from `least` to `most`.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn whole(&self, least: u64, most: u64) -> Result<u64, Refusal> {
        let number = self.value.as_u64().or_else(|| {
            // 3.0 is whole, too.
            let real =
                self.value.as_f64().filter(|real| real.fract() == 0.0 && (0.0..=LARGEST_WHOLE as f64).contains(real));
            real.map(|real| real as u64)
        });
        let in_range = number.filter(|number| (least..=most).contains(number));
        in_range.ok_or_else(|| self.refuse_value(&format!("give a whole number from {least} to {most}")))
    }

    /// A number from `least` to `most`.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn number(&self, least: f64, most: f64) -> Result<f64, Refusal> {
        let number = self.value.as_f64().filter(|number| (least..=most).contains(number));
        // A negative zero is in no range that begins with zero, to the reader.
        let number = number.map(|number| number + 0.0);
        number.ok_or_else(|| self.refuse_value(&format!("give a number from {least} to {most}")))
    }

    /// A length of time from `least` to `most`: a number of seconds, rounded to the nearest nanosecond, or a text with a
    /// unit such as "600ms".
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn duration(&self, least: Duration, most: Duration) -> Result<Duration, Refusal> {
        let given = match self.value {
            Value::Number(number) => number.as_f64().filter(|&seconds| seconds >= 0.0).map(from_seconds),
            Value::String(text) => from_text(text),
            _ => None,
        };
        given.filter(|given| (least..=most).contains(given)).ok_or_else(|| {
            let (least, most) = (least.as_secs_f64(), most.as_secs_f64());
            self.refuse_value(&format!("give {least} to {most} seconds, or a text with a unit such as \"600ms\""))
        })
    }

    /// An instant from the start of the run to `last`, written as a length of time is.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn instant(&self, last: Time) -> Result<Time, Refusal> {
        self.duration(Duration::ZERO, last.since(Time::ZERO)).map(|after| Time::ZERO + after)
    }
}

impl<'a> Section<'a> {
    /// The value of a key, if it is given. Null counts as not given.
    #[must_use]
    pub fn optional(&self, key: &str) -> Option<Field<'a>> {
        let value = self.keys.get(key).filter(|value| !value.is_null())?;
        Some(Field { path: self.path_of(key), value })
    }

    /// The value of a key that has to be given.
    ///
    /// # Errors
    ///
    /// When it is not.
    pub fn required(&self, key: &str, remedy: &str) -> Result<Field<'a>, Refusal> {
        let path = self.path_of(key);
        self.optional(key).ok_or_else(|| Refusal::of_key(path.clone(), format!("`{path}` is missing: {remedy}.")))
    }

    /// The keys that are given.
    pub fn keys(&self) -> impl Iterator<Item = &'a str> {
        self.keys.keys().map(String::as_str)
    }

    /// A refusal of a key that is none of the `known` ones.
    #[must_use]
    pub fn unknown(&self, key: &str, known: &[&str]) -> Refusal {
        let path = self.path_of(key);
        let remedy = match did_you_mean(key, known) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if known.is_empty() => "nothing can be set here.".to_owned(),
            None => format!("the keys here are {}.", quoted(known, '`')),
        };
        Refusal::of_key(path.clone(), format!("`{}` is not known: {remedy}", clipped_text(&path)))
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }
}

/// The known word that is most like the given one, if any is like it.
#[must_use]
pub fn did_you_mean<'k>(given: &str, known: &[&'k str]) -> Option<&'k str> {
    let likeness = |word: &str| strsim::jaro_winkler(&given.to_lowercase(), word);
    let alike = known.iter().map(|&word| (likeness(word), word)).filter(|&(likeness, _)| likeness > 0.75);
    alike.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, word)| word)
}

/// Words in a row, each between marks.
#[must_use]
pub fn quoted(words: &[&str], mark: char) -> String {
    words.iter().map(|word| format!("{mark}{word}{mark}")).collect::<Vec<_>>().join(", ")
}

fn from_seconds(seconds: f64) -> Duration {
    Duration::from_nanos((seconds * NANOS_PER_SECOND).round() as u64)
}

/// Reads a text such as "600ms" exactly; `None` if it is none, or finer than a nanosecond.
fn from_text(text: &str) -> Option<Duration> {
    let text = text.trim();
    let unit_start = text.find(|character: char| !(character.is_ascii_digit() || character == '.'))?;
    let (number, unit) = (&text[..unit_start], text[unit_start..].trim());
    let &(_, nanos) = UNITS.iter().find(|&&(name, _)| name == unit)?;
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    // Twelve decimals of an hour are far below a nanosecond, and more digits could overflow.
    if whole.is_empty() || whole.len() > 15 || decimals.len() > 15 {
        return None;
    }
    let scale = 10_u128.pow(decimals.len() as u32);
    let digits: u128 = format!("{whole}{decimals}").parse().ok()?;
    let total = digits * nanos;
    total.is_multiple_of(scale).then(|| u64::try_from(total / scale).ok())?.map(Duration::from_nanos)
}

fn clipped(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        other => clipped_text(&other.to_string()),
    }
}

fn clipped_text(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST { text.to_owned() } else { text.chars().take(LONGEST).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn duration(value: &Value) -> Result<Duration, Refusal> {
        let field = Field { path: "at".to_owned(), value };
        field.duration(Duration::ZERO, Duration::from_secs(90))
    }

    #[test]
    fn seconds_are_rounded_to_the_nearest_nanosecond() {
        for (seconds, nanos) in
            [(json!(0.6), 600_000_000), (json!(8.766_666_667), 8_766_666_667), (json!(90), 90_000_000_000)]
        {
            assert_eq!(duration(&seconds).map(Duration::as_nanos), Ok(nanos));
        }
    }

    #[test]
    fn texts_are_exact() {
        for (text, nanos) in
            [("600ms", 600_000_000), ("8766666666ns", 8_766_666_666), ("1.5 min", 90_000_000_000), ("0.000000001s", 1)]
        {
            assert_eq!(duration(&json!(text)).map(Duration::as_nanos), Ok(nanos), "{text}");
        }
        for text in ["", "6", "s", ".5s", "1e3s", "-1s", "0.5ns", "1.2.3s", "6 parsecs", "99999999999999999999s", "91s"]
        {
            assert!(duration(&json!(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_called_by_its_name() {
        let body = json!({"settings": {"respons_time": 1}, "list": [1, 2, 3], "seed": -1});
        let root = Field::root(&body).section(&["settings", "list", "seed"]).expect("known keys");
        let settings = root.optional("settings").expect("given");
        let error = settings.section(&["response_time", "rule"]).expect_err("a misspelt key");
        assert_eq!(error.sentence, "`settings.respons_time` is not known: did you mean `response_time`?");
        assert_eq!(error.key.as_deref(), Some("settings.respons_time"));
        let error = root.optional("list").expect("given").list(2).expect_err("too long");
        assert_eq!(error.sentence, "`list` has 3 entries: give 2 at most.");
        let error = root.optional("seed").expect("given").whole(0, 9).expect_err("negative");
        assert_eq!(error.sentence, "`seed` is -1: give a whole number from 0 to 9.");
        assert_eq!(parse(b"{\"a\": ").expect_err("cut off").status, 400);
        assert_eq!(parse(b"  "), Ok(json!({})));
    }
}
