//! The latest runs, with the worlds that they went through: a branch goes on from a clone of one of these.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use engine::{Duration, Time};

use crate::history::History;
use crate::input::Input;
use crate::live::{Checkpoint, Live, Log};
use crate::settings::HORIZON;

/// So many runs are kept.
const MOST_RUNS: usize = 4;

/// A world is put aside so often.
const BETWEEN_CHECKPOINTS: Duration = Duration::from_secs(5);

/// The latest runs. Whatever is kept, [`KeptRuns::history`] says what [`History::of`] says.
#[derive(Default)]
pub struct KeptRuns {
    /// The latest first.
    runs: Mutex<VecDeque<Arc<KeptRun>>>,
}

struct KeptRun {
    input: Input,
    log: Log,
    /// By ascending time.
    checkpoints: Vec<Arc<Checkpoint>>,
}

impl KeptRuns {
    /// The history of an input; where a kept run has begun in the same way, from the last world that both share.
    ///
    /// Returns where the simulation began as well.
    pub fn history(&self, input: &Input) -> (History, Time) {
        let kept: Vec<Arc<KeptRun>> =
            self.runs.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        let shared = |run: &Arc<KeptRun>| run.shared_checkpoints(input);
        let nearest = kept.iter().max_by_key(|run| shared(run));
        let (mut live, mut checkpoints) = match nearest {
            Some(run) if shared(run) > 0 => {
                let checkpoints = run.checkpoints[..shared(run)].to_vec();
                (checkpoints[checkpoints.len() - 1].resume(&run.log), checkpoints)
            }
            _ => (Live::start(input.seed, input.settings), Vec::new()),
        };
        let from = live.now();
        let skipped = checkpoints.len();
        finish(&mut live, input, &mut checkpoints, skipped);
        let history = History::new(input, &live);

        let run = Arc::new(KeptRun { input: input.clone(), log: live.into_log(), checkpoints });
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.retain(|kept| kept.input != *input);
        runs.push_front(run);
        runs.truncate(MOST_RUNS);
        (history, from)
    }
}

impl KeptRun {
    /// How many of the run's worlds another input would go through as well.
    fn shared_checkpoints(&self, input: &Input) -> usize {
        if (self.input.seed, self.input.settings) != (input.seed, input.settings) {
            return 0;
        }
        let (mine, theirs) = (&self.input.interventions, &input.interventions);
        let common = mine.iter().zip(theirs).take_while(|(mine, theirs)| mine == theirs).count();
        let first_other = [mine.get(common), theirs.get(common)].into_iter().flatten().map(|other| other.at).min();
        let shared_until = first_other.unwrap_or(HORIZON);
        self.checkpoints.partition_point(|checkpoint| checkpoint.at() <= shared_until)
    }
}

/// Runs to the end, and puts worlds aside on the way.
fn finish(live: &mut Live, input: &Input, checkpoints: &mut Vec<Arc<Checkpoint>>, skipped: usize) {
    let from = live.now();
    let multiples = (skipped as u64 + 1..).map(|n| Time::from_nanos(n * BETWEEN_CHECKPOINTS.as_nanos()));
    let mut interventions = input.interventions.iter().filter(|intervention| intervention.at >= from).peekable();
    for stop in multiples.take_while(|&stop| stop < HORIZON).chain([HORIZON]) {
        while let Some(intervention) = interventions.next_if(|intervention| intervention.at < stop) {
            live.run_until(intervention.at);
            live.intervene(&intervention.change);
        }
        live.run_until(stop);
        if stop < HORIZON {
            checkpoints.push(Arc::new(live.checkpoint()));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn input(interventions: &serde_json::Value) -> Input {
        let settings = json!({"dependency_errors_percent": 40, "rule": {"threshold": 2, "open_for": 1.5}});
        Input::read(&json!({"seed": 5, "settings": settings, "interventions": interventions})).expect("valid")
    }

    #[test]
    fn a_branch_starts_where_it_leaves_and_is_as_from_zero() {
        let kept = KeptRuns::default();
        let cases = [
            (json!([]), 0),
            (json!([{"at": 20, "key": "repair_service"}]), 20),
            (json!([{"at": 20, "key": "repair_service"}, {"at": 47.3, "key": "break_service"}]), 45),
            // The future of the second run is discarded.
            (json!([{"at": 20, "key": "repair_service"}, {"at": 33, "key": "response_time", "value": 2}]), 30),
            (json!([{"at": 12.5, "key": "rule.threshold", "value": 7}]), 10),
            (json!([{"at": 12.5, "key": "rule.threshold", "value": 7}, {"at": 12.5, "key": "break_service"}]), 10),
            (json!([{"at": 4.999, "key": "breaker_enabled", "value": false}]), 0),
        ];
        for (interventions, from) in cases {
            let input = input(&interventions);
            let (history, began) = kept.history(&input);
            assert_eq!(began, Time::ZERO + Duration::from_secs(from), "{interventions}");
            assert_eq!(history, History::of(&input), "{interventions}");
        }
    }

    #[test]
    fn the_same_run_again_is_the_same() {
        let kept = KeptRuns::default();
        let input = input(&json!([{"at": 50, "key": "rule", "value": {"kind": "ratio"}}]));
        let (first, _) = kept.history(&input);
        let (second, from) = kept.history(&input);
        assert_eq!(first, second);
        assert_eq!(from, Time::ZERO + Duration::from_secs(85));
    }

    #[test]
    fn another_seed_or_setting_shares_nothing() {
        let kept = KeptRuns::default();
        let first = input(&json!([]));
        kept.history(&first);
        let mut other_seed = first.clone();
        other_seed.seed += 1;
        assert_eq!(kept.history(&other_seed), (History::of(&other_seed), Time::ZERO));
        let mut other_settings = first;
        other_settings.settings.breaker_enabled = false;
        assert_eq!(kept.history(&other_settings), (History::of(&other_settings), Time::ZERO));
    }
}
