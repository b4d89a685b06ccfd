//! Finding out what a text is, and the steps that all libraries share.

use policies::{Library, RuleError, Settings, Value as Setting, Written};

use super::tree::{Entry, Node, Value};
use super::{
    FormatError, FormatErrors, Imported, Source, Units, cockatiel, gobreaker, hystrix, javascript, opossum, properties,
    resilience4j, rule_table, sentinel, yaml,
};
use crate::sweep_file;

/// Properties of a file at most.
const MOST_PROPERTIES: usize = 5_000;

/// Keys by which a library's options are told from others'.
const TELLTALES: [(Source, &[&str]); 5] = [
    (Source::Opossum, &["errorThresholdPercentage", "volumeThreshold", "resetTimeout", "rollingCountTimeout"]),
    (Source::Cockatiel, &["halfOpenAfter", "halfOpenAfter_ms", "breaker"]),
    (Source::Sentinel, &["grade", "timeWindow", "statIntervalMs", "slowRatioThreshold"]),
    (Source::Gobreaker, &["ReadyToTrip", "MaxRequests", "Interval", "BucketPeriod", "Timeout"]),
    (Source::Resilience4j, &["resilience4j", "resilience4j.circuitbreaker"]),
];

pub(super) fn read(
    file: &str,
    text: &str,
    source: Option<Source>,
    units: Units,
) -> Result<Vec<Imported>, FormatErrors> {
    let ending = file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let breakers = match ending.as_str() {
        "properties" => {
            let properties = properties::read(text);
            if let Some(last) = properties.get(MOST_PROPERTIES) {
                let problem = format!("there are more than {MOST_PROPERTIES} properties: keep those of breakers");
                return Err(FormatError::new(last.line, "", problem).into());
            }
            let is_hystrix = properties.iter().any(|property| property.key.starts_with("hystrix."));
            match source.unwrap_or(if is_hystrix { Source::Hystrix } else { Source::Resilience4j }) {
                Source::Hystrix => hystrix::import(&properties, units)?,
                _ => resilience4j::import_properties(&properties, units)?,
            }
        }
        "yml" | "yaml" => resilience4j::import_documents(&yaml::read(text)?, units)?,
        "go" => gobreaker::import_go(text, units)?,
        _ if source == Some(Source::Gobreaker) && !text.trim_start().starts_with('{') => {
            gobreaker::import_go(text, units)?
        }
        _ => from_literals(text, source, units)?,
    };
    if breakers.is_empty() {
        let problem = "no circuit breaker is configured here: name the library with --from if its keys are unusual";
        return Err(FormatError::new(0, "", problem.to_owned()).into());
    }
    FormatErrors::collect(breakers.iter().map(|breaker| can_be_swept(breaker).map_err(FormatErrors::from)))?;
    Ok(breakers)
}

/// A rule that no sweep file can say, such as one that is open for centuries, would be of no use there.
fn can_be_swept(breaker: &Imported) -> Result<(), FormatError> {
    match sweep_file::parse("sweep.toml", &rule_table(&breaker.rule), &[], None) {
        Ok(_) => Ok(()),
        Err(error) => {
            let finding = &error.findings()[0];
            let key = finding.key.trim_start_matches("rule.0.");
            Err(FormatError::new(breaker.line, key, format!("{}; {}", finding.problem, finding.remedy)))
        }
    }
}

/// Object literals: JSON, JavaScript, TypeScript.
fn from_literals(text: &str, source: Option<Source>, units: Units) -> Result<Vec<Imported>, FormatErrors> {
    let elements = javascript::read(text)?.into_iter().flat_map(|literal| match literal {
        Node { value: Value::List(elements), .. } => elements,
        table => vec![table],
    });
    let breakers = FormatErrors::collect(elements.map(|element| from_literal(&element, source, units)))?;
    Ok(breakers.concat())
}

fn from_literal(node: &Node, source: Option<Source>, units: Units) -> Result<Vec<Imported>, FormatErrors> {
    let has = |key: &&str| node.get(key).is_some();
    let looks_like = |keys: &[&str]| keys.iter().any(has);
    let told = TELLTALES.into_iter().filter(|(_, keys)| looks_like(keys)).map(|(source, _)| source).next();
    let one = |imported: Result<Imported, FormatErrors>| imported.map(|imported| vec![imported]);
    match source.or(told) {
        _ if node.entries().is_empty() => Ok(Vec::new()),
        // A text may hold other literals beside the options.
        Some(source) if told.is_none() && !matches!(source, Source::Opossum | Source::Sentinel) => Ok(Vec::new()),
        Some(Source::Opossum) => one(opossum::import(node, units)),
        Some(Source::Cockatiel) => one(cockatiel::import(node, units)),
        Some(Source::Sentinel) => one(sentinel::import(node, units)),
        Some(Source::Gobreaker) => one(gobreaker::import_json(node, units)),
        Some(Source::Resilience4j) => resilience4j::import_documents(std::slice::from_ref(node), units),
        Some(Source::Hystrix) => {
            let problem = "Hystrix is read from a properties file: name it so that it ends in .properties";
            Err(FormatError::new(node.line, "", problem.to_owned()).into())
        }
        None => Ok(Vec::new()),
    }
}

/// Settings that are being read.
pub(super) struct Builder {
    library: &'static Library,
    name: String,
    line: usize,
    settings: Settings,
    notes: Vec<String>,
}

impl Builder {
    /// Nothing has been read yet of the breaker `name`, whose configuration begins on `line`.
    pub(super) fn new(library: &'static str, name: &str, line: usize) -> Self {
        let library = Library::named(library).expect("a library that is known");
        Self { library, name: name.to_owned(), line, settings: Settings::new(), notes: Vec::new() }
    }

    pub(super) fn set(&mut self, name: &'static str, value: Setting) {
        self.settings.set(name, value);
    }

    pub(super) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// A setting as the library's own texts have it.
    pub(super) fn read(&mut self, name: &str, line: usize, written: Written<'_>) -> Result<(), FormatError> {
        let (name, value) =
            self.library.read(name, written).map_err(|error| FormatError::new(line, name, error.to_string()))?;
        self.settings.set(name, value);
        Ok(())
    }

    /// A number, once `check` has looked at its unit.
    pub(super) fn number(
        &mut self,
        entry: &Entry,
        check: impl FnOnce(f64) -> Result<f64, String>,
    ) -> Result<(), FormatError> {
        self.number_as(&entry.key, entry, check)
    }

    /// The same under another name than the entry's.
    pub(super) fn number_as(
        &mut self,
        name: &str,
        entry: &Entry,
        check: impl FnOnce(f64) -> Result<f64, String>,
    ) -> Result<(), FormatError> {
        let wrong = |problem| FormatError::new(entry.value.line, &entry.key, problem);
        let number = super::units::number(&entry.value).and_then(check).map_err(wrong)?;
        self.read(name, entry.value.line, Written::Number(number))
    }

    /// A number, truth value or word without a unit.
    pub(super) fn plain(&mut self, entry: &Entry) -> Result<(), FormatError> {
        let line = entry.value.line;
        match &entry.value.value {
            Value::Number(_) => self.number(entry, Ok),
            Value::Flag(flag) => self.read(&entry.key, line, Written::Flag(*flag)),
            Value::Text(text) => self.read(&entry.key, line, Written::Text(text)),
            _ => Err(FormatError::new(line, &entry.key, format!("{} is no value for it", entry.value.in_words()))),
        }
    }

    /// An entry that no rule holds, and that changes what the breaker does.
    pub(super) fn refuse(entry: &Entry, why: &str) -> FormatError {
        FormatError::new(entry.line, &entry.key, why.to_owned())
    }

    /// A key that the library does not have.
    pub(super) fn unknown(entry: &Entry, known: &[&str]) -> FormatError {
        let guess = crate::did_you_mean::did_you_mean(&entry.key, known);
        let guess = guess.map(|guess| format!("; did you mean `{guess}`?")).unwrap_or_default();
        FormatError::new(entry.line, &entry.key, format!("the library has no such option{guess}"))
    }

    pub(super) fn finish(self) -> Result<Imported, FormatError> {
        let Self { library, name, line, settings, notes } = self;
        let rule = library.build(&settings).map_err(|error| {
            let key = match &error {
                RuleError::Missing { parameter, .. } | RuleError::Refused { parameter, .. } => parameter,
                _ => "",
            };
            FormatError::new(line, key, error.to_string())
        })?;
        Ok(Imported { name, line, rule, notes })
    }
}
