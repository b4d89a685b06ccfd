//! Where the objectives are evaluated: points of the unit cube, Morris' or Sobol's.

use statistics::{MorrisPlan, SensitivityError, SobolPlan};

/// Values per factor on Morris' grid.
const LEVELS: u32 = 4;

/// A way to analyse sensitivity.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Elementary effects: few points, which factors matter at all
    Morris,
    /// Indices of variance: many points, how much each factor explains
    Sobol,
}

/// A plan of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointDesign {
    /// Trajectories.
    Morris(MorrisPlan),
    /// Base points and their mixtures.
    Sobol(SobolPlan),
}

impl Method {
    /// The method's name in the tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Morris => "morris",
            Self::Sobol => "sobol",
        }
    }

    /// The option that says how many points it has.
    #[must_use]
    pub const fn option(self) -> &'static str {
        match self {
            Self::Morris => "trajectories",
            Self::Sobol => "points",
        }
    }

    /// The points of so many trajectories or base points.
    ///
    /// # Errors
    ///
    /// If there are too many of them or of the factors.
    pub fn design(self, factors: usize, number: u32, seed: u64) -> Result<PointDesign, SensitivityError> {
        Ok(match self {
            Self::Morris => PointDesign::Morris(MorrisPlan::new(factors, LEVELS, number, seed)?),
            // The sequence takes half of the seed's bits; the other half is not lost where only that differs.
            Self::Sobol => PointDesign::Sobol(SobolPlan::new(factors, number as usize, (seed ^ (seed >> 32)) as u32)?),
        })
    }
}

impl PointDesign {
    /// The method.
    #[must_use]
    pub const fn method(&self) -> Method {
        match self {
            Self::Morris(_) => Method::Morris,
            Self::Sobol(_) => Method::Sobol,
        }
    }

    /// The points, in the plan's own order.
    #[must_use]
    pub fn points(&self) -> Vec<Vec<f64>> {
        match self {
            Self::Morris(plan) => plan.points().collect(),
            Self::Sobol(plan) => plan.points().collect(),
        }
    }

    /// The positions of the points in the order in which SALib (Iwanaga, Usher & Herman, *Socio-Environmental Systems
    /// Modelling* 4, 2022) wants their values: Morris' as they are; of each of Sobol's base points A, the mixtures, and then B.
    #[must_use]
    pub fn salib_order(&self, factors: usize) -> Vec<usize> {
        match self {
            Self::Morris(plan) => (0..plan.evaluations()).collect(),
            Self::Sobol(plan) => {
                let block = factors + 2;
                let within = |first: usize| [first].into_iter().chain(first + 2..first + block).chain([first + 1]);
                (0..plan.evaluations()).step_by(block).flat_map(within).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn salib_reads_a_then_the_mixtures_then_b() {
        let design = Method::Sobol.design(3, 4, 1).expect("small");
        let points = design.points();
        let rows: Vec<&Vec<f64>> = design.salib_order(3).into_iter().map(|position| &points[position]).collect();
        assert_eq!(rows.len(), 4 * 5);
        for block in rows.chunks(5) {
            let (a, b) = (block[0], block[4]);
            for (factor, mixture) in block[1..4].iter().enumerate() {
                for coordinate in 0..3 {
                    let from = if coordinate == factor { b } else { a };
                    assert_eq!(mixture[coordinate], from[coordinate]);
                }
            }
        }
    }

    #[test]
    fn seeds_that_differ_anywhere_give_other_points() {
        let points = |seed: u64| Method::Sobol.design(2, 8, seed).expect("small").points();
        assert_ne!(points(1), points(2));
        assert_ne!(points(1), points(1 + (1 << 40)));
        assert_eq!(points(7), points(7));
    }
}
