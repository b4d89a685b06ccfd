//! Whether the instants of a sweep fit together, for every fault instant that can be drawn.

use engine::{Duration, Time};
use scenario::{ArrivalProcess, FaultAt, Horizon, Scenario};

use super::document::{Place, Report};
use super::modes::PlacedMode;
use super::world::World;

/// The most requests that a run may have, changes between quiet and burst included: a replication's arrivals are kept in
/// memory, and drawing them takes a step for each of both.
const MAX_REQUESTS_PER_RUN: f64 = 1e8;

/// The earliest and the latest instant of the fault.
fn fault_bounds(fault_at: FaultAt) -> [Time; 2] {
    match fault_at {
        FaultAt::Fixed(at) => [at, at],
        FaultAt::Uniform { from, to } => [from, Time::from_nanos(to.as_nanos() - 1)],
    }
}

/// The mean length of a run.
pub(super) fn mean_horizon_seconds(scenario: &Scenario) -> f64 {
    let fault_at = match scenario.fault_at {
        FaultAt::Fixed(at) => at.as_secs_f64(),
        FaultAt::Uniform { from, to } => f64::midpoint(from.as_secs_f64(), to.as_secs_f64()),
    };
    match scenario.horizon {
        Horizon::At(end) => end.as_secs_f64(),
        Horizon::AfterFault(after) => fault_at + after.as_secs_f64(),
    }
}

/// The mean number of requests of a run, both flows together.
pub(super) fn mean_requests(scenario: &Scenario) -> f64 {
    // Callers ask less often than they would if answers took no time.
    let dependency = match &scenario.service.callers {
        Some(callers) => f64::from(callers.number) / callers.think.mean_secs(),
        None => scenario.dependency.mean_rate(),
    };
    (dependency + scenario.neighbour.mean_rate()) * mean_horizon_seconds(scenario)
}

/// Reports what does not fit.
pub(super) fn check(world: &World, modes: &[PlacedMode], report: &mut Report<'_>) {
    check_scenario(world, report);
    if report.is_clean() {
        for mode in modes {
            check_timeline(world, mode, report);
        }
    }
    check_size(world, report);
}

/// What a flow of one run comes to at most, as a mean over the replications.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    requests: f64,
    /// Changes between quiet and burst.
    changes: f64,
}

impl Size {
    fn of(process: &ArrivalProcess, seconds: f64) -> Self {
        let changes = match process {
            ArrivalProcess::Poisson { .. } | ArrivalProcess::Even { .. } => 0.0,
            // Two come with each quiet time and burst.
            ArrivalProcess::Bursty { mean_quiet, mean_burst, .. } => {
                2.0 * seconds / (mean_quiet.as_secs_f64() + mean_burst.as_secs_f64())
            }
        };
        // A run can lie within one stay.
        Self { requests: process.peak_rate() * seconds, changes }
    }
}

fn check_size(world: &World, report: &mut Report<'_>) {
    let World { scenario, places, arrivals, .. } = world;
    let seconds = latest_end(scenario).as_secs_f64();
    let flows = [&scenario.dependency, &scenario.neighbour];
    let mut sizes = flows.map(|process| Size::of(process, seconds));
    if let Some(callers) = &scenario.service.callers {
        sizes[0] = Size { requests: f64::from(callers.number) / callers.think.mean_secs() * seconds, changes: 0.0 };
    }
    let (requests, changes) = sizes.iter().fold((0.0, 0.0), |(r, c), size| (r + size.requests, c + size.changes));
    if requests + changes <= MAX_REQUESTS_PER_RUN {
        return;
    }
    let what = if changes < 1.0 {
        format!("{requests:.1e} requests")
    } else {
        format!("{requests:.1e} requests and {changes:.1e} changes between quiet and burst")
    };
    let limit = format!("a run may have {MAX_REQUESTS_PER_RUN:.0e} in all");
    // What is longer than usual by more is to blame: the run, or the list of what happens in a second of it.
    let usual = Scenario::default();
    let longer = seconds / latest_end(&usual).as_secs_f64();
    let usual_requests = mean_requests(&usual) / mean_horizon_seconds(&usual);
    let busier = (requests + changes) / seconds / usual_requests;
    let places_of = |flow: usize| arrivals[flow].as_ref().filter(|_| busier > longer);
    let candidates = (0..2).flat_map(|flow| {
        let written = places_of(flow);
        let rate = written.map(|written| (sizes[flow].requests, &written.rate, "lower the rate"));
        let stay = written.map(|written| (sizes[flow].changes, &written.stay, "lengthen mean_quiet or mean_burst"));
        rate.into_iter().chain(stay)
    });
    let horizon: &(Place, String) = &(places.horizon, "scenario.horizon".to_owned());
    let ((place, key), remedy) = match candidates.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((_, at, remedy)) => (at, format!("{remedy}, or shorten scenario.horizon: {limit}")),
        None => (horizon, format!("shorten the horizon or lower the rates: {limit}")),
    };
    report.add(*place, key, format!("a run would have up to {what}"), remedy);
}

/// The latest end of a run.
pub(super) fn latest_end(scenario: &Scenario) -> Time {
    let [_, latest] = fault_bounds(scenario.fault_at);
    scenario.horizon.resolve(latest)
}

fn check_scenario(world: &World, report: &mut Report<'_>) {
    let World { scenario, places, .. } = world;
    let [earliest, latest] = fault_bounds(scenario.fault_at);
    if earliest < scenario.warm_up {
        let problem =
            format!("the fault can begin at {earliest}, within the warm-up that ends at {}", scenario.warm_up);
        let remedy =
            format!("let scenario.fault_at be no earlier than \"{}\", or shorten the warm-up", scenario.warm_up);
        report.add(places.warm_up, "scenario.warm_up", problem, remedy);
    }
    if let Horizon::At(end) = scenario.horizon
        && latest >= end
    {
        let problem = format!("the run ends at {end}, but the fault can begin at {latest}");
        let remedy = "let it end later, or write { after_fault = \"30s\" } to end so long after the fault";
        report.add(places.horizon, "scenario.horizon", problem, remedy);
        return;
    }
    if let Some(heal_after) = world.heal_after {
        let shortest = shortest_fault(scenario, latest);
        if heal_after >= shortest {
            let problem =
                format!("the heal comes {heal_after} after the fault, but the run can end {shortest} after it");
            let remedy = format!("write less than \"{shortest}\", or let the run end later");
            report.add(places.heal_after, "scenario.heal_after", problem, remedy);
        }
    }
}

/// The shortest time from the fault to the end of the run.
fn shortest_fault(scenario: &Scenario, latest: Time) -> Duration {
    match scenario.horizon {
        Horizon::At(end) => end - latest,
        Horizon::AfterFault(after) => after,
    }
}

/// Starts and ends are fixed or move with the fault, so what holds for the earliest and the latest fault holds for all.
fn check_timeline(world: &World, mode: &PlacedMode, report: &mut Report<'_>) {
    let Some(places) = &mode.starts else { return };
    let name = &mode.mode.name;
    for fault_at in fault_bounds(world.scenario.fault_at) {
        let when = match world.scenario.fault_at {
            FaultAt::Fixed(_) => String::new(),
            FaultAt::Uniform { .. } => format!(" with the fault at {fault_at}"),
        };
        let starts: Vec<Time> = mode.mode.timeline.iter().map(|(start, _)| start.resolve(fault_at)).collect();
        let end = world.scenario.horizon.resolve(fault_at);
        for (number, pair) in starts.windows(2).enumerate() {
            let (place, path) = &places[number + 1];
            if pair[0] >= pair[1] {
                let problem = format!(
                    "in mode \"{name}\" this regime starts at {}, not after the one before, at {}{when}",
                    pair[1], pair[0]
                );
                report.add(*place, path, problem, "put the regimes in the order of their starts, no two at once");
                return;
            }
            if pair[1] >= end {
                let problem =
                    format!("in mode \"{name}\" this regime starts at {}, but the run ends at {end}{when}", pair[1]);
                report.add(*place, path, problem, "let it start earlier, or let scenario.horizon be later");
                return;
            }
        }
        if starts[1] < world.scenario.warm_up {
            let (place, path) = &places[1];
            let warm_up = world.scenario.warm_up;
            let problem = format!(
                "in mode \"{name}\" the fault begins at {}{when}, within the warm-up that ends at {warm_up}",
                starts[1]
            );
            report.add(*place, path, problem, "let the second regime start later, or shorten scenario.warm_up");
            return;
        }
    }
}
