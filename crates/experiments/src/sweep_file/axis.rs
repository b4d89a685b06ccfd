//! Axes: the values that a number of a rule takes in a sweep.

use std::cmp::Ordering;

use engine::Duration;
use policies::{Kind as Values, Parameter, TimeUnit, Value as LibraryValue};

use super::decimal::Decimal;
use super::document::{Report, Value, clipped};
use super::field::{Field, Section};
use super::units::LONGEST;

/// The most values that one axis may have, checked before any is made.
pub(super) const MAX_VALUES: u128 = 1_000_000;

/// What the values of an axis are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// A whole number from 1 to the given one.
    Count(u32),
    /// A number above 0 and at most 1.
    Share,
    /// A duration above zero, counted in nanoseconds.
    Time,
    /// Numbers or times of a library's parameter; times are counted in nanoseconds.
    Library(&'static Parameter),
}

/// The keys of a table that is an axis.
pub(super) const AXIS_KEYS: [&str; 6] = ["from", "to", "step", "linspace", "logspace", "union"];

/// The values of an axis before they are made.
#[derive(Clone, Debug)]
enum Spec {
    One(Decimal),
    Range { from: Decimal, step: Decimal, count: i128 },
    Linear { from: Decimal, to: Decimal, count: i128 },
    Logarithmic { from: Decimal, to: Decimal, count: i128 },
    Union(Vec<Spec>),
}

/// An axis: values of one kind, in order, not yet made.
#[derive(Clone, Debug)]
pub(super) struct Axis<'a> {
    field: Field<'a>,
    kind: Kind,
    spec: Spec,
}

impl<'a> Axis<'a> {
    /// Reads an axis; what is wrong with it is reported.
    pub(super) fn read(field: Field<'a>, kind: Kind, report: &mut Report<'_>) -> Option<Self> {
        let spec = spec(&field, kind, report)?;
        let axis = Self { field, kind, spec };
        if axis.count() > MAX_VALUES {
            let problem = format!("the axis has {} values", axis.count());
            axis.field.blame(report, problem, format!("take a larger step or a shorter range: at most {MAX_VALUES}"));
            return None;
        }
        Some(axis)
    }

    /// How many values there are.
    pub(super) fn count(&self) -> u128 {
        self.spec.count()
    }

    /// Makes the values; a value that comes twice is reported.
    pub(super) fn values(&self, report: &mut Report<'_>) -> Option<Vec<Decimal>> {
        let mut values = Vec::new();
        self.spec.push_values(self.kind, &mut values);
        let mut sorted = values.clone();
        sorted.sort_by(|a, b| a.compare(*b));
        let same = |pair: &&[Decimal]| match self.kind {
            Kind::Share => pair[0].to_f64() == pair[1].to_f64(),
            Kind::Count(_) | Kind::Time | Kind::Library(_) => pair[0].compare(pair[1]) == Ordering::Equal,
        };
        if let Some(pair) = sorted.windows(2).find(same) {
            let problem = format!("the value {} comes more than once", self.kind.show(pair[0]));
            self.field.blame(
                report,
                problem,
                "leave the second one out (rounded values of a spaced axis can meet: ask for fewer)",
            );
            return None;
        }
        Some(values)
    }
}

impl Spec {
    fn count(&self) -> u128 {
        match self {
            Self::One(_) => 1,
            Self::Range { count, .. } | Self::Linear { count, .. } | Self::Logarithmic { count, .. } => {
                count.unsigned_abs()
            }
            Self::Union(parts) => parts.iter().map(Self::count).fold(0, u128::saturating_add),
        }
    }

    fn push_values(&self, kind: Kind, values: &mut Vec<Decimal>) {
        match *self {
            Self::One(value) => values.push(value),
            Self::Range { from, step, count } => {
                values.extend((0..count).map(|number| from.plus(number, step).expect("no further than the end")));
            }
            Self::Linear { from, to, count } => values.extend((0..count).map(|number| {
                let point = from.between(to, number, (count - 1).max(1)).expect("checked when it was read");
                kind.rounded(point)
            })),
            Self::Logarithmic { from, to, count } => {
                values.extend((0..count).map(|number| kind.rounded(between_logarithms(from, to, number, count - 1))));
            }
            Self::Union(ref parts) => parts.iter().for_each(|part| part.push_values(kind, values)),
        }
    }
}

/// The point `part`/`whole` of the way on a logarithmic scale, to 12 significant digits: enough for every setting, and few
/// enough that the last bit of the platform's power function does not show. The ends are exact.
fn between_logarithms(from: Decimal, to: Decimal, part: i128, whole: i128) -> Decimal {
    if part == 0 {
        return from;
    }
    if part == whole {
        return to;
    }
    let (low, high) = (from.to_f64(), to.to_f64());
    let point = low * (high / low).powf(part as f64 / whole as f64);
    Decimal::parse(&format!("{point:.11e}")).unwrap_or(from)
}

impl Kind {
    /// The unit of its times, if its values are times of a library.
    fn time_unit(self) -> Option<TimeUnit> {
        match self {
            Self::Library(Parameter { kind: Values::Time(unit) | Values::TimeOrFalse(unit), .. }) => Some(*unit),
            Self::Count(_) | Self::Share | Self::Time | Self::Library(_) => None,
        }
    }

    fn is_time(self) -> bool {
        self == Self::Time || self.time_unit().is_some()
    }

    fn is_count(self) -> bool {
        matches!(self, Self::Count(_) | Self::Library(Parameter { kind: Values::Count, .. }))
    }

    /// A value of the kind, for messages.
    pub(super) fn example(self) -> &'static str {
        match self {
            _ if self.is_time() => "\"1s\"",
            _ if self.is_count() => "5",
            _ => "0.5",
        }
    }

    /// The three numbers of a spaced axis, for messages.
    fn spaced_example(self) -> &'static str {
        match self {
            _ if self.is_time() => "[\"1s\", \"10s\", 4]",
            _ if self.is_count() => "[1, 10, 4]",
            _ => "[0.1, 0.9, 5]",
        }
    }

    fn expected(self) -> String {
        match self {
            Self::Count(most) => format!("a whole number from 1 to {most}"),
            Self::Share => "a share above 0 and at most 1".to_owned(),
            Self::Time => "a duration".to_owned(),
            Self::Library(parameter) => match self.time_unit() {
                Some(TimeUnit::Milliseconds | TimeUnit::Seconds) => {
                    format!("{}, or a duration in quotes", parameter.expected())
                }
                Some(TimeUnit::Object) | None => parameter.expected(),
            },
        }
    }

    fn show(self, value: Decimal) -> String {
        match self {
            _ if self.is_time() => to_duration(value).to_string(),
            _ => value.to_string(),
        }
    }

    /// A point of a spaced axis as a value of the kind: counts and nanoseconds are whole.
    fn rounded(self, value: Decimal) -> Decimal {
        match self {
            _ if self.is_time() || self.is_count() => value.rounded(),
            _ => value,
        }
    }

    fn contains(self, value: Decimal) -> bool {
        let most = match self {
            Self::Library(parameter) => return parameter.accepts(self.library_value(value)),
            Self::Count(most) => i128::from(most),
            Self::Share => 1,
            Self::Time => i128::from(LONGEST.as_nanos()),
        };
        value.is_positive() && value.compare(Decimal::whole(most)) != Ordering::Greater
    }
}

impl Kind {
    /// A number of an axis as a value of a library's parameter.
    pub(super) fn library_value(self, value: Decimal) -> LibraryValue {
        match self.is_time() {
            true => LibraryValue::Time(to_duration(value)),
            false => LibraryValue::Number(value.to_f64() + 0.0),
        }
    }
}

/// A value of [`Kind::Time`].
pub(super) fn to_duration(nanos: Decimal) -> Duration {
    let nanos = nanos.to_whole().and_then(|nanos| u64::try_from(nanos).ok());
    Duration::from_nanos(nanos.expect("a duration of a sweep file is in range"))
}

/// A value of [`Kind::Count`].
pub(super) fn to_count(value: Decimal) -> u32 {
    value.to_whole().and_then(|count| u32::try_from(count).ok()).expect("a count of a sweep file is in range")
}

fn spec(field: &Field<'_>, kind: Kind, report: &mut Report<'_>) -> Option<Spec> {
    match &field.node.value {
        Value::Table(_) => {
            let section = field.section("", report)?;
            spaced(field, section, kind, report)
        }
        Value::List(_) => list(field, kind, report),
        _ => scalar(field, kind, report).map(Spec::One),
    }
}

fn list(field: &Field<'_>, kind: Kind, report: &mut Report<'_>) -> Option<Spec> {
    let elements: Vec<_> = field.elements()?.collect();
    if elements.is_empty() {
        let remedy = format!("give it a value, such as {} = [{}], or leave the rule out", field.key(), kind.example());
        field.blame(report, "the axis is empty, so the rule has no design", remedy);
        return None;
    }
    let values: Vec<_> = elements.iter().map(|element| scalar(element, kind, report).map(Spec::One)).collect();
    values.into_iter().collect::<Option<_>>().map(Spec::Union)
}

fn spaced(field: &Field<'_>, mut section: Section<'_>, kind: Kind, report: &mut Report<'_>) -> Option<Spec> {
    const FORMS: &str = "use { from = …, to = …, step = … }, { linspace = [from, to, count] }, { logspace = [from, to, count] } or \
                         { union = [axis, axis] }";
    let union = section.optional("union");
    let linear = section.optional("linspace");
    let logarithmic = section.optional("logspace");
    let ends = [section.optional("from"), section.optional("to"), section.optional("step")];
    section.finish(report);
    match (union, linear, logarithmic, ends) {
        (Some(union), None, None, [None, None, None]) => union_of(&union, kind, report),
        (None, Some(linear), None, [None, None, None]) => {
            let (from, to, count) = ends_and_count(&linear, kind, report)?;
            if from.between(to, count - 2, count - 1).is_none() {
                linear.blame(report, "the numbers have too many digits", "round them");
                return None;
            }
            Some(Spec::Linear { from, to, count })
        }
        (None, None, Some(logarithmic), [None, None, None]) => {
            let (from, to, count) = ends_and_count(&logarithmic, kind, report)?;
            if !from.is_positive() {
                logarithmic.blame(report, "equal ratios cannot begin at zero", "begin above it, or use linspace");
                return None;
            }
            Some(Spec::Logarithmic { from, to, count })
        }
        (None, None, None, [Some(from), Some(to), Some(step)]) => range(field, &from, &to, &step, kind, report),
        (None, None, None, [None, None, None]) => {
            field.blame(report, "the axis says no values", FORMS);
            None
        }
        (None, None, None, ends) => {
            let missing: Vec<_> =
                ["from", "to", "step"].into_iter().zip(&ends).filter(|(_, end)| end.is_none()).collect();
            let missing: Vec<_> = missing.iter().map(|(name, _)| format!("`{name}`")).collect();
            field.blame(report, format!("the range lacks {}", missing.join(" and ")), FORMS);
            None
        }
        _ => {
            field.blame(report, "the axis says its values in two ways", FORMS);
            None
        }
    }
}

fn union_of(field: &Field<'_>, kind: Kind, report: &mut Report<'_>) -> Option<Spec> {
    let parts: Vec<_> = field.elements().map(Iterator::collect).unwrap_or_default();
    if parts.is_empty() {
        let example = format!("[{}, {{ from = …, to = …, step = … }}]", kind.example());
        field.mismatch(report, "a list of axes", &example);
        return None;
    }
    let parts: Vec<_> = parts.iter().map(|part| spec(part, kind, report)).collect();
    parts.into_iter().collect::<Option<_>>().map(Spec::Union)
}

fn range(
    field: &Field<'_>,
    from: &Field<'_>,
    to: &Field<'_>,
    step: &Field<'_>,
    kind: Kind,
    report: &mut Report<'_>,
) -> Option<Spec> {
    let (first, last) = (scalar(from, kind, report), scalar(to, kind, report));
    let by = match kind {
        Kind::Library(_) => library_scalar(step, kind, report),
        Kind::Count(_) | Kind::Share | Kind::Time => scalar(step, kind, report),
    };
    let (first, last, by) = (first?, last?, by?);
    if !by.is_positive() {
        step.blame(report, "the range would never get on", "let `step` be greater than 0");
        return None;
    }
    if first.compare(last) == Ordering::Greater {
        let problem = format!("the range goes down, from {} to {}", kind.show(first), kind.show(last));
        field.blame(report, problem, "let `from` be the smaller end");
        return None;
    }
    let (steps, reached) = first.steps(last, by)?;
    if !reached {
        let below = first.plus(steps, by)?;
        let above = first.plus(steps + 1, by).filter(|&above| kind.contains(above));
        let above = above.map_or(String::new(), |above| format!(" or {}", quote(kind, above)));
        let problem = format!("steps of {} from {} do not reach {}", kind.show(by), kind.show(first), kind.show(last));
        to.blame(report, problem, format!("let `to` be {}{above}", quote(kind, below)));
        return None;
    }
    Some(Spec::Range { from: first, step: by, count: steps + 1 })
}

/// A value as one would write it in the file.
fn quote(kind: Kind, value: Decimal) -> String {
    if kind.is_time() { format!("\"{}\"", kind.show(value)) } else { kind.show(value) }
}

/// The three elements of a `linspace` or `logspace`.
fn ends_and_count(field: &Field<'_>, kind: Kind, report: &mut Report<'_>) -> Option<(Decimal, Decimal, i128)> {
    let elements: Vec<_> = field.elements().map(Iterator::collect).unwrap_or_default();
    let [from, to, count] = &elements[..] else {
        field.mismatch(report, "[from, to, count]", kind.spaced_example());
        return None;
    };
    let (from, to) = (scalar(from, kind, report), scalar(to, kind, report));
    let count = count.whole(2..=1_000_000, 5, report).map(i128::from);
    let (from, to, count) = (from?, to?, count?);
    if from.compare(to) != Ordering::Less {
        let problem = format!("the axis does not rise from {} to {}", kind.show(from), kind.show(to));
        field.blame(report, problem, "let the first number be the smaller one");
        return None;
    }
    Some((from, to, count))
}

/// One value of a library's parameter, without its bounds: a step may be smaller than they allow.
fn library_scalar(field: &Field<'_>, kind: Kind, report: &mut Report<'_>) -> Option<Decimal> {
    let (Value::Whole(digits) | Value::Real(digits)) = &field.node.value else {
        if kind.is_time() && matches!(field.node.value, Value::Text(_)) {
            let duration = field.duration("1s", report)?;
            return Some(Decimal::whole(i128::from(duration.as_nanos())));
        }
        field.mismatch(report, &kind.expected(), kind.example());
        return None;
    };
    let nanos_per_unit = match kind.time_unit() {
        // What the library takes with a unit is no bare number: the words are those for every duration.
        Some(TimeUnit::Object) => return field.duration("1s", report).map(|_| Decimal::whole(0)),
        Some(TimeUnit::Milliseconds) => 1_000_000,
        Some(TimeUnit::Seconds) => 1_000_000_000,
        None => 1,
    };
    let value = Decimal::parse(digits).and_then(|value| Decimal::whole(0).plus(nanos_per_unit, value));
    let longest = Decimal::whole(i128::from(LONGEST.as_nanos()));
    let fits = |value: &Decimal| {
        !kind.is_time()
            || value.to_whole().is_some_and(|nanos| nanos >= 0) && value.compare(longest) != Ordering::Greater
    };
    let value = value.filter(fits);
    if value.is_none() {
        let problem = format!("{} is out of range: expected {}", clipped(digits), kind.expected());
        let advice = field.advice(kind.example());
        field.blame(report, problem, advice);
    }
    value
}

/// One value.
pub(super) fn scalar(field: &Field<'_>, kind: Kind, report: &mut Report<'_>) -> Option<Decimal> {
    if let Kind::Library(parameter) = kind {
        let value = library_scalar(field, kind, report)?;
        if !kind.contains(value) {
            let given = parameter.written(kind.library_value(value));
            let problem = format!("{given} is out of range: expected {}", kind.expected());
            let advice = field.advice(kind.example());
            field.blame(report, problem, advice);
            return None;
        }
        return Some(value);
    }
    if kind == Kind::Time {
        let duration = field.positive_duration("1s", report)?;
        return Some(Decimal::whole(i128::from(duration.as_nanos())));
    }
    let (Value::Whole(digits) | Value::Real(digits)) = &field.node.value else {
        field.mismatch(report, &kind.expected(), kind.example());
        return None;
    };
    let Some(value) = Decimal::parse(digits) else {
        let problem = format!("{} is out of range: expected {}", clipped(digits), kind.expected());
        let advice = field.advice(kind.example());
        field.blame(report, problem, format!("{advice}, with at most 18 digits after the point"));
        return None;
    };
    if !kind.contains(value) {
        let remedy = match kind {
            Kind::Share if value.is_positive() => {
                "a share is a part of 1: write 0.5 for one half, or take kind = \"consecutive\" \
                                                   for a number of failures in a row"
                    .to_owned()
            }
            _ => field.advice(kind.example()),
        };
        field.blame(report, format!("{} is out of range: expected {}", clipped(digits), kind.expected()), remedy);
        return None;
    }
    if matches!(kind, Kind::Count(_)) && value.to_whole().is_none() {
        let problem = format!("{} is no whole number: expected {}", clipped(digits), kind.expected());
        let advice = field.advice(&value.rounded().to_string());
        field.blame(report, problem, advice);
        return None;
    }
    Some(value)
}
