//! Sentinel: a `DegradeRule`, or a list of them, as JSON.

use policies::Written;
use serde_json::{Map, Value as Json, json};

use super::reader::Builder;
use super::tree::{Entry, Node, Value};
use super::{Design, FormatError, FormatErrors, Imported, Units};

const SETTINGS: [&str; 6] =
    ["grade", "count", "timeWindow", "minRequestAmount", "statIntervalMs", "slowRatioThreshold"];

/// The values of `RuleConstant.DEGRADE_GRADE_…`, in the order of their numbers.
const GRADES: [&str; 3] = ["DEGRADE_GRADE_RT", "DEGRADE_GRADE_EXCEPTION_RATIO", "DEGRADE_GRADE_EXCEPTION_COUNT"];

/// Fields of stores and dashboards.
const BESIDE: [&str; 9] = ["resource", "limitApp", "id", "app", "ip", "port", "gmtCreate", "gmtModified", "regex"];

pub(super) fn export(design: &Design<'_>) -> Result<String, String> {
    let grade = design.word("grade").expect("has a default");
    let number = GRADES.iter().position(|known| *known == grade).expect("one of the grades");
    let mut rule = Map::new();
    rule.insert("resource".to_owned(), design.name.into());
    rule.insert("grade".to_owned(), number.into());
    for name in &SETTINGS[1..] {
        if *name == "slowRatioThreshold" && number != 0 {
            continue;
        }
        let Some(digits) = design.written(name) else { continue };
        let value = digits.parse::<u64>().map(Json::from).or_else(|_| digits.parse::<f64>().map(Json::from));
        rule.insert((*name).to_owned(), value.map_err(|_| format!("{name} = {digits} is no number"))?);
    }
    let text = serde_json::to_string_pretty(&json!([rule])).expect("numbers and texts are JSON");
    Ok(format!("{text}\n"))
}

pub(super) fn import(node: &Node, units: Units) -> Result<Imported, FormatErrors> {
    let name = match node.get("resource").map(|name| &name.value) {
        Some(Value::Text(name)) => name.as_str(),
        _ => "",
    };
    let mut builder = Builder::new("sentinel", name, node.line);
    // A grade that is wrong leaves the unit of `count` open.
    let grade = match node.entries().iter().find(|entry| entry.key == "grade") {
        Some(entry) => grade_of(entry).ok(),
        None => Some(GRADES[0]),
    };
    let mut wrong = Vec::new();
    for entry in node.entries() {
        wrong.extend(read(&mut builder, entry, grade, units).err());
    }
    FormatErrors::unless_none(wrong)?;
    Ok(builder.finish()?)
}

fn read(builder: &mut Builder, entry: &Entry, grade: Option<&str>, units: Units) -> Result<(), FormatError> {
    match entry.key.as_str() {
        "grade" => builder.read("grade", entry.value.line, Written::Text(grade_of(entry)?)),
        "count" => builder.number(entry, |number| grade.map_or(Ok(number), |grade| count(grade, number, units))),
        "slowRatioThreshold" => builder.number(entry, |number| units.share(number)),
        "timeWindow" => builder.number(entry, |number| units.seconds(number)),
        "statIntervalMs" => builder.number(entry, |number| units.millis(number)),
        "minRequestAmount" => builder.plain(entry),
        key if BESIDE.contains(&key) => Ok(()),
        _ => Err(Builder::unknown(entry, &SETTINGS)),
    }
}

fn grade_of(entry: &Entry) -> Result<&'static str, FormatError> {
    let found = match &entry.value.value {
        Value::Number(digits) => digits.parse::<usize>().ok().and_then(|number| GRADES.get(number)),
        Value::Text(text) => GRADES.iter().find(|grade| text.ends_with(**grade)),
        _ => None,
    };
    found.copied().ok_or_else(|| {
        let problem =
            format!("{} is none of 0 (slow calls), 1 (share of errors), 2 (number of errors)", entry.value.in_words());
        FormatError::new(entry.value.line, &entry.key, problem)
    })
}

/// `count` has a unit of its own in each grade.
fn count(grade: &str, number: f64, units: Units) -> Result<f64, String> {
    if grade == GRADES[1] {
        return units.share(number);
    }
    if units == Units::Checked && number > 0.0 && number < 1.0 {
        let unit = if grade == GRADES[0] { "milliseconds" } else { "errors" };
        return Err(format!(
            "{number} is a number of {unit} in this grade, and looks like a share of errors, which is grade 1; if it is meant \
             so, say --trust-units"
        ));
    }
    Ok(number)
}
