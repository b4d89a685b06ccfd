//! The additive counters of a run. Nothing that happens later depends on them.

use engine::{Duration, Time};
use policies::{Phase, Transition};

use crate::mode::Opening;
use crate::plan::RunPlan;
use crate::record::{DetectionOutcome, RunRecord};

#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) requests: u64,
    pub(crate) calls: u64,
    pub(crate) responses: u64,
    pub(crate) errors: u64,
    pub(crate) rejected: u64,
    pub(crate) no_slot: u64,
    pub(crate) openings: u64,
    pub(crate) false_openings: u64,
    pub(crate) false_open_rejections: u64,
    pub(crate) rejected_after_heal: u64,
    pub(crate) neighbour_requests: u64,
    pub(crate) neighbour_responses: u64,
    pub(crate) neighbour_no_slot: u64,
    pub(crate) neighbour_no_slot_fault: u64,
    pub(crate) slot_time_fault: Duration,
    pub(crate) opened_before_fault: bool,
    pub(crate) detection: Option<Detection>,
    pub(crate) closed_after_heal: Option<Duration>,
}

/// The first opening within the fault.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Detection {
    pub(crate) at: Time,
    pub(crate) slot_time: Duration,
}

impl Ledger {
    pub(crate) fn dependency_request(&mut self, plan: &RunPlan, now: Time) {
        self.requests += u64::from(now >= plan.warm_up);
    }

    /// A request that `arrived` then is turned away `now`.
    pub(crate) fn rejection(&mut self, plan: &RunPlan, arrived: Time, now: Time, would_succeed: bool) {
        if arrived >= plan.warm_up {
            self.rejected += 1;
            self.false_open_rejections += u64::from(would_succeed);
            self.rejected_after_heal += u64::from(plan.heal_at.is_some_and(|heal| now >= heal));
        }
    }

    pub(crate) fn no_slot(&mut self, plan: &RunPlan, arrived: Time) {
        self.no_slot += u64::from(arrived >= plan.warm_up);
    }

    /// A request that `arrived` then still waits at the breaker at the horizon: a call in flight that holds no slot.
    pub(crate) fn still_waiting(&mut self, plan: &RunPlan, arrived: Time) {
        self.calls += u64::from(arrived >= plan.warm_up);
    }

    /// A request that `arrived` then starts `now`.
    pub(crate) fn call(&mut self, plan: &RunPlan, arrived: Time, now: Time, hold: Duration) {
        self.calls += u64::from(arrived >= plan.warm_up);
        if plan.in_fault(now) {
            self.slot_time_fault += hold;
        }
    }

    pub(crate) fn completion(&mut self, plan: &RunPlan, arrived: Time, failed: bool) {
        if arrived >= plan.warm_up {
            if failed {
                self.errors += 1;
            } else {
                self.responses += 1;
            }
        }
    }

    pub(crate) fn neighbour(&mut self, plan: &RunPlan, now: Time, has_slot: bool) {
        if now >= plan.warm_up {
            self.neighbour_requests += 1;
            if !has_slot {
                self.neighbour_no_slot += 1;
                self.neighbour_no_slot_fault += u64::from(plan.in_fault(now));
            }
        }
    }

    pub(crate) fn neighbour_completion(&mut self, plan: &RunPlan, arrived: Time) {
        self.neighbour_responses += u64::from(arrived >= plan.warm_up);
    }

    /// The fault begins while the breaker is in `phase`.
    pub(crate) fn fault(&mut self, phase: Phase) {
        self.opened_before_fault = phase != Phase::Closed;
    }

    /// The dependency heals while the breaker is in `phase`.
    pub(crate) fn heal(&mut self, phase: Phase) {
        if phase == Phase::Closed {
            self.closed_after_heal = Some(Duration::ZERO);
        }
    }

    pub(crate) fn transition(&mut self, plan: &RunPlan, now: Time, transition: Transition, opening: Opening) {
        match transition.to {
            Phase::Open => {
                if now >= plan.warm_up {
                    self.openings += 1;
                    self.false_openings += u64::from(transition.from == Phase::Closed && opening == Opening::False);
                }
                if plan.in_fault(now) && self.detection.is_none() {
                    self.detection = Some(Detection { at: now, slot_time: self.slot_time_fault });
                }
            }
            Phase::Closed => {
                if let Some(heal) = plan.heal_at.filter(|&heal| now >= heal) {
                    self.closed_after_heal.get_or_insert(now.since(heal));
                }
            }
            Phase::HalfOpen => {}
        }
    }

    /// The record of a run that ended at its horizon.
    #[inline(always)]
    pub(crate) fn close(self, plan: &RunPlan) -> RunRecord {
        let detection_outcome = match self.detection {
            Some(_) => DetectionOutcome::Opened,
            None if self.opened_before_fault => DetectionOutcome::AlreadyOpen,
            None if plan.heal_at.is_some() => DetectionOutcome::HealedFirst,
            None => DetectionOutcome::Horizon,
        };
        let slot_time_to_detection = self.detection.map(|detection| detection.slot_time);
        let detection_delay = self.detection.map(|detection| detection.at.since(plan.fault_at));
        RunRecord {
            requests: self.requests,
            calls: self.calls,
            responses: self.responses,
            errors: self.errors,
            rejected: self.rejected,
            no_slot: self.no_slot,
            in_flight: self.calls - self.responses - self.errors,
            openings: self.openings,
            false_openings: self.false_openings,
            fault_at: plan.fault_at,
            detection_outcome,
            detection_delay,
            detection_delay_restricted: detection_delay.unwrap_or(plan.fault_end().since(plan.fault_at)),
            slot_time_to_detection,
            slot_time_to_detection_restricted: slot_time_to_detection.unwrap_or(self.slot_time_fault),
            slot_time_fault: self.slot_time_fault,
            false_open_rejections: self.false_open_rejections,
            rejected_after_heal: plan.heal_at.map(|_| self.rejected_after_heal),
            closed_after_heal: self.closed_after_heal,
            neighbour_requests: self.neighbour_requests,
            neighbour_responses: self.neighbour_responses,
            neighbour_no_slot: self.neighbour_no_slot,
            neighbour_no_slot_fault: self.neighbour_no_slot_fault,
            neighbour_in_flight: self.neighbour_requests - self.neighbour_responses - self.neighbour_no_slot,
            observed: plan.horizon.since(plan.warm_up),
            service: None,
        }
    }
}
