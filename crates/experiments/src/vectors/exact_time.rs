//! Milliseconds as a recording writes them, to the nanosecond.

/// Nanoseconds in a number of milliseconds, exactly; `None` if the number is negative, finer than a nanosecond or too large.
///
/// `text` is a JSON number. It is read digit by digit, as no binary fraction holds 1050.000001.
pub(super) fn nanos_in_millis(text: &str) -> Option<u64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits: u64 = 0;
    for byte in whole.bytes().chain(fraction.trim_end_matches('0').bytes()) {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        digits = digits.checked_mul(10)?.checked_add(digit)?;
    }
    if digits == 0 {
        return Some(0);
    }
    // Six decimals lie between a millisecond and a nanosecond.
    let decimals = i32::try_from(fraction.trim_end_matches('0').len()).ok()?;
    let power = exponent.checked_add(6)?.checked_sub(decimals)?;
    let factor = 10_u64.checked_pow(power.unsigned_abs())?;
    if power >= 0 { digits.checked_mul(factor) } else { digits.is_multiple_of(factor).then_some(digits / factor) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_nanosecond_is_told_apart() {
        for (text, nanos) in [
            ("0", 0),
            ("0.0", 0),
            ("17", 17_000_000),
            ("1050.000001", 1_050_000_001),
            ("1050.0000010", 1_050_000_001),
            ("2154.5", 2_154_500_000),
            ("1e-6", 1),
            ("1.5E2", 150_000_000),
            ("10e-1", 1_000_000),
            ("9007199254.740993", 9_007_199_254_740_993),
            ("18446744073709.551615", u64::MAX),
        ] {
            assert_eq!(nanos_in_millis(text), Some(nanos), "{text}");
        }
    }

    #[test]
    fn other_numbers_are_refused() {
        for text in ["-1", "0.0000001", "1e-7", "18446744073709.551616", "1e99", "1e", "x", "null"] {
            assert_eq!(nanos_in_millis(text), None, "{text}");
        }
    }
}
