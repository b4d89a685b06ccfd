//! How far the fronts can be trusted: whole replications are drawn anew, the same ones for all designs and objectives.

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use statistics::{
    AttainmentBand, BootstrapEstimate, Ellipse, FrontQuestion, FrontTally, Level, Membership, Objectives, Observations,
    Resampling, covariance_ellipse, front, hypervolume, knee, mean,
};

use crate::estimates::{Estimate, Estimates};
use crate::fronts::{Front, Objective};
use crate::measures::{MEAN, Measure, measures};
use crate::never_seen::NeverSeen;
use crate::objective_values::ObjectiveValues;
use crate::sweep_file::{FrontAnalysis, Sweep};

/// What resampling says about a front.
#[derive(Clone, Debug)]
pub struct FrontUncertainty {
    /// The horizontal objective.
    pub x: Objective,
    /// The vertical objective.
    pub y: Objective,
    /// How many replications were drawn from.
    pub replications: u32,
    /// Every distinct design, in sweep order.
    pub designs: Vec<DesignOnFront>,
    /// The knee of the means, as an index into [`Sweep::designs`], and the share of draws in which it is the knee.
    pub knee: Option<(usize, f64)>,
    /// Where the front may lie.
    pub band: AttainmentBand,
    /// The area that the front dominates, where there is a reference point.
    pub hypervolume: Option<Hypervolume>,
    /// What some replications chose and the others say about it, where there are enough.
    pub selection: Option<Selection>,
}

/// A design and a front.
#[derive(Clone, Copy, Debug)]
pub struct DesignOnFront {
    /// The design, as an index into [`Sweep::designs`].
    pub design: usize,
    /// Its two means.
    pub means: (f64, f64),
    /// How probably it is on the front.
    pub membership: Membership,
    /// The share of draws in which it is the knee.
    pub knee: f64,
    /// Where its two true means lie together, at the sweep's level.
    pub ellipse: Option<Ellipse>,
}

/// The area that a front dominates.
#[derive(Clone, Copy, Debug)]
pub struct Hypervolume {
    /// Up to where.
    pub reference: (f64, f64),
    /// The area, with its basic bootstrap interval.
    pub area: BootstrapEstimate,
}

/// Designs chosen by some replications and reported by others.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The first so many replications chose.
    pub selecting: u32,
    /// All others reported.
    pub reporting: u32,
    /// Every distinct design, in sweep order.
    pub designs: Vec<SelectedDesign>,
    /// The knee of the first replications, as a position in `designs`.
    pub knee: Option<usize>,
    /// The hypervolume of the chosen designs by the first and by the other replications, where there is a reference point.
    pub hypervolume: Option<(f64, f64)>,
}

/// A design as some replications chose it and others report it.
#[derive(Clone, Copy, Debug)]
pub struct SelectedDesign {
    /// The design, as an index into [`Sweep::designs`].
    pub design: usize,
    /// Whether it is on the front of the first replications.
    pub chosen: bool,
    /// The means of the first replications.
    pub selected_by: (f64, f64),
    /// The horizontal objective in the others.
    pub x: Estimate,
    /// The vertical objective in the others.
    pub y: Estimate,
}

/// Draws that one thread does at a time.
const DRAWS_AT_A_TIME: u32 = 20;

/// The level of the attainment band: from the share 0.05 to 0.95.
const BAND_LEVEL: f64 = 0.9;

/// Studies all fronts of a sweep that asks for it; none if there are too few replications. The result does not depend on
/// the number of threads.
///
/// Every distinct design is in every draw. To leave out those that look hopeless would save little, as a draw is a sum
/// over the replications that all objectives share, and would have to be right about each of them.
///
/// # Panics
///
/// When the fronts are not those of the values.
#[must_use]
pub fn study(
    sweep: &Sweep,
    asked: &FrontAnalysis,
    estimates: &Estimates,
    fronts: &[Front],
    values: &ObjectiveValues,
    pool: &ThreadPool,
) -> Vec<FrontUncertainty> {
    let mut objectives: Vec<Objective> = fronts.iter().flat_map(|front| [front.x, front.y]).collect();
    objectives.sort_by_key(|objective| (objective.metric, objective.mode));
    objectives.dedup();
    let tables: Vec<Observations> = objectives.iter().map(|&objective| values.of(objective)).collect();
    let replications = tables.first().map_or(0, |table| table.replications() as u32);
    if replications < FrontAnalysis::LEAST_REPLICATIONS {
        return Vec::new();
    }
    let position =
        |objective: Objective| objectives.iter().position(|&other| other == objective).expect("it is listed");
    let panels: Vec<Panel<'_>> =
        fronts.iter().map(|front| Panel::new(asked, estimates, front, values.designs(), &tables, position)).collect();
    let tallies = tallies(asked, &tables, &panels, pool);
    let study = |(panel, tally): (&Panel<'_>, FrontTally)| panel.uncertainty(sweep, asked, estimates.level(), &tally);
    panels.iter().zip(tallies).map(study).collect()
}

/// All draws, by panel.
fn tallies(asked: &FrontAnalysis, tables: &[Observations], panels: &[Panel<'_>], pool: &ThreadPool) -> Vec<FrontTally> {
    let resampling = Resampling { draws: asked.draws, seed: asked.seed };
    let empty = || -> Vec<FrontTally> {
        panels.iter().map(|panel| FrontTally::new(panel.objectives.means(), &panel.question)).collect()
    };
    let chunk = |first: u32| {
        let mut tallies = empty();
        let mut counts = vec![0; tables[0].replications()];
        let mut means = vec![Vec::new(); tables.len()];
        let mut points = Vec::new();
        for draw in (first..asked.draws).take(DRAWS_AT_A_TIME as usize) {
            resampling.counts(draw, &mut counts);
            for (table, means) in tables.iter().zip(&mut means) {
                table.resampled_means(&counts, means);
            }
            for (panel, tally) in panels.iter().zip(&mut tallies) {
                points.clear();
                points.extend(means[panel.x_table].iter().copied().zip(means[panel.y_table].iter().copied()));
                tally.add(&points);
            }
        }
        tallies
    };
    let firsts: Vec<u32> = (0..asked.draws).step_by(DRAWS_AT_A_TIME as usize).collect();
    let chunks: Vec<Vec<FrontTally>> = pool.install(|| firsts.into_par_iter().map(chunk).collect());
    let mut all = empty();
    for chunk in chunks {
        all.iter_mut().zip(chunk).for_each(|(tally, more)| tally.merge(more));
    }
    all
}

/// A front with its observations.
struct Panel<'a> {
    front: &'a Front,
    designs: &'a [usize],
    /// The tables of its objectives, by position.
    x_table: usize,
    y_table: usize,
    objectives: Objectives,
    question: FrontQuestion,
}

impl<'a> Panel<'a> {
    fn new(
        asked: &FrontAnalysis,
        estimates: &Estimates,
        front: &'a Front,
        designs: &'a [usize],
        tables: &[Observations],
        position: impl Fn(Objective) -> usize,
    ) -> Self {
        let (x_table, y_table) = (position(front.x), position(front.y));
        let objectives = Objectives::new(tables[x_table].clone(), tables[y_table].clone()).expect("of the same runs");
        let unseen = |&design: &usize| {
            let estimate = estimates.get(design, front.y.mode, front.y.metric, MEAN);
            (estimate.method == "zero_events").then_some(estimate.hi.unwrap_or(f64::INFINITY))
        };
        let question = FrontQuestion {
            zone: asked.zone_of(front.x.metric, front.y.metric),
            unseen: designs.iter().map(unseen).collect(),
            reference: asked.reference_of(front.x.metric, front.y.metric),
            band_at: band_at(&objectives.means()),
        };
        Self { front, designs, x_table, y_table, objectives, question }
    }

    fn uncertainty(&self, sweep: &Sweep, asked: &FrontAnalysis, level: Level, tally: &FrontTally) -> FrontUncertainty {
        let replications = self.objectives.x().replications();
        let knee = tally.knee();
        let means = self.objectives.means();
        let shown: Vec<usize> = self.front.families.iter().flat_map(|(_, points)| points).map(|p| p.design).collect();
        let design = |(position, membership): (usize, Membership)| {
            let column = |table: &Observations| table.column(position).collect::<Vec<f64>>();
            let design = self.designs[position];
            let ellipse = (membership.observed && shown.contains(&design))
                .then(|| covariance_ellipse(&column(self.objectives.x()), &column(self.objectives.y()), level));
            let knee = knee.shares[position];
            DesignOnFront { design, means: means[position], membership, knee, ellipse: ellipse.flatten() }
        };
        let area = tally.hypervolume(replications, level);
        FrontUncertainty {
            x: self.front.x,
            y: self.front.y,
            replications: replications as u32,
            designs: tally.memberships().into_iter().enumerate().map(design).collect(),
            knee: knee.knee.map(|position| (self.designs[position], knee.shares[position])),
            band: tally.attainment(Level::new(BAND_LEVEL).expect("a level")),
            hypervolume: self.question.reference.zip(area).map(|(reference, area)| Hypervolume { reference, area }),
            selection: asked.selecting(replications as u32).map(|selecting| self.selection(sweep, selecting, level)),
        }
    }

    /// Splits the replications: they are independent of each other, so those that come later know nothing of the choice.
    fn selection(&self, sweep: &Sweep, selecting: u32, level: Level) -> Selection {
        let (x, y) = (self.objectives.x(), self.objectives.y());
        let (first, last) = (selecting as usize, x.replications());
        let by: Vec<(f64, f64)> = x.only(0..first).means().into_iter().zip(y.only(0..first).means()).collect();
        let mut chosen = vec![false; by.len()];
        for point in front(&by).expect("means of observations are numbers") {
            chosen[point.index] = true;
            point.ties.iter().for_each(|&tie| chosen[tie] = true);
        }
        let (x, y) = (x.only(first..last), y.only(first..last));
        let designs: Vec<SelectedDesign> = (0..by.len())
            .map(|position| {
                let design = self.designs[position];
                let estimate = |table: &Observations, objective| {
                    estimate(sweep, design, objective, &table.column(position).collect::<Vec<_>>(), level)
                };
                SelectedDesign {
                    design,
                    chosen: chosen[position],
                    selected_by: by[position],
                    x: estimate(&x, self.front.x),
                    y: estimate(&y, self.front.y),
                }
            })
            .collect();
        let area_of_chosen = |of: fn(&SelectedDesign) -> Option<(f64, f64)>| {
            let points: Vec<(f64, f64)> = designs.iter().filter(|design| design.chosen).filter_map(of).collect();
            hypervolume(&points, self.question.reference?).ok()
        };
        let hypervolume = area_of_chosen(|design| Some(design.selected_by))
            .zip(area_of_chosen(|design| design.x.value.zip(design.y.value)));
        let knee = knee(&by).expect("means of observations are numbers");
        Selection { selecting, reporting: (last - first) as u32, designs, knee, hypervolume }
    }
}

/// The mean of a design's objective in some replications, as the summary has it for all of them.
fn estimate(sweep: &Sweep, design: usize, objective: Objective, values: &[f64], level: Level) -> Estimate {
    let of_values = mean(values, level);
    let mut estimate = Estimate {
        metric: objective.metric,
        estimator: MEAN,
        n: of_values.n,
        value: of_values.value,
        lo: of_values.interval.map(|interval| interval.lo),
        hi: of_values.interval.map(|interval| interval.hi),
        method: "t",
    };
    if values.iter().all(|&value| value == 0.0) {
        let unseen = NeverSeen::new(&sweep.scenario, &sweep.modes[objective.mode], &sweep.designs[design].rule);
        let measure = |measure: &Measure| measure.metric == objective.metric && measure.estimator == MEAN;
        let measure = measures(false).into_iter().find(measure).expect("an objective is measured");
        (estimate.lo, estimate.hi, estimate.method) = match unseen.cannot_happen(objective.metric) {
            true => (Some(0.0), Some(0.0), "exact"),
            false => (Some(0.0), unseen.upper_end(&measure, of_values.n, level), "zero_events"),
        };
    }
    estimate
}

/// Where the band is drawn: at every design of the front, and evenly between all designs and a little to either side.
fn band_at(means: &[(f64, f64)]) -> Vec<f64> {
    const STEPS: u32 = 60;
    let x = means.iter().map(|mean| mean.0);
    let (least, most) = x.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(x), most.max(x)));
    let margin = 0.1 * (most - least);
    let step = |step: u32| {
        let share = f64::from(step) / f64::from(STEPS);
        // As even as it can be on either kind of axis.
        let straight = least - margin + share * (most - least + 2.0 * margin);
        [Some(straight), (least > 0.0).then(|| least * 0.8 * (most / least / 0.64).powf(share))]
    };
    let front = front(means).expect("means of observations are numbers");
    let mut at: Vec<f64> = (0..=STEPS).flat_map(step).flatten().chain(front.into_iter().map(|point| point.x)).collect();
    at.sort_unstable_by(f64::total_cmp);
    at.dedup();
    at
}

impl FrontUncertainty {
    /// What is said of a design, by its index into [`Sweep::designs`]; `None` for one that is an earlier one in other words.
    #[must_use]
    pub fn design(&self, design: usize) -> Option<&DesignOnFront> {
        self.designs.binary_search_by_key(&design, |known| known.design).ok().map(|at| &self.designs[at])
    }
}
