//! Queues whose answers are known, and planted defects that the same checks must find.
//!
//! Exact checks admit no error at all. Each of the 14 statistical ones has a false-alarm rate of 1e-8 (two-sided
//! Student t over 200 independent replications), so that by Bonferroni's inequality a sound engine fails this suite with
//! a probability of at most 1.4e-7, together with the tests of the streams below the 1e-6 that the crate allows itself.
//! The seeds are fixed: a run that passes passes always. Each check names the smallest relative error that it finds with
//! 99 % probability, and fails if the spread of the replications does not bear that out.

mod checks;
mod kit;
mod station;
mod theory;

use checks::Check;
use kit::{Kit, LateWarmUp, LostTimer, OneSeed, OneStream, PopulationVariance, ReversedTies, Sound};

fn passes(check: Check) {
    check.unwrap_or_else(|alarm| panic!("{alarm}"));
}

/// Asserts that the check raises the alarm, with these words in it.
fn finds(check: Check, words: &str) {
    let alarm = check.expect_err("the defect went unnoticed");
    assert!(alarm.contains(words), "another alarm than expected: {alarm}");
}

fn passes_exact_checks<K: Kit>() {
    passes(checks::variance_is_unbiased::<K>());
    passes(checks::what_ends_makes_room_for_what_begins::<K>());
    passes(checks::simultaneous_events_keep_their_order::<K>());
    passes(checks::a_warm_up_counts_from_its_end::<K>());
    passes(checks::littles_law_is_an_identity::<K>());
    passes(checks::replications_differ::<K>());
}

#[test]
fn the_engine_passes_every_exact_check() {
    passes_exact_checks::<Sound>();
}

#[test]
fn m_m_1() {
    passes(checks::m_m_1::<Sound>());
}

#[test]
fn m_m_c_by_erlang_c() {
    passes(checks::m_m_c::<Sound>());
}

#[test]
fn m_m_c_c_by_erlang_b() {
    passes(checks::m_m_c_c::<Sound>());
}

#[test]
fn m_g_c_c_by_erlang_b_whatever_the_service_law() {
    passes(checks::m_g_c_c::<Sound>());
}

#[test]
fn m_g_1_by_pollaczek_and_khinchine() {
    passes(checks::m_g_1::<Sound>());
}

#[test]
fn a_variance_with_divisor_n_is_found() {
    finds(checks::variance_is_unbiased::<PopulationVariance>(), "variance");
}

#[test]
fn reversed_ties_are_found() {
    finds(checks::what_ends_makes_room_for_what_begins::<ReversedTies>(), "turned away");
    finds(checks::simultaneous_events_keep_their_order::<ReversedTies>(), "order");
}

#[test]
fn one_timer_lost_in_a_thousand_is_found() {
    finds(checks::littles_law_is_an_identity::<LostTimer>(), "Little");
    finds(checks::m_m_c_c::<LostTimer>(), "M/M/5/5");
}

#[test]
fn a_warm_up_that_ends_a_nanosecond_late_is_found() {
    finds(checks::a_warm_up_counts_from_its_end::<LateWarmUp>(), "warm-up");
    finds(checks::littles_law_is_an_identity::<LateWarmUp>(), "Little");
}

#[test]
fn replications_that_share_a_seed_are_found() {
    finds(checks::replications_differ::<OneSeed>(), "replication");
    finds(checks::m_m_1::<OneSeed>(), "M/M/1");
}

#[test]
fn arrivals_and_services_that_share_a_stream_are_found() {
    finds(checks::m_m_1::<OneStream>(), "M/M/1");
}
