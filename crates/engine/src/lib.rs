//! A discrete-event simulation engine in continuous time: integer clock, cancellable event queue, keyed random streams.
//!
//! A discrete-event simulation is a state that changes at instants. Between two instants nothing happens, so the clock
//! jumps from one event to the next. This crate supplies the clock, the events in their order, the random numbers and
//! the measuring; what the events mean is the model's business. It knows no files and no threads, and the same program
//! gives the same bits on every machine: run as many simulations side by side as there are processors.
//!
//! # A first model
//!
//! A model is a state, a type of event, and what each event does. This is the light of a staircase: whoever presses the
//! button has light for a minute from then on.
//!
//! ```
//! use engine::{Calendar, Class, Duration, Handle, Model, Simulation, Time, TimeWeighted};
//!
//! enum Event {
//!     Press,
//!     Off,
//! }
//!
//! struct Staircase {
//!     off: Option<Handle>,
//!     lit: TimeWeighted,
//! }
//!
//! impl Model for Staircase {
//!     type Event = Event;
//!
//!     fn handle(&mut self, event: Event, calendar: &mut Calendar<Event>) {
//!         let now = calendar.now();
//!         match event {
//!             Event::Press => {
//!                 let end = now + Duration::from_secs(60);
//!                 // Move the timer if it is running, start it otherwise.
//!                 match self.off {
//!                     Some(timer) if calendar.rearm(timer, end, Class::Timer) => {}
//!                     _ => self.off = Some(calendar.schedule_cancellable(end, Class::Timer, Event::Off)),
//!                 }
//!                 self.lit.set(now, 1);
//!             }
//!             Event::Off => self.lit.set(now, 0),
//!         }
//!     }
//! }
//!
//! let staircase = Staircase { off: None, lit: TimeWeighted::new(Time::ZERO, 0) };
//! let mut simulation = Simulation::new(staircase);
//! for second in [10, 50, 200] {
//!     simulation.calendar_mut().schedule(Time::ZERO + Duration::from_secs(second), Class::Arrival, Event::Press);
//! }
//! simulation.run();
//!
//! let end = simulation.now();
//! assert_eq!(end.to_string(), "260s");
//! // Lit from 10 to 110 and from 200 to 260.
//! assert_eq!(simulation.model().lit.mean(end), Some(160.0 / 260.0));
//! ```
//!
//! [`Calendar::schedule`] is for what is certain to happen, [`Calendar::schedule_cancellable`] for what may yet be
//! called off or moved. It hands out a [`Handle`], which goes stale when its event has happened or was cancelled:
//! [`Calendar::cancel`] then says `None` and [`Calendar::rearm`] `false`, and no other event is ever hit. A cancelled
//! event is gone at once; a timer that is set anew a million times is one pending event.
//!
//! # Time
//!
//! [`Time`] and [`Duration`] are whole nanoseconds. Two instants are equal or they are not, a sum is exact, and a day
//! from the start the clock is as fine as in its first second. An event at [`Time::MAX`] never happens: move a timer
//! there to stop it and keep its handle.
//!
//! [`Simulation::run_until`] executes what lies strictly before an instant and leaves the clock there, so that a run in
//! pieces is the run in one piece. [`Simulation::run`] goes on until nothing is left, [`Simulation::step`] executes one
//! event.
//!
//! # Which of two events of the same instant goes first?
//!
//! In a model of clockwork parts ties are the rule, and an engine that breaks them by accident changes its results when
//! an unrelated event is added. Here the order of events is total: by time, then by [`Class`], then by a sequence number.
//!
//! | class | what happens | so that |
//! |---|---|---|
//! | [`Change`](Class::Change) | the world changes, somebody intervenes | what starts now governs what happens now |
//! | [`Timer`](Class::Timer) | a timer falls due | nobody meets a timer that should have gone off |
//! | [`Completion`](Class::Completion) | something ends | what it held is free for who comes now |
//! | [`Arrival`](Class::Arrival) | something arrives | |
//! | [`Observer`](Class::Observer) | somebody looks | the whole instant is seen |
//!
//! Sequence numbers ascend in the order of scheduling; [`Calendar::schedule_keyed`] takes one of the model's making,
//! where ties are to be broken by something that means something, such as a customer's number.
//!
//! The clock never goes back. Scheduling an event before the one being executed panics with both keys in the message;
//! the `try_` variants return [`PastEvent`] instead. At the present instant the same or a later class can follow.
//!
//! # Random numbers by identity
//!
//! A generator that everybody draws from makes every draw depend on all the draws before it: turn one customer away and
//! all later ones change. A [`StreamKey`] names a stream by what it is for, and draw *n* of it depends on nothing else.
//! Two variants of a model then meet the same customers with the same needs, and their difference is due to the variant
//! and not to luck (common random numbers).
//!
//! ```
//! use engine::{Distribution, Duration, StreamKey};
//!
//! const SERVICE: u64 = 1;
//! let (seed, replication, customer) = (2026, 0, 41);
//! let services = StreamKey::root(seed).child(replication).child(SERVICE);
//!
//! let law = Distribution::LogNormal { median: Duration::from_millis(20), sigma: 0.5 };
//! let service = law.quantile(services.uniform(customer));
//! let failed = services.child(2).bernoulli(customer, 0.01);
//! # assert!(service > Duration::ZERO && !failed);
//! ```
//!
//! A draw takes one word and is made by inversion, by a [`Distribution`]. Give every purpose a stream of its own: the
//! same word must not decide two things. [`StreamKey::generator`] is for processes that draw an unknown number of words.
//!
//! # Arrivals from outside
//!
//! What arrives whatever the model does need not go through the queue. A [`Source`] is a sorted stream of events that
//! the simulation merges with it: [`Arrivals`] makes one of any sorted iterator, [`Merged`] one of two. An arrival then
//! costs a comparison, and the queue stays as small as the number of things that are going on.
//!
//! # Measuring
//!
//! [`Tally`] is for numbers that come one by one (waiting times), [`TimeWeighted`] for a level that lasts (the length of
//! a line), [`SlotPool`] for what can be held. At the end of a warm-up put a new tally in the place of the old one and
//! [`reset`](TimeWeighted::reset) the level: the average begins anew, the line is as long as it was.
//!
//! # Seeing what happened
//!
//! A [`Trace`] is told of every event. [`TraceLog`] keeps a line of each, [`TraceDigest`] one number of all of them: two
//! runs with the same digest were the same run. The default, [`NoTrace`], compiles to nothing.
//!
//! ```
//! # use engine::{Calendar, Model};
//! # struct Nothing;
//! # impl Model for Nothing {
//! #     type Event = &'static str;
//! #     fn handle(&mut self, _: &'static str, _: &mut Calendar<&'static str>) {}
//! # }
//! use engine::{Arrivals, Duration, Simulation, Time, TraceLog};
//!
//! let arrivals = Arrivals::new((1..=2).map(|n| (Time::ZERO + Duration::from_millis(n), "hello")));
//! let mut simulation = Simulation::new(Nothing).with_source(arrivals).with_trace(TraceLog::new());
//! simulation.run();
//! assert_eq!(simulation.trace().lines(), [r#"1ms arrival 0 "hello""#, r#"2ms arrival 1 "hello""#]);
//! ```
//!
//! # A simulation is a value
//!
//! Clone it, and both go on from here: to try an intervention, to look ahead, to keep a checkpoint. [`EventQueue`] can
//! be used by itself, and two queues are equal if the same events are pending in them.
//!
//! # A whole program
//!
//! The classic of the field: customers arrive at random, are served by one of several counters, and wait in one line.
//!
//! ```
#![doc = include_str!("../examples/mmc.rs")]
//! ```
//!
//! It prints, after ten million simulated seconds of each bank:
//!
//! ```text
#![doc = include_str!("../examples/mmc.out")]
//! ```
//!
//! Customers that lose their patience are the classic of cancelled timers:
//!
//! ```
#![doc = include_str!("../examples/bank_renege.rs")]
//! ```
//!
//! Beside these two, `examples/` holds a machine shop, in which work is put aside and taken up again, and a carwash that
//! is fed by a recorded trace.

mod calendar;
mod distribution;
mod key;
mod normal;
mod queue;
mod simulation;
mod slot_pool;
mod source;
mod stream;
mod tally;
mod time;
mod time_weighted;
mod trace;

pub use calendar::{Calendar, PastEvent};
pub use distribution::{Distribution, DistributionError};
pub use key::{Class, EventKey};
pub use queue::{EventQueue, Handle};
pub use simulation::{Model, Simulation};
pub use slot_pool::SlotPool;
pub use source::{Arrivals, Merged, NoSource, Source};
pub use stream::{StreamKey, open_unit};
pub use tally::Tally;
pub use time::{Duration, Time};
pub use time_weighted::TimeWeighted;
pub use trace::{NoTrace, Trace, TraceDigest, TraceLog};
