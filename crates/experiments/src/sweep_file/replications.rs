//! `replications`: a number, or a table that says how precise the results have to be.

use scenario::Opening;
use serde::Serialize;
use statistics::{Looks, Precision};

use super::document::{Place, Report, clipped};
use super::field::{Field, Section, suggestion};
use super::modes::Modes;
use super::world::World;
use crate::fronts::{LOSS, THEMES};
use crate::measures::{CONDITIONAL_MEAN, Measure, measures};

const DEFAULT: u32 = 200;
/// Enough for proportions and skewed metrics to be covered at the level after stopping.
const DEFAULT_MIN: u64 = 100;
const DEFAULT_BLOCK: u64 = 100;
const EXAMPLE: &str = "{ metric = \"false_open_rejections\", relative = 0.1, floor = 0.5 }";

/// When a sweep has replications enough.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopping {
    /// After how many replications its precision is looked at.
    pub looks: Looks,
    /// What has to be precise, all of it at the same look; at least one.
    pub demands: Vec<Demand>,
}

/// An estimate that has to be precise.
#[derive(Clone, Debug, PartialEq)]
pub struct Demand {
    /// The metric of a [`Measure`] that exists in every run.
    pub metric: &'static str,
    /// What is estimated of it.
    pub estimator: &'static str,
    /// Where, as indices into [`Sweep::modes`](super::Sweep::modes), ascending; at least one.
    pub modes: Vec<usize>,
    /// Of which designs.
    pub designs: Demanded,
    /// How precise.
    pub precision: Precision,
    /// Whether a probability's interval has to hold at all looks together, which makes it wider.
    pub anytime: bool,
}

/// The designs that have to be precise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Demanded {
    /// All of them.
    All,
    /// Those on a front of the sweep at the look.
    Front,
}

impl Demand {
    /// What it is about, and from which number of a run.
    ///
    /// # Panics
    ///
    /// Never: demands are about measures.
    #[must_use]
    pub fn measure(&self) -> Measure {
        let all = measures(true).into_iter();
        let mut own = all.filter(|measure| (measure.metric, measure.estimator) == (self.metric, self.estimator));
        own.next().expect("a demand is about a measure")
    }
}

/// How many replications there are.
pub(super) struct Replications {
    /// All of them, or as many as there are at most.
    pub(super) number: u32,
    /// Until what is precise.
    pub(super) stopping: Option<Stopping>,
}

/// Reads the value of the key; `argument` is a number on the command line, which replaces it.
pub(super) fn read(
    field: Option<Field<'_>>,
    argument: Option<u32>,
    world: &World,
    modes: &Modes,
    report: &mut Report<'_>,
) -> Replications {
    if argument == Some(0) {
        report.add(Place::Replications, "replications", "0 replications are none", "ask for 1 or more, such as 200");
    }
    let stopping = match &field {
        Some(field) if field.is_table() => Reader { world, modes }.stopping(field, report),
        _ => None,
    };
    let number = match (&stopping, field) {
        (Some(stopping), _) => Some(stopping.looks.max()),
        (None, Some(field)) if !field.is_table() => field.whole(1..=u64::from(u32::MAX), 200, report),
        _ => None,
    };
    match argument {
        Some(number) => Replications { number, stopping: None },
        None => {
            let number = number.and_then(|number| u32::try_from(number).ok());
            Replications { number: number.unwrap_or(DEFAULT), stopping }
        }
    }
}

struct Reader<'a> {
    world: &'a World,
    modes: &'a Modes,
}

impl Reader<'_> {
    fn stopping(&self, field: &Field<'_>, report: &mut Report<'_>) -> Option<Stopping> {
        let mut section = field.section("", report)?;
        let looks = looks(&mut section, report);
        let precision = section.required("precision", &format!("precision = {EXAMPLE}"), report);
        section.finish(report);
        let demands = self.demands(&precision?, report);
        Some(Stopping { looks: looks?, demands: demands? })
    }

    fn demands(&self, field: &Field<'_>, report: &mut Report<'_>) -> Option<Vec<Demand>> {
        if field.is_table() {
            return Some(vec![self.demand(field, report)?]);
        }
        let Some(elements) = field.elements().map(|elements| elements.collect::<Vec<_>>()) else {
            field.mismatch(report, "a table, or a list of tables", EXAMPLE);
            return None;
        };
        if elements.is_empty() {
            field.blame(report, "nothing has to be precise", format!("name a metric: precision = {EXAMPLE}"));
            return None;
        }
        let demands: Vec<_> = elements.iter().map(|element| self.demand(element, report)).collect();
        demands.into_iter().collect()
    }

    fn demand(&self, field: &Field<'_>, report: &mut Report<'_>) -> Option<Demand> {
        let mut section = field.section(EXAMPLE, report)?;
        let metric = section.required("metric", "metric = \"false_open_rejections\"", report);
        let estimator = section.optional("estimator");
        let measure = metric.and_then(|metric| self.measure(&metric, estimator.as_ref(), report));
        let precision = precision(field, &mut section, report);
        let anytime = match section.optional("rule") {
            None => Some(false),
            Some(rule) => match (rule.word(&["exact", "anytime"], report), measure) {
                (Some(_), Some(measure)) if !measure.is_probability() => {
                    let problem = format!("`rule` is about probabilities, and this is the {}", in_words(&measure));
                    rule.blame(report, problem, "leave it out: means have Student's t");
                    None
                }
                (word, _) => word.map(|word| word == "anytime"),
            },
        };
        let designs = match section.optional("designs") {
            None => Some(Demanded::All),
            Some(designs) => self.demanded(&designs, report),
        };
        let named = section.optional("modes");
        let modes = measure.and_then(|measure| self.modes(named.as_ref(), &measure, report));
        section.finish(report);
        let Measure { metric, estimator, .. } = measure?;
        Some(Demand { metric, estimator, modes: modes?, designs: designs?, precision: precision?, anytime: anytime? })
    }

    fn demanded(&self, field: &Field<'_>, report: &mut Report<'_>) -> Option<Demanded> {
        let word = field.word(&["all", "front"], report)?;
        let (right, wrong) = self.modes_by_opening();
        if word == "front" && (right.is_empty() || wrong.is_empty()) && !self.modes.run.is_empty() {
            let (have, lack) = if right.is_empty() { ("false", "right") } else { ("right", "false") };
            field.blame(
                report,
                format!("there is no front: opening is {have} in every mode"),
                format!("add a mode in which opening is {lack}, or write designs = \"all\""),
            );
            return None;
        }
        Some(if word == "front" { Demanded::Front } else { Demanded::All })
    }

    /// The measure that is meant: the given estimator, or the first that exists in every run.
    fn measure(&self, metric: &Field<'_>, estimator: Option<&Field<'_>>, report: &mut Report<'_>) -> Option<Measure> {
        let name = metric.text("the name of a metric", "\"false_open_rejections\"", report)?;
        let known = measures(self.needs_the_richer_world());
        let of_metric: Vec<Measure> = known.iter().copied().filter(|measure| measure.metric == name).collect();
        let usable: Vec<Measure> = of_metric.iter().copied().filter(Measure::exists_in_every_run).collect();
        if usable.is_empty() {
            let mut names: Vec<&str> =
                known.iter().filter(|measure| measure.exists_in_every_run()).map(|measure| measure.metric).collect();
            names.dedup();
            names.sort_unstable();
            names.dedup();
            if measures(true).iter().any(|measure| measure.metric == name) && of_metric.is_empty() {
                let problem = format!(
                    "the metric \"{name}\" does not exist in this sweep's world, which asks for nothing of that kind"
                );
                metric.blame(report, problem, suggestion("", &names, "use one that does"));
            } else if of_metric.is_empty() {
                let problem = format!("there is no metric \"{}\"", clipped(name));
                metric.blame(report, problem, suggestion(name, &names, "use one of these"));
            } else {
                let problem = format!(
                    "the metric \"{name}\" exists only in some runs, so its precision says nothing about the others"
                );
                metric.blame(report, problem, suggestion(name, &names, "use one that exists in every run"));
            }
            return None;
        }
        let estimators: Vec<&'static str> = usable.iter().map(|measure| measure.estimator).collect();
        match estimator {
            None if name == "detection_outcome" => {
                metric.blame(
                    report,
                    "several things are estimated of \"detection_outcome\", and it is not said which is meant",
                    format!(
                        "add for instance estimator = \"{}\" (known here: {})",
                        estimators[0],
                        estimators.join(", ")
                    ),
                );
                None
            }
            None => Some(usable[0]),
            Some(field) => {
                let text = field.text("the name of an estimator", &format!("\"{}\"", estimators[0]), report)?;
                let meant = usable.iter().find(|measure| measure.estimator == text).copied();
                if meant.is_none() {
                    let problem = if text == CONDITIONAL_MEAN {
                        format!(
                            "the {text} of {name} is about some runs only, so its precision says nothing about the others"
                        )
                    } else {
                        format!("there is no estimator \"{}\" of {name}", clipped(text))
                    };
                    field.blame(report, problem, suggestion(text, &estimators, "use one of these"));
                }
                meant
            }
        }
    }

    fn modes(&self, named: Option<&Field<'_>>, measure: &Measure, report: &mut Report<'_>) -> Option<Vec<usize>> {
        let Some(field) = named else { return Some(self.where_it_matters(measure)) };
        let names: Vec<&str> = self.modes.run.iter().map(|mode| mode.mode.name.as_str()).collect();
        let example = format!("[\"{}\"]", names.first().unwrap_or(&"healthy"));
        let Some(elements) = field.elements().map(|elements| elements.collect::<Vec<_>>()) else {
            field.mismatch(report, "a list of modes", &example);
            return None;
        };
        if elements.is_empty() {
            field.blame(report, "the list is empty", "name a mode, or leave the key out");
            return None;
        }
        let mut modes = Vec::new();
        for element in &elements {
            let name = element.text("the name of a mode", "\"healthy\"", report)?;
            match names.iter().position(|known| *known == name) {
                Some(mode) if modes.contains(&mode) => {
                    element.blame(report, format!("the mode \"{name}\" is listed twice"), "list every mode once");
                    return None;
                }
                Some(mode) if !self.counts(measure, mode) => {
                    let problem = format!("{} is not counted in the mode \"{name}\"", measure.metric);
                    element.blame(report, problem, "leave the mode out: nothing in it needs the richer world");
                    return None;
                }
                Some(mode) => modes.push(mode),
                // Modes that could not be read have been reported.
                None if !report.is_clean() => return None,
                None => {
                    let problem = format!("this sweep does not simulate a mode \"{}\"", clipped(name));
                    element.blame(report, problem, suggestion(name, &names, "use one of these"));
                    return None;
                }
            }
        }
        modes.sort_unstable();
        Some(modes)
    }

    /// What a metric says of a broken dependency matters where opening is right, and what it says of a false alarm where it
    /// is false; the others matter everywhere.
    fn where_it_matters(&self, measure: &Measure) -> Vec<usize> {
        let (right, wrong) = self.modes_by_opening();
        let metric = measure.metric;
        let own = if metric == LOSS || metric == "false_openings" {
            wrong
        } else if metric.starts_with("detect") || THEMES.iter().any(|theme| theme.metric == metric) {
            right
        } else {
            Vec::new()
        };
        if own.is_empty() {
            (0..self.modes.run.len()).filter(|&mode| self.counts(measure, mode)).collect()
        } else {
            own
        }
    }

    fn counts(&self, measure: &Measure, mode: usize) -> bool {
        !measure.is_watched_in_the_richer_world_only() || self.is_richer(mode)
    }

    fn is_richer(&self, mode: usize) -> bool {
        !self.world.scenario.service.beyond_the_plain_world(&self.modes.run[mode].mode).is_empty()
    }

    fn needs_the_richer_world(&self) -> bool {
        (0..self.modes.run.len()).any(|mode| self.is_richer(mode))
    }

    fn modes_by_opening(&self) -> (Vec<usize>, Vec<usize>) {
        (0..self.modes.run.len()).partition(|&mode| self.modes.run[mode].mode.opening_during_fault() == Opening::Right)
    }
}

/// `probability of detected`, say.
fn in_words(measure: &Measure) -> String {
    format!("{} of {}", measure.estimator.replace('_', " "), measure.metric)
}

fn looks(section: &mut Section<'_>, report: &mut Report<'_>) -> Option<Looks> {
    let most = u64::from(u32::MAX);
    let min = section.optional("min").map(|field| (field.whole(2..=most, DEFAULT_MIN, report), field));
    let max = section.required("max", "max = 5000", report);
    let max_value = max.as_ref().and_then(|field| field.whole(2..=most, 5000, report));
    let block = section.optional("block").map(|field| field.whole(1..=most, DEFAULT_BLOCK, report));
    let block = block.map_or(Some(DEFAULT_BLOCK), |block| block);
    let (min, blamed) = match &min {
        Some((min, field)) => (*min, Some(field)),
        None => (Some(DEFAULT_MIN), max.as_ref()),
    };
    let (min, max, block) = (min?, max_value?, block?);
    let looks = Looks::new(min, max, block);
    if looks.is_err()
        && let Some(field) = blamed
    {
        let problem = format!("the fewest replications, {min}, are more than the most, {max}");
        field.blame(report, problem, format!("write for instance min = {} and max = {}", min.min(max), min.max(max)));
    }
    looks.ok()
}

fn precision(field: &Field<'_>, section: &mut Section<'_>, report: &mut Report<'_>) -> Option<Precision> {
    const EXPECTED: &str = "a number above 0";
    let positive = |x: f64| x > 0.0;
    let absolute = section.optional("absolute");
    let relative = section.optional("relative");
    let floor = section.optional("floor");
    match (absolute, relative) {
        (None, None) => {
            field.blame(
                report,
                "it is not said how precise",
                "add absolute = 2.0 (a half-width in the metric's unit), or relative = 0.1 with floor = 0.5",
            );
            None
        }
        (Some(absolute), Some(_)) => {
            absolute.blame(
                report,
                "the precision is given twice, absolute and relative",
                "keep one: `relative` with `floor` asks for whichever half-width is larger",
            );
            None
        }
        (Some(absolute), None) => {
            if let Some(floor) = floor {
                floor.blame(report, "`floor` belongs to `relative`", "leave it out beside `absolute`");
                return None;
            }
            absolute.number(EXPECTED, "2.0", positive, report).map(Precision::Absolute)
        }
        (None, Some(relative)) => {
            let share = relative.number(
                "a share of the value between 0 and 1, both excluded",
                "0.1",
                |x| x > 0.0 && x < 1.0,
                report,
            );
            let Some(floor) = floor else {
                relative.blame(
                    report,
                    "a relative precision without a floor never ends where the value is near zero",
                    "add the half-width, in the metric's unit, below which nothing more is asked, such as floor = 0.5",
                );
                return None;
            };
            let floor = floor.number(EXPECTED, "0.5", positive, report);
            Some(Precision::Relative { share: share?, floor: floor? })
        }
    }
}

/// What the user should know of the looks.
pub(super) fn note(stopping: &Stopping) -> Option<String> {
    (stopping.looks.min() < 30).then(|| {
        format!(
            "the first look is after {} replications: intervals of so few are narrow by chance, so that stopping at them covers \
             less than the level says; `replications.min` should be 30 at least, and 100 for probabilities and skewed metrics",
            stopping.looks.min()
        )
    })
}

/// `replications` written out.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum ReplicationsForm {
    Number(u32),
    Until { min: u64, max: u64, block: u64, precision: Vec<DemandForm> },
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct DemandForm {
    metric: &'static str,
    estimator: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    absolute: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relative: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    designs: Demanded,
    modes: Vec<String>,
}

impl ReplicationsForm {
    pub(super) fn new(number: u32, stopping: Option<&Stopping>, modes: &[scenario::Mode]) -> Self {
        let Some(Stopping { looks, demands }) = stopping else { return Self::Number(number) };
        let form = |demand: &Demand| {
            let (absolute, relative, floor) = match demand.precision {
                Precision::Absolute(half_width) => (Some(half_width), None, None),
                Precision::Relative { share, floor } => (None, Some(share), Some(floor)),
            };
            let rule = if demand.anytime { "anytime" } else { "exact" };
            DemandForm {
                metric: demand.metric,
                estimator: demand.estimator,
                absolute,
                relative,
                floor,
                rule: demand.measure().is_probability().then_some(rule),
                designs: demand.designs,
                modes: demand.modes.iter().map(|&mode| modes[mode].name.clone()).collect(),
            }
        };
        let precision = demands.iter().map(form).collect();
        Self::Until { min: looks.min(), max: looks.max(), block: looks.block(), precision }
    }
}
