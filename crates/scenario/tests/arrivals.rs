//! Arrival processes have the rates and the regularity that they claim.
//!
//! Each statistical check has a false-alarm rate of 1e-6 (4.9 standard errors) under its fixed seed's model and names the
//! smallest deviation that it would catch.

use engine::{Duration, StreamKey, Time};
use scenario::ArrivalProcess;

const HORIZON: Time = Time::from_nanos(1_000_000_000_000); // 1,000 s

fn arrivals(process: ArrivalProcess, seed: u64) -> Vec<Time> {
    process.arrivals(StreamKey::root(seed), HORIZON)
}

fn assert_sorted_before_horizon(arrivals: &[Time]) {
    assert!(arrivals.is_sorted());
    assert!(arrivals.last().is_none_or(|&last| last < HORIZON));
}

#[test]
fn poisson_counts_have_their_mean_and_variance() {
    let arrivals = arrivals(ArrivalProcess::Poisson { rate: 200.0 }, 1);
    assert_sorted_before_horizon(&arrivals);
    // Count: mean 200,000, sd 447; 4.9 sd = 2,191, so a rate that is off by 1.1 % is caught.
    assert!((arrivals.len() as f64 - 200_000.0).abs() < 2_191.0, "{}", arrivals.len());
    // Index of dispersion over 10,000 windows of 0.1 s: mean 1, sd sqrt(2 / 10,000) = 0.0141 (and 1/20 of the mean count is
    // negligible); 4.9 sd = 0.07, so a dispersion that is off by 7 % is caught (evenly spaced arrivals have 0).
    let dispersion = index_of_dispersion(&arrivals, Duration::from_millis(100));
    assert!((dispersion - 1.0).abs() < 0.07, "{dispersion}");
}

#[test]
fn even_arrivals_have_equal_gaps_and_a_keyed_phase() {
    let process = ArrivalProcess::Even { rate: 8.0 };
    let first = arrivals(process, 1);
    assert_sorted_before_horizon(&first);
    assert_eq!(first.len(), 8_000);
    let gap = 125_000_000_i128;
    for (number, at) in (0..).zip(&first) {
        let exact = i128::from(first[0].as_nanos()) + gap * number;
        assert!((i128::from(at.as_nanos()) - exact).abs() <= 1, "no drift at arrival {number}");
    }
    let phases: Vec<f64> = (0..400).map(|seed| arrivals(process, seed)[0].as_secs_f64() / 0.125).collect();
    // Mean of 400 uniform phases: 0.5, sd 0.0144; 4.9 sd = 0.071.
    let mean = phases.iter().sum::<f64>() / 400.0;
    assert!((mean - 0.5).abs() < 0.071, "{mean}");
}

#[test]
fn bursts_start_stationary_and_have_the_mean_rate() {
    let process = ArrivalProcess::Bursty {
        quiet_rate: 20.0,
        burst_rate: 500.0,
        mean_quiet: Duration::from_secs(3),
        mean_burst: Duration::from_secs(1),
    };
    assert_eq!(process.mean_rate(), 140.0);
    // 4,000 independent starts, arrivals in the first 10 ms: in a burst (probability 1/4) 5 are expected, else 0.2; mean 1.4
    // (but for changes of state within 10 ms, which keep it 1.4 exactly, as the start is stationary). Variance =
    // 1.4 + 0.25 * 0.75 * 4.8² = 5.72, standard error 0.0378; 4.9 of them = 0.185. A start that is always quiet (0.2) or
    // even (2.6) is caught.
    let start = Time::from_nanos(10_000_000);
    let counts = (0..4_000).map(|seed| process.arrivals(StreamKey::root(seed), start).len());
    let mean = counts.sum::<usize>() as f64 / 4_000.0;
    assert!((mean - 1.4).abs() < 0.185, "{mean}");
    // 1,000 s hold 250 cycles. The count's variance is that of the time in bursts: rate difference 480/s, asymptotic variance
    // of the time in bursts 2 p² q² (m + n) T with p = 1/4, q = 3/4 and m + n = 4 s gives 2 * 0.0352 * 4 * 1,000 = 281 s², so
    // sd 480 * 16.8 = 8,050 over ten seeds' mean 2,546; 4.9 sd = 12,500, so a mean rate that is off by 9 % is caught.
    let mean = (0..10).map(|seed| arrivals(process, seed).len()).sum::<usize>() as f64 / 10.0;
    assert!((mean - 140_000.0).abs() < 12_500.0, "{mean}");
    let bursty = arrivals(process, 3);
    assert_sorted_before_horizon(&bursty);
    assert!(index_of_dispersion(&bursty, Duration::from_secs(1)) > 20.0, "far from Poisson");
}

#[test]
fn no_rate_no_arrivals() {
    assert!(arrivals(ArrivalProcess::Poisson { rate: 0.0 }, 1).is_empty());
    assert!(arrivals(ArrivalProcess::Even { rate: 0.0 }, 1).is_empty());
}

/// Variance over mean of the counts in windows.
fn index_of_dispersion(arrivals: &[Time], window: Duration) -> f64 {
    let windows = (HORIZON.as_nanos() / window.as_nanos()) as usize;
    let mut counts = vec![0.0; windows];
    for at in arrivals {
        counts[(at.as_nanos() / window.as_nanos()) as usize] += 1.0;
    }
    let mean = counts.iter().sum::<f64>() / windows as f64;
    let squares: f64 = counts.iter().map(|count| (count - mean) * (count - mean)).sum();
    squares / (windows as f64 - 1.0) / mean
}
