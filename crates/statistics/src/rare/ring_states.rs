//! The windows of a ring that hold a failure and do not open yet.

use super::RareError;

/// The most windows that are distinguished: some 160 megabytes.
const LIMIT: u64 = 4_000_000;

/// All windows with at least one failure and fewer than the rule needs, and where a call leads from each: to the number
/// of another, or to one of two ends.
pub(super) struct RingStates {
    /// The windows as bits, ascending; the lowest bit is the latest call, and a set bit is a failure.
    windows: Vec<u128>,
    /// Where a success leads.
    pub(super) after_success: Vec<u32>,
    /// Where a failure leads.
    pub(super) after_failure: Vec<u32>,
}

impl RingStates {
    pub(super) fn new(window: u32, failures: u32) -> Result<Self, RareError> {
        let states = count(window, failures);
        if window > 128 || states > LIMIT as f64 {
            return Err(RareError::TooManyStates { window, states, limit: LIMIT });
        }
        let mut windows: Vec<u128> = Vec::with_capacity(states as usize);
        let mut fewer: Vec<u128> = vec![0];
        for _ in 1..failures {
            // Each window with one failure more has exactly one parent: itself without its oldest failure.
            let one_more = fewer.iter().flat_map(|&bits| {
                let first_free = 128 - bits.leading_zeros();
                (first_free..window).map(move |position| bits | 1 << position)
            });
            fewer = one_more.collect();
            windows.extend_from_slice(&fewer);
        }
        windows.sort_unstable();

        let full = if window == 128 { u128::MAX } else { (1 << window) - 1 };
        let [all_successes, opens] = ends(windows.len());
        let find = |bits: u128| match bits {
            0 => all_successes as u32,
            bits if bits.count_ones() >= failures => opens as u32,
            bits => windows.binary_search(&bits).expect("every window with so few failures is there") as u32,
        };
        let after_success = windows.iter().map(|bits| find((bits << 1) & full)).collect();
        let after_failure = windows.iter().map(|bits| find(((bits << 1) & full) | 1)).collect();
        Ok(Self { windows, after_success, after_failure })
    }

    pub(super) fn len(&self) -> usize {
        self.windows.len()
    }

    /// How many failures each window holds.
    pub(super) fn failures(&self) -> impl Iterator<Item = i32> {
        self.windows.iter().map(|bits| bits.count_ones() as i32)
    }

    /// The numbers that stand for the two ends, next to those of the states: nothing but successes, and an opening.
    pub(super) fn ends(&self) -> [usize; 2] {
        ends(self.len())
    }

    /// The number of the window after the first failure, if that does not open at once.
    pub(super) fn first_failure(&self) -> Option<usize> {
        (!self.windows.is_empty()).then_some(0)
    }
}

fn ends(states: usize) -> [usize; 2] {
    [states, states + 1]
}

/// How many windows there are with fewer failures than `failures`, that without any included.
pub(super) fn count(window: u32, failures: u32) -> f64 {
    let mut ways = 1.0;
    let mut total = 0.0;
    for chosen in 0..failures {
        total += ways;
        ways *= f64::from(window - chosen) / f64::from(chosen + 1);
    }
    total
}
