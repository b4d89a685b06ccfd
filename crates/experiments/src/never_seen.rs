//! What "it never happened" leaves possible: upper ends for counts of which not one was seen.

use policies::AnyRule;
use scenario::{Mode, Scenario};
use statistics::{Level, proportion, zero_event_rate_upper};

use crate::measures::{MEAN_PER_HOUR, Measure};

/// What is known of a design in a mode without running it.
///
/// A design that opened in no run may open in the next one. How often is bounded by the runs: no event in n of them
/// leaves a Poisson rate of up to −ln(α/2) / n per run. What an opening costs is bounded by the setting: requests are
/// turned away for the open duration and while the probes are under way, again after every probe that fails, but for
/// no longer than the run.
pub(crate) struct NeverSeen {
    never_opens: bool,
    /// Openings, the first and those after failed probes, that one false opening brings.
    openings: f64,
    /// Requests turned away because of one false opening.
    rejections: f64,
    observed_hours: f64,
}

impl NeverSeen {
    pub(crate) fn new(scenario: &Scenario, mode: &Mode, rule: &AnyRule) -> Self {
        let observed_secs = scenario.mean_observed().as_secs_f64();
        let observed_hours = observed_secs / 3600.0;
        let closing = match rule.dialect() {
            Some(dialect) => Some((dialect.open_times().1, dialect.probes())),
            None => rule.open_for().zip(rule.half_open().map(|half_open| half_open.successes)),
        };
        let Some((open_for, successes)) = closing else {
            return Self { never_opens: true, openings: 0.0, rejections: 0.0, observed_hours };
        };
        let rate = match &scenario.service.callers {
            Some(callers) => f64::from(callers.number) / callers.think.mean_secs(),
            None => scenario.dependency.peak_rate(),
        };
        if !scenario.service.beyond_the_plain_world(mode).is_empty() {
            // A probe that is lost can keep a breaker half-open to the end, and load can make every probe fail.
            let shortest = open_for.as_secs_f64() * (1.0 - scenario.service.timer_jitter);
            let openings = 1.0 + observed_secs / shortest;
            return Self { never_opens: false, openings, rejections: rate * observed_secs, observed_hours };
        }
        // Where every call fails, no valid request is turned away: only the other regimes matter.
        let regimes =
            || mode.timeline.iter().map(|(_, regime)| regime).filter(|regime| regime.failure_probability < 1.0);
        let failure = regimes().map(|regime| regime.failure_probability).fold(0.0, f64::max);
        let hold_secs = regimes().map(|regime| regime.success_hold.mean_secs()).fold(0.0, f64::max);

        let probes = f64::from(successes);
        let openings = (1.0 - failure).powf(-probes);
        // One probe after the other, each waiting for the next request to come.
        let half_open_secs = probes * (1.0 / rate + hold_secs);
        let closed_again_secs = openings * (open_for.as_secs_f64() + half_open_secs);
        let rejections = rate * closed_again_secs.min(observed_secs);
        Self { never_opens: false, openings, rejections, observed_hours }
    }

    /// Whether a count is zero by the rule's nature.
    pub(crate) fn cannot_happen(&self, metric: &str) -> bool {
        self.never_opens && (is_opening(metric) || is_rejection(metric))
    }

    /// The upper end for the mean of a count that was zero in all of `n` runs; `None` for counts that no opening explains.
    pub(crate) fn upper_end(&self, measure: &Measure, n: u64, level: Level) -> Option<f64> {
        let cost = match measure.metric {
            "false_openings" => 1.0,
            metric if is_opening(metric) => self.openings,
            metric if is_rejection(metric) => self.rejections,
            _ => return None,
        };
        Some(self.in_unit_of(measure, zero_event_rate_upper(n, level) * cost))
    }

    /// The upper end for the mean of a count of false openings, or of what they cost, that was above zero in `events` of `n`
    /// runs: as without any, with the Poisson rate −ln(1 − p) at which p, the upper end of the Clopper–Pearson interval for the
    /// share of such runs, has one or more. `None` for other counts, and where every run has events.
    pub(crate) fn upper_end_of_few(&self, measure: &Measure, events: u64, n: u64, level: Level) -> Option<f64> {
        let cost = match measure.metric {
            "false_openings" => self.openings,
            "false_open_rejections" => self.rejections,
            _ => return None,
        };
        let share = proportion(events, n, level).ok()?.interval?.hi;
        (share < 1.0).then(|| self.in_unit_of(measure, -(-share).ln_1p() * cost))
    }

    fn in_unit_of(&self, measure: &Measure, per_run: f64) -> f64 {
        if measure.estimator == MEAN_PER_HOUR { per_run / self.observed_hours } else { per_run }
    }
}

fn is_opening(metric: &str) -> bool {
    matches!(metric, "openings" | "false_openings")
}

fn is_rejection(metric: &str) -> bool {
    matches!(metric, "rejected" | "false_open_rejections" | "rejected_after_heal")
}

#[cfg(test)]
mod tests {
    use engine::Duration;
    use policies::{Consecutive, HalfOpen, NoBreaker};

    use super::*;
    use crate::measures::measures;
    use crate::sweep_file::parse;

    fn upper_end(rule: &AnyRule, metric: &str, n: u64) -> Option<f64> {
        let sweep = parse("default.toml", "[[rule]]\nkind = \"none\"\n", &[], None).expect("valid");
        let level = Level::new(0.95).expect("a level");
        let measure = measures(false).into_iter().find(|measure| measure.metric == metric).expect("a metric");
        NeverSeen::new(&sweep.scenario, &sweep.modes[0], rule).upper_end(&measure, n, level)
    }

    fn consecutive(open_for: Duration, successes: u32) -> AnyRule {
        Consecutive::new(3, open_for, HalfOpen { permits: 1, successes }).expect("valid").into()
    }

    #[test]
    fn an_opening_costs_its_open_time_and_its_probes_as_often_as_they_fail() {
        // Healthy: 97.22 requests/s, 2.5 % fail, a probe takes 1/97.22 s to come and 60 ms to end.
        let rule = consecutive(Duration::from_secs(1), 1);
        let cost = 97.22 / 0.975 * (1.0 + 1.0 / 97.22 + 0.06);
        let rate = -(0.025_f64.ln()) / 200.0;
        let hi = upper_end(&rule, "false_open_rejections", 200).expect("bounded");
        assert!((hi - rate * cost).abs() < 1e-9, "{hi}");
        let hi = upper_end(&rule, "openings", 200).expect("bounded");
        assert!((hi - rate / 0.975).abs() < 1e-12, "{hi}");
        let hi = upper_end(&rule, "false_openings", 200).expect("bounded");
        assert!((hi - rate).abs() < 1e-12, "{hi}");
        assert_eq!(upper_end(&rule, "neighbour_no_slot", 200), None);
    }

    #[test]
    fn a_few_openings_bound_their_number_and_what_each_may_cost() {
        let sweep = parse("default.toml", "[[rule]]\nkind = \"none\"\n", &[], None).expect("valid");
        let level = Level::new(0.95).expect("a level");
        let unseen = NeverSeen::new(&sweep.scenario, &sweep.modes[0], &consecutive(Duration::from_secs(1), 1));
        let bound = |metric, events| {
            let measure = measures(false).into_iter().find(|measure| measure.metric == metric).expect("a metric");
            unseen.upper_end_of_few(&measure, events, 1000, level)
        };
        let share = proportion(3, 1000, level).expect("fewer events than trials").interval.expect("there is one").hi;
        let cost = 97.22 / 0.975 * (1.0 + 1.0 / 97.22 + 0.06);
        let hi = bound("false_open_rejections", 3).expect("bounded");
        assert!((hi - -(1.0 - share).ln() * cost).abs() < 1e-9, "{hi}");
        // Without any it is what nothing seen leaves possible, and where all runs have events there is no bound.
        let none = upper_end(&consecutive(Duration::from_secs(1), 1), "false_open_rejections", 1000).expect("bounded");
        assert!((bound("false_open_rejections", 0).expect("bounded") - none).abs() < 1e-9);
        assert_eq!((bound("false_open_rejections", 1000), bound("errors", 3)), (None, None));
        assert!(bound("false_openings", 3) > bound("false_openings", 2));
    }

    #[test]
    fn no_opening_costs_more_than_all_requests_of_a_run() {
        let for_ever = consecutive(Duration::from_secs(3_600_000), 1);
        let hi = upper_end(&for_ever, "false_open_rejections", 20).expect("bounded");
        assert!((hi - -(0.025_f64.ln()) / 20.0 * 97.22 * 12.0).abs() < 1e-9, "{hi}");
    }

    #[test]
    fn a_short_open_time_with_many_probes_is_not_cheap() {
        let probing = consecutive(Duration::TICK, 20);
        let hi = upper_end(&probing, "false_open_rejections", 20).expect("bounded");
        // Twenty probes of 70 ms, and two in five rounds of them fail.
        assert!(hi > 40.0, "{hi}");
    }

    #[test]
    fn without_a_breaker_nothing_can_be_turned_away() {
        let sweep = parse("default.toml", "[[rule]]\nkind = \"none\"\n", &[], None).expect("valid");
        let unseen = NeverSeen::new(&sweep.scenario, &sweep.modes[0], &NoBreaker.into());
        assert!(unseen.cannot_happen("rejected") && !unseen.cannot_happen("errors"));
    }
}
