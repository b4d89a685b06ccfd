//! How near a number of failures is to opening a breaker: see [`Rule::closeness`](crate::Rule::closeness).

/// The failures in proportion to those that would open if it were judged now: a `share` of the results that there are, but
/// of `minimum` where these are fewer.
pub(crate) fn of_share(failures: u32, results: u32, minimum: u32, share: f64) -> f64 {
    of_count(failures, share * f64::from(results.max(minimum)))
}

/// The failures in proportion to those that open.
pub(crate) fn of_count(failures: u32, enough: f64) -> f64 {
    f64::from(failures) / enough.max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_with_failures_and_falls_with_successes() {
        assert_eq!(of_share(0, 50, 20, 0.5), 0.0);
        assert_eq!(of_share(5, 5, 20, 0.5), 0.5);
        assert_eq!(of_share(5, 40, 20, 0.5), 0.25);
        assert_eq!(of_share(20, 40, 20, 0.5), 1.0);
        // Where the first failure is enough, and even where none would be needed.
        assert_eq!((of_share(1, 2, 0, 0.1), of_count(1, 0.0)), (1.0, 1.0));
    }
}
