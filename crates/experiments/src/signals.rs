//! Ctrl-C and termination: at first what is running has a moment to finish and what is finished is kept, and then, or when asked
//! again, the program ends at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// What the signals so far ask for.
pub(crate) struct Signals {
    stop: Arc<AtomicBool>,
    at_once: Arc<AtomicBool>,
    terminated: Arc<AtomicBool>,
}

/// The signal that stopped the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// SIGINT.
    Interrupted,
    /// SIGTERM, perhaps among others.
    Terminated,
}

impl Ended {
    /// The exit code by the shell's convention: 128 and the signal's number.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }
}

impl Signals {
    /// Listens from now on. SIGHUP is left as it is, so that `nohup` protects.
    ///
    /// # Errors
    ///
    /// When the operating system refuses.
    pub(crate) fn listen() -> io::Result<Self> {
        let signals = Self { stop: Arc::default(), at_once: Arc::default(), terminated: Arc::default() };
        flag::register(SIGTERM, Arc::clone(&signals.terminated))?;
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal still finds `at_once` unset. 128 + n is the shell's code for a signal.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&signals.at_once))?;
            flag::register(signal, Arc::clone(&signals.at_once))?;
            flag::register(signal, Arc::clone(&signals.stop))?;
        }
        Ok(signals)
    }

    /// Set once the work should stop.
    pub(crate) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// What stopped the work, if anything did.
    pub(crate) fn ended(&self) -> Option<Ended> {
        let ended = if self.terminated.load(Ordering::Relaxed) { Ended::Terminated } else { Ended::Interrupted };
        self.stop.load(Ordering::Relaxed).then_some(ended)
    }

    /// From now on nothing is worth finishing: the next signal ends the program.
    pub(crate) fn obey_at_once(&self) {
        self.at_once.store(true, Ordering::Relaxed);
    }
}
