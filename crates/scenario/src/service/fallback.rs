//! What a caller is told in place of an answer.

/// What is answered to a request that failed or was turned away.
///
/// A *wrong success* tells the caller that something is so which nobody has checked: a payment "authorised" while the
/// check was down. Stale answers are wrong now and then, a silent success always (unless said otherwise); a failure or a
/// place in a review queue never is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Fallback {
    /// Nothing: the failure is passed on.
    #[default]
    Fail,
    /// An answer from before.
    Stale {
        /// The probability that it is no longer true; in [0, 1].
        wrong: f64,
    },
    /// "We will get back to you": the request is put aside for review.
    Review,
    /// Success, as if the dependency had said so.
    Silent {
        /// The probability that it would have said something else; in [0, 1].
        wrong: f64,
    },
}

impl Fallback {
    /// The probability that the answer is wrong; `None` where the failure is passed on.
    #[must_use]
    pub const fn wrong(self) -> Option<f64> {
        match self {
            Self::Fail => None,
            Self::Review => Some(0.0),
            Self::Stale { wrong } | Self::Silent { wrong } => Some(wrong),
        }
    }

    /// The word in sweep files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Stale { .. } => "stale",
            Self::Review => "review",
            Self::Silent { .. } => "silent",
        }
    }
}
