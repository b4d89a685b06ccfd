//! Designs in few words.

use engine::Duration;
use policies::{AnyRule, HalfOpen, Settings};

use crate::sweep_file::Sweep;

/// A design in few words: of a library's, the settings that differ within the sweep; of others, all, without the family's name.
fn label(sweep: &Sweep, design: usize) -> String {
    let rule = &sweep.designs[design].rule;
    let Some(dialect) = rule.dialect() else { return short_label(rule) };
    let library = dialect.library().name;
    let told: Settings = dialect.settings().iter().filter(|(name, _)| differs(sweep, library, name)).collect();
    let words = dialect.library().in_words(&told).replace(" = ", " ");
    if words.is_empty() { rule.name().to_owned() } else { words }
}

/// A rule's settings without its family's name, which whatever stands beside it tells.
#[must_use]
pub fn short_label(rule: &AnyRule) -> String {
    let open_for = rule.open_for().map_or_else(String::new, |open_for| format!(", {open_for}"));
    opening(rule) + &open_for + &probing(rule)
}

/// What opens the breaker, or the name of a family without a threshold and a window.
fn opening(rule: &AnyRule) -> String {
    match (rule.threshold(), rule.window()) {
        (Some(threshold), Some(window)) => format!("{} % of {window}", (threshold * 1e4).round() / 100.0),
        (Some(threshold), None) => format!("{threshold} in a row"),
        (None, _) => rule.name().to_owned(),
    }
}

fn probing(rule: &AnyRule) -> String {
    match rule.half_open() {
        Some(half_open) if half_open != HalfOpen::default() => {
            format!(", probes {}/{}", half_open.successes, half_open.permits)
        }
        _ => String::new(),
    }
}

/// A design as a row of a table says it, without what [`constants`] say once for all rows: of a library its name and the
/// settings that differ within the sweep, and of any other rule all of it but an open duration that all have.
#[must_use]
pub fn table_label(sweep: &Sweep, design: usize) -> String {
    let rule = &sweep.designs[design].rule;
    match rule.dialect() {
        None if common_open_for(sweep).is_some() => opening(rule) + &probing(rule),
        None => short_label(rule),
        Some(_) => {
            let own = label(sweep, design);
            if own == rule.name() { own } else { format!("{} {own}", rule.name()) }
        }
    }
}

/// What [`table_label`] leaves out as the same in all of these designs, a line each: settings that are no defaults.
#[must_use]
pub fn constants(sweep: &Sweep, designs: &[usize]) -> Vec<String> {
    let is_plain = |design: &&usize| sweep.designs[**design].rule.dialect().is_none();
    let mut lines = Vec::new();
    if let Some(open_for) = common_open_for(sweep)
        && designs.iter().filter(is_plain).any(|&design| sweep.designs[design].rule.open_for().is_some())
    {
        lines.push(format!("Breakers of no library open for {open_for}."));
    }
    let mut told: Vec<&str> = Vec::new();
    for dialect in designs.iter().filter_map(|&design| sweep.designs[design].rule.dialect()) {
        let library = dialect.library();
        if told.contains(&library.name) {
            continue;
        }
        told.push(library.name);
        let settings = library.without_defaults(&dialect.settings());
        let common: Settings = settings.iter().filter(|(name, _)| !differs(sweep, library.name, name)).collect();
        let words = library.in_words(&common);
        if !words.is_empty() {
            lines.push(format!("{}: {words}.", library.name));
        }
    }
    lines
}

/// The names of the numbers and settings in which designs of one family differ.
#[must_use]
pub fn differences(sweep: &Sweep, designs: &[usize]) -> Vec<&'static str> {
    let rules = || designs.iter().map(|&design| &sweep.designs[design].rule);
    let Some(first) = rules().next() else { return Vec::new() };
    if let Some(dialect) = first.dialect() {
        let settings: Vec<Settings> =
            rules().filter_map(|rule| rule.dialect()).map(|dialect| dialect.settings()).collect();
        let names = dialect.library().parameters.iter().map(|parameter| parameter.name);
        return names.filter(|name| settings.iter().any(|other| other.get(name) != settings[0].get(name))).collect();
    }
    let differing = |differ: fn(&AnyRule, &AnyRule) -> bool| rules().any(|rule| differ(rule, first));
    [
        ("window", differing(|a, b| a.window() != b.window())),
        ("threshold", differing(|a, b| a.threshold() != b.threshold())),
        ("open_for", differing(|a, b| a.open_for() != b.open_for())),
        ("half_open", differing(|a, b| a.half_open() != b.half_open())),
    ]
    .into_iter()
    .filter_map(|(name, differs)| differs.then_some(name))
    .collect()
}

/// The open duration of all breakers that are of no library, if there are several and they have the same.
fn common_open_for(sweep: &Sweep) -> Option<Duration> {
    let plain = || sweep.designs.iter().filter(|design| design.rule.dialect().is_none());
    let mut durations = plain().filter_map(|design| design.rule.open_for());
    let first = durations.next()?;
    let mut others = durations.peekable();
    others.peek()?;
    others.all(|other| other == first).then_some(first)
}

/// Whether a setting of a library differs within the sweep.
fn differs(sweep: &Sweep, library: &str, name: &str) -> bool {
    let of_sweep = sweep.designs.iter().filter_map(|design| design.rule.dialect());
    let mut values =
        of_sweep.filter(|dialect| dialect.library().name == library).map(|dialect| dialect.settings().get(name));
    let first = values.next();
    values.any(|value| Some(value) != first)
}

#[cfg(test)]
mod tests {
    use policies::{Consecutive, NoBreaker, Ratio};

    use super::*;
    use crate::sweep_file::parse;

    #[test]
    fn labels_tell_designs_of_a_family_apart() {
        let open_for = Duration::from_millis(500);
        let ratio = Ratio::new(20, 0.15, open_for, HalfOpen::default()).expect("valid");
        assert_eq!(short_label(&ratio.into()), "15 % of 20, 500ms");
        let probing = HalfOpen { permits: 3, successes: 2 };
        let consecutive = Consecutive::new(5, open_for, probing).expect("valid");
        assert_eq!(short_label(&consecutive.into()), "5 in a row, 500ms, probes 2/3");
        assert_eq!(short_label(&NoBreaker.into()), "none");
    }

    #[test]
    fn breakers_of_libraries_are_told_apart_by_what_differs() {
        let text = "[[rule]]\nkind = \"opossum\"\nvolumeThreshold = [5, 20]\nresetTimeout = \"5s\"\n\
                    [[rule]]\nkind = \"gobreaker\"\n";
        let sweep = parse("s.toml", text, &[], None).expect("valid");
        assert_eq!(
            [0, 1, 2].map(|design| label(&sweep, design)),
            ["volumeThreshold 5", "volumeThreshold 20", "gobreaker"]
        );
    }

    #[test]
    fn what_all_rows_share_is_said_once() {
        let text = "[[rule]]\nkind = \"none\"\n[[rule]]\nkind = \"ratio\"\nwindow = [10, 20]\nthreshold = 0.5\nopen_for = \"5s\"\n\
                    [[rule]]\nkind = \"opossum\"\nvolumeThreshold = [0, 20]\nresetTimeout = \"5s\"\n";
        let sweep = parse("s.toml", text, &[], None).expect("valid");
        assert_eq!(
            [0, 1, 2, 3, 4].map(|design| table_label(&sweep, design)),
            ["none", "50 % of 10", "50 % of 20", "opossum volumeThreshold 0", "opossum volumeThreshold 20"]
        );
        let lines = ["Breakers of no library open for 5s.", "opossum: resetTimeout = 5000."];
        assert_eq!(constants(&sweep, &[0, 1, 3, 4]), lines);
        assert_eq!(constants(&sweep, &[0, 3]), lines[1..]);
    }

    #[test]
    fn tied_designs_say_what_they_differ_in() {
        let text = "[[rule]]\nkind = \"ratio\"\nwindow = [10, 20]\nthreshold = 0.5\nopen_for = [\"1s\", \"5s\"]\n\
                    half_open_permits = [1, 3]\n[[rule]]\nkind = \"opossum\"\nvolumeThreshold = [0, 20]\n";
        let sweep = parse("s.toml", text, &[], None).expect("valid");
        assert_eq!(differences(&sweep, &[0, 2]), ["open_for"]);
        assert_eq!(differences(&sweep, &[0, 3, 4]), ["window", "open_for", "half_open"]);
        assert_eq!(differences(&sweep, &[8, 9]), ["volumeThreshold"]);
        assert_eq!(differences(&sweep, &[8]), [""; 0]);
    }
}
