//! Options that do not fit together.

use std::error::Error;
use std::fmt;

use super::Service;

/// Why a [`Service`] is none for a pool of so many slots.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceError {
    /// The option's key in a sweep file, below `scenario`.
    pub key: &'static str,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub remedy: &'static str,
}

impl fmt::Display for ServiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}; {}", self.key, self.problem, self.remedy)
    }
}

impl Error for ServiceError {}

impl Service {
    /// Whether the options make sense for a pool of `slots` slots.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with them.
    pub fn validate(&self, slots: u32) -> Result<(), ServiceError> {
        let wrong = |key, problem: String, remedy| Err(ServiceError { key, problem, remedy });
        let share = slots.checked_div(self.instances).unwrap_or(0);
        if share == 0 {
            let problem = format!("{} instances cannot share {slots} slots", self.instances);
            return wrong("instances", problem, "give every instance a slot at least");
        }
        if let Some(bulkhead) = self.bulkhead.filter(|&bulkhead| bulkhead == 0 || bulkhead >= share) {
            let of_instance = if self.instances > 1 { " of an instance" } else { "" };
            let problem = format!("{bulkhead} of the {share} slots{of_instance} for the dependency flow");
            let remedy = match (share, self.instances) {
                (1, _) => "a single slot cannot be divided: leave the bulkhead out, or give every instance more slots",
                (_, 1) => "leave at least one slot for each of the two flows",
                _ => {
                    "a bulkhead counts the slots of one instance, which has `slots` divided by `instances`: leave at least \
                     one of these for each of the two flows"
                }
            };
            return wrong("bulkhead", problem, remedy);
        }
        if !(0.0..1.0).contains(&self.timer_jitter) {
            return wrong("timer_jitter", format!("{} is out of range", self.timer_jitter), "write 0 to less than 1");
        }
        if !self.shards.iter().all(|&weight| weight.is_finite() && weight > 0.0) {
            return wrong(
                "shards",
                "a weight is not a positive number".to_owned(),
                "give every shard a positive weight",
            );
        }
        if self.time_out.is_some_and(|time_out| time_out.is_zero()) {
            return wrong("time_out", "the time-out is zero".to_owned(), "give calls some time");
        }
        if self.callers.as_ref().is_some_and(|callers| callers.number == 0 || callers.think.validate().is_err()) {
            return wrong("callers", "no callers, or a wrong law".to_owned(), "give one caller at least");
        }
        if self.rate_limit.is_some_and(|limit| !(limit.rate.is_finite() && limit.rate > 0.0 && limit.burst > 0)) {
            return wrong(
                "rate_limit",
                "nothing would pass".to_owned(),
                "give a positive rate and a burst of 1 or more",
            );
        }
        if self.load.is_some_and(|load| load.slots == 0 || !(load.slowdown >= 0.0 && load.failures >= 0.0)) {
            return wrong("load", "a number is out of range".to_owned(), "give slots from 1 and effects from 0");
        }
        if self.fallback.wrong().is_some_and(|wrong| !(0.0..=1.0).contains(&wrong)) {
            return wrong("fallback.wrong", "it is no probability".to_owned(), "write 0 to 1");
        }
        if let Some(retries) = self.retries {
            let numbers = [retries.growth - 1.0, retries.jitter, 1.0 - retries.jitter];
            if !(2..=super::Retries::MOST_ATTEMPTS).contains(&retries.attempts)
                || !numbers.iter().all(|number| *number >= 0.0 && number.is_finite())
                || retries.budget.is_some_and(|budget| budget.most == 0 || !(0.0..=1e6).contains(&budget.per_request))
            {
                let remedy = "write 2 to 32 attempts, a growth from 1, a jitter from 0 to 1, and a budget from 1 token";
                return wrong("retries", "a number is out of range".to_owned(), remedy);
            }
        }
        if self.pauses.iter().any(|pause| pause.from >= pause.to) {
            return wrong("pauses", "a pause ends before it begins".to_owned(), "put the earlier instant first");
        }
        self.clocks_stay_in_range()
    }

    /// A wall clock before the start of the run cannot be shown.
    fn clocks_stay_in_range(&self) -> Result<(), ServiceError> {
        let mut offset = 0_i64;
        let mut before = engine::Time::ZERO;
        for step in &self.clock_steps {
            offset = offset.saturating_add(step.by);
            let shows = i128::from(step.at.as_nanos()) + i128::from(offset);
            if step.at < before || shows < 0 {
                return Err(ServiceError {
                    key: "clock_steps",
                    problem: format!("the step at {} is out of order or sets the clock to before the run", step.at),
                    remedy: "list steps in order, and step back by no more than has passed",
                });
            }
            before = step.at;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use engine::{Duration, Time};

    use super::*;
    use crate::service::{ClockStep, Fallback, RateLimit};

    #[test]
    fn the_remedy_for_a_bulkhead_is_one() {
        let said = |bulkhead, instances, slots| {
            let service = Service { bulkhead: Some(bulkhead), instances, ..Service::default() };
            service.validate(slots).expect_err("too large").to_string()
        };
        assert!(said(32, 1, 32).contains("32 of the 32 slots for"), "{}", said(32, 1, 32));
        assert!(said(16, 2, 32).contains("16 of the 16 slots of an instance"), "{}", said(16, 2, 32));
        assert!(said(16, 2, 32).contains("`slots` divided by `instances`"), "{}", said(16, 2, 32));
        assert!(said(1, 4, 4).contains("cannot be divided"), "{}", said(1, 4, 4));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let plain = Service::default;
        assert_eq!(plain().validate(1), Ok(()));
        let second = Time::ZERO + Duration::from_secs(1);
        let cases = [
            ("instances", Service { instances: 33, ..plain() }),
            ("instances", Service { instances: 0, ..plain() }),
            ("bulkhead", Service { bulkhead: Some(16), instances: 2, ..plain() }),
            ("bulkhead", Service { bulkhead: Some(0), ..plain() }),
            ("timer_jitter", Service { timer_jitter: 1.0, ..plain() }),
            ("shards", Service { shards: vec![1.0, 0.0], ..plain() }),
            ("time_out", Service { time_out: Some(Duration::ZERO), ..plain() }),
            ("rate_limit", Service { rate_limit: Some(RateLimit { rate: 0.0, burst: 1 }), ..plain() }),
            ("fallback.wrong", Service { fallback: Fallback::Silent { wrong: 1.5 }, ..plain() }),
            ("pauses", Service { pauses: vec![super::super::Pause { from: second, to: second }], ..plain() }),
            ("clock_steps", Service { clock_steps: vec![ClockStep { at: second, by: -1_000_000_001 }], ..plain() }),
        ];
        for (key, service) in cases {
            assert_eq!(service.validate(32).expect_err(key).key, key);
        }
        let fits = Service {
            bulkhead: Some(15),
            instances: 2,
            clock_steps: vec![ClockStep { at: second, by: -1_000_000_000 }],
            ..plain()
        };
        assert_eq!(fits.validate(32), Ok(()));
    }
}
