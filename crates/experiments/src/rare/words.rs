//! How rarely a breaker opens, in words.

use statistics::{supported_decimals, with_supported_digits};

use super::{Entry, Finding, Start, YEAR};
use crate::numbers::grouped;

/// What durations are measured in, and up to how many of each.
const UNITS: [(&str, f64, f64); 5] = [
    ("second", 1.0, 100.0),
    ("minute", 60.0, 100.0),
    ("hour", 3_600.0, 48.0),
    ("day", 86_400.0, 1_000.0),
    ("year", YEAR, f64::INFINITY),
];

/// A time in the unit that suits it, to three digits: `43.2 days`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    let (unit, length) = unit_of(seconds);
    let number = significant(seconds / length);
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {unit}{plural}")
}

/// What a person wants to know of a design in a mode, as the end of a sentence about it.
#[must_use]
pub fn sentence(entry: &Entry, level: f64) -> String {
    let seconds = entry.mean_seconds();
    let a_day = |mean: f64| percent(-(-86_400.0 / mean).exp_m1());
    match &entry.finding {
        Finding::Never { reason } => format!("no false open: {reason}"),
        Finding::Refused { reason } => format!("not known: {reason}"),
        Finding::Ever { at_most, .. } => {
            format!("opens soon after it has closed, with probability {}, or never (exact)", significant(*at_most))
        }
        Finding::AtLeast { seconds, .. } => format!("one false open in {} or more", duration(*seconds)),
        Finding::Exact { mean_calls, start } => {
            let mean = mean_calls / entry.calls_per_second;
            let from = if *start == Start::Successes { " once its window is full of successes" } else { "" };
            format!("one false open in {}{from} (exact; {} a day)", duration(mean), a_day(mean))
        }
        Finding::Rate { value, interval, .. } => {
            // The products of splitting are skewed: their mean is likely too small, and its interval too short, where it is wide.
            let rough = if interval.half_width() > 0.5 * value { "; rough: more with --effort" } else { "" };
            estimated(seconds, level, |mean| format!("{} a day{rough}", a_day(mean)))
        }
    }
}

fn estimated(seconds: (Option<f64>, Option<f64>, Option<f64>), level: f64, a_day: impl Fn(f64) -> String) -> String {
    let (Some(mean), Some(lo), hi) = seconds else { return "not known".to_owned() };
    let (unit, length) = unit_of(mean);
    let level = percent(level);
    let Some(hi) = hi else {
        let lo = duration(lo);
        return format!("one false open in about {} ({level}: {lo} or more; {})", duration(mean), a_day(mean));
    };
    let half_width = (hi - lo) / 2.0 / length;
    let number = |seconds: f64| with_digits(seconds / length, half_width);
    format!("one false open in {} {unit}s ({level}: {} to {}; {})", number(mean), number(lo), number(hi), a_day(mean))
}

fn unit_of(seconds: f64) -> (&'static str, f64) {
    let fits = |&(_, length, most): &(&str, f64, f64)| seconds / length < most;
    let (unit, length, _) = UNITS.into_iter().find(fits).unwrap_or(UNITS[4]);
    (unit, length)
}

/// A number with the digits that a half-width supports, large ones grouped or in powers of ten.
fn with_digits(number: f64, half_width: f64) -> String {
    if number >= 1e7 {
        return scientific(number);
    }
    match supported_decimals(half_width) {
        Some(decimals) if decimals <= 0 => {
            let rounded = with_supported_digits(number, Some(half_width));
            rounded.parse().map_or(rounded, grouped)
        }
        _ => with_supported_digits(number, Some(half_width)),
    }
}

/// A number with three digits.
fn significant(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e7).contains(&number) {
        return scientific(number);
    }
    let rounded: f64 = format!("{number:.2e}").parse().unwrap_or(number);
    if rounded >= 1_000.0 { grouped(rounded as u64) } else { rounded.to_string() }
}

fn scientific(number: f64) -> String {
    let written = format!("{number:.1e}");
    let (digits, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let exponent: String = exponent.chars().map(superscript).collect();
    format!("{digits} · 10{exponent}")
}

const fn superscript(character: char) -> char {
    match character {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        other => other,
    }
}

fn percent(share: f64) -> String {
    // What the eye takes for certainty should be it.
    if share < 1.0 && share > 0.9995 {
        return "> 99.9 %".to_owned();
    }
    format!("{} %", significant(100.0 * share))
}

#[cfg(test)]
mod tests {
    use statistics::Interval;

    use super::*;

    #[test]
    fn durations_have_units_that_suit_them() {
        for (seconds, words) in [
            (1.0, "1 second"),
            (0.123_45, "0.123 seconds"),
            (99.0, "99 seconds"),
            (100.0, "1.67 minutes"),
            (43.21 * 86_400.0, "43.2 days"),
            (12_345.0 * YEAR, "12,300 years"),
            (3.21e24 * YEAR, "3.2 · 10²⁴ years"),
        ] {
            assert_eq!(duration(seconds), words, "{seconds}");
        }
    }

    fn entry(finding: Finding) -> Entry {
        Entry { design: 0, mode: 0, finding, calls_per_second: 100.0, without_slot: 0.0, failure_probability: 0.1 }
    }

    fn rate(per_day: f64, lo: f64, hi: f64) -> Entry {
        let [value, lo, hi] = [per_day, lo, hi].map(|rate| rate / 86_400.0);
        entry(Finding::Rate { value, interval: Interval { lo, hi }, calls_per_second: 100.0 })
    }

    #[test]
    fn an_estimate_has_the_digits_of_its_half_width() {
        let sentence = |entry: &Entry| sentence(entry, 0.95);
        assert_eq!(
            sentence(&rate(1.0 / 43.2, 1.0 / 48.3, 1.0 / 38.9)),
            "one false open in 43 days (95 %: 39 to 48; 2.29 % a day)"
        );
        assert_eq!(
            sentence(&rate(1.0 / 43.2, -0.01, 1.0 / 20.0)),
            "one false open in about 43.2 days (95 %: 20 days or more; 2.29 % a day; rough: more with --effort)"
        );
        let years = 365.2425 * 1e5;
        assert_eq!(
            sentence(&rate(1.0 / years, 1.0 / (1.2 * years), 1.0 / (0.8 * years))),
            "one false open in 100,000 years (95 %: 80,000 to 120,000; 2.7 · 10⁻⁶ % a day)"
        );
    }

    #[test]
    fn what_is_exact_says_so() {
        let exact = |calls: f64, start| sentence(&entry(Finding::Exact { mean_calls: calls, start }), 0.95);
        assert_eq!(exact(8_640_000.0, Start::New), "one false open in 24 hours (exact; 63.2 % a day)");
        assert_eq!(
            exact(1_000_000.0, Start::Successes),
            "one false open in 2.78 hours once its window is full of successes (exact; > 99.9 % a day)"
        );
        let ever = entry(Finding::Ever { at_least: 0.0021, at_most: 0.0021 });
        assert_eq!(sentence(&ever, 0.95), "opens soon after it has closed, with probability 0.0021, or never (exact)");
    }
}
