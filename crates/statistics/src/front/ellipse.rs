//! The joint confidence region of a design's two objectives.

use crate::Level;

/// An ellipse around a design's two means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    /// The means.
    pub centre: (f64, f64),
    /// The longer half-axis.
    pub semi_major: f64,
    /// The shorter half-axis; 0 if one objective follows the other exactly.
    pub semi_minor: f64,
    /// The direction of the longer axis, in radians from the x axis, in (−π/2, π/2].
    pub angle: f64,
}

impl Ellipse {
    /// The point of the outline at a parameter from 0 to 2π.
    #[must_use]
    pub fn outline(&self, parameter: f64) -> (f64, f64) {
        let (along, across) = (self.semi_major * parameter.cos(), self.semi_minor * parameter.sin());
        let (sin, cos) = self.angle.sin_cos();
        (self.centre.0 + along * cos - across * sin, self.centre.1 + along * sin + across * cos)
    }

    /// Whether a point lies inside or on the outline. Nothing but the centre line does for an ellipse without width.
    #[must_use]
    pub fn contains(&self, point: (f64, f64)) -> bool {
        let (dx, dy) = (point.0 - self.centre.0, point.1 - self.centre.1);
        let (sin, cos) = self.angle.sin_cos();
        let (along, across) = (dx * cos + dy * sin, dy * cos - dx * sin);
        (along * self.semi_minor).powi(2) + (across * self.semi_major).powi(2)
            <= (self.semi_major * self.semi_minor).powi(2)
    }
}

/// The region that holds both true means of pairs of observations with the level's confidence, by Hotelling's T²: the
/// ellipse (μ − m)ᵀ S⁻¹ (μ − m) ≤ 2(n − 1)/(n(n − 2)) · F(2, n − 2; level) (Johnson & Wichern, *Applied Multivariate
/// Statistical Analysis*, 6th ed., section 5.4). Exact for normal pairs, valid as the t interval is for others.
///
/// `None` for fewer than three pairs, lists of different lengths, and what is not finite.
#[must_use]
pub fn covariance_ellipse(x: &[f64], y: &[f64], level: Level) -> Option<Ellipse> {
    let n = x.len() as f64;
    if x.len() < 3 || x.len() != y.len() {
        return None;
    }
    let centre = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (dx, dy) in x.iter().map(|x| x - centre.0).zip(y.iter().map(|y| y - centre.1)) {
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    // The F quantile on 2 and m degrees of freedom has the closed form m/2 · (α^(−2/m) − 1).
    let ln_alpha = (-level.fraction()).ln_1p();
    let scale = (-2.0 / (n - 2.0) * ln_alpha).exp_m1() / n;
    // Eigenvalues of a symmetric matrix of two rows; the smaller one by the product, without cancellation.
    let larger = f64::midpoint(xx, yy) + ((xx - yy) / 2.0).hypot(xy);
    let smaller = if larger > 0.0 { ((xx * yy - xy * xy) / larger).max(0.0) } else { 0.0 };
    let ellipse = Ellipse {
        centre,
        semi_major: (scale * larger).sqrt(),
        semi_minor: (scale * smaller).sqrt(),
        angle: (2.0 * xy).atan2(xx - yy) / 2.0,
    };
    (ellipse.semi_major.is_finite() && ellipse.semi_minor.is_finite()).then_some(ellipse)
}
