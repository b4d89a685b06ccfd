//! Values of a library's parameter that are no numbers: words, switches, lists of times, a time or none.

use policies::{Durations, Kind as Values, Parameter, Value};

use crate::sweep_file::axis::{self, Kind};
use crate::sweep_file::document::{self, Report};
use crate::sweep_file::field::Field;

/// Reads one value or a list of them; a value that comes twice is reported.
pub(super) fn read(field: &Field<'_>, parameter: &'static Parameter, report: &mut Report<'_>) -> Option<Vec<Value>> {
    let Some(elements) = field.elements() else { return Some(vec![one(field, parameter, report)?]) };
    let elements: Vec<_> = elements.collect();
    if elements.is_empty() {
        field.blame(report, "the axis is empty, so the rule has no design", "give it a value, or leave it out");
        return None;
    }
    let values: Vec<_> = elements.iter().map(|element| one(element, parameter, report)).collect();
    let values = values.into_iter().collect::<Option<Vec<_>>>()?;
    for (number, value) in values.iter().enumerate() {
        if values[..number].contains(value) {
            let problem = format!("the value {} comes more than once", parameter.written(*value));
            elements[number].blame(report, problem, "leave the second one out");
            return None;
        }
    }
    Some(values)
}

fn one(field: &Field<'_>, parameter: &'static Parameter, report: &mut Report<'_>) -> Option<Value> {
    match (parameter.kind, &field.node.value) {
        (Values::Word(words), _) => field.word(words, report).map(Value::Word),
        (Values::Flag | Values::TimeOrFalse(_), document::Value::Boolean(flag)) => {
            let value = Value::Flag(*flag);
            if !parameter.accepts(value) {
                field.mismatch(report, &parameter.expected(), "false");
                return None;
            }
            Some(value)
        }
        (Values::TimeOrFalse(_), _) => {
            let kind = Kind::Library(parameter);
            axis::scalar(field, kind, report).map(|value| kind.library_value(value))
        }
        (Values::Times, document::Value::Text(text)) => {
            let times = Durations::parse(text).map(Value::Times);
            if times.is_none() {
                field.mismatch(report, &parameter.expected(), "\"100,300,700\"");
            }
            times
        }
        (Values::Times, _) => {
            field.mismatch(report, &parameter.expected(), "\"100,300,700\"");
            None
        }
        _ => {
            field.mismatch(report, &parameter.expected(), "true");
            None
        }
    }
}
