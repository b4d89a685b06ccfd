//! Records as columns of words, and a row of words as a record: every field, and no field forgotten.

use engine::{Duration, Time};
use scenario::{DetectionOutcome, RunRecord, ServiceCounts};

/// A value that fits in a word, none of them lost on the way there and back.
trait Word: Sized {
    fn to_word(&self) -> u64;
    /// `None` where no value has this word.
    fn from_word(word: u64) -> Option<Self>;
}

impl Word for u64 {
    fn to_word(&self) -> u64 {
        *self
    }

    fn from_word(word: u64) -> Option<Self> {
        Some(word)
    }
}

impl Word for u32 {
    fn to_word(&self) -> u64 {
        u64::from(*self)
    }

    fn from_word(word: u64) -> Option<Self> {
        Self::try_from(word).ok()
    }
}

impl Word for bool {
    fn to_word(&self) -> u64 {
        u64::from(*self)
    }

    fn from_word(word: u64) -> Option<Self> {
        [false, true].get(usize::try_from(word).ok()?).copied()
    }
}

impl Word for Time {
    fn to_word(&self) -> u64 {
        self.as_nanos()
    }

    fn from_word(word: u64) -> Option<Self> {
        Some(Self::from_nanos(word))
    }
}

impl Word for Duration {
    fn to_word(&self) -> u64 {
        self.as_nanos()
    }

    fn from_word(word: u64) -> Option<Self> {
        Some(Self::from_nanos(word))
    }
}

impl<W: Word> Word for Option<W> {
    /// 0 for nothing, and every value one higher: 2^64 − 1 counts or nanoseconds (584 years) occur in no run.
    fn to_word(&self) -> u64 {
        self.as_ref().map_or(0, |value| value.to_word().checked_add(1).expect("no run counts up to 2^64 - 1"))
    }

    fn from_word(word: u64) -> Option<Self> {
        match word.checked_sub(1) {
            None => Some(None),
            Some(value) => W::from_word(value).map(Some),
        }
    }
}

impl Word for DetectionOutcome {
    fn to_word(&self) -> u64 {
        match self {
            Self::Opened => 0,
            Self::AlreadyOpen => 1,
            Self::HealedFirst => 2,
            Self::Horizon => 3,
        }
    }

    fn from_word(word: u64) -> Option<Self> {
        [Self::Opened, Self::AlreadyOpen, Self::HealedFirst, Self::Horizon].get(usize::try_from(word).ok()?).copied()
    }
}

/// Makes `column` the differences of a word of all records to that of the record before.
fn differences(runs: &[Vec<RunRecord>], word: impl Fn(&RunRecord) -> u64, column: &mut Vec<i64>) {
    let mut before = 0_u64;
    column.clear();
    for records in runs {
        column.extend(records.iter().map(|record| {
            let word = word(record);
            let difference = word.wrapping_sub(before).cast_signed();
            before = word;
            difference
        }));
    }
}

/// Lists the fields once. A field that a record has and the list has not does not compile.
macro_rules! fields {
    ($($field:ident),+; $has_service:ident: $($count:ident),+ $(,)?) => {
        /// The names of the words of a record, in order: the plain world's, whether there are counts of the richer world, and
        /// these, which are zero where there are none.
        pub(super) const FIELDS: [&str; [$(stringify!($field),)+ stringify!($has_service), $(stringify!($count)),+].len()] =
            [$(stringify!($field),)+ stringify!($has_service), $(stringify!($count)),+];

        /// Hands over the columns of a replication's records in the order of [`FIELDS`]: each a word of all records, as
        /// differences to the record before. `column` is room for them.
        pub(super) fn each_column<E>(
            runs: &[Vec<RunRecord>],
            column: &mut Vec<i64>,
            mut receive: impl FnMut(&[i64]) -> Result<(), E>,
        ) -> Result<(), E> {
            $(
                differences(runs, |record| Word::to_word(&record.$field), column);
                receive(column)?;
            )+
            differences(runs, |record| Word::to_word(&record.service.is_some()), column);
            receive(column)?;
            $(
                differences(runs, |record| record.service.map_or(0, |counts| Word::to_word(&counts.$count)), column);
                receive(column)?;
            )+
            Ok(())
        }

        /// A record that has more fields than are listed does not compile.
        const _: fn(RunRecord, ServiceCounts) = |record, counts| {
            let RunRecord { $($field: _,)+ service: _ } = record;
            let ServiceCounts { $($count: _),+ } = counts;
        };

        /// The record of these words; `None` if there is none.
        pub(super) fn record_of(words: [u64; FIELDS.len()]) -> Option<RunRecord> {
            let [$($field,)+ $has_service, $($count),+] = words;
            let counts = ServiceCounts { $($count: Word::from_word($count)?),+ };
            let service = match Word::from_word($has_service)? {
                true => Some(counts),
                false if counts == ServiceCounts::default() => None,
                false => return None,
            };
            Some(RunRecord { $($field: Word::from_word($field)?,)+ service })
        }
    };
}

fields!(
    requests,
    calls,
    responses,
    errors,
    rejected,
    no_slot,
    in_flight,
    openings,
    false_openings,
    fault_at,
    detection_outcome,
    detection_delay,
    detection_delay_restricted,
    slot_time_to_detection,
    slot_time_to_detection_restricted,
    slot_time_fault,
    false_open_rejections,
    rejected_after_heal,
    closed_after_heal,
    neighbour_requests,
    neighbour_responses,
    neighbour_no_slot,
    neighbour_no_slot_fault,
    neighbour_in_flight,
    observed;
    has_service:
    retries,
    timeouts,
    lost,
    cancelled,
    ignored,
    rate_limited,
    waiting,
    fallbacks,
    wrong_successes,
    neighbour_wait,
    dependency_peak,
    stuck_breakers,
);

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn words_of(record: &RunRecord) -> [u64; FIELDS.len()] {
        let mut words = Vec::new();
        let pushed = each_column(&[vec![record.clone()]], &mut Vec::new(), |column| {
            words.push(column[0].cast_unsigned());
            Ok::<_, Infallible>(())
        });
        pushed.map_or_else(|never| match never {}, |()| words.try_into().expect("a word for each field"))
    }

    #[test]
    fn words_are_the_record_and_a_word_without_a_meaning_is_none() {
        // Distinct words, so that no two fields can be confused; the outcome has four words only, and the flag two.
        let place = |sought| FIELDS.iter().position(|&name| name == sought).expect("a field");
        let (outcome, has_service) = (place("detection_outcome"), place("has_service"));
        for outcome_word in 0..4 {
            for flag in 0..2 {
                let mut words = std::array::from_fn(|field| 1_000 + field as u64);
                words[outcome] = outcome_word;
                words[has_service] = flag;
                if flag == 0 {
                    assert_eq!(record_of(words), None, "counts of a world that was not there");
                    words[has_service + 1..].fill(0);
                }
                assert_eq!(words_of(&record_of(words).expect("a record")), words);
            }
        }
        let words = [0; FIELDS.len()];
        assert_eq!(words_of(&record_of(words).expect("a record")), words, "nothing stays nothing");
        for (field, word) in [(outcome, 4), (has_service, 2), (place("stuck_breakers"), 1)] {
            let mut words = words;
            words[field] = word;
            assert_eq!(record_of(words), None, "{}", FIELDS[field]);
        }
    }
}
