//! Numbers as tick labels: short, with thousands separators, and as powers of ten where they are very large or small.

/// A multiple of `step` with no more decimals than the step has.
pub(super) fn decimal(value: f64, step: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let exponent = step.log10().floor() as i32;
    if exponent < -5 || value.abs() >= 1e7 {
        // Digits down to the step's, of which the first stands before the point.
        let digits = (value.abs().log10().floor() as i32 - exponent).clamp(0, 15) as usize;
        return scientific(value, digits);
    }
    // A step rounded up to a power of ten may lie a little below it.
    let decimals = (-(step * 1.000_001).log10().floor()).max(0.0) as usize;
    with_separators(&format!("{value:.decimals$}"))
}

/// `digit` · 10^`exponent`.
pub(super) fn power_of_ten(digit: u32, exponent: i32) -> String {
    match exponent {
        0..=5 => with_separators(&format!("{digit}{}", "0".repeat(exponent as usize))),
        -4..=-1 => format!("0.{}{digit}", "0".repeat((-exponent - 1) as usize)),
        _ if digit == 1 => format!("10{}", superscript(exponent)),
        _ => format!("{digit}·10{}", superscript(exponent)),
    }
}

fn scientific(value: f64, digits: usize) -> String {
    let written = format!("{value:.digits$e}");
    let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    format!("{mantissa}·10{}", superscript(exponent.parse().unwrap_or(0)))
}

fn superscript(exponent: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |c: char| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]);
    exponent.to_string().chars().map(raised).collect()
}

/// Commas between groups of three digits before the decimal point.
fn with_separators(number: &str) -> String {
    let (sign, number) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let mut grouped = String::from(sign);
    for (position, digit) in whole.chars().enumerate() {
        if position > 0 && (whole.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_those_of_the_step() {
        for (value, step, text) in [
            (0.3, 0.1, "0.3"),
            (0.25, 0.05, "0.25"),
            (0.0, 0.2, "0"),
            (0.0, 1e-300, "0"),
            (1.0, 0.5, "1.0"),
            (1500.0, 500.0, "1,500"),
            (-1_234_000.0, 1000.0, "-1,234,000"),
            (999.0, 1.0, "999"),
            (2e7, 1e7, "2·10⁷"),
            (2.5e8, 5e7, "2.5·10⁸"),
            (3e-7, 1e-7, "3·10⁻⁷"),
        ] {
            assert_eq!(decimal(value, step), text);
        }
    }

    #[test]
    fn powers_of_ten() {
        for (digit, exponent, text) in [
            (1, 0, "1"),
            (5, 2, "500"),
            (2, 4, "20,000"),
            (1, -1, "0.1"),
            (3, -3, "0.003"),
            (1, 9, "10⁹"),
            (2, -12, "2·10⁻¹²"),
        ] {
            assert_eq!(power_of_ten(digit, exponent), text);
        }
    }
}
