//! Rare openings by importance splitting of a world that goes on for ever.
//!
//! An *excursion* begins when a closed breaker comes nearer to opening than it usually is, and ends when it is back, or has
//! opened. The rate of openings is the rate of excursions times the probability that one of them opens. Levels of
//! [`Rule::closeness`] between the two are chosen in a pilot, so that about a fifth of the trials go from each to the next;
//! what is estimated then does not use the pilot again, so that the choice biases nothing.

use engine::StreamKey;
use policies::{AnyRule, Rule, RuleVisitor, Value};
use scenario::{SteadyRegime, SteadyWorld};
use statistics::{Entrances, Level, SplittingPlan, splitting_rate};

use super::{Finding, Method, RARE_ENOUGH};

/// How much is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Trials from each level to the next, in each repetition: more where levels are far apart, and fewer where excursions
    /// are so long that it would take more than some ten seconds.
    pub trials: u32,
    /// Independent repetitions.
    pub repetitions: u32,
    /// Whether even what can be computed is estimated.
    pub simulate: bool,
}

impl Default for Effort {
    fn default() -> Self {
        Self { trials: 200, repetitions: 30, simulate: false }
    }
}

impl Effort {
    /// How many times as much as usual.
    fn scale(self) -> f64 {
        let usual = Self::default();
        f64::from(self.trials) * f64::from(self.repetitions) / (f64::from(usual.trials) * f64::from(usual.repetitions))
    }
}

/// Questions and results of a pilot.
const PILOT: u64 = 100_000;
/// How many times as long a pilot may get to see a failure at all.
const LONGEST_PILOT: u64 = 40;
/// Openings in a pilot from which on they are plainly counted.
const FREQUENT: usize = 200;
/// Excursions that a pilot keeps.
const KEPT: usize = 1_000;
/// The share of trials that should reach the next level.
const ONWARD: f64 = 0.2;
/// As many of a pilot's trials should get there, in proportion to those that would do where levels are near each other.
const ENOUGH: f64 = 0.1;
/// The most questions and results that a pilot spends on that, at the usual effort.
const LONGEST_STAGE: f64 = 2e6;
/// How many questions and results all trials of all repetitions may take, at the usual effort.
const MOST_STEPS: f64 = 4e7;
/// What is said where a pilot gets no further.
const TOO_FAR_APART: &str = "of many trials none came nearer to opening, as happens with failures in a row that are heard of late: ask for more with \
     --effort, or let results be heard of at once with --set scenario.outcome=\"at_admission\"";
/// No fewer trials, however long they are.
const FEWEST_TRIALS: f64 = 40.0;
/// The most questions and results of a repetition in which excursions are waited for.
const LONGEST_WATCH: f64 = 400_000.0;
/// Seconds after which windows are full and the pool is as it usually is, and the most calls that are spent on it.
const WARM_UP: f64 = 120.0;
const WARM_UP_CALLS: f64 = 50_000.0;
/// Questions and results after which an excursion is given up.
const LONGEST_EXCURSION: u64 = 20_000_000;

/// Estimates how rarely a rule opens.
pub(super) fn find(rule: &AnyRule, regime: &SteadyRegime, effort: Effort, level: Level, seed: u64) -> Finding {
    rule.visit(Visitor { regime, effort, level, seed, warm_up: warm_up(rule, regime) })
}

/// Long enough for the longest time that the rule knows, twice over.
fn warm_up(rule: &AnyRule, regime: &SteadyRegime) -> f64 {
    let settings = rule.dialect().map(policies::Dialect::settings).unwrap_or_default();
    let times = settings.iter().filter_map(|(_, value)| match value {
        Value::Time(time) => Some(2.0 * time.as_secs_f64()),
        _ => None,
    });
    times.fold(WARM_UP, f64::max).min(WARM_UP_CALLS / regime.requests_per_second())
}

struct Visitor<'a> {
    regime: &'a SteadyRegime,
    effort: Effort,
    level: Level,
    seed: u64,
    warm_up: f64,
}

impl RuleVisitor for Visitor<'_> {
    type Output = Finding;

    fn visit<R: Rule>(self, rule: R) -> Finding {
        Search { rule, regime: self.regime, warm_up: self.warm_up }.find(self.effort, self.level, self.seed)
    }
}

struct Search<'a, R> {
    rule: R,
    regime: &'a SteadyRegime,
    warm_up: f64,
}

/// Where excursions begin and end, and the levels between.
#[derive(Clone, Debug, PartialEq)]
struct Levels {
    /// No nearer than this, an excursion is over.
    usual: f64,
    /// The first is where excursions begin. Without any, an excursion is an opening.
    levels: Vec<f64>,
    /// Whether the last stage leads to the opening, and not only to the last level.
    to_opening: bool,
}

impl Levels {
    fn stages(&self) -> u32 {
        let between = self.levels.len().saturating_sub(1) as u32;
        if self.to_opening { between + 1 } else { between }
    }

    /// What a stage leads to, counted from 1; `None` is the opening.
    fn target(&self, stage: u32) -> Option<f64> {
        self.levels.get(stage as usize).copied()
    }
}

/// What a watched world has shown.
struct Watched<R: Rule> {
    entrances: Vec<SteadyWorld<R>>,
    openings: usize,
    seconds: f64,
    calls: u64,
    steps: u64,
}

impl<R: Rule> Search<'_, R> {
    fn find(&self, effort: Effort, level: Level, seed: u64) -> Finding {
        let seeds = StreamKey::root(seed).child(0x7261_7265);
        let pilot = match self.pilot(seeds, effort) {
            Ok(pilot) => pilot,
            Err(reason) => return Finding::Refused { reason },
        };
        let Pilot { levels, trials, seconds, calls_per_second } = pilot;
        let plan =
            SplittingPlan { levels: levels.stages(), trials, repetitions: effort.repetitions, seed: seeds.word(3) };
        let watch = |seed: u64| {
            let mut world = SteadyWorld::new(self.rule, self.regime, seed);
            let mut armed = false;
            self.watch(&mut world, &mut armed, &levels, 0, |world, _| world.seconds() < self.warm_up);
            let until = world.seconds() + seconds;
            let watched = self.watch(&mut world, &mut armed, &levels, usize::MAX, |world, _| world.seconds() < until);
            Entrances { states: watched.entrances, watched: seconds }
        };
        let run = |world: SteadyWorld<R>, stage: u32, seed: u64| self.run(world, &levels, levels.target(stage), seed);
        let estimate = match splitting_rate(plan, watch, run, level) {
            Ok(estimate) => estimate.probability,
            Err(error) => return Finding::Refused { reason: error.to_string() },
        };
        let (Some(value), Some(interval)) = (estimate.value, estimate.interval) else {
            let reason = "no trial opened, though some did in the pilot: ask for more with --effort".to_owned();
            return Finding::Refused { reason };
        };
        if levels.to_opening {
            Finding::Rate { value, interval, calls_per_second }
        } else {
            Finding::AtLeast { seconds: 1.0 / interval.hi, method: Method::Splitting }
        }
    }

    /// Goes on from a state until the target (an opening if there is none), or until the excursion is over.
    fn run(
        &self,
        mut world: SteadyWorld<R>,
        levels: &Levels,
        target: Option<f64>,
        seed: u64,
    ) -> Option<SteadyWorld<R>> {
        world.reseed(seed);
        for _ in 0..LONGEST_EXCURSION {
            if world.has_opened() {
                return Some(world);
            }
            let closeness = self.closeness(&world);
            if target.is_some_and(|target| closeness >= target) {
                return Some(world);
            }
            if closeness <= levels.usual {
                return None;
            }
            world.step(self.rule, self.regime);
        }
        None
    }

    fn closeness(&self, world: &SteadyWorld<R>) -> f64 {
        world.closeness(self.rule).unwrap_or(0.0)
    }

    /// Follows the world while `goes_on`, which is told the number of steps, and keeps up to `keep` states in which an
    /// excursion began. `armed` says whether the latest excursion is over.
    fn watch(
        &self,
        world: &mut SteadyWorld<R>,
        armed: &mut bool,
        levels: &Levels,
        keep: usize,
        mut goes_on: impl FnMut(&SteadyWorld<R>, u64) -> bool,
    ) -> Watched<R> {
        let (since, calls_before) = (world.seconds(), world.calls());
        let mut watched = Watched { entrances: Vec::new(), openings: 0, seconds: 0.0, calls: 0, steps: 0 };
        while goes_on(world, watched.steps) {
            world.step(self.rule, self.regime);
            watched.steps += 1;
            let (opened, closeness) = (world.has_opened(), self.closeness(world));
            let begins = opened || levels.levels.first().is_some_and(|&first| closeness >= first);
            if *armed && begins {
                *armed = false;
                if watched.entrances.len() < keep {
                    watched.entrances.push(world.clone());
                }
            }
            if opened {
                watched.openings += 1;
                world.renew(self.rule);
                *armed = true;
            } else if closeness <= levels.usual {
                *armed = true;
            }
        }
        watched.seconds = world.seconds() - since;
        watched.calls = world.calls() - calls_before;
        watched
    }
}

/// What the pilot decides.
struct Pilot {
    levels: Levels,
    /// From each level to the next.
    trials: u32,
    /// How long each repetition waits for excursions.
    seconds: f64,
    calls_per_second: f64,
}

impl<R: Rule> Search<'_, R> {
    fn pilot(&self, seeds: StreamKey, effort: Effort) -> Result<Pilot, String> {
        let mut world = SteadyWorld::new(self.rule, self.regime, seeds.word(0));
        let mut armed = false;
        let none = Levels { usual: f64::INFINITY, levels: Vec::new(), to_opening: true };
        self.watch(&mut world, &mut armed, &none, 0, |world, _| world.seconds() < self.warm_up);

        // As long as nothing is seen, it goes on.
        let mut seen = Vec::new();
        let mut any = false;
        let plain = self.watch(&mut world, &mut armed, &none, 0, |world, steps| {
            let closeness = self.closeness(world);
            any |= closeness > 0.0;
            if steps < PILOT || closeness > 0.0 {
                seen.push(closeness);
            }
            steps < if any { PILOT } else { LONGEST_PILOT * PILOT }
        });
        let calls_per_second = plain.calls as f64 / plain.seconds;
        let steps_per_second = plain.steps as f64 / plain.seconds;
        let waiting = |rate: f64| (f64::from(effort.trials) / rate).min(LONGEST_WATCH / steps_per_second);
        if plain.openings >= FREQUENT {
            let seconds = waiting(plain.openings as f64 / plain.seconds);
            return Ok(Pilot { levels: none, trials: effort.trials, seconds, calls_per_second });
        }
        let Some((usual, first)) = usual_and_first(seen) else {
            return Err(format!(
                "in {} simulated calls the breaker came no nearer to opening than it always is: failures are too rare for \
                 splitting, or this rule does not look at them",
                plain.calls
            ));
        };
        let mut levels = Levels { usual, levels: vec![first], to_opening: true };
        let goes_on = |_: &SteadyWorld<R>, steps: u64| steps < PILOT.max(plain.steps);
        let mut excursions = self.watch(&mut world, &mut armed, &levels, KEPT, goes_on);
        if excursions.entrances.is_empty() {
            // What was seen once is seen again if one waits for as long again, and again.
            let goes_on = |_: &SteadyWorld<R>, steps: u64| steps < LONGEST_PILOT * PILOT;
            excursions = self.watch(&mut world, &mut armed, &levels, KEPT, goes_on);
        }
        if excursions.entrances.is_empty() {
            return Err("failures are too rare for splitting".to_owned());
        }
        let rate = excursions.entrances.len() as f64 / excursions.seconds;
        let trials = self.add_levels(&mut levels, excursions.entrances, rate, seeds.child(2), effort)?;
        Ok(Pilot { levels, trials, seconds: waiting(rate), calls_per_second })
    }

    /// Adds levels up to the opening, or until reaching the last one is so rare that no more needs to be known. Returns how
    /// many trials each level gets.
    fn add_levels(
        &self,
        levels: &mut Levels,
        mut from: Vec<SteadyWorld<R>>,
        mut rate: f64,
        seeds: StreamKey,
        effort: Effort,
    ) -> Result<u32, String> {
        let enough = (ENOUGH * f64::from(effort.trials)) as usize;
        let longest = (LONGEST_STAGE * effort.scale()) as u64;
        let (mut drawn, mut steps_per_trial, mut least_share) = (0_u64, 0.0, 1.0_f64);
        loop {
            let current = levels.levels.last().copied().unwrap_or(0.0);
            let mut paths: Vec<Path<R>> = Vec::new();
            let (mut steps, mut onward) = (0, 0);
            while paths.len() < effort.trials as usize || onward < enough && steps < longest {
                let start = (seeds.uniform(2 * drawn) * from.len() as f64) as usize;
                let path = self.follow(from[start].clone(), levels.usual, seeds.word(2 * drawn + 1));
                drawn += 1;
                steps += path.steps;
                onward += usize::from(path.nearest() > current);
                paths.push(path);
            }
            let trials = paths.len() as f64;
            let Some(next) = next_level(&paths, current) else {
                return Err(TOO_FAR_APART.to_owned());
            };
            let arrived: Vec<SteadyWorld<R>> = paths.into_iter().filter_map(|path| path.at(next)).collect();
            let share = arrived.len() as f64 / trials;
            steps_per_trial += steps as f64 / trials;
            least_share = least_share.min(share);
            rate *= share;
            let rare_enough = rate < 1.0 / (10.0 * RARE_ENOUGH);
            if next < f64::INFINITY {
                levels.levels.push(next);
                from = arrived;
            }
            if next == f64::INFINITY || rare_enough {
                levels.to_opening = next == f64::INFINITY;
                let wanted = f64::from(effort.trials) * (ONWARD / 2.0 / least_share).max(1.0);
                let affordable = effort.scale() * MOST_STEPS / (f64::from(effort.repetitions) * steps_per_trial);
                return Ok(wanted.min(affordable).max(FEWEST_TRIALS) as u32);
            }
        }
    }

    /// Follows an excursion to its end, and keeps every state in which it was nearer to the opening than before.
    fn follow(&self, mut world: SteadyWorld<R>, usual: f64, seed: u64) -> Path<R> {
        world.reseed(seed);
        let mut path = Path { records: Vec::new(), steps: 0 };
        let mut nearest = f64::NEG_INFINITY;
        for _ in 0..LONGEST_EXCURSION {
            let closeness = if world.has_opened() { f64::INFINITY } else { self.closeness(&world) };
            if closeness > nearest {
                nearest = closeness;
                path.records.push((closeness, world.clone()));
            }
            if closeness <= usual || closeness == f64::INFINITY {
                break;
            }
            world.step(self.rule, self.regime);
            path.steps += 1;
        }
        path
    }
}

/// The records of an excursion, each nearer to the opening than all before it; an opening is infinitely near.
struct Path<R: Rule> {
    records: Vec<(f64, SteadyWorld<R>)>,
    steps: u64,
}

impl<R: Rule> Path<R> {
    fn nearest(&self) -> f64 {
        self.records.last().map_or(f64::NEG_INFINITY, |(closeness, _)| *closeness)
    }

    /// The first state at a level.
    fn at(self, level: f64) -> Option<SteadyWorld<R>> {
        self.records.into_iter().find(|(closeness, _)| *closeness >= level).map(|(_, world)| world)
    }
}

/// The level that about the right share of paths reaches, beyond the current one; `None` if none goes beyond it.
fn next_level<R: Rule>(paths: &[Path<R>], current: f64) -> Option<f64> {
    let mut nearest: Vec<f64> = paths.iter().map(Path::nearest).collect();
    nearest.sort_by(f64::total_cmp);
    let wanted = nearest[nearest.len() - (ONWARD * nearest.len() as f64).ceil() as usize];
    if wanted > current { Some(wanted) } else { nearest.into_iter().find(|&nearest| nearest > current) }
}

/// How near a breaker usually is to opening, and the least that is clearly nearer; `None` if it is always the same.
fn usual_and_first(mut seen: Vec<f64>) -> Option<(f64, f64)> {
    seen.sort_by(f64::total_cmp);
    let median = seen[seen.len() / 2];
    let high = seen[seen.len() * 4 / 5];
    let first = seen.iter().copied().find(|&closeness| closeness > median.max(high));
    let first = first.or_else(|| seen.iter().copied().find(|&closeness| closeness > median))?;
    Some((median, first))
}
