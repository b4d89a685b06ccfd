//! What happens in one run, over time: levels, and the breakers' states.

use std::collections::BTreeMap;

use engine::{Duration, Time};
use policies::Phase;
use scenario::service::{ServiceNote, Snapshot, observe_service_any};
use scenario::{Mode, Replication};

use crate::figures::{Band, Line, LinePanel};
use crate::sweep_file::Sweep;

/// One run, watched.
#[derive(Clone, Debug)]
pub struct Timeline {
    /// The picture.
    pub panel: LinePanel,
    /// The most probes that started within [`PROBE_WINDOW`], all breakers together.
    pub most_probes: usize,
}

/// In which the probes of a fleet are counted.
pub const PROBE_WINDOW: Duration = Duration::from_millis(100);

/// Values per line: more than a screen has columns.
const CELLS: usize = 600;

/// Watches replication 0 of a design in a mode.
#[must_use]
pub fn timeline(title: &str, sweep: &Sweep, design: usize, mode: &Mode) -> Timeline {
    let stream = Replication::draw(&sweep.scenario, sweep.root_seed, 0).stream(mode);
    let plan = stream.plan();
    let (horizon, fault) = (plan.horizon, (plan.fault_at, plan.fault_end()));
    let mut watch = Watch::default();
    let rule = &sweep.designs[design].rule;
    let note = |now: Time, snapshot: Snapshot, note: ServiceNote| watch.note(now, snapshot, note);
    let _ = observe_service_any(rule, &stream, note);

    let breakers = sweep.scenario.service.breaker_count();
    let mut bands = vec![Band { strip: true, ..band("the fault", fault.0, fault.1) }];
    let mut lines = vec![
        line("slots in use", &watch.levels, |snapshot| snapshot.slots_in_use, horizon),
        line("calls at the dependency", &watch.levels, |snapshot| snapshot.at_dependency, horizon),
    ];
    if watch.levels.iter().any(|(_, snapshot)| snapshot.queued > 0) {
        lines.push(line("waiting for a slot", &watch.levels, |snapshot| snapshot.queued, horizon));
    }
    if !watch.wrong.is_empty() {
        lines.push(per_second("wrong successes a second", &watch.wrong, horizon));
    }
    if breakers == 1 {
        bands.extend(watch.bands(horizon));
    } else {
        let end = (horizon, watch.not_closed.len());
        let levels = [(Time::ZERO, 0)].into_iter().chain(watch.open.iter().copied()).chain([end]);
        let points = levels.map(|(at, open)| (at.as_secs_f64(), open as f64)).collect();
        lines.push(Line { name: format!("breakers not closed, of {breakers}"), points, steps: true });
    }
    let panel = LinePanel {
        title: format!("{title}: {rule}, {}", mode.name),
        x_label: "second".to_owned(),
        y_label: "number".to_owned(),
        lines,
        bands,
        ..LinePanel::default()
    };
    Timeline { panel, most_probes: watch.most_probes() }
}

#[derive(Debug, Default)]
struct Watch {
    levels: Vec<(Time, Snapshot)>,
    /// Changes of the first breaker's phase.
    phases: Vec<(Time, Phase)>,
    not_closed: BTreeMap<u32, ()>,
    open: Vec<(Time, usize)>,
    probes: Vec<Time>,
    /// When somebody was told something wrong as if it were a success.
    wrong: Vec<Time>,
}

impl Watch {
    fn note(&mut self, now: Time, snapshot: Snapshot, note: ServiceNote) {
        self.levels.push((now, snapshot));
        match note {
            ServiceNote::Transition { breaker, transition } => {
                if breaker == 0 {
                    self.phases.push((now, transition.to));
                }
                if transition.to == Phase::Closed {
                    self.not_closed.remove(&breaker);
                } else {
                    self.not_closed.insert(breaker, ());
                }
                self.open.push((now, self.not_closed.len()));
            }
            ServiceNote::Started { probe: true, .. } => self.probes.push(now),
            ServiceNote::Fallback { wrong: true, .. } => self.wrong.push(now),
            _ => {}
        }
    }

    fn bands(&self, horizon: Time) -> Vec<Band> {
        let ends = self.phases.iter().skip(1).map(|&(at, _)| at).chain([horizon]);
        let named = self.phases.iter().zip(ends).filter_map(|(&(from, phase), to)| match phase {
            Phase::Open => Some(band("open", from, to)),
            Phase::HalfOpen => Some(band("half-open", from, to)),
            Phase::Closed => None,
        });
        named.collect()
    }

    fn most_probes(&self) -> usize {
        let within = |from: &Time| self.probes.iter().filter(|at| **at >= *from && **at < *from + PROBE_WINDOW).count();
        self.probes.iter().map(within).max().unwrap_or(0)
    }
}

fn band(name: &str, from: Time, to: Time) -> Band {
    Band { name: name.to_owned(), from: from.as_secs_f64(), to: to.as_secs_f64(), strip: false }
}

/// How often something happens in each second of the run, the last of which may be shorter.
fn per_second(name: &str, instants: &[Time], horizon: Time) -> Line {
    let seconds = (horizon.as_nanos().div_ceil(1_000_000_000)) as usize;
    let mut counts = vec![0_u32; seconds];
    for at in instants {
        counts[((at.as_nanos() / 1_000_000_000) as usize).min(seconds - 1)] += 1;
    }
    let points = counts.iter().enumerate().map(|(second, &count)| (second as f64, f64::from(count)));
    let end = counts.last().map(|&last| (horizon.as_secs_f64(), f64::from(last)));
    Line { name: name.to_owned(), points: points.chain(end).collect(), steps: true }
}

/// The highest value of all panels, so that they can share their axis.
#[must_use]
pub fn highest(timelines: &[Timeline]) -> Option<f64> {
    let lines = timelines.iter().flat_map(|timeline| &timeline.panel.lines);
    lines.flat_map(|line| &line.points).map(|point| point.1).reduce(f64::max)
}

/// The highest value of each cell of the time axis: peaks are what one looks for.
fn line(name: &str, levels: &[(Time, Snapshot)], of: fn(&Snapshot) -> u32, horizon: Time) -> Line {
    let width = (horizon.as_nanos() / CELLS as u64).max(1);
    let mut highest: Vec<Option<u32>> = vec![None; CELLS + 1];
    for (at, snapshot) in levels {
        let cell = &mut highest[(at.as_nanos() / width) as usize];
        *cell = Some(cell.map_or(of(snapshot), |value| value.max(of(snapshot))));
    }
    let points = highest.iter().enumerate().filter_map(|(cell, value)| {
        let second = cell as f64 * width as f64 / 1e9;
        value.map(|value| (second, f64::from(value)))
    });
    let end = levels.last().map(|(_, last)| (horizon.as_secs_f64(), f64::from(of(last))));
    Line { name: name.to_owned(), points: points.chain(end).collect(), steps: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_is_counted_second_by_second() {
        let at = |millis| Time::ZERO + Duration::from_millis(millis);
        let line = per_second("x", &[at(0), at(999), at(1_000), at(2_400)], at(2_500));
        assert_eq!(line.points, [(0.0, 2.0), (1.0, 1.0), (2.0, 1.0), (2.5, 1.0)]);
    }
}
