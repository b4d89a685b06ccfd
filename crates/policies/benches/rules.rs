//! Asking a breaker and telling it the outcome, rule by rule.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use engine::{Duration, StreamKey, Time};
use policies::{Answer, CallId, Clocks, Consecutive, HalfOpen, NoBreaker, Outcome, Ratio, Rule, Verdict};

const CALLS: u64 = 100_000;

fn main() {
    divan::main();
}

/// Calls come every 10 ms, and one in eight fails.
fn bench<R: Rule>(bencher: Bencher<'_, '_>, rule: R) {
    let failures = StreamKey::root(1);
    let verdicts: Vec<Verdict> = (0..CALLS)
        .map(|call| if failures.bernoulli(call, 0.125) { Verdict::Failure } else { Verdict::Success })
        .collect();
    bencher.counter(ItemsCount::new(CALLS)).bench_local(|| {
        let mut breaker = rule.start(StreamKey::root(2));
        let (mut admitted, mut rejected) = (0, 0);
        for (request, &verdict) in (0..).zip(&verdicts) {
            let now = Clocks::synchronous(Time::from_nanos(request * 10_000_000));
            let call = black_box(CallId { asked_at: now.monotonic, request, attempt: 0 });
            match rule.ask(&mut breaker, now, call).0 {
                Answer::Admit => {
                    admitted += 1;
                    let outcome = Outcome { verdict, duration: Duration::TICK };
                    black_box(rule.record(&mut breaker, now, call, outcome));
                }
                Answer::Reject | Answer::Wait => rejected += 1,
            }
        }
        assert_eq!(admitted + rejected, CALLS);
        admitted
    });
}

#[divan::bench]
fn none(bencher: Bencher<'_, '_>) {
    bench(bencher, NoBreaker);
}

#[divan::bench]
fn consecutive(bencher: Bencher<'_, '_>) {
    bench(bencher, Consecutive::new(5, Duration::from_secs(1), HalfOpen::default()).expect("valid"));
}

/// Windows with their results in place, and one with a ring.
#[divan::bench(args = [5, 100, 1_000])]
fn ratio(bencher: Bencher<'_, '_>, window: u32) {
    bench(bencher, Ratio::new(window, 0.5, Duration::from_secs(1), HalfOpen::default()).expect("valid"));
}
