//! A race among a sweep's designs: those that another one surely dominates stop getting replications.

use scenario::DesignSet;
use statistics::{Level, Looks, Moments, Objectives, Observations};

use crate::columns::Read;
use crate::fronts::{Objective, pairs};
use crate::runner::{DistinctDesigns, ReplicationRuns};
use crate::sweep_file::Sweep;

/// A race under way. It keeps the objectives of every run of the designs in it: memory grows with the replications.
///
/// A design leaves where, in every front of the race's themes, some other design dominates it with simultaneous confidence
/// ([`statistics::Race`]), the level's error shared equally by the fronts. So whatever is lost, no design that is on any of the
/// true fronts is, but with the probability 1 − level. Differences that never varied or are too skewed are not compared: of
/// two designs that never opened falsely nobody knows which one does less often. A design that never opens does not leave, nor
/// does the baseline or the current setting.
#[derive(Clone, Debug)]
pub struct Race {
    looks: Looks,
    level: Level,
    started: usize,
    distinct: DistinctDesigns,
    /// The objectives, each with how to read it and, for each slot in the race, its values by replication.
    objectives: Vec<(Objective, Read, Vec<Vec<f64>>)>,
    /// Pairs of objectives, by position.
    fronts: Vec<(usize, usize)>,
    /// The slots in the race, ascending.
    slots: Vec<usize>,
    /// By slot.
    departures: Vec<Option<Departure>>,
    replications: u64,
}

/// Why and when a design left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// After how many replications.
    pub replications: u64,
    /// A design that dominates it in the first of the fronts, as an index into [`Sweep::designs`].
    pub dominated_by: usize,
}

impl Race {
    /// The start of a sweep's race; `None` if it has none.
    ///
    /// # Panics
    ///
    /// Never: a part of what a level leaves is closer to 1 than it.
    #[must_use]
    pub fn new(sweep: &Sweep) -> Option<Self> {
        let race = sweep.race.as_ref()?;
        let distinct = DistinctDesigns::of(sweep);
        let started = distinct.simulated.len();
        let raced = pairs(sweep).into_iter().filter(|(theme, ..)| race.themes.contains(&theme.name));
        let mut objectives: Vec<(Objective, Read, Vec<Vec<f64>>)> = Vec::new();
        let mut position = |objective: Objective| {
            objectives.iter().position(|(known, ..)| *known == objective).unwrap_or_else(|| {
                objectives.push((objective, objective.read(), vec![Vec::new(); started]));
                objectives.len() - 1
            })
        };
        let fronts: Vec<(usize, usize)> = raced.map(|(_, x, y)| (position(x), position(y))).collect();
        let level = 1.0 - (1.0 - race.level) / fronts.len().max(1) as f64;
        Some(Self {
            looks: race.looks,
            level: Level::new(level).expect("closer to 1 than a level"),
            started,
            distinct,
            objectives,
            fronts,
            slots: (0..started).collect(),
            departures: vec![None; started],
            replications: 0,
        })
    }

    /// The slots in the race, ascending.
    #[must_use]
    pub fn slots(&self) -> &[usize] {
        &self.slots
    }

    /// The designs in the race, prepared to be run.
    #[must_use]
    pub fn design_set(&self, sweep: &Sweep) -> DesignSet {
        let rules: Vec<_> = self.slots.iter().map(|&slot| sweep.designs[self.distinct.simulated[slot]].rule).collect();
        DesignSet::new(&rules)
    }

    /// After how many replications to look next; `None` from the last look on.
    #[must_use]
    pub fn next_look(&self) -> Option<u64> {
        self.looks.after(self.replications)
    }

    /// Adds one replication of the designs in the race; always in order of the replications.
    ///
    /// # Panics
    ///
    /// When a run does not have an objective: each exists in every run.
    pub fn add(&mut self, replication: &ReplicationRuns) {
        self.replications += 1;
        for (objective, read, columns) in &mut self.objectives {
            for (column, run) in columns.iter_mut().zip(&replication.runs[objective.mode]) {
                column.push(read.number(run).expect("an objective exists in every run"));
            }
        }
    }

    /// Looks at the designs in the race and lets some leave; whether any did.
    ///
    /// # Panics
    ///
    /// When there is no look after so many replications.
    pub fn look(&mut self, sweep: &Sweep) -> bool {
        let tables: Vec<Observations> = self
            .objectives
            .iter()
            .map(|(.., columns)| Observations::from_columns(columns).expect("runs have finite columns"))
            .collect();
        let race = statistics::Race { looks: self.looks, designs: self.started, level: self.level };
        let dominators: Vec<Vec<Option<usize>>> = self
            .fronts
            .iter()
            .map(|&(x, y)| {
                let objectives = Objectives::new(tables[x].clone(), tables[y].clone()).expect("equal shapes");
                race.dominators_among(&objectives, Moments::suffice_for_a_mean).expect("it is a look")
            })
            .collect();
        let compared = [sweep.baseline(), sweep.analysis.current].map(|design| Some(self.distinct.slot_of[design?]));
        let stays = |design: usize| {
            sweep.designs[design].rule.open_for().is_none() || compared.contains(&Some(self.distinct.slot_of[design]))
        };
        let leaves = |&position: &usize| {
            let design = self.distinct.simulated[self.slots[position]];
            !stays(design) && !dominators.is_empty() && dominators.iter().all(|front| front[position].is_some())
        };
        let leaving: Vec<usize> = (0..self.slots.len()).filter(leaves).collect();
        for &position in &leaving {
            let dominator = dominators[0][position].expect("it is dominated in all fronts");
            self.departures[self.slots[position]] = Some(Departure {
                replications: self.replications,
                dominated_by: self.distinct.simulated[self.slots[dominator]],
            });
        }
        for &position in leaving.iter().rev() {
            self.slots.remove(position);
            self.objectives.iter_mut().for_each(|(.., columns)| drop(columns.remove(position)));
        }
        !leaving.is_empty()
    }

    /// For each design of the sweep, whether and when it left.
    #[must_use]
    pub fn departures(&self) -> Vec<Option<Departure>> {
        self.distinct.slot_of.iter().map(|&slot| self.departures[slot]).collect()
    }
}
