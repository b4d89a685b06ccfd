//! What is printed and read again is the same rule.

use super::*;

/// Further designs of the libraries whose configurations can be read.
fn more_designs() -> Vec<AnyRule> {
    let ratio = |grade: &'static str, count: f64| {
        rule("sentinel", &[("grade", text(grade)), ("count", number(count)), ("timeWindow", number(10.0))])
    };
    vec![
        rule("resilience4j", &[]),
        rule(
            "resilience4j",
            &[
                ("slidingWindowType", text("TIME_BASED")),
                ("slidingWindowSize", number(10.0)),
                ("minimumNumberOfCalls", number(20.0)),
                ("slowCallRateThreshold", number(12.5)),
                ("slowCallDurationThreshold_ms", number(1_500.0)),
                ("maxWaitDurationInHalfOpenState_s", number(30.0)),
                ("waitInterval_multiplier", number(1.5)),
                ("waitInterval_max_s", number(120.0)),
            ],
        ),
        rule("resilience4j", &[("waitInterval_multiplier", number(2.0))]),
        rule("hystrix_1_5_18", &[("circuitBreaker.errorThresholdPercentage", number(1.0))]),
        rule("gobreaker", &[]),
        rule("gobreaker", &[("ReadyToTrip.kind", text("consecutive_failures_ge")), ("ReadyToTrip.n", number(3.0))]),
        rule("gobreaker", &[("ReadyToTrip.kind", text("total_failures_ge")), ("ReadyToTrip.n", number(9.0))]),
        rule("opossum", &[]),
        rule(
            "opossum",
            &[("timeout", number(300.0)), ("allowWarmUp", Written::Flag(true)), ("rollingCountBuckets", number(3.0))],
        ),
        rule(
            "cockatiel",
            &[
                ("halfOpenAfter.kind", text("ExponentialBackoff_noJitter")),
                ("halfOpenAfter.initialDelay_ms", number(200.0)),
                ("halfOpenAfter.maxDelay_ms", number(5_000.0)),
                ("breaker.kind", text("SamplingBreaker")),
                ("breaker.threshold", number(0.25)),
                ("breaker.duration_ms", number(10_000.0)),
                ("breaker.minimumRps", number(2.5)),
            ],
        ),
        rule(
            "cockatiel",
            &[
                ("halfOpenAfter.kind", text("IterableBackoff")),
                ("halfOpenAfter.durations_ms", text("100,300,700")),
                ("breaker.kind", text("ConsecutiveBreaker")),
                ("breaker.threshold", number(5.0)),
            ],
        ),
        ratio("DEGRADE_GRADE_RT", 200.0),
        ratio("DEGRADE_GRADE_EXCEPTION_COUNT", 7.0),
        ratio("DEGRADE_GRADE_EXCEPTION_RATIO", 1.0),
    ]
}

/// What a printed configuration is kept in.
const FILES: [(&str, &str); 6] = [
    ("resilience4j", "application.yml"),
    ("hystrix", "config.properties"),
    ("gobreaker", "breaker.go"),
    ("opossum", "options.js"),
    ("cockatiel", "breaker.ts"),
    ("sentinel", "rules.json"),
];

#[test]
fn printing_and_reading_gives_the_same_rule() {
    let mut read = 0;
    for design in designs().into_iter().chain(more_designs()) {
        let form =
            FORMATS.iter().find(|format| format.libraries.contains(&design.name())).expect("every library has one");
        let Some((_, file)) = FILES.iter().find(|(name, _)| *name == form.name) else { continue };
        let printed = export(&design, form, "a name").unwrap_or_else(|reason| panic!("{design}: {reason}"));
        let again = imported(file, &printed, Units::Checked);
        assert_eq!(again.rule, design, "{printed}");
        assert!(again.notes.is_empty(), "{:?}", again.notes);
        assert!(again.name == "a name" || matches!(form.name, "opossum" | "cockatiel"), "{}", again.name);
        read += 1;
    }
    assert_eq!(read, 6 + 14, "designs that can be read again");
}

#[test]
fn small_numbers_survive_as_well_if_units_are_trusted() {
    let design = rule("opossum", &[("resetTimeout", number(50.0)), ("rollingCountTimeout", number(10.0))]);
    let printed = export(&design, format("opossum"), "").expect("can be printed");
    assert!(import("options.js", &printed, None, Units::Checked).is_err());
    assert_eq!(imported("options.js", &printed, Units::Trusted).rule, design);
}

#[test]
fn a_run_of_failures_is_gobreakers() {
    let rule = Consecutive::new(5, Duration::from_secs(10), HalfOpen::default()).expect("valid").into();
    let printed = export(&rule, format("gobreaker"), "x").expect("the same");
    let expected = super::rule(
        "gobreaker",
        &[
            ("MaxRequests", number(1.0)),
            ("Timeout_s", number(10.0)),
            ("ReadyToTrip.kind", text("consecutive_failures_ge")),
            ("ReadyToTrip.n", number(5.0)),
        ],
    );
    assert_eq!(imported("x.go", &printed, Units::Checked).rule, expected);
}

#[test]
fn what_no_library_does_alike_is_refused_with_what_differs() {
    let run = |permits| {
        let half_open = HalfOpen { permits, successes: 1 };
        AnyRule::from(Consecutive::new(5, Duration::from_secs(10), half_open).expect("valid"))
    };
    let ratio = AnyRule::from(Ratio::new(20, 0.5, Duration::from_secs(10), HalfOpen::default()).expect("valid"));
    for (rule, form, said) in [
        (run(2), "gobreaker", "only 1 and 1 are the same"),
        (ratio, "gobreaker", "counts calls when they start"),
        (ratio, "resilience4j", "late results"),
        (run(1), "pybreaker", "every call of a half-open breaker"),
        (NoBreaker.into(), "opossum", "no breaker"),
        (designs()[0], "gobreaker", "print it --as resilience4j"),
    ] {
        let reason = export(&rule, format(form), "x").expect_err(form);
        assert!(reason.contains(said), "{form}: {reason}");
    }
    for form in FORMATS.iter().filter(|form| form.name != "gobreaker") {
        assert!(export(&run(1), form, "x").is_err(), "{}", form.name);
    }
}

#[test]
fn what_spring_boot_cannot_say_is_refused_in_yaml_and_printed_in_java() {
    let lock_free = [("slidingWindowSynchronizationStrategy", text("LOCK_FREE"))];
    let closed =
        [("transitionToStateAfterWaitDuration", text("CLOSED")), ("maxWaitDurationInHalfOpenState_s", number(1.0))];
    for (settings, java) in [
        (&lock_free[..], "SlidingWindowSynchronizationStrategy.LOCK_FREE"),
        (&closed[..], ".transitionToStateAfterWaitDuration(State.CLOSED)"),
    ] {
        let design = rule("resilience4j", settings);
        let reason = export(&design, format("resilience4j"), "x").expect_err("no property");
        assert!(reason.contains("resilience4j-java"), "{reason}");
        let printed = export(&design, format("resilience4j-java"), "x").expect("a builder has it");
        assert!(printed.contains(java), "{printed}");
    }
}
