//! Breakers that share no state: each is asked and told by itself, in the world that it shares with others.

use engine::Time;
use policies::{Answer, AnyBreaker, AnyRule, CallId, Clocks, Outcome, Phase, Transition, Verdict};

use super::breakers::Breakers;
use super::lanes::Moment;
use super::ledger::{Accounts, Counts};
use super::script::Script;
use crate::plan::RunPlan;
use crate::replication::{Fate, Request};

/// One design that runs by itself.
#[derive(Clone)]
pub(super) struct Loner {
    pub(super) seat: u32,
    pub(super) lane: usize,
    /// Its answer to the latest question.
    pub(super) admitted: bool,
    breaker: AnyBreaker,
}

fn call_id(request: &Request) -> CallId {
    CallId { asked_at: request.at, request: u64::from(request.number), attempt: 0 }
}

impl Loner {
    pub(super) fn new(rule: &AnyRule, seat: u32, plan: &RunPlan) -> Self {
        Self { seat, lane: 0, admitted: true, breaker: AnyBreaker::start(rule, plan.breaker_key) }
    }

    /// Lets the breaker's timers fire that are due before `limit`.
    pub(super) fn catch_up(&mut self, limit: Time, plan: &RunPlan, accounts: &mut Accounts) {
        while let Some(due) = self.breaker.next_timer().filter(|&due| due < limit) {
            while let Some(transition) = self.breaker.advance(Clocks::synchronous(due)) {
                self.follow(due, Some(transition), plan, accounts);
            }
        }
    }

    fn follow(&self, now: Time, transition: Option<Transition>, plan: &RunPlan, accounts: &mut Accounts) {
        match transition {
            Some(Transition { from, to: Phase::Open }) => {
                let opening = accounts.opening(plan, now, from == Phase::Closed);
                *accounts.seat_mut(self.seat) += opening;
                accounts.opened(plan, self.seat, &Counts::ZERO, self.lane, now);
            }
            Some(Transition { to: Phase::Closed, .. }) => accounts.closed(plan, self.seat, now),
            Some(Transition { to: Phase::HalfOpen, .. }) | None => {}
        }
    }

    pub(super) fn note_phase(&self, now: Time, moment: Moment, plan: &RunPlan, accounts: &mut Accounts) {
        match (moment, self.breaker.phase(Clocks::synchronous(now))) {
            (Moment::Heal, Phase::Closed) => accounts.closed(plan, self.seat, now),
            (Moment::Fault, Phase::Open | Phase::HalfOpen) => accounts.open_at_fault(self.seat),
            _ => {}
        }
    }
}

impl Breakers {
    /// Whether a loner in the lane has given that answer.
    pub(super) fn any_loner(&self, lane: usize, admitted: bool) -> bool {
        self.lanes[lane].loners.iter().any(|&loner| self.loners[loner as usize].admitted == admitted)
    }

    /// Lets the timers of all loners fire that are due before `limit`.
    pub(super) fn catch_up_loners(&mut self, plan: &RunPlan, limit: Time) {
        for loner in &mut self.loners {
            loner.catch_up(limit, plan, &mut self.accounts);
        }
    }

    /// Asks every loner for its answer to a request.
    pub(super) fn ask_loners(&mut self, plan: &RunPlan, request: &Request) {
        let now = request.at;
        for loner in &mut self.loners {
            loner.catch_up(now + engine::Duration::TICK, plan, &mut self.accounts);
            let (answer, transition) = loner.breaker.ask(Clocks::synchronous(now), call_id(request));
            loner.follow(now, transition, plan, &mut self.accounts);
            loner.admitted = answer == Answer::Admit;
        }
    }

    /// The loners in `lane` that admitted a request hear that it found no slot.
    pub(super) fn release_loners(&mut self, plan: &RunPlan, lane: usize, request: &Request) {
        for &loner in &self.lanes[lane].loners {
            let loner = &mut self.loners[loner as usize];
            let transition = loner.breaker.release(Clocks::synchronous(request.at), call_id(request));
            loner.follow(request.at, transition, plan, &mut self.accounts);
        }
    }

    /// The loners in `lane` hear a result.
    #[inline(never)]
    pub(super) fn loners_hear(&mut self, script: &Script<'_>, lane: usize, call: usize, now: Time) {
        let (plan, request) = (script.plan, script.call(call));
        let verdict = if request.fate == Fate::Failure { Verdict::Failure } else { Verdict::Success };
        let outcome = Outcome { verdict, duration: request.hold };
        for &loner in &self.lanes[lane].loners {
            let loner = &mut self.loners[loner as usize];
            loner.catch_up(now + engine::Duration::TICK, plan, &mut self.accounts);
            let transition = loner.breaker.record(Clocks::synchronous(now), call_id(request), outcome);
            loner.follow(now, transition, plan, &mut self.accounts);
        }
    }
}
