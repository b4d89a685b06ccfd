//! Arrival processes of a flow.

mod source;

use engine::{Duration, StreamKey, Time, open_unit};
use rand::Rng as _;

pub(crate) use source::Source;

/// How the requests of a flow arrive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArrivalProcess {
    /// Independent exponential gaps.
    Poisson {
        /// Requests per second; finite and not negative, zero for none.
        rate: f64,
    },
    /// Equal gaps with a phase that is uniform on one gap, drawn once per replication.
    Even {
        /// Requests per second; finite and not negative, zero for none.
        rate: f64,
    },
    /// A two-state Markov-modulated Poisson process with a stationary start.
    Bursty {
        /// Requests per second between bursts.
        quiet_rate: f64,
        /// Requests per second within a burst.
        burst_rate: f64,
        /// Mean of the exponential time between bursts.
        mean_quiet: Duration,
        /// Mean of the exponential length of a burst.
        mean_burst: Duration,
    },
}

impl ArrivalProcess {
    /// Requests per second in the long run.
    #[must_use]
    pub fn mean_rate(&self) -> f64 {
        match *self {
            Self::Poisson { rate } | Self::Even { rate } => rate,
            Self::Bursty { quiet_rate, burst_rate, mean_quiet, mean_burst } => {
                let (quiet, burst) = (mean_quiet.as_secs_f64(), mean_burst.as_secs_f64());
                (quiet_rate * quiet + burst_rate * burst) / (quiet + burst)
            }
        }
    }
}

impl ArrivalProcess {
    /// Requests per second while most of them come.
    #[must_use]
    pub fn peak_rate(&self) -> f64 {
        match *self {
            Self::Poisson { rate } | Self::Even { rate } => rate,
            Self::Bursty { quiet_rate, burst_rate, .. } => quiet_rate.max(burst_rate),
        }
    }

    /// All arrivals before `horizon`, ascending, drawn from the stream `key`.
    ///
    /// Instants are sums or multiples in `f64` seconds, floored to nanoseconds once each, so that no rounding accumulates.
    #[must_use]
    pub fn arrivals(&self, key: StreamKey, horizon: Time) -> Vec<Time> {
        let expected = self.mean_rate() * horizon.as_secs_f64();
        // Room for five standard deviations more than expected of a Poisson count.
        let mut arrivals = Vec::with_capacity((expected + 5.0 * expected.sqrt()) as usize + 8);
        match *self {
            Self::Poisson { rate } => poisson(rate, key, horizon, &mut arrivals),
            Self::Even { rate } => even(rate, key, horizon, &mut arrivals),
            Self::Bursty { quiet_rate, burst_rate, mean_quiet, mean_burst } => {
                let quiet = State { rate: quiet_rate, leave: mean_quiet.as_secs_f64().recip() };
                let burst = State { rate: burst_rate, leave: mean_burst.as_secs_f64().recip() };
                bursty(&[quiet, burst], key, horizon, &mut arrivals);
            }
        }
        arrivals
    }
}

fn instant(seconds: f64) -> Time {
    Time::ZERO + Duration::from_secs_f64(seconds)
}

/// An exponential length in seconds by inversion.
fn exponential(rate: f64, uniform: f64) -> f64 {
    -libm::log(uniform) / rate
}

fn poisson(rate: f64, key: StreamKey, horizon: Time, arrivals: &mut Vec<Time>) {
    if rate == 0.0 {
        return;
    }
    let mut generator = key.generator();
    let mut seconds = 0.0;
    loop {
        seconds += exponential(rate, open_unit(generator.next_u64()));
        let at = instant(seconds);
        if at >= horizon {
            return;
        }
        arrivals.push(at);
    }
}

fn even(rate: f64, key: StreamKey, horizon: Time, arrivals: &mut Vec<Time>) {
    if rate == 0.0 {
        return;
    }
    let phase = key.uniform(0);
    arrivals.extend((0_u32..).map(|number| instant((f64::from(number) + phase) / rate)).take_while(|&at| at < horizon));
}

/// One state of the modulating chain: arrivals per second, and departures from the state per second.
#[derive(Clone, Copy, Debug)]
struct State {
    rate: f64,
    leave: f64,
}

/// Competing exponentials: the next thing to happen is an arrival or a change of state.
fn bursty(states: &[State; 2], key: StreamKey, horizon: Time, arrivals: &mut Vec<Time>) {
    let mut generator = key.generator();
    let mut uniform = || open_unit(generator.next_u64());
    // Stationary start: the share of time in a state is proportional to the mean stay in it.
    let in_burst = states[0].leave / (states[0].leave + states[1].leave);
    let mut current = usize::from(uniform() < in_burst);
    let mut seconds = 0.0;
    loop {
        let State { rate, leave } = states[current];
        seconds += exponential(rate + leave, uniform());
        let at = instant(seconds);
        if at >= horizon {
            return;
        }
        if uniform() * (rate + leave) < rate {
            arrivals.push(at);
        } else {
            current = 1 - current;
        }
    }
}
