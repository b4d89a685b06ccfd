//! Configurations as people write them.

use super::*;

const YAML: &str = "\
server:
  port: 8080
resilience4j.circuitbreaker:
  configs:
    default:
      slidingWindowSize: 20
      minimumNumberOfCalls: 10
      registerHealthIndicator: true
      permittedNumberOfCallsInHalfOpenState: 3
      waitDurationInOpenState: 5s
    patient:
      baseConfig: slow
      wait-duration-in-open-state: PT1M
    slow:
      slow-call-rate-threshold: 80
      slow-call-duration-threshold: 2000
      permitted-number-of-calls-in-half-open-state: 4
      minimum-number-of-calls: 5
  instances:
    payments:
      failureRateThreshold: 40
      recordExceptions:
        - java.io.IOException
    search:
      base-config: patient
      slidingWindowType: time_based
      sliding-window-size: 30
  metrics:
    enabled: true
";

const PROPERTIES: &str = "\
server.port=8080
resilience4j.circuitbreaker.configs.default.sliding-window-size=20
resilience4j.circuitbreaker.configs.default.minimumNumberOfCalls=10
resilience4j.circuitbreaker.configs.default.permittedNumberOfCallsInHalfOpenState=3
resilience4j.circuitbreaker.configs.default.waitDurationInOpenState=5s
resilience4j.circuitbreaker.configs.patient.baseConfig=slow
resilience4j.circuitbreaker.configs.patient.waitDurationInOpenState=1m
resilience4j.circuitbreaker.configs.slow.slowCallRateThreshold=80
resilience4j.circuitbreaker.configs.slow.slowCallDurationThreshold=2s
resilience4j.circuitbreaker.configs.slow.permittedNumberOfCallsInHalfOpenState=4
resilience4j.circuitbreaker.configs.slow.minimumNumberOfCalls=5
resilience4j.circuitbreaker.instances.payments.failureRateThreshold=40
resilience4j.circuitbreaker.instances.payments.recordExceptions[0]=java.io.IOException
resilience4j.circuitbreaker.instances.search.baseConfig=patient
resilience4j.circuitbreaker.instances.search.slidingWindowType=TIME_BASED
resilience4j.circuitbreaker.instances.search.slidingWindowSize=30
";

#[test]
fn instances_inherit_from_configs_as_spring_boot_has_it() {
    let breakers = import("application.yml", YAML, None, Units::Checked).expect("two breakers");
    let names: Vec<_> = breakers.iter().map(|breaker| (breaker.name.as_str(), breaker.line)).collect();
    assert_eq!(names, [("payments", 21), ("search", 25)]);
    let (payments, search) = (&breakers[0].rule, &breakers[1].rule);
    // Without a base of its own: the config "default".
    assert_eq!(count(payments, "slidingWindowSize"), 20.0);
    assert_eq!(count(payments, "failureRateThreshold"), 40.0);
    assert_eq!(time(payments, "waitDurationInOpenState"), Duration::from_secs(5));
    assert_eq!(breakers[0].notes.len(), 1, "{:?}", breakers[0].notes);
    // With one: that one and its base, and nothing of "default".
    assert_eq!(setting(search, "slidingWindowType"), Some(Value::Word("TIME_BASED")));
    assert_eq!(time(search, "waitDurationInOpenState"), Duration::from_secs(60));
    assert_eq!(time(search, "slowCallDurationThreshold"), Duration::from_secs(2));
    assert_eq!((count(search, "minimumNumberOfCalls"), count(search, "slowCallRateThreshold")), (5.0, 80.0));
}

#[test]
fn properties_say_the_same_as_yaml() {
    let rules = |file, text| {
        let breakers = import(file, text, None, Units::Checked).unwrap_or_else(|errors| panic!("{errors}"));
        breakers.into_iter().map(|breaker| (breaker.name, breaker.rule)).collect::<Vec<_>>()
    };
    assert_eq!(rules("application.properties", PROPERTIES), rules("application.yaml", YAML));
}

#[test]
fn without_instances_the_default_is_the_breaker() {
    let text = "resilience4j.circuitbreaker.configs.default.slidingWindowSize: 50\n";
    let breaker = imported("a.yml", text, Units::Checked);
    assert_eq!((breaker.name.as_str(), count(&breaker.rule, "slidingWindowSize")), ("default", 50.0));
}

#[test]
fn configs_that_inherit_in_a_circle_are_refused() {
    let text = "resilience4j.circuitbreaker:\n  configs:\n    a: { baseConfig: b }\n    b: { baseConfig: a }\n  instances:\n    \
                x: { baseConfig: a }\n";
    let errors = import("a.yml", text, None, Units::Checked).expect_err("a circle");
    let error = &errors.all()[0];
    assert!(error.problem.contains("circle"), "{error}");
}

#[test]
fn anchors_and_merge_keys_are_followed() {
    let text = "common: &common\n  slidingWindowSize: 30\n  minimumNumberOfCalls: 30\nresilience4j.circuitbreaker.instances:\n  x:\n    \
                <<: *common\n    minimumNumberOfCalls: 15\n";
    let rule = imported("a.yml", text, Units::Checked).rule;
    assert_eq!((count(&rule, "slidingWindowSize"), count(&rule, "minimumNumberOfCalls")), (30.0, 15.0));
}

#[test]
fn hystrix_commands_inherit_the_default() {
    let text = "hystrix.command.default.circuitBreaker.sleepWindowInMilliseconds=10000\n\
                hystrix.command.default.execution.isolation.thread.timeoutInMilliseconds=2000\n\
                hystrix.command.GetUser.circuitBreaker.requestVolumeThreshold=7\n";
    let breaker = imported("config.properties", text, Units::Checked);
    assert_eq!(breaker.name, "GetUser");
    assert_eq!(count(&breaker.rule, "circuitBreaker.requestVolumeThreshold"), 7.0);
    assert_eq!(time(&breaker.rule, "circuitBreaker.sleepWindowInMilliseconds"), Duration::from_secs(10));
    assert!(breaker.notes[0].contains("timeoutInMilliseconds"), "{:?}", breaker.notes);
}

#[test]
fn options_are_found_in_programs() {
    let text = "import CircuitBreaker from 'opossum';\n\nconst breaker = new CircuitBreaker(fetchUser, {\n  name: 'users',\n  \
                timeout: 3 * 1000, // gives up\n  errorThresholdPercentage: 50,\n  resetTimeout: 30_000,\n  \
                errorFilter: (error) => error.status === 404,\n});\n";
    let breaker = imported("users.js", text, Units::Checked);
    assert_eq!((breaker.name.as_str(), breaker.line), ("users", 3));
    assert_eq!(time(&breaker.rule, "timeout"), Duration::from_secs(3));
    assert!(breaker.notes[0].contains("errorFilter"), "{:?}", breaker.notes);

    let text = "export const policy = circuitBreaker(handleAll, {\n  halfOpenAfter: new ConstantBackoff(5000),\n  \
                breaker: new SamplingBreaker({ threshold: 0.2, duration: 30 * 1000 }),\n});\n";
    let rule = imported("policy.ts", text, Units::Checked).rule;
    assert_eq!(time(&rule, "halfOpenAfter"), Duration::from_secs(5));
    assert_eq!(time(&rule, "breaker.duration"), Duration::from_secs(30));
}

#[test]
fn json_has_kinds_in_place_of_classes() {
    let text = "{\"halfOpenAfter\": {\"kind\": \"IterableBackoff\", \"durations\": [100, 300]}, \
                 \"breaker\": {\"kind\": \"CountBreaker\", \"threshold\": 0.5, \"size\": 20}}";
    let rule = imported("a.json", text, Units::Checked).rule;
    assert_eq!(setting(&rule, "breaker.kind"), Some(Value::Word("CountBreaker")));
    assert!(matches!(setting(&rule, "halfOpenAfter.durations"), Some(Value::Times(_))));

    let text =
        "{\"Interval\": \"1m30s\", \"MaxRequests\": 2, \"ReadyToTrip\": {\"kind\": \"total_failures_ge\", \"n\": 4}}";
    let rule = imported("a.json", text, Units::Checked).rule;
    assert_eq!(time(&rule, "Interval"), Duration::from_secs(90));
    assert_eq!(count(&rule, "ReadyToTrip.n"), 4.0);
}

#[test]
fn every_rule_of_a_list_is_read() {
    let text = "[\n {\"resource\": \"a\", \"grade\": 0, \"count\": 200, \"slowRatioThreshold\": 0.6, \"timeWindow\": 10},\n \
                {\"resource\": \"b\", \"limitApp\": \"default\", \"grade\": 2, \"count\": 9, \"timeWindow\": 5}\n]";
    let breakers = import("rules.json", text, None, Units::Checked).expect("two rules");
    let names: Vec<_> = breakers.iter().map(|breaker| (breaker.name.as_str(), breaker.line)).collect();
    assert_eq!(names, [("a", 2), ("b", 3)]);
    assert_eq!(setting(&breakers[1].rule, "grade"), Some(Value::Word("DEGRADE_GRADE_EXCEPTION_COUNT")));
}

#[test]
fn all_that_is_wrong_is_said_at_once_and_once() {
    let yaml = "resilience4j.circuitbreaker:\n  configs:\n    default:\n      failureRateThreshold: 0.5\n  instances:\n    a:\n      \
                slidingWindowSiz: 5\n      slowCallDurationThreshold: 5 parsecs\n    b:\n      baseConfig: default\n      \
                enableRandomizedWait: true\n";
    let errors = import("a.yml", yaml, None, Units::Checked).expect_err("four things are wrong");
    let found: Vec<(usize, &str)> = errors.all().iter().map(|error| (error.line, error.key.as_str())).collect();
    assert_eq!(
        found,
        [
            (4, "failureRateThreshold"),
            (7, "slidingWindowSiz"),
            (8, "slowCallDurationThreshold"),
            (11, "enableRandomizedWait")
        ],
        "{errors}"
    );
    let options = "{ \"resetTimeout\": 30, \"volumeTreshold\": 5, \"errorThresholdPercentage\": 0.5 }";
    assert_eq!(import("a.json", options, None, Units::Checked).expect_err("three").all().len(), 3);
    let properties =
        "hystrix.command.x.circuitBreaker.forceOpen=true\nhystrix.command.y.circuitBreaker.enabled=false\n";
    assert_eq!(import("a.properties", properties, None, Units::Checked).expect_err("two").all().len(), 2);
}

#[test]
fn every_bad_key_of_a_breaker_is_found_whatever_the_library() {
    type Found<'a> = &'a [(usize, &'a str, &'a str)];
    let go = "gobreaker.Settings{\n\tTimeout: 60,\n\tMaxRequests: many,\n\tReadyToTrip: isBad,\n\tColour: red,\n}\n\
              gobreaker.Settings{\n\tIntervall: 0,\n}";
    let fields =
        "{\n\"Timeout\": 60,\n\"Intervall\": \"1s\",\n\"ReadyToTrip\": {\n\"kind\": \"never\",\n\"ratio\": 60\n}\n}";
    let classes = "f({\n  halfOpenAfter: new ExponentialBackoff({\n    maxDelay: 30 }),\n  breaker: new SamplingBreaker({\n    \
                   threshold: 50,\n    duration: 30,\n    size: true }),\n  halfOpenAftr: 1,\n})";
    // What `threshold` counts depends on the kind, and here there is none.
    let kinds =
        "{\n\"halfOpenAfter\": 10,\n\"breaker\": {\n\"kind\": \"Countbreaker\",\n\"threshold\": 50,\n\"sise\": 5\n}\n}";
    let rules = "[{\n\"grade\": 1,\n\"count\": 50,\n\"timeWindow\": 10000,\n\"statIntervalMs\": 10\n},\n\
                 {\n\"grade\": 3,\n\"count\": 0.5,\n\"slowRatioThreshold\": 60,\n\"timeWindo\": 10\n}]";
    let cases: [(&str, &str, Found<'_>); 5] = [
        (
            "a.go",
            go,
            &[
                (2, "Timeout", "time.Second"),
                (3, "MaxRequests", "write its digits"),
                (4, "ReadyToTrip", "leave the field out"),
                (5, "Colour", "no such field"),
                (8, "Intervall", "no such field"),
            ],
        ),
        (
            "a.json",
            fields,
            &[
                (2, "Timeout", "write \"60s\""),
                (3, "Intervall", "did you mean `Interval`?"),
                (5, "ReadyToTrip.kind", "failure_ratio"),
                (6, "ratio", "write 0.6"),
            ],
        ),
        (
            "a.ts",
            classes,
            &[
                (2, "halfOpenAfter", "noJitterGenerator"),
                (3, "maxDelay", "write 30000"),
                (5, "threshold", "write 0.5"),
                (6, "duration", "write 30000"),
                (7, "size", "true"),
                (8, "halfOpenAftr", "did you mean `halfOpenAfter`?"),
            ],
        ),
        (
            "a.json",
            kinds,
            &[(2, "halfOpenAfter", "write 10000"), (3, "breaker.kind", "CountBreaker"), (6, "breaker.sise", "size")],
        ),
        (
            "a.json",
            rules,
            &[
                (3, "count", "write 0.5"),
                (4, "timeWindow", "write 10"),
                (5, "statIntervalMs", "write 10000"),
                (8, "grade", "none of 0"),
                (10, "slowRatioThreshold", "write 0.6"),
                (11, "timeWindo", "did you mean `timeWindow`?"),
            ],
        ),
    ];
    for (file, text, expected) in cases {
        let errors = import(file, text, None, Units::Checked).expect_err(text);
        let found: Vec<(usize, &str)> = errors.all().iter().map(|error| (error.line, error.key.as_str())).collect();
        let places: Vec<(usize, &str)> = expected.iter().map(|&(line, key, _)| (line, key)).collect();
        assert_eq!(found, places, "{text}\n{errors}");
        for (error, (_, _, remedy)) in errors.all().iter().zip(expected) {
            assert!(error.problem.contains(remedy), "{text}\n{error}");
        }
    }
}
