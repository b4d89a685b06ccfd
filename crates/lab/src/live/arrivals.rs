//! When requests are created: evenly spaced from the start, in exact arithmetic, whatever the rate is changed to.

use engine::Time;

use crate::settings::Rate;

/// A request is due whenever this much has accrued: a rate of one thousandth per second accrues one unit per nanosecond.
const PER_REQUEST: u128 = 1_000_000_000_000;

/// Evenly spaced arrivals under a rate that can be changed.
///
/// Request k is created at the nanosecond in which the integral of the rate over time reaches k. Under one rate r that is
/// ⌊k·10⁹/r⌋ ns. A change of the rate stretches or shortens what is left of the present gap and loses nothing of it; a
/// change to the same rate changes nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrivals {
    rate: Rate,
    since: Time,
    /// What had accrued by `since`.
    accrued: u128,
}

impl Arrivals {
    pub(super) const fn new(rate: Rate) -> Self {
        Self { rate, since: Time::ZERO, accrued: 0 }
    }

    /// When request number `number` is created; it must not have been due before the latest change of the rate.
    pub(super) fn instant(&self, number: u64) -> Time {
        let left = u128::from(number) * PER_REQUEST - self.accrued;
        self.since + engine::Duration::from_nanos((left / u128::from(self.rate.thousandths())) as u64)
    }

    /// Changes the rate from `now` on.
    pub(super) fn change(&mut self, now: Time, rate: Rate) {
        self.accrued += u128::from(now.since(self.since).as_nanos()) * u128::from(self.rate.thousandths());
        self.since = now;
        self.rate = rate;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn rate(thousandths: u32) -> Rate {
        Rate::from_thousandths(thousandths)
    }

    #[test]
    fn request_k_comes_at_the_floor_of_k_by_the_rate() {
        let arrivals = Arrivals::new(rate(12_000));
        for k in 0..1_080 {
            assert_eq!(arrivals.instant(k).as_nanos(), k * 1_000_000_000 / 12);
        }
        assert_eq!(arrivals.instant(98).as_nanos(), 8_166_666_666);
    }

    #[test]
    fn what_is_left_of_the_gap_is_stretched() {
        let mut arrivals = Arrivals::new(rate(10_000));
        // Request 1 is due at 100 ms; at 40 ms six tenths of the gap are left, which take 300 ms at two per second.
        arrivals.change(Time::from_nanos(40_000_000), rate(2_000));
        assert_eq!(arrivals.instant(1).as_nanos(), 340_000_000);
        assert_eq!(arrivals.instant(2).as_nanos(), 840_000_000);
        arrivals.change(Time::from_nanos(340_000_000), rate(1_000));
        assert_eq!(arrivals.instant(1).as_nanos(), 340_000_000);
        assert_eq!(arrivals.instant(2).as_nanos(), 1_340_000_000);
    }

    #[test]
    fn a_change_to_the_same_rate_changes_nothing() {
        let straight = Arrivals::new(rate(7_000));
        let mut changed = straight;
        for nanos in [1, 142_857_142, 142_857_143, 1_000_000_000] {
            changed.change(Time::from_nanos(nanos), rate(7_000));
            for k in 8..40 {
                assert_eq!(changed.instant(k), straight.instant(k));
            }
        }
    }
}
