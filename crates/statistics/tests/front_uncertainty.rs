//! How far a front can be trusted: membership, hypervolume, knee, attainment, ellipses, and choosing by other replications
//! than those that are reported.

#[path = "support/coverage_cases.rs"]
mod coverage_cases;
#[path = "support/front_cases.rs"]
mod front_cases;
#[path = "support/macro_replications.rs"]
mod macro_replications;
#[path = "support/reference.rs"]
mod reference;

use coverage_cases::{ellipse_coverage, level};
use front_cases::{Problem, hypervolume_covered, members_lost, membership_of_many, selection_errors};
use macro_replications::{Sampler, about, agrees};
use reference::{assert_close, rows};
use statistics::{
    BootstrapKind, Fallback, FrontQuestion, FrontTally, Interval, Level, MembershipClass, Objectives, Observations,
    Resampling, Scope, attainment, attainment_band, covariance_ellipse, front, front_membership, hypervolume,
    hypervolume_interval, knee, knee_shares, select_and_report,
};

const RESAMPLING: Resampling = Resampling { draws: 1_000, seed: 1 };

fn objectives(designs: &[[&[f64]; 2]]) -> Objectives {
    let table = |objective: usize| {
        let columns: Vec<&[f64]> = designs.iter().map(|design| design[objective]).collect();
        Observations::from_columns(&columns).unwrap()
    };
    Objectives::new(table(0), table(1)).unwrap()
}

/// Ten sets of seven points.
fn sets() -> Vec<Vec<(f64, f64)>> {
    let mut sets = vec![Vec::new(); 10];
    for [set, x, y] in rows::<3>(include_str!("data/sets.csv")) {
        sets[set as usize].push((x, y));
    }
    sets
}

#[test]
fn hypervolumes_are_moocores() {
    let (sets, rows) = (sets(), rows::<4>(include_str!("data/hypervolume.csv")));
    assert_eq!(rows.len(), 20);
    for row in rows {
        let [set, x, y, area] = row;
        assert_close(hypervolume(&sets[set as usize], (x, y)).unwrap(), area, 1e-13, row);
    }
}

#[test]
fn attainment_levels_are_moocores() {
    let (sets, rows) = (sets(), rows::<3>(include_str!("data/attainment.csv")));
    assert_eq!(rows.len(), 20);
    for row in rows {
        let [share, x, y] = row;
        assert_eq!(attainment(&sets, &[x], share).unwrap(), [y], "{row:?}");
    }
}

#[test]
fn ellipses_are_scipys() {
    let (x, y): (Vec<f64>, Vec<f64>) =
        rows::<2>(include_str!("data/sample.csv")).into_iter().map(<[f64; 2]>::into).collect();
    let rows = rows::<5>(include_str!("data/ellipse.csv"));
    assert_eq!(rows.len(), 6);
    for row in rows {
        let [n, fraction, major, minor, angle] = row;
        let n = n as usize;
        let ellipse = covariance_ellipse(&x[..n], &y[..n], Level::new(fraction).unwrap()).unwrap();
        assert_close(ellipse.semi_major, major, 1e-10, row);
        assert_close(ellipse.semi_minor, minor, 1e-10, row);
        assert_close(ellipse.angle, angle, 1e-10, row);
    }
}

/// 10,000 samples of ten pairs; exact for normal pairs. The band at 1 − 10⁻⁶ finds a coverage that is off by 0.022, such as
/// that of two t intervals, 0.91 for independent objectives.
#[test]
fn the_ellipse_holds_both_means_together() {
    let (in_ellipse, in_both) = ellipse_coverage(10_000);
    assert!(agrees(in_ellipse, 10_000, 0.95..=0.95), "{in_ellipse}");
    assert!(!agrees(in_both, 10_000, 0.95..=0.95), "{in_both}");
}

#[test]
fn an_ellipse_of_one_line_or_of_few_pairs() {
    let x = [1.0, 2.0, 3.0, 6.0];
    let line = covariance_ellipse(&x, &x.map(|x| 2.0 * x), level()).unwrap();
    assert!(line.semi_minor < 1e-7 * line.semi_major && (line.angle - 2f64.atan()).abs() < 1e-12, "{line:?}");
    let end = line.outline(0.0);
    assert!((end.1 - line.centre.1 - 2.0 * (end.0 - line.centre.0)).abs() < 1e-12, "{end:?}");
    let point = covariance_ellipse(&[1.0; 4], &[2.0; 4], level()).unwrap();
    assert_eq!((point.centre, point.semi_major, point.semi_minor), ((1.0, 2.0), 0.0, 0.0));
    assert_eq!(covariance_ellipse(&x[..2], &x[..2], level()), None);
    assert_eq!(covariance_ellipse(&x, &x[..3], level()), None);
    assert_eq!(covariance_ellipse(&x, &[1.0, f64::NAN, 2.0, 3.0], level()), None);
    let round = covariance_ellipse(&[0.0, 1.0, 2.0, 4.0], &[3.0, 5.0, 1.0, 2.0], level()).unwrap();
    let on_it = round.outline(1.0);
    let towards = |factor: f64| {
        let (dx, dy) = (on_it.0 - round.centre.0, on_it.1 - round.centre.1);
        (round.centre.0 + factor * dx, round.centre.1 + factor * dy)
    };
    assert!(round.contains(towards(0.999)) && !round.contains(towards(1.001)));
}

/// 150 problems of forty designs anywhere, 60 replications at correlation 0.8: 6,000 designs in five bins of probability.
/// The share of a bin that is truly on the front agrees with the bin's mean probability to 0.08, judged at 1 − 10⁻⁶; and
/// of the designs called out or in, no more than a few in a thousand or hundred are wrongly so.
#[test]
fn probabilities_of_membership_are_calibrated() {
    let members = membership_of_many(150, 60, 0.8, 500);
    for (from, to) in [(0.005, 0.1), (0.1, 0.4), (0.4, 0.7), (0.7, 0.95), (0.95, 1.1)] {
        let bin: Vec<_> = members.iter().filter(|(p, _)| (from..to).contains(p)).collect();
        let mean = bin.iter().map(|(p, _)| p).sum::<f64>() / bin.len() as f64;
        let truly = bin.iter().filter(|(_, on_front)| *on_front).count() as u64;
        assert!(bin.len() > 50, "{} designs between {from} and {to}", bin.len());
        assert!(agrees(truly, bin.len() as u64, about(mean, 0.08)), "{truly} of {} at {mean}", bin.len());
    }
    let wrong = |class: MembershipClass, on_front: bool| {
        let of_class: Vec<_> = members.iter().filter(|(p, _)| MembershipClass::of(*p) == class).collect();
        (of_class.iter().filter(|(_, truth)| *truth != on_front).count() as f64, of_class.len() as f64)
    };
    let (wrongly_out, out) = wrong(MembershipClass::Out, false);
    let (wrongly_in, inside) = wrong(MembershipClass::In, true);
    assert!(wrongly_out <= 0.001 * out && wrongly_in <= 0.02 * inside, "{wrongly_out}/{out} {wrongly_in}/{inside}");
}

/// Twenty designs on a tight true front, thirty independent replications: the hardest of what was measured. A front loses
/// 0.1 of its members on average, and would lose 0.9 with the cut at a twentieth. Fifty fronts: both counts are 5 standard
/// deviations from what is asserted.
#[test]
fn out_is_said_slowly() {
    let (lost, at_a_twentieth) = members_lost(&Problem::curved(0.0), 50, 30);
    assert!(lost <= 0.38 && at_a_twentieth >= 0.4, "{lost} {at_a_twentieth}");
}

#[test]
fn an_indifference_zone_keeps_what_is_as_good() {
    // The second is worse by a hair in both, the third by much.
    let designs: [[&[f64]; 2]; 3] =
        [[&[1.0, 1.2], &[1.0, 1.2]], [&[1.01, 1.21], &[1.01, 1.21]], [&[3.0, 3.2], &[3.0, 3.2]]];
    let observed = objectives(&designs);
    let classes = |zone| {
        let classes: Vec<_> = front_membership(&observed, zone, RESAMPLING).iter().map(|m| m.class.name()).collect();
        classes
    };
    assert_eq!(classes((0.0, 0.0)), ["in", "out", "out"]);
    assert_eq!(classes((0.05, 0.05)), ["in", "in", "out"]);
    assert_eq!(classes((0.05, 0.0)), ["in", "out", "out"], "worse by more than nothing in the second objective");
}

#[test]
fn ties_are_all_on_the_front() {
    let observed = objectives(&[[&[1.0, 2.0], &[3.0, 1.0]], [&[1.0, 2.0], &[3.0, 1.0]], [&[4.0, 4.0], &[4.0, 5.0]]]);
    let members = front_membership(&observed, (0.0, 0.0), RESAMPLING);
    assert_eq!(
        members.iter().map(|m| (m.probability, m.observed)).collect::<Vec<_>>(),
        [(1.0, true), (1.0, true), (0.0, false)]
    );
}

#[test]
fn what_designs_share_cancels() {
    // The second design is always worse by 0.1 in both, whatever the replication does to both; independently, it would
    // look better in many draws.
    let noise = Sampler::new(1).sample(40, Sampler::normal);
    let worse: Vec<f64> = noise.iter().map(|x| x + 0.1).collect();
    let together = objectives(&[[&noise, &noise], [&worse, &worse]]);
    assert_eq!(front_membership(&together, (0.0, 0.0), RESAMPLING)[1].probability, 0.0);
    let shifted: Vec<f64> = Sampler::new(2).sample(40, Sampler::normal).iter().map(|x| x + 0.1).collect();
    let apart = objectives(&[[&noise, &noise], [&shifted, &shifted]]);
    assert!(front_membership(&apart, (0.0, 0.0), RESAMPLING)[1].probability > 0.1);
}

/// 2,000 problems with a known front. The published coverage of the basic interval is 0.88 to 0.98; the band at 1 − 10⁻⁶
/// finds less than 0.86. The percentile interval of independent designs is caught by the same test.
#[test]
fn the_hypervolume_is_covered() {
    let common = hypervolume_covered(0.8, 40, 2_000, 200, BootstrapKind::Basic);
    assert!(agrees(common, 2_000, 0.92..=0.98), "{common}");
    let percentile = hypervolume_covered(0.0, 30, 500, 200, BootstrapKind::Percentile);
    assert!(percentile < 250, "{percentile} of 500");
}

#[test]
fn a_hypervolume_without_spread_or_draws_has_no_interval() {
    let fixed = objectives(&[[&[1.0, 1.0], &[1.0, 1.0]]]);
    let estimate = hypervolume_interval(&fixed, (2.0, 3.0), RESAMPLING, level());
    assert_eq!((estimate.estimate.value, estimate.estimate.interval), (Some(2.0), None));
    assert_eq!(estimate.fallback, Some(Fallback::AllEqual));
    assert_eq!(estimate.estimate.scope, Scope::PerDesign);
    let few = hypervolume_interval(&fixed, (2.0, 3.0), Resampling { draws: 10, seed: 1 }, level());
    assert_eq!(few.fallback, Some(Fallback::TooFew));
    assert_eq!(hypervolume(&[], (1.0, 1.0)), Ok(0.0));
    assert!(hypervolume(&[(f64::NAN, 1.0)], (1.0, 1.0)).is_err());
    assert_eq!(
        hypervolume(&[(1.0, 1.0), (0.5, 7.0), (7.0, 0.5)], (2.0, 2.0)),
        Ok(1.0),
        "beyond the reference is nothing"
    );
}

#[test]
fn the_knee_is_furthest_below_the_chord() {
    assert_eq!(knee(&[(0.0, 10.0), (1.0, 2.0), (4.0, 1.0), (9.0, 0.0)]), Ok(Some(1)));
    // The same front in other units has the same knee.
    assert_eq!(knee(&[(0.0, 0.1), (100.0, 0.02), (400.0, 0.01), (900.0, 0.0)]), Ok(Some(1)));
    assert_eq!(knee(&[(0.0, 1.0), (0.7, 0.7), (1.0, 0.0)]), Ok(None), "a bulging front");
    assert_eq!(knee(&[(0.0, 3.0), (1.0, 2.0), (2.0, 1.0), (3.0, 0.0)]), Ok(None), "a straight front");
    assert_eq!(knee(&[(0.0, 1.0), (1.0, 0.0)]), Ok(None));
    assert_eq!(knee(&[(0.0, 1.0)]), Ok(None));
    assert_eq!(knee(&[]), Ok(None));
    assert!(knee(&[(0.0, f64::NAN)]).is_err());
}

#[test]
fn a_knee_has_its_share_of_the_draws() {
    let observed = Problem::curved(0.8).observe(&mut Sampler::new(1), 60);
    let shares = knee_shares(&observed, RESAMPLING);
    assert_eq!(shares.knee, knee(&observed.means()).unwrap());
    assert!((shares.shares.iter().sum::<f64>() + shares.none - 1.0).abs() < 1e-12);
    assert!(shares.shares[shares.knee.unwrap()] > 0.1, "{shares:?}");
    assert!(shares.shares[20..].iter().all(|&share| share < 0.2), "behind the front is seldom a knee");
    let certain = objectives(&[[&[0.0, 0.0], &[10.0, 10.0]], [&[1.0, 1.1], &[2.0, 2.1]], [&[9.0, 9.0], &[0.0, 0.0]]]);
    assert_eq!(knee_shares(&certain, RESAMPLING).shares, [0.0, 1.0, 0.0]);
}

#[test]
fn the_band_lies_around_the_front() {
    let observed = Problem::curved(0.8).observe(&mut Sampler::new(1), 60);
    let band = attainment_band(&observed, RESAMPLING, Level::new(0.9).unwrap());
    let front = front(&observed.means()).unwrap();
    assert_eq!(band.x, front.iter().map(|point| point.x).collect::<Vec<_>>());
    for position in 0..band.x.len() {
        let [best, median, worst] = [&band.best, &band.median, &band.worst].map(|edge| edge[position]);
        assert!(best <= median && median <= worst && best.is_finite(), "{position}: {best} {median} {worst}");
    }
    assert!(band.worst[0].is_infinite(), "half of the draws have nothing as far left as the leftmost mean");
    assert!(band.worst.windows(2).all(|pair| pair[1] <= pair[0]), "an edge falls, as the front does");
}

/// Thirty replications choose and report: what was chosen looks better than it is by several standard errors of the mean
/// over 400 problems; on other replications it does not.
#[test]
fn the_winners_curse_is_gone() {
    let problem = Problem::curved(0.0);
    let (chosen, reported): (Vec<f64>, Vec<f64>) = (0..400).map(|seed| selection_errors(&problem, seed, 30)).unzip();
    let in_standard_errors = |errors: &[f64]| {
        let estimate = statistics::mean(errors, level());
        estimate.value.unwrap() / (estimate.interval.unwrap().half_width() / 1.966)
    };
    // A standard normal number is beyond ±5 with probability 6 · 10⁻⁷.
    assert!(in_standard_errors(&chosen) < -20.0, "{}", in_standard_errors(&chosen));
    assert!(in_standard_errors(&reported).abs() < 5.0, "{}", in_standard_errors(&reported));
}

/// The intervals of what was chosen cover as if nothing had been chosen: some 4,500 designs of 400 fronts.
#[test]
fn reported_intervals_cover() {
    let problem = Problem::curved(0.0);
    let (mut held, mut all) = (0, 0);
    for seed in 0..400 {
        let select = problem.observe(&mut Sampler::new(2 * seed), 30);
        let report = problem.observe(&mut Sampler::new(2 * seed + 1), 30);
        for design in select_and_report(&select, &report, level()).unwrap() {
            held += u64::from(design.x.interval.unwrap().contains(problem.truth[design.design].0));
            all += 1;
        }
    }
    assert!(agrees(held, all, 0.95..=0.95), "{held} of {all}");
}

#[test]
fn chosen_designs_come_with_their_ties() {
    let select = objectives(&[[&[1.0, 1.0], &[1.0, 1.0]], [&[1.0, 1.0], &[1.0, 1.0]], [&[2.0, 2.0], &[2.0, 2.0]]]);
    let designs: Vec<usize> = select_and_report(&select, &select, level()).unwrap().iter().map(|d| d.design).collect();
    assert_eq!(designs, [0, 1]);
    let fewer = objectives(&[[&[1.0], &[1.0]]]);
    let message = select_and_report(&select, &fewer, level()).unwrap_err().to_string();
    assert_eq!(message, "these tables do not belong together: 2 replications of 3 designs, and 1 of 1");
    let table = |columns| Observations::new(columns, vec![0.0; 6]).unwrap();
    assert!(Objectives::new(table(2), table(3)).is_err());
    assert!(Objectives::new(Observations::new(2, vec![]).unwrap(), Observations::new(2, vec![]).unwrap()).is_err());
}

#[test]
fn draws_repeat() {
    let observed = Problem::curved(0.8).observe(&mut Sampler::new(1), 20);
    let interval = |seed| {
        let resampling = Resampling { draws: 200, seed };
        hypervolume_interval(&observed, (1.5, 1.5), resampling, level()).estimate.interval.unwrap()
    };
    let Interval { lo, hi } = interval(4);
    assert!(lo < hi);
    assert_eq!(interval(4), interval(4));
    assert_ne!(interval(4), interval(5));
}

/// A tally of the draws from `first` on, every `step`-th of them.
fn tally(observed: &Objectives, question: &FrontQuestion, first: u32, step: usize) -> FrontTally {
    let mut tally = FrontTally::new(observed.means(), question);
    let (mut counts, mut x, mut y) = (vec![0; observed.x().replications()], Vec::new(), Vec::new());
    for draw in (first..RESAMPLING.draws).step_by(step) {
        RESAMPLING.counts(draw, &mut counts);
        observed.x().resampled_means(&counts, &mut x);
        observed.y().resampled_means(&counts, &mut y);
        tally.add(&x.iter().copied().zip(y.iter().copied()).collect::<Vec<_>>());
    }
    tally
}

#[test]
fn a_tally_of_parts_says_what_the_functions_say_one_by_one() {
    let observed = Problem::curved(0.8).observe(&mut Sampler::new(1), 60);
    let (reference, ninety) = ((1.5, 1.5), Level::new(0.9).unwrap());
    let band = attainment_band(&observed, RESAMPLING, ninety);
    let question =
        FrontQuestion { zone: (0.01, 0.02), unseen: Vec::new(), reference: Some(reference), band_at: band.x.clone() };
    let mut parts = tally(&observed, &question, 1, 2);
    parts.merge(tally(&observed, &question, 0, 2));
    assert_eq!(parts.memberships(), front_membership(&observed, (0.01, 0.02), RESAMPLING));
    assert_eq!(parts.knee(), knee_shares(&observed, RESAMPLING));
    let hypervolume = hypervolume_interval(&observed, reference, RESAMPLING, level());
    assert_eq!(parts.hypervolume(60, level()), Some(hypervolume));
    assert_eq!(parts.attainment(ninety), band);
    let without = FrontQuestion { reference: None, ..question };
    assert_eq!(tally(&observed, &without, 0, 1).hypervolume(60, level()), None);
}

/// No event was seen of three designs. The quickest of them ties with the others at zero, which does not make it better:
/// only what is surely no rarer, or no rarer by more than anyone cares, is out.
#[test]
fn an_event_that_was_never_seen_makes_nothing_out() {
    let never: &[f64] = &[0.0; 4];
    let designs: [[&[f64]; 2]; 4] = [
        [&[1.0, 1.2, 1.1, 1.3], never],
        [&[2.0, 2.2, 2.1, 2.3], never],
        [&[3.0, 3.2, 3.1, 3.3], never],
        [&[2.5, 2.6, 2.7, 2.4], &[5.0, 7.0, 6.0, 4.0]],
    ];
    let observed = objectives(&designs);
    let classes = |unseen: Vec<Option<f64>>, zone| {
        let question = FrontQuestion { zone, unseen, ..FrontQuestion::default() };
        let members = tally(&observed, &question, 0, 1).memberships();
        members.iter().map(|member| (member.class.name(), member.probability, member.possible)).collect::<Vec<_>>()
    };
    let out = ("out", 0.0, 0.0);
    assert_eq!(classes(Vec::new(), (0.0, 0.0)), [("in", 1.0, 1.0), out, out, out]);
    let bounds = vec![Some(0.5), Some(0.5), Some(0.5), None];
    let undecided = ("undecided", 0.0, 1.0);
    assert_eq!(classes(bounds.clone(), (0.0, 0.0)), [("in", 1.0, 1.0), undecided, undecided, out]);
    assert_eq!(classes(bounds, (0.0, 0.5)), [("in", 1.0, 1.0), out, out, out], "nobody cares about so little");
    // The second cannot happen at all: it may beat the third.
    let exact = vec![Some(0.5), None, Some(0.5), None];
    assert_eq!(classes(exact, (0.0, 0.0)), [("in", 1.0, 1.0), undecided, out, out]);
    // A bound above what was seen of the last one.
    let wide = vec![Some(9.0), Some(9.0), Some(9.0), None];
    assert_eq!(classes(wide, (0.0, 0.0)), [("in", 1.0, 1.0), undecided, undecided, undecided]);
}
