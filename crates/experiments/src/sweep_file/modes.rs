//! Modes: the given ones, and `[[mode]]` timelines of the user's own.

use engine::{Duration, Time};
use scenario::service::RegimeOptions;
use scenario::{Mode, Regime, Start};

use super::document::{Place, Report, Value, clipped};
use super::field::{Field, Section, suggestion};
use super::units::parse_duration;
use super::world::{RegimeNumbers, World};

/// The most modes that a sweep may have: tables and figures of more would be beyond reading.
const MAX_MODES: usize = 64;

/// A mode with the places of its regimes' starts.
#[derive(Clone, Debug)]
pub(super) struct PlacedMode {
    pub(super) mode: Mode,
    /// Where each regime's start is written, with its path; `None` for a given mode, whose starts are the scenario's.
    pub(super) starts: Option<Vec<(Place, String)>>,
}

/// The modes to run, and the names of those that are defined and not run.
#[derive(Clone, Debug)]
pub(super) struct Modes {
    pub(super) run: Vec<PlacedMode>,
    pub(super) unused: Vec<String>,
}

/// Reads `modes` and every `[[mode]]`.
pub(super) fn read(root: &mut Section<'_>, world: &World, report: &mut Report<'_>) -> Modes {
    let names = root.optional("modes").map(|field| names(&field, report));
    let own = own_modes(root, world, report);
    let Some(names) = names else {
        let given = Mode::GIVEN.iter().filter(|name| !own.iter().any(|mode| mode.mode.name == **name));
        let mut run: Vec<_> = given.filter_map(|name| given_mode(name, world)).collect();
        let number_given = run.len();
        run.extend(own);
        if run.len() > MAX_MODES {
            let problem = format!("{number_given} given modes and {} own ones would run", run.len() - number_given);
            report.add(root.place(), "modes", problem, format!("list at most {MAX_MODES} of them in `modes`"));
        }
        return Modes { run, unused: Vec::new() };
    };
    let mut run = Vec::new();
    for (name, field) in &names {
        let own = own.iter().find(|mode| mode.mode.name == *name).cloned();
        match own.or_else(|| given_mode(name, world)) {
            Some(mode) => run.push(mode),
            None => {
                let known: Vec<&str> = own_names(root).into_iter().chain(Mode::GIVEN).collect();
                // A mode that is there and could not be read has been reported.
                if !known.contains(name) || Mode::GIVEN.contains(name) {
                    let remedy =
                        format!("{}; or define it with [[mode]]", suggestion(name, &known, "use one of these"));
                    field.blame(report, format!("there is no mode \"{}\"", clipped(name)), remedy);
                }
            }
        }
    }
    let unused = own.iter().map(|mode| mode.mode.name.clone());
    let unused = unused.filter(|name| !names.iter().any(|(listed, _)| listed == name)).collect();
    Modes { run, unused }
}

/// The names in `modes`, each once.
fn names<'a>(field: &Field<'a>, report: &mut Report<'_>) -> Vec<(&'a str, Field<'a>)> {
    const EXAMPLE: &str = "[\"healthy\", \"partial\", \"slowdown\", \"down\"]";
    let Some(elements) = field.elements() else {
        field.mismatch(report, "a list of modes", EXAMPLE);
        return Vec::new();
    };
    let mut names: Vec<(&str, Field<'_>)> = Vec::new();
    for element in elements {
        let Some(name) = element.text("the name of a mode", "\"healthy\"", report) else { continue };
        if names.iter().any(|(known, _)| *known == name) {
            element.blame(report, format!("the mode \"{}\" is listed twice", clipped(name)), "list every mode once");
        } else {
            names.push((name, element));
        }
    }
    if names.is_empty() && report.is_clean() {
        field.blame(
            report,
            "no mode is listed",
            format!("list at least one, such as modes = {EXAMPLE}, or leave the key out"),
        );
    }
    if names.len() > MAX_MODES {
        field.blame(report, format!("{} modes are listed", names.len()), format!("list at most {MAX_MODES}"));
    }
    names
}

fn given_mode(name: &str, world: &World) -> Option<PlacedMode> {
    let mut mode = Mode::given(name, world.heal_after)?;
    for (_, regime) in &mut mode.timeline {
        if let Some(changed) = world.regimes.iter().find(|changed| changed.name == regime.name) {
            regime.clone_from(changed);
        }
    }
    Some(PlacedMode { mode, starts: None })
}

/// The names that `[[mode]]` tables have, readable or not.
fn own_names<'a>(root: &mut Section<'a>) -> Vec<&'a str> {
    let tables = root.optional("mode").and_then(|field| field.elements());
    let names = tables.into_iter().flatten().filter_map(|field| match &field.node.value {
        Value::Table(table) => match &table.entries.get("name")?.1.value {
            Value::Text(name) => Some(name.as_str()),
            _ => None,
        },
        _ => None,
    });
    names.collect()
}

fn own_modes(root: &mut Section<'_>, world: &World, report: &mut Report<'_>) -> Vec<PlacedMode> {
    let Some(field) = root.optional("mode") else { return Vec::new() };
    let sections = field.sections(report);
    if sections.len() > MAX_MODES {
        field.blame(report, format!("{} modes are defined", sections.len()), format!("define at most {MAX_MODES}"));
        return Vec::new();
    }
    let mut modes: Vec<PlacedMode> = Vec::new();
    for section in sections {
        let (place, path) = (section.place(), section.path_of("name"));
        let Some(mode) = own_mode(section, world, report) else { continue };
        if modes.iter().any(|known| known.mode.name == mode.mode.name) {
            let problem = format!("the mode \"{}\" is defined twice", mode.mode.name);
            report.add(place, &path, problem, "give one of them another name");
        } else {
            modes.push(mode);
        }
    }
    modes
}

fn own_mode(mut section: Section<'_>, world: &World, report: &mut Report<'_>) -> Option<PlacedMode> {
    let name = section.required("name", "name = \"brownout\"", report).and_then(|field| field.name("brownout", report));
    let regimes = section.required("regime", "[[mode.regime]] with `at` and `regime`, twice or more", report);
    section.finish(report);
    let regimes = regimes?;
    let tables = regimes.sections(report);
    let count = tables.len();
    let mut timeline = Vec::new();
    let mut starts = Vec::new();
    for table in tables {
        let place = table.place();
        let path = table.path_of("at");
        if let Some((start, at_place, regime)) = own_regime(table, world, report) {
            timeline.push((start, regime));
            starts.push((at_place.unwrap_or(place), path));
        }
    }
    if count == 1 {
        let remedy = "add a second [[mode.regime]] for the fault, such as at = \"fault\", regime = \"down\"";
        regimes.blame(report, "a mode of one regime has no fault", remedy);
    }
    if timeline.len() < count || count < 2 {
        return None;
    }
    if timeline[0].0 != Start::At(Time::ZERO) {
        report.add(starts[0].0, &starts[0].1, "the first regime does not start with the run", "write at = \"0s\"");
        return None;
    }
    Some(PlacedMode { mode: Mode { name: name?.to_owned(), timeline }, starts: Some(starts) })
}

fn own_regime(
    mut section: Section<'_>,
    world: &World,
    report: &mut Report<'_>,
) -> Option<(Start, Option<Place>, Regime)> {
    let at = section.required("at", "at = \"fault\"", report);
    let at_place = at.as_ref().map(|field| field.node.place);
    let start = at.and_then(|field| start(&field, report));
    let base_field = section.optional("regime");
    let has_base = base_field.is_some();
    let base = base_field.and_then(|field| field.word(&Mode::GIVEN, report));
    let base = base.and_then(|name| world.regimes.iter().find(|regime| regime.name == name));
    let name = section.optional("name");
    let has_name = name.is_some();
    let name = name.and_then(|field| field.name("brownout", report)).map(str::to_owned);
    let numbers = RegimeNumbers::read(&mut section, report);
    if !has_base {
        require_all(&section, has_name, report);
    }
    section.finish(report);
    let regime = match base {
        Some(base) => {
            let mut regime = base.clone();
            numbers.apply(&mut regime);
            regime.name = name.unwrap_or(regime.name);
            regime
        }
        None if has_base => return None,
        None => {
            let mut options = RegimeOptions::default();
            numbers.options.apply(&mut options);
            Regime {
                name: name?,
                failure_probability: numbers.failure_probability?,
                success_hold: numbers.success_hold?,
                failure_hold: numbers.failure_hold?,
                opening: numbers.opening?,
                options,
            }
        }
    };
    Some((start?, at_place, regime))
}

/// A regime that builds on no given one needs every number.
fn require_all(section: &Section<'_>, has_name: bool, report: &mut Report<'_>) {
    let mut missing: Vec<_> = ["failure_probability", "success_hold", "failure_hold", "opening"]
        .into_iter()
        .filter(|key| !section.has(key))
        .collect();
    if !has_name {
        missing.insert(0, "name");
    }
    if !missing.is_empty() {
        let missing: Vec<_> = missing.iter().map(|key| format!("`{key}`")).collect();
        let problem = format!("the regime lacks {}", missing.join(", "));
        let remedy = "add them, or build on a given regime, such as regime = \"healthy\", and change what differs";
        report.add(section.place(), section.path(), problem, remedy);
    }
}

/// "0s", "fault" or "fault + 3s".
fn start(field: &Field<'_>, report: &mut Report<'_>) -> Option<Start> {
    const REMEDY: &str = "write an instant such as \"0s\", or \"fault\", or \"fault + 3s\"";
    if !matches!(field.node.value, Value::Text(_)) {
        return field.duration("0s", report).map(|at| Start::At(Time::ZERO + at));
    }
    let text = field.text("an instant", "\"0s\"", report)?.trim();
    let Some(rest) = text.strip_prefix("fault") else {
        return match parse_duration(text) {
            Ok(at) => Some(Start::At(Time::ZERO + at)),
            Err((problem, _)) => {
                field.blame(report, problem, REMEDY);
                None
            }
        };
    };
    let rest = rest.trim();
    if rest.is_empty() {
        return Some(Start::AfterFault(Duration::ZERO));
    }
    match rest.strip_prefix('+').map(parse_duration) {
        Some(Ok(after)) => Some(Start::AfterFault(after)),
        Some(Err((problem, _))) => {
            field.blame(report, problem, REMEDY);
            None
        }
        None => {
            field.blame(report, format!("\"{}\" is no instant", clipped(text)), REMEDY);
            None
        }
    }
}
