//! The section `[scenario]`: flows, slot pool, horizon, warm-up, and what the given modes are made of.

use engine::{Distribution, Duration, Time};
use scenario::{ArrivalProcess, FaultAt, Horizon, Mode, Opening, OutcomeAt, Regime, Scenario};

use super::document::{Place, Report, Value};
use super::field::{Field, Section};
use super::laws::ArrivalPlaces;
use super::service::{self, RegimeChanges};

/// What the section says: the scenario, and what the given modes need.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) scenario: Scenario,
    /// How long after the fault the given modes turn healthy again.
    pub(super) heal_after: Option<Duration>,
    /// The given regimes, as the section changes them, in the order of [`Mode::GIVEN`].
    pub(super) regimes: Vec<Regime>,
    /// Where the instants are written, for what is said about how they fit together.
    pub(super) places: Places,
    /// Where the arrivals of the dependency's and of the neighbour's flow are written, if they are.
    pub(super) arrivals: [Option<ArrivalPlaces>; 2],
    /// Where the section is written.
    pub(super) here: Place,
}

/// Where the instants of the scenario are written; of what is left out, the section, or the line to change instead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub(super) horizon: Place,
    pub(super) warm_up: Place,
    pub(super) fault_at: Place,
    pub(super) heal_after: Place,
}

/// Reads the section; what is wrong in it is reported, and the default stands in.
pub(super) fn read(root: &mut Section<'_>, report: &mut Report<'_>) -> World {
    let mut world = World {
        scenario: Scenario::default(),
        heal_after: None,
        regimes: Mode::GIVEN.iter().filter_map(|name| Regime::given(name)).collect(),
        places: Places {
            horizon: root.place(),
            warm_up: root.place(),
            fault_at: root.place(),
            heal_after: root.place(),
        },
        arrivals: [None, None],
        here: root.place(),
    };
    let Some(field) = root.optional("scenario") else { return world };
    let Some(mut section) = field.section("{ slots = 32 }", report) else { return world };
    let here = section.place();
    world.here = here;
    world.places = Places { horizon: here, warm_up: here, fault_at: here, heal_after: here };
    read_numbers(&mut section, &mut world.scenario, report);
    read_instants(&mut section, &mut world, report);
    read_flows(&mut section, &mut world, report);
    read_regimes(&mut section, &mut world.regimes, report);
    let (options, places) = service::read(&mut section, report);
    section.finish(report);
    service::check(&options, world.scenario.slots, &places, here, report);
    world.scenario.service = options;
    world
}

fn read_numbers(section: &mut Section<'_>, scenario: &mut Scenario, report: &mut Report<'_>) {
    if let Some(slots) = section.optional("slots").and_then(|field| field.whole(1..=u64::from(u32::MAX), 32, report)) {
        scenario.slots = u32::try_from(slots).expect("the range is that of u32");
    }
    let outcomes = ["at_completion", "at_admission"];
    if let Some(word) = section.optional("outcome").and_then(|field| field.word(&outcomes, report)) {
        scenario.outcome = if word == outcomes[0] { OutcomeAt::Completion } else { OutcomeAt::Admission };
    }
    if let Some(hold) = section.optional("rejection_hold").and_then(|field| field.duration("10ms", report)) {
        scenario.rejection_hold = hold;
    }
}

fn read_instants(section: &mut Section<'_>, world: &mut World, report: &mut Report<'_>) {
    let World { scenario, places, heal_after, .. } = world;
    if let Some(field) = section.optional("horizon") {
        places.horizon = field.node.place;
        scenario.horizon = horizon(&field, report).unwrap_or(scenario.horizon);
    }
    if let Some(field) = section.optional("warm_up") {
        places.warm_up = field.node.place;
        scenario.warm_up = field.duration("20s", report).map_or(scenario.warm_up, after_start);
    }
    if let Some(field) = section.optional("fault_at") {
        places.fault_at = field.node.place;
        scenario.fault_at = fault_at(&field, report).unwrap_or(scenario.fault_at);
    }
    if !section.has("horizon") {
        // The usual end may be too early for a fault that is written; then that is the line to look at.
        places.horizon = places.fault_at;
    }
    if let Some(field) = section.optional("heal_after") {
        places.heal_after = field.node.place;
        *heal_after = field.positive_duration("15s", report);
    }
}

fn after_start(duration: Duration) -> Time {
    Time::ZERO + duration
}

fn horizon(field: &Field<'_>, report: &mut Report<'_>) -> Option<Horizon> {
    if !matches!(field.node.value, Value::Table(_)) {
        return field.positive_duration("12s", report).map(|end| Horizon::At(after_start(end)));
    }
    let mut section = field.section("\"12s\"", report)?;
    let after = section.required("after_fault", "horizon = { after_fault = \"30s\" }", report);
    section.finish(report);
    after?.positive_duration("30s", report).map(Horizon::AfterFault)
}

fn fault_at(field: &Field<'_>, report: &mut Report<'_>) -> Option<FaultAt> {
    const EXAMPLE: &str = "{ uniform = [\"20s\", \"30s\"] }";
    if !matches!(field.node.value, Value::Table(_)) {
        return field.positive_duration("2s", report).map(|at| FaultAt::Fixed(after_start(at)));
    }
    let mut section = field.section("\"2s\"", report)?;
    let interval = section.required("uniform", &format!("fault_at = {EXAMPLE}"), report);
    section.finish(report);
    let interval = interval?;
    let ends: Vec<_> = interval.elements().map(Iterator::collect).unwrap_or_default();
    let [from, to] = &ends[..] else {
        interval.mismatch(report, "the two ends of an interval", "[\"20s\", \"30s\"]");
        return None;
    };
    let (from, to) = (from.positive_duration("20s", report), to.positive_duration("30s", report));
    let (from, to) = (after_start(from?), after_start(to?));
    if from >= to {
        interval.blame(report, format!("the interval from {from} to {to} is empty"), "put the earlier instant first");
        return None;
    }
    Some(FaultAt::Uniform { from, to })
}

fn read_flows(section: &mut Section<'_>, world: &mut World, report: &mut Report<'_>) {
    let World { scenario, arrivals: [dependency, neighbour], .. } = world;
    let example = "{ arrivals = { kind = \"poisson\", rate = \"97.22/s\" } }";
    if let Some(mut flow) = section.optional("dependency").and_then(|field| field.section(example, report)) {
        read_arrivals(&mut flow, &mut scenario.dependency, dependency, report);
        flow.finish(report);
    }
    if let Some(mut flow) = section.optional("neighbour").and_then(|field| field.section(example, report)) {
        read_arrivals(&mut flow, &mut scenario.neighbour, neighbour, report);
        if let Some(hold) = flow.optional("hold").and_then(|field| field.distribution(report)) {
            scenario.neighbour_hold = hold;
        }
        flow.finish(report);
    }
}

fn read_arrivals(
    flow: &mut Section<'_>,
    process: &mut ArrivalProcess,
    places: &mut Option<ArrivalPlaces>,
    report: &mut Report<'_>,
) {
    let Some(field) = flow.optional("arrivals") else { return };
    if let Some(arrivals) = field.arrivals(report) {
        *places = Some(field.arrival_places(&arrivals));
        *process = arrivals;
    }
}

fn read_regimes(section: &mut Section<'_>, regimes: &mut [Regime], report: &mut Report<'_>) {
    let example = "{ healthy = { failure_probability = 0.025 } }";
    let Some(mut table) = section.optional("regimes").and_then(|field| field.section(example, report)) else { return };
    for (name, regime) in Mode::GIVEN.iter().zip(regimes) {
        let field = table.optional(name);
        let Some(mut numbers) = field.and_then(|field| field.section("{ failure_probability = 0.025 }", report)) else {
            continue;
        };
        let changes = RegimeNumbers::read(&mut numbers, report);
        numbers.finish(report);
        changes.apply(regime);
    }
    table.finish(report);
}

/// The numbers of a regime, as far as a table gives them.
#[derive(Clone, Debug, Default)]
pub(super) struct RegimeNumbers {
    pub(super) failure_probability: Option<f64>,
    pub(super) success_hold: Option<Distribution>,
    pub(super) failure_hold: Option<Distribution>,
    pub(super) opening: Option<Opening>,
    pub(super) options: RegimeChanges,
}

impl RegimeNumbers {
    pub(super) fn read(section: &mut Section<'_>, report: &mut Report<'_>) -> Self {
        Self {
            failure_probability: section.optional("failure_probability").and_then(|field| {
                field.number("a probability from 0 to 1", "0.025", |number| (0.0..=1.0).contains(&number), report)
            }),
            success_hold: section.optional("success_hold").and_then(|field| field.distribution(report)),
            failure_hold: section.optional("failure_hold").and_then(|field| field.distribution(report)),
            opening: section.optional("opening").and_then(|field| {
                let word = field.word(&["right", "false"], report)?;
                Some(if word == "right" { Opening::Right } else { Opening::False })
            }),
            options: RegimeChanges::read(section, report),
        }
    }

    /// Puts the given numbers into a regime.
    pub(super) fn apply(self, regime: &mut Regime) {
        regime.failure_probability = self.failure_probability.unwrap_or(regime.failure_probability);
        regime.opening = self.opening.unwrap_or(regime.opening);
        self.options.apply(&mut regime.options);
        if let Some(hold) = self.success_hold {
            regime.success_hold = hold;
        }
        if let Some(hold) = self.failure_hold {
            regime.failure_hold = hold;
        }
    }
}
