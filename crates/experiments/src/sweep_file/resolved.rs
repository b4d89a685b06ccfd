//! A sweep written out: every default filled in, every axis as its values. It is itself a sweep file of the same sweep.

use engine::{Distribution, Duration};
use policies::Value;
use scenario::{ArrivalProcess, FaultAt, Horizon, Mode, Opening, OutcomeAt, Regime, Scenario, Start};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::race::RaceForm;
use super::replications::ReplicationsForm;
use super::resolved_service::{RegimeOptionsForm, ServiceForm};
use super::rules::{AxisValues, Grid};
use super::{Analysis, Sweep};

/// A sweep in its canonical form: the same for every file that says the same, whatever its comments, its order of keys and
/// its way of writing an axis.
///
/// Serialised as TOML it is a sweep file that reads as the sweep it came from; as JSON it belongs into a manifest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResolvedSweep {
    name: String,
    root_seed: u64,
    replications: ReplicationsForm,
    level: f64,
    modes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    analysis: Option<AnalysisForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    race: Option<RaceForm>,
    scenario: ScenarioForm,
    mode: Vec<ModeForm>,
    rule: Vec<RuleForm>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct AnalysisForm {
    #[serde(flatten)]
    keys: Analysis,
    #[serde(skip_serializing_if = "Option::is_none")]
    current: Option<RuleForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<RuleForm>,
}

impl AnalysisForm {
    /// What is asked for, if anything is; designs as rules of one value for each key.
    fn of(sweep: &Sweep) -> Option<Self> {
        let analysis = &sweep.analysis;
        let rule = |design: usize| RuleForm::from(&sweep.only(design));
        (!analysis.is_plain()).then(|| Self {
            keys: analysis.clone(),
            current: analysis.current.map(rule),
            baseline: analysis.baseline.map(rule),
        })
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ScenarioForm {
    slots: u32,
    horizon: HorizonForm,
    warm_up: String,
    fault_at: FaultAtForm,
    outcome: &'static str,
    rejection_hold: String,
    #[serde(flatten)]
    service: ServiceForm,
    dependency: FlowForm,
    neighbour: FlowForm,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum HorizonForm {
    At(String),
    AfterFault { after_fault: String },
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum FaultAtForm {
    Fixed(String),
    Uniform { uniform: [String; 2] },
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct FlowForm {
    arrivals: ArrivalsForm,
    #[serde(skip_serializing_if = "Option::is_none")]
    hold: Option<HoldForm>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum ArrivalsForm {
    Poisson { rate: String },
    Even { rate: String },
    Bursty { quiet_rate: String, burst_rate: String, mean_quiet: String, mean_burst: String },
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum HoldForm {
    Deterministic { value: String },
    Uniform { from: String, to: String },
    Exponential { mean: String },
    LogNormal { median: String, sigma: f64 },
    Weibull { scale: String, shape: f64 },
    Empirical { values: Vec<String> },
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ModeForm {
    name: String,
    regime: Vec<RegimeForm>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct RegimeForm {
    at: String,
    name: String,
    failure_probability: f64,
    opening: &'static str,
    #[serde(flatten)]
    options: RegimeOptionsForm,
    success_hold: HoldForm,
    failure_hold: HoldForm,
}

/// A rule: its kind, its axes by key, and what is zipped.
#[derive(Clone, Debug, PartialEq)]
struct RuleForm {
    kind: &'static str,
    axes: Vec<(&'static str, AxisForm)>,
    zip: Vec<Vec<&'static str>>,
}

impl Serialize for RuleForm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", self.kind)?;
        for (key, values) in &self.axes {
            map.serialize_entry(key, values)?;
        }
        if !self.zip.is_empty() {
            map.serialize_entry("zip", &self.zip)?;
        }
        map.end()
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum AxisForm {
    Counts(Vec<u32>),
    Shares(Vec<f64>),
    Times(Vec<String>),
    Values(Vec<ValueForm>),
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum ValueForm {
    Whole(u64),
    Number(f64),
    Flag(bool),
    Text(String),
}

impl From<&Value> for ValueForm {
    fn from(value: &Value) -> Self {
        match *value {
            Value::Number(number) if number.fract() == 0.0 && (0.0..1e15).contains(&number) => {
                Self::Whole(number as u64)
            }
            Value::Number(number) => Self::Number(number),
            Value::Flag(flag) => Self::Flag(flag),
            Value::Word(word) => Self::Text(word.to_owned()),
            Value::Time(time) => Self::Text(time.to_string()),
            Value::Times(times) => Self::Text(times.to_string()),
        }
    }
}

/// The first value of an axis as TOML.
pub(super) fn written(values: &AxisValues) -> String {
    let text = |text: &str| format!("\"{text}\"");
    match values {
        AxisValues::Counts(values) => values[0].to_string(),
        AxisValues::Shares(values) => values[0].to_string(),
        AxisValues::Times(values) => text(&values[0].to_string()),
        AxisValues::Values(values) => match ValueForm::from(&values[0]) {
            ValueForm::Whole(number) => number.to_string(),
            ValueForm::Number(number) => number.to_string(),
            ValueForm::Flag(flag) => flag.to_string(),
            ValueForm::Text(word) => text(&word),
        },
    }
}

impl Sweep {
    /// The sweep written out.
    #[must_use]
    pub fn resolved(&self) -> ResolvedSweep {
        ResolvedSweep {
            name: self.name.clone(),
            root_seed: self.root_seed,
            replications: ReplicationsForm::new(self.replications, self.stopping.as_ref(), &self.modes),
            level: self.level,
            modes: self.modes.iter().map(|mode| mode.name.clone()).collect(),
            analysis: AnalysisForm::of(self),
            race: self.race.as_ref().map(|race| RaceForm::new(race, self.stopping.is_none())),
            scenario: (&self.scenario).into(),
            mode: self.modes.iter().map(ModeForm::from).collect(),
            rule: self.grids.iter().map(RuleForm::from).collect(),
        }
    }
}

impl From<&Scenario> for ScenarioForm {
    fn from(scenario: &Scenario) -> Self {
        Self {
            slots: scenario.slots,
            horizon: match scenario.horizon {
                Horizon::At(end) => HorizonForm::At(end.to_string()),
                Horizon::AfterFault(after) => HorizonForm::AfterFault { after_fault: after.to_string() },
            },
            warm_up: scenario.warm_up.to_string(),
            fault_at: match scenario.fault_at {
                FaultAt::Fixed(at) => FaultAtForm::Fixed(at.to_string()),
                FaultAt::Uniform { from, to } => FaultAtForm::Uniform { uniform: [from.to_string(), to.to_string()] },
            },
            outcome: match scenario.outcome {
                OutcomeAt::Completion => "at_completion",
                OutcomeAt::Admission => "at_admission",
            },
            rejection_hold: scenario.rejection_hold.to_string(),
            service: (&scenario.service).into(),
            dependency: FlowForm { arrivals: (&scenario.dependency).into(), hold: None },
            neighbour: FlowForm {
                arrivals: (&scenario.neighbour).into(),
                hold: Some((&scenario.neighbour_hold).into()),
            },
        }
    }
}

pub(super) fn per_second(rate: f64) -> String {
    // The debug form has an exponent where there would be a long row of zeros.
    format!("{}/s", format!("{rate:?}").trim_end_matches(".0"))
}

impl From<&ArrivalProcess> for ArrivalsForm {
    fn from(process: &ArrivalProcess) -> Self {
        match *process {
            ArrivalProcess::Poisson { rate } => Self::Poisson { rate: per_second(rate) },
            ArrivalProcess::Even { rate } => Self::Even { rate: per_second(rate) },
            ArrivalProcess::Bursty { quiet_rate, burst_rate, mean_quiet, mean_burst } => Self::Bursty {
                quiet_rate: per_second(quiet_rate),
                burst_rate: per_second(burst_rate),
                mean_quiet: mean_quiet.to_string(),
                mean_burst: mean_burst.to_string(),
            },
        }
    }
}

impl From<&Distribution> for HoldForm {
    fn from(law: &Distribution) -> Self {
        match law {
            Distribution::Deterministic(value) => Self::Deterministic { value: value.to_string() },
            Distribution::Uniform { from, to } => Self::Uniform { from: from.to_string(), to: to.to_string() },
            Distribution::Exponential { mean } => Self::Exponential { mean: mean.to_string() },
            Distribution::LogNormal { median, sigma } => Self::LogNormal { median: median.to_string(), sigma: *sigma },
            Distribution::Weibull { scale, shape } => Self::Weibull { scale: scale.to_string(), shape: *shape },
            Distribution::Empirical(values) => {
                Self::Empirical { values: values.iter().map(ToString::to_string).collect() }
            }
        }
    }
}

impl From<&Mode> for ModeForm {
    fn from(mode: &Mode) -> Self {
        let regimes = mode.timeline.iter().map(|(start, regime)| RegimeForm::new(*start, regime));
        Self { name: mode.name.clone(), regime: regimes.collect() }
    }
}

impl RegimeForm {
    fn new(start: Start, regime: &Regime) -> Self {
        Self {
            at: match start {
                Start::At(at) => at.to_string(),
                Start::AfterFault(Duration::ZERO) => "fault".to_owned(),
                Start::AfterFault(after) => format!("fault + {after}"),
            },
            name: regime.name.clone(),
            failure_probability: regime.failure_probability,
            opening: match regime.opening {
                Opening::Right => "right",
                Opening::False => "false",
            },
            options: (&regime.options).into(),
            success_hold: (&regime.success_hold).into(),
            failure_hold: (&regime.failure_hold).into(),
        }
    }
}

impl From<&Grid> for RuleForm {
    fn from(grid: &Grid) -> Self {
        let axes = grid.axes.iter().map(|(key, values)| {
            let form = match values {
                AxisValues::Counts(values) => AxisForm::Counts(values.clone()),
                AxisValues::Shares(values) => AxisForm::Shares(values.clone()),
                AxisValues::Times(values) => AxisForm::Times(values.iter().map(ToString::to_string).collect()),
                AxisValues::Values(values) => AxisForm::Values(values.iter().map(ValueForm::from).collect()),
            };
            (*key, form)
        });
        let keys = |group: &Vec<usize>| group.iter().map(|&place| grid.axes[place].0).collect();
        Self { kind: grid.family.name(), axes: axes.collect(), zip: grid.zip.iter().map(keys).collect() }
    }
}
