//! `experiments plan`: which shard would do what.

use std::io::Write;

use serde_json::json;

use super::{Failure, Outcome, rounds};
use crate::blocks::Plan;
use crate::cli::{PlanArgs, PlanForm};
use crate::numbers::{counted, grouped};
use crate::shards::Division;
use crate::shards::template::{self, Shards};
use crate::sweep_file;

/// Prints the division of a sweep into shards.
///
/// # Errors
///
/// When the sweep is wrong or nothing can be printed.
pub fn run(args: &PlanArgs, out: &mut impl Write) -> Result<Outcome, Failure> {
    let sweep = sweep_file::load(&args.what.sweep, &args.what.overrides, args.what.replications)?;
    let range = rounds::replications(&sweep, args.round).map_err(Failure::Input)?;
    let replications = range.end - range.start;
    let division = Division::new(&sweep, range, args.shards);
    let plan = Plan::of(&sweep);
    let shards = (0..division.shards()).map(|shard| (shard, division.range(shard)));
    let (file, more) = (args.what.sweep.display().to_string(), options(args));
    let jobs = Shards { name: &sweep.name, file: &file, division: &division, more: &more, out: &args.out };
    let job = match args.form {
        PlanForm::Table => None,
        PlanForm::Json => Some(json!({
            "plan": plan.hash(),
            "replications": replications,
            "replications_per_block": division.block(),
            "shards": shards
                .clone()
                .map(|(index, range)| json!({ "index": index, "first": range.start, "end": range.end }))
                .collect::<Vec<_>>(),
        })),
        PlanForm::Kubernetes => Some(template::kubernetes(jobs)),
        PlanForm::AwsBatch => {
            let job = template::aws_batch(jobs);
            let refusal = "an array of AWS Batch has 2 to 10,000 tasks: choose --shards accordingly";
            Some(job.ok_or_else(|| Failure::Input(refusal.to_owned()))?)
        }
    };
    if let Some(job) = job {
        writeln!(out, "{job:#}")?;
        return Ok(Outcome::Done);
    }
    writeln!(
        out,
        "{}: {} in {}, blocks of {} at most; plan {}",
        sweep.name,
        counted(u64::from(replications), "replication"),
        counted(u64::from(division.shards()), "shard"),
        counted(u64::from(division.block()), "replication"),
        plan.hash(),
    )?;
    writeln!(out, "{:>7}  {:>23}  {:>16}", "shard", "replications", "runs")?;
    let runs_per_replication = sweep.runs() / u64::from(sweep.replications);
    for (shard, range) in shards {
        let runs = grouped(runs_per_replication * range.len() as u64);
        let replications =
            if range.is_empty() { "none".to_owned() } else { format!("{} to {}", range.start, range.end - 1) };
        writeln!(out, "{shard:>7}  {replications:>23}  {runs:>16}")?;
    }
    Ok(Outcome::Done)
}

/// What makes the sweep another one than its file says, for the command of a shard.
fn options(args: &PlanArgs) -> Vec<String> {
    let what = &args.what;
    let sets = what.overrides.iter().flat_map(|set| ["--set".to_owned(), set.clone()]);
    let replications = what.replications.iter().flat_map(|number| ["--replications".to_owned(), number.to_string()]);
    let round = args.round.round.iter().flat_map(|number| ["--round".to_owned(), number.to_string()]);
    sets.chain(replications).chain(round).collect()
}
