//! The rules of libraries, under the libraries' own names, in their own units, with their own bounds.

use engine::Duration;
use policies::{AnyRule, Bounds, Dialect, Durations, Kind, Library, Parameter, Settings, TimeUnit, Value as Setting};
use serde_json::{Map, Value, json};

use crate::Refusal;
use crate::body::{Field, Section};
use crate::parameter::number;

/// No time of a library is longer.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// No time of a library's breaker is shorter, unless it is none.
const SHORTEST: Duration = Duration::from_millis(1);

/// Of a library's parameters so many are shown at once.
const SHOWN: usize = 4;

/// What the page begins with where a library leaves the choice to its user.
const BEGINNINGS: [(&str, &str, Setting); 6] = [
    ("cockatiel", "halfOpenAfter", Setting::Time(Duration::from_millis(10_000))),
    ("cockatiel", "breaker.kind", Setting::Word("ConsecutiveBreaker")),
    ("cockatiel", "breaker.threshold", Setting::Number(5.0)),
    ("sentinel", "grade", Setting::Word("DEGRADE_GRADE_EXCEPTION_RATIO")),
    ("sentinel", "count", Setting::Number(0.5)),
    ("sentinel", "timeWindow", Setting::Time(Duration::from_millis(10_000))),
];

/// What a page needs to offer a library's rule.
pub(super) fn offer(library: &Library) -> Value {
    let parameters = library.parameters.iter().enumerate();
    let parameters: Vec<Value> =
        parameters.map(|(place, parameter)| describe(library, parameter, place >= SHOWN)).collect();
    json!({
        "kind": library.name,
        "label": format!("{} {}", library.name, library.version),
        "help": format!("The breaker of {} {}, with its own parameters ({}).", library.name, library.version, library.source),
        "parameters": parameters,
    })
}

fn describe(library: &Library, parameter: &Parameter, is_further: bool) -> Value {
    let beginning = BEGINNINGS.into_iter().find(|&(of, name, _)| (of, name) == (library.name, parameter.name));
    let value = beginning.map(|(_, _, value)| value).or(parameter.default);
    let (kind, unit, step) = match parameter.kind {
        Kind::Count => ("whole", "", 1.0),
        Kind::Number => ("number", "", if value.is_some_and(is_large) { 1.0 } else { 0.05 }),
        Kind::Flag => ("flag", "", 1.0),
        Kind::Word(_) => ("choice", "", 1.0),
        Kind::Time(TimeUnit::Milliseconds) | Kind::TimeOrFalse(TimeUnit::Milliseconds) => ("number", "ms", 100.0),
        Kind::Time(_) | Kind::TimeOrFalse(_) => ("duration", "s", 0.5),
        Kind::Times => ("text", "ms", 1.0),
    };
    let mut keys = json!({
        "name": parameter.name,
        "label": parameter.name,
        "help": format!("{}.", capitalised(parameter.about)),
        "type": kind,
        "unit": unit,
        "default": value.map(|value| write_value(parameter, value)),
        "step": step,
        "required": parameter.required,
        "advanced": is_further && beginning.is_none(),
    });
    // Bounds of a time that is an object are in milliseconds; in a body it is in seconds.
    let scale = if matches!(parameter.kind, Kind::Time(TimeUnit::Object)) { 1e-3 } else { 1.0 };
    let Bounds { least, most } = parameter.bounds;
    for (name, bound) in [("min", least), ("max", most)] {
        if let Some((bound, true)) = bound {
            keys[name] = number(bound * scale);
        }
    }
    if let Kind::Word(words) = parameter.kind {
        keys["choices"] = words.iter().map(|word| json!({ "value": word, "label": word })).collect();
    }
    keys
}

fn is_large(value: Setting) -> bool {
    matches!(value, Setting::Number(number) if number >= 5.0)
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters.as_str().chars()).collect()
}

/// The rule of an object; what it leaves out is the library's default.
pub(super) fn read(library: &Library, section: &Section<'_>, path: &str) -> Result<AnyRule, Refusal> {
    let mut settings = Settings::new();
    for parameter in library.parameters {
        if let Some(field) = section.optional(parameter.name) {
            settings.set(parameter.name, read_value(parameter, &field)?);
        }
    }
    build(library, &settings, path)
}

/// A rule of the library with one parameter changed.
pub(super) fn with(library: &Library, rule: &Dialect, key: &str, value: &Field<'_>) -> Result<AnyRule, Refusal> {
    let mut settings = rule.settings();
    if let Some(parameter) = library.parameter(key) {
        settings.set(parameter.name, read_value(parameter, value)?);
    }
    build(library, &settings, &value.path)
}

fn build(library: &Library, settings: &Settings, path: &str) -> Result<AnyRule, Refusal> {
    library.build(settings).map_err(|error| Refusal::of_key(path, format!("`{path}`: {error}.")))
}

/// The settings that are not absent, written out.
pub(super) fn write(library: &Library, rule: &Dialect) -> Map<String, Value> {
    let settings = rule.settings();
    let known = settings.iter().filter_map(|(name, value)| Some((library.parameter(name)?, value)));
    known.map(|(parameter, value)| (parameter.name.to_owned(), write_value(parameter, value))).collect()
}

fn read_value(parameter: &Parameter, field: &Field<'_>) -> Result<Setting, Refusal> {
    Ok(match parameter.kind {
        Kind::Count => Setting::Number(field.whole(0, u64::from(u32::MAX))? as f64),
        Kind::Number => Setting::Number(field.number(f64::MIN, f64::MAX)?),
        Kind::Flag => Setting::Flag(field.flag()?),
        Kind::Word(words) => Setting::Word(field.word(words)?),
        Kind::TimeOrFalse(_) if field.value == &Value::Bool(false) => Setting::Flag(false),
        Kind::Time(unit) | Kind::TimeOrFalse(unit) => Setting::Time(read_time(unit, field)?),
        Kind::Times => match Durations::parse(field.text()?) {
            Some(times) => Setting::Times(times),
            None => return Err(field.refuse("is no list of times", &format!("give {}", parameter.expected()))),
        },
    })
}

/// A number in the library's unit, where that is milliseconds; else seconds. Or a text with a unit.
fn read_time(unit: TimeUnit, field: &Field<'_>) -> Result<Duration, Refusal> {
    let time = if unit == TimeUnit::Milliseconds && field.value.is_number() {
        let millis = field.number(0.0, LONGEST.as_secs_f64() * 1e3)?;
        unit.time(millis).ok_or_else(|| field.refuse("is too long", "give fewer milliseconds"))?
    } else {
        field.duration(Duration::ZERO, LONGEST)?
    };
    // Some libraries do something at every end of such a time: so often that a run would never end.
    if Duration::ZERO < time && time < SHORTEST {
        return Err(field.refuse(&format!("is {time}"), "give no time at all, or a millisecond and more"));
    }
    Ok(time)
}

fn write_value(parameter: &Parameter, value: Setting) -> Value {
    match (parameter.kind, value) {
        (Kind::Time(TimeUnit::Milliseconds) | Kind::TimeOrFalse(TimeUnit::Milliseconds), Setting::Time(time)) => {
            number(TimeUnit::Milliseconds.number(time))
        }
        (_, Setting::Time(time)) => number(time.as_secs_f64()),
        (_, Setting::Number(given)) => number(given),
        (_, Setting::Flag(flag)) => json!(flag),
        (_, Setting::Word(word)) => json!(word),
        (_, Setting::Times(times)) => json!(times.to_string()),
    }
}
