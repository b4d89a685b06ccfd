//! The checks, over any kit.

use engine::{Calendar, Class, Distribution, Duration, Model, Simulation, Tally, Time};

use crate::kit::Kit;
use crate::station::{Report, Station};
use crate::theory::{erlang_b, erlang_c, pollaczek_khinchine};

/// `Err` is an alarm, and says what is wrong.
pub(crate) type Check = Result<(), String>;

const REPLICATIONS: u64 = 200;
/// The two-sided 1e-8 point of Student's t with 199 degrees of freedom.
const CRITICAL: f64 = 5.983_537_498;
/// Its one-sided 1 % point: what must be added to the critical value to find an error with 99 % probability.
const POWER: f64 = 2.345_232_231;

const SECOND: Duration = Duration::from_secs(1);

fn require(holds: bool, alarm: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(alarm()) }
}

/// Whether the mean of the replications agrees with theory, where an error of the fraction `detectable` of the theory
/// must be large enough to be found.
fn agrees<K: Kit>(name: &str, theory: f64, sample: &[f64], detectable: f64) -> Check {
    let mean = sample.iter().copied().collect::<Tally>().mean().expect("there are replications");
    let variance = K::variance(sample).expect("there are two replications");
    let standard_error = f64::sqrt(variance / sample.len() as f64);
    let smallest = (CRITICAL + POWER) * standard_error / theory;
    require((mean - theory).abs() <= CRITICAL * standard_error, || {
        format!("{name}: {mean} ± {standard_error} is not {theory}")
    })?;
    require(smallest <= detectable, || {
        format!("{name}: too blunt, the smallest error found is {smallest:.2e}, not {detectable:.2e}")
    })
}

fn replicate<K: Kit>(station: &Station) -> Vec<Report> {
    (0..REPLICATIONS).map(|replication| station.run::<K>(replication)).collect()
}

fn column(reports: &[Report], field: impl Fn(&Report) -> f64) -> Vec<f64> {
    reports.iter().map(field).collect()
}

/// A station with Poisson arrivals at `rate` per second.
fn poisson(rate: f64, servers: u32, line: bool, service: Distribution, seconds: u64) -> Station {
    Station {
        servers,
        line,
        gap: Distribution::Exponential { mean: Duration::from_secs_f64(1.0 / rate) },
        service,
        warm_up: Duration::from_secs(1_000),
        watched: Duration::from_secs(seconds),
    }
}

fn exponential() -> Distribution {
    Distribution::Exponential { mean: SECOND }
}

/// Service laws with a mean of one second and squared coefficients of variation of 0, 1/3, 0.65, 2.1 and 7.3.
fn services() -> [Distribution; 5] {
    let mut rarely_long = vec![Duration::from_millis(100); 9];
    rarely_long.push(Duration::from_millis(9_100));
    [
        Distribution::Deterministic(SECOND),
        Distribution::Uniform { from: Duration::ZERO, to: Duration::from_secs(2) },
        Distribution::LogNormal { median: Duration::from_nanos(778_800_783), sigma: std::f64::consts::FRAC_1_SQRT_2 },
        Distribution::Weibull { scale: Duration::from_nanos(789_995_000), shape: 0.7 },
        Distribution::Empirical(rarely_long),
    ]
}

pub(crate) fn variance_is_unbiased<K: Kit>() -> Check {
    let variance = K::variance(&[1.0, 2.0, 3.0, 4.0]);
    require(variance == Some(5.0 / 3.0), || format!("the variance of 1, 2, 3, 4 is 5/3, not {variance:?}"))
}

/// Services of one second, arrivals every second, one server, no line: each arrival finds the server just freed.
pub(crate) fn what_ends_makes_room_for_what_begins<K: Kit>() -> Check {
    let clockwork = Station {
        servers: 1,
        line: false,
        gap: Distribution::Deterministic(SECOND),
        service: Distribution::Deterministic(SECOND),
        warm_up: Duration::from_secs(3),
        watched: Duration::from_secs(100),
    };
    let lost = clockwork.run::<K>(0).lost;
    require(lost == 0, || format!("{lost} arrivals were turned away at the instant a server became free"))
}

struct Roll(Vec<u64>);

impl Model for Roll {
    type Event = u64;

    fn handle(&mut self, event: u64, _: &mut Calendar<u64>) {
        self.0.push(event);
    }
}

pub(crate) fn simultaneous_events_keep_their_order<K: Kit>() -> Check {
    let mut simulation = Simulation::new(Roll(Vec::new()));
    for n in 0..100 {
        let instant = Time::from_nanos(n % 3);
        simulation.calendar_mut().schedule_keyed(K::key(instant, Class::Timer, n), n);
    }
    simulation.run();
    let seen = simulation.into_model().0;
    require(seen.is_sorted_by_key(|n| (n % 3, *n)), || format!("simultaneous events lost their order: {seen:?}"))
}

/// Arrivals at every full second, watched on [10 s, 20 s): ten of them, the one at the very end of the warm-up included
/// and the one at the end of the run not.
pub(crate) fn a_warm_up_counts_from_its_end<K: Kit>() -> Check {
    let clockwork = Station {
        servers: 3,
        line: false,
        gap: Distribution::Deterministic(SECOND),
        service: Distribution::Deterministic(Duration::from_millis(2_500)),
        warm_up: Duration::from_secs(10),
        watched: Duration::from_secs(10),
    };
    let report = clockwork.run::<K>(0);
    require(report.offered == 10, || format!("{} arrivals after the warm-up, not 10", report.offered))?;
    // Full seconds find the arrivals of the last two seconds and a half: 2.5 in the mean, 3 at the boundary.
    require(report.area == 25_000_000_000, || format!("an area of {} ns after the warm-up, not 25 s", report.area))
}

/// The area under the number in the system is the sum of the stays, to the nanosecond.
pub(crate) fn littles_law_is_an_identity<K: Kit>() -> Check {
    for (line, servers, rate) in [(true, 1, 0.7), (true, 3, 2.5), (false, 5, 4.0)] {
        for service in services() {
            let station = poisson(rate, servers, line, service, 1_500);
            for replication in 0..10 {
                littles_law(&station.run::<K>(replication))?;
            }
        }
    }
    Ok(())
}

fn littles_law(report: &Report) -> Check {
    require(report.area == report.sojourns, || {
        format!("Little's law: an area of {} ns under stays of {} ns", report.area, report.sojourns)
    })
}

pub(crate) fn replications_differ<K: Kit>() -> Check {
    let station = poisson(0.5, 1, true, exponential(), 100);
    let first = station.run::<K>(0);
    require((1..20).all(|replication| station.run::<K>(replication) != first), || {
        "a replication repeats another".to_string()
    })
}

/// Utilisation 1/2. In the mean one customer in the system, and every other one waits.
pub(crate) fn m_m_1<K: Kit>() -> Check {
    let seconds = 20_000;
    let reports = replicate::<K>(&poisson(0.5, 1, true, exponential(), seconds));
    reports.iter().try_for_each(littles_law)?;
    agrees::<K>("M/M/1 in system", 1.0, &column(&reports, |report| report.mean_in_system), 0.025)?;
    let offered = 0.5 * seconds as f64;
    agrees::<K>("M/M/1 delayed", 0.5, &column(&reports, |report| report.delayed as f64 / offered), 0.015)
}

/// Three servers, utilisation 0.8.
pub(crate) fn m_m_c<K: Kit>() -> Check {
    let (servers, load, seconds) = (3, 2.4, 20_000);
    let reports = replicate::<K>(&poisson(load, servers, true, exponential(), seconds));
    reports.iter().try_for_each(littles_law)?;
    let offered = load * seconds as f64;
    let delayed = column(&reports, |report| report.delayed as f64 / offered);
    agrees::<K>("M/M/3 delayed", erlang_c(servers, load), &delayed, 0.015)?;
    let waiting = erlang_c(servers, load) * load / (f64::from(servers) - load);
    agrees::<K>("M/M/3 waiting", waiting, &column(&reports, |report| report.mean_waiting), 0.05)
}

pub(crate) fn m_m_c_c<K: Kit>() -> Check {
    turned_away::<K>("M/M/5/5", exponential(), 0.015)
}

pub(crate) fn m_g_c_c<K: Kit>() -> Check {
    let detectable = [0.012, 0.012, 0.015, 0.02, 0.025];
    services().into_iter().zip(detectable).try_for_each(|(service, detectable)| {
        let name = format!("M/G/5/5 {service:?}");
        turned_away::<K>(&name, service, detectable)
    })
}

/// Five servers without a line at a load of four turn away 19.9 % of the arrivals.
fn turned_away<K: Kit>(name: &str, service: Distribution, detectable: f64) -> Check {
    let (servers, rate, seconds) = (5, 4.0, 10_000);
    let blocked = erlang_b(servers, rate * service.mean_secs());
    let reports = replicate::<K>(&poisson(rate, servers, false, service, seconds));
    // By the expected number of arrivals: unbiased, as the ratio of two counts is not.
    let offered = rate * seconds as f64;
    agrees::<K>(name, blocked, &column(&reports, |report| report.lost as f64 / offered), detectable)?;
    reports.iter().try_for_each(littles_law)
}

/// One server at a utilisation of one half.
pub(crate) fn m_g_1<K: Kit>() -> Check {
    let detectable = [0.03, 0.03, 0.04, 0.05, 0.05];
    services().into_iter().zip(detectable).try_for_each(|(service, detectable)| {
        let waiting = pollaczek_khinchine(0.5, &service);
        let name = format!("M/G/1 {service:?}");
        let reports = replicate::<K>(&poisson(0.5, 1, true, service, 20_000));
        reports.iter().try_for_each(littles_law)?;
        agrees::<K>(&name, waiting, &column(&reports, |report| report.mean_waiting), detectable)
    })
}
