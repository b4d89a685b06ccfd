//! Calls that wait at a breaker, through the whole world.

use engine::Duration;
use policies::{Library, Settings, Value};
use scenario::{Mode, Replication, Scenario, run_any};

/// Open times far shorter than a call: tests of different openings are out at once, and a call that waited becomes a test
/// after later ones.
#[test]
fn tests_that_overtake_each_other_end() {
    let library = Library::named("cockatiel").expect("a library");
    let rule = library
        .build(
            &Settings::new()
                .with("halfOpenAfter", Value::Time(Duration::from_millis(1)))
                .with("breaker.kind", Value::Word("CountBreaker"))
                .with("breaker.threshold", Value::Number(0.3))
                .with("breaker.size", Value::Number(10.0)),
        )
        .expect("a rule");
    let scenario = Scenario::default();
    let mode = Mode::given("slowdown", None).expect("a mode");
    for replication in 0..5 {
        let run = run_any(&rule, &Replication::draw(&scenario, 0, replication).stream(&mode));
        assert_eq!(run.requests, run.responses + run.errors + run.rejected + run.no_slot + run.in_flight);
        assert!(run.openings > 1, "{run:?}");
    }
}
