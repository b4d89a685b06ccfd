//! Exact decimal numbers, so that the values of an axis are the ones that a person would write down.

use std::fmt;

/// The number `digits` · 10^−`scale`, exactly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decimal {
    digits: i128,
    scale: u32,
}

/// Decimals after the point that a number may have.
pub(super) const MAX_SCALE: u32 = 18;

/// Digits before the point that a number may have.
const MAX_WHOLE_DIGITS: u32 = 19;

/// The decimals that are left when a division does not end.
const QUOTIENT_SCALE: u32 = 15;

impl Decimal {
    pub(super) const fn whole(value: i128) -> Self {
        Self { digits: value, scale: 0 }
    }

    /// Reads `12`, `-0.05`, `1_000` or `2.5e-3`; `None` for anything else and for numbers of more than 19 digits before or
    /// 18 after the point.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (negative, unsigned) = match mantissa.as_bytes().first()? {
            b'-' => (true, &mantissa[1..]),
            b'+' => (false, &mantissa[1..]),
            _ => (false, mantissa),
        };
        let (before, after) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let mut digits: i128 = 0;
        let mut seen = false;
        for byte in before.bytes().chain(after.bytes()) {
            match byte {
                b'0'..=b'9' => digits = digits.checked_mul(10)?.checked_add(i128::from(byte - b'0'))?,
                b'_' if seen => continue,
                _ => return None,
            }
            seen = true;
        }
        let decimals = i64::try_from(after.bytes().filter(u8::is_ascii_digit).count()).ok()?;
        if !seen {
            return None;
        }
        let mut scale = decimals.checked_sub(exponent)?;
        while scale > 0 && digits % 10 == 0 {
            if digits == 0 {
                scale = 0;
            } else {
                digits /= 10;
                scale -= 1;
            }
        }
        if scale < 0 {
            let zeros = if digits == 0 { 0 } else { u32::try_from(-scale).ok()? };
            digits = digits.checked_mul(10_i128.checked_pow(zeros)?)?;
            scale = 0;
        }
        let scale = u32::try_from(scale).ok().filter(|&scale| scale <= MAX_SCALE)?;
        let limit = 10_i128.checked_pow(MAX_WHOLE_DIGITS + scale)?;
        (digits < limit).then_some(Self { digits: if negative { -digits } else { digits }, scale })
    }

    /// The nearest `f64`: the one that a literal of the same digits has.
    pub(super) fn to_f64(self) -> f64 {
        format!("{}e-{}", self.digits, self.scale).parse().expect("digits and an exponent are a number")
    }

    /// The whole number that this is, if it is one.
    pub(super) fn to_whole(self) -> Option<i128> {
        let unit = 10_i128.pow(self.scale);
        (self.digits % unit == 0).then(|| self.digits / unit)
    }

    /// The nearest whole number, halves away from zero.
    pub(super) fn rounded(self) -> Self {
        Self::whole(divide_to_nearest(self.digits, 10_i128.pow(self.scale)))
    }

    pub(super) fn is_positive(self) -> bool {
        self.digits > 0
    }

    /// Both numbers' digits at one scale.
    fn aligned(self, other: Self) -> Option<(i128, i128, u32)> {
        let scale = self.scale.max(other.scale);
        let digits = |number: Self| number.digits.checked_mul(10_i128.checked_pow(scale - number.scale)?);
        Some((digits(self)?, digits(other)?, scale))
    }

    /// The order of the two numbers.
    pub(super) fn compare(self, other: Self) -> std::cmp::Ordering {
        match self.aligned(other) {
            Some((a, b, _)) => a.cmp(&b),
            None => self.to_f64().total_cmp(&other.to_f64()),
        }
    }

    /// How many whole `step`s (positive) lie between `self` and `to` (not below `self`), and whether they end at `to`.
    pub(super) fn steps(self, to: Self, step: Self) -> Option<(i128, bool)> {
        let (from, to, scale) = self.aligned(to)?;
        let (span, step, _) = Self { digits: to - from, scale }.aligned(step)?;
        Some((span / step, span % step == 0))
    }

    /// `self` + `count` · `step`, exactly.
    pub(super) fn plus(self, count: i128, step: Self) -> Option<Self> {
        let (digits, step, scale) = self.aligned(step)?;
        Some(Self { digits: digits.checked_add(step.checked_mul(count)?)?, scale })
    }

    /// The point `part`/`whole` of the way from `self` to `to`; rounded to 15 decimals where it does not end before.
    pub(super) fn between(self, to: Self, part: i128, whole: i128) -> Option<Self> {
        let (from, to, scale) = self.aligned(to)?;
        let weighted = from.checked_mul(whole - part)?.checked_add(to.checked_mul(part)?)?;
        if weighted % whole == 0 {
            return Some(Self { digits: weighted / whole, scale });
        }
        let finer = QUOTIENT_SCALE.max(scale);
        let digits = weighted.checked_mul(10_i128.checked_pow(finer - scale)?)?;
        Some(Self { digits: divide_to_nearest(digits, whole), scale: finer })
    }
}

/// `dividend` ÷ `divisor` (positive) to the nearest whole number, halves away from zero.
fn divide_to_nearest(dividend: i128, divisor: i128) -> i128 {
    let (quotient, rest) = (dividend / divisor, dividend % divisor);
    if rest.abs() >= divisor - rest.abs() { quotient + dividend.signum() } else { quotient }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = 10_i128.pow(self.scale).unsigned_abs();
        let (whole, part) = (self.digits.unsigned_abs() / unit, self.digits.unsigned_abs() % unit);
        let sign = if self.digits < 0 { "-" } else { "" };
        if part == 0 {
            return write!(f, "{sign}{whole}");
        }
        let decimals = format!("{part:0width$}", width = self.scale as usize);
        write!(f, "{sign}{whole}.{}", decimals.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap_or_else(|| panic!("{text} is a number"))
    }

    #[test]
    fn reads_what_toml_writes() {
        for (text, shown) in [
            ("12", "12"),
            ("+0.050", "0.05"),
            ("-1_000.5", "-1000.5"),
            ("2.5e-3", "0.0025"),
            ("97.22", "97.22"),
            ("1e3", "1000"),
            ("0e900", "0"),
            ("0.000", "0"),
        ] {
            assert_eq!(decimal(text).to_string(), shown);
        }
        for text in ["", "-", ".", "_1", "inf", "nan", "1.2.3", "1e", "1e99", "1e-19", "99999999999999999999", "0x10"] {
            assert!(Decimal::parse(text).is_none(), "{text} is no number of ours");
        }
    }

    #[test]
    fn the_nearest_float_is_the_literals() {
        for (text, float) in [("0.15", 0.15), ("0.1", 0.1), ("97.22", 97.22), ("-0.7", -0.7), ("1e-18", 1e-18)] {
            assert_eq!(decimal(text).to_f64().to_bits(), f64::to_bits(float));
        }
    }

    #[test]
    fn sums_do_not_accumulate_an_error() {
        let (from, step) = (decimal("0.05"), decimal("0.05"));
        assert_eq!(from.plus(2, step).unwrap().to_f64().to_bits(), 0.15_f64.to_bits());
        assert_ne!((0.05_f64 + 0.05 + 0.05).to_bits(), 0.15_f64.to_bits(), "what floats would have given");
        assert_eq!(from.steps(decimal("0.95"), step).unwrap(), (18, true));
        assert_eq!(from.steps(decimal("0.97"), step).unwrap(), (18, false));
    }

    #[test]
    fn points_between_are_exact_or_rounded_once() {
        assert_eq!(decimal("0.1").between(decimal("0.9"), 1, 4).unwrap().to_string(), "0.3");
        assert_eq!(decimal("0").between(decimal("1"), 1, 3).unwrap().to_string(), "0.333333333333333");
        assert_eq!(decimal("0").between(decimal("2"), 1, 3).unwrap().to_string(), "0.666666666666667");
        assert_eq!(decimal("0").between(decimal("1"), 3, 3).unwrap().to_string(), "1");
    }

    #[test]
    fn rounding_takes_halves_away_from_zero() {
        for (text, whole) in [("2.5", 3), ("-2.5", -3), ("2.49", 2), ("7", 7), ("-0.4", 0)] {
            assert_eq!(decimal(text).rounded().to_whole(), Some(whole));
        }
        assert_eq!(decimal("2.5").to_whole(), None);
    }
}
