//! Comparing two independent results.

/// The difference of two independent estimates in joint standard errors: (first − second) / √(se₁² + se₂²).
///
/// Takes each estimate's value and its standard error (s / √n for a mean). For equal truths and large samples the
/// result is standard normal: beyond ±4.5 lies 7 in a million. Without any spread on either side it is 0 for equal
/// values and infinite for different ones.
#[must_use]
pub fn standardised_difference(first: f64, first_error: f64, second: f64, second_error: f64) -> f64 {
    let difference = first - second;
    if difference == 0.0 { 0.0 } else { difference / first_error.hypot(second_error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_add_in_quadrature() {
        assert_eq!(standardised_difference(12.0, 3.0, 2.0, 4.0), 2.0);
        assert_eq!(standardised_difference(2.0, 4.0, 12.0, 3.0), -2.0);
    }

    #[test]
    fn values_without_spread_agree_only_when_equal() {
        assert_eq!(standardised_difference(7.0, 0.0, 7.0, 0.0), 0.0);
        assert_eq!(standardised_difference(7.0, 0.0, 7.5, 0.0), f64::NEG_INFINITY);
    }
}
