//! The subcommand `dead-dependency`: one caller against a dead service, and the pool of workers that waits for it.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use comfy_table::{CellAlignment, Table, presets};
use engine::{Duration, Time};
use policies::{NoBreaker, RuleError};
use scenario::dead_dependency::workers::{PoolRun, Workers};
use scenario::dead_dependency::{CallerRun, DeadDependency, Setting};
use serde::Serialize;

use crate::commands::{Failure, Outcome};
use crate::figures::{self, Band, Line, LineFigure, LinePanel};
use crate::sweep_file::duration_from_text;

/// The seed of the pool's arrivals.
const ROOT_SEED: u64 = 3;

/// What the command may be told.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Failures in a row that open the breaker
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub threshold: u32,
    /// How long the open breaker lets nothing through
    #[arg(long, value_name = "DURATION", default_value = "200ms", value_parser = duration_from_text)]
    pub cooldown: Duration,
    /// Calls, one after another
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub calls: u32,
    /// Runs; the table shows their median
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Print the caller's figures as JSON, and nothing else
    #[arg(long)]
    pub json: bool,
    /// Folder for the figure of the waiting times
    #[arg(long, value_name = "DIR", default_value = "plots/dead-dependency")]
    pub out: PathBuf,
}

/// Runs the command and writes its tables, or JSON, to `out`.
///
/// # Errors
///
/// If the output or the figure cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> Result<Outcome, Failure> {
    let lesson = DeadDependency { calls: args.calls, threshold: args.threshold, cooldown: args.cooldown };
    let refused = |error: RuleError| Failure::Input(error.to_string());
    let mut summaries = Vec::new();
    for setting in Setting::ALL {
        let runs = (0..args.runs).map(|_| lesson.run(setting)).collect::<Result<Vec<_>, _>>().map_err(refused)?;
        summaries.push(Summary::of(setting, &runs));
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&summaries).expect("numbers and words are JSON"))?;
        return Ok(Outcome::Done);
    }
    print_caller(args, &summaries, out)?;
    let pools = pools(&lesson, args.runs).map_err(refused)?;
    print_pool(args, &pools, out)?;
    draw_pool(args, &pools)?;
    writeln!(out, "\nPlot: {}/waiting.svg and .png", args.out.display())?;
    Ok(Outcome::Done)
}

/// The runs of one setting.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    mode: &'static str,
    median_wall_ms: Millis,
    dependency_calls: u32,
    short_circuits: u32,
    successes: u32,
}

/// Milliseconds, written without decimals where there are none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Millis {
    Whole(u64),
    Half(f64),
}

impl Millis {
    fn value(self) -> f64 {
        match self {
            Self::Whole(millis) => millis as f64,
            Self::Half(millis) => millis,
        }
    }
}

impl Summary {
    /// The median of the durations, and the counts of the first run. There is at least one run.
    fn of(setting: Setting, runs: &[CallerRun]) -> Self {
        let mut walls: Vec<u64> = runs.iter().map(|run| run.wall.as_nanos()).collect();
        walls.sort_unstable();
        let doubled = walls[(walls.len() - 1) / 2] + walls[walls.len() / 2];
        let median_wall_ms = if doubled.is_multiple_of(2_000_000) {
            Millis::Whole(doubled / 2_000_000)
        } else {
            Millis::Half(doubled as f64 / 2e6)
        };
        let CallerRun { dependency_calls, short_circuits, successes, .. } = runs[0];
        Self { mode: setting.name(), median_wall_ms, dependency_calls, short_circuits, successes }
    }
}

/// "22.67 times", or a dash where there is nothing to compare with.
fn ratio(more: f64, less: f64) -> String {
    if less == 0.0 {
        return "-".to_owned();
    }
    let ratio = format!("{:.2}", more / less);
    format!("{} times", ratio.trim_end_matches('0').trim_end_matches('.'))
}

fn print_caller(args: &Args, summaries: &[Summary], out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "{} calls, one after another, each after 1 ms of the caller's own. A call to the living service takes 1 ms, to the\n\
         dead one 50 ms. The breaker opens after {} failures in a row and probes after {}. Median of {} runs.\n",
        args.calls, args.threshold, args.cooldown, args.runs
    )?;
    let names = ["no breaker, dead service", "breaker, dead service", "breaker, living service"];
    let rows = summaries.iter().zip(names).map(|(row, name)| {
        let counts = [row.dependency_calls, row.short_circuits, row.successes].map(|count| count.to_string());
        let millis = match row.median_wall_ms {
            Millis::Whole(millis) => millis.to_string(),
            Millis::Half(millis) => format!("{millis:.1}"),
        };
        [name.to_owned(), millis].into_iter().chain(counts).collect()
    });
    let header = ["", "median\nwall ms", "dependency\ncalls", "short\ncircuits", "successes"];
    writeln!(out, "{}", table(&header, rows).trim_fmt())?;
    let [without, with, _] = summaries else { return Ok(()) };
    let (wall, calls) = (
        ratio(without.median_wall_ms.value(), with.median_wall_ms.value()),
        ratio(without.dependency_calls.into(), with.dependency_calls.into()),
    );
    writeln!(out, "\nAgainst the dead service, without the breaker over with it: wall time {wall}, calls {calls}.")
}

/// A table without lines: a column of words, then figures.
fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header).add_rows(rows);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The pool in one setting, over all runs.
struct Pool {
    name: String,
    /// For each run.
    runs: Vec<PoolRun>,
}

/// The living service, and for each time-out the dead one without and with the breaker.
fn pools(lesson: &DeadDependency, runs: u32) -> Result<Vec<Pool>, RuleError> {
    let breaker = lesson.breaker()?;
    let (short, long) = (Workers::lesson(Duration::from_millis(50)), Workers::lesson(Duration::from_secs(2)));
    let without = |workers: Workers| (0..runs).map(|run| workers.run(NoBreaker, ROOT_SEED, run)).collect();
    let with = |workers: Workers| (0..runs).map(|run| workers.run(breaker, ROOT_SEED, run)).collect();
    let mut pools = vec![Pool { name: "living".to_owned(), runs: with(short.healthy()) }];
    for (workers, name) in [(short, "dead at 50 ms"), (long, "dead at 2 s")] {
        pools.push(Pool { name: format!("{name}, no breaker"), runs: without(workers) });
        pools.push(Pool { name: format!("{name}, breaker"), runs: with(workers) });
    }
    Ok(pools)
}

impl Pool {
    /// The waits, in milliseconds, of neighbours that arrived while the service was dead (or would have been), ascending.
    fn waits(&self, workers: &Workers) -> Vec<f64> {
        let long_enough = |at: &Time| *at >= workers.dead_from && *at < Workers::lesson(workers.time_out).dead_to;
        let waits = self.runs.iter().flat_map(|run| &run.neighbours).filter(|(at, _)| long_enough(at));
        let mut waits: Vec<f64> = waits.map(|&(_, waited)| millis(waited)).collect();
        waits.sort_unstable_by(f64::total_cmp);
        waits
    }

    /// The mean wait of the neighbours that arrived in each tenth of a second: its middle, and milliseconds.
    fn course(&self, workers: &Workers) -> Vec<(f64, f64)> {
        const WIDTH: u64 = 100_000_000;
        let mut sums = vec![(0.0, 0_u32); workers.end.as_nanos().div_ceil(WIDTH) as usize];
        for &(at, waited) in self.runs.iter().flat_map(|run| &run.neighbours) {
            let (sum, number) = &mut sums[(at.as_nanos() / WIDTH) as usize];
            (*sum, *number) = (*sum + millis(waited), *number + 1);
        }
        let middle = |cell: usize| (cell as f64 + 0.5) * WIDTH as f64 / 1e9;
        let means = sums.iter().enumerate().filter(|(_, (_, number))| *number > 0);
        means.map(|(cell, &(sum, number))| (middle(cell), sum / f64::from(number))).collect()
    }
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

fn print_pool(args: &Args, pools: &[Pool], out: &mut impl Write) -> io::Result<()> {
    let workers = Workers::lesson(Duration::from_secs(2));
    let [(cart, carts, cart_hold), (coupon, coupons, coupon_hold)] = workers.others;
    writeln!(
        out,
        "\n{} workers share {} checkouts per second, each of which needs the fraud check, and {carts} \"{cart}\" requests of\n\
         {cart_hold} and {coupons} \"{coupon}\" requests of {coupon_hold}, which do not. Who finds no free worker waits in one \
         line. The fraud\ncheck is dead from {} to {}. How long cart and coupon waited that arrived then, over {} runs:\n",
        workers.workers, workers.checkouts, workers.dead_from, workers.dead_to, args.runs
    )?;
    let rows = pools.iter().map(|pool| {
        let waits = pool.waits(&workers);
        let at = |share: f64| waits.get(((waits.len() as f64 * share) as usize).min(waits.len().saturating_sub(1)));
        let shown = |value: Option<&f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
        let mean = waits.iter().sum::<f64>() / waits.len() as f64;
        let long = waits.iter().filter(|&&wait| wait > 100.0).count() as f64 / waits.len() as f64;
        let per_run = |count: u64| format!("{:.0}", count as f64 / pool.runs.len() as f64);
        vec![
            pool.name.clone(),
            format!("{mean:.1}"),
            shown(at(0.5)),
            shown(at(0.99)),
            shown(waits.last()),
            format!("{:.1} %", 100.0 * long),
            per_run(pool.runs.iter().map(|run| run.fraud_calls).sum()),
            per_run(pool.runs.iter().map(|run| run.short_circuits).sum()),
        ]
    });
    let header = [
        "fraud check",
        "mean\nms",
        "median\nms",
        "99 %\nms",
        "longest\nms",
        "above\n100 ms",
        "fraud calls\nper run",
        "short circuits\nper run",
    ];
    writeln!(out, "{}", table(&header, rows).trim_fmt())?;
    writeln!(
        out,
        "\nThe breaker protects the neighbours, not the fraud check. It cannot know sooner than the first time-outs end: at\n\
         2 s the pool is full for that long before it opens. A shorter time-out or a bulkhead bounds that, a breaker does not."
    )
}

fn draw_pool(args: &Args, pools: &[Pool]) -> Result<(), Failure> {
    let workers = Workers::lesson(Duration::from_secs(2));
    let panel = |title: &str, pools: &[Pool]| LinePanel {
        title: title.to_owned(),
        x_label: "arrival, second of the run".to_owned(),
        y_label: "mean wait, ms".to_owned(),
        logarithmic: true,
        lines: ["without a breaker", "with the breaker"]
            .into_iter()
            .zip(pools)
            .map(|(name, pool)| Line { name: name.to_owned(), points: pool.course(&workers), steps: false })
            .collect(),
        bands: vec![Band {
            name: "the fraud check is dead".to_owned(),
            from: workers.dead_from.as_secs_f64(),
            to: workers.dead_to.as_secs_f64(),
            strip: false,
        }],
        ..LinePanel::default()
    };
    let figure = LineFigure {
        title: "How long cart and coupon wait for a worker while the fraud check is dead".to_owned(),
        note: format!(
            "20 workers; breaker: {} failures in a row, {}. Means over {} runs and tenths of a second; nobody waited where \
             a line lies on the axis.",
            args.threshold, args.cooldown, args.runs
        ),
        panels: vec![panel("time-out 50 ms", &pools[1..3]), panel("time-out 2 s", &pools[3..5])],
        columns: 2,
    };
    fs::create_dir_all(&args.out).map_err(Failure::write(&args.out))?;
    let path = |extension: &str| args.out.join(format!("waiting.{extension}"));
    figures::draw_lines(&figure, &path("svg"), &path("png")).map_err(Failure::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_with(runs: &[u64]) -> Summary {
        let run = |&nanos: &u64| CallerRun { wall: Duration::from_nanos(nanos), ..CallerRun::default() };
        Summary::of(Setting::Breaker, &runs.iter().map(run).collect::<Vec<_>>())
    }

    #[test]
    fn medians_are_whole_where_they_can_be() {
        let json = |runs: &[u64]| serde_json::to_string(&run_with(runs).median_wall_ms).expect("a number");
        assert_eq!(json(&[3_000_000, 1_000_000, 2_000_000]), "2");
        assert_eq!(json(&[1_000_000, 2_000_000]), "1.5");
        assert_eq!(json(&[1_000_000, 3_000_000]), "2");
    }

    #[test]
    fn ratios_read_as_published() {
        assert_eq!(ratio(10_200.0, 450.0), "22.67 times");
        assert_eq!(ratio(200.0, 5.0), "40 times");
        assert_eq!(ratio(0.0, 0.0), "-");
    }
}
