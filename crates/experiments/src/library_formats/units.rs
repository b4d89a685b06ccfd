//! Times, percentages and shares as configurations write them, and the traps in them.
//!
//! A number whose unit is clear is taken as it is. One that a reader would easily take for another unit is refused, with
//! both readings, unless the user vouches for it.

use engine::Duration;

use super::tree::{Node, Value};

/// Whether unlikely numbers are taken as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Numbers that look like another unit are refused.
    Checked,
    /// Every number is in the library's own unit.
    Trusted,
}

/// What to do about a number that looks wrong.
const TRUST: &str = "if it is meant so, say --trust-units";

/// A bare number of milliseconds below this looks like seconds.
const FEWEST_MILLIS: f64 = 100.0;

/// A bare number of seconds from here on looks like milliseconds.
const MOST_SECONDS: f64 = 1_000.0;

impl Units {
    /// A bare number that the library reads as milliseconds.
    pub(super) fn millis(self, number: f64) -> Result<f64, String> {
        if self == Self::Checked && number > 0.0 && number < FEWEST_MILLIS {
            return Err(format!(
                "{number} is {number} milliseconds here, and looks like seconds: write {} for {number} s; {TRUST}",
                number * 1e3
            ));
        }
        Ok(number)
    }

    /// A bare number that the library reads as seconds.
    pub(super) fn seconds(self, number: f64) -> Result<f64, String> {
        if self == Self::Checked && number >= MOST_SECONDS {
            return Err(format!(
                "{number} is {number} seconds here, and looks like milliseconds: write {} for {number} ms; {TRUST}",
                number / 1e3
            ));
        }
        Ok(number)
    }

    /// A number that the library reads as percent.
    pub(super) fn percent(self, number: f64) -> Result<f64, String> {
        if self == Self::Checked && number > 0.0 && number < 1.0 {
            return Err(format!(
                "{number} is {number} percent here, and looks like a share: write {} for that share; {TRUST}",
                number * 100.0
            ));
        }
        Ok(number)
    }

    /// A number that the library reads as a share of 1.
    pub(super) fn share(self, number: f64) -> Result<f64, String> {
        if self == Self::Checked && number > 1.0 {
            return Err(format!(
                "{number} is a share of 1 here, and looks like percent: write {} for {number} %; {TRUST}",
                number / 100.0
            ));
        }
        Ok(number)
    }

    /// A duration as Spring Boot reads it: `10s`, `PT10S`, or a bare number of milliseconds.
    pub(super) fn spring_duration(self, node: &Node) -> Result<Duration, String> {
        let text = match &node.value {
            Value::Number(digits) => {
                let number: f64 = digits.parse().map_err(|_| format!("{digits} is no number"))?;
                if number.fract() != 0.0 || number < 0.0 {
                    return Err(format!("{digits} is no duration: write whole milliseconds, or a unit such as 1500ms"));
                }
                if self == Self::Checked && number > 0.0 && number < MOST_SECONDS {
                    return Err(format!(
                        "a bare {digits} is {digits} milliseconds to Spring Boot, and looks like seconds: write {digits}s or \
                         {digits}ms"
                    ));
                }
                return Ok(Duration::from_millis(number as u64));
            }
            Value::Text(text) => text,
            _ => return Err(format!("{} is no duration: write for instance 10s", node.in_words())),
        };
        simple_duration(text).or_else(|| iso_duration(text)).ok_or_else(|| {
            format!(
                "\"{text}\" is no duration to Spring Boot: write a whole number with ns, us, ms, s, m, h or d, or PT10S"
            )
        })
    }
}

/// A number of the tree.
pub(super) fn number(node: &Node) -> Result<f64, String> {
    match &node.value {
        Value::Number(digits) => digits.parse().map_err(|_| format!("{digits} is no number")),
        _ => Err(format!("{} is no number", node.in_words())),
    }
}

/// `10s`: a whole number and one unit.
fn simple_duration(text: &str) -> Option<Duration> {
    let digits = text.find(|next: char| !next.is_ascii_digit())?;
    let nanos: u64 = match text[digits..].trim().to_ascii_lowercase().as_str() {
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "d" => 86_400_000_000_000,
        _ => return None,
    };
    text[..digits].parse::<u64>().ok()?.checked_mul(nanos).map(Duration::from_nanos)
}

/// `PT1M30.5S`, `P1DT2H`: ISO 8601 without years, months and weeks, as Java reads it.
fn iso_duration(text: &str) -> Option<Duration> {
    let text = text.to_ascii_uppercase();
    let (days, times) = text.strip_prefix('P')?.split_once('T').map_or((text.strip_prefix('P')?, ""), |split| split);
    let mut nanos: u64 = 0;
    let mut parts = 0;
    for (mut rest, units) in [(days, &[('D', 86_400)][..]), (times, &[('H', 3_600), ('M', 60), ('S', 1)][..])] {
        for &(unit, seconds) in units {
            let Some((number, after)) = rest.split_once(unit) else { continue };
            let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
            if unit != 'S' && !fraction.is_empty() || fraction.len() > 9 {
                return None;
            }
            let whole = whole.parse::<u64>().ok()?.checked_mul(seconds)?.checked_mul(1_000_000_000)?;
            let fraction = format!("{fraction:0<9}").parse::<u64>().ok()?;
            nanos = nanos.checked_add(whole)?.checked_add(fraction)?;
            parts += 1;
            rest = after;
        }
        if !rest.is_empty() {
            return None;
        }
    }
    (parts > 0).then_some(Duration::from_nanos(nanos))
}

/// The time as a Spring duration: `10s`, `1500ms`.
pub(super) fn in_spring(time: Duration) -> String {
    let nanos = time.as_nanos();
    let units = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1)];
    let (unit, size) = units.into_iter().find(|&(_, size)| nanos.is_multiple_of(size)).expect("of nanoseconds always");
    format!("{}{unit}", nanos / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(word: &str) -> Node {
        Node { line: 1, value: Value::plain(word) }
    }

    #[test]
    fn spring_durations_are_exact() {
        for (text, nanos) in [
            ("10s", 10_000_000_000),
            ("500ms", 500_000_000),
            ("1m", 60_000_000_000),
            ("2H", 7_200_000_000_000),
            ("1d", 86_400_000_000_000),
            ("7ns", 7),
            ("60000", 60_000_000_000),
            ("0", 0),
            ("PT10S", 10_000_000_000),
            ("pt1m30.5s", 90_500_000_000),
            ("P1DT1H", 90_000_000_000_000),
            ("PT0.000000001S", 1),
        ] {
            assert_eq!(Units::Checked.spring_duration(&plain(text)), Ok(Duration::from_nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn spring_durations_that_mislead_are_refused() {
        for (text, said) in [
            ("10", "write 10s or 10ms"),
            ("1.5s", "no duration"),
            ("1.5", "no duration"),
            ("10 sec", "no duration"),
            ("P1Y", "no duration"),
            ("PT", "no duration"),
            ("soon", "no duration"),
            ("true", "no duration"),
        ] {
            let error = Units::Checked.spring_duration(&plain(text)).expect_err(text);
            assert!(error.contains(said), "{text}: {error}");
        }
        assert_eq!(Units::Trusted.spring_duration(&plain("10")), Ok(Duration::from_millis(10)));
    }

    #[test]
    fn what_is_printed_can_be_read() {
        for nanos in [0, 1, 1_000, 1_500_000, 1_000_000_000, 1_500_000_000, 60_000_000_000] {
            let time = Duration::from_nanos(nanos);
            assert_eq!(simple_duration(&in_spring(time)), Some(time));
        }
    }

    #[test]
    fn numbers_that_look_like_another_unit_are_refused_with_both_readings() {
        let checked = Units::Checked;
        for (refused, parts) in [
            (checked.millis(30.0), ["30 milliseconds", "write 30000"]),
            (checked.seconds(5_000.0), ["5000 seconds", "write 5 for"]),
            (checked.percent(0.5), ["0.5 percent", "write 50"]),
            (checked.share(50.0), ["share of 1", "write 0.5"]),
        ] {
            let error = refused.expect_err(parts[0]);
            assert!(parts.iter().all(|part| error.contains(part)) && error.contains("--trust-units"), "{error}");
        }
        assert_eq!(Units::Trusted.millis(30.0), Ok(30.0));
        assert_eq!(Units::Trusted.share(50.0), Ok(50.0));
        for fine in [checked.millis(0.0), checked.millis(100.0), checked.percent(1.0), checked.share(1.0)] {
            assert!(fine.is_ok());
        }
    }
}
