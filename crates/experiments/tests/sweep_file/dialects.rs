//! Rules of libraries: each parameter by the library's own name, as an axis.

use engine::Duration;
use experiments::sweep_file::Sweep;
use policies::{Value, libraries};

use crate::read;

/// What every design says of a parameter.
fn values(sweep: &Sweep, parameter: &str) -> Vec<Option<Value>> {
    let dialects = sweep.designs.iter().map(|design| design.rule.dialect().expect("a library's"));
    dialects.map(|dialect| dialect.settings().get(parameter)).collect()
}

fn numbers(numbers: &[f64]) -> Vec<Option<Value>> {
    numbers.iter().map(|&number| Some(Value::Number(number))).collect()
}

#[test]
fn every_number_of_a_library_is_an_axis() {
    let sweep = read(
        "[[rule]]\nkind = \"resilience4j\"\nslidingWindowSize = [10, 20]\nfailureRateThreshold = { from = 25, to = 75, step = 25 }\n\
         waitDurationInOpenState = \"5s\"\n",
    );
    assert_eq!(values(&sweep, "slidingWindowSize"), numbers(&[10.0, 10.0, 10.0, 20.0, 20.0, 20.0]));
    assert_eq!(values(&sweep, "failureRateThreshold"), numbers(&[25.0, 50.0, 75.0, 25.0, 50.0, 75.0]));
    assert_eq!(sweep.designs[0].rule.open_for(), Some(Duration::from_secs(5)));
    assert_eq!(sweep.designs[5].rule.name(), "resilience4j");
}

#[test]
fn times_are_in_the_librarys_unit_or_have_one() {
    let sweep = read(
        "[[rule]]\nkind = \"opossum\"\nresetTimeout = [500, \"2s\", 30000]\ntimeout = [false, \"300ms\"]\nallowWarmUp = [true, false]\n",
    );
    let times = |millis: [u64; 12]| millis.map(|millis| Some(Value::Time(Duration::from_millis(millis)))).to_vec();
    assert_eq!(
        values(&sweep, "resetTimeout"),
        times([500, 500, 500, 500, 2_000, 2_000, 2_000, 2_000, 30_000, 30_000, 30_000, 30_000])
    );
    let timeout = [Value::Flag(false), Value::Time(Duration::from_millis(300))];
    assert_eq!(values(&sweep, "timeout")[..4], [timeout[0], timeout[0], timeout[1], timeout[1]].map(Some));
    assert_eq!(values(&sweep, "allowWarmUp")[..2], [true, false].map(|flag| Some(Value::Flag(flag))));
    let sweep = read("[[rule]]\nkind = \"sentinel\"\ntimeWindow = { from = 5, to = 15, step = 5 }\n");
    let seconds = [5, 10, 15].map(|seconds| Some(Value::Time(Duration::from_secs(seconds))));
    assert_eq!(values(&sweep, "timeWindow"), seconds);
}

#[test]
fn objects_in_objects_are_dotted_keys() {
    let dotted = "[[rule]]\nkind = \"cockatiel\"\nhalfOpenAfter = \"10s\"\nbreaker.kind = \"CountBreaker\"\n\
                  breaker.threshold = 0.5\nbreaker.size = [20, 50]\nzip = [[\"breaker.size\", \"breaker.minimumNumberOfCalls\"]]\n\
                  breaker.minimumNumberOfCalls = [10, 25]\n";
    let tables = "[[rule]]\nkind = \"cockatiel\"\nhalfOpenAfter = 10_000\nzip = [\"breaker.size\", \"breaker.minimumNumberOfCalls\"]\n\
                  [rule.breaker]\nkind = \"CountBreaker\"\nthreshold = { linspace = [0.5, 0.6, 2] }\nsize = [20, 50]\n\
                  minimumNumberOfCalls = [10, 25]\n";
    let (dotted, tables) = (read(dotted), read(tables));
    assert_eq!(values(&dotted, "breaker.size"), numbers(&[20.0, 50.0]));
    assert_eq!(values(&dotted, "breaker.minimumNumberOfCalls"), numbers(&[10.0, 25.0]));
    assert_eq!(values(&tables, "breaker.threshold"), numbers(&[0.5, 0.5, 0.6, 0.6]));
    assert_eq!(
        dotted.designs[..2].iter().map(|d| d.rule).collect::<Vec<_>>(),
        [tables.designs[0].rule, tables.designs[1].rule]
    );
    let quoted = "[[rule]]\nkind = \"hystrix_1_5_18\"\n\"circuitBreaker.sleepWindowInMilliseconds\" = 500\n";
    let nested = "[[rule]]\nkind = \"hystrix_1_5_18\"\ncircuitBreaker.sleepWindowInMilliseconds = \"500ms\"\n";
    assert_eq!(read(quoted).designs, read(nested).designs);
}

#[test]
fn designs_that_mean_the_same_are_one() {
    let sweep = read("[[rule]]\nkind = \"gobreaker\"\nMaxRequests = [0, 1, 2]\n");
    let equivalent: Vec<_> = sweep.designs.iter().map(|design| design.equivalent_to).collect();
    assert_eq!(equivalent, [None, Some(0), None]);
    let sweep =
        read("[[rule]]\nkind = \"resilience4j\"\nslidingWindowSize = 20\nminimumNumberOfCalls = [10, 20, 100]\n");
    assert_eq!(sweep.designs.iter().map(|design| design.equivalent_to).collect::<Vec<_>>(), [None, None, Some(1)]);
}

#[test]
fn every_librarys_defaults_are_a_rule_and_survive_being_written_out() {
    for library in libraries() {
        let needed = match library.name {
            "cockatiel" => "halfOpenAfter = 1000\nbreaker.kind = \"ConsecutiveBreaker\"\nbreaker.threshold = [3, 5]\n",
            "sentinel" => "timeWindow = [1, 2]\n",
            "gobreaker" => "ReadyToTrip = { kind = \"failure_ratio\", ratio = [0.3, 0.5], min_requests = 20 }\n",
            "failsafe_rs" => "backoff.kind = [\"exponential\", \"equal_jittered\"]\nbackoff.start = \"1500ms\"\n",
            _ => "",
        };
        let sweep = read(&format!("[[rule]]\nkind = \"{}\"\n{needed}", library.name));
        let text = toml::to_string(&sweep.resolved()).expect("a sweep can be written");
        let again = read(&text);
        assert_eq!(again.designs, sweep.designs, "{text}");
        assert_eq!(toml::to_string(&again.resolved()).expect("again"), text);
    }
}
