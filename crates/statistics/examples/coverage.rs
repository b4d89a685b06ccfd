//! Measures the coverage of every interval and prints the table of `docs/statistics.md`:
//! `cargo run --release -p statistics --example coverage`. Seeds are fixed, so the table repeats.

#[path = "../tests/support/coverage_cases.rs"]
mod coverage_cases;
#[path = "../tests/support/front_cases.rs"]
mod front_cases;
#[path = "../tests/support/ishigami.rs"]
mod ishigami;
#[path = "../tests/support/macro_replications.rs"]
mod macro_replications;
#[path = "../tests/support/splitting_cases.rs"]
mod splitting_cases;
#[path = "../tests/support/stopping_cases.rs"]
mod stopping_cases;

use coverage_cases::{
    Law, ProportionInterval, RatioMethod, anytime, bootstrap_coverage, clopper_pearson, ellipse_coverage,
    family_coverage, incidence_coverage, mean_coverage, proportion_coverage, quantile_coverage, ratio_coverage,
    survival_coverage, t_interval, wilson,
};
use front_cases::{Problem, hypervolume_covered, members_lost, membership_of_many, race, selection_errors};
use ishigami::ishigami;
use macro_replications::Sampler;
use statistics::{
    BootstrapKind, CumulativeRule, Looks, Precision, Resampling, RingRule, SobolPlan, SplittingPlan, StoppingRule,
    quantile_ranks,
};
use stopping_cases::{covered_after_stopping, exact_after_stopping};

/// Samples for what is quick; the standard error of a coverage of 0.95 is 0.0015.
const MANY: u64 = 20_000;

/// Samples for what resamples each of them; the standard error of a coverage of 0.95 is 0.005.
const FEW: u64 = 2_000;

fn main() {
    println!("| Method | Formula | Source | Valid | Coverage measured at nominal 0.95 |");
    println!("|---|---|---|---|---|");
    means();
    proportions();
    quantiles();
    ratios();
    bootstraps();
    survival();
    many_at_once();
    stopping();
    fronts();
    without_intervals();
}

/// Prints a row of the table.
fn row(method: &str, formula: &str, source: &str, valid: &str, measured: &[String]) {
    println!("| {method} | {formula} | {source} | {valid} | {} |", measured.join("<br>"));
}

/// A share with three digits, without the leading zero.
fn share(covered: u64, of: u64) -> String {
    short(covered as f64 / of as f64)
}

fn short(share: f64) -> String {
    format!("{share:.3}").trim_start_matches('0').to_owned()
}

fn means() {
    let measured = Law::ALL.map(|law| {
        let by_size = [5, 10, 20, 50, 200].map(|n| share(mean_coverage(law, n, MANY, t_interval), MANY));
        format!("{} {}", law.name(), by_size.join(" "))
    });
    row(
        "Student's t: `mean`, `paired_difference`",
        "x̄ ± t(n − 1) · s/√n, s with n − 1",
        "Law, section 4.5",
        "means near normal; too short for few and skewed observations",
        &[&["n = 5, 10, 20, 50, 200:".to_owned()], &measured[..]].concat(),
    );
}

fn proportions() {
    let methods: [(&str, &str, &str, &str, ProportionInterval); 3] = [
        (
            "Clopper–Pearson: `proportion`",
            "quantiles of Beta(x, n − x + 1) and Beta(x + 1, n − x)",
            "Clopper & Pearson 1934",
            "always; at least the level; for rare events",
            clopper_pearson,
        ),
        (
            "Wilson: `proportion_wilson`",
            "(p̂ + z²/2n ± z√(p̂(1 − p̂)/n + z²/4n²)) / (1 + z²/n)",
            "Wilson 1927",
            "on average over p; not for events a few in n",
            wilson,
        ),
        (
            "Confidence sequence: `proportion_anytime`",
            "pˣ(1 − p)ⁿ⁻ˣ ≥ α B(x + ½, n − x + ½)/B(½, ½)",
            "Robbins 1970; Howard et al. 2021",
            "at all n together; 1.5 to 1.9 times as wide",
            anytime,
        ),
    ];
    let cases = [(100, 0.001), (100, 0.01), (100, 0.05), (1_000, 0.001), (1_000, 0.01)];
    for (method, formula, source, valid, interval) in methods {
        let measured = cases.map(|(n, p)| format!("n = {n}, p = {p}: {}", short(proportion_coverage(interval, n, p))));
        row(method, formula, source, valid, &[&["exact sums".to_owned()], &measured[..]].concat());
    }
}

fn quantiles() {
    let measured = [(0.5, 50), (0.95, 100), (0.95, 300), (0.99, 500)].map(|(q, n)| {
        let exact = quantile_ranks(n as u64, q, coverage_cases::level()).expect("there are enough").coverage;
        format!("q = {q}, n = {n}: {} (exact {})", share(quantile_coverage(q, n, MANY), MANY), short(exact))
    });
    row(
        "Order statistics: `quantile_interval`",
        "X₍ᵣ₎ to X₍ₛ₎ with P(Bin(n, q) < r) ≤ α/2, P(Bin(n, q) ≥ s) ≤ α/2",
        "David & Nagaraja, section 7.1",
        "any distribution; refused below 6 (median), 72 (0.95), 368 (0.99), 3,688 (0.999) observations",
        &measured,
    );
}

fn ratios() {
    for (method, name, formula, source, valid) in [
        (
            RatioMethod::Delta,
            "Delta: `ratio_delta`",
            "r ± z √((s_yy − 2r s_xy + r² s_xx)/(n x̄²))",
            "Law, section 9.5.3; Cochran, section 6.5",
            "n of 100 or more, denominator far from 0",
        ),
        (
            RatioMethod::Fieller,
            "Fieller: `ratio_fieller`",
            "θ with (ȳ − θx̄)² ≤ t²(s_yy − 2θ s_xy + θ² s_xx)/n",
            "Fieller 1954",
            "where t is valid for y − θx; the set may be unbounded",
        ),
    ] {
        let measured = [5, 10, 30, 100].map(|n| {
            let (covered, unbounded) = ratio_coverage(method, n, MANY);
            let no_interval =
                if unbounded > 0 { format!(" ({} unbounded)", share(unbounded, MANY)) } else { String::new() };
            format!("n = {n}: {}{no_interval}", share(covered, MANY))
        });
        row(name, formula, source, valid, &[&["exponential denominator".to_owned()], &measured[..]].concat());
    }
}

fn bootstraps() {
    for (kind, name, formula, source, valid) in [
        (
            BootstrapKind::Percentile,
            "Bootstrap, percentile",
            "quantiles of θ*",
            "Efron & Tibshirani, chapter 13",
            "symmetric, unbiased statistics",
        ),
        (
            BootstrapKind::Basic,
            "Bootstrap, basic",
            "2θ̂ − quantiles of θ*",
            "Davison & Hinkley, section 5.2",
            "biased statistics",
        ),
        (
            BootstrapKind::Bca,
            "Bootstrap, BCa",
            "quantiles of θ* at Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z)))",
            "Efron 1987",
            "skewed statistics of 50 or more replications; named fall-backs",
        ),
    ] {
        let measured =
            [(Law::Normal, 50), (Law::Lognormal, 20), (Law::Lognormal, 50), (Law::Lognormal, 200)].map(|(law, n)| {
                format!("mean of {}, n = {n}: {}", law.name(), share(bootstrap_coverage(kind, law, n, FEW, 2_000), FEW))
            });
        row(&format!("{name}: `bootstrap`"), formula, source, valid, &measured);
    }
}

fn survival() {
    let of_sizes = [40, 100].map(|n| (n, survival_coverage(n, MANY)));
    row(
        "Restricted mean: `KaplanMeier::restricted_mean`",
        "∫₀^τ S ± z √(Σ (∫_{tᵢ}^τ S)² dᵢ/(nᵢ(nᵢ − dᵢ)))",
        "Royston & Parmar 2013",
        "censoring that says nothing about the event; with one horizon use `mean` of min(T, τ)",
        &of_sizes.map(|(n, (restricted, _))| format!("a fifth never detected, n = {n}: {}", share(restricted, MANY))),
    );
    row(
        "Survival curve: `KaplanMeier::survival`",
        "S^exp(± z se/(S ln S)), Greenwood's se",
        "Kaplan & Meier 1958; Kalbfleisch & Prentice, section 1.4",
        "0 < S < 1",
        &of_sizes.map(|(n, (_, curve))| format!("n = {n}: {}", share(curve, MANY))),
    );
    row(
        "Cumulative incidence: `CumulativeIncidence::by`",
        "F(t) = Σ S(tᵢ−) dᵢ/nᵢ, delta variance, ln(−ln F)",
        "Aalen & Johansen 1978; Marubini & Valsecchi, section 10.2",
        "competing outcomes (healed first); zero-event bound where F = 0",
        &[40, 100].map(|n| format!("n = {n}: {}", share(incidence_coverage(n, MANY), MANY))),
    );
}

fn many_at_once() {
    let measured = [(20, 0.0), (20, 0.8), (40, 0.5)].map(|(n, shared)| {
        format!("all of 50, n = {n}, correlation {shared}: {}", share(family_coverage(n, shared, FEW), FEW))
    });
    row(
        "Sup-t, simultaneous: `simultaneous_means`, `simultaneous_differences`",
        "x̄ ± c · s/√n, c from the largest of the columns' multiplier bootstrap",
        "Montiel Olea & Plagborg-Møller 2019",
        "where t is valid for each column",
        &measured,
    );
    let (ellipse, both) = ellipse_coverage(MANY);
    row(
        "Ellipse: `covariance_ellipse`",
        "(μ − m)ᵀS⁻¹(μ − m) ≤ 2(n − 1)/(n(n − 2)) F(2, n − 2)",
        "Hotelling; Johnson & Wichern, section 5.4",
        "pairs near normal",
        &[format!("n = 10: {} (two t intervals: {})", share(ellipse, MANY), share(both, MANY))],
    );
}

fn stopping() {
    let rule = |precision| StoppingRule { looks: Looks::new(100, 4_000, 100).expect("ascending"), precision };
    let relative = |share| Precision::Relative { share, floor: 0.0 };
    type Draw = fn(&mut Sampler) -> f64;
    let cases: [(&str, Draw, f64, f64); 5] = [
        ("lognormal", Sampler::lognormal, 0.5f64.exp(), 0.1),
        ("lognormal", Sampler::lognormal, 0.5f64.exp(), 0.2),
        ("lognormal", Sampler::lognormal, 0.5f64.exp(), 0.4),
        ("exponential", Sampler::exponential, 1.0, 0.1),
        ("exponential", Sampler::exponential, 1.0, 0.2),
    ];
    let measured = cases.map(|(name, draw, truth, precision)| {
        let measured = covered_after_stopping(&rule(relative(precision)), draw, truth, MANY);
        let (covered, n) = (share(measured.covered, MANY), measured.mean_n);
        format!("{name} to {precision}: {covered} (mean n {n:.0})")
    });
    row(
        "Stopping, means: `StoppingRule::of_mean`",
        "t half-width ≤ γ/(1 + γ)·\\|x̄\\| or floor, and n ≥ 75 G₁²",
        "Law, section 9.4.1; Cochran, section 2.15",
        "looks at 100, 200, … 4,000",
        &measured,
    );
    let measured = [0.01, 0.05, 0.2].map(|p| {
        let rule = rule(Precision::Relative { share: 0.3, floor: 0.005 });
        let exact = exact_after_stopping(&rule, p, clopper_pearson);
        format!("p = {p}: {} (mean n {:.0})", short(exact.coverage), exact.mean_n)
    });
    row(
        "Stopping, proportions: `StoppingRule::of_estimate`",
        "Clopper–Pearson half-width ≤ γ/(1 + γ)·p̂ or floor",
        "as above",
        "looks at 100, 200, … 4,000; γ = 0.3, floor 0.005",
        &[&["exact sums".to_owned()], &measured[..]].concat(),
    );
}

fn fronts() {
    let measured = [(0.0, 30), (0.8, 40), (0.8, 200)].map(|(shared, n)| {
        let basic = hypervolume_covered(shared, n, FEW, 400, BootstrapKind::Basic);
        let percentile = hypervolume_covered(shared, n, FEW, 400, BootstrapKind::Percentile);
        format!("n = {n}, correlation {shared}: {} (percentile {})", share(basic, FEW), share(percentile, FEW))
    });
    row(
        "Hypervolume: `hypervolume_interval`",
        "2H − quantiles of H*",
        "Zitzler & Thiele 1998; Davison & Hinkley",
        "fixed reference point; value itself optimistic",
        &measured,
    );
    let members = membership_of_many(400, 60, 0.8, 1_000);
    let bins = [(0.0, 0.005), (0.005, 0.1), (0.1, 0.4), (0.4, 0.7), (0.7, 0.95), (0.95, 1.1)];
    let mut measured: [String; 6] = bins.map(|(from, to)| {
        let bin: Vec<_> = members.iter().filter(|(p, _)| (from..to).contains(p)).collect();
        let truly = bin.iter().filter(|(_, on_front)| *on_front).count() as u64;
        format!("P {from}–{}: {} of {}", to.min(1.0), share(truly, bin.len() as u64), bin.len())
    });
    measured[0] = format!("scattered designs truly on the front, by P: {}", measured[0].trim_start_matches("P "));
    let lost = [(0.0, 30), (0.8, 30), (0.0, 200)].map(|(shared, n)| {
        let (out, at_a_twentieth) = members_lost(&Problem::curved(shared), 200, n);
        format!("n = {n}, correlation {shared}: {out:.2} ({at_a_twentieth:.2} with the cut at 0.05)")
    });
    let lost = format!("members called out per tight front of twenty: {}", lost.join("; "));
    let measured = [&measured[..], &[lost]].concat();
    row(
        "On the front: `front_membership`",
        "share of joint draws in which nothing dominates",
        "bootstrap of the replication index",
        "in from 0.95, out up to 0.005",
        &measured,
    );
    let measured = [(0.0, 30), (0.8, 30)].map(|(shared, first)| {
        let looks = Looks::new(first, 200, 30).expect("ascending");
        let outcomes = (0..200)
            .map(|seed| race(&Problem::curved(shared), looks, coverage_cases::level(), &mut Sampler::new(seed)));
        let (mut lost, mut saved) = (0, 0.0);
        for outcome in outcomes {
            lost += outcome.members_lost;
            saved += outcome.saved / 200.0;
        }
        format!("looks at {first}, 60, … 200, correlation {shared}: {lost} members lost in 200 races, {saved:.2} saved")
    });
    row(
        "Racing: `Race`",
        "drop i if for some j both lower t bounds of i − j are ≥ 0, at α/(pairs · looks)",
        "Berger 1982; Bonferroni",
        "where t is valid for differences, far in its tail",
        &measured,
    );
    let (mut chosen, mut reported) = (0.0, 0.0);
    for seed in 0..FEW {
        let errors = selection_errors(&Problem::curved(0.0), seed, 30);
        chosen += errors.0 / FEW as f64;
        reported += errors.1 / FEW as f64;
    }
    row(
        "Choose and report: `select_and_report`",
        "front of one seed set, means and t intervals of another",
        "split sample",
        "independent seed sets",
        &[format!("mean error of both objectives, n = 30: {chosen:.3} on the first set, {reported:.3} on the second")],
    );
}

fn without_intervals() {
    let passage = RingRule { window: 20, failures: 10 }.first_passage(0.025).expect("few states");
    row(
        "Rings: `RingRule::first_passage`",
        "(1/p + E[excursion]) / P(excursion opens)",
        "Fu & Koutras 1994; Wald",
        "independent calls, up to 4 million windows",
        &[
            "exact; 10⁻¹⁰ from numpy's solution of the linear equations".to_owned(),
            format!("10 of 20 at 2.5 %: one opening in {:.4e} calls", passage.mean_calls),
        ],
    );
    let plan = SplittingPlan { levels: 9, trials: 400, repetitions: 200, seed: 2 };
    let by_splitting = splitting_cases::ring(plan, 20, 0.025).probability;
    let covered = (0..FEW).filter(|&seed| {
        let plan = SplittingPlan { levels: 9, trials: 50, repetitions: 30, seed };
        let interval = splitting_cases::gambler(plan, 0.3).probability.interval;
        interval.is_some_and(|interval| interval.contains(splitting_cases::gambler_exact(9, 0.3)))
    });
    let interval = by_splitting.interval.expect("some repetition got there");
    row(
        "Splitting: `splitting`",
        "mean of Π (shares that reach the next level), t over repetitions",
        "Garvels 2000; Glasserman et al. 1999",
        "anything that can be cloned; 30 repetitions or more",
        &[
            format!("gambler's ruin, 2.8 · 10⁻⁴, 30 repetitions of 50 trials: {}", share(covered.count() as u64, FEW)),
            format!(
                "10 of 20 at 2.5 %, per excursion: {:.2e} to {:.2e}; exact {:.2e}",
                interval.lo, interval.hi, passage.excursion_opens
            ),
        ],
    );
    let ever =
        CumulativeRule { minimum: 20, threshold: 0.5, at_failures: false }.ever_opens(0.2, 100_000).expect("a rule");
    row(
        "Cumulative rules: `CumulativeRule`",
        "sum over all counts, rest ≤ E[exp(s(F − θn))]",
        "Lundberg; Asmussen & Albrecher, section IV.5",
        "independent calls",
        &[format!("exact; half of at least 20 at 20 %: ever opens with {:.6e}, {} calls", ever.at_least, ever.calls)],
    );
    let plan = SobolPlan::new(3, 4_096, 1).expect("few factors");
    let values: Vec<f64> = plan.points().map(|point| ishigami(&point)).collect();
    let resampling = Resampling { draws: 200, seed: 1 };
    let indices = plan.indices(&values, resampling, coverage_cases::level()).expect("all finite").expect("it varies");
    let shown = indices.iter().map(|index| format!("{:.4} {:.4}", index.first, index.total));
    row(
        "Sobol' indices: `SobolPlan`",
        "Σ f(B)(f(Aᵢ) − f(A))/NV; Σ (f(A) − f(Aᵢ))²/2NV",
        "Saltelli et al. 2010; Jansen 1999",
        "a function: means over fixed replications",
        &[
            "Ishigami, N = 4,096, first and total of x₁, x₂, x₃:".to_owned(),
            shown.collect::<Vec<_>>().join(", "),
            "exact: .3139 .5576, .4424 .4424, 0 .2437".to_owned(),
        ],
    );
    row(
        "Elementary effects: `MorrisPlan`",
        "μ, μ*, σ of (f(x + Δeᵢ) − f(x))/Δ",
        "Morris 1991; Campolongo et al. 2007",
        "screening",
        &["exact for linear functions".to_owned()],
    );
}
