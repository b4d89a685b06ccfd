//! How far a sweep is: a bar on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::console::say;

/// Between two plain lines.
const LINE_EVERY: Duration = Duration::from_secs(10);

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
}

impl Progress {
    pub(crate) fn new(replications: u32, quiet: bool) -> Self {
        let shown = if quiet {
            Shown::Nothing
        } else if stderr().is_terminal() {
            let style = ProgressStyle::with_template("{bar:40} {pos}/{len} replications, {msg}, {eta} left")
                .expect("the template is valid");
            Shown::Bar(ProgressBar::new(u64::from(replications)).with_style(style))
        } else {
            Shown::Lines { last: Instant::now() }
        };
        Self { shown, started: Instant::now(), total: replications, requests: 0, done: 0, reused: 0, stopping: false }
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

    /// Removes the bar and returns the requests simulated and the seconds it took.
    pub(crate) fn finish(self) -> (u64, f64) {
        if let Shown::Bar(bar) = self.shown {
            bar.finish_and_clear();
        }
        (self.requests, self.started.elapsed().as_secs_f64())
    }
}
