//! Quantities with a unit: durations such as "220ms" and rates such as "97.22/s".

use engine::Duration;

use super::decimal::Decimal;
use super::document::{Report, Value, clipped};
use super::field::Field;

/// The units of a duration, in nanoseconds.
const UNITS: [(&str, i128); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// The longest duration of a sweep file: a million hours. Sums of several still fit into the clock.
pub(super) const LONGEST: Duration = Duration::from_secs(3_600_000_000);

/// The highest rate: one request per nanosecond, the resolution of the clock.
const HIGHEST_RATE: f64 = 1e9;

/// Reads a duration, exactly.
///
/// # Errors
///
/// What is wrong and what to do.
pub(super) fn parse_duration(text: &str) -> Result<Duration, (String, String)> {
    let (trimmed, text) = (text.trim(), clipped(text));
    let unit_start = trimmed
        .char_indices()
        .find(|&(_, character)| !(character.is_ascii_digit() || matches!(character, '.' | '_' | '+' | '-')))
        .map_or(trimmed.len(), |(index, _)| index);
    let (number, unit) = (trimmed[..unit_start].trim(), trimmed[unit_start..].trim());
    let Some(number) = Decimal::parse(number) else {
        let remedy = "write a number and a unit (ns, us, ms, s, min, h), such as \"220ms\" or \"1.5s\"";
        return Err((format!("\"{text}\" is no duration"), remedy.to_owned()));
    };
    if let Some(plain) = without_exponent(trimmed) {
        let problem = format!("the duration \"{text}\" has an exponent, and exponents are not read");
        return Err((
            problem,
            plain.map_or("write all of its digits".to_owned(), |plain| format!("write \"{plain}\"")),
        ));
    }
    let Some(&(_, nanos)) = UNITS.iter().find(|&&(name, _)| name == unit) else {
        let problem = if unit.is_empty() {
            format!("the duration \"{text}\" has no unit")
        } else {
            format!("\"{}\" in \"{text}\" is no unit of time", clipped(unit))
        };
        let unit = likely_unit(unit);
        return Err((problem, format!("units are ns, us, ms, s, min and h; did you mean \"{number}{unit}\"?")));
    };
    if !(number.is_positive() || number.to_whole() == Some(0)) {
        return Err((format!("the duration \"{text}\" is negative"), "write one that is not".to_owned()));
    }
    let nanos = Decimal::whole(0).plus(nanos, number).and_then(Decimal::to_whole);
    let Some(nanos) = nanos else {
        let problem = format!("the duration \"{text}\" is finer than the clock, which counts whole nanoseconds");
        return Err((problem, "leave out the decimals after the nanosecond".to_owned()));
    };
    match u64::try_from(nanos).map(Duration::from_nanos) {
        Ok(duration) if duration <= LONGEST => Ok(duration),
        _ => Err((format!("the duration \"{text}\" is too long"), "the longest is \"1000000h\"".to_owned())),
    }
}

/// Reads a duration such as "200ms" of the command line, exactly.
///
/// # Errors
///
/// What is wrong and what to do, in one sentence.
pub fn duration_from_text(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|(problem, remedy)| format!("{problem}; {remedy}"))
}

/// If a duration is written with an exponent: the same without one, or `None` if that has too many digits.
fn without_exponent(text: &str) -> Option<Option<String>> {
    let (mantissa, rest) = text.split_once(['e', 'E'])?;
    let signed = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    let digits = signed.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return None;
    }
    let (exponent, unit) = rest.split_at(rest.len() - signed.len() + digits);
    let unit = unit.trim();
    let unit = if UNITS.iter().any(|&(name, _)| name == unit) { unit } else { likely_unit(unit) };
    let number = Decimal::parse(&format!("{}e{exponent}", mantissa.trim()));
    Some(number.map(|number| format!("{number}{unit}")))
}

/// The digits of a bare number as they may stand in front of a unit of time.
fn plain(digits: &str) -> String {
    let number = Decimal::parse(digits).filter(|_| digits.contains(['e', 'E']));
    number.map_or_else(|| clipped(digits).into_owned(), |number| number.to_string())
}

fn likely_unit(wrong: &str) -> &'static str {
    match wrong.to_lowercase().as_str() {
        "m" | "mins" | "minute" | "minutes" => "min",
        "hr" | "hrs" | "hour" | "hours" => "h",
        "" | "sec" | "secs" | "second" | "seconds" => "s",
        "usec" | "micros" | "microseconds" => "us",
        "nsec" | "nanos" | "nanoseconds" => "ns",
        _ => "ms",
    }
}

/// Reads a rate in requests per second; −0 is read as 0.
///
/// # Errors
///
/// What is wrong and what to do.
pub(super) fn parse_rate(text: &str) -> Result<f64, (String, String)> {
    let form = "write a number per s, min or h, such as \"97.22/s\"";
    let Some((number, unit)) = text.split_once('/') else {
        return Err((format!("\"{}\" is no rate", clipped(text)), form.to_owned()));
    };
    let (number, unit, text) = (number.trim(), unit.trim(), clipped(text));
    let seconds = match unit {
        "s" => 1.0,
        "min" => 60.0,
        "h" => 3_600.0,
        _ => return Err((format!("\"{}\" in \"{text}\" is no unit of a rate", clipped(unit)), form.to_owned())),
    };
    match number.replace('_', "").parse::<f64>() {
        Ok(count) if count < 0.0 => {
            Err((format!("the rate \"{text}\" is negative"), "write one that is not; \"0/s\" is none".to_owned()))
        }
        Ok(count) if count.is_finite() && count / seconds <= HIGHEST_RATE => Ok(count / seconds + 0.0),
        Ok(_) => Err((format!("the rate \"{text}\" is too high"), "the highest is \"1000000000/s\"".to_owned())),
        Err(_) => Err((format!("\"{text}\" is no rate"), form.to_owned())),
    }
}

impl Field<'_> {
    /// The value as a duration, zero included.
    pub(super) fn duration(&self, example: &str, report: &mut Report<'_>) -> Option<Duration> {
        let text = match &self.node.value {
            Value::Text(text) => text,
            Value::Whole(digits) | Value::Real(digits) => {
                let problem = format!("the bare number {} is no duration", clipped(digits));
                let digits = plain(digits);
                self.blame(
                    report,
                    problem,
                    format!("say the unit, in quotes, such as \"{digits}s\" or \"{digits}ms\""),
                );
                return None;
            }
            _ => {
                self.mismatch(report, "a duration", &format!("\"{example}\""));
                return None;
            }
        };
        parse_duration(text).map_err(|(problem, remedy)| self.blame(report, problem, remedy)).ok()
    }

    /// The value as a duration above zero.
    pub(super) fn positive_duration(&self, example: &str, report: &mut Report<'_>) -> Option<Duration> {
        let duration = self.duration(example, report)?;
        if duration.is_zero() {
            let advice = self.advice(&format!("\"{example}\""));
            self.blame(report, "the duration is zero, and has to be at least 1ns", advice);
            return None;
        }
        Some(duration)
    }

    /// The value as a rate in requests per second, zero included.
    pub(super) fn rate(&self, example: &str, report: &mut Report<'_>) -> Option<f64> {
        let text = match &self.node.value {
            Value::Text(text) => text,
            Value::Whole(digits) | Value::Real(digits) => {
                let digits = clipped(digits);
                let problem = format!("the bare number {digits} is no rate");
                self.blame(report, problem, format!("say the unit, in quotes, such as \"{digits}/s\""));
                return None;
            }
            _ => {
                self.mismatch(report, "a rate", &format!("\"{example}\""));
                return None;
            }
        };
        parse_rate(text).map_err(|(problem, remedy)| self.blame(report, problem, remedy)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_exact() {
        for (text, nanos) in [
            ("0s", 0),
            ("7ns", 7),
            ("10us", 10_000),
            ("10µs", 10_000),
            ("220ms", 220_000_000),
            ("1.5s", 1_500_000_000),
            ("0.000000001s", 1),
            ("2min", 120_000_000_000),
            ("1h", 3_600_000_000_000),
            (" 1_000 ms ", 1_000_000_000),
            ("1000000h", 3_600_000_000_000_000_000),
            ("0.1min", 6_000_000_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn what_the_clock_prints_can_be_read() {
        for nanos in [0, 1, 999, 1_000, 1_234_567, 1_000_000_007, 86_400_000_000_000] {
            let duration = Duration::from_nanos(nanos);
            assert_eq!(parse_duration(&duration.to_string()), Ok(duration));
        }
    }

    #[test]
    fn wrong_durations_are_explained() {
        for (text, problem, remedy) in [
            ("soon", "\"soon\" is no duration", "such as \"220ms\""),
            ("12", "has no unit", "did you mean \"12s\"?"),
            ("5m", "\"m\" in \"5m\" is no unit of time", "did you mean \"5min\"?"),
            ("5 sec", "\"sec\" in \"5 sec\" is no unit", "did you mean \"5s\"?"),
            ("-1s", "is negative", "write one that is not"),
            ("0.5ns", "finer than the clock", "leave out the decimals"),
            ("1000001h", "too long", "the longest is \"1000000h\""),
            ("1e3s", "\"1e3s\" has an exponent, and exponents are not read", "write \"1000s\""),
            ("2.5E-3 min", "exponents are not read", "write \"0.0025min\""),
            ("1e3", "exponents are not read", "write \"1000s\""),
            ("1e+2sec", "exponents are not read", "write \"100s\""),
            ("1e99s", "exponents are not read", "write all of its digits"),
            ("1era", "\"era\" in \"1era\" is no unit", "did you mean \"1ms\"?"),
        ] {
            let (said, advice) = parse_duration(text).unwrap_err();
            assert!(said.contains(problem), "{text}: {said}");
            assert!(advice.contains(remedy), "{text}: {advice}");
        }
    }

    #[test]
    fn rates_are_per_second() {
        for (text, rate) in
            [("97.22/s", 97.22), ("5/min", 5.0 / 60.0), ("3/h", 3.0 / 3_600.0), ("0/s", 0.0), ("1e3 / s", 1e3)]
        {
            assert_eq!(parse_rate(text).map(f64::to_bits), Ok(f64::to_bits(rate)), "{text}");
        }
    }

    #[test]
    fn a_rate_of_minus_zero_is_zero() {
        for text in ["-0/s", "-0.0/h", "-1e-400/min"] {
            assert_eq!(parse_rate(text).map(f64::to_bits), Ok(0), "{text}");
        }
    }

    #[test]
    fn wrong_rates_are_explained() {
        for (text, problem) in [
            ("97.22", "\"97.22\" is no rate"),
            ("x/s", "\"x/s\" is no rate"),
            ("nan/s", "too high"),
            ("5/sec", "\"sec\" in \"5/sec\" is no unit of a rate"),
            ("-5/s", "is negative"),
            ("1e10/s", "too high"),
        ] {
            let (said, _) = parse_rate(text).unwrap_err();
            assert!(said.contains(problem), "{text}: {said}");
        }
    }
}
