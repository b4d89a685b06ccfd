//! The breakers of real libraries, as rules.

use std::fmt;

use engine::Duration;

use crate::libraries::{
    Cockatiel, FailsafeGo, FailsafeJava, FailsafeRs, Gobreaker, HystrixHalfOpen, HystrixSingleTest, Opossum, Pybreaker,
    Recloser, Resilience4j, Sentinel,
};
use crate::{Library, Rule, RuleVisitor, Settings};

/// What the rule of a library says of itself.
pub(crate) trait LibraryRule: Rule {
    /// Its library.
    const LIBRARY: &'static Library;

    /// All its settings that are not absent, with which [`Library::build`] makes it again.
    fn settings(&self) -> Settings;

    /// How long an open breaker turns calls away: the first time, and the longest that this may grow to.
    fn open_times(&self) -> (Duration, Duration);

    /// How many successes close a half-open breaker, or how many results decide.
    fn probes(&self) -> u32;

    /// The same rule in its simplest words: two rules that do the same in every run should have one.
    fn simplest(self) -> Self {
        self
    }
}

macro_rules! dialects {
    ($($dialect:ident),* $(,)?) => {
        /// A breaker of a library.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Dialect {
            $(
                #[doc = concat!("See [`", stringify!($dialect), "`].")]
                $dialect($dialect),
            )*
        }

        /// All libraries, in the order of their names.
        static LIBRARIES: &[Library] = &[$(*<$dialect as LibraryRule>::LIBRARY),*];

        impl Dialect {
            /// The library.
            #[must_use]
            pub fn library(&self) -> &'static Library {
                match self {
                    $(Self::$dialect(_) => <$dialect as LibraryRule>::LIBRARY,)*
                }
            }

            /// All settings that are not absent, defaults included.
            #[must_use]
            pub fn settings(&self) -> Settings {
                match self {
                    $(Self::$dialect(rule) => rule.settings(),)*
                }
            }

            /// How long an open breaker turns calls away: the first time, and the longest that this may grow to.
            #[must_use]
            pub fn open_times(&self) -> (Duration, Duration) {
                match self {
                    $(Self::$dialect(rule) => rule.open_times(),)*
                }
            }

            /// How many successes close a half-open breaker, or how many results decide.
            #[must_use]
            pub fn probes(&self) -> u32 {
                match self {
                    $(Self::$dialect(rule) => rule.probes(),)*
                }
            }

            /// The same rule in its simplest words.
            #[must_use]
            pub fn simplest(&self) -> Self {
                match *self {
                    $(Self::$dialect(rule) => Self::$dialect(rule.simplest()),)*
                }
            }

            /// Hands the rule to `visitor` as what it is.
            pub fn visit<V: RuleVisitor>(&self, visitor: V) -> V::Output {
                match *self {
                    $(Self::$dialect(rule) => visitor.visit(rule),)*
                }
            }
        }

        $(
            impl From<$dialect> for Dialect {
                fn from(rule: $dialect) -> Self {
                    Self::$dialect(rule)
                }
            }
        )*
    };
}

dialects!(
    Cockatiel,
    FailsafeGo,
    FailsafeJava,
    FailsafeRs,
    Gobreaker,
    HystrixHalfOpen,
    HystrixSingleTest,
    Opossum,
    Pybreaker,
    Recloser,
    Resilience4j,
    Sentinel,
);

/// All libraries whose breakers are known exactly.
#[must_use]
pub fn libraries() -> &'static [Library] {
    LIBRARIES
}

impl fmt::Display for Dialect {
    /// The library and what is not its default, such as `gobreaker: Interval = 10s, …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let library = self.library();
        let said = library.without_defaults(&self.settings());
        let words = library.in_words(&said);
        if words.is_empty() { f.pad(library.name) } else { f.pad(&format!("{}: {words}", library.name)) }
    }
}
