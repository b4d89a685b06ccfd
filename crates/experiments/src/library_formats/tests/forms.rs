//! What is printed, one design of each library.

use super::*;

/// The text of each form for its library's design, without the comment that names the version.
const EXPECTED: &[(&str, &str)] = &[
    (
        "resilience4j",
        "resilience4j:\n  circuitbreaker:\n    instances:\n      payments:\n        slidingWindowType: COUNT_BASED\n        \
         slidingWindowSize: 20\n        minimumNumberOfCalls: 10\n        permittedNumberOfCallsInHalfOpenState: 3\n        \
         failureRateThreshold: 33.3\n        slowCallRateThreshold: 100\n        slowCallDurationThreshold: 60s\n        \
         waitDurationInOpenState: 10s\n",
    ),
    (
        "resilience4j-java",
        "CircuitBreakerConfig config = CircuitBreakerConfig.custom()\n    .slidingWindow(20, 10, SlidingWindowType.COUNT_BASED, \
         SlidingWindowSynchronizationStrategy.SYNCHRONIZED)\n    .failureRateThreshold(33.3f)\n    \
         .slowCallRateThreshold(100f)\n    .slowCallDurationThreshold(Duration.ofSeconds(60))\n    \
         .waitDurationInOpenState(Duration.ofSeconds(10))\n    .permittedNumberOfCallsInHalfOpenState(3)\n    .build();\n",
    ),
    (
        "hystrix",
        "hystrix.command.payments.circuitBreaker.requestVolumeThreshold=10\n\
         hystrix.command.payments.circuitBreaker.errorThresholdPercentage=50\n\
         hystrix.command.payments.circuitBreaker.sleepWindowInMilliseconds=10000\n\
         hystrix.command.payments.metrics.rollingStats.timeInMilliseconds=10000\n\
         hystrix.command.payments.metrics.healthSnapshot.intervalInMilliseconds=500\n",
    ),
    (
        "failsafe",
        "CircuitBreaker<Object> breaker = CircuitBreaker.builder()\n    .withFailureThreshold(10, 20)\n    \
         .withSuccessThreshold(2, 4)\n    .withDelay(Duration.ofMillis(1500))\n    .build();\n",
    ),
    (
        "failsafe-go",
        "breaker := circuitbreaker.NewBuilder[any]().\n\tWithFailureRateThreshold(0.5, 20, 10 * time.Second).\n\tWithDelay(10 * \
         time.Second).\n\tBuild()\n",
    ),
    (
        "gobreaker",
        "gobreaker.Settings{\n\tName: \"payments\",\n\tMaxRequests: 3,\n\tInterval: 10 * time.Second,\n\tBucketPeriod: 1 * \
         time.Second,\n\tTimeout: 1500 * time.Millisecond,\n\tReadyToTrip: func(counts gobreaker.Counts) bool {\n\t\treturn \
         counts.Requests >= 20 && float64(counts.TotalFailures)/float64(counts.Requests) >= 0.5\n\t},\n}\n",
    ),
    (
        "opossum",
        "const options = {\n  timeout: false,\n  errorThresholdPercentage: 33,\n  volumeThreshold: 20,\n  resetTimeout: 10000,\n  \
         rollingCountTimeout: 10000,\n  rollingCountBuckets: 10,\n  allowWarmUp: false,\n};\n",
    ),
    (
        "cockatiel",
        "const breaker = circuitBreaker(handleAll, {\n  halfOpenAfter: 10000,\n  breaker: new CountBreaker({ threshold: 0.5, size: \
         20, minimumNumberOfCalls: 10 }),\n});\n",
    ),
    ("pybreaker", "breaker = pybreaker.CircuitBreaker(fail_max=3, reset_timeout=0.5, success_threshold=2)\n"),
    (
        "sentinel",
        "[\n  {\n    \"count\": 0.5,\n    \"grade\": 1,\n    \"minRequestAmount\": 20,\n    \"resource\": \"payments\",\n    \
         \"statIntervalMs\": 10000,\n    \"timeWindow\": 10\n  }\n]\n",
    ),
    (
        "failsafe-rs",
        "let policy = failure_policy::success_rate_over_time_window(0.5, 20, Duration::from_secs(10), \
         backoff::constant(Duration::from_secs(10)));\nlet breaker = Config::new().failure_policy(policy).build();\n",
    ),
    (
        "recloser",
        "let recloser = Recloser::custom()\n    .error_rate(0.5)\n    .closed_len(20)\n    \
         .half_open_len(10)\n    .open_wait(Duration::from_secs(10))\n    .open_wait_strategy(|fail_count: u32, open_wait: \
         Duration| open_wait * fail_count)\n    .build();\n",
    ),
];

#[test]
fn every_form_is_the_librarys_own() {
    assert_eq!(EXPECTED.len(), FORMATS.len());
    for (name, expected) in EXPECTED {
        let form = format(name);
        let designs = designs();
        let design = designs.iter().find(|design| form.libraries.contains(&design.name())).expect("a design of it");
        let printed = export(design, form, "payments").unwrap_or_else(|reason| panic!("{name}: {reason}"));
        let without_comment = printed.split_once('\n').filter(|(first, _)| first.starts_with(['#', '/']));
        let (_, text) = without_comment.unwrap_or(("", &printed));
        assert_eq!(text, *expected, "{name}");
    }
}

#[test]
fn a_comment_says_which_version_is_meant() {
    for design in designs() {
        let form = FORMATS.iter().find(|form| form.libraries.contains(&design.name())).expect("every library has one");
        let printed = export(&design, form, "x").expect("can be printed");
        let version = design.dialect().expect("a library's").library().version;
        // JSON has no comments.
        assert!(
            form.name == "sentinel" || printed.lines().next().is_some_and(|first| first.contains(version)),
            "{printed}"
        );
    }
}
