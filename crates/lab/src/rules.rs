//! The rules that can stand before the dependency: what the page offers and what a request may say.
//!
//! Those of no library are called as in sweep files; those of a library have the library's own parameters and bounds.

mod library;
mod own;

use policies::{AnyRule, Library, libraries};
use serde_json::{Map, Value, json};

use crate::Refusal;
use crate::body::{Field, did_you_mean, quoted};

/// Rules that differ in their numbers only.
#[derive(Clone, Copy)]
enum Family {
    Own(&'static own::Family),
    Library(&'static Library),
}

impl Family {
    fn named(kind: &str) -> Option<Self> {
        own::Family::named(kind).map(Self::Own).or_else(|| Library::named(kind).map(Self::Library))
    }

    fn of(rule: &AnyRule) -> Self {
        Self::named(rule.name()).expect("every family of the policies crate is listed")
    }

    fn kind(self) -> &'static str {
        match self {
            Self::Own(family) => family.kind,
            Self::Library(library) => library.name,
        }
    }

    fn keys(self) -> Vec<&'static str> {
        match self {
            Self::Own(family) => family.keys(),
            Self::Library(library) => library.parameters.iter().map(|parameter| parameter.name).collect(),
        }
    }
}

/// The names of all families, in the order in which they are offered.
#[must_use]
pub fn kinds() -> Vec<&'static str> {
    own::FAMILIES.iter().map(|family| family.kind).chain(libraries().iter().map(|library| library.name)).collect()
}

/// Everything that a page needs to offer all rules.
#[must_use]
pub fn offers() -> Vec<Value> {
    own::FAMILIES.iter().map(own::Family::offer).chain(libraries().iter().map(library::offer)).collect()
}

/// The rule that is meant where none is given.
#[must_use]
pub fn default() -> AnyRule {
    own::DEFAULT.default_rule()
}

/// The rule of an object such as `{"kind": "consecutive", "threshold": 3}`; what it leaves out is the family's default.
///
/// # Errors
///
/// When it is no rule.
///
/// # Panics
///
/// Never: the families are those of the kinds.
pub fn read(field: &Field<'_>) -> Result<AnyRule, Refusal> {
    let family = match field.key("kind") {
        Some(kind) => {
            let kinds = kinds();
            Family::named(kinds[kind.choice(&kinds)?]).expect("one of the kinds")
        }
        None => Family::Own(own::DEFAULT),
    };
    let section = field.section(&family.keys().into_iter().chain(["kind"]).collect::<Vec<_>>())?;
    match family {
        Family::Own(family) => family.read(&section, &field.path),
        Family::Library(library) => library::read(library, &section, &field.path),
    }
}

/// `rule` with one parameter changed.
///
/// # Errors
///
/// When the rule has no such parameter (then `key_field` is to blame), or the value is impossible.
pub fn with(rule: &AnyRule, key: &str, key_field: &Field<'_>, value: &Field<'_>) -> Result<AnyRule, Refusal> {
    let family = Family::of(rule);
    if !family.keys().contains(&key) {
        return Err(no_such_parameter(family, key, key_field));
    }
    match (family, rule) {
        (Family::Library(library), AnyRule::Dialect(dialect)) => library::with(library, dialect, key, value),
        (Family::Own(family), _) => family.with(rule, key, value),
        (Family::Library(_), _) => Err(key_field.refuse("belongs to a library", "name the library's rule first")),
    }
}

fn no_such_parameter(family: Family, key: &str, key_field: &Field<'_>) -> Refusal {
    let keys: Vec<String> = family.keys().iter().map(|key| format!("rule.{key}")).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let meant = did_you_mean(&format!("rule.{key}"), &keys).filter(|_| keys.len() > 1);
    let remedy = match meant {
        Some(meant) => format!("its parameters are {}; did you mean `{meant}`?", quoted(&keys, '`')),
        None if keys.is_empty() => "it has no parameters".to_owned(),
        None => format!("its parameters are {}", quoted(&keys, '`')),
    };
    key_field.refuse(&format!("is \"rule.{key}\", but the rule at that time is {}", family.kind()), &remedy)
}

/// A rule written out.
#[must_use]
pub fn write(rule: &AnyRule) -> Value {
    let mut keys = Map::new();
    keys.insert("kind".to_owned(), json!(rule.name()));
    keys.extend(match (Family::of(rule), rule) {
        (Family::Own(family), _) => family.write(rule),
        (Family::Library(library), AnyRule::Dialect(dialect)) => library::write(library, dialect),
        (Family::Library(_), _) => Map::new(),
    });
    Value::Object(keys)
}

/// A rule's parameters in words, for lists.
#[must_use]
pub fn in_words(rule: &AnyRule) -> Vec<Value> {
    let written = write(rule);
    let keys = written.as_object().into_iter().flatten().filter(|(key, _)| *key != "kind");
    let in_words = |value: &Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
    keys.map(|(key, value)| json!({ "name": key, "value": in_words(value) })).collect()
}

#[cfg(test)]
mod tests {
    use engine::Duration;
    use policies::NoBreaker;

    use super::*;

    fn read_value(value: &Value) -> Result<AnyRule, Refusal> {
        read(&Field { path: "rule".to_owned(), value })
    }

    #[test]
    fn every_family_of_the_policies_crate_is_offered() {
        let mut offered = kinds();
        let mut existing: Vec<&str> =
            AnyRule::NAMES.into_iter().chain(libraries().iter().map(|library| library.name)).collect();
        offered.sort_unstable();
        existing.sort_unstable();
        assert_eq!(offered, existing);
        assert_eq!(offers().len(), offered.len());
    }

    #[test]
    fn every_offer_makes_a_rule_that_reads_as_itself() {
        for offer in offers() {
            let mut body = json!({ "kind": offer["kind"] });
            for parameter in offer["parameters"].as_array().expect("parameters") {
                body[parameter["name"].as_str().expect("a name")] = parameter["default"].clone();
            }
            let rule = read_value(&body).unwrap_or_else(|refusal| panic!("{refusal} of {body}"));
            assert_eq!(offer["kind"], json!(rule.name()));
            assert_eq!(read_value(&write(&rule)), Ok(rule), "{body}");
        }
    }

    #[test]
    fn a_library_is_written_in_its_own_units() {
        let opossum = json!({"kind": "opossum", "resetTimeout": 2_500, "timeout": false});
        let rule = read_value(&opossum).expect("valid");
        assert_eq!((&write(&rule)["resetTimeout"], &write(&rule)["timeout"]), (&json!(2_500), &json!(false)));
        assert_eq!(read_value(&json!({"kind": "opossum", "resetTimeout": "2500ms", "timeout": false})), Ok(rule));
        let gobreaker = read_value(&json!({"kind": "gobreaker", "Timeout": 30})).expect("valid");
        assert_eq!(write(&gobreaker)["Timeout"], json!(30));
        let error = read_value(&json!({"kind": "resilience4j", "slidingWindowSize": 0})).expect_err("refused");
        assert!(error.sentence.contains("resilience4j refuses `slidingWindowSize` = 0"), "{error}");
        let error = read_value(&json!({"kind": "opossum", "resetTimeout": "1us"})).expect_err("too short");
        assert!(error.sentence.contains("a millisecond and more"), "{error}");
        let error = read_value(&json!({"kind": "sentinel"})).expect_err("no default");
        assert!(error.sentence.contains("sentinel needs `timeWindow`"), "{error}");
        let (key, value) = (json!("rule.resetTimeout"), json!(100));
        let key = Field { path: "key".to_owned(), value: &key };
        let value = Field { path: "value".to_owned(), value: &value };
        let changed = with(&rule, "resetTimeout", &key, &value).expect("valid");
        assert_eq!((&write(&changed)["resetTimeout"], &write(&changed)["timeout"]), (&json!(100), &json!(false)));
    }

    #[test]
    fn a_rule_written_out_reads_as_itself() {
        let odd =
            json!({"kind": "ratio", "window": 7, "threshold": 0.35, "open_for": "1234567ns", "half_open_permits": 2});
        let rule = read_value(&json!({"kind": "ratio", "window": 7, "threshold": 0.35, "open_for": "1234567us"}));
        assert_eq!(rule.as_ref().map(|rule| rule.open_for()), Ok(Some(Duration::from_nanos(1_234_567_000))));
        assert_eq!(rule.clone().map(|rule| read_value(&write(&rule))), Ok(rule));
        assert_eq!(
            read_value(&odd).map(|rule| (
                rule.window(),
                rule.open_for(),
                rule.half_open().map(|probes| probes.permits)
            )),
            Ok((Some(7), Some(Duration::from_nanos(1_234_567)), Some(2)))
        );
    }

    #[test]
    fn one_parameter_can_be_changed() {
        let rule = read_value(&json!({ "kind": "ratio" })).expect("valid");
        let (key, value) = (json!("rule.window"), json!(20));
        let key = Field { path: "key".to_owned(), value: &key };
        let value = Field { path: "value".to_owned(), value: &value };
        let changed = with(&rule, "window", &key, &value).expect("valid");
        assert_eq!(
            (changed.window(), changed.threshold(), changed.open_for()),
            (Some(20), rule.threshold(), rule.open_for())
        );
        let consecutive = read_value(&json!({})).expect("valid");
        let error = with(&consecutive, "window", &key, &value).expect_err("no window");
        assert!(error.sentence.contains("the rule at that time is consecutive"), "{error}");
        let error = with(&NoBreaker.into(), "window", &key, &value).expect_err("no parameters");
        assert!(error.sentence.contains("it has no parameters"), "{error}");
    }

    #[test]
    fn wrong_rules_get_a_sentence() {
        for (value, part) in [
            (json!({"kind": "consecutiv"}), "did you mean \"consecutive\"?"),
            (json!({"kind": "consecutive", "window": 3}), "`rule.window` is not known"),
            (json!({"threshold": 0}), "`rule.threshold` is 0: give a whole number from 1 to 1000."),
            (json!({"kind": "ratio", "threshold": 0}), "`rule.threshold` is 0: give a number from 0.001 to 1."),
            (json!({"open_for": 0}), "`rule.open_for` is 0: give 0.001 to 86400 seconds"),
            (json!("consecutive"), "give an object"),
        ] {
            let error = read_value(&value).expect_err("wrong");
            assert!(error.sentence.contains(part), "{error}");
        }
    }
}
