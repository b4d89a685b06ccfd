//! Designs in few words, for plots and tables.

use policies::{AnyRule, HalfOpen, Settings};

use crate::sweep_file::Sweep;

/// A design as short as a plot needs it. Of a library's settings, those that differ within the sweep.
#[must_use]
pub fn label(sweep: &Sweep, design: usize) -> String {
    let rule = &sweep.designs[design].rule;
    let Some(dialect) = rule.dialect() else { return short_label(rule) };
    let settings = dialect.settings();
    let differs = |name: &str| {
        let of_family = sweep.designs.iter().filter_map(|design| design.rule.dialect());
        let mut others = of_family.filter(|other| other.library().name == dialect.library().name);
        others.any(|other| other.settings().get(name) != settings.get(name))
    };
    let told: Settings = settings.iter().filter(|(name, _)| differs(name)).collect();
    let words = dialect.library().in_words(&told).replace(" = ", " ");
    if words.is_empty() { rule.name().to_owned() } else { words }
}

/// A rule as short as a plot needs it; the family is told by the marker.
#[must_use]
pub fn short_label(rule: &AnyRule) -> String {
    let numbers = match (rule.threshold(), rule.window()) {
        (Some(threshold), Some(window)) => format!("{} % of {window}", (threshold * 1e4).round() / 100.0),
        (Some(threshold), None) => format!("{threshold} in a row"),
        (None, _) => return rule.name().to_owned(),
    };
    let open_for = rule.open_for().map_or_else(String::new, |open_for| format!(", {open_for}"));
    let probes = match rule.half_open() {
        Some(half_open) if half_open != HalfOpen::default() => {
            format!(", probes {}/{}", half_open.successes, half_open.permits)
        }
        _ => String::new(),
    };
    format!("{numbers}{open_for}{probes}")
}

#[cfg(test)]
mod tests {
    use engine::Duration;
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
}
