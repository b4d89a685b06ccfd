//! What the points of a sweep's figures are called: short, since many names have to find room there.

use std::collections::BTreeMap;

use policies::{Library, Settings, Value, libraries};

use crate::rule_label::short_label;
use crate::sweep_file::Sweep;

/// The names of all designs of a sweep beside their points, whose marks tell the family.
///
/// A design of a library is called by the first few of its settings that tell it from the others of its library in the sweep.
/// All settings are in the table on the terminal and in `designs.parquet`.
pub struct PointLabels(Vec<String>);

impl PointLabels {
    /// Finds short names for the designs of a sweep.
    #[must_use]
    pub fn new(sweep: &Sweep) -> Self {
        let mut labels: Vec<String> = sweep.designs.iter().map(|design| short_label(&design.rule)).collect();
        for library in libraries() {
            let dialects =
                sweep.designs.iter().enumerate().filter_map(|(design, of)| Some((design, of.rule.dialect()?)));
            let of_library = dialects.filter(|(_, dialect)| dialect.library().name == library.name);
            let (designs, settings): (Vec<usize>, Vec<Settings>) =
                of_library.map(|(design, dialect)| (design, dialect.settings())).unzip();
            let telling = Telling::of(library, &settings);
            for (design, settings) in designs.into_iter().zip(&settings) {
                labels[design] = telling.label(library, settings);
            }
        }
        Self(labels)
    }

    /// The name of a design of the sweep, by its index.
    #[must_use]
    pub fn of(&self, design: usize) -> String {
        self.0[design].clone()
    }
}

/// The settings that tell a library's designs apart, in the library's order.
struct Telling {
    /// Those that tell more of them apart than all before.
    few: Vec<&'static str>,
    /// All in which some differ.
    all: Vec<&'static str>,
}

impl Telling {
    fn of(library: &Library, designs: &[Settings]) -> Self {
        let (mut few, mut all) = (Vec::new(), Vec::new());
        // Designs that what was found so far does not tell apart are in one class.
        let mut classes = vec![0; designs.len()];
        let mut number_of_classes = 1;
        for parameter in library.parameters {
            let written =
                designs.iter().map(|settings| settings.get(parameter.name).map(|value| parameter.written(value)));
            let written: Vec<Option<String>> = written.collect();
            if written.windows(2).any(|pair| pair[0] != pair[1]) {
                all.push(parameter.name);
            }
            let mut finer = BTreeMap::new();
            let mut class_of = |key| {
                let next = finer.len();
                *finer.entry(key).or_insert(next)
            };
            let split: Vec<usize> = classes.iter().copied().zip(&written).map(&mut class_of).collect();
            if finer.len() > number_of_classes {
                (classes, number_of_classes) = (split, finer.len());
                few.push(parameter.name);
            }
        }
        Self { few, all }
    }

    fn label(&self, library: &Library, settings: &Settings) -> String {
        let said = |name: &&'static str| self.in_words(library, name, settings.get(name)?);
        let words: Vec<String> = self.few.iter().filter_map(said).collect();
        if !words.is_empty() {
            return words.join(", ");
        }
        // It lacks what the others are told by.
        self.all.iter().find_map(said).unwrap_or_else(|| library.name.to_owned())
    }

    /// A setting without the name of the group that it is in, where that leaves no doubt; a word speaks for itself.
    fn in_words(&self, library: &Library, name: &'static str, value: Value) -> Option<String> {
        let written = library.parameter(name)?.written(value);
        if let Value::Word(_) = value {
            return Some(written);
        }
        let last = |name: &'static str| name.rsplit('.').next().unwrap_or(name);
        let is_unique = self.all.iter().filter(|other| last(other) == last(name)).count() == 1;
        Some(format!("{} {written}", if is_unique { last(name) } else { name }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep_file::parse;

    fn labels(rules: &str) -> Vec<String> {
        let sweep = parse("s.toml", rules, &[], None).expect("valid");
        PointLabels::new(&sweep).0
    }

    #[test]
    fn designs_of_a_library_are_called_by_what_tells_them_apart() {
        let text = "[[rule]]\nkind = \"resilience4j\"\nslidingWindowSize = [10, 20]\nminimumNumberOfCalls = 5\n\
                    [[rule]]\nkind = \"resilience4j\"\nslidingWindowType = \"TIME_BASED\"\nslidingWindowSize = 10\n\
                    minimumNumberOfCalls = 20\n[[rule]]\nkind = \"gobreaker\"\n\
                    [[rule]]\nkind = \"consecutive\"\nthreshold = 5\nopen_for = \"1s\"\n";
        let expected = [
            "COUNT_BASED, slidingWindowSize 10",
            "COUNT_BASED, slidingWindowSize 20",
            "TIME_BASED, slidingWindowSize 10",
            "gobreaker",
            "5 in a row, 1s",
        ];
        assert_eq!(labels(text), expected);
    }

    #[test]
    fn what_goes_with_a_telling_setting_and_groups_of_settings_are_left_out() {
        let text = "[[rule]]\nkind = \"cockatiel\"\nhalfOpenAfter = \"10s\"\nbreaker.kind = \"CountBreaker\"\n\
                    breaker.threshold = 0.5\nbreaker.size = 20\n\
                    [[rule]]\nkind = \"cockatiel\"\nhalfOpenAfter = \"10s\"\nbreaker.kind = \"SamplingBreaker\"\n\
                    breaker.threshold = 0.5\nbreaker.duration = \"10s\"\n\
                    [[rule]]\nkind = \"failsafe_rs\"\nsuccess_rate_over_time_window.window = [\"10s\", \"30s\"]\n\
                    failure_policy = \"success_rate_over_time_window\"\n";
        assert_eq!(labels(text), ["CountBreaker", "SamplingBreaker", "window 10s", "window 30s"]);
    }

    #[test]
    fn a_design_that_lacks_what_tells_the_others_apart_is_called_by_what_it_has() {
        let text = "[[rule]]\nkind = \"failsafe_java\"\nfailureThreshold = 10\nfailureThresholdingCapacity = 20\n\
                    [[rule]]\nkind = \"failsafe_java\"\nfailureRateThreshold = 50\nfailureExecutionThreshold = 20\n\
                    failureThresholdingPeriod = \"10s\"\n";
        assert_eq!(labels(text), ["failureThreshold 10", "failureThresholdingPeriod 10s"]);
    }

    #[test]
    fn the_same_rule_in_other_words_has_the_same_name() {
        let text = "[[rule]]\nkind = \"opossum\"\nvolumeThreshold = [5, 10]\n\
                    [[rule]]\nkind = \"opossum\"\nvolumeThreshold = 5\nresetTimeout = \"30s\"\n";
        assert_eq!(labels(text), ["volumeThreshold 5", "volumeThreshold 10", "volumeThreshold 5"]);
    }
}
