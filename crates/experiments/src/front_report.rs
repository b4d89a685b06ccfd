//! The terminal's paragraph on how far the front can be trusted.

use std::io::{self, Write};

use statistics::{MembershipClass, with_supported_digits};

use crate::estimates::Estimate;
use crate::front_uncertainty::{FrontUncertainty, Selection};
use crate::fronts::LOSS;
use crate::numbers::{counted, grouped};
use crate::sweep_file::{FrontAnalysis, Sweep};
use crate::wrapped::wrapped;

/// Prints what resampling says about the sweep's main front, in lines of at most `width` characters.
///
/// # Errors
///
/// When the output cannot be written.
pub fn print(
    sweep: &Sweep,
    asked: &FrontAnalysis,
    fronts: &[FrontUncertainty],
    width: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out)?;
    let Some(front) = fronts.first() else {
        let text = format!(
            "Nothing is said about how sure the front is: that takes a front, and {} replications or more.",
            FrontAnalysis::LEAST_REPLICATIONS
        );
        return writeln!(out, "{}", wrapped(&text, width, "  "));
    };
    let heading = format!(
        "How sure this front is, by {} draws of {}:",
        grouped(u64::from(asked.draws)),
        counted(u64::from(front.replications), "replication"),
    );
    writeln!(out, "{}", wrapped(&heading, width, "  "))?;
    let mut sentences = membership(front);
    sentences.push(knee(sweep, front));
    sentences.extend(hypervolume(front));
    match &front.selection {
        Some(selection) => {
            sentences.push(selected(front, selection));
            sentences.extend(selected_knee(sweep, selection));
        }
        None => sentences.push("Too few replications to choose by some and to report by others.".to_owned()),
    }
    sentences.iter().try_for_each(|sentence| writeln!(out, "{}", wrapped(&format!("  {sentence}"), width, "    ")))
}

/// Which designs are on it, and why that is not known of some.
fn membership(front: &FrontUncertainty) -> Vec<String> {
    let of = |class| front.designs.iter().filter(move |design| design.membership.class == class);
    let count = |class| of(class).count() as u64;
    let of_which = match of(MembershipClass::In).filter(|design| !design.membership.observed).count() {
        0 => String::new(),
        kept => format!(" ({kept} within the indifference zone)"),
    };
    // Without the doubt about what was never seen, they would be out.
    let for_want_of_events = of(MembershipClass::Undecided)
        .filter(|design| MembershipClass::of(design.membership.probability) == MembershipClass::Out)
        .count() as u64;
    let mut sentences = vec![format!(
        "On it for sure: {}{of_which}. Undecided: {}. Off it for sure: {}.",
        counted(count(MembershipClass::In), "design"),
        grouped(count(MembershipClass::Undecided)),
        grouped(count(MembershipClass::Out)),
    )];
    if for_want_of_events > 0 {
        sentences.push(format!(
            "Of the undecided, {} {} beaten in every draw, but only by designs of which no event was seen either: how rare \
             theirs are is unknown. A zone for {LOSS} would say below which mean nobody cares.",
            grouped(for_want_of_events),
            if for_want_of_events == 1 { "is" } else { "are" },
        ));
    }
    sentences
}

fn knee(sweep: &Sweep, front: &FrontUncertainty) -> String {
    let Some((knee, share)) = front.knee else {
        return "It has no knee: no design lies below the line between its two ends.".to_owned();
    };
    let others = front.designs.iter().filter(|design| design.design != knee && design.knee > 0.0);
    let next = others.max_by(|a, b| a.knee.total_cmp(&b.knee).then(b.design.cmp(&a.design)));
    let next = next.map_or_else(String::new, |next| {
        format!("; next is design {} in {}", sweep.designs[next.design].number, percent(next.knee))
    });
    let design = &sweep.designs[knee];
    format!("Its knee: design {} ({}), in {} of the draws{next}.", design.number, design.rule, percent(share))
}

fn hypervolume(front: &FrontUncertainty) -> Option<String> {
    let hypervolume = front.hypervolume.as_ref()?;
    let (reference, estimate) = (hypervolume.reference, hypervolume.area.estimate);
    let value = estimate.value.unwrap_or(f64::NAN);
    let (value, interval) = match (estimate.interval, hypervolume.area.fallback) {
        (Some(interval), _) => {
            let shown = |number| with_supported_digits(number, Some((interval.hi - interval.lo) / 2.0));
            let percent = 100.0 * estimate.level.fraction();
            (shown(value), format!("{percent} %: {} to {}", shown(interval.lo), shown(interval.hi)))
        }
        (None, reason) => {
            let reason = reason.map_or_else(String::new, |reason| format!(", {reason}"));
            (value.to_string(), format!("no interval{reason}"))
        }
    };
    Some(format!("Hypervolume up to ({}, {}): {value} ({interval}).", reference.0, reference.1))
}

/// What the winner's curse came to.
fn selected(front: &FrontUncertainty, selection: &Selection) -> String {
    let chosen = selection.designs.iter().filter(|design| design.chosen);
    // What does not vary in those that report has nothing to say about luck.
    let worse = |of: fn(&crate::front_uncertainty::SelectedDesign) -> (f64, &Estimate)| {
        let (by, reported) = chosen.clone().map(of).fold((0.0, 0.0), |(by, reported), (selected, estimate)| {
            (by + selected, reported + estimate.value.unwrap_or(f64::NAN))
        });
        change(by, reported)
    };
    format!(
        "Chosen by the first {} and reported by the other {}: {} of the front, on average {} in {} and {} in {}.",
        counted(u64::from(selection.selecting), "replication"),
        grouped(u64::from(selection.reporting)),
        counted(chosen.clone().count() as u64, "design"),
        worse(|design| (design.selected_by.0, &design.x)),
        front.x.metric,
        worse(|design| (design.selected_by.1, &design.y)),
        front.y.metric,
    )
}

/// What became of the knee that the first replications chose.
fn selected_knee(sweep: &Sweep, selection: &Selection) -> Option<String> {
    let knee = &selection.designs[selection.knee?];
    Some(format!(
        "Their knee: design {} ({}), chosen at {} and {}, reported at {} and {}.",
        sweep.designs[knee.design].number,
        sweep.designs[knee.design].rule,
        by_interval(knee.selected_by.0, &knee.x),
        by_interval(knee.selected_by.1, &knee.y),
        reported(&knee.x),
        reported(&knee.y),
    ))
}

/// By how much a mean turned out otherwise.
fn change(by: f64, reported: f64) -> String {
    if by == reported {
        return "no different".to_owned();
    }
    let (size, word) = ((reported - by).abs(), if reported > by { "worse" } else { "better" });
    if by == 0.0 { format!("{word}, from nothing,") } else { format!("{:.1} % {word}", 100.0 * size / by.abs()) }
}

/// A value with the digits that an estimate's interval supports.
fn by_interval(value: f64, estimate: &Estimate) -> String {
    with_supported_digits(value, estimate.lo.zip(estimate.hi).map(|(lo, hi)| (hi - lo) / 2.0))
}

fn reported(estimate: &Estimate) -> String {
    let Some(value) = estimate.value else { return "–".to_owned() };
    match (estimate.method, estimate.lo.zip(estimate.hi)) {
        ("exact", _) => "0".to_owned(),
        ("zero_events", Some((_, hi))) => format!("0 (< {})", with_supported_digits(hi, Some(hi / 2.0))),
        ("zero_events", None) => "none seen".to_owned(),
        (_, Some((lo, hi))) => {
            let half_width = (hi - lo) / 2.0;
            let shown = |number| with_supported_digits(number, Some(half_width));
            format!("{} ± {}", shown(value), shown(half_width))
        }
        (_, None) => format!("{value:.1} ± ?"),
    }
}

/// A share in percent; what happened at least once is never 0 %.
fn percent(share: f64) -> String {
    match 100.0 * share {
        share if share > 0.0 && share < 1.0 => "less than 1 %".to_owned(),
        share => format!("{share:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_changes_are_said_in_words() {
        assert_eq!(percent(0.634), "63 %");
        assert_eq!(percent(0.001), "less than 1 %");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(change(100.0, 103.21), "3.2 % worse");
        assert_eq!(change(100.0, 99.0), "1.0 % better");
        assert_eq!(change(0.0, 0.0), "no different");
        assert_eq!(change(0.0, 0.2), "worse, from nothing,");
    }
}
