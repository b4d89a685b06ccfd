//! The objectives of every run, replication by replication: for what draws whole replications anew.

use statistics::Observations;

use crate::columns::Read;
use crate::fronts::{Objective, objectives};
use crate::runner::{DistinctDesigns, ReplicationRuns};
use crate::sweep_file::Sweep;

/// A sweep's objectives in every run. Memory grows with the replications, so a sweep keeps them only where they are asked for.
#[derive(Clone, Debug)]
pub struct ObjectiveValues {
    distinct: DistinctDesigns,
    /// For each objective its column, and a row per replication with a value per distinct design.
    values: Vec<(Objective, Read, Vec<f64>)>,
}

impl ObjectiveValues {
    /// Nothing yet of a sweep's objectives: the columns of all themes in modes where opening is right, and the loss in modes
    /// where it is false.
    #[must_use]
    pub fn new(sweep: &Sweep) -> Self {
        let values = objectives(sweep).into_iter().map(|objective| (objective, objective.read(), Vec::new()));
        Self { distinct: DistinctDesigns::of(sweep), values: values.collect() }
    }

    /// Adds one replication; always in order of the replications.
    ///
    /// # Panics
    ///
    /// When a run does not have an objective: each exists in every run.
    pub fn add(&mut self, replication: &ReplicationRuns) {
        for (objective, read, values) in &mut self.values {
            let runs = &replication.runs[objective.mode];
            values.extend(runs.iter().map(|run| read.number(run).expect("an objective exists in every run")));
        }
    }

    /// The objectives that are kept.
    pub fn objectives(&self) -> impl Iterator<Item = Objective> + '_ {
        self.values.iter().map(|(objective, ..)| *objective)
    }

    /// The designs that have a column of their own, as indices into [`Sweep::designs`]; the others are equivalent to one of them.
    #[must_use]
    pub fn designs(&self) -> &[usize] {
        &self.distinct.simulated
    }

    /// The column of a design, by its index into [`Sweep::designs`].
    #[must_use]
    pub fn column_of(&self, design: usize) -> usize {
        self.distinct.slot_of[design]
    }

    /// An objective of all distinct designs: a row per replication, a column per design.
    ///
    /// # Panics
    ///
    /// When there is no such objective.
    #[must_use]
    pub fn of(&self, objective: Objective) -> Observations {
        let kept = self.values.iter().find(|(kept, ..)| *kept == objective);
        let (_, _, values) = kept.unwrap_or_else(|| panic!("{} is no objective there", objective.metric));
        Observations::new(self.distinct.simulated.len(), values.clone()).expect("runs have finite columns")
    }

    /// Bytes that a replication of a sweep takes.
    #[must_use]
    pub fn bytes_per_replication(sweep: &Sweep) -> f64 {
        (objectives(sweep).len() * sweep.distinct_designs() * size_of::<f64>()) as f64
    }
}

#[cfg(test)]
mod tests {
    use scenario::Sharing;

    use super::*;
    use crate::runner::simulate;
    use crate::sweep_file::parse;

    #[test]
    fn objectives_are_kept_by_replication_and_design() {
        let text = "[[rule]]\nkind = \"none\"\n[[rule]]\nkind = \"ratio\"\nwindow = 2\nthreshold = [0.9, 1.0, 0.5]\nopen_for = \"1s\"\n";
        let sweep = parse("kept.toml", text, &[], Some(3)).expect("a sweep");
        let designs = DistinctDesigns::of(&sweep).design_set(&sweep);
        let mut kept = ObjectiveValues::new(&sweep);
        let runs: Vec<ReplicationRuns> =
            (0..3).map(|replication| simulate(&sweep, &designs, Sharing::Auto, replication)).collect();
        runs.iter().for_each(|runs| kept.add(runs));
        assert_eq!(kept.designs(), [0, 1, 3]);
        assert_eq!([0, 1, 2, 3].map(|design| kept.column_of(design)), [0, 1, 1, 2]);
        let mode = sweep.modes.iter().position(|mode| mode.name == "down").expect("a given mode");
        let table = kept.of(Objective { metric: "slot_rounds_fault", mode });
        assert_eq!((table.replications(), table.columns()), (3, 3));
        for (row, runs) in table.rows().zip(&runs) {
            let expected: Vec<f64> = runs.runs[mode].iter().map(|run| scenario::rounds(run.slot_time_fault)).collect();
            assert_eq!(row, expected);
        }
    }
}
