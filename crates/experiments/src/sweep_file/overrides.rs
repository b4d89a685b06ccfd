//! `--set a.b=value`: single values replaced from the command line.

use super::document::{Node, Place, Report, Table, Value, clipped, parse_value};

/// No path of a sweep file is deeper.
const MAX_DEPTH: usize = 12;

/// Puts the value of each argument at its path; what cannot be done is reported.
pub(super) fn apply(root: &mut Table, overrides: &[String], report: &mut Report<'_>) {
    for (number, argument) in overrides.iter().enumerate() {
        let place = Place::Override(number);
        let Some((path, text)) = argument.split_once('=') else {
            report.add(place, "", "there is no `=`", "write --set KEY=VALUE, such as --set scenario.slots=64");
            continue;
        };
        let (path, text) = (path.trim(), text.trim());
        let segments: Vec<&str> = path.split('.').map(str::trim).collect();
        if segments.iter().any(|segment| segment.is_empty()) || segments.len() > MAX_DEPTH {
            report.add(
                place,
                "",
                format!("`{}` is no path of keys", clipped(path)),
                "join keys with single dots and number lists from 0, such as rule.1.open_for",
            );
            continue;
        }
        if let Some(node) = value(path, text, place, report) {
            put(root, &segments, node, report);
        }
    }
}

/// The value as TOML, or as plain text where it is no TOML and does not try to be.
fn value(path: &str, text: &str, place: Place, report: &mut Report<'_>) -> Option<Node> {
    if text.is_empty() {
        report.add(place, path, "no value follows the `=`", "write one, such as --set scenario.slots=64");
        return None;
    }
    match parse_value(text, place) {
        Ok(node) => Some(node),
        Err(message) if text.starts_with(['[', '{', '"', '\'']) => {
            report.add(
                place,
                path,
                format!("the value is not TOML: {}", clipped(&message)),
                "quote each text in it and protect the quotes from the shell, such as --set 'rule.1.open_for=[\"1s\", \"2s\"]'",
            );
            None
        }
        Err(_) => Some(Node { place, value: Value::Text(text.to_owned()) }),
    }
}

/// Why a value cannot be put: the path up to which all was well, the problem and the remedy.
type Refusal = (String, String, String);

fn put(root: &mut Table, segments: &[&str], node: Node, report: &mut Report<'_>) {
    let place = node.place;
    let mut table = root;
    let mut done = 0;
    let refusal = loop {
        if done + 1 == segments.len() {
            break replace(table, segments, node);
        }
        table = match step_into(table, segments, &mut done, place) {
            Ok(inner) => inner,
            Err(refusal) => break Err(refusal),
        };
    };
    if let Err((path, problem, remedy)) = refusal {
        report.add(place, &path, problem, remedy);
    }
}

/// Puts the value at the last segment, whatever was there; only a list of tables is not replaced by something else.
fn replace(table: &mut Table, segments: &[&str], node: Node) -> Result<(), Refusal> {
    let key = segments[segments.len() - 1];
    if let Some((_, old)) = table.entries.get(key)
        && let Value::List(elements) = &old.value
        && is_tables(elements)
        && !matches!(node.value, Value::List(_))
    {
        let path = segments.join(".");
        let remedy = which_one(&path, elements.len());
        return Err((path, "this is a list of tables".to_owned(), remedy));
    }
    table.entries.insert(key.to_owned(), (node.place, node));
    Ok(())
}

/// The table at the next segment, or at the next two where the first is a list; made if it is not there.
fn step_into<'t>(
    table: &'t mut Table,
    segments: &[&str],
    done: &mut usize,
    place: Place,
) -> Result<&'t mut Table, Refusal> {
    let path = segments[..=*done].join(".");
    let next = segments[*done + 1];
    if !table.entries.contains_key(segments[*done])
        && next.parse::<usize>().is_ok()
        && let Some(remedy) = how_to_begin(&path, segments[*done])
    {
        return Err((path, format!("there is no `{}` {}", segments[*done], clipped(next)), remedy));
    }
    let empty = || (place, Node { place, value: Value::Table(Table::default()) });
    let (_, node) = table.entries.entry(segments[*done].to_owned()).or_insert_with(empty);
    *done += 1;
    let found = node.value.describe();
    match &mut node.value {
        Value::Table(inner) => Ok(inner),
        Value::List(elements) if is_tables(elements) => {
            let count = elements.len();
            *done += 1;
            let element = next.parse::<usize>().ok().and_then(|number| elements.get_mut(number));
            match element.map(|element| &mut element.value) {
                Some(Value::Table(inner)) if *done < segments.len() => Ok(inner),
                Some(_) => {
                    let remedy = which_one(&path, count);
                    Err((path, format!("table {next} cannot be replaced as a whole"), remedy))
                }
                None => {
                    let remedy = which_one(&path, count);
                    Err((path, format!("`{}` is not the number of one of its {count} tables", clipped(next)), remedy))
                }
            }
        }
        _ => {
            let remedy = format!("set it as a whole: --set {}=…", clipped(&path));
            Err((path, format!("this is {found}, which has no `{}`", clipped(next)), remedy))
        }
    }
}

/// What to write instead of an element of a list that is not there; `None` for what is no list.
fn how_to_begin(path: &str, key: &str) -> Option<String> {
    let written = match key {
        "mode" => {
            "{ name = \"brownout\", regime = [{ at = \"0s\", regime = \"healthy\" }, { at = \"fault\", regime = \"down\" }] }"
        }
        "regime" => "{ at = \"0s\", regime = \"healthy\" }, { at = \"fault\", regime = \"down\" }",
        "rule" => "{ kind = \"none\" }",
        "modes" => return Some("list them all, such as --set 'modes=[\"healthy\", \"down\"]'".to_owned()),
        _ => return None,
    };
    let names = path.split('.').filter(|segment| segment.parse::<usize>().is_err());
    let header = names.collect::<Vec<_>>().join(".");
    Some(format!("add a [[{header}]] to the file, or write it whole, such as --set '{path}=[{written}]'"))
}

fn is_tables(elements: &[Node]) -> bool {
    !elements.is_empty() && elements.iter().all(|element| matches!(element.value, Value::Table(_)))
}

fn which_one(path: &str, count: usize) -> String {
    if count == 1 {
        format!("say which and what: --set {path}.0.KEY=VALUE, as the file has one")
    } else {
        format!("say which and what: --set {path}.N.KEY=VALUE with N from 0 to {}", count - 1)
    }
}
