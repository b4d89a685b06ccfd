//! Arrivals one after the other, without an end.

use engine::{Duration, Time};

use super::{ArrivalProcess, State, exponential};

/// The arrivals of a process, of which the next is known. Their law is that of
/// [`ArrivalProcess::arrivals`]; the numbers are not, as they are drawn when they are needed.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    next: Time,
    /// What of a nanosecond is left from flooring the arrivals so far.
    rest: f64,
    law: Law,
}

#[derive(Clone, Debug)]
enum Law {
    Never,
    /// In nanoseconds.
    Even {
        gap: f64,
    },
    Modulated {
        states: [State; 2],
        current: usize,
    },
}

impl Source {
    /// No arrivals.
    pub(crate) fn never() -> Self {
        Self { next: Time::MAX, rest: 0.0, law: Law::Never }
    }

    /// A process that has gone on for ever: where it stands is drawn, and so is the first arrival.
    pub(crate) fn new(process: ArrivalProcess, uniform: &mut impl FnMut() -> f64) -> Self {
        let mut source = match process {
            _ if process.mean_rate() == 0.0 => return Self::never(),
            ArrivalProcess::Poisson { rate } => {
                let state = State { rate, leave: 0.0 };
                Self { next: Time::ZERO, rest: 0.0, law: Law::Modulated { states: [state, state], current: 0 } }
            }
            ArrivalProcess::Even { rate } => {
                let gap = 1e9 / rate;
                let mut source = Self { next: Time::ZERO, rest: 0.0, law: Law::Even { gap } };
                source.move_on(uniform() * gap);
                return source;
            }
            ArrivalProcess::Bursty { quiet_rate, burst_rate, mean_quiet, mean_burst } => {
                let (quiet, burst) = (mean_quiet.as_secs_f64(), mean_burst.as_secs_f64());
                let states = [
                    State { rate: quiet_rate, leave: quiet.recip() },
                    State { rate: burst_rate, leave: burst.recip() },
                ];
                let current = usize::from(uniform() < burst / (quiet + burst));
                Self { next: Time::ZERO, rest: 0.0, law: Law::Modulated { states, current } }
            }
        };
        source.advance(uniform);
        source
    }

    /// When the next request arrives.
    pub(crate) const fn next(&self) -> Time {
        self.next
    }

    /// The next request has arrived: draws the one after it.
    pub(crate) fn advance(&mut self, uniform: &mut impl FnMut() -> f64) {
        match &mut self.law {
            Law::Never => {}
            Law::Even { gap } => {
                let gap = *gap;
                self.move_on(gap);
            }
            Law::Modulated { states, current } => {
                let mut seconds = 0.0;
                loop {
                    let State { rate, leave } = states[*current];
                    seconds += exponential(rate + leave, uniform());
                    if leave == 0.0 || uniform() * (rate + leave) < rate {
                        break;
                    }
                    *current = 1 - *current;
                }
                self.move_on(seconds * 1e9);
            }
        }
    }

    /// The clock is set back by `past`, which lies before the next arrival.
    pub(crate) fn shift(&mut self, past: Duration) {
        if self.next < Time::MAX {
            self.next = Time::ZERO + self.next.since(Time::ZERO + past);
        }
    }

    fn move_on(&mut self, nanos: f64) {
        let exact = nanos + self.rest;
        let whole = exact as u64;
        self.rest = exact - whole as f64;
        self.next += Duration::from_nanos(whole);
    }
}

#[cfg(test)]
mod tests {
    use engine::StreamKey;

    use super::*;

    fn arrivals(process: ArrivalProcess, seed: u64, number: usize) -> Vec<Time> {
        let key = StreamKey::root(seed);
        let mut drawn = 0;
        let mut uniform = || {
            drawn += 1;
            key.uniform(drawn)
        };
        let mut source = Source::new(process, &mut uniform);
        let mut next = || {
            let next = source.next();
            source.advance(&mut uniform);
            next
        };
        (0..number).map(|_| next()).collect()
    }

    #[test]
    fn even_arrivals_do_not_drift() {
        let arrivals = arrivals(ArrivalProcess::Even { rate: 3.0 }, 1, 3_000_001);
        let gap = arrivals[3_000_000].since(arrivals[0]);
        assert!(gap.as_nanos().abs_diff(1_000_000_000_000_000) <= 2, "{gap}");
        assert!(arrivals[0] < Time::ZERO + Duration::from_secs_f64(1.0 / 3.0));
    }

    /// Mean counts of 10,000 arrivals in all, and for bursts the variance of counts, which is many times that of a Poisson
    /// process: within 6 standard errors (2e-9 each); a rate that is off by 6 % is found.
    #[test]
    fn rates_are_those_of_the_process() {
        let bursty = ArrivalProcess::Bursty {
            quiet_rate: 10.0,
            burst_rate: 200.0,
            mean_quiet: Duration::from_millis(900),
            mean_burst: Duration::from_millis(100),
        };
        for (process, spread) in [(ArrivalProcess::Poisson { rate: 50.0 }, 1.0), (bursty, 8.0)] {
            let arrivals = arrivals(process, 2, 10_000);
            let seconds = arrivals[9_999].as_secs_f64();
            let expected = process.mean_rate() * seconds;
            let error = (spread * expected).sqrt();
            assert!((10_000.0 - expected).abs() < 6.0 * error, "{process:?}: {expected} expected");
        }
    }

    #[test]
    fn a_shifted_source_goes_on() {
        let mut source = Source::new(ArrivalProcess::Even { rate: 1.0 }, &mut || 0.5);
        assert_eq!(source.next(), Time::ZERO + Duration::from_millis(500));
        source.shift(Duration::from_millis(200));
        assert_eq!(source.next(), Time::ZERO + Duration::from_millis(300));
        let mut never = Source::never();
        never.shift(Duration::from_secs(1));
        never.advance(&mut || 0.5);
        assert_eq!(never.next(), Time::MAX);
    }
}
