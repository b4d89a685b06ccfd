//! A finished sweep, opened again: what was swept, what each run reported, and which designs are on the fronts.

use std::path::{Path, PathBuf};

use polars::prelude::{AnyValue, DataFrame, ParquetReader, PolarsResult, SerReader, polars_ensure};
use scenario::RunRecord;
use serde::Serialize;
use serde_json::Value;

use crate::columns::COLUMNS;
use crate::commands::Failure;
use crate::fronts::THEMES;
use crate::manifest::{RESULTS_VERSION, described_sweep};
use crate::sweep_file::Sweep;
use crate::tables::guarded;

/// A results folder.
#[derive(Clone, Debug)]
pub struct Recorded {
    folder: PathBuf,
    /// The manifest that lies in the files.
    manifest: String,
    /// The sweep, with as many replications as there are rows for.
    pub sweep: Sweep,
    /// The fronts that were found.
    pub fronts: Vec<RecordedFront>,
    /// What should be known about these results, one sentence each.
    pub notes: Vec<String>,
}

/// A value of a row, in words: numbers as they are read again without loss, `null` where there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The column.
    pub column: String,
    /// The value.
    pub value: String,
}

/// A front: two objectives and the designs on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordedFront {
    /// The column on the horizontal axis.
    pub x_metric: String,
    /// The mode in which it is measured.
    pub x_mode: String,
    /// The column on the vertical axis.
    pub y_metric: String,
    /// The mode in which it is measured.
    pub y_mode: String,
    /// The horizontal axis in words.
    pub x_label: String,
    /// The vertical axis in words.
    pub y_label: String,
    /// The designs on the front of their family.
    pub points: Vec<RecordedPoint>,
}

/// A design on a front, with its two means and their intervals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordedPoint {
    /// The design's number.
    pub design: u32,
    /// The design with the same two values that stands for it, if that is another one.
    pub tied_with: Option<u32>,
    /// The mean on the horizontal axis.
    pub x: Option<f64>,
    /// The lower end of its interval.
    pub x_lo: Option<f64>,
    /// The upper end of its interval.
    pub x_hi: Option<f64>,
    /// The mean on the vertical axis.
    pub y: Option<f64>,
    /// The lower end of its interval.
    pub y_lo: Option<f64>,
    /// The upper end of its interval.
    pub y_hi: Option<f64>,
    /// Whether the vertical axis counts events of which none was seen: the mean is zero and may be up to `y_hi`.
    pub zero_events: bool,
    /// Whether no design of any family is better.
    pub on_overall_front: bool,
}

impl Recorded {
    /// Opens a results folder. Of the runs nothing is read but what was swept; each row is read when it is asked for.
    ///
    /// # Errors
    ///
    /// When the folder holds no results, or those of a program that swept in another way.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join("runs.parquet");
        let (manifest, rows) = read_manifest(&path)?;
        let sweep = sweep_of(&path, &manifest, rows)?;
        let mut notes = sweep.notes.clone();
        let version = serde_json::from_str::<Value>(&manifest).ok().and_then(|keys| keys["results_version"].as_u64());
        if version != Some(u64::from(RESULTS_VERSION)) {
            let version = version.map_or_else(|| "another".to_owned(), |version| version.to_string());
            notes.push(format!(
                "these results are of version {version} and this program makes version {RESULTS_VERSION}: runs may differ"
            ));
        }
        let fronts =
            match guarded::read(&folder.join("front.parquet"), |file| fronts(&ParquetReader::new(file).finish()?)) {
                Ok(fronts) => fronts,
                Err(failure) => {
                    notes.push(format!("no fronts are shown: {failure}"));
                    Vec::new()
                }
            };
        Ok(Self { folder: folder.to_owned(), manifest, sweep, fronts, notes })
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The row of a run in `runs.parquet`, all columns in the file's order.
    ///
    /// # Errors
    ///
    /// When there is no such row, or the file is not the one that was opened any more.
    pub fn row(&self, design: u32, mode: usize, replication: u32) -> Result<Vec<Cell>, Failure> {
        let path = self.folder.join("runs.parquet");
        let (manifest, _) = read_manifest(&path)?;
        if manifest != self.manifest {
            return Err(Failure::Input(format!(
                "{} has been replaced by other results: open the folder again",
                path.display()
            )));
        }
        let (modes, designs) = (self.sweep.modes.len(), self.sweep.designs.len());
        let number = (replication as usize * modes + mode) * designs + design as usize;
        guarded::read(&path, |file| {
            let table = ParquetReader::new(file).with_slice(Some((number, 1))).finish()?;
            polars_ensure!(table.height() == 1, ComputeError: "it has no row {number}");
            let cells = table.columns().iter().map(|column| {
                let value = column.get(0)?;
                Ok(Cell { column: column.name().to_string(), value: in_words(&value) })
            });
            cells.collect()
        })
    }

    /// The row that a run's record would make.
    #[must_use]
    pub fn row_of(&self, design: u32, mode: usize, replication: u32, record: &RunRecord) -> Vec<Cell> {
        let rule = self.sweep.designs.get(design as usize).map_or("null", |design| design.rule.name());
        let mode = self.sweep.modes.get(mode).map_or("null", |mode| mode.name.as_str());
        let identity = [
            ("design", design.to_string()),
            ("rule", rule.to_owned()),
            ("mode", mode.to_owned()),
            ("replication", replication.to_string()),
        ];
        let measured = COLUMNS.iter().map(|column| (column.name, column.read.text(record)));
        let cell = |(column, value): (&str, String)| Cell { column: column.to_owned(), value };
        identity.into_iter().chain(measured).map(cell).collect()
    }
}

/// The manifest in a file's metadata, and its number of rows.
fn read_manifest(path: &Path) -> Result<(String, usize), Failure> {
    let (manifest, rows) = guarded::read(path, |file| {
        let mut reader = ParquetReader::new(file);
        let metadata = reader.get_metadata()?;
        let entries = metadata.key_value_metadata().iter().flatten();
        let manifest = entries.filter(|entry| entry.key == "tripcurve").find_map(|entry| entry.value.clone());
        Ok((manifest, metadata.num_rows))
    })?;
    let manifest = manifest.ok_or_else(|| Failure::read(path)("it does not say which sweep it is of"))?;
    Ok((manifest, rows))
}

/// The sweep that a manifest describes, if it has so many rows in all.
fn sweep_of(path: &Path, manifest: &str, rows: usize) -> Result<Sweep, Failure> {
    let unreadable = |cause: String| Failure::read(path)(cause);
    let manifest: Value = serde_json::from_str(manifest).map_err(|error| unreadable(error.to_string()))?;
    let mut sweep = described_sweep(&manifest).map_err(unreadable)?;
    if sweep.race.is_some() {
        return Err(unreadable("its designs raced, so not all of them have all replications".to_owned()));
    }
    let per_replication = sweep.designs.len() * sweep.modes.len();
    if per_replication == 0 || !rows.is_multiple_of(per_replication) {
        return Err(unreadable(format!("{rows} rows are no whole number of replications of {per_replication} runs")));
    }
    sweep.replications = u32::try_from(rows / per_replication).map_err(|error| unreadable(error.to_string()))?;
    Ok(sweep)
}

/// A value as [`Read::text`](crate::columns::Read::text) writes it.
fn in_words(value: &AnyValue<'_>) -> String {
    match value {
        AnyValue::Null => "null".to_owned(),
        AnyValue::Boolean(flag) => flag.to_string(),
        AnyValue::UInt32(number) => number.to_string(),
        AnyValue::UInt64(number) => number.to_string(),
        AnyValue::Float64(number) => number.to_string(),
        AnyValue::String(text) => (*text).to_owned(),
        AnyValue::StringOwned(text) => text.to_string(),
        other => other.to_string(),
    }
}

/// The rows of `front.parquet`, by pairs of objectives.
fn fronts(table: &DataFrame) -> PolarsResult<Vec<RecordedFront>> {
    let words = ["x_metric", "x_mode", "y_metric", "y_mode"].map(|name| table.column(name)?.str());
    let [x_metric, x_mode, y_metric, y_mode] = words;
    let (x_metric, x_mode, y_metric, y_mode) = (x_metric?, x_mode?, y_metric?, y_mode?);
    let (design, tied_with) = (table.column("design")?.u32()?, table.column("tied_with")?.u32()?);
    let on_front = table.column("on_overall_front")?.bool()?;
    let y_method = table.column("y_method")?.str()?;
    let [x, x_lo, x_hi, y, y_lo, y_hi] =
        ["x", "x_lo", "x_hi", "y", "y_lo", "y_hi"].map(|name| table.column(name)?.f64());
    let (x, x_lo, x_hi, y, y_lo, y_hi) = (x?, x_lo?, x_hi?, y?, y_lo?, y_hi?);
    let mut fronts: Vec<RecordedFront> = Vec::new();
    for row in 0..table.height() {
        let [x_metric, x_mode, y_metric, y_mode] =
            [x_metric, x_mode, y_metric, y_mode].map(|column| column.get(row).unwrap_or_default());
        let is_of = |front: &RecordedFront| {
            (front.x_metric.as_str(), front.x_mode.as_str()) == (x_metric, x_mode)
                && (front.y_metric.as_str(), front.y_mode.as_str()) == (y_metric, y_mode)
        };
        let position = fronts.iter().position(is_of).unwrap_or_else(|| {
            fronts.push(RecordedFront {
                x_metric: x_metric.to_owned(),
                x_mode: x_mode.to_owned(),
                y_metric: y_metric.to_owned(),
                y_mode: y_mode.to_owned(),
                x_label: label(x_metric),
                y_label: label(y_metric),
                points: Vec::new(),
            });
            fronts.len() - 1
        });
        fronts[position].points.push(RecordedPoint {
            design: design.get(row).unwrap_or_default(),
            tied_with: tied_with.get(row),
            x: x.get(row),
            x_lo: x_lo.get(row),
            x_hi: x_hi.get(row),
            y: y.get(row),
            y_lo: y_lo.get(row),
            y_hi: y_hi.get(row),
            zero_events: y_method.get(row) == Some("zero_events"),
            on_overall_front: on_front.get(row).unwrap_or_default(),
        });
    }
    Ok(fronts)
}

/// A column as an axis calls it.
fn label(metric: &str) -> String {
    match THEMES.iter().find(|theme| theme.metric == metric) {
        Some(theme) => theme.label.to_owned(),
        None if metric == crate::fronts::LOSS => "valid requests turned away by the breaker".to_owned(),
        None => metric.replace('_', " "),
    }
}
