//! The world in one regime for ever, in front of a breaker that stays closed: where very rare openings are looked for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use engine::{Distribution, Duration, StreamKey, Time};
use policies::{Answer, CallId, Clocks, Outcome, Phase, Rule, Transition, Verdict};

use crate::arrivals::Source;
use crate::{ArrivalProcess, Mode, OutcomeAt, Regime, Scenario};

/// What calls meet if a mode's fault lasts for ever.
#[derive(Clone, Debug)]
pub struct SteadyRegime {
    slots: u32,
    outcome: OutcomeAt,
    dependency: ArrivalProcess,
    neighbour: ArrivalProcess,
    neighbour_hold: Distribution,
    /// The regimes that calls of different shards meet, each with its share of them and of all before it.
    regimes: Vec<(f64, Regime)>,
}

impl SteadyRegime {
    /// The fault of a mode, its ramp over and no pause in sight.
    ///
    /// # Errors
    ///
    /// The options, by their keys in sweep files, that only the richer world can run: see
    /// [`Service::beyond_the_plain_world`](crate::Service::beyond_the_plain_world).
    pub fn fault(scenario: &Scenario, mode: &Mode) -> Result<Self, Vec<&'static str>> {
        let beyond = scenario.service.beyond_the_plain_world(mode);
        if !beyond.is_empty() {
            return Err(beyond);
        }
        let (before, fault) = (&mode.timeline[0].1, &mode.timeline[1].1);
        let regimes = match fault.options.shard {
            None => vec![(1.0, fault.clone())],
            Some(shard) => {
                let weights = &scenario.service.shards;
                let share =
                    weights.get(shard as usize).copied().unwrap_or(1.0) / weights.iter().sum::<f64>().max(1e-300);
                vec![(share.min(1.0), fault.clone()), (1.0, before.clone())]
            }
        };
        Ok(Self {
            slots: scenario.slots,
            outcome: scenario.outcome,
            dependency: scenario.dependency,
            neighbour: scenario.neighbour,
            neighbour_hold: scenario.neighbour_hold.clone(),
            regimes,
        })
    }

    /// The probability that a call fails.
    #[must_use]
    pub fn failure_probability(&self) -> f64 {
        self.mean_over_shards(|regime| regime.failure_probability)
    }

    /// How many calls of the dependency flow arrive in a second.
    #[must_use]
    pub fn requests_per_second(&self) -> f64 {
        self.dependency.mean_rate()
    }

    /// The longest that a call can take.
    #[must_use]
    pub fn longest_hold(&self) -> Duration {
        let longest = |law: &Distribution| law.quantile(1.0_f64.next_down());
        let of_regime = |regime: &Regime| {
            let slow = regime.options.slow.as_ref().map_or(Duration::ZERO, |slow| longest(&slow.hold));
            longest(&regime.success_hold).max(longest(&regime.failure_hold)).max(slow)
        };
        self.regimes.iter().map(|(_, regime)| of_regime(regime)).max().unwrap_or(Duration::ZERO)
    }

    /// The share of requests that find no free slot, where both flows are Poisson: Erlang's loss formula, which holds
    /// whatever the laws of the holds (Sevastyanov, *Theory of Probability and its Applications* 2, 1957).
    #[must_use]
    pub fn loss(&self) -> Option<f64> {
        let is_poisson =
            |flow: &ArrivalProcess| matches!(flow, ArrivalProcess::Poisson { .. }) || flow.mean_rate() == 0.0;
        if !is_poisson(&self.dependency) || !is_poisson(&self.neighbour) {
            return None;
        }
        let load = self.dependency.mean_rate() * self.mean_hold_secs()
            + self.neighbour.mean_rate() * self.neighbour_hold.mean_secs();
        // By recursion over the number of slots, from none, where every request is lost.
        Some((1..=self.slots).fold(1.0, |loss, slots| load * loss / (f64::from(slots) + load * loss)))
    }

    /// Whether results reach the breaker as independent events of one probability, if no call lacks a slot.
    ///
    /// At admission they do by construction. At completion they do where calls arrive as a Poisson process: successes and
    /// failures are independent Poisson processes then, and remain so when each call is displaced by a hold of its own law
    /// (the displacement theorem: Kingman, *Poisson Processes*, section 5.1). And they do where all holds are one constant, so
    /// that calls complete in the order in which they came.
    #[must_use]
    pub fn results_are_independent(&self) -> bool {
        let constants: Option<Vec<Duration>> = self
            .regimes
            .iter()
            .flat_map(|(_, regime)| {
                let slow = regime.options.slow.as_ref().map(|slow| &slow.hold);
                [Some(&regime.success_hold), Some(&regime.failure_hold), slow].into_iter().flatten()
            })
            .map(|law| if let Distribution::Deterministic(hold) = law { Some(*hold) } else { None })
            .collect();
        self.outcome == OutcomeAt::Admission
            || matches!(self.dependency, ArrivalProcess::Poisson { .. })
            || constants.is_some_and(|holds| holds.windows(2).all(|pair| pair[0] == pair[1]))
    }

    /// When breakers hear of an outcome.
    #[must_use]
    pub const fn outcome(&self) -> OutcomeAt {
        self.outcome
    }

    fn mean_hold_secs(&self) -> f64 {
        self.mean_over_shards(|regime| {
            let success = match &regime.options.slow {
                Some(slow) => {
                    slow.probability * slow.hold.mean_secs()
                        + (1.0 - slow.probability) * regime.success_hold.mean_secs()
                }
                None => regime.success_hold.mean_secs(),
            };
            let failing = regime.failure_probability;
            failing * regime.failure_hold.mean_secs() + (1.0 - failing) * success
        })
    }

    fn mean_over_shards(&self, of: impl Fn(&Regime) -> f64) -> f64 {
        let mut before = 0.0;
        let mut mean = 0.0;
        for (up_to, regime) in &self.regimes {
            mean += (up_to - before) * of(regime);
            before = *up_to;
        }
        mean
    }
}

/// The world of a [`SteadyRegime`] with a closed breaker of one rule: a value that clones.
///
/// It is the plain world of [`run`](crate::run), slots and neighbours included, without an end and without what only an
/// open breaker does. What is random is drawn as it comes, from a seed: two clones with different seeds part from here on.
/// Once the breaker has opened, it either stands still or [begins anew](Self::renew).
#[derive(Clone, Debug)]
pub struct SteadyWorld<R: Rule> {
    breaker: R::State,
    opened: bool,
    /// What is on its way to a breaker that hears of outcomes late.
    coming: Option<Coming>,
    now: Time,
    /// How long it has run before the present breaker began.
    before: Duration,
    key: StreamKey,
    /// How many numbers of the key have been drawn.
    drawn: u64,
    dependency: Source,
    neighbour: Source,
    /// What holds a slot, the next to end on top.
    in_flight: BinaryHeap<Reverse<Held>>,
    arrived: u64,
    calls: u64,
}

/// How near the breaker comes to opening by the failures under way, if all calls from now on succeed at once.
#[derive(Clone, Copy, Debug)]
struct Coming {
    closeness: f64,
    /// When the last of these failures is heard of.
    until: Time,
}

/// How near a breaker is to opening that will open by what is under way.
const ON_ITS_WAY: f64 = 1e9;

/// The most calls from now on that are imagined to see what comes of those under way.
const MOST_IMAGINED: u64 = 1_000;

/// A slot in use: until when, and in which order the requests arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Held {
    until: Time,
    arrived: u64,
    call: Option<Call>,
}

/// A call of which the breaker will hear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Call {
    asked_at: Time,
    failed: bool,
    hold: Duration,
}

impl Call {
    const fn outcome(self) -> Outcome {
        let verdict = if self.failed { Verdict::Failure } else { Verdict::Success };
        Outcome { verdict, duration: self.hold }
    }
}

impl<R: Rule> SteadyWorld<R> {
    /// An empty pool and a new breaker.
    #[must_use]
    pub fn new(rule: R, regime: &SteadyRegime, seed: u64) -> Self {
        let key = StreamKey::root(seed);
        let mut world = Self {
            breaker: rule.start(key.child(0)),
            opened: false,
            coming: None,
            now: Time::ZERO,
            before: Duration::ZERO,
            key: key.child(1),
            drawn: 0,
            dependency: Source::never(),
            neighbour: Source::never(),
            in_flight: BinaryHeap::new(),
            arrived: 0,
            calls: 0,
        };
        world.dependency = Source::new(regime.dependency, &mut || uniform(world.key, &mut world.drawn));
        world.neighbour = Source::new(regime.neighbour, &mut || uniform(world.key, &mut world.drawn));
        world
    }

    /// From here on, what is random follows from this seed.
    pub fn reseed(&mut self, seed: u64) {
        self.key = StreamKey::root(seed).child(1);
        self.drawn = 0;
    }

    /// Whether the breaker has opened.
    #[must_use]
    pub const fn has_opened(&self) -> bool {
        self.opened
    }

    /// How near the breaker is to opening: see [`Rule::closeness`]. Where it hears of failures late, those under way count
    /// as well, by how near they will bring it if all later calls succeed: what it knows alone says little about what comes
    /// next.
    #[must_use]
    pub fn closeness(&self, rule: R) -> Option<f64> {
        let own = rule.closeness(&self.breaker)?;
        let coming = self.coming.filter(|coming| self.now <= coming.until);
        Some(coming.map_or(own, |coming| own.max(coming.closeness)))
    }

    /// How long it has run, with all its breakers.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.before.as_secs_f64() + self.now.as_secs_f64()
    }

    /// How many calls have started, with all its breakers.
    #[must_use]
    pub const fn calls(&self) -> u64 {
        self.calls
    }

    /// A new breaker in place of one that has opened. Calls in flight keep their slots, and it does not hear of them.
    pub fn renew(&mut self, rule: R) {
        self.drawn += 1;
        self.breaker = rule.start(self.key.child(self.drawn));
        self.opened = false;
        self.coming = None;
        // The new breaker's clock starts at zero, as that of every run does.
        let past = self.now.since(Time::ZERO);
        let shifted = |time: Time| Time::ZERO + time.since(Time::ZERO + past);
        self.before += past;
        self.now = Time::ZERO;
        self.dependency.shift(past);
        self.neighbour.shift(past);
        self.in_flight = self
            .in_flight
            .drain()
            .map(|Reverse(held)| Reverse(Held { until: shifted(held.until), call: None, ..held }))
            .collect();
    }

    /// Goes on until the breaker has been asked or told something. Does nothing once it has opened.
    ///
    /// At one instant its timers go first, then what ends, then calls, then neighbours.
    pub fn step(&mut self, rule: R, regime: &SteadyRegime) {
        while !self.opened {
            let timer = rule.next_timer(&self.breaker).unwrap_or(Time::MAX);
            let end = self.in_flight.peek().map_or(Time::MAX, |Reverse(held)| held.until);
            let (call, neighbour) = (self.dependency.next(), self.neighbour.next());
            if timer <= end.min(call).min(neighbour) {
                self.now = self.now.max(timer);
                let clocks = self.clocks();
                while let Some(transition) = rule.advance(&mut self.breaker, clocks) {
                    self.follow(Some(transition));
                }
                return;
            }
            if end <= call.min(neighbour) {
                self.now = end;
                if self.end(rule, regime) {
                    return;
                }
            } else if call <= neighbour {
                self.now = call;
                self.dependency.advance(&mut || uniform(self.key, &mut self.drawn));
                self.ask(rule, regime);
                return;
            } else {
                self.now = neighbour;
                self.neighbour.advance(&mut || uniform(self.key, &mut self.drawn));
                self.arrived += 1;
                if self.in_flight.len() < regime.slots as usize {
                    let hold = self.draw(&regime.neighbour_hold);
                    self.hold(hold, None);
                }
            }
        }
    }

    fn ask(&mut self, rule: R, regime: &SteadyRegime) {
        self.arrived += 1;
        let clocks = self.clocks();
        let id = CallId { asked_at: self.now, request: self.arrived, attempt: 0 };
        let (answer, transition) = rule.ask(&mut self.breaker, clocks, id);
        self.follow(transition);
        if answer != Answer::Admit || self.opened {
            return;
        }
        if self.in_flight.len() >= regime.slots as usize {
            let transition = rule.release(&mut self.breaker, clocks, id);
            self.follow(transition);
            return;
        }
        self.calls += 1;
        let call = self.draw_call(regime);
        self.hold(call.hold, Some(call));
        if regime.outcome == OutcomeAt::Admission {
            self.record(rule, id, call);
        }
        // A success does not only take its own place: that none came before it is news as well.
        let is_awaited = self.coming.is_some_and(|coming| self.now <= coming.until);
        if regime.outcome == OutcomeAt::Completion && (call.failed || is_awaited) {
            self.look_ahead(rule, regime);
        }
    }

    /// Finds out what the failures under way will come to, with successful calls at equal gaps from now on.
    fn look_ahead(&mut self, rule: R, regime: &SteadyRegime) {
        let failures = self.in_flight.iter().filter(|Reverse(held)| held.call.is_some_and(|call| call.failed));
        let Some(until) = failures.map(|Reverse(held)| held.until).max() else { return };
        let gap = 1.0 / regime.dependency.mean_rate();
        let hold = regime.regimes[0].1.success_hold.quantile(0.5);
        // Of calls that start at an instant and those that end then, the latter go first.
        let mut events: Vec<(Time, bool, CallId, Call)> = Vec::new();
        for Reverse(held) in self.in_flight.iter().filter(|Reverse(held)| held.until <= until) {
            if let Some(call) = held.call {
                events.push((
                    held.until,
                    false,
                    CallId { asked_at: call.asked_at, request: held.arrived, attempt: 0 },
                    call,
                ));
            }
        }
        for number in 1..=MOST_IMAGINED {
            let asked_at = self.now + Duration::from_secs_f64(gap * number as f64);
            if asked_at > until {
                break;
            }
            let id = CallId { asked_at, request: self.arrived + number, attempt: 0 };
            let call = Call { asked_at, failed: false, hold };
            events.extend([(asked_at, true, id, call), (asked_at + hold, false, id, call)]);
        }
        events.sort_unstable();
        let mut breaker = self.breaker.clone();
        let mut nearest = 0.0_f64;
        for (at, asks, id, call) in events.into_iter().take_while(|(at, ..)| *at <= until) {
            let clocks = Clocks::synchronous(at);
            let timer = rule.advance(&mut breaker, clocks);
            let told = if asks {
                rule.ask(&mut breaker, clocks, id).1
            } else {
                rule.record(&mut breaker, clocks, id, call.outcome())
            };
            if [timer, told].into_iter().flatten().any(|transition| transition.to == Phase::Open) {
                nearest = ON_ITS_WAY;
                break;
            }
            nearest = rule.closeness(&breaker).map_or(nearest, |closeness| nearest.max(closeness));
        }
        self.coming = Some(Coming { closeness: nearest, until });
    }

    /// What holds a slot ends; whether the breaker heard of it.
    fn end(&mut self, rule: R, regime: &SteadyRegime) -> bool {
        let Some(Reverse(held)) = self.in_flight.pop() else { return false };
        match held.call {
            Some(call) if regime.outcome == OutcomeAt::Completion => {
                self.record(rule, CallId { asked_at: call.asked_at, request: held.arrived, attempt: 0 }, call);
                true
            }
            _ => false,
        }
    }

    fn record(&mut self, rule: R, id: CallId, call: Call) {
        let clocks = self.clocks();
        let transition = rule.record(&mut self.breaker, clocks, id, call.outcome());
        self.follow(transition);
    }

    fn follow(&mut self, transition: Option<Transition>) {
        self.opened |= transition.is_some_and(|transition| transition.to == Phase::Open);
    }

    fn hold(&mut self, hold: Duration, call: Option<Call>) {
        self.in_flight.push(Reverse(Held { until: self.now + hold, arrived: self.arrived, call }));
    }

    fn draw_call(&mut self, regime: &SteadyRegime) -> Call {
        let regime = match &regime.regimes[..] {
            [(_, only)] => only,
            several => {
                let shard = self.uniform();
                &several.iter().find(|(up_to, _)| shard < *up_to).unwrap_or(&several[several.len() - 1]).1
            }
        };
        let failed = self.uniform() < regime.failure_probability;
        let slow = regime.options.slow.as_ref().filter(|slow| !failed && self.uniform() < slow.probability);
        let law = match (failed, slow) {
            (true, _) => &regime.failure_hold,
            (false, Some(slow)) => &slow.hold,
            (false, None) => &regime.success_hold,
        };
        Call { asked_at: self.now, failed, hold: self.draw(law) }
    }

    fn draw(&mut self, law: &Distribution) -> Duration {
        self.drawn += 1;
        law.draw(self.key, self.drawn - 1)
    }

    fn uniform(&mut self) -> f64 {
        uniform(self.key, &mut self.drawn)
    }

    fn clocks(&self) -> Clocks {
        Clocks::synchronous(self.now)
    }
}

fn uniform(key: StreamKey, drawn: &mut u64) -> f64 {
    *drawn += 1;
    key.uniform(*drawn - 1)
}
