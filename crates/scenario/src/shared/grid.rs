//! The designs of a sweep, sorted so that what trips together lies together.

use std::ops::Range;

use engine::Duration;
use policies::{AnyRule, Evidence};

/// Designs by family, threshold and open time. A *family* is what shapes the evidence: the length of a window, or the run
/// of failures. A design's place in this order is its *seat*; a set of seats is a bit string, and a family begins at a
/// whole word of it.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    families: Vec<Family>,
    /// Family number by window.
    by_window: [u8; MAX_WINDOW as usize + 1],
    /// By word of a set of seats: the window of its family.
    windows: Vec<u32>,
    /// By seat: the level at which it opens; never reached where the seat is empty or the design never opens.
    thresholds: Vec<u32>,
    /// By seat: the design's open time, as a number among `open_times`.
    opens: Vec<u32>,
    open_times: Vec<Duration>,
    /// By seat: the design.
    designs: Vec<Option<u32>>,
    /// The seats that are taken in families, as a set.
    occupied: Vec<u64>,
    /// By design: its seat.
    seat_of: Vec<u32>,
    /// The seats of designs that have no shared form; after all families.
    loners: Range<u32>,
}

/// The designs with one kind of evidence, by ascending threshold.
#[derive(Clone, Debug)]
pub(super) struct Family {
    /// Its words in a set of seats.
    pub(super) words: Range<usize>,
}

/// Stands in for a window in the family of the run of failures.
pub(super) const FAILURE_RUN: u32 = 0;

/// The longest window of which a history keeps the results; breakers with longer ones run by themselves.
pub(super) const MAX_WINDOW: u32 = 127;

/// The threshold of what never opens.
pub(super) const NEVER: u32 = u32::MAX;

impl Grid {
    pub(super) fn new(rules: &[AnyRule]) -> Self {
        let mut shared = Vec::new();
        let mut loners = Vec::new();
        for (design, rule) in (0_u32..).zip(rules) {
            let form = rule.shared_form();
            let window = form.map(|form| match form.evidence {
                Evidence::FailureRun => FAILURE_RUN,
                Evidence::LastResults(window) => window,
            });
            match (form, window) {
                (Some(form), Some(window)) if window <= MAX_WINDOW => {
                    shared.push((window, form.threshold.unwrap_or(NEVER), form.open_for, design));
                }
                _ => loners.push(design),
            }
        }
        shared.sort_unstable();
        let mut open_times: Vec<Duration> = shared.iter().map(|&(_, _, open_for, _)| open_for).collect();
        open_times.sort_unstable();
        open_times.dedup();

        let mut grid = Self {
            families: Vec::new(),
            by_window: [0; MAX_WINDOW as usize + 1],
            windows: Vec::new(),
            thresholds: Vec::new(),
            opens: Vec::new(),
            open_times,
            designs: Vec::new(),
            occupied: Vec::new(),
            seat_of: vec![0; rules.len()],
            loners: 0..0,
        };
        for family in shared.chunk_by(|a, b| a.0 == b.0) {
            grid.seat_family(family);
        }
        let word =
            |seats: &[Option<u32>]| seats.iter().rev().fold(0, |word, seat| word << 1 | u64::from(seat.is_some()));
        grid.occupied = grid.designs.chunks(64).map(word).collect();
        let first = grid.designs.len() as u32;
        grid.loners = first..first + loners.len() as u32;
        grid.designs.extend(loners.into_iter().map(Some));
        for (seat, design) in (0_u32..).zip(&grid.designs) {
            if let Some(design) = design {
                grid.seat_of[*design as usize] = seat;
            }
        }
        grid
    }

    fn seat_family(&mut self, members: &[(u32, u32, Duration, u32)]) {
        let window = members[0].0;
        let first_word = self.designs.len() / 64;
        for &(_, threshold, open_for, design) in members {
            self.thresholds.push(threshold);
            self.opens.push(self.open_times.partition_point(|&time| time < open_for) as u32);
            self.designs.push(Some(design));
        }
        let seats = self.designs.len().next_multiple_of(64);
        self.thresholds.resize(seats, NEVER);
        self.opens.resize(seats, 0);
        self.designs.resize(seats, None);
        self.windows.resize(seats / 64, window);
        self.by_window[window as usize] = self.families.len() as u8;
        self.families.push(Family { words: first_word..seats / 64 });
    }

    /// How many families there are.
    pub(super) fn families(&self) -> usize {
        self.families.len()
    }

    /// The family with this window.
    #[inline]
    pub(super) fn family(&self, window: u32) -> &Family {
        &self.families[usize::from(self.by_window[window as usize])]
    }

    /// The window of the family to which a word of a set of seats belongs.
    #[inline]
    pub(super) fn window_of_word(&self, word: usize) -> u32 {
        self.windows[word]
    }

    /// By design: its seat.
    pub(super) fn seat_of(&self) -> &[u32] {
        &self.seat_of
    }

    /// How many seats there are, empty ones and those of loners included.
    pub(super) fn seats(&self) -> usize {
        self.designs.len()
    }

    /// How many words a set of seats has. Loners are in no such set.
    pub(super) fn words(&self) -> usize {
        self.thresholds.len() / 64
    }

    pub(super) fn threshold(&self, seat: u32) -> u32 {
        self.thresholds[seat as usize]
    }

    pub(super) fn open_number(&self, seat: u32) -> u32 {
        self.opens[seat as usize]
    }

    pub(super) fn open_times(&self) -> &[Duration] {
        &self.open_times
    }

    pub(super) fn design(&self, seat: u32) -> Option<u32> {
        self.designs[seat as usize]
    }

    /// The seats of the designs that share states, by word.
    pub(super) fn sharing(&self) -> impl Iterator<Item = (usize, u64)> {
        self.occupied.iter().copied().enumerate()
    }

    /// The seats of the designs that run by themselves.
    pub(super) fn loners(&self) -> Range<u32> {
        self.loners.clone()
    }
}
