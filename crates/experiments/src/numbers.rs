//! Numbers as people read them.

/// 460800 as `460,800`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).expect("digits are ASCII")).collect();
    groups.join(",")
}

/// A number that is written out, with its whole part grouped: `-12345.67` as `-12,345.67`.
pub(crate) fn grouped_decimal(written: &str) -> String {
    let digits = written.trim_start_matches('-');
    let (whole, fraction) = digits.find('.').map_or((digits, ""), |point| digits.split_at(point));
    let sign = &written[..written.len() - digits.len()];
    whole.parse().map_or_else(|_| written.to_owned(), |whole| format!("{sign}{}{fraction}", grouped(whole)))
}

/// How many of a thing: `1 design`, `576 designs`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(number))
}

/// A large number in words: `2.84 billion`.
pub(crate) fn magnitude(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{:.2} billion", n / 1e9),
        n if n >= 1e6 => format!("{:.1} million", n / 1e6),
        n => grouped(n.round() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(460_800), "460,800");
        assert_eq!(grouped(1_000_000), "1,000,000");
    }

    #[test]
    fn fractions_and_signs_stay() {
        for (written, grouped) in [
            ("0.5", "0.5"),
            ("-0.05", "-0.05"),
            ("1234.5678", "1,234.5678"),
            ("-1234567", "-1,234,567"),
            ("NaN", "NaN"),
        ] {
            assert_eq!(grouped_decimal(written), grouped);
        }
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(counted(1, "design"), "1 design");
        assert_eq!(counted(2_000, "run"), "2,000 runs");
    }

    #[test]
    fn large_numbers_are_in_words() {
        assert_eq!(magnitude(2.841e9), "2.84 billion");
        assert_eq!(magnitude(4.93e6), "4.9 million");
        assert_eq!(magnitude(999.6), "1,000");
    }
}
