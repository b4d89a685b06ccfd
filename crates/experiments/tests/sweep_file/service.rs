//! The options of the richer world.

use engine::{Distribution, Duration, Time};
use experiments::sweep_file::parse;
use scenario::Service;
use scenario::service::{
    Budget, Callers, ClockStep, Fallback, Load, Pause, Ramp, RateLimit, RegimeOptions, Retries, Slowness,
};

use crate::{complaint, read};

const EVERYTHING: &str = r#"
modes = ["slowdown"]
[scenario]
slots = 64
queue = 20
time_out = "300ms"
instances = 4
timer_jitter = 0.15
bulkhead = 5
shards = [3, 1]
breakers = "per_shard"
stuck_after = "2s"
pauses = [["0s", "500ms"], ["3s", "4s"]]
clock_steps = [{ at = "1s", forward = "30s" }, { at = "5s", back = "31s" }]
fallback = { kind = "stale", wrong = 0.02 }
callers = { number = 60, think = { kind = "exponential", mean = "500ms" } }
rate_limit = { rate = "100/s", burst = 20 }
load = { slots = 20, slowdown = 1.5 }
[scenario.retries]
attempts = 3
delay = "50ms"
growth = 2
longest = "1s"
jitter = 0.5
breaker = "outside"
budget = { per_request = 0.1, most = 10 }
[scenario.regimes.slowdown]
lost = 0.01
cancelled = 0.02
ignored = 0.03
slow = { probability = 0.1, hold = "400ms" }
ramp = { over = "2s", from = 0.5 }
shard = 1
[[rule]]
kind = "none"
"#;

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn at(after: u64) -> Time {
    Time::ZERO + millis(after)
}

#[test]
fn every_option_can_be_written() {
    let sweep = read(EVERYTHING);
    let expected = Service {
        callers: Some(Callers { number: 60, think: Distribution::Exponential { mean: millis(500) } }),
        pauses: vec![Pause { from: at(0), to: at(500) }, Pause { from: at(3_000), to: at(4_000) }],
        queue: 20,
        time_out: Some(millis(300)),
        retries: Some(Retries {
            attempts: 3,
            delay: millis(50),
            growth: 2.0,
            longest: millis(1_000),
            jitter: 0.5,
            breaker_outside: true,
            budget: Some(Budget { per_request: 0.1, most: 10 }),
        }),
        fallback: Fallback::Stale { wrong: 0.02 },
        shards: vec![3.0, 1.0],
        breaker_per_shard: true,
        instances: 4,
        timer_jitter: 0.15,
        bulkhead: Some(5),
        rate_limit: Some(RateLimit { rate: 100.0, burst: 20 }),
        load: Some(Load { slots: 20, slowdown: 1.5, failures: 0.0 }),
        clock_steps: vec![
            ClockStep { at: at(1_000), by: 30_000_000_000 },
            ClockStep { at: at(5_000), by: -31_000_000_000 },
        ],
        stuck_after: Some(millis(2_000)),
    };
    assert_eq!(sweep.scenario.service, expected);
    let options = RegimeOptions {
        lost: 0.01,
        cancelled: 0.02,
        ignored: 0.03,
        slow: Some(Slowness { probability: 0.1, hold: Distribution::Deterministic(millis(400)) }),
        ramp: Some(Ramp { over: millis(2_000), from: Some(0.5) }),
        shard: Some(1),
    };
    assert_eq!(sweep.modes[0].timeline[1].1.options, options);
    assert!(sweep.needs_the_richer_world());
    // What it resolves to says the same.
    let text = toml::to_string(&sweep.resolved()).expect("it can be written");
    let again = parse("my.toml", &text, &[], None).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!((&again.scenario, &again.modes), (&sweep.scenario, &sweep.modes), "{text}");
}

#[test]
fn who_asks_for_nothing_gets_the_plain_world_and_its_form() {
    let sweep = read("[[rule]]\nkind = \"none\"\n");
    assert_eq!(sweep.scenario.service, Service::default());
    assert!(!sweep.needs_the_richer_world() && sweep.notes.is_empty());
    let text = toml::to_string(&sweep.resolved()).expect("it can be written");
    for key in ["queue", "time_out", "retries", "instances", "shards", "lost", "ramp"] {
        assert!(!text.contains(key), "{key} in\n{text}");
    }
}

#[test]
fn the_sweep_says_what_cannot_be_shared() {
    let notes = |text: &str| read(&format!("[scenario]\n{text}\n[[rule]]\nkind = \"none\"\n")).notes.join("\n");
    assert!(notes("time_out = \"1s\"\nqueue = 3").contains("share worlds with `queue`, `time_out`"));
    assert!(notes("regimes.down.lost = 0.1").contains("`lost`"));
    for shared in ["pauses = [[\"1s\", \"2s\"]]", "shards = [1, 2]", "regimes.down.ramp = \"1s\""] {
        assert_eq!(notes(shared), "", "{shared}");
    }
}

#[test]
fn fallbacks_and_ramps_have_short_forms() {
    let of = |word: &str| read(&format!("[scenario]\nfallback = \"{word}\"\n[[rule]]\nkind = \"none\"\n"));
    assert_eq!(of("silent").scenario.service.fallback, Fallback::Silent { wrong: 1.0 });
    assert_eq!(of("stale").scenario.service.fallback, Fallback::Stale { wrong: 0.0 });
    let sweep = read("[scenario]\nregimes.down.ramp = \"2s\"\n[[rule]]\nkind = \"none\"\n");
    let down = sweep.modes.iter().find(|mode| mode.name == "down").expect("it is given");
    assert_eq!(down.timeline[1].1.options.ramp, Some(Ramp { over: millis(2_000), from: None }));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (written, said) in [
        ("queue = -1", "my.toml:2:9: key `scenario.queue`: -1 is out of range"),
        ("instances = 33", "my.toml:2:13: key `scenario.instances`: 33 instances cannot share 32 slots; give every"),
        ("bulkhead = 32", "my.toml:2:12: key `scenario.bulkhead`: 32 of the 32 slots"),
        ("timer_jitter = 1.0", "my.toml:2:16: key `scenario.timer_jitter`: 1.0 is out of range"),
        ("fallback = \"silently\"", "\"silently\" is not known here; did you mean `silent`?"),
        ("fallback = { kind = \"review\", wrong = 0.1 }", "this fallback never tells anything wrong"),
        ("retries = { attempts = 1, delay = \"1s\" }", "key `scenario.retries.attempts`: 1 is out of range"),
        ("retries = { attempts = 3 }", "delay"),
        ("rate_limit = { rate = \"0/s\", burst = 1 }", "no call would ever pass"),
        ("pauses = [[\"3s\", \"2s\"]]", "the pause from 3s to 2s is empty; put the earlier instant first"),
        ("pauses = [\"3s\"]", "expected the two ends of a pause"),
        ("clock_steps = [{ at = \"1s\" }]", "a step goes either forward or back"),
        (
            "clock_steps = [{ at = \"1s\", back = \"2s\" }]",
            "key `scenario.clock_steps`: the step at 1s is out of order",
        ),
        ("callers = { number = 0, think = \"1s\" }", "key `scenario.callers.number`: 0 is out of range"),
        ("callers = { number = 100, think = \"1ns\" }", "a run would have up to"),
        ("shards = [1, 0]", "key `scenario.shards.1`: 0 is out of range: expected a weight above 0"),
        ("regimes.down.shard = 1", "it is for shard 1, and there are 1 (from 0)"),
        ("regimes.down = { lost = 0.6, ignored = 0.6 }", "together are more than all calls"),
        ("regimes.down.slow = { probability = 2, hold = \"1s\" }", "2 is out of range: expected a probability"),
    ] {
        let told = complaint(&format!("[scenario]\n{written}\n[[rule]]\nkind = \"none\"\n"));
        assert!(told.contains(said), "about {written} it is said\n{told}");
    }
}

#[test]
fn variants_are_read_and_left_alone() {
    let rule = "[[rule]]\nkind = \"none\"\n";
    let sweep = read(&format!("{rule}[[variant]]\nname = \"more\"\nset = [\"scenario.slots=64\"]\n"));
    assert_eq!(sweep.scenario.slots, 32);
    assert_eq!(
        (sweep.variants[0].name.as_str(), &sweep.variants[0].set[..]),
        ("more", &["scenario.slots=64".to_owned()][..])
    );
    for (variant, said) in [
        ("name = \"more\"", "variant.0.set`: this key is missing"),
        ("set = [\"a=1\"]", "variant.0.name`: this key is missing"),
        ("name = \"more\"\nset = \"a=1\"", "expected a list of changes"),
    ] {
        let told = complaint(&format!("{rule}[[variant]]\n{variant}\n"));
        assert!(told.contains(said), "{told}");
    }
}

#[test]
fn a_clock_step_after_every_run_is_said() {
    let notes = |at: &str| {
        let text = format!(
            "[scenario]\nhorizon = \"12s\"\nclock_steps = [{{ at = \"{at}\", back = \"1s\" }}]\n[[rule]]\nkind = \"none\"\n"
        );
        read(&text).notes.concat()
    };
    assert!(
        notes("12s").contains("the clock step at 12s never happens: every run has ended by then"),
        "{}",
        notes("12s")
    );
    assert!(!notes("11s").contains("never happens"), "{}", notes("11s"));
}
