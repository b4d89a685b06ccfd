//! Which shard a process is: as it was told, or as the variables of the engine that started it say.

use std::fmt;

/// A shard among so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// From 0.
    pub index: u32,
    /// How many there are.
    pub count: u32,
}

/// What the command line says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    /// `--index`.
    pub index: Option<u32>,
    /// `--count`.
    pub count: Option<u32>,
    /// `--index-base`: from where indices are counted, if not as the source of the index does.
    pub base: Option<u32>,
}

/// Why a process cannot know which shard it is: a sentence with a remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityError(String);

impl fmt::Display for IdentityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for IdentityError {}

/// An engine that starts many processes and tells each its number.
struct Engine {
    name: &'static str,
    index: &'static str,
    /// The variable with the number of processes; none where it is not told, or does not outlive a second submission.
    count: Option<&'static str>,
    base: u32,
}

const OWN_INDEX: &str = "TRIPCURVE_SHARD_INDEX";
const OWN_COUNT: &str = "TRIPCURVE_SHARD_COUNT";

/// The engines whose variables are read, in this order. Dask hands arguments to functions, so its part is done by whoever
/// sets our own variables (`deploy/dask`).
const ENGINES: [Engine; 7] = [
    // SLURM_ARRAY_TASK_COUNT counts the tasks of this submission: of 3 submitted again it says 3, not how many shards
    // there are.
    Engine { name: "Slurm", index: "SLURM_ARRAY_TASK_ID", count: None, base: 0 },
    Engine { name: "Kubernetes", index: "JOB_COMPLETION_INDEX", count: None, base: 0 },
    Engine { name: "AWS Batch", index: "AWS_BATCH_JOB_ARRAY_INDEX", count: Some("AWS_BATCH_JOB_ARRAY_SIZE"), base: 0 },
    Engine { name: "Cloud Run", index: "CLOUD_RUN_TASK_INDEX", count: Some("CLOUD_RUN_TASK_COUNT"), base: 0 },
    Engine { name: "Google Cloud Batch", index: "BATCH_TASK_INDEX", count: Some("BATCH_TASK_COUNT"), base: 0 },
    Engine { name: "HyperQueue", index: "HQ_TASK_ID", count: None, base: 0 },
    Engine { name: "GNU parallel", index: "PARALLEL_SEQ", count: None, base: 1 },
];

/// An index and where it comes from.
struct Source {
    name: String,
    index: u32,
    base: u32,
    count: Option<(String, u32)>,
}

/// Finds out which shard this is. `variable` looks up a variable of the environment.
///
/// The command line counts most, then `TRIPCURVE_SHARD_INDEX` and `TRIPCURVE_SHARD_COUNT`, then the engines. Two that say
/// different things are refused, except that either of the first two overrules the engines.
///
/// # Errors
///
/// When an index or count is missing, is no number, is out of range, or contradicts another one.
pub fn identify(given: Given, variable: &dyn Fn(&str) -> Option<String>) -> Result<Identity, IdentityError> {
    let own_index = number(OWN_INDEX, variable)?;
    let own_count = number(OWN_COUNT, variable)?;
    let source = match (given.index, own_index) {
        (Some(given), Some(own)) if given != own => {
            return Err(contradiction("--index", given, OWN_INDEX, own));
        }
        (Some(index), _) => Source { name: "--index".to_owned(), index, base: 0, count: None },
        (None, Some(index)) => Source { name: OWN_INDEX.to_owned(), index, base: 0, count: None },
        (None, None) => of_engines(variable)?,
    };
    let told = match (given.count, own_count) {
        (Some(given), Some(own)) if given != own => return Err(contradiction("--count", given, OWN_COUNT, own)),
        (Some(count), _) => Some(("--count", count)),
        (None, own) => own.map(|count| (OWN_COUNT, count)),
    };
    let count = match (told, &source.count) {
        (Some((name, count)), Some((other_name, other))) if count != *other => {
            return Err(contradiction(name, count, other_name, *other));
        }
        (Some((_, count)), _) => count,
        (None, Some((_, count))) => *count,
        (None, None) => {
            return Err(IdentityError(format!(
                "{} says which shard this is, but not of how many: give --count N or set {OWN_COUNT}",
                source.name
            )));
        }
    };
    if count == 0 {
        return Err(IdentityError("0 shards are none: give --count 1 or more".to_owned()));
    }
    let base = given.base.unwrap_or(source.base);
    match source.index.checked_sub(base) {
        Some(index) if index < count => Ok(Identity { index, count }),
        _ => Err(IdentityError(format!(
            "{} is {}, but {count} shards counted from {base} have the indices {base} to {}: correct it, or say with \
             --index-base 0 or 1 from where they are counted",
            source.name,
            source.index,
            u64::from(count) + u64::from(base) - 1,
        ))),
    }
}

fn of_engines(variable: &dyn Fn(&str) -> Option<String>) -> Result<Source, IdentityError> {
    let mut found: Option<Source> = None;
    for engine in &ENGINES {
        let Some(index) = number(engine.index, variable)? else { continue };
        let count = match engine.count {
            Some(name) => number(name, variable)?.map(|count| (name.to_owned(), count)),
            None => None,
        };
        let name = format!("{} ({})", engine.index, engine.name);
        let source = Source { name, index, base: engine.base, count };
        match &found {
            None => found = Some(source),
            Some(first) if first.index.checked_sub(first.base) == source.index.checked_sub(source.base) => {}
            Some(first) => {
                return Err(contradiction(&first.name, first.index, &source.name, source.index));
            }
        }
    }
    found.ok_or_else(|| {
        IdentityError(format!(
            "nothing says which shard this is: give --index I and --count N, or set {OWN_INDEX} and {OWN_COUNT}; within an \
             array job of Slurm, Kubernetes, AWS Batch, Cloud Run, Google Cloud Batch, HyperQueue or GNU parallel the index \
             is known by itself"
        ))
    })
}

fn contradiction(one: &str, value: u32, other: &str, other_value: u32) -> IdentityError {
    IdentityError(format!(
        "{one} says {value}, but {other} says {other_value}: remove the wrong one, or set {OWN_INDEX} and {OWN_COUNT}, which \
         overrule every engine"
    ))
}

fn number(name: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<u32>, IdentityError> {
    // An engine that sets a variable to nothing says nothing.
    let Some(text) = variable(name).filter(|text| !text.is_empty()) else { return Ok(None) };
    let shown: String = text.chars().take(40).collect();
    text.parse().map(Some).map_err(|_| {
        IdentityError(format!(
            "the variable {name} is {shown:?}, which is no number from 0 to {}: correct or unset it",
            u32::MAX
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identify_in(given: Given, variables: &[(&str, &str)]) -> Result<Identity, String> {
        let variable =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        identify(given, &variable).map_err(|error| error.to_string())
    }

    const OF_8: Given = Given { index: None, count: Some(8), base: None };

    #[test]
    fn every_engine_is_understood() {
        let third = Ok(Identity { index: 3, count: 8 });
        for (name, value) in [
            ("SLURM_ARRAY_TASK_ID", "3"),
            ("JOB_COMPLETION_INDEX", "3"),
            ("AWS_BATCH_JOB_ARRAY_INDEX", "3"),
            ("CLOUD_RUN_TASK_INDEX", "3"),
            ("BATCH_TASK_INDEX", "3"),
            ("HQ_TASK_ID", "3"),
            ("PARALLEL_SEQ", "4"),
            (OWN_INDEX, "3"),
        ] {
            assert_eq!(identify_in(OF_8, &[(name, value)]), third, "{name}");
        }
        for (index, count) in [
            ("AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE"),
            ("CLOUD_RUN_TASK_INDEX", "CLOUD_RUN_TASK_COUNT"),
            ("BATCH_TASK_INDEX", "BATCH_TASK_COUNT"),
            (OWN_INDEX, OWN_COUNT),
        ] {
            assert_eq!(identify_in(Given::default(), &[(index, "3"), (count, "8")]), third, "{index}");
        }
        assert_eq!(identify_in(Given { index: Some(3), count: Some(8), base: None }, &[]), third);
        // An array submitted as 1-8.
        let from_1 = Given { base: Some(1), ..OF_8 };
        assert_eq!(identify_in(from_1, &[("SLURM_ARRAY_TASK_ID", "4"), ("SLURM_ARRAY_TASK_COUNT", "2")]), third);
    }

    #[test]
    fn our_own_variables_overrule_engines_and_engines_that_agree_are_believed() {
        let own = [(OWN_INDEX, "1"), (OWN_COUNT, "2"), ("SLURM_ARRAY_TASK_ID", "9")];
        assert_eq!(identify_in(Given::default(), &own), Ok(Identity { index: 1, count: 2 }));
        let agreeing = [("SLURM_ARRAY_TASK_ID", "3"), ("PARALLEL_SEQ", "4"), ("HQ_TASK_ID", "")];
        assert_eq!(identify_in(OF_8, &agreeing), Ok(Identity { index: 3, count: 8 }));
    }

    #[test]
    fn contradictions_and_nonsense_are_refused_by_name() {
        let given = |index, count| Given { index, count, base: None };
        for (given, variables, expected) in [
            (OF_8, vec![("SLURM_ARRAY_TASK_ID", "3"), ("PARALLEL_SEQ", "1")], vec!["Slurm", "GNU parallel"]),
            (given(Some(1), Some(8)), vec![(OWN_INDEX, "2")], vec!["--index", OWN_INDEX]),
            (given(Some(1), Some(8)), vec![(OWN_COUNT, "9")], vec!["--count", OWN_COUNT]),
            (
                OF_8,
                vec![("CLOUD_RUN_TASK_INDEX", "3"), ("CLOUD_RUN_TASK_COUNT", "7")],
                vec!["--count", "CLOUD_RUN_TASK_COUNT"],
            ),
            (OF_8, vec![("SLURM_ARRAY_TASK_ID", "8")], vec!["indices 0 to 7", "--index-base"]),
            (OF_8, vec![("PARALLEL_SEQ", "0")], vec!["indices 1 to 8"]),
            (OF_8, vec![("HQ_TASK_ID", "-3")], vec!["HQ_TASK_ID", "no number"]),
            (given(Some(0), Some(0)), vec![], vec!["0 shards"]),
            (Given::default(), vec![("SLURM_ARRAY_TASK_ID", "3"), ("SLURM_ARRAY_TASK_COUNT", "8")], vec!["--count N"]),
            (OF_8, vec![], vec!["--index I"]),
        ] {
            let said = identify_in(given, &variables).expect_err("refused");
            assert!(expected.iter().all(|part| said.contains(part)), "{said}");
        }
    }
}
