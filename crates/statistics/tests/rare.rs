//! First passages of rules on independent calls: against linear equations over all windows, closed forms and simulation.

#[path = "support/macro_replications.rs"]
mod macro_replications;
#[path = "support/reference.rs"]
mod reference;

use macro_replications::{agrees, covered};
use reference::{assert_close, rows};
use statistics::{CumulativeRule, RareError, RingRule, mean_calls_to_run};

/// The solution of a small system of linear equations, by elimination with pivots.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs())).unwrap();
        rows.swap(column, pivot);
        let pivot_row = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(index, _)| *index != column) {
            let factor = row[column] / pivot_row[column];
            row.iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    (0..n).map(|row| rows[row][n] / rows[row][row]).collect()
}

/// The mean number of calls to the first opening from every window, by the equations of the chain on all 2^w windows.
fn mean_from_every_window(rule: RingRule, p: f64) -> Vec<f64> {
    let windows = 1usize << rule.window;
    let rows = (0..windows).map(|bits| {
        let mut row = vec![0.0; windows + 1];
        row[bits] += 1.0;
        row[windows] = 1.0;
        for (to, probability) in [((bits << 1) % windows, 1.0 - p), (((bits << 1) % windows) | 1, p)] {
            if to.count_ones() < rule.failures {
                row[to] -= probability;
            }
        }
        row
    });
    solve(rows.collect())
}

#[test]
fn small_windows_satisfy_the_equations_of_the_chain() {
    for window in 1..=7 {
        for failures in 1..=window {
            for p in [0.05, 0.3, 0.7] {
                let rule = RingRule { window, failures };
                let passage = rule.first_passage(p).unwrap();
                let means = mean_from_every_window(rule, p);
                // Elimination loses digits where the mean is large: as many as the mean has.
                let tolerance = 1e-11 * means[0].max(10.0);
                assert_close(passage.mean_calls, means[0], tolerance.min(1e-4), (window, failures, p));

                let of_start = |bits: usize| {
                    let count = bits.count_ones();
                    let probability = p.powi(count as i32) * (1.0 - p).powi((window - count) as i32);
                    probability * if count < failures { means[bits] } else { 0.0 }
                };
                let from_empty = f64::from(window) + (0..1 << window).map(of_start).sum::<f64>();
                assert_close(passage.mean_calls_from_empty, from_empty, tolerance.min(1e-4), (window, failures, p));
            }
        }
    }
}

#[test]
fn a_full_window_of_failures_is_a_run() {
    for failures in [1, 2, 5, 12] {
        for p in [0.025, 0.125, 0.5] {
            let rule = RingRule { window: failures, failures };
            let passage = rule.first_passage(p).unwrap();
            assert_close(passage.mean_calls, mean_calls_to_run(failures, p).unwrap(), 1e-10, (failures, p));
        }
    }
    // Feller's example: a run of two with a fair coin takes six throws.
    assert_close(mean_calls_to_run(2, 0.5).unwrap(), 6.0, 1e-14, "six");
    assert_close(mean_calls_to_run(1, 0.125).unwrap(), 8.0, 1e-14, "eight");
}

#[test]
fn any_failure_of_a_window_is_the_first_failure() {
    let passage = RingRule { window: 100, failures: 1 }.first_passage(0.01).unwrap();
    assert_close(passage.mean_calls, 100.0, 1e-14, "geometric");
    assert_eq!(passage.excursion_opens, 1.0);
    // 100 calls, and then, if there was none among them, another geometric wait.
    assert_close(passage.mean_calls_from_empty, 100.0 + 0.99f64.powi(100) * 100.0, 1e-13, "from empty");
}

/// Two failures among the latest w calls: the second must come within w − 1 calls of the first, else the excursion ends
/// with the next success, or begins anew with the failure that comes just as the first one leaves.
#[test]
fn two_of_many_has_a_closed_form() {
    for (window, p) in [(2, 0.2), (50, 1e-3), (128, 1e-6)] {
        let ln_success = f64::ln_1p(-p);
        let all_succeed = |calls: i32| (f64::from(calls) * ln_success).exp();
        let fails = |calls: i32| -(f64::from(calls) * ln_success).exp_m1();
        let anew = p * all_succeed(window - 1);
        let opens = fails(window - 1) / (1.0 - anew);
        let calls = fails(window) / p / (1.0 - anew);
        let passage = RingRule { window: window as u32, failures: 2 }.first_passage(p).unwrap();
        assert_close(passage.excursion_opens, opens, 1e-11, (window, p));
        assert_close(passage.mean_calls, (1.0 / p + calls) / opens, 1e-11, (window, p));
    }
}

/// The probability of opening within n calls against simulation: 10,000 runs, band at 1 − 10⁻⁶, plus what the exponential
/// law is off by.
#[test]
fn passages_are_nearly_exponential() {
    let (rule, p) = (RingRule { window: 10, failures: 4 }, 0.06);
    let passage = rule.first_passage(p).unwrap();
    for calls in [300u32, 1_000] {
        let opened = covered(10_000, u64::from(calls), |sampler| {
            let mut bits = 0u32;
            (0..calls).any(|_| {
                bits = ((bits << 1) | u32::from(sampler.uniform() < p)) % 1024;
                bits.count_ones() >= rule.failures
            })
        });
        let expected = passage.probability_within(f64::from(calls));
        let off = passage.excursion_opens;
        assert!(agrees(opened, 10_000, expected - off..=expected + off), "{opened} of 10,000, not {expected} ± {off}");
    }
    assert!(passage.excursion_opens < 0.03, "{passage:?}");
}

#[test]
fn once_in_many_lifetimes_keeps_its_digits() {
    // Eight of twenty at one in a thousand: far beyond what elimination or simulation could see.
    let passage = RingRule { window: 20, failures: 8 }.first_passage(1e-3).unwrap();
    assert!(passage.excursion_opens > 0.0 && passage.excursion_opens < 1e-15, "{passage:?}");
    // To leading order, the mean is 1 / (p^k × the number of ways to place the earlier k − 1 in w − 1 calls).
    let ways: f64 = (0..7).map(|i| f64::from(19 - i) / f64::from(i + 1)).product();
    assert_close(passage.mean_calls, 1e24 / ways, 0.05, "leading order");
    let a_day = passage.probability_within(1e6 * 86_400.0);
    assert_close(a_day, 1e6 * 86_400.0 / passage.mean_calls, 1e-6, "a small probability is a rate times a time");
}

#[test]
fn what_cannot_be_is_refused() {
    let passage = |window, failures, p| RingRule { window, failures }.first_passage(p);
    assert_eq!(RingRule { window: 20, failures: 10 }.states(), 431_910.0);
    assert!(matches!(passage(0, 1, 0.1), Err(RareError::NoRule { .. })));
    assert!(matches!(passage(5, 0, 0.1), Err(RareError::NoRule { .. })));
    assert!(matches!(passage(5, 6, 0.1), Err(RareError::NoRule { .. })));
    for p in [0.0, 1.0, -0.1, f64::NAN] {
        assert!(matches!(passage(5, 3, p), Err(RareError::NotAProbability { .. })));
        assert!(mean_calls_to_run(3, p).is_err());
    }
    let message = passage(100, 50, 0.1).unwrap_err().to_string();
    assert!(message.starts_with("a window of 100 calls has ") && message.contains("at most 4000000"), "{message}");
    assert!(matches!(passage(200, 2, 0.1), Err(RareError::TooManyStates { .. })), "more than 128 calls");
    assert!(mean_calls_to_run(0, 0.1).is_err());
}

/// 431,910 windows. The rate of openings is at most that at which the window comes to ten failures in the long run,
/// C(19, 9) p¹⁰ q¹¹ per call, and less by the few that come in clumps.
#[test]
fn ten_of_twenty_at_a_healthy_rate() {
    let p: f64 = 0.025;
    let passage = RingRule { window: 20, failures: 10 }.first_passage(p).unwrap();
    let rate = 92_378.0 * p.powi(10) * (1.0 - p).powi(11);
    let clump = passage.mean_calls * rate;
    assert!((1.0..1.1).contains(&clump), "{passage:?} {clump}");
    let a_day = passage.probability_within(97.22 * 86_400.0);
    assert!((5e-5..6e-5).contains(&a_day), "{a_day}");
}

#[test]
fn larger_windows_agree_with_numpy() {
    let rows = rows::<6>(include_str!("data/ring.csv"));
    assert_eq!(rows.len(), 15);
    for row in rows {
        let [window, failures, p, mean_calls, from_empty, excursion_opens] = row;
        let passage = RingRule { window: window as u32, failures: failures as u32 }.first_passage(p).unwrap();
        assert_close(passage.mean_calls, mean_calls, 1e-10, row);
        assert_close(passage.mean_calls_from_empty, from_empty, 1e-10, row);
        assert_close(passage.excursion_opens, excursion_opens, 1e-10, row);
    }
}

/// One failure is enough at half of at least one call: it opens within n calls with the probability that some prefix has as
/// many failures as successes, which is found by hand for four calls.
#[test]
fn a_cumulative_rule_by_hand() {
    let rule = CumulativeRule { minimum: 1, threshold: 0.5, at_failures: false };
    let p: f64 = 0.2;
    let q = 1.0 - p;
    // Openings: F; SF; SSFF.
    let by_hand = [p, p + q * p, p + q * p, p + q * p + q * q * p * p];
    for (calls, expected) in (1..).zip(by_hand) {
        assert_close(rule.probability_within(calls, p).unwrap(), expected, 1e-14, calls);
    }
    // Gambler's ruin: a walk with steps +1 (p) and −1 (q) ever rises from −1 to 0 with p/q; the first call is p or q.
    let ever = rule.ever_opens(p, 100_000).unwrap();
    assert_close(ever.at_least, p + q * (p / q), 1e-11, "ruin");
    assert!(ever.at_least <= 2.0 * p * (1.0 + 1e-13) && 2.0 * p <= ever.at_most * (1.0 + 1e-13), "{ever:?}");
    let early = rule.ever_opens(p, 10).unwrap();
    assert!(early.calls == 10 && early.at_least < 0.4 && early.at_most > 0.4, "{early:?}");
}

/// A threshold of one third and a minimum of 20, against 10,000 runs of 2,000 calls.
#[test]
fn a_cumulative_rule_by_simulation() {
    let (rule, p) = (CumulativeRule { minimum: 20, threshold: 1.0 / 3.0, at_failures: false }, 0.2);
    let exact = rule.probability_within(300, p).unwrap();
    let opened = covered(10_000, 1, |sampler| {
        let mut failures = 0;
        (1..=300).any(|calls| {
            failures += u32::from(sampler.uniform() < p);
            calls >= 20 && f64::from(failures) / f64::from(calls) >= 1.0 / 3.0
        })
    });
    assert!(agrees(opened, 10_000, exact..=exact), "{opened}, not {exact}");
    let ever = rule.ever_opens(p, 100_000).unwrap();
    assert!(exact < ever.at_least && ever.at_least < exact + 0.01, "{ever:?} {exact}");
}

#[test]
fn a_cumulative_rule_below_the_mean_opens_surely() {
    let rule = CumulativeRule { minimum: 5, threshold: 0.1, at_failures: false };
    let ever = rule.ever_opens(0.2, 10).unwrap();
    assert_eq!((ever.at_least, ever.at_most), (1.0, 1.0));
    for (minimum, threshold, p) in [(0, 0.5, 0.1), (5, 1.0, 0.1), (5, 0.5, 0.0)] {
        assert!(CumulativeRule { minimum, threshold, at_failures: false }.ever_opens(p, 10).is_err());
        assert!(CumulativeRule { minimum, threshold, at_failures: false }.probability_within(10, p).is_err());
    }
}

/// One of at least two calls, asked at failures only: SS… goes on; F or SF do not decide at once: F at 1 call, then any
/// failure; by hand for three calls.
#[test]
fn a_rule_that_decides_at_failures_waits_for_one() {
    let rule = CumulativeRule { minimum: 2, threshold: 0.5, at_failures: true };
    let p: f64 = 0.2;
    let q = 1.0 - p;
    // FF and SF open at the second call, FSF at the third; FS has reached the share and waits.
    let by_hand = [0.0, p * p + q * p, p * p + q * p + p * q * p];
    for (calls, expected) in (1..).zip(by_hand) {
        assert_close(rule.probability_within(calls, p).unwrap(), expected, 1e-14, calls);
    }
    let always = CumulativeRule { at_failures: false, ..rule };
    assert_close(always.probability_within(2, p).unwrap(), 1.0 - q * q, 1e-14, "FS opens, too");
    let (waits, at_once) = (rule.ever_opens(p, 100_000).unwrap(), always.ever_opens(p, 100_000).unwrap());
    assert!(waits.at_least < at_once.at_least && waits.at_most - waits.at_least < 1e-11, "{waits:?} {at_once:?}");
}

#[test]
fn the_lower_bound_of_the_mean_is_one() {
    for window in [1, 2, 5, 12] {
        for failures in 1..=window {
            for p in [1e-6, 0.025, 0.125, 0.4] {
                let rule = RingRule { window, failures };
                let Some(bound) = rule.mean_calls_at_least(p).unwrap() else {
                    assert!(f64::from(failures - 1) < f64::from(window - 1) * p);
                    continue;
                };
                let exact = rule.first_passage(p).unwrap().mean_calls;
                assert!(bound <= exact, "{rule:?} {p} {bound} {exact}");
                // It loses the factor of Boole's inequality and, where openings come in clumps, their size.
                assert!(exact < 3.0 * bound || exact < 300.0 || p > 0.1, "{rule:?} {p} {bound} {exact}");
            }
        }
    }
    // Fifty of a hundred, of which there are far too many windows.
    let bound = RingRule { window: 100, failures: 50 }.mean_calls_at_least(0.025).unwrap().unwrap();
    assert!((1e50..1e54).contains(&bound), "{bound:e}");
    assert_eq!(RingRule { window: 100, failures: 5 }.mean_calls_at_least(0.2), Ok(None));
    assert!(RingRule { window: 3, failures: 4 }.mean_calls_at_least(0.2).is_err());
}
