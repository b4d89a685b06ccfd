//! What the breakers are asked and told.

use engine::{Calendar, Class, Duration, Time};
use policies::{Answer, CallId, Outcome, Phase, Resumed, Rule, Transition, Verdict};

use super::{Event, World};
use crate::mode::Opening;
use crate::scenario::OutcomeAt;
use crate::service::{Ended, ServiceNote, ServiceObserver};

impl<R: Rule, O: ServiceObserver> World<'_, R, O> {
    pub(super) fn ask(&mut self, now: Time, guard: u32, call: CallId) -> Answer {
        let clocks = self.wall.clocks(now);
        let breaker = &mut self.guards[guard as usize];
        let (answer, transition) = breaker.rule.ask(&mut breaker.state, clocks, call);
        self.follow(now, guard, transition);
        answer
    }

    /// An attempt starts whose end is known: a breaker that hears of outcomes at admission hears now.
    pub(super) fn hear_at_admission(&mut self, now: Time, id: u32, coming: Option<(Ended, Duration)>) {
        if self.plan.outcome == OutcomeAt::Admission
            && !self.breaker_is_outside()
            && let Some((ended, hold)) = coming
        {
            self.hear(now, id, ended, hold);
        }
    }

    /// An attempt has ended; `last`: and there is no further one.
    pub(super) fn hear_at_end(&mut self, now: Time, id: u32, ended: Ended, hold: Duration, last: bool) {
        if !self.breaker_is_outside() {
            self.hear(now, id, ended, hold);
        } else if last {
            let whole = now.since(self.live(id).call.asked_at);
            self.hear(now, id, ended, whole);
        }
    }

    /// The breaker hears how a call ended, if it let it through and has not heard yet.
    fn hear(&mut self, now: Time, id: u32, ended: Ended, duration: Duration) {
        let Some((guard, call)) = self.take_permit(now, id) else { return };
        let clocks = self.wall.clocks(now);
        let breaker = &mut self.guards[guard as usize];
        let verdict = match ended {
            Ended::Success => Verdict::Success,
            Ended::Failure | Ended::TimedOut => Verdict::Failure,
            Ended::Cancelled => {
                let transition = breaker.rule.release(&mut breaker.state, clocks, call);
                return self.follow(now, guard, transition);
            }
            Ended::Ignored => {
                let outcome = Outcome { verdict: Verdict::Failure, duration };
                let transition = breaker.rule.ignore(&mut breaker.state, clocks, call, outcome);
                return self.follow(now, guard, transition);
            }
        };
        let transition = breaker.rule.record(&mut breaker.state, clocks, call, Outcome { verdict, duration });
        self.follow(now, guard, transition);
    }

    /// An attempt is turned away by the pool or the limiter. If the breaker let it through, it hears that the call never
    /// ran; if an attempt before ran for which it was let through, that it failed.
    pub(super) fn never_ran(&mut self, now: Time, id: u32) {
        let live = *self.live(id);
        if live.started && self.breaker_is_outside() {
            return self.hear(now, id, Ended::Failure, now.since(live.call.asked_at));
        }
        let Some((guard, call)) = self.take_permit(now, id) else { return };
        let clocks = self.wall.clocks(now);
        let breaker = &mut self.guards[guard as usize];
        let transition = breaker.rule.release(&mut breaker.state, clocks, call);
        self.follow(now, guard, transition);
    }

    /// The breaker is about to hear of the call that it let through.
    fn take_permit(&mut self, now: Time, id: u32) -> Option<(u32, CallId)> {
        let live = self.live(id);
        if !live.permit {
            return None;
        }
        live.permit = false;
        let (guard, call, probe) = (live.guard, live.call, live.probe.take());
        if let Some(probe) = probe {
            self.guards[guard as usize].watch.end(now, probe);
        }
        Some((guard, call))
    }

    /// After a breaker was asked or told: calls that it held back go on, and its timer is set anew.
    pub(super) fn settle(&mut self, now: Time, guard: u32, calendar: &mut Calendar<Event>) {
        self.resume(now, guard, calendar);
        self.arm_timer(guard, calendar);
    }

    fn resume(&mut self, now: Time, guard: u32, calendar: &mut Calendar<Event>) {
        if !R::WAITS {
            return;
        }
        let clocks = self.wall.clocks(now);
        loop {
            let breaker = &mut self.guards[guard as usize];
            let Some(Resumed { call, admitted, transition }) = breaker.rule.resume(&mut breaker.state, clocks) else {
                return;
            };
            let id = self.held_back.remove(&(guard, call)).expect("a call that goes on was held back");
            self.follow(now, guard, transition);
            if admitted {
                // Its fate stays that of the instant at which it asked.
                self.admitted(now, id, call.asked_at, calendar);
            } else {
                self.rejected(now, id, calendar);
            }
        }
    }

    pub(super) fn advance_breaker(&mut self, now: Time, guard: u32, calendar: &mut Calendar<Event>) {
        let clocks = self.wall.clocks(now);
        self.guards[guard as usize].timer = None;
        loop {
            let breaker = &mut self.guards[guard as usize];
            let Some(transition) = breaker.rule.advance(&mut breaker.state, clocks) else { break };
            self.follow(now, guard, Some(transition));
            self.resume(now, guard, calendar);
        }
        self.settle(now, guard, calendar);
    }

    fn follow(&mut self, now: Time, guard: u32, transition: Option<Transition>) {
        let Some(transition) = transition else { return };
        self.guards[guard as usize].watch.follow(now, transition);
        let opening = self.opening(guard);
        // "Closed after the heal" is when all of them are.
        if transition.to != Phase::Closed || self.all_closed(now) {
            self.ledger.transition(self.plan, now, transition, opening);
        }
        self.note(now, ServiceNote::Transition { breaker: guard, transition });
    }

    fn all_closed(&self, now: Time) -> bool {
        let clocks = self.wall.clocks(now);
        self.guards.len() == 1
            || self.guards.iter().all(|guard| guard.rule.phase(&guard.state, clocks) == Phase::Closed)
    }

    /// What an opening of that breaker means now: where the regime is for one shard and every shard has a breaker, those of
    /// the others mean what they mean in the first regime.
    fn opening(&self, guard: u32) -> Opening {
        let regime = match self.draws {
            Some(draws) if self.service.breaker_per_shard => {
                let shard = guard % self.service.shard_count() as u32;
                let only = draws.regimes[self.regime].options.shard;
                if only.is_none_or(|only| only == shard) { self.regime } else { 0 }
            }
            _ => self.regime,
        };
        self.plan.regimes[regime].1
    }

    /// Keeps the one scheduled timer event of a breaker at the instant that its rule asks for.
    fn arm_timer(&mut self, guard: u32, calendar: &mut Calendar<Event>) {
        let breaker = &mut self.guards[guard as usize];
        let due = breaker.rule.next_timer(&breaker.state);
        match (breaker.timer, due) {
            (None, None) => {}
            (Some((_, armed)), Some(due)) if armed == due => {}
            (Some((handle, _)), Some(due)) => {
                calendar.rearm(handle, due, Class::Timer);
                breaker.timer = Some((handle, due));
            }
            (None, Some(due)) => {
                let handle = calendar.schedule_cancellable(due, Class::Timer, Event::BreakerTimer(guard));
                breaker.timer = Some((handle, due));
            }
            (Some((handle, _)), None) => {
                calendar.cancel(handle);
                breaker.timer = None;
            }
        }
    }
}
