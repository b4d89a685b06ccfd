//! `experiments sensitivity`: which settings the objectives of a sweep depend on.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use statistics::Level;

use super::{Failure, Outcome};
use crate::cli::SensitivityArgs;
use crate::console::{Console, say};
use crate::fronts::Objective;
use crate::fronts::objectives;
use crate::manifest::Manifest;
use crate::numbers::counted;
use crate::progress::Progress;
use crate::runner::{thread_count, thread_pool};
use crate::sensitivity::{self, Analysis, Evaluation, Method, PointDesign, Worlds, analyses};
use crate::signals::Signals;
use crate::sweep_file::{self, Sensitivity, Sweep, SweepText};
use crate::tables::{Points, write_points, write_sensitivity};

/// An analysis before anything is simulated.
struct Study {
    sweep: Sweep,
    varied: Sensitivity,
    text: SweepText,
    objectives: Vec<Objective>,
    designs: Vec<PointDesign>,
    /// The points of all designs, one after the other.
    cube: Vec<Vec<f64>>,
    /// The values of the factors there.
    values: Vec<Vec<f64>>,
}

/// Analyses a sweep.
///
/// # Errors
///
/// When the sweep or what it varies is wrong, or the results cannot be written.
pub fn run(args: &SensitivityArgs) -> Result<Outcome, Failure> {
    let study = Study::load(args)?;
    let level = Level::new(study.sweep.level).map_err(|error| Failure::Input(error.to_string()))?;
    let worlds = Worlds::new(&study.sweep, &study.varied, &study.text, &study.values)?;
    let folder = args.out.clone().unwrap_or_else(|| Path::new("data").join(&study.sweep.name));
    let mut out = Console::new(args.quiet);
    study.describe(&worlds, &mut out)?;
    // Before anything is simulated: a folder that cannot be written to should not cost an analysis.
    fs::create_dir_all(&folder).map_err(Failure::write(&folder))?;

    let Some(evaluation) = evaluate(args, &study, &worlds)? else {
        say(
            "Interrupted: nothing was written, and earlier results are as they were. With fewer --points or --replications it \
             takes less time.",
        );
        return Ok(Outcome::Partial);
    };
    let analysed = study.analyse(&evaluation, level)?;
    study.write(&folder, &evaluation, &analysed)?;
    study.print(&analysed, &mut out)?;
    let path = |name: &str| folder.join(name).display().to_string();
    writeln!(out, "\nTables: {} and {}", path(INDICES), path(POINTS))?;
    out.finish()?;
    Ok(Outcome::Done)
}

const INDICES: &str = "sensitivity.parquet";
const POINTS: &str = "sensitivity-points.parquet";

/// All objectives at all points; `None` if it was interrupted.
fn evaluate(args: &SensitivityArgs, study: &Study, worlds: &Worlds) -> Result<Option<Evaluation>, Failure> {
    let signals = Signals::listen().map_err(|error| Failure::System(format!("cannot listen for Ctrl-C: {error}")))?;
    let replications = study.sweep.replications;
    let total = u32::try_from(worlds.count() as u64 * u64::from(replications));
    let total = total.map_err(|_| Failure::Input("so many points and replications cannot be counted".to_owned()))?;
    let pool = thread_pool(thread_count(args.jobs, total))
        .map_err(|error| Failure::System(format!("cannot start threads: {error}")))?;
    let progress = Mutex::new(Progress::new(total, args.progress.unless_quiet(args.quiet)));
    let advance = |requests| {
        let stopping = signals.stop().load(Ordering::Relaxed);
        progress.lock().unwrap_or_else(|panicked| panicked.into_inner()).advance(requests, stopping);
    };
    let evaluation = worlds.evaluate(&pool, replications, signals.stop(), advance);
    progress.into_inner().unwrap_or_else(|panicked| panicked.into_inner()).finish();
    signals.obey_at_once();
    Ok(evaluation)
}

impl Study {
    fn load(args: &SensitivityArgs) -> Result<Self, Failure> {
        let what = &args.what;
        let sweep = sweep_file::load(&what.sweep, &what.overrides, what.replications)?;
        let text = SweepText::load(&what.sweep, &what.overrides)?;
        let mut varied = match &sweep.sensitivity {
            Some(varied) => varied.clone(),
            None => Sensitivity::usual(&sweep, text.file())?,
        };
        varied.find_whole_numbers(&text);
        let design = |method: Method, number: u32| {
            let design = method.design(varied.factors.len(), number, sweep.root_seed);
            design.map_err(|error| Failure::Input(format!("--{}: {error}", method.option())))
        };
        let numbers = [(Method::Sobol, args.points), (Method::Morris, args.trajectories)];
        let asked = numbers.into_iter().filter(|(method, _)| args.method.is_none_or(|only| only == *method));
        let designs = asked.map(|(method, number)| design(method, number)).collect::<Result<Vec<_>, _>>()?;
        let cube: Vec<Vec<f64>> = designs.iter().flat_map(PointDesign::points).collect();
        let values = cube.iter().map(|point| varied.values(point)).collect();
        Ok(Self { objectives: objectives(&sweep), sweep, varied, text, designs, cube, values })
    }

    /// What is going to be simulated.
    fn describe(&self, worlds: &Worlds, out: &mut impl Write) -> io::Result<()> {
        let replications = u64::from(self.sweep.replications);
        writeln!(
            out,
            "{}: {} of {}, {} in {};\n{} of each, the same at every point: {}",
            self.sweep.name,
            counted(self.varied.factors.len() as u64, "factor"),
            self.varied.kind,
            counted(self.cube.len() as u64, "point"),
            counted(worlds.count() as u64, "world"),
            counted(replications, "replication"),
            counted(worlds.runs_per_replication() as u64 * replications, "run"),
        )?;
        for factor in &self.varied.factors {
            let limit = factor.at_most.map(|limit| format!(", at most {}", self.varied.factors[limit].name));
            writeln!(out, "  {}: {factor}{}", factor.name, limit.unwrap_or_default())?;
        }
        Ok(())
    }

    /// Where the points of each design lie among all points.
    fn ranges(&self) -> Vec<std::ops::Range<usize>> {
        let mut end = 0;
        let range = |design: &PointDesign| {
            let start = end;
            end += design.salib_order(self.varied.factors.len()).len();
            start..end
        };
        self.designs.iter().map(range).collect()
    }

    fn analyse(&self, evaluation: &Evaluation, level: Level) -> Result<Vec<(Method, Vec<Analysis>)>, Failure> {
        let parts = self.designs.iter().zip(self.ranges());
        let analysed = parts.map(|(design, range)| {
            let analyses = analyses(design, &evaluation.part(range), level, self.sweep.root_seed);
            Ok((design.method(), analyses.map_err(|error| Failure::System(error.to_string()))?))
        });
        analysed.collect()
    }

    fn write(
        &self,
        folder: &Path,
        evaluation: &Evaluation,
        analysed: &[(Method, Vec<Analysis>)],
    ) -> Result<(), Failure> {
        let (sweep, factors) = (&self.sweep, &self.varied.factors);
        let manifest = Manifest::new(sweep).to_json();
        let path = |name: &str| -> PathBuf { folder.join(name) };
        let parts: Vec<Evaluation> = self.ranges().into_iter().map(|range| evaluation.part(range)).collect();
        let points: Vec<Points<'_>> = self
            .designs
            .iter()
            .zip(self.ranges())
            .zip(&parts)
            .map(|((design, range), evaluation)| {
                let positions = design.salib_order(factors.len());
                Points {
                    method: design.method(),
                    cube: positions.iter().map(|position| &self.cube[range.start + position][..]).collect(),
                    values: positions.iter().map(|position| &self.values[range.start + position][..]).collect(),
                    positions,
                    evaluation,
                }
            })
            .collect();
        write_points(&path(POINTS), &manifest, sweep, factors, &self.objectives, &points)
            .map_err(Failure::write(&path(POINTS)))?;
        write_sensitivity(&path(INDICES), &manifest, sweep, factors, &self.objectives, analysed)
            .map_err(Failure::write(&path(INDICES)))
    }

    fn print(&self, analysed: &[(Method, Vec<Analysis>)], out: &mut impl Write) -> io::Result<()> {
        let of = |method| analysed.iter().find(|(known, _)| *known == method).map(|(_, analyses)| &analyses[..]);
        let (sobol, morris) = (of(Method::Sobol), of(Method::Morris));
        sensitivity::print(&self.sweep, &self.varied.factors, &self.objectives, sobol, morris, out)?;
        if sobol.is_some() {
            writeln!(
                out,
                "\nS: share of the variance over the points that the factor explains by itself; ST: with all its\n\
                 interactions. {} % intervals by bootstrap over base points, for each index by itself.",
                self.sweep.level * 100.0,
            )?;
        }
        if morris.is_some() {
            writeln!(
                out,
                "\nmu*: mean size of the effect of the factor's whole range, in the unit of the objective; sigma: how\n\
                 much effects differ from each other."
            )?;
        }
        Ok(())
    }
}
