//! A rule of any family, as a sweep lists them.

use std::fmt;

use engine::Duration;

use crate::{Consecutive, Dialect, HalfOpen, NoBreaker, Ratio, Rule};

/// A rule of any family: the numbers of one design in a sweep.
///
/// It names and compares rules. It is not itself a [`Rule`](crate::Rule): simulations keep one vector of states per
/// family, so that no state is as large as the largest of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnyRule {
    /// No breaker.
    None(NoBreaker),
    /// So many failures in a row.
    Consecutive(Consecutive),
    /// A share of failures among the latest results.
    Ratio(Ratio),
    /// The breaker of a library.
    Dialect(Dialect),
}

/// Something to do with a rule, whatever its family: see [`AnyRule::visit`].
pub trait RuleVisitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<R: Rule>(self, rule: R) -> Self::Output;
}

/// All numbers of a rule that can influence what it does.
///
/// Rules with equal keys are the same rule in other words: they answer alike in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleKey {
    /// No breaker.
    None,
    /// A [`Consecutive`] rule.
    Consecutive {
        /// Failures in a row that open the breaker.
        threshold: u32,
        /// How long it then rejects.
        open_for: Duration,
        /// How it probes after that.
        half_open: HalfOpen,
    },
    /// A [`Ratio`] rule.
    Ratio {
        /// The number of latest results that count.
        window: u32,
        /// Failures in a full window that open the breaker, whatever threshold they were written as.
        failures_to_open: u32,
        /// How long it then rejects.
        open_for: Duration,
        /// How it probes after that.
        half_open: HalfOpen,
    },
    /// The breaker of a library, in its simplest words.
    Dialect(Dialect),
}

impl AnyRule {
    /// The names of the families that are no library's.
    pub const NAMES: [&'static str; 3] = ["none", "consecutive", "ratio"];

    /// The name of the rule's family.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Dialect(rule) => rule.library().name,
            Self::None(_) => "none",
            Self::Consecutive(_) => "consecutive",
            Self::Ratio(_) => "ratio",
        }
    }

    /// The threshold as it was written: a number of failures in a row, or a share.
    #[must_use]
    pub fn threshold(&self) -> Option<f64> {
        match self {
            Self::None(_) | Self::Dialect(_) => None,
            Self::Consecutive(rule) => Some(f64::from(rule.threshold())),
            Self::Ratio(rule) => Some(rule.threshold()),
        }
    }

    /// The number of latest results that count.
    #[must_use]
    pub const fn window(&self) -> Option<u32> {
        match self {
            Self::None(_) | Self::Consecutive(_) | Self::Dialect(_) => None,
            Self::Ratio(rule) => Some(rule.window()),
        }
    }

    /// How long the breaker rejects once it has opened; where this grows, the first time.
    #[must_use]
    pub fn open_for(&self) -> Option<Duration> {
        match self {
            Self::None(_) => None,
            Self::Dialect(rule) => Some(rule.open_times().0),
            Self::Consecutive(rule) => Some(rule.open_for()),
            Self::Ratio(rule) => Some(rule.open_for()),
        }
    }

    /// How the breaker probes after that; `None` for libraries, which have ways of their own.
    #[must_use]
    pub const fn half_open(&self) -> Option<HalfOpen> {
        match self {
            Self::None(_) | Self::Dialect(_) => None,
            Self::Consecutive(rule) => Some(rule.half_open()),
            Self::Ratio(rule) => Some(rule.half_open()),
        }
    }

    /// The names of all families: those that are no library's, then the libraries.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().chain(crate::libraries().iter().map(|library| library.name))
    }

    /// The breaker of a library, if it is one.
    #[must_use]
    pub const fn dialect(&self) -> Option<&Dialect> {
        match self {
            Self::Dialect(rule) => Some(rule),
            Self::None(_) | Self::Consecutive(_) | Self::Ratio(_) => None,
        }
    }

    /// Hands the rule to `visitor` as what it is.
    pub fn visit<V: RuleVisitor>(&self, visitor: V) -> V::Output {
        match *self {
            Self::None(rule) => visitor.visit(rule),
            Self::Consecutive(rule) => visitor.visit(rule),
            Self::Ratio(rule) => visitor.visit(rule),
            Self::Dialect(rule) => rule.visit(visitor),
        }
    }

    /// Whether calls may have to wait at the breaker: see [`Rule::WAITS`].
    #[must_use]
    pub fn waits(&self) -> bool {
        struct Waits;
        impl RuleVisitor for Waits {
            type Output = bool;
            fn visit<R: Rule>(self, _rule: R) -> bool {
                R::WAITS
            }
        }
        self.visit(Waits)
    }

    /// What the rule does, without how it was written.
    #[must_use]
    pub fn key(&self) -> RuleKey {
        match self {
            Self::Dialect(rule) => RuleKey::Dialect(rule.simplest()),
            Self::None(_) => RuleKey::None,
            Self::Consecutive(rule) => RuleKey::Consecutive {
                threshold: rule.threshold(),
                open_for: rule.open_for(),
                half_open: rule.half_open(),
            },
            Self::Ratio(rule) => RuleKey::Ratio {
                window: rule.window(),
                failures_to_open: rule.failures_to_open(),
                open_for: rule.open_for(),
                half_open: rule.half_open(),
            },
        }
    }

    /// Whether the two are the same rule, perhaps in other words: ratios 0.05 and 0.2 of 5 both mean one failure.
    #[must_use]
    pub fn is_same_rule(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl From<Dialect> for AnyRule {
    fn from(rule: Dialect) -> Self {
        Self::Dialect(rule)
    }
}

impl From<NoBreaker> for AnyRule {
    fn from(rule: NoBreaker) -> Self {
        Self::None(rule)
    }
}

impl From<Consecutive> for AnyRule {
    fn from(rule: Consecutive) -> Self {
        Self::Consecutive(rule)
    }
}

impl From<Ratio> for AnyRule {
    fn from(rule: Ratio) -> Self {
        Self::Ratio(rule)
    }
}

impl fmt::Display for AnyRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None(_) => f.pad("none"),
            Self::Consecutive(rule) => rule.fmt(f),
            Self::Ratio(rule) => rule.fmt(f),
            Self::Dialect(rule) => rule.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(window: u32, threshold: f64, millis: u64) -> AnyRule {
        Ratio::new(window, threshold, Duration::from_millis(millis), HalfOpen::default()).expect("valid").into()
    }

    fn consecutive(threshold: u32, half_open: HalfOpen) -> AnyRule {
        Consecutive::new(threshold, Duration::from_secs(1), half_open).expect("valid").into()
    }

    #[test]
    fn thresholds_that_mean_the_same_failures_are_one_rule() {
        assert!(ratio(5, 0.05, 500).is_same_rule(&ratio(5, 0.2, 500)));
        assert!(!ratio(5, 0.05, 500).is_same_rule(&ratio(5, 0.21, 500)));
    }

    #[test]
    fn every_other_number_makes_another_rule() {
        let two = HalfOpen { permits: 2, successes: 1 };
        let rules = [
            NoBreaker.into(),
            ratio(20, 0.5, 500),
            ratio(20, 0.5, 1_000),
            ratio(10, 1.0, 500),
            consecutive(5, HalfOpen::default()),
            consecutive(5, two),
            consecutive(6, two),
        ];
        for (number, rule) in rules.iter().enumerate() {
            for (other_number, other) in rules.iter().enumerate() {
                assert_eq!(rule.is_same_rule(other), number == other_number, "{rule} and {other}");
            }
        }
    }

    #[test]
    fn tells_its_numbers() {
        let rule = ratio(20, 0.5, 1_000);
        assert_eq!((rule.name(), rule.threshold(), rule.window()), ("ratio", Some(0.5), Some(20)));
        assert_eq!((rule.open_for(), rule.half_open()), (Some(Duration::from_secs(1)), Some(HalfOpen::default())));
        let rule = consecutive(5, HalfOpen::default());
        assert_eq!((rule.name(), rule.threshold(), rule.window()), ("consecutive", Some(5.0), None));
        let rule = AnyRule::from(NoBreaker);
        assert_eq!((rule.name(), rule.threshold(), rule.window(), rule.open_for()), ("none", None, None, None));
        assert_eq!(format!("{rule:>6}"), "  none");
    }
}
