//! Before which arrival does something end?

use engine::Time;

/// Looks up the first arrival at or after an instant, starting from where it was found the last time.
///
/// The cost is logarithmic in how far that is: next to nothing where the instants asked for ascend.
#[derive(Debug, Default)]
pub(super) struct Timetable {
    arrivals: Vec<Time>,
    horizon: Time,
}

/// So many arrivals are looked at together.
const FEW: usize = 4;

/// So many of a gap.
const MANY: usize = 8;

/// So many times.
const TRIES: usize = 4;

/// Where the last search with this finger ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Finger(usize);

impl Timetable {
    /// Becomes the timetable of arrivals, ascending, that all lie before `horizon`.
    pub(super) fn fill(&mut self, arrivals: impl Iterator<Item = Time>, horizon: Time) {
        self.arrivals.clear();
        self.arrivals.extend(arrivals);
        self.horizon = horizon;
    }

    pub(super) fn arrivals(&self) -> &[Time] {
        &self.arrivals
    }

    /// The first arrival at or after `end`, or the number of arrivals if there is none; `None` if `end` is not within the
    /// run.
    #[inline(always)]
    pub(super) fn arrival_from(&self, end: Time, finger: &mut Finger) -> Option<usize> {
        if end >= self.horizon {
            return None;
        }
        let before = |near: usize| near > 0 && self.arrivals[near - 1] >= end;
        if before(finger.0) {
            finger.0 = self.search(end, finger.0);
            return Some(finger.0);
        }
        // Usually it is one of the next few. How many of them are earlier is counted without a branch for each, since nothing
        // can foretell it.
        for _ in 0..TRIES {
            let Some(next) = self.arrivals[finger.0..].first_chunk::<FEW>() else { break };
            let earlier = next.iter().map(|&at| usize::from(at < end)).sum::<usize>();
            finger.0 += earlier;
            if earlier < FEW {
                return Some(finger.0);
            }
        }
        finger.0 = self.search(end, finger.0);
        Some(finger.0)
    }

    /// The first arrival at or after `end`, no earlier than number `from`; the number of arrivals if there is none.
    #[inline(always)]
    pub(super) fn first_from(&self, end: Time, from: usize) -> usize {
        match self.arrivals[from..].first_chunk::<MANY>() {
            Some(next) if next[MANY - 1] >= end => from + next.iter().map(|&at| usize::from(at < end)).sum::<usize>(),
            _ => from + self.arrivals[from..].partition_point(|&at| at < end),
        }
    }

    /// Doubles the distance from `near` until the arrival is enclosed, then halves it.
    #[inline(never)]
    fn search(&self, end: Time, near: usize) -> usize {
        let is_before = |&at: &Time| at < end;
        let (mut from, mut to) = (near, near);
        let mut step = 1;
        while to < self.arrivals.len() && is_before(&self.arrivals[to]) {
            from = to + 1;
            to = (to + step).min(self.arrivals.len());
            step *= 2;
        }
        while from > 0 && !is_before(&self.arrivals[from - 1]) {
            to = from - 1;
            from = from.saturating_sub(step);
            step *= 2;
        }
        from + self.arrivals[from..to.max(from)].partition_point(is_before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_scan_finds_wherever_it_starts() {
        let clumped: Vec<u64> = (0..40).chain([200, 200, 200, 300]).chain(310..340).collect();
        let horizon = 345;
        for instants in [&[][..], &[0], &[7], &[0, 0, 0], &[3, 3, 300, 301], &clumped] {
            let mut timetable = Timetable::default();
            timetable.fill(instants.iter().copied().map(Time::from_nanos), Time::from_nanos(horizon));
            for end in 0..horizon + 2 {
                let scan = instants.iter().position(|&at| at >= end).unwrap_or(instants.len());
                let expected = (end < horizon).then_some(scan);
                for start in 0..=instants.len() {
                    let found = timetable.arrival_from(Time::from_nanos(end), &mut Finger(start));
                    assert_eq!(found, expected, "{end} in {instants:?} from {start}");
                }
            }
        }
    }
}
