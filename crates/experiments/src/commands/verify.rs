//! `experiments verify`: runs some rows of a result again, and compares every column.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use engine::StreamKey;
use scenario::{DesignSet, Replication, Sharing};

use super::{Failure, Outcome};
use crate::cli::VerifyArgs;
use crate::manifest::{self, RESULTS_VERSION, described_sweep};
use crate::numbers::{counted, grouped};
use crate::sweep_file::Sweep;
use crate::tables::RunRows;

/// Verifies a folder of results; partial if a row differs.
///
/// # Errors
///
/// When the results cannot be read, are of another version, or have not as many rows as their manifest says.
pub fn run(args: &VerifyArgs, out: &mut impl Write) -> Result<Outcome, Failure> {
    let sweep = sweep_of(&args.results)?;
    let path = args.results.join("runs.parquet");
    let rows = RunRows::open(&path)?;
    if rows.count() as u64 != sweep.runs() {
        return Err(Failure::read(&path)(format!(
            "it has {}, but its manifest tells of {}",
            counted(rows.count() as u64, "row"),
            counted(sweep.runs(), "run")
        )));
    }
    let chosen = choose(rows.count(), args.rows, args.seed);
    let mut wrong = 0_u64;
    for &row in &chosen {
        wrong += u64::from(!verify(&sweep, &rows, row, out)?);
    }
    let of = format!("{} of {}", counted(chosen.len() as u64, "row"), grouped(rows.count() as u64));
    if wrong == 0 {
        writeln!(out, "{of} simulated again: every column is as it was.")?;
        return Ok(Outcome::Done);
    }
    writeln!(
        out,
        "{of} simulated again: {} not as it was. The file is damaged, or this program or machine computes something else \
         than the one that wrote it.",
        if wrong == 1 { "1 row is".to_owned() } else { format!("{} rows are", grouped(wrong)) }
    )?;
    Ok(Outcome::Partial)
}

/// The sweep that a folder's manifest describes, with as many replications as are done.
fn sweep_of(results: &Path) -> Result<Sweep, Failure> {
    let path = results.join(manifest::FILE_NAME);
    let manifest = manifest::read(results).map_err(Failure::read(&path))?;
    let lacks = |key: &str| Failure::read(&path)(format!("it lacks `{key}`"));
    let version = manifest["results_version"].as_u64().ok_or_else(|| lacks("results_version"))?;
    if version != u64::from(RESULTS_VERSION) {
        return Err(Failure::Input(format!(
            "{} tells of results of version {version}, and this program makes version {RESULTS_VERSION}: verify them with the \
             program of revision {}",
            path.display(),
            manifest["revision"].as_str().unwrap_or("unknown")
        )));
    }
    let done = manifest["execution"]["replications_done"].as_u64().and_then(|done| u32::try_from(done).ok());
    let done = done.filter(|&done| done > 0).ok_or_else(|| lacks("execution.replications_done"))?;
    let mut sweep = described_sweep(&manifest).map_err(Failure::read(&path))?;
    if sweep.race.is_some() {
        return Err(Failure::Input(format!(
            "{} tells of a race, which designs leave: its rows are not verified",
            path.display()
        )));
    }
    sweep.replications = done;
    Ok(sweep)
}

/// So many different rows, or all if there are no more, as a function of the seed.
fn choose(count: usize, wanted: usize, seed: u64) -> BTreeSet<usize> {
    let wanted = wanted.min(count);
    let key = StreamKey::root(seed);
    // Floyd's sampling: each of the sets of so many rows is equally likely (Bentley and Floyd, CACM 1987).
    let mut chosen = BTreeSet::new();
    for last in count - wanted..count {
        let row = (key.uniform(last as u64) * (last + 1) as f64) as usize;
        if !chosen.insert(row.min(last)) {
            chosen.insert(last);
        }
    }
    chosen
}

/// Whether a row is that of its run; says where it is not.
fn verify(sweep: &Sweep, rows: &RunRows, row: usize, out: &mut impl Write) -> Result<bool, Failure> {
    let (designs, modes) = (sweep.designs.len(), sweep.modes.len());
    let (design, mode) = (&sweep.designs[row % designs], &sweep.modes[row / designs % modes]);
    let replication = u32::try_from(row / (designs * modes)).expect("no more rows than runs");
    let stream = Replication::draw(&sweep.scenario, sweep.root_seed, replication).stream(mode);
    let (records, _) = DesignSet::new(&[design.rule]).run(&stream, Sharing::Plain);
    let names = [("rule", design.rule.name()), ("mode", mode.name.as_str())];
    let numbers = [("design", design.number), ("replication", replication)];
    let differences = rows.row(row)?.differences(names, numbers, &records[0]);
    for [column, there, expected] in &differences {
        writeln!(
            out,
            "row {row} (design {}, mode {}, replication {replication}): `{column}` is {there} and should be {expected}",
            design.number, mode.name
        )?;
    }
    Ok(differences.is_empty())
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn as_many_rows_as_wanted_are_chosen_and_all_of_them_sometimes() {
        assert_eq!(choose(5, 9, 1), (0..5).collect());
        assert!(choose(0, 9, 1).is_empty());
        let mut seen = [0; 10];
        for seed in 0..1000 {
            let chosen = choose(10, 3, seed);
            assert_eq!(chosen.len(), 3);
            chosen.into_iter().for_each(|row| seen[row] += 1);
        }
        // 300 each, with a standard deviation of 14.5: outside this once in 10^6 of such tests, since the seeds are fixed
        // never or always. A row that is chosen a third too rarely would be seen.
        assert!(seen.iter().all(|&times| (222..378).contains(&times)), "{seen:?}");
    }
}
