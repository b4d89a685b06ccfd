//! The inverse of the normal distribution function.

/// The `u`-quantile of the standard normal distribution, to about 16 significant digits.
///
/// Algorithm PPND16 of Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied
/// Statistics 37 (1988): a ratio of two polynomials of degree 7 in each of three ranges. −∞ at 0, ∞ at 1.
#[inline]
pub(crate) fn normal_quantile(u: f64) -> f64 {
    let centred = u - 0.5;
    if centred.abs() <= 0.425 {
        let r = 0.180_625 - centred * centred;
        return centred * polynomial(&CENTRE_ABOVE, r) / polynomial(&CENTRE_BELOW, r);
    }
    let tail = if centred < 0.0 { u } else { 1.0 - u };
    if tail <= 0.0 {
        return f64::INFINITY.copysign(centred);
    }
    let r = (-libm::log(tail)).sqrt();
    let size = if r <= 5.0 {
        polynomial(&TAIL_ABOVE, r - 1.6) / polynomial(&TAIL_BELOW, r - 1.6)
    } else {
        polynomial(&FAR_ABOVE, r - 5.0) / polynomial(&FAR_BELOW, r - 5.0)
    };
    size.copysign(centred)
}

/// The polynomial with these coefficients, the constant one first, by Horner's rule.
#[inline]
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    let [c0, c1, c2, c3, c4, c5, c6, c7] = *coefficients;
    ((((((c7 * x + c6) * x + c5) * x + c4) * x + c3) * x + c2) * x + c1) * x + c0
}

// The digits are those of the paper.
#[rustfmt::skip]
mod coefficients {
    #![allow(clippy::excessive_precision, clippy::inconsistent_digit_grouping, clippy::unreadable_literal)]

    pub(super) const CENTRE_ABOVE: [f64; 8] = [
        3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
        4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3,
    ];
    pub(super) const CENTRE_BELOW: [f64; 8] = [
        1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
        2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3,
    ];
    pub(super) const TAIL_ABOVE: [f64; 8] = [
        1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
        1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
    ];
    pub(super) const TAIL_BELOW: [f64; 8] = [
        1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
        1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
    ];
    pub(super) const FAR_ABOVE: [f64; 8] = [
        6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
        2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
    ];
    pub(super) const FAR_BELOW: [f64; 8] = [
        1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
        7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
    ];
}
use coefficients::{CENTRE_ABOVE, CENTRE_BELOW, FAR_ABOVE, FAR_BELOW, TAIL_ABOVE, TAIL_BELOW};

#[cfg(test)]
mod tests {
    use super::*;

    /// Φ(z) by the complementary error function, which keeps its relative precision in the lower tail.
    fn probability_below(z: f64) -> f64 {
        0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
    }

    #[test]
    fn inverts_the_distribution_function_in_all_three_ranges() {
        for exponent in 1..=300 {
            for mantissa in [1.0, 2.5, 4.9] {
                let u = mantissa * libm::pow(10.0, -f64::from(exponent));
                let back = probability_below(normal_quantile(u));
                // The relative condition of Φ at z is about z², so that an ulp of z costs z² ulps of u.
                let condition = 1.0 + normal_quantile(u) * normal_quantile(u);
                assert!((back / u - 1.0).abs() < 1.5e-15 * condition, "u = {u}: {back}");
            }
        }
    }

    #[test]
    fn known_points() {
        // Tables of the normal distribution, to more digits than a double holds.
        for (u, z) in [
            (0.5, 0.0),
            (0.75, 0.674_489_750_196_081_7),
            (0.95, 1.644_853_626_951_472_7),
            (0.975, 1.959_963_984_540_054),
            (0.999, 3.090_232_306_167_813_5),
            (0.001, -3.090_232_306_167_813_5),
        ] {
            assert!((normal_quantile(u) - z).abs() <= 1e-15 * (1.0 + z.abs()), "{u}: {}", normal_quantile(u));
        }
    }

    #[test]
    fn symmetric_and_infinite_at_the_ends() {
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
        for k in 1..512 {
            let u = f64::from(k) / 1024.0;
            assert_eq!(normal_quantile(u), -normal_quantile(1.0 - u));
        }
    }
}
