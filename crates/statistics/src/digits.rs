//! How many digits of an estimate mean something.

/// The decimals that a half-width supports: as many as show its first digit, and one more where that is a 1 or a 2, of
/// which the next digit is still a large part. Negative where not even the ones mean anything; `None` for a half-width of
/// zero or one that is not finite.
///
/// Digits beyond are noise, and two tables that differ in them do not differ (Wieland & Nelson, *Winter Simulation
/// Conference 2009*).
#[must_use]
pub fn supported_decimals(half_width: f64) -> Option<i32> {
    if !(half_width > 0.0 && half_width.is_finite()) {
        return None;
    }
    // Written out, the number is rounded as it will be shown: 0.0996 begins with a 1, one place further up.
    let written = format!("{half_width:.0e}");
    let (first, exponent) = written.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    Some(if matches!(first, "1" | "2") { 1 - exponent } else { -exponent })
}

/// The value with the digits that the half-width supports, without exponent; with a half-width of `None` or zero, as short
/// as the value itself can be written.
#[must_use]
pub fn with_supported_digits(value: f64, half_width: Option<f64>) -> String {
    let shown = match half_width.and_then(supported_decimals) {
        None => return value.to_string(),
        Some(decimals @ 0..) => format!("{value:.0$}", decimals.min(300) as usize),
        Some(decimals) => {
            let unit = 10f64.powi(-decimals);
            format!("{:.0}", (value / unit).round() * unit)
        }
    };
    // What is rounded to zero has no sign.
    if shown.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) { shown } else { shown.replace('-', "") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_digit_of_the_half_width_is_the_last_one_shown() {
        for (value, half_width, shown) in [
            (12.345_678, 0.04, "12.35"),
            (12.345_678, 0.4, "12.3"),
            (12.345_678, 4.0, "12"),
            (1234.567, 40.0, "1230"),
            (1234.567, 0.14, "1234.57"),
            (1234.567, 140.0, "1230"),
            (0.000_123_456, 0.000_004, "0.000123"),
            (-0.04, 0.3, "0.0"),
            (-0.34, 0.3, "-0.3"),
            (-4.0, 30.0, "0"),
        ] {
            assert_eq!(with_supported_digits(value, Some(half_width)), shown, "{value} ± {half_width}");
        }
    }

    #[test]
    fn a_half_width_is_rounded_before_its_first_digit_is_read() {
        assert_eq!(supported_decimals(0.0996), Some(2));
        assert_eq!(supported_decimals(0.0946), Some(2));
        assert_eq!(supported_decimals(0.0249), Some(3));
        assert_eq!(supported_decimals(0.026), Some(2));
    }

    #[test]
    fn without_a_half_width_the_value_is_written_as_it_is() {
        for half_width in [None, Some(0.0), Some(f64::NAN), Some(f64::INFINITY)] {
            assert_eq!(with_supported_digits(0.1, half_width), "0.1");
        }
    }
}
