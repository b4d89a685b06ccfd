//! What is computed and what is estimated, against plain simulation of the breakers themselves and against each other.

use engine::{Duration, StreamKey, Time};
use policies::{AnyRule, CallId, Clocks, Outcome, Phase, Rule, RuleVisitor, Verdict};
use scenario::{SteadyRegime, SteadyWorld};
use statistics::{Level, t_quantile};

use super::{Effort, Finding, Start, by_splitting, exact, false_modes, one, result_rule};
use crate::sweep_file::{Sweep, parse};

/// A sweep of one rule in a world in which results reach the breaker one after the other, independent of each other.
fn sweep(rule: &str, probability: f64, world: &str) -> Sweep {
    let text = format!(
        "modes = [\"healthy\"]\n[scenario]\nslots = 1000\n{world}\n[scenario.neighbour]\narrivals = \"0/s\"\nhold = \"10ms\"\n\
         [scenario.regimes.healthy]\nfailure_probability = {probability}\n[[rule]]\n{rule}\n"
    );
    parse("rare.toml", &text, &[], None).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

const AT_ADMISSION: &str = "outcome = \"at_admission\"";

fn regime(sweep: &Sweep) -> SteadyRegime {
    false_modes(sweep).expect("a false mode").remove(0).1
}

fn level() -> Level {
    Level::new(0.95).expect("valid")
}

/// Calls to the first opening of the breaker itself, each told its result before the next one asks.
struct CallsToOpening {
    probability: f64,
    successes_first: u32,
    seed: u64,
}

impl RuleVisitor for CallsToOpening {
    type Output = f64;

    fn visit<R: Rule>(self, rule: R) -> f64 {
        let key = StreamKey::root(self.seed);
        let mut state = rule.start(key);
        for request in 0.. {
            let now = Clocks::synchronous(Time::ZERO + Duration::from_nanos(request * 1_000));
            let call = CallId { asked_at: now.monotonic, request, attempt: 0 };
            let (_, asked) = rule.ask(&mut state, now, call);
            let counted = request.checked_sub(u64::from(self.successes_first));
            let failed = counted.is_some_and(|position| key.bernoulli(position, self.probability));
            let verdict = if failed { Verdict::Failure } else { Verdict::Success };
            let told = rule.record(&mut state, now, call, Outcome { verdict, duration: Duration::TICK });
            if [asked, told].into_iter().flatten().any(|transition| transition.to == Phase::Open) {
                return counted.map_or(0.0, |counted| counted as f64 + 1.0);
            }
        }
        unreachable!("numbers end before it never opens")
    }
}

/// How many standard errors the mean of 4,000 runs of the breaker is off what is computed.
fn standard_errors_off(rule: &AnyRule, probability: f64, computed: f64, successes_first: u32) -> f64 {
    const RUNS: u32 = 4_000;
    let runs: Vec<f64> = (0..RUNS)
        .map(|run| rule.visit(CallsToOpening { probability, successes_first, seed: 1_000 + u64::from(run) }))
        .collect();
    let mean = runs.iter().sum::<f64>() / f64::from(RUNS);
    let variance = runs.iter().map(|calls| (calls - mean).powi(2)).sum::<f64>() / f64::from(RUNS - 1);
    (mean - computed) / (variance / f64::from(RUNS)).sqrt().max(1e-9 * computed)
}

/// The rules that are ones on the order of results, in as many ways as they differ in. Openings are frequent, so that when
/// exactly a rule decides first makes a difference.
const RULES: [(&str, f64); 22] = [
    ("kind = \"consecutive\"\nthreshold = 1\nopen_for = \"1s\"", 0.4),
    ("kind = \"consecutive\"\nthreshold = 4\nopen_for = \"1s\"", 0.4),
    ("kind = \"ratio\"\nwindow = 5\nthreshold = 0.6\nopen_for = \"1s\"", 0.3),
    ("kind = \"ratio\"\nwindow = 8\nthreshold = 0.1\nopen_for = \"1s\"", 0.2),
    ("kind = \"ratio\"\nwindow = 10\nthreshold = 0.35\nopen_for = \"1s\"", 0.3),
    ("kind = \"pybreaker\"\nfail_max = 3", 0.4),
    ("kind = \"recloser\"\nclosed_len = 5\nerror_rate = 0.6", 0.3),
    ("kind = \"recloser\"\nclosed_len = 6\nerror_rate = 0.1", 0.5),
    ("kind = \"failsafe_java\"\nfailureThreshold = 3", 0.4),
    ("kind = \"failsafe_java\"\nfailureThreshold = 3\nfailureThresholdingCapacity = 7", 0.3),
    ("kind = \"failsafe_go\"\nfailureThreshold = 2\nfailureThresholdingCapacity = 7", 0.3),
    ("kind = \"resilience4j\"\nslidingWindowSize = 6\nminimumNumberOfCalls = 6\nfailureRateThreshold = 50.0", 0.3),
    ("kind = \"resilience4j\"\nslidingWindowSize = 6\nminimumNumberOfCalls = 100\nfailureRateThreshold = 33.4", 0.3),
    ("kind = \"resilience4j\"\nslidingWindowSize = 8\nminimumNumberOfCalls = 3\nfailureRateThreshold = 50.0", 0.3),
    (
        "kind = \"cockatiel\"\n\"breaker.kind\" = \"ConsecutiveBreaker\"\n\"breaker.threshold\" = 2.5\nhalfOpenAfter = \"1s\"",
        0.4,
    ),
    (
        "kind = \"cockatiel\"\n\"breaker.kind\" = \"CountBreaker\"\n\"breaker.threshold\" = 0.5\n\"breaker.size\" = 6\nhalfOpenAfter = \"1s\"",
        0.35,
    ),
    (
        "kind = \"cockatiel\"\n\"breaker.kind\" = \"CountBreaker\"\n\"breaker.threshold\" = 0.3\n\"breaker.size\" = 6\n\
         \"breaker.minimumNumberOfCalls\" = 2\nhalfOpenAfter = \"1s\"",
        0.2,
    ),
    ("kind = \"gobreaker\"", 0.5),
    ("kind = \"gobreaker\"\n\"ReadyToTrip.kind\" = \"consecutive_failures_ge\"\n\"ReadyToTrip.n\" = 3", 0.4),
    ("kind = \"gobreaker\"\n\"ReadyToTrip.kind\" = \"total_failures_ge\"\n\"ReadyToTrip.n\" = 4", 0.2),
    (
        "kind = \"failsafe_rs\"\nfailure_policy = \"consecutive_failures\"\n\"consecutive_failures.num_failures\" = 3",
        0.4,
    ),
    (
        "kind = \"failsafe_rs\"\nfailure_policy = \"consecutive_failures\"\n\"consecutive_failures.num_failures\" = 0",
        0.2,
    ),
];

/// A false alarm in 22 comparisons has a probability below 5e-8. A mean that is off by a tenth is found everywhere: one
/// failure or one place in the window more or less changes it by more.
#[test]
fn what_is_computed_is_what_the_breakers_do() {
    for (rule, probability) in RULES {
        let sweep = sweep(rule, probability, AT_ADMISSION);
        let (any, regime) = (sweep.designs[0].rule, regime(&sweep));
        let result_rule =
            result_rule(&any, &regime).unwrap_or_else(|| panic!("{any} is a rule on the order of results"));
        let Some(Finding::Exact { mean_calls, start }) = exact::find(result_rule, &regime, 100.0) else {
            panic!("{any} can be computed: {result_rule:?}");
        };
        let successes_first = if start == Start::Successes { 8 } else { 0 };
        let off = standard_errors_off(&any, probability, mean_calls, successes_first);
        assert!(off.abs() < 6.0, "{any}: {result_rule:?}, {mean_calls}, {off}");
        // The comparison is sharp enough.
        for wrong in [0.9, 1.1] {
            let off = standard_errors_off(&any, probability, wrong * mean_calls, successes_first);
            assert!(off.abs() > 3.0, "{any}: {off} at {wrong}");
        }
    }
}

/// A share of all calls since the start: whether it opens within 2,000 calls, in 4,000 runs; 6 standard errors (2e-9) are
/// 0.05 at most.
#[test]
fn a_share_of_all_calls_ever_opens_as_often_as_computed() {
    let rule = "kind = \"gobreaker\"\n\"ReadyToTrip.kind\" = \"failure_ratio\"\n\"ReadyToTrip.min_requests\" = 5\n\
                \"ReadyToTrip.ratio\" = 0.5";
    let sweep = sweep(rule, 0.2, AT_ADMISSION);
    let (any, regime) = (sweep.designs[0].rule, regime(&sweep));
    let finding = one(&any, &regime, 100.0, Effort::default(), level(), 1);
    let Finding::Ever { at_least, at_most } = finding else { panic!("{finding:?}") };
    assert!(at_most - at_least < 1e-9);

    struct Opens(u64);
    impl RuleVisitor for Opens {
        type Output = bool;
        fn visit<R: Rule>(self, rule: R) -> bool {
            let key = StreamKey::root(self.0);
            let mut state = rule.start(key);
            (0..2_000).any(|request| {
                let now = Clocks::synchronous(Time::ZERO + Duration::from_nanos(request * 1_000));
                let call = CallId { asked_at: now.monotonic, request, attempt: 0 };
                rule.ask(&mut state, now, call);
                let verdict = if key.bernoulli(request, 0.2) { Verdict::Failure } else { Verdict::Success };
                rule.record(&mut state, now, call, Outcome { verdict, duration: Duration::TICK }).is_some()
            })
        }
    }
    let opened = (0..4_000).filter(|&seed| any.visit(Opens(seed))).count() as f64 / 4_000.0;
    let error = (at_least * (1.0 - at_least) / 4_000.0).sqrt();
    assert!((opened - at_least).abs() < 6.0 * error, "{opened} {at_least}");
}

/// How many standard errors a rate by splitting is off; beyond 6 with probability 1.6e-6 on 29 degrees of freedom.
fn off_by_splitting(finding: &Finding, expected: f64) -> f64 {
    let Finding::Rate { value, interval, .. } = finding else { panic!("{finding:?}") };
    let t = t_quantile(29, level()).expect("degrees of freedom");
    (value - expected) / (interval.half_width() / t)
}

/// From some openings an hour down to one in 10¹² calls. The relative standard error is 5 to 10 %.
#[test]
fn splitting_finds_what_is_computed() {
    let consecutive = |failures: u32| format!("kind = \"consecutive\"\nthreshold = {failures}\nopen_for = \"1s\"");
    let ratio = |window: u32, failures: u32| {
        let share = f64::from(failures) / f64::from(window);
        format!("kind = \"ratio\"\nwindow = {window}\nthreshold = {share}\nopen_for = \"1s\"")
    };
    for (rule, probability, world) in [
        (consecutive(4), 0.125, AT_ADMISSION),
        (consecutive(12), 0.1, AT_ADMISSION),
        (ratio(10, 4), 0.05, AT_ADMISSION),
        (ratio(20, 10), 0.025, AT_ADMISSION),
        // Slow failures reach the breaker in another order, and are as independent.
        (ratio(10, 4), 0.05, "outcome = \"at_completion\""),
    ] {
        let sweep = sweep(&rule, probability, world);
        let (any, regime) = (sweep.designs[0].rule, regime(&sweep));
        let result_rule = result_rule(&any, &regime).expect("a rule on results");
        let Some(Finding::Exact { mean_calls, .. }) = exact::find(result_rule, &regime, 1.0) else {
            panic!("{any} can be computed");
        };
        let expected = regime.requests_per_second() / mean_calls;
        let estimated = by_splitting::find(&any, &regime, Effort::default(), level(), 7);
        let off = off_by_splitting(&estimated, expected);
        assert!(off.abs() < 6.0, "{any}: {estimated:?}, not {expected:e}: {off}");
        let Finding::Rate { interval, .. } = estimated else { unreachable!("it was one above") };
        assert!(interval.half_width() < 0.5 * expected, "{any}: {interval:?} {expected:e}");
    }
}

/// Openings per second, counted in a world that goes on, in 20 pieces; and the standard error.
struct Counted<'a>(&'a SteadyRegime);

impl RuleVisitor for Counted<'_> {
    type Output = (f64, f64);

    fn visit<R: Rule>(self, rule: R) -> (f64, f64) {
        const PIECES: u32 = 20;
        const SECONDS: f64 = 4_000.0;
        let rates: Vec<f64> = (0..PIECES)
            .map(|piece| {
                let mut world = SteadyWorld::new(rule, self.0, 500 + u64::from(piece));
                let (mut openings, mut counts) = (0_u32, 0.0);
                while world.seconds() < 200.0 + SECONDS {
                    world.step(rule, self.0);
                    if world.has_opened() {
                        openings += u32::from(world.seconds() > 200.0);
                        counts = f64::from(openings);
                        world.renew(rule);
                    }
                }
                counts / SECONDS
            })
            .collect();
        let mean = rates.iter().sum::<f64>() / f64::from(PIECES);
        let variance = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() / f64::from(PIECES - 1);
        (mean, (variance / f64::from(PIECES)).sqrt())
    }
}

/// Time windows of all kinds, and bursts, with openings once in minutes so that they can be counted: 80,000 seconds each.
/// Splitting is within 6 standard errors of both together; it would have to be off by about a half to be found where
/// openings are rarest, and by a fifth elsewhere.
#[test]
fn splitting_finds_what_is_counted_where_nothing_can_be_computed() {
    let poisson = "[scenario.dependency]\narrivals = { kind = \"poisson\", rate = \"20/s\" }";
    let bursty = "[scenario.dependency]\narrivals = { kind = \"bursty\", quiet_rate = \"5/s\", burst_rate = \"50/s\", \
                  mean_quiet = \"2s\", mean_burst = \"1s\" }";
    for (rule, probability, world) in [
        (
            "kind = \"hystrix_1_5_18\"\n\"circuitBreaker.requestVolumeThreshold\" = 10\n\
          \"circuitBreaker.errorThresholdPercentage\" = 20\n\"metrics.rollingStats.timeInMilliseconds\" = \"2s\"",
            0.05,
            poisson,
        ),
        (
            "kind = \"hystrix_1_5_13\"\n\"circuitBreaker.requestVolumeThreshold\" = 10\n\
          \"circuitBreaker.errorThresholdPercentage\" = 20\n\"metrics.rollingStats.timeInMilliseconds\" = \"2s\"",
            0.05,
            poisson,
        ),
        (
            "kind = \"opossum\"\nvolumeThreshold = 10\nerrorThresholdPercentage = 20.0\nrollingCountTimeout = \"2s\"",
            0.05,
            poisson,
        ),
        (
            "kind = \"sentinel\"\ngrade = \"DEGRADE_GRADE_EXCEPTION_RATIO\"\ncount = 0.3\ntimeWindow = \"5s\"",
            0.05,
            poisson,
        ),
        (
            "kind = \"sentinel\"\ngrade = \"DEGRADE_GRADE_EXCEPTION_COUNT\"\ncount = 4.0\ntimeWindow = \"5s\"",
            0.05,
            poisson,
        ),
        ("kind = \"failsafe_java\"\nfailureThreshold = 8\nfailureThresholdingPeriod = \"2s\"", 0.05, poisson),
        (
            "kind = \"failsafe_go\"\nfailureRateThreshold = 0.2\nfailureExecutionThreshold = 20\n\
          failureThresholdingPeriod = \"2s\"",
            0.05,
            poisson,
        ),
        (
            "kind = \"resilience4j\"\nslidingWindowType = \"TIME_BASED\"\nslidingWindowSize = 2\nminimumNumberOfCalls = 10\n\
          failureRateThreshold = 20.0",
            0.05,
            poisson,
        ),
        (
            "kind = \"gobreaker\"\nInterval = \"2s\"\n\"ReadyToTrip.kind\" = \"total_failures_ge\"\n\"ReadyToTrip.n\" = 7",
            0.05,
            poisson,
        ),
        (
            "kind = \"gobreaker\"\nInterval = \"2s\"\nBucketPeriod = \"500ms\"\n\"ReadyToTrip.kind\" = \"failure_ratio\"\n\
          \"ReadyToTrip.min_requests\" = 10\n\"ReadyToTrip.ratio\" = 0.2",
            0.05,
            poisson,
        ),
        (
            "kind = \"cockatiel\"\n\"breaker.kind\" = \"SamplingBreaker\"\n\"breaker.threshold\" = 0.2\n\
          \"breaker.minimumRps\" = 5.0\n\"breaker.duration\" = \"2s\"\nhalfOpenAfter = \"1s\"",
            0.05,
            poisson,
        ),
        (
            "kind = \"failsafe_rs\"\nfailure_policy = \"success_rate_over_time_window\"\n\
          \"success_rate_over_time_window.required_success_rate\" = 0.86\n\"success_rate_over_time_window.window\" = \"5s\"",
            0.05,
            poisson,
        ),
        ("kind = \"consecutive\"\nthreshold = 3\nopen_for = \"1s\"", 0.06, bursty),
        ("kind = \"failsafe_java\"\nfailureThreshold = 8\nfailureThresholdingPeriod = \"1s\"", 0.05, bursty),
    ] {
        let sweep = sweep(rule, probability, &format!("outcome = \"at_completion\"\n{world}"));
        let (any, regime) = (sweep.designs[0].rule, regime(&sweep));
        let (counted, error) = any.visit(Counted(&regime));
        let finding = one(&any, &regime, 20.0, Effort::default(), level(), 11);
        let Finding::Rate { value, interval, .. } = finding else { panic!("{any}: {finding:?}, counted {counted:e}") };
        assert!(counted > 1e-4, "{any}: {counted:e} tells little");
        let own = interval.half_width() / t_quantile(29, level()).expect("degrees of freedom");
        let off = (value - counted) / (own * own + error * error).sqrt();
        assert!(off.abs() < 6.0, "{any}: {value:e} by splitting, {counted:e} ± {error:e} counted");
        assert!(own < 0.2 * value, "{any}: {value:e} ± {own:e}");
    }
}

#[test]
fn what_cannot_be_told_says_why() {
    let of = |rule: &str, probability: f64, world: &str| {
        let sweep = sweep(rule, probability, world);
        one(&sweep.designs[0].rule, &regime(&sweep), 100.0, Effort::default(), level(), 1)
    };
    let share = "kind = \"gobreaker\"\n\"ReadyToTrip.kind\" = \"failure_ratio\"\n\"ReadyToTrip.min_requests\" = 5\n\
                 \"ReadyToTrip.ratio\" = 0.5";
    let Finding::Refused { reason } = of(share, 0.2, "outcome = \"at_completion\"") else {
        panic!("calls in flight count")
    };
    assert!(reason.contains("at_admission"), "{reason}");
    assert!(matches!(of("kind = \"none\"", 0.2, AT_ADMISSION), Finding::Never { .. }));
    // Fifty of a hundred is far beyond computing, and beyond a million years.
    let ratio = "kind = \"ratio\"\nwindow = 100\nthreshold = 0.5\nopen_for = \"1s\"";
    let Finding::AtLeast { seconds, .. } = of(ratio, 0.025, AT_ADMISSION) else { panic!("a bound") };
    assert!(seconds > super::RARE_ENOUGH);
}
