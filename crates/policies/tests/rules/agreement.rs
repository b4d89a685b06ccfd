//! The rules do what the model does.

use policies::AnyRule;
use proptest::prelude::*;

use crate::driver::{Step, first_difference, steps};
use crate::model::{Fault, Model};
use crate::numbers::{Numbers, config, numbers, ratio_numbers, samples};

fn difference_from_model(numbers: Numbers, fault: Option<Fault>, steps: &[Step]) -> Option<String> {
    let model = Model { numbers, fault };
    match numbers.rule() {
        AnyRule::None(_) => unreachable!("numbers describe breakers"),
        AnyRule::Consecutive(rule) => first_difference(rule, model, steps),
        AnyRule::Ratio(rule) => first_difference(rule, model, steps),
        AnyRule::Dialect(_) => unreachable!("no rule of a library is drawn here"),
    }
}

proptest! {
    #![proptest_config(config(4_000))]

    #[test]
    fn small_windows_agree_with_the_model(numbers in numbers(8), steps in steps(200)) {
        prop_assert_eq!(difference_from_model(numbers, None, &steps), None);
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn windows_up_to_200_agree_with_the_model(numbers in numbers(200), steps in steps(1_500)) {
        prop_assert_eq!(difference_from_model(numbers, None, &steps), None);
    }
}

fn assert_found(fault: Fault, sequences: &[(Numbers, Vec<Step>)]) {
    let differs =
        |(numbers, steps): &&(Numbers, Vec<Step>)| difference_from_model(*numbers, Some(fault), steps).is_some();
    let found = sequences.iter().filter(differs).count();
    assert!(found >= 5, "{fault:?} differs in {found} of {} sequences", sequences.len());
}

#[test]
fn every_planted_fault_is_found() {
    let sequences = samples(1_500, &(numbers(8), steps(200)));
    for fault in Fault::ALL {
        assert_found(fault, &sequences);
    }
}

#[test]
fn planted_faults_of_allocated_windows_are_found() {
    let sequences = samples(600, &(ratio_numbers(129..=200), steps(1_500)));
    for fault in [Fault::OneFailureMore, Fault::OneFailureLess, Fault::WindowTooLong, Fault::EvidenceKept] {
        assert_found(fault, &sequences);
    }
}

#[test]
fn ratios_that_mean_the_same_number_of_failures_never_differ() {
    for (numbers, steps) in samples(500, &(numbers(8), steps(200))) {
        let AnyRule::Ratio(rule) = numbers.rule() else { continue };
        // The least and the greatest share that come to the same number of failures.
        let share = f64::from(rule.failures_to_open()) / f64::from(rule.window());
        let below = f64::from(rule.failures_to_open() - 1) / f64::from(rule.window());
        for threshold in [share, below.next_up()] {
            let other =
                policies::Ratio::new(rule.window(), threshold, rule.open_for(), rule.half_open()).expect("valid");
            assert!(AnyRule::from(rule).is_same_rule(&other.into()), "{rule} and {other}");
            assert_eq!(first_difference(rule, other, &steps), None);
        }
    }
}
