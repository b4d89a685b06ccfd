//! The bits that results are made of. They are the same on every platform, under every feature that another crate of a
//! build may switch on, and in every release that does not say otherwise.
//!
//! Every number here was derived by a second program, in another language, from the published SplitMix64 and
//! xoshiro256++ and from the definitions of the laws in 40-digit arithmetic. If one changes, all results change.

use std::collections::VecDeque;

use engine::{
    Arrivals, Calendar, Class, Distribution, Duration, EventKey, Model, Simulation, StreamKey, Time, TraceDigest,
    open_unit,
};
use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

fn key() -> StreamKey {
    StreamKey::root(2026).child(7).child(1)
}

#[test]
fn words_of_a_stream() {
    let words = [0, 1, u64::MAX].map(|position| key().word(position));
    assert_eq!(words, [0x06a9_6094_4001_afc3, 0x5d6a_f154_e856_48ce, 0xdfd4_481d_a225_f567]);
    let uniforms = [0, 1].map(|position| key().uniform(position).to_bits());
    assert_eq!(uniforms, [0x3f9a_a582_5100_06a0, 0x3fd7_5abc_553a_1592]);
}

#[test]
fn words_of_a_generator() {
    let mut generator = key().generator();
    let words = [(); 3].map(|()| generator.next_u64());
    assert_eq!(words, [0xfab0_3b4f_069f_a24a, 0xce51_92df_a398_df75, 0xf226_e412_19ee_0b71]);
}

/// The first draws of each law, and 2,000 of them in one number.
#[test]
fn draws_of_the_laws() {
    let ten = Duration::from_millis(10);
    let uniform = Distribution::Uniform { from: Duration::from_millis(5), to: Duration::from_millis(20) };
    let cases = [
        (uniform, [5_390_329, 10_473_695, 12_382_497, 12_935_135], 0x45ac_cccf_31de_92ac),
        (Distribution::Exponential { mean: ten }, [263_665, 4_539_933, 6_776_016, 7_529_163], 0x9edd_3edf_4a5e_ad93),
        (
            Distribution::LogNormal { median: ten, sigma: 0.8 },
            [2_113_550, 7_585_963, 9_844_132, 10_599_516],
            0x443a_0770_3e84_1102,
        ),
        (
            Distribution::Weibull { scale: ten, shape: 0.6 },
            [23_357, 2_681_735, 5_227_460, 6_231_289],
            0x1865_de1c_d36b_945c,
        ),
    ];
    for (law, first, all) in cases {
        let draw = |position| law.quantile(key().uniform(position)).as_nanos();
        assert_eq!([0, 1, 2, 3].map(draw), first, "{law:?}");
        let mixed = (0..2_000).map(draw).fold(0, |sum, nanos| SplitMix64::seed_from_u64(sum ^ nanos).next_u64());
        assert_eq!(mixed, all, "{law:?}: {mixed:#018x}");
    }
}

/// One server and a queue.
struct Counter {
    waiting: VecDeque<u32>,
    serving: bool,
    service: StreamKey,
}

#[derive(Hash)]
enum Event {
    Arrive(u32),
    Leave(u32),
}

impl Counter {
    fn serve(&mut self, customer: u32, calendar: &mut Calendar<Event>) {
        self.serving = true;
        let law = Distribution::Exponential { mean: Duration::from_millis(700) };
        let until = calendar.now() + law.quantile(self.service.uniform(customer.into()));
        let key = EventKey::new(until, Class::Completion, customer.into());
        calendar.schedule_keyed(key, Event::Leave(customer));
    }
}

impl Model for Counter {
    type Event = Event;

    fn handle(&mut self, event: Event, calendar: &mut Calendar<Event>) {
        match event {
            Event::Arrive(customer) if self.serving => self.waiting.push_back(customer),
            Event::Arrive(customer) => self.serve(customer, calendar),
            Event::Leave(_) => match self.waiting.pop_front() {
                Some(customer) => self.serve(customer, calendar),
                None => self.serving = false,
            },
        }
    }
}

/// The other program worked the departures out by Lindley's recursion and sorted them.
#[test]
fn digest_of_a_run() {
    let root = StreamKey::root(1);
    let law = Distribution::Exponential { mean: Duration::from_secs(1) };
    let mut generator = root.child(0).generator();
    let arrivals = (0..1_000).scan(Time::ZERO, move |now, customer| {
        *now += law.quantile(open_unit(generator.next_u64()));
        Some((*now, Event::Arrive(customer)))
    });
    let counter = Counter { waiting: VecDeque::new(), serving: false, service: root.child(1) };
    let mut simulation = Simulation::new(counter).with_source(Arrivals::new(arrivals)).with_trace(TraceDigest::new());
    simulation.run();
    assert_eq!(simulation.trace().events(), 2_000);
    assert_eq!(simulation.trace().digest(), 0xa6a3_5da6_312d_d5ec, "{:#018x}", simulation.trace().digest());
}
