//! Estimates as cells of a table, with the digits that their intervals support.

use statistics::with_supported_digits;

use crate::estimates::Estimate;
use crate::numbers::grouped_decimal;

/// A mean with the half-width of its interval; an unseen count as its bound.
pub(super) fn mean(estimate: Estimate) -> String {
    let Some(value) = estimate.value else { return "–".to_owned() };
    match (estimate.method, estimate.lo.zip(estimate.hi)) {
        ("exact", _) => "0".to_owned(),
        ("zero_events" | "bonferroni_zero_events", Some((_, hi))) => format!("0 (< {})", number(hi, hi)),
        ("zero_events", None) => "none seen".to_owned(),
        (_, Some((lo, hi))) => with_half_width(value, (hi - lo) / 2.0),
        (_, None) => without_half_width(value),
    }
}

/// A difference of means with the half-width of its interval and its sign.
pub(super) fn difference(estimate: Estimate) -> String {
    let Some(value) = estimate.value else { return "–".to_owned() };
    match (estimate.method, estimate.lo.zip(estimate.hi)) {
        ("exact", _) => "0".to_owned(),
        ("zero_events", _) => "none seen".to_owned(),
        (_, Some((lo, hi))) => signed(&with_half_width(value, (hi - lo) / 2.0)),
        (_, None) => signed(&without_half_width(value)),
    }
}

/// The share of runs in which the fault was detected, with its interval; and that of runs in which there was nothing to
/// detect, since the breaker was open when the fault began.
pub(super) fn detected(detected: Estimate, already_open: Estimate) -> String {
    match already_open.value {
        Some(1.0) => "already open".to_owned(),
        Some(open) if open > 0.0 => format!("{}\nalready open {:.0} %", percent(detected), open * 100.0),
        _ => percent(detected),
    }
}

/// A probability with its interval, in percent.
fn percent(estimate: Estimate) -> String {
    let Some(value) = estimate.value else { return "–".to_owned() };
    let Some((lo, hi)) = estimate.lo.zip(estimate.hi) else { return format!("{:.0} %", value * 100.0) };
    let shown = |share: f64| {
        // Never and always need no digits to say so.
        if share == 0.0 || share == 1.0 { (share * 100.0).to_string() } else { number(share * 100.0, (hi - lo) * 50.0) }
    };
    format!("{} % [{}, {}]", shown(value), shown(lo), shown(hi))
}

/// A number with the digits that a half-width supports.
pub(super) fn number(value: f64, half_width: f64) -> String {
    if half_width > 0.0 {
        return grouped_decimal(&with_supported_digits(value, Some(half_width)));
    }
    // The same in every run.
    let written = format!("{value:.3}");
    grouped_decimal(written.trim_end_matches('0').trim_end_matches('.'))
}

fn with_half_width(value: f64, half_width: f64) -> String {
    format!("{} ± {}", number(value, half_width), number(half_width, half_width))
}

/// A single run has no spread.
fn without_half_width(value: f64) -> String {
    format!("{} ± ?", grouped_decimal(&format!("{value:.1}")))
}

/// With a sign before what is not zero.
fn signed(written: &str) -> String {
    let value = written.split(' ').next().unwrap_or_default();
    match written.strip_prefix('-') {
        Some(size) => format!("−{size}"),
        None if value.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) => format!("+{written}"),
        None => written.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::MEAN;

    fn estimate(value: f64, half_width: f64, method: &'static str) -> Estimate {
        let (lo, hi) = (Some(value - half_width), Some(value + half_width));
        Estimate { metric: "rejected", estimator: MEAN, n: 20, value: Some(value), lo, hi, method }
    }

    #[test]
    fn digits_that_mean_nothing_are_not_printed() {
        assert_eq!(mean(estimate(217_334.4, 16_250.0, "t")), "217,000 ± 16,000");
        assert_eq!(mean(estimate(491.93, 9.14, "t")), "492 ± 9");
        assert_eq!(mean(estimate(0.031, 0.0123, "t")), "0.031 ± 0.012");
        assert_eq!(mean(estimate(22.0, 0.0, "t")), "22 ± 0");
        assert_eq!(mean(estimate(1234.5, 0.0, "sup_t")), "1,234.5 ± 0");
    }

    #[test]
    fn nothing_seen_is_no_zero() {
        let bound = Estimate { lo: Some(0.0), hi: Some(1.75), ..estimate(0.0, 0.0, "zero_events") };
        assert_eq!(mean(bound), "0 (< 1.8)");
        assert_eq!(mean(Estimate { hi: Some(3.1), method: "bonferroni_zero_events", ..bound }), "0 (< 3)");
        assert_eq!(mean(Estimate { hi: None, ..bound }), "none seen");
        assert_eq!(mean(estimate(0.0, 0.0, "exact")), "0");
        assert_eq!(mean(Estimate { lo: None, hi: None, n: 1, ..estimate(3.0, 0.0, "t") }), "3.0 ± ?");
        assert_eq!(mean(Estimate { lo: None, hi: None, n: 1, ..estimate(10_100.0, 0.0, "t") }), "10,100.0 ± ?");
        assert_eq!(mean(Estimate { value: None, n: 0, ..estimate(3.0, 0.0, "t") }), "–");
    }

    #[test]
    fn differences_have_a_sign() {
        assert_eq!(difference(estimate(-1491.93, 9.14, "paired_t")), "−1,492 ± 9");
        assert_eq!(difference(estimate(0.31, 0.04, "paired_sup_t")), "+0.31 ± 0.04");
        assert_eq!(difference(estimate(0.01, 0.4, "paired_t")), "0.0 ± 0.4");
        assert_eq!(difference(estimate(0.0, 0.0, "exact")), "0");
        assert_eq!(difference(Estimate { lo: None, hi: None, ..estimate(0.0, 0.0, "zero_events") }), "none seen");
        assert_eq!(difference(Estimate { lo: None, hi: None, n: 1, ..estimate(3.0, 0.0, "paired_t") }), "+3.0 ± ?");
    }

    #[test]
    fn an_open_breaker_has_nothing_to_detect() {
        let share =
            |value: f64, lo, hi| Estimate { lo: Some(lo), hi: Some(hi), ..estimate(value, 0.0, "clopper_pearson") };
        let never = share(0.0, 0.0, 0.168);
        assert_eq!(detected(never, never), "0 % [0, 17]");
        assert_eq!(detected(never, share(1.0, 0.832, 1.0)), "already open");
        assert_eq!(detected(share(0.25, 0.086, 0.491), share(0.75, 0.5, 0.9)), "25 % [9, 49]\nalready open 75 %");
        assert_eq!(detected(share(0.9843, 0.975, 0.991), never), "98.4 % [97.5, 99.1]");
    }
}
