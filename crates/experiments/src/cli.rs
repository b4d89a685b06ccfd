//! The command line.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};

use crate::blocks::{Destination, local_folder};
use crate::commands::{self, Failure, Outcome};
use crate::console::say;
use crate::dead_dependency;
use crate::lesson;
use crate::sensitivity::Method;

/// What a sweep run may be told.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// The sweep file (TOML)
    #[arg(value_name = "SWEEP")]
    pub sweep: PathBuf,
    /// Change a key of the sweep file, for example --set scenario.slots=64 (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<String>,
    /// Replications, in place of the file's number
    #[arg(long, visible_alias = "seeds", value_name = "N")]
    pub replications: Option<u32>,
    /// Threads that simulate; 0 for one per core. Results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub jobs: usize,
    /// Simulate one design at a time, without sharing worlds among designs. Slower; the results are the same
    #[arg(long)]
    pub plain: bool,
    /// Folder for the results, in place of data/NAME and plots/NAME
    #[arg(long, value_name = "DIR", value_parser = OsStringValueParser::new().try_map(local_folder))]
    pub out: Option<PathBuf>,
    /// Replications per block of finished work, in place of a number that suits the sweep: fewer lose less when a machine
    /// fails, more take less room. Results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub block: Option<u32>,
    /// Remove the blocks once the tables are written: less room, but more replications later start from nothing
    #[arg(long)]
    pub discard_blocks: bool,
    /// Throw away what the folder holds of another sweep: unfinished work, which stops the run otherwise, and finished
    /// results, which are kept in DIR/previous otherwise
    #[arg(long)]
    pub replace: bool,
    /// Say what would be done, how large its files get and how long it takes, after a pilot of a few replications
    #[arg(long)]
    pub dry_run: bool,
    /// Print nothing but errors
    #[arg(long)]
    pub quiet: bool,
    /// How to show progress on standard error
    #[arg(long, value_enum, value_name = "FORM", default_value = "auto")]
    pub progress: ProgressForm,
    /// Draw no plots
    #[arg(long)]
    pub no_plots: bool,
}

/// A sweep that is done in parts.
#[derive(Args, Clone, Debug)]
pub struct WhatArgs {
    /// The sweep file (TOML)
    #[arg(value_name = "SWEEP")]
    pub sweep: PathBuf,
    /// Change a key of the sweep file, for example --set scenario.slots=64 (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<String>,
    /// Replications, in place of the file's number
    #[arg(long, visible_alias = "seeds", value_name = "N")]
    pub replications: Option<u32>,
}

/// Which of a sweep's replications.
#[derive(Args, Clone, Copy, Debug)]
pub struct RoundArgs {
    /// For a sweep that ends when it is precise: the replications from one look to the next, numbered from 1. `merge` says
    /// which round comes next
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "replications")]
    pub round: Option<u32>,
}

/// Into how many parts.
#[derive(Args, Clone, Debug)]
pub struct PlanArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "it would be printed as help")]
    pub what: WhatArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "it would be printed as help")]
    pub round: RoundArgs,
    /// Shards to divide the replications into
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub shards: u32,
    /// How to print it
    #[arg(long = "as", value_enum, value_name = "FORM", default_value = "table")]
    pub form: PlanForm,
    /// Where the shards of an indexed or array job put their blocks: a folder that is mounted into their containers, or
    /// s3://BUCKET/PREFIX
    #[arg(
        long,
        value_name = "DIR|s3://...",
        default_value = "/results",
        value_parser = OsStringValueParser::new().try_map(Destination::parse)
    )]
    pub out: Destination,
}

/// How to write a plan.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanForm {
    /// A table for people
    Table,
    /// The shards' replications as JSON
    Json,
    /// An indexed job for kubectl, as JSON. Not run by this project
    Kubernetes,
    /// The inputs of register-job-definition and submit-job of AWS Batch, as JSON. Not run by this project
    AwsBatch,
}

/// Which part to do.
#[derive(Args, Clone, Debug)]
pub struct ShardArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "it would be printed as help")]
    pub what: WhatArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "it would be printed as help")]
    pub round: RoundArgs,
    /// The shard's number; without it the engine's variable says it, or TRIPCURVE_SHARD_INDEX
    #[arg(long, value_name = "I")]
    pub index: Option<u32>,
    /// How many shards there are; without it TRIPCURVE_SHARD_COUNT says it, or the engine's variable
    #[arg(long, value_name = "N")]
    pub count: Option<u32>,
    /// Whether indices are counted from 0 or from 1, if not as usual for where the index comes from
    #[arg(long, value_name = "0|1", value_parser = clap::value_parser!(u32).range(0..=1))]
    pub index_base: Option<u32>,
    /// Folder of the results, the same for all shards, or s3://BUCKET/PREFIX for the blocks
    #[arg(long, value_name = "DIR|s3://...", value_parser = OsStringValueParser::new().try_map(Destination::parse))]
    pub out: Destination,
    /// Threads that simulate; 0 for one per core. Results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub jobs: usize,
    /// Simulate one design at a time, without sharing worlds among designs. Slower; the results are the same
    #[arg(long)]
    pub plain: bool,
    /// Replications per block, in place of a number that suits the sweep. Results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub block: Option<u32>,
    /// Print nothing but errors
    #[arg(long)]
    pub quiet: bool,
    /// How to show progress on standard error
    #[arg(long, value_enum, value_name = "FORM", default_value = "auto")]
    pub progress: ProgressForm,
}

/// What to put together.
#[derive(Args, Clone, Debug)]
pub struct MergeArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "it would be printed as help")]
    pub what: WhatArgs,
    /// Folder of the results, with the shards' blocks unless --from says where those are
    #[arg(long, value_name = "DIR", value_parser = OsStringValueParser::new().try_map(local_folder))]
    pub out: PathBuf,
    /// The shards' --out, if it is not the folder of the results: another folder or s3://BUCKET/PREFIX
    #[arg(long, value_name = "DIR|s3://...", value_parser = OsStringValueParser::new().try_map(Destination::parse))]
    pub from: Option<Destination>,
    /// Merge the replications before the first that is missing
    #[arg(long)]
    pub partial: bool,
    /// Print nothing but errors
    #[arg(long)]
    pub quiet: bool,
    /// Draw no plots
    #[arg(long)]
    pub no_plots: bool,
}

/// How to write what is missing.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingForm {
    /// An option for sbatch: --array=3,17-20
    Slurm,
    /// A number on each line, for example for GNU parallel
    List,
    /// Shards and ranges of replications as JSON
    Json,
}

/// What may be missing.
#[derive(Args, Clone, Debug)]
pub struct MissingArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "it would be printed as help")]
    pub what: WhatArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "it would be printed as help")]
    pub round: RoundArgs,
    /// How many shards there are
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub count: u32,
    /// The shards' --out: a folder or s3://BUCKET/PREFIX
    #[arg(long, value_name = "DIR|s3://...", value_parser = OsStringValueParser::new().try_map(Destination::parse))]
    pub out: Destination,
    /// How to write the shards' numbers
    #[arg(long = "as", value_enum, value_name = "FORM", default_value = "list")]
    pub form: MissingForm,
    /// Whether the numbers are counted from 0 or from 1
    #[arg(long, value_name = "0|1", value_parser = clap::value_parser!(u32).range(0..=1))]
    pub index_base: Option<u32>,
}

/// What to verify.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// The folder with runs.parquet and manifest.json
    #[arg(value_name = "RESULT")]
    pub results: PathBuf,
    /// How many rows to simulate again
    #[arg(long, value_name = "K", default_value_t = 20)]
    pub rows: usize,
    /// Chooses the rows: another number, other rows
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

/// How progress is shown on standard error.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressForm {
    /// A bar on a terminal, lines for people elsewhere
    Auto,
    /// A JSON object on a line every second, and at the beginning and the end
    Json,
    /// Nothing
    None,
}

impl ProgressForm {
    /// As asked for, but nothing in place of `auto` where all should be quiet.
    #[must_use]
    pub fn unless_quiet(self, quiet: bool) -> Self {
        if quiet && self == Self::Auto { Self::None } else { self }
    }
}

/// Which run to trace.
#[derive(Args, Clone, Debug)]
pub struct TraceArgs {
    /// The sweep file (TOML)
    #[arg(value_name = "SWEEP")]
    pub sweep: PathBuf,
    /// Change a key of the sweep file, for example --set scenario.slots=64 (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<String>,
    /// The design's number, as in designs.parquet
    #[arg(long, value_name = "D")]
    pub design: u32,
    /// The mode's name
    #[arg(long, value_name = "M")]
    pub mode: String,
    /// The replication's number, from 0
    #[arg(long, value_name = "R")]
    pub replication: u32,
}

/// What to vary, and how often.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
What is varied says the table [sensitivity] of the sweep file (docs/sensitivity.md); without one, every number of the rule
that has several values there, from the least to the largest. Both methods are done unless one is asked for.")]
pub struct SensitivityArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "it would be printed as help")]
    pub what: WhatArgs,
    /// Only this method
    #[arg(long, value_enum, value_name = "METHOD")]
    pub method: Option<Method>,
    /// Sobol': base points, each of which takes 2 evaluations and one per factor. A power of two is best
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(2..))]
    pub points: u32,
    /// Morris: trajectories, each of which takes 1 evaluation and one per factor
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(2..))]
    pub trajectories: u32,
    /// Threads that simulate; 0 for one per core. Results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub jobs: usize,
    /// Folder for the results, in place of data/NAME
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(long)]
    pub quiet: bool,
    /// How to show progress on standard error
    #[arg(long, value_enum, value_name = "FORM", default_value = "auto")]
    pub progress: ProgressForm,
}

/// What to print of a design.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
DESIGN is one of
  SWEEP.toml#NUMBER  a design of a sweep by its number, as in designs.parquet
  SWEEP.toml#LABEL   the same by its label, as the table of a sweep prints it
  SWEEP.toml         the only design of a sweep
  KEYS               a rule as a sweep file has it: 'kind = \"opossum\", resetTimeout = \"10s\"'

FORMAT is one of
  resilience4j       YAML of Spring Boot            opossum      JavaScript
  resilience4j-java  Java                           cockatiel    TypeScript
  hystrix            properties                     pybreaker    Python
  failsafe           Java                           sentinel     JSON
  failsafe-go        Go                             failsafe-rs  Rust
  gobreaker          Go                             recloser     Rust

A design of a library is printed for that library. One of `consecutive` or `ratio` is printed where a library has a
breaker that does exactly the same (but for the very instant at which the open time ends), and is refused elsewhere, with
what differs.")]
pub struct ExportArgs {
    /// The design
    #[arg(value_name = "DESIGN")]
    pub design: String,
    /// The form in which it is printed
    #[arg(long = "as", value_name = "FORMAT")]
    pub format: String,
    /// What the breaker is called in the configuration, where it is called anything
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub name: String,
}

/// What to read of a library's configuration.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
What is read: Resilience4j's properties of Spring Boot (.yml, .yaml, .properties; configs and instances), Hystrix's properties,
opossum's and cockatiel's options (JSON, JavaScript, TypeScript), gobreaker's Settings (Go, JSON) and Sentinel's degrade rules
(JSON). A number that looks like another unit than the library's (seconds for milliseconds, a share for percent) is an error.")]
pub struct ImportArgs {
    /// The configuration; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The library, where the file's name and keys do not tell: resilience4j, hystrix, gobreaker, opossum, cockatiel, sentinel
    #[arg(long, value_name = "LIBRARY")]
    pub from: Option<String>,
    /// Take every number in the library's own unit, however unlikely
    #[arg(long)]
    pub trust_units: bool,
}

/// What to look for false openings in.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Where the order of results alone opens a breaker (failures in a row, k of the last w), the mean is computed. Else, as with
time windows and bursts, it is estimated by importance splitting of a world that goes on for ever. docs/rare.md has the
formulas and assumptions.")]
pub struct RareArgs {
    /// The sweep file (TOML)
    #[arg(value_name = "SWEEP")]
    pub sweep: PathBuf,
    /// Change a key of the sweep file, for example --set scenario.slots=64 (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<String>,
    /// Only these designs, by their numbers as in designs.parquet, for example 0,20-24
    #[arg(long, value_name = "LIST")]
    pub designs: Option<String>,
    /// Estimate by splitting even what can be computed: with the pool, which a burst of slow failures fills
    #[arg(long)]
    pub simulate: bool,
    /// How much to simulate where the answer is not computed: 4 halves the intervals of 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub effort: u32,
    /// Threads; 0 for one per core. Results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub jobs: usize,
    /// Folder of the sweep's results, in place of data/NAME and plots/NAME
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Draw the designs by false opens and by what a broken dependency draws up to detection, of which the sweep must have been
    /// run
    #[arg(long)]
    pub plot: bool,
    /// Print the rows as JSON
    #[arg(long)]
    pub json: bool,
}

/// Which situation to show.
#[derive(Args, Clone, Debug)]
pub struct ScenarioArgs {
    /// Its name, or the path of its file; without one, all names are listed
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// The folder of the situations
    #[arg(long, value_name = "DIR", default_value = "scenarios")]
    pub folder: PathBuf,
    /// Change a key of the file in every variant, for example --set scenario.slots=64 (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub overrides: Vec<String>,
    /// Replications, in place of the file's number
    #[arg(long, value_name = "N")]
    pub replications: Option<u32>,
    /// Folder for the picture, in place of plots/NAME
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Which world the bulkheads stand in.
#[derive(Args, Clone, Debug)]
pub struct BulkheadArgs {
    /// The situation with the variants `breaker`, `bulkhead` and `both`
    #[arg(value_name = "FILE", default_value = "scenarios/bulkhead-or-breaker.toml")]
    pub file: PathBuf,
    /// Replications, in place of the file's number
    #[arg(long, value_name = "N")]
    pub replications: Option<u32>,
    /// Folder for the figure
    #[arg(long, value_name = "DIR", default_value = "plots/bulkhead-or-breaker")]
    pub out: PathBuf,
}

#[derive(Parser, Debug)]
#[command(
    name = "experiments",
    version,
    about = "Simulates circuit-breaker settings and shows what each costs",
    long_about = "Simulates circuit-breaker settings over many seeds, writes Parquet and Pareto plots, and prints the front \
                  as a table.\n\nExit codes: 0 done, 1 partial or failed, 2 bad input, 3 precision not reached.",
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: Option<RunArgs>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Divide a sweep into shards that can be done apart, and print who would do what
    Plan(PlanArgs),
    /// Do one shard of a sweep. Exit codes: 0 done, 64 wrong arguments, 65 wrong sweep or folder, 75 try again, 143 ended by
    /// SIGTERM, with what was finished published
    Shard(ShardArgs),
    /// Make the tables of a sweep of its shards' blocks
    Merge(MergeArgs),
    /// Say which shards have to be submitted again
    Missing(MissingArgs),
    /// Print one run of a sweep, event by event
    Trace(TraceArgs),
    /// Say how rarely each design opens falsely: once in minutes, or once in years
    Rare(RareArgs),
    /// Replay the fixed-round lesson and print its tables
    Lesson {
        /// Print the figures as JSON
        #[arg(long)]
        json: bool,
        /// Change a constant, for example --set slots=24 (repeatable)
        #[arg(long = "set", value_name = "KEY=VALUE")]
        sets: Vec<String>,
    },
    /// Call a dead dependency 200 times, with and without a breaker, and let a pool of workers wait for it
    DeadDependency(dead_dependency::Args),
    /// Run a named situation, and explain, draw and count what happens in it
    Scenario(ScenarioArgs),
    /// Show what a bulkhead of each size protects and costs, beside a breaker
    Bulkhead(BulkheadArgs),
    /// Say which settings the objectives of a sweep depend on: Morris' effects and Sobol' indices
    Sensitivity(SensitivityArgs),
    /// Simulate some rows of a result again, and compare every column
    Verify(VerifyArgs),
    /// Compare the results of a sweep with the figures of an independent program
    Compare {
        /// The folder with runs.parquet and designs.parquet
        #[arg(value_name = "DIR")]
        results: PathBuf,
        /// The figures, in the form of sweeps/reference.txt
        #[arg(value_name = "REFERENCE")]
        reference: PathBuf,
    },
    /// Replay recordings of real libraries through the breakers here and print where they differ
    Conform {
        /// Files of vectors, one JSON object a line (tools/record/README.md); - is standard input
        #[arg(value_name = "FILE.jsonl", required = true)]
        files: Vec<PathBuf>,
    },
    /// Print a design as the configuration of its library
    Export(ExportArgs),
    /// Print the breakers of a library's configuration as rules of a sweep
    Import(ImportArgs),
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // An engine that runs shards tells wrong arguments from failures worth another attempt by the exit code.
        Err(error) if error.use_stderr() && std::env::args_os().nth(1).is_some_and(|command| command == "shard") => {
            // If standard error is closed, nobody is there to be told.
            let _ = error.print();
            return ExitCode::from(commands::shard::USAGE);
        }
        Err(error) => error.exit(),
    };
    let result = match cli {
        Cli { command: Some(Command::Plan(args)), .. } => commands::plan::run(&args, &mut io::stdout().lock()),
        Cli { command: Some(Command::Shard(args)), .. } => return ExitCode::from(commands::shard::run(&args)),
        Cli { command: Some(Command::Merge(args)), .. } => commands::sweep::merge(&args),
        Cli { command: Some(Command::Missing(args)), .. } => commands::missing::run(&args, &mut io::stdout().lock()),
        Cli { command: Some(Command::Verify(args)), .. } => commands::verify::run(&args, &mut io::stdout().lock()),
        Cli { command: Some(Command::Trace(args)), .. } => commands::trace::run(&args, &mut io::stdout().lock()),
        Cli { command: Some(Command::Rare(args)), .. } => commands::rare::run(&args, &mut io::stdout().lock()),
        Cli { command: Some(Command::Lesson { json, sets }), .. } => {
            lesson::run(&sets, json, &mut io::stdout().lock()).map(|()| Outcome::Done).map_err(Failure::from)
        }
        Cli { command: Some(Command::DeadDependency(args)), .. } => {
            dead_dependency::run(&args, &mut io::stdout().lock())
        }
        Cli { command: Some(Command::Scenario(args)), .. } => commands::scenario::run(&args, &mut io::stdout().lock()),
        Cli { command: Some(Command::Sensitivity(args)), .. } => commands::sensitivity::run(&args),
        Cli { command: Some(Command::Bulkhead(args)), .. } => commands::bulkhead::run(&args, &mut io::stdout().lock()),
        Cli { command: Some(Command::Compare { results, reference }), .. } => {
            commands::compare::run(&results, &reference, &mut io::stdout().lock())
        }
        Cli { command: Some(Command::Conform { files }), .. } => {
            commands::conform::run(&files, &mut io::stdout().lock())
        }
        Cli { command: Some(Command::Export(args)), .. } => commands::export::run(&args, &mut io::stdout().lock()),
        Cli { command: Some(Command::Import(args)), .. } => commands::import::run(&args, &mut io::stdout().lock()),
        Cli { run: Some(args), .. } => commands::sweep::run(&args),
        Cli { .. } => unreachable!("clap asks for a sweep or a subcommand"),
    };
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Partial) => ExitCode::from(1),
        Ok(Outcome::NotPrecise) => ExitCode::from(3),
        // Whoever reads our output has seen enough (`| head`).
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            say(format_args!("error: {failure}"));
            ExitCode::from(failure.exit_code())
        }
    }
}
