//! How far a sweep is: a bar on a terminal, plain lines elsewhere, or JSON for machines.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::ProgressForm;
use crate::console::say;

/// Between two plain lines.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// Between two lines of JSON.
const JSON_EVERY: Duration = Duration::from_secs(1);

/// Shows progress in replications on standard error.
pub(crate) struct Progress {
    shown: Shown,
    started: Instant,
    total: u32,
    /// Simulated requests per replication, as counted so far.
    requests: u64,
    done: u32,
    /// Of these, those that did not have to be simulated.
    reused: u32,
    stopping: bool,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    Lines { last: Instant },
    Json { last: Instant },
}

impl Progress {
    pub(crate) fn new(replications: u32, form: ProgressForm) -> Self {
        let shown = if form == ProgressForm::None {
            Shown::Nothing
        } else if form == ProgressForm::Json {
            Shown::Json { last: Instant::now() }
        } else if stderr().is_terminal() {
            let style = ProgressStyle::with_template("{bar:40} {pos}/{len} replications, {msg}, {eta} left")
                .expect("the template is valid");
            Shown::Bar(ProgressBar::new(u64::from(replications)).with_style(style))
        } else {
            Shown::Lines { last: Instant::now() }
        };
        let progress = Self {
            shown,
            started: Instant::now(),
            total: replications,
            requests: 0,
            done: 0,
            reused: 0,
            stopping: false,
        };
        if let Shown::Json { .. } = progress.shown {
            say(progress.json(false));
        }
        progress
    }

    /// One more replication is there from earlier.
    pub(crate) fn reuse(&mut self) {
        self.done += 1;
        self.reused += 1;
        if let Shown::Bar(bar) = &self.shown {
            bar.set_position(u64::from(self.done));
            bar.reset_eta();
        }
    }

    /// One more replication is done, with so many simulated requests; perhaps no more are begun.
    pub(crate) fn advance(&mut self, requests: u64, stopping: bool) {
        if stopping && !self.stopping {
            self.stopping = true;
            say("Stopping: finishing the replications that are running. Interrupt again to end at once.");
        }
        self.done += 1;
        self.requests += requests;
        let elapsed = self.started.elapsed().as_secs_f64();
        let rate = self.requests as f64 / elapsed / 1e6;
        match &mut self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                bar.set_message(format!("{rate:.1} M requests/s"));
                bar.set_position(u64::from(self.done));
            }
            Shown::Json { last } => {
                if last.elapsed() >= JSON_EVERY {
                    *last = Instant::now();
                    say(self.json(false));
                }
            }
            Shown::Lines { last } => {
                if last.elapsed() >= LINE_EVERY && self.done < self.total {
                    *last = Instant::now();
                    let left = elapsed * f64::from(self.total - self.done) / f64::from(self.done - self.reused);
                    let (done, total) = (self.done, self.total);
                    say(format_args!("{done}/{total} replications, {rate:.1} M requests/s, about {left:.0} s left"));
                }
            }
        }
    }

    /// The state as a line of JSON; seconds left are null as long as nothing tells.
    fn json(&self, finished: bool) -> serde_json::Value {
        let elapsed = self.started.elapsed().as_secs_f64();
        let simulated = self.done - self.reused;
        let left = (simulated > 0).then(|| elapsed * f64::from(self.total - self.done) / f64::from(simulated));
        serde_json::json!({
            "event": if finished { "finished" } else { "progress" },
            "replications": self.total,
            "replications_done": self.done,
            "replications_reused": self.reused,
            "requests": self.requests,
            "elapsed_s": elapsed,
            "left_s": left,
            "stopping": self.stopping,
        })
    }

    /// Removes the bar and returns the requests simulated and the seconds it took.
    pub(crate) fn finish(self) -> (u64, f64) {
        match &self.shown {
            Shown::Bar(bar) => bar.finish_and_clear(),
            Shown::Json { .. } => say(self.json(true)),
            Shown::Nothing | Shown::Lines { .. } => {}
        }
        (self.requests, self.started.elapsed().as_secs_f64())
    }
}
