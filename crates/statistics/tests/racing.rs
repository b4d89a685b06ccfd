//! Designs leave a race only when another one surely dominates them.

#[path = "support/front_cases.rs"]
mod front_cases;
#[path = "support/macro_replications.rs"]
mod macro_replications;

use front_cases::{Problem, race};
use macro_replications::Sampler;
use statistics::{Level, Looks, Moments, Objectives, Observations, Race, front};

fn looks() -> Looks {
    Looks::new(30, 120, 30).unwrap()
}

/// The first rows of a table.
fn prefix(objectives: &Objectives, rows: usize) -> Objectives {
    let table = |table: &Observations| {
        Observations::new(table.columns(), table.rows().take(rows).flatten().copied().collect()).unwrap()
    };
    Objectives::new(table(objectives.x()), table(objectives.y())).unwrap()
}

/// 300 races of forty designs over four looks, with a promise of 0.5, so that a broken promise shows: that so many races
/// lose a member of the front is allowed in half of them, and seen in next to none, since the correction is for any
/// dependence. 195 would be beyond 5 standard deviations.
#[test]
fn members_of_the_front_are_kept() {
    let (mut races_lost, mut left) = (0, 0);
    for seed in 0..300 {
        let problem = Problem::curved(0.8);
        let outcome = race(&problem, looks(), Level::new(0.5).unwrap(), &mut Sampler::new(seed));
        races_lost += u32::from(outcome.members_lost > 0);
        left += outcome.rest_dropped;
    }
    assert!(races_lost < 195, "{races_lost}");
    // Most of the twenty dominated designs have left by then: that is what a race is for.
    assert!(left > 300 * 15, "{left}");
}

/// The same by comparing means alone: nearly every race loses members.
#[test]
fn comparing_plain_means_is_caught() {
    let mut races_lost = 0;
    for seed in 0..300 {
        let problem = Problem::curved(0.8);
        let observed = problem.observe(&mut Sampler::new(seed), 30);
        let members = front(&observed.means()).unwrap();
        let kept = |design: usize| members.iter().any(|point| point.index == design);
        races_lost += u32::from((0..40).any(|design| problem.on_front()[design] && !kept(design)));
    }
    assert!(races_lost > 250, "{races_lost}");
}

/// At 95 % no race of 300 loses a member: with Bonferroni's correction the expected number is well below one.
#[test]
fn at_the_usual_level_nothing_of_the_front_is_lost() {
    let lost: usize = (0..300)
        .map(|seed| {
            race(&Problem::curved(0.8), looks(), Level::new(0.95).unwrap(), &mut Sampler::new(seed)).members_lost
        })
        .sum();
    assert!(lost <= 3, "{lost}");
}

#[test]
fn a_dominator_is_named() {
    let noise = Sampler::new(1).sample(60, Sampler::normal);
    let shifted = |by: f64| -> Vec<f64> { noise.iter().map(|x| x + by).collect() };
    // The second is worse by exactly one in x and the same in y; the third trades; the fourth is the first again.
    let x = Observations::from_columns(&[shifted(0.0), shifted(1.0), shifted(-1.0), shifted(0.0)]).unwrap();
    let y = Observations::from_columns(&[shifted(0.0), shifted(0.0), shifted(1.0), shifted(0.0)]).unwrap();
    let objectives = Objectives::new(x, y).unwrap();
    let race = Race { looks: looks(), designs: 4, level: Level::new(0.95).unwrap() };
    assert_eq!(race.dominators(&objectives).unwrap(), [None, Some(0), None, None]);
    let message = race.dominators(&prefix(&objectives, 50)).unwrap_err().to_string();
    assert!(message.ends_with("the next look is at 60"), "{message}");
}

#[test]
fn designs_that_never_differed_are_not_told_apart_where_rare_events_count() {
    let noise = Sampler::new(1).sample(60, Sampler::normal);
    let x = Observations::from_columns(&[
        noise.iter().map(|_| 0.0).collect::<Vec<_>>(),
        noise.iter().map(|x| x + 9.0).collect(),
    ]);
    let none = vec![0.0; 60];
    let mut one = none.clone();
    one[7] = 1.0;
    let race = Race { looks: looks(), designs: 2, level: Level::new(0.95).unwrap() };
    let dominators = |worse: &Vec<f64>| {
        let y = Observations::from_columns(&[none.clone(), worse.clone()]).unwrap();
        let objectives = Objectives::new(x.clone().unwrap(), y).unwrap();
        let plain = race.dominators(&objectives).unwrap();
        (plain, race.dominators_among(&objectives, Moments::suffice_for_a_mean).unwrap())
    };
    // Equal so far is no proof that the second, which is slower, does not have fewer of them.
    assert_eq!(dominators(&none), (vec![None, Some(0)], vec![None, None]));
    assert_eq!(dominators(&one).1, [None, None]);
    let often: Vec<f64> = noise.iter().map(|x| x + 5.0).collect();
    assert_eq!(dominators(&often).1, [None, Some(0)]);
}

#[test]
fn more_designs_or_looks_ask_for_more() {
    // A difference of four standard errors or so: enough for two designs, not for two of ten thousand.
    let noise = Sampler::new(1).sample(60, Sampler::normal);
    let better: Vec<f64> = vec![0.0; 60];
    let worse: Vec<f64> = noise.iter().map(|x| x + 0.7).collect();
    let table = || Observations::from_columns(&[better.clone(), worse.clone()]).unwrap();
    let objectives = Objectives::new(table(), table()).unwrap();
    let dominators =
        |designs| Race { looks: looks(), designs, level: Level::new(0.95).unwrap() }.dominators(&objectives).unwrap();
    assert_eq!(dominators(2), [None, Some(0)]);
    assert_eq!(dominators(10_000), [None, None]);
}
