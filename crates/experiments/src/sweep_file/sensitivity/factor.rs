//! A setting that is varied: from where to where, and how a point of the unit cube becomes a value of it.

use std::fmt;

use engine::Duration;

/// A setting that is varied.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// A key of the rule, or the dotted path of a setting of the world.
    pub name: String,
    /// What its values are.
    pub quantity: Quantity,
    /// The least value; times in nanoseconds, rates per second.
    pub from: f64,
    /// The largest value, above the least.
    pub to: f64,
    /// How values lie between them.
    pub scale: Scale,
    /// Another factor, by its position, whose value this one's never exceeds.
    pub at_most: Option<usize>,
    /// Where it is written, and under which key, for messages.
    pub(super) place: String,
    pub(super) key: String,
}

/// What the values of a factor are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Whole numbers.
    Whole,
    /// Any numbers.
    Number,
    /// Times, in nanoseconds.
    Time,
    /// Rates, per second.
    Rate,
}

/// How the values of a factor lie in its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Uniformly.
    Linear,
    /// Uniformly in their logarithms: as many from 1 to 2 as from 10 to 20.
    Log,
}

/// Significant digits of a value: more than any setting needs, and few enough to read. The points of the unit cube have no
/// more than seven.
const DIGITS: usize = 6;

impl Factor {
    /// The value at a coordinate from 0 to 1, at most `limit`. Whole numbers are rounded, each with an equal share of the
    /// range.
    #[must_use]
    pub fn value(&self, coordinate: f64, limit: f64) -> f64 {
        let most = self.to.min(limit);
        let least = self.from.min(most);
        // Half a step beyond either end, so that these are as frequent as what lies between.
        let margin = if self.quantity == Quantity::Whole { 0.5 } else { 0.0 };
        let (low, high) = (least - margin, most + margin);
        let exact = match self.scale {
            Scale::Linear => low + coordinate * (high - low),
            Scale::Log => low * (high / low).powf(coordinate),
        };
        let rounded = match self.quantity {
            Quantity::Whole => exact.round(),
            Quantity::Time => to_digits(exact).round(),
            Quantity::Number | Quantity::Rate => to_digits(exact),
        };
        rounded.clamp(least, most)
    }

    /// A value as it stands in a sweep file.
    #[must_use]
    pub fn written(&self, value: f64) -> String {
        match self.quantity {
            Quantity::Whole | Quantity::Number => value.to_string(),
            Quantity::Time | Quantity::Rate => format!("\"{}\"", self.shown(value)),
        }
    }

    /// A value for people.
    #[must_use]
    pub fn shown(&self, value: f64) -> String {
        match self.quantity {
            Quantity::Whole | Quantity::Number => value.to_string(),
            Quantity::Time => Duration::from_nanos(value as u64).to_string(),
            Quantity::Rate => format!("{value}/s"),
        }
    }

    /// A value as a number in a table: times in seconds.
    #[must_use]
    pub fn in_table(&self, value: f64) -> f64 {
        if self.quantity == Quantity::Time { value / 1e9 } else { value }
    }
}

impl fmt::Display for Factor {
    /// Its range: `500ms to 10s, logarithmic`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.shown(self.from), self.shown(self.to))?;
        if self.quantity == Quantity::Whole {
            f.write_str(", whole numbers")?;
        }
        if self.scale == Scale::Log { f.write_str(", logarithmic") } else { Ok(()) }
    }
}

fn to_digits(value: f64) -> f64 {
    format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factor(quantity: Quantity, from: f64, to: f64, scale: Scale) -> Factor {
        Factor {
            name: "x".to_owned(),
            quantity,
            from,
            to,
            scale,
            at_most: None,
            place: String::new(),
            key: String::new(),
        }
    }

    fn at(factor: &Factor, coordinate: f64) -> f64 {
        factor.value(coordinate, f64::INFINITY)
    }

    #[test]
    fn whole_numbers_have_equal_shares() {
        let die = factor(Quantity::Whole, 1.0, 6.0, Scale::Linear);
        let mut faces = [0; 7];
        (0..600).for_each(|cell| faces[at(&die, (f64::from(cell) + 0.5) / 600.0) as usize] += 1);
        assert_eq!(faces, [0, 100, 100, 100, 100, 100, 100]);
        assert_eq!((at(&die, 0.0), at(&die, 1.0)), (1.0, 6.0));
    }

    #[test]
    fn a_logarithmic_scale_has_equal_ratios() {
        let time = factor(Quantity::Time, 1e8, 1e10, Scale::Log);
        assert_eq!([0.0, 0.5, 1.0].map(|coordinate| at(&time, coordinate)), [1e8, 1e9, 1e10]);
        assert_eq!(time.to_string(), "100ms to 10s, logarithmic");
        assert_eq!(time.written(1e9), "\"1s\"");
        assert_eq!(time.in_table(1e9), 1.0);
    }

    #[test]
    fn a_limit_squeezes_the_range() {
        let calls = factor(Quantity::Whole, 10.0, 100.0, Scale::Linear);
        assert_eq!([0.0, 1.0].map(|coordinate| calls.value(coordinate, 20.0)), [10.0, 20.0]);
        assert_eq!(
            [0.0, 1.0].map(|coordinate| calls.value(coordinate, 5.0)),
            [5.0, 5.0],
            "below the range there is one"
        );
    }

    #[test]
    fn values_have_few_digits_and_stay_within_their_range() {
        let share = factor(Quantity::Number, 0.1, 0.123_456_789, Scale::Linear);
        assert_eq!(share.written(at(&share, 0.5)), "0.111728");
        assert_eq!(at(&share, 1.0), 0.123_456_789);
        let rate = factor(Quantity::Rate, 50.0, 150.0, Scale::Linear);
        assert_eq!(rate.written(at(&rate, 1.0 / 3.0)), "\"83.3333/s\"");
    }
}
