//! Ratios of two means over the same replications: errors per call, failed calls per incident.

use crate::quantile::normal_quantile;
use crate::{Interval, Level, Method, Scope, UnpairedError, t_quantile};

/// The values of a ratio that the data do not exclude. It need not be an interval: a denominator that may be zero lets
/// the ratio be as large as one likes, on either side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConfidenceSet {
    /// Everything between two ends.
    Bounded(Interval),
    /// Everything *except* what lies strictly between two ends: the denominator may be zero, the numerator is not. On the
    /// edge between this and an interval one end is infinite.
    Outside(Interval),
    /// Every value: nothing is known.
    Everything,
}

impl ConfidenceSet {
    /// Whether `value` lies in the set, ends included.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        match *self {
            Self::Bounded(interval) => interval.contains(value),
            Self::Outside(gap) => value <= gap.lo || gap.hi <= value,
            Self::Everything => true,
        }
    }

    /// The interval, if it is one with two ends.
    #[must_use]
    pub fn bounded(&self) -> Option<Interval> {
        if let Self::Bounded(interval) = *self { Some(interval) } else { None }
    }
}

/// A ratio of two means, and the set that says how far it can be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioEstimate {
    /// The ratio of the means; `None` without observations or with a denominator whose mean is zero.
    pub value: Option<f64>,
    /// The confidence set; `None` where the observations cannot give one.
    pub set: Option<ConfidenceSet>,
    /// How many pairs went in.
    pub n: u64,
    /// The set's confidence level.
    pub level: Level,
    /// How the set was, or would have been, made.
    pub method: Method,
    /// Always [`Scope::PerDesign`].
    pub scope: Scope,
}

/// The mean of `numerators` over the mean of `denominators`, pair by pair of the same replications, with the delta
/// method's interval r ± z · se, se² = (s_yy − 2 r s_xy + r² s_xx) / (n x̄²), where x is the denominator (Law, *Simulation
/// Modeling and Analysis*, 5th ed., section 9.5.3; Cochran, *Sampling Techniques*, 3rd ed., section 6.5).
///
/// The ratio of means is what happens per unit of the denominator in the long run; the mean of ratios is not. Valid for
/// large n and a denominator whose mean is many standard errors from zero; for fewer than about 100 replications, or a
/// skewed denominator, it covers less than it says and [`ratio_fieller`] is the better choice. The interval is undefined
/// for fewer than two pairs, a denominator with mean zero, and what is not finite.
///
/// # Errors
///
/// Refuses two lists of different lengths: they are not pairs.
pub fn ratio_delta(numerators: &[f64], denominators: &[f64], level: Level) -> Result<RatioEstimate, UnpairedError> {
    let moments = Moments::of(numerators, denominators)?;
    let set = moments.ratio().and_then(|ratio| {
        let Moments { n, x, s_xx, s_xy, s_yy, .. } = moments;
        let variance = (s_yy - 2.0 * ratio * s_xy + ratio * ratio * s_xx) / (n as f64 * x * x);
        // Rounding can make the variance of an exact multiple negative by a hair.
        let half_width = normal_quantile(level) * if variance < 0.0 { 0.0 } else { variance.sqrt() };
        let interval = Interval { lo: ratio - half_width, hi: ratio + half_width };
        (n >= 2 && half_width.is_finite()).then_some(ConfidenceSet::Bounded(interval))
    });
    Ok(moments.estimate(set, level, Method::Delta))
}

/// The mean of `numerators` over the mean of `denominators`, pair by pair of the same replications, with Fieller's set:
/// the ratios θ for which a t test does not reject that the mean of y − θx is zero (Fieller, *Journal of the Royal
/// Statistical Society B* 16, 1954).
///
/// Solves θ²(x̄² − t²s_xx/n) − 2θ(x̄ȳ − t²s_xy/n) + ȳ² − t²s_yy/n ≤ 0. The set is a bounded interval if and only if the
/// denominator's mean is significantly different from zero; else it is what [`ConfidenceSet`] says. Exact for normal
/// pairs, and valid wherever the t interval is valid for y − θx. Undefined for fewer than two pairs and for what is not
/// finite.
///
/// # Errors
///
/// Refuses two lists of different lengths: they are not pairs.
pub fn ratio_fieller(numerators: &[f64], denominators: &[f64], level: Level) -> Result<RatioEstimate, UnpairedError> {
    let moments = Moments::of(numerators, denominators)?;
    let set = t_quantile(moments.n, level).and_then(|t| moments.fieller(t));
    Ok(moments.estimate(set, level, Method::Fieller))
}

/// The first two moments of pairs.
#[derive(Clone, Copy)]
struct Moments {
    n: u64,
    /// The means of the denominator and of the numerator.
    x: f64,
    y: f64,
    /// The covariances, with divisor n − 1.
    s_xx: f64,
    s_xy: f64,
    s_yy: f64,
}

impl Moments {
    fn of(numerators: &[f64], denominators: &[f64]) -> Result<Self, UnpairedError> {
        if numerators.len() != denominators.len() {
            return Err(UnpairedError { first: numerators.len(), second: denominators.len() });
        }
        let n = numerators.len() as f64;
        let x = denominators.iter().sum::<f64>() / n;
        let y = numerators.iter().sum::<f64>() / n;
        let (mut s_xx, mut s_xy, mut s_yy) = (0.0, 0.0, 0.0);
        for (numerator, denominator) in numerators.iter().zip(denominators) {
            let (dx, dy) = (denominator - x, numerator - y);
            s_xx += dx * dx;
            s_xy += dx * dy;
            s_yy += dy * dy;
        }
        let divisor = n - 1.0;
        let n = numerators.len() as u64;
        Ok(Self { n, x, y, s_xx: s_xx / divisor, s_xy: s_xy / divisor, s_yy: s_yy / divisor })
    }

    fn ratio(&self) -> Option<f64> {
        (self.n > 0 && self.x != 0.0).then(|| self.y / self.x)
    }

    fn fieller(&self, t: f64) -> Option<ConfidenceSet> {
        let Self { n, x, y, s_xx, s_xy, s_yy } = *self;
        let shrink = t * t / n as f64;
        // aθ² − 2bθ + c ≤ 0, which θ = ȳ/x̄ always satisfies.
        let (a, b, c) = (x * x - shrink * s_xx, x * y - shrink * s_xy, y * y - shrink * s_yy);
        let discriminant = b * b - a * c;
        if !discriminant.is_finite() {
            return None;
        }
        if a <= 0.0 && discriminant <= 0.0 {
            return Some(ConfidenceSet::Everything);
        }
        // On the edge one root is infinite: on the side from which it comes as `a` rises to zero.
        let a = if a == 0.0 { -0.0 } else { a };
        // The root that adds magnitudes, and the other one by their product: no cancellation.
        let far = b + b.signum() * discriminant.max(0.0).sqrt();
        let (first, second) = if far == 0.0 { (0.0, 0.0) } else { (far / a, c / far) };
        let ends = Interval { lo: first.min(second), hi: first.max(second) };
        Some(if a > 0.0 { ConfidenceSet::Bounded(ends) } else { ConfidenceSet::Outside(ends) })
    }

    fn estimate(&self, set: Option<ConfidenceSet>, level: Level, method: Method) -> RatioEstimate {
        RatioEstimate { value: self.ratio(), set, n: self.n, level, method, scope: Scope::PerDesign }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_the_edge_the_set_is_a_half_line() {
        // t² s_xx / n = 4 = x̄², so that the quadratic is a line.
        let edge = |y| Moments { n: 4, x: 2.0, y, s_xx: 4.0, s_xy: 0.0, s_yy: 1.0 }.fieller(2.0);
        // −2θ · 2y + y² − 1 ≤ 0: from (y² − 1) / 4y on for positive y, up to it for negative y.
        assert_eq!(edge(3.0), Some(ConfidenceSet::Outside(Interval { lo: f64::NEG_INFINITY, hi: 2.0 / 3.0 })));
        assert_eq!(edge(-3.0), Some(ConfidenceSet::Outside(Interval { lo: -2.0 / 3.0, hi: f64::INFINITY })));
        assert!(edge(3.0).unwrap().contains(1e300) && !edge(3.0).unwrap().contains(0.6));
        assert_eq!(edge(0.0), Some(ConfidenceSet::Everything));
    }
}
