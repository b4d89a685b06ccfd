//! A finished sweep: its designs and fronts, and any of its runs played again and compared with what the sweep wrote.

use std::path::Path;

use experiments::commands::Failure;
use experiments::figures::FamilyMark;
use experiments::plots;
use experiments::recorded::{Cell, Recorded, RecordedFront, RecordedPoint};
use scenario::{Mode, Opening};
use serde::Serialize;
use serde_json::{Value, json};

use crate::body::Field;
use crate::pool::{PoolHistory, PoolRun};
use crate::{Refusal, rules};

/// The sweep that is open.
#[derive(Clone, Debug)]
pub struct OpenSweep {
    recorded: Recorded,
}

/// A run of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The design's number.
    pub design: u32,
    /// The mode, as an index.
    pub mode: usize,
    /// The replication's number.
    pub replication: u32,
}

/// A run of a sweep, played again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replay {
    /// The design's number.
    pub design: u32,
    /// The history.
    #[serde(flatten)]
    pub history: PoolHistory,
    /// The row of `runs.parquet`, column by column.
    pub comparison: RowComparison,
}

/// A row as the sweep wrote it and as the replay makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RowComparison {
    /// Whether all columns are equal.
    pub all_equal: bool,
    /// Every column of either.
    pub columns: Vec<ColumnComparison>,
}

/// A column as the sweep wrote it and as the replay makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnComparison {
    /// Its name.
    pub column: String,
    /// The value in the file; `None` if it has no such column.
    pub file: Option<String>,
    /// The value of the replay; `None` if it has no such column.
    pub replay: Option<String>,
    /// Whether both are there and the same.
    pub equal: bool,
}

impl RowComparison {
    fn new(file: &[Cell], replay: &[Cell]) -> Self {
        let value_in =
            |row: &[Cell], name: &str| row.iter().find(|cell| cell.column == name).map(|cell| cell.value.clone());
        let only_in_replay = replay.iter().filter(|cell| value_in(file, &cell.column).is_none());
        let columns: Vec<ColumnComparison> = file
            .iter()
            .chain(only_in_replay)
            .map(|cell| {
                let (in_file, in_replay) = (value_in(file, &cell.column), value_in(replay, &cell.column));
                let equal = in_file.is_some() && in_file == in_replay;
                ColumnComparison { column: cell.column.clone(), file: in_file, replay: in_replay, equal }
            })
            .collect();
        Self { all_equal: columns.iter().all(|column| column.equal), columns }
    }
}

impl OpenSweep {
    /// Opens a results folder.
    ///
    /// # Errors
    ///
    /// When it holds no results of a finished sweep.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        Ok(Self { recorded: Recorded::open(folder)? })
    }

    /// The sweep's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.recorded.sweep.name
    }

    /// Designs, modes, replications and fronts.
    #[must_use]
    pub fn listing(&self) -> Value {
        let sweep = &self.recorded.sweep;
        let mode = |mode: &Mode| {
            let opening = if mode.opening_during_fault() == Opening::Right { "right" } else { "false" };
            json!({ "name": mode.name, "opening": opening })
        };
        let design = |design: &experiments::sweep_file::Design| {
            json!({
                "design": design.number,
                "label": design.rule.to_string(),
                "rule": design.rule.name(),
                "parameters": rules::in_words(&design.rule),
                "equivalent_to": design.equivalent_to,
            })
        };
        let family = |(rule, mark): &(&'static str, FamilyMark)| json!({ "rule": rule, "colour": mark.colour, "path": mark.path });
        json!({
            "name": sweep.name,
            "folder": self.recorded.folder().display().to_string(),
            "root_seed": sweep.root_seed,
            "replications": sweep.replications,
            "slots": sweep.scenario.slots,
            "modes": sweep.modes.iter().map(mode).collect::<Vec<_>>(),
            "designs": sweep.designs.iter().map(design).collect::<Vec<_>>(),
            "families": plots::family_marks(sweep).iter().map(family).collect::<Vec<_>>(),
            "fronts": self.recorded.fronts.iter().map(|front| self.front(front)).collect::<Vec<_>>(),
            "notes": self.recorded.notes.iter().map(|note| sentence(note)).collect::<Vec<_>>(),
        })
    }

    fn front(&self, front: &RecordedFront) -> Value {
        #[derive(Serialize)]
        struct Labelled<'a> {
            label: String,
            rule: &'static str,
            #[serde(flatten)]
            point: &'a RecordedPoint,
        }
        let designs = &self.recorded.sweep.designs;
        let points = front.points.iter().filter_map(|point| {
            let rule = designs.get(point.design as usize)?.rule;
            Some(Labelled { label: rule.to_string(), rule: rule.name(), point })
        });
        json!({
            "x_metric": front.x_metric,
            "x_mode": front.x_mode,
            "y_metric": front.y_metric,
            "y_mode": front.y_mode,
            "x_label": front.x_label,
            "y_label": front.y_label,
            "points": points.collect::<Vec<_>>(),
        })
    }

    /// Reads which run is wanted.
    ///
    /// # Errors
    ///
    /// When a key is unknown or missing, or the sweep has no such run.
    pub fn read(&self, body: &Value) -> Result<Point, Refusal> {
        let sweep = &self.recorded.sweep;
        let root = Field::root(body).section(&["design", "mode", "replication"])?;
        let last_design = sweep.designs.len() as u64 - 1;
        let design = root.required("design", &format!("give the number of a design, 0 to {last_design}"))?;
        let design = design.whole(0, last_design)? as u32;
        let names: Vec<&str> = sweep.modes.iter().map(|mode| mode.name.as_str()).collect();
        let mode = root.required("mode", &format!("give one of {}", crate::body::quoted(&names, '"')))?;
        let mode = mode.choice(&names)?;
        let last_replication = u64::from(sweep.replications) - 1;
        let replication = root.optional("replication").map_or(Ok(0), |field| field.whole(0, last_replication))?;
        Ok(Point { design, mode, replication: replication as u32 })
    }

    /// Plays a run again and compares it with its row.
    ///
    /// # Errors
    ///
    /// When the row cannot be read, or the run is too large for a page.
    pub fn replay(&self, point: Point) -> Result<Replay, Refusal> {
        let Point { design, mode, replication } = point;
        let sweep = &self.recorded.sweep;
        let run =
            PoolRun { scenario: &sweep.scenario, mode: &sweep.modes[mode], rule: &sweep.designs[design as usize].rule };
        let (history, record) = run.history(sweep.root_seed, replication)?;
        let unreadable = |failure: Failure| Refusal::new(500, format!("{failure}."));
        let file = self.recorded.row(design, mode, replication).map_err(unreadable)?;
        let replay = self.recorded.row_of(design, mode, replication, &record);
        Ok(Replay { design, history, comparison: RowComparison::new(&file, &replay) })
    }
}

/// A note as a sentence that stands by itself.
fn sentence(note: &str) -> String {
    let mut letters = note.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let stop = if note.ends_with(['.', '?', '!']) { "" } else { "." };
    first.chain(letters.as_str().chars()).chain(stop.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_seen() {
        let row = |values: &[(&str, &str)]| -> Vec<Cell> {
            values.iter().map(|&(column, value)| Cell { column: column.to_owned(), value: value.to_owned() }).collect()
        };
        let file = row(&[("requests", "5"), ("calls", "4"), ("old", "1")]);
        let comparison = RowComparison::new(&file, &row(&[("requests", "5"), ("calls", "3"), ("new", "1")]));
        let equal: Vec<_> = comparison.columns.iter().map(|column| (column.column.as_str(), column.equal)).collect();
        assert_eq!(equal, [("requests", true), ("calls", false), ("old", false), ("new", false)]);
        assert!(!comparison.all_equal);
        assert!(RowComparison::new(&file, &file).all_equal);
    }
}
