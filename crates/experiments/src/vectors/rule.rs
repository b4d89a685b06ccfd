//! The rule of a vector: its library, version and settings.

use policies::{AnyRule, Library, Settings, Value as Setting, Written};
use serde_json::{Map, Value};

use super::{Vector, VectorError};
use crate::shortened::shortened;

/// The rule that a vector was recorded from.
///
/// # Errors
///
/// If the library or its version is not known, or it has no such settings.
pub fn rule(vector: &Vector) -> Result<AnyRule, VectorError> {
    let Vector { library: name, version, settings, .. } = vector;
    let library = Library::recorded(name, version).ok_or_else(|| unknown(name, version))?;
    let mut given = Settings::new();
    // Recorders leave time-outs off unless a vector is about them.
    if library.name == "opossum" {
        given.set("timeout", Setting::Flag(false));
    }
    read(library, "", settings, &mut given)?;
    library.build(&given).map_err(|error| VectorError::at("settings", error.to_string()))
}

fn unknown(name: &str, version: &str) -> VectorError {
    let known = policies::libraries().iter();
    let versions: Vec<_> =
        known.clone().filter(|library| library.recorded_as == name).map(|library| library.version).collect();
    if versions.is_empty() {
        let known: Vec<_> = known.map(|library| format!("\"{}\" {}", library.recorded_as, library.version)).collect();
        return VectorError::at(
            "library",
            format!("\"{}\" is unknown; known are {}", shortened(name), known.join(", ")),
        );
    }
    VectorError::at(
        "version",
        format!("{} of \"{name}\" is unknown; known is {}", shortened(version), versions.join(" and ")),
    )
}

/// Reads settings; those of an object within them have dotted names.
fn read(
    library: &Library,
    prefix: &str,
    settings: &Map<String, Value>,
    given: &mut Settings,
) -> Result<(), VectorError> {
    for (key, value) in settings {
        let name = format!("{prefix}{key}");
        let written = match value {
            Value::Object(inner) => {
                read(library, &format!("{name}."), inner, given)?;
                continue;
            }
            Value::Number(number) => number.as_f64().map(Written::Number),
            Value::Bool(flag) => Some(Written::Flag(*flag)),
            Value::String(text) => Some(Written::Text(text)),
            Value::Array(_) | Value::Null => None,
        };
        let key = format!("settings.{name}");
        let written = written.ok_or_else(|| {
            VectorError::at(&*key, format!("{} is no number, text or truth value", shortened(&value.to_string())))
        })?;
        let (name, value) = library.read(&name, written).map_err(|error| VectorError::at(key, error.to_string()))?;
        given.set(name, value);
    }
    Ok(())
}
