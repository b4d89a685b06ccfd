//! Sweep files: from TOML text to a validated, fully resolved [`Sweep`].
//!
//! A sweep file says what is simulated: the world (`[scenario]`), what goes wrong in it (`modes`, `[[mode]]`), which
//! breakers stand in it (`[[rule]]`, each a grid of designs), how often (`replications`) and from which seed. The format is
//! described in `docs/sweep-files.md`.
//!
//! Whatever is wrong is found before anything runs, as much of it at once as can be told apart, each in a sentence that
//! names the place, the key, the value and the remedy: see [`SweepError`].
//!
//! ```
//! use experiments::sweep_file::parse;
//!
//! let text = r#"
//! [[rule]]
//! kind = "consecutive"
//! threshold = { from = 1, to = 20, step = 1 }
//! open_for = ["1s", "5s"]
//! "#;
//! let sweep = parse("example.toml", text, &["scenario.slots=64".to_owned()], Some(50))?;
//! assert_eq!(sweep.designs.len(), 40);
//! assert_eq!(sweep.scenario.slots, 64);
//! assert_eq!(sweep.runs(), 40 * 4 * 50);
//!
//! let error = parse("example.toml", text, &["scenario.slot=64".to_owned()], None).unwrap_err();
//! assert!(error.to_string().contains("did you mean `slots`?"));
//! # Ok::<(), experiments::sweep_file::SweepError>(())
//! ```

mod analysis;
mod axis;
mod decimal;
mod document;
mod error;
mod field;
mod file;
mod laws;
mod modes;
mod overrides;
mod race;
mod replications;
mod resolved;
mod resolved_service;
mod rules;
mod sensitivity;
mod service;
mod timing;
mod units;
mod variants;
mod world;

use policies::AnyRule;
use scenario::{ArrivalProcess, Mode, Opening, Scenario};

use document::{Report, Source, Value};
use field::Section;
use modes::Modes;
use rules::Grid;
use world::World;

pub use analysis::{Analysis, FrontAnalysis};
pub use error::{Finding, SweepError};
pub use file::load;
pub(crate) use file::text_of;
pub use race::Race;
pub use replications::{Demand, Demanded, Stopping};
pub use resolved::ResolvedSweep;
pub use sensitivity::{Factor, Quantity, Scale, Sensitivity, SweepText};
pub use units::duration_from_text;

/// What a file that does not say them uses.
const DEFAULT_ROOT_SEED: u64 = 1;
const DEFAULT_LEVEL: f64 = 0.95;

/// A sweep, ready to run: every design in every mode, so many replications of each.
///
/// The designs follow from grids that the sweep keeps for [`Sweep::resolved`]: to change them, change the file or override
/// a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The name of its folders under `data/` and `plots/`: letters, digits, `-` and `_`.
    pub name: String,
    /// The seed from which every random number of the sweep follows.
    pub root_seed: u64,
    /// Runs of each design in each mode, or as many as there are at most; at least 1.
    pub replications: u32,
    /// Until what is precise, where that ends a sweep.
    pub stopping: Option<Stopping>,
    /// The confidence level of the intervals, in (0, 1).
    pub level: f64,
    /// The world, the same in every run.
    pub scenario: Scenario,
    /// What goes wrong, in the order of the file; at least one, with different names.
    pub modes: Vec<Mode>,
    /// The breakers, in sweep order; at least one.
    pub designs: Vec<Design>,
    /// What the user should know and need not change, one sentence each.
    pub notes: Vec<String>,
    /// Named changes of the sweep, to be compared with it; a sweep itself makes nothing of them.
    pub variants: Vec<Variant>,
    /// How the results are looked at; no run depends on it.
    pub analysis: Analysis,
    /// What a sensitivity analysis of the sweep varies, where the file says it; no run depends on it.
    pub sensitivity: Option<Sensitivity>,
    /// Whether designs that are surely dominated leave.
    pub race: Option<Race>,
    grids: Vec<Grid>,
}

/// A named change of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// What it is called.
    pub name: String,
    /// What it changes, each in the form of a `--set` argument.
    pub set: Vec<String>,
}

/// A rule in a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Design {
    /// Its position in sweep order, from 0: rules as in the file and, within one, windows, thresholds, open durations and
    /// half-open numbers, the last turning fastest.
    pub number: u32,
    /// The breaker's numbers.
    pub rule: AnyRule,
    /// The first design that is the same rule in other words, if there is an earlier one.
    pub equivalent_to: Option<u32>,
}

impl Sweep {
    /// The rows of the result: designs × modes × replications.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.designs.len() as u64 * self.modes.len() as u64 * u64::from(self.replications)
    }

    /// How many designs differ: what is simulated, as equivalent ones share a simulation.
    #[must_use]
    pub fn distinct_designs(&self) -> usize {
        self.designs.iter().filter(|design| design.equivalent_to.is_none()).count()
    }

    /// The design that the others' differences are taken to, as an index into [`Sweep::designs`]: the one that `[analysis]`
    /// names as such, or the current setting that it names, or the first design `none`.
    #[must_use]
    pub fn baseline(&self) -> Option<usize> {
        self.analysis.baseline.or_else(|| analysis::usual_baseline(self.analysis.current, &self.designs))
    }

    /// The designs, as indices into [`Sweep::designs`], that are alone in their `[[rule]]`: settings that somebody wrote down
    /// one by one.
    #[must_use]
    pub fn single_designs(&self) -> Vec<usize> {
        let mut first = 0;
        let mut single = Vec::new();
        for count in self.grids.iter().map(Grid::count) {
            if count == 1 {
                single.push(first);
            }
            first += count;
        }
        single
    }

    /// The grid of one design alone.
    fn only(&self, mut design: usize) -> Grid {
        let grid = self.grids.iter().find(|grid| {
            let here = design < grid.count();
            if !here {
                design -= grid.count();
            }
            here
        });
        grid.expect("every design is of a grid").only(design)
    }

    /// Whether a mode can only be run by the richer world.
    #[must_use]
    pub fn needs_the_richer_world(&self) -> bool {
        self.modes.iter().any(|mode| !self.scenario.service.beyond_the_plain_world(mode).is_empty())
    }

    /// The mean number of requests of one run, both flows together.
    #[must_use]
    pub fn requests_per_run(&self) -> f64 {
        timing::mean_requests(&self.scenario)
    }

    /// The mean number of requests of all runs together.
    #[must_use]
    pub fn requests(&self) -> f64 {
        self.requests_per_run() * self.runs() as f64
    }
}

/// Reads a sweep from a text.
///
/// `file` is its name in messages, and without folder and extension the sweep's name where the text gives none.
/// `overrides` are `--set` arguments, each a dotted path, `=` and a TOML value (or bare text); `replications` replaces the
/// text's number.
///
/// # Errors
///
/// If the text or an argument is wrong; the error says all that was found.
pub fn parse(file: &str, text: &str, overrides: &[String], replications: Option<u32>) -> Result<Sweep, SweepError> {
    parse_with(file, text, overrides, replications, sensitivity::read)
}

/// Reads a sweep, and its table `[sensitivity]` in the given way.
fn parse_with(
    file: &str,
    text: &str,
    overrides: &[String],
    replications: Option<u32>,
    read_sensitivity: fn(&mut Section<'_>, &[Grid], &mut Report<'_>) -> Option<Sensitivity>,
) -> Result<Sweep, SweepError> {
    let mut report = Report::new(Source { file, text, overrides });
    let mut document = document::parse(text, &mut report);
    if !report.is_clean() {
        return Err(report.into_error().expect("there are findings"));
    }
    overrides::apply(&mut document, overrides, &mut report);
    let mut root = Section::root(&document);
    let header = Header::read(&mut root, file, &mut report);
    let world = world::read(&mut root, &mut report);
    let modes = modes::read(&mut root, &world, &mut report);
    let replications = replications::read(header.replications, replications, &world, &modes, &mut report);
    let grids = rules::read(&mut root, &mut report);
    let variants = variants::read(&mut root, &mut report);
    let asked = analysis::read(&mut root, replications.number, &mut report);
    let sensitivity = read_sensitivity(&mut root, &grids, &mut report);
    let race = race::read(&mut root, &replications, &asked, &mut report);
    root.finish(&mut report);
    if report.is_clean() {
        service::check_regimes(&world.scenario.service, &modes.run, world.here, &mut report);
        timing::check(&world, &modes.run, &mut report);
    }
    let (mut grids, mut designs, mut analysis) = (grids, Vec::new(), Analysis::default());
    if report.is_clean() {
        designs = rules::designs(&grids);
        analysis = asked.among(&mut grids, &mut designs, &mut report);
    }
    if let Some(error) = report.into_error() {
        return Err(error);
    }
    let mut notes = notes(&world, &modes, &designs);
    notes.extend(replications.stopping.as_ref().and_then(replications::note));
    notes.extend(analysis.notes(replications.number));
    let right = modes.run.iter().filter(|placed| placed.mode.opening_during_fault() == Opening::Right).count();
    if race.is_some() && (right == 0 || right == modes.run.len()) {
        notes.push(
            "no design leaves the race: there is no front without modes in which opening is right and false".to_owned(),
        );
    }
    Ok(Sweep {
        name: header.name,
        root_seed: header.root_seed,
        replications: replications.number,
        stopping: replications.stopping,
        level: header.level,
        scenario: world.scenario,
        modes: modes.run.into_iter().map(|placed| placed.mode).collect(),
        designs,
        notes,
        variants,
        analysis,
        sensitivity,
        race,
        grids,
    })
}

/// The keys outside any table.
struct Header<'a> {
    name: String,
    root_seed: u64,
    /// Not read yet: what it may say depends on the modes.
    replications: Option<field::Field<'a>>,
    level: f64,
}

impl<'a> Header<'a> {
    fn read(root: &mut Section<'a>, file: &str, report: &mut Report<'_>) -> Self {
        let name = match root.optional("name") {
            Some(field) => field.name("tuning", report).unwrap_or_default().to_owned(),
            None => name_of_file(root, file, report),
        };
        let root_seed = root.optional("root_seed").and_then(|field| field.whole(0..=u64::MAX, 20_260_731, report));
        let replications = root.optional("replications");
        let level = root.optional("level").and_then(|field| level(&field, report));
        Self {
            name,
            root_seed: root_seed.unwrap_or(DEFAULT_ROOT_SEED),
            replications,
            level: level.unwrap_or(DEFAULT_LEVEL),
        }
    }
}

/// A file that gives no name is called by its own.
fn name_of_file(root: &Section<'_>, file: &str, report: &mut Report<'_>) -> String {
    let stem = std::path::Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if let Err(problem) = field::check_name(stem) {
        let problem = format!("the file's own name cannot name the results: {problem}");
        report.add(root.place(), "name", problem, "add a line such as name = \"tuning\" (letters, digits, - and _)");
    }
    stem.to_owned()
}

fn level(field: &field::Field<'_>, report: &mut Report<'_>) -> Option<f64> {
    if let Value::Whole(digits) | Value::Real(digits) = &field.node.value
        && let Ok(percent) = digits.parse::<f64>()
        && (1.0..100.0).contains(&percent)
        && percent > 1.0
    {
        let digits = document::clipped(digits);
        let problem = format!("{digits} is out of range: expected a confidence level between 0 and 1, both excluded");
        let level = format!("{:.8}", percent / 100.0);
        field.blame(report, problem, format!("write it as a part of 1: level = {}", level.trim_end_matches('0')));
        return None;
    }
    let expected = "a confidence level between 0 and 1, both excluded";
    field.number(expected, "0.95", |level| level > 0.0 && level < 1.0, report)
}

fn notes(world: &World, modes: &Modes, designs: &[Design]) -> Vec<String> {
    let mut notes = Vec::new();
    let scenario = &world.scenario;
    for (flow, process) in [("dependency", &scenario.dependency), ("neighbour", &scenario.neighbour)] {
        if let ArrivalProcess::Bursty { .. } = process {
            let mean_rate = (process.mean_rate() * 1e6).round() / 1e6;
            notes.push(format!("the {flow} flow is bursty: {mean_rate} requests per second in the long run"));
        }
    }
    for step in &scenario.service.clock_steps {
        if step.at >= timing::latest_end(scenario) {
            let at = step.at;
            notes.push(format!("the clock step at {at} never happens: every run has ended by then"));
        }
    }
    if world.heal_after.is_some() && modes.run.iter().all(|mode| mode.starts.is_some()) {
        notes.push("`scenario.heal_after` heals the given modes only, and none of them is simulated".to_owned());
    }
    for name in &modes.unused {
        notes.push(format!("the mode \"{name}\" is defined, but `modes` does not list it: it is not simulated"));
    }
    let mut beyond: Vec<&str> = Vec::new();
    for key in modes.run.iter().flat_map(|placed| scenario.service.beyond_the_plain_world(&placed.mode)) {
        if !beyond.contains(&key) {
            beyond.push(key);
        }
    }
    if !beyond.is_empty() {
        let keys: Vec<String> = beyond.iter().map(|key| format!("`{key}`")).collect();
        notes.push(format!(
            "designs cannot share worlds with {}: they are simulated one at a time, which takes longer",
            keys.join(", ")
        ));
    }
    let equivalent = designs.iter().filter(|design| design.equivalent_to.is_some()).count();
    if equivalent > 0 {
        let distinct = designs.len() - equivalent;
        notes.push(format!(
            "{equivalent} of {} designs are an earlier one in other words: {distinct} are simulated, each design keeps its rows",
            designs.len()
        ));
    }
    notes
}
