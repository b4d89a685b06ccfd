//! Whether the instants of a sweep fit together, for every fault instant that can be drawn.

use engine::{Duration, Time};
use scenario::{FaultAt, Horizon, Scenario};

use super::document::Report;
use super::modes::PlacedMode;
use super::world::World;

/// The most requests that a run may have: a replication's arrivals are kept in memory.
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
    (scenario.dependency.mean_rate() + scenario.neighbour.mean_rate()) * mean_horizon_seconds(scenario)
}

/// Reports what does not fit.
pub(super) fn check(world: &World, modes: &[PlacedMode], report: &mut Report<'_>) {
    check_scenario(world, report);
    if report.is_clean() {
        for mode in modes {
            check_timeline(world, mode, report);
        }
    }
    let requests = mean_requests(&world.scenario);
    if requests > MAX_REQUESTS_PER_RUN {
        report.add(
            world.places.horizon,
            "scenario.horizon",
            format!("a run would have {requests:.1e} requests"),
            format!("shorten the horizon or lower the rates: a run may have {MAX_REQUESTS_PER_RUN:.0e}"),
        );
    }
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
