//! Hystrix: two releases with two breakers.
//!
//! | | [`HystrixSingleTest`], 1.5.18 | [`HystrixHalfOpen`], 1.5.13 |
//! |---|---|---|
//! | *window* | health snapshots | health snapshots |
//! | *minimum* | `requestVolumeThreshold` | `requestVolumeThreshold` |
//! | *evaluated* | when the next call asks, which is then turned away | at every snapshot, with or without traffic |
//! | *compared* | whole percent, cut, ≥ | whole percent, cut, ≥ |
//! | *open time* | `sleepWindow` on the wall clock in ms; its last instant is still open; a call asks | the same |
//! | *half-open* | no such phase: one test call per `sleepWindow` while open | one probe |
//! | *verdict* | any success closes, failures do nothing | the first result of any call |
//! | *lost probes* | another test after one `sleepWindow` | half-open until a call is turned away |
//! | *late results* | a success closes | decide |
//! | *window after closing* | a new stream of snapshots from that instant on | the same |
//! | *own rejections* | not counted | not counted, but a rejected call **opens a half-open breaker again**, for a whole `sleepWindow` |
//! | *never ran* | as if it had not asked | a call that is cancelled opens a half-open breaker again |
//! | *ignored* (bad request) | not counted | not counted, but opens a half-open breaker again |

mod half_open;
mod health;
mod single_test;

pub use half_open::HystrixHalfOpen;
pub use single_test::HystrixSingleTest;

use engine::Duration;

use crate::library::Given;
use crate::{Parameter, RuleError, Settings, TimeUnit, Value, closeness};
use health::HealthWindow;

const VOLUME: &str = "circuitBreaker.requestVolumeThreshold";
const PERCENTAGE: &str = "circuitBreaker.errorThresholdPercentage";
const SLEEP: &str = "circuitBreaker.sleepWindowInMilliseconds";
const WINDOW: &str = "metrics.rollingStats.timeInMilliseconds";
const INTERVAL: &str = "metrics.healthSnapshot.intervalInMilliseconds";

static PARAMETERS: [Parameter; 5] = [
    Parameter::count(VOLUME, 20, "calls in the window that a judgement needs"),
    Parameter::count(PERCENTAGE, 50, "whole percent of errors that opens the breaker"),
    Parameter::time(SLEEP, TimeUnit::Milliseconds, 5_000, "milliseconds of an open breaker"),
    Parameter::time(WINDOW, TimeUnit::Milliseconds, 10_000, "milliseconds of the window"),
    Parameter::time(INTERVAL, TimeUnit::Milliseconds, 500, "milliseconds between snapshots").at_least(1.0),
];

/// The numbers of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Properties {
    volume: u32,
    percentage: u32,
    /// In milliseconds, like the other times.
    sleep: u64,
    window: u64,
    interval: u64,
}

impl Properties {
    fn new(given: &Given<'_>) -> Result<Self, RuleError> {
        let millis = |name| {
            let nanos = given.time(name).as_nanos();
            let whole = nanos.is_multiple_of(1_000_000).then_some(nanos / 1_000_000);
            whole.ok_or_else(|| given.refuse(name, "a whole number of milliseconds".to_owned()))
        };
        let properties = Self {
            volume: given.count(VOLUME),
            percentage: given.count(PERCENTAGE),
            sleep: millis(SLEEP)?,
            window: millis(WINDOW)?,
            interval: millis(INTERVAL)?,
        };
        if properties.buckets() == 0 || properties.buckets() as f64 > super::MAX_WINDOW {
            let why =
                format!("at least one snapshot interval, {} ms, and at most a million of them", properties.interval);
            return Err(given.refuse(WINDOW, why));
        }
        Ok(properties)
    }

    const fn buckets(&self) -> u64 {
        self.window / self.interval
    }

    fn settings(&self) -> Settings {
        let time = |millis| Value::Time(Duration::from_millis(millis));
        Settings::new()
            .with(VOLUME, Value::Number(self.volume.into()))
            .with(PERCENTAGE, Value::Number(self.percentage.into()))
            .with(SLEEP, time(self.sleep))
            .with(WINDOW, time(self.window))
            .with(INTERVAL, time(self.interval))
    }

    const fn open_times(&self) -> (Duration, Duration) {
        let sleep = Duration::from_millis(self.sleep);
        (sleep, sleep)
    }

    /// The window is whole intervals.
    const fn simplest(self) -> Self {
        Self { window: self.buckets() * self.interval, ..self }
    }

    /// See [`Rule::closeness`](crate::Rule::closeness).
    fn closeness(&self, health: &HealthWindow) -> f64 {
        let results = health.recent();
        closeness::of_share(results.failures, results.total(), self.volume, f64::from(self.percentage) / 100.0)
    }

    /// Whether the latest snapshot is one to open at.
    fn trips(&self, health: &HealthWindow) -> bool {
        let results = health.snapshot();
        if results.total() < self.volume {
            return false;
        }
        let percentage = match results.total() {
            0 => 0,
            total => (f64::from(results.failures) / f64::from(total) * 100.0) as u32,
        };
        percentage >= self.percentage
    }
}
