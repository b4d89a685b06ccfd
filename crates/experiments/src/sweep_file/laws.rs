//! Random laws: how long things hold, and how requests arrive.

use engine::{Distribution, Duration};
use scenario::ArrivalProcess;

use super::document::{Place, Report, Value};
use super::field::{Field, Section};

const ARRIVALS_EXAMPLE: &str = "{ kind = \"poisson\", rate = \"97.22/s\" }";
const HOLD_EXAMPLE: &str = "\"40ms\"";

/// Where the numbers of an arrival process are written that decide how much a run has to do, each with its path.
#[derive(Clone, Debug)]
pub(super) struct ArrivalPlaces {
    /// The rate, and of two the higher one.
    pub(super) rate: (Place, String),
    /// The shorter of the mean stays in the two states; the process itself where there are none.
    pub(super) stay: (Place, String),
}

impl Field<'_> {
    /// Where the numbers of an arrival process, read from this value, are written.
    pub(super) fn arrival_places(&self, process: &ArrivalProcess) -> ArrivalPlaces {
        let (rate, stay) = match *process {
            ArrivalProcess::Poisson { .. } | ArrivalProcess::Even { .. } => ("rate", "kind"),
            ArrivalProcess::Bursty { quiet_rate, burst_rate, mean_quiet, mean_burst } => (
                if quiet_rate > burst_rate { "quiet_rate" } else { "burst_rate" },
                if mean_quiet < mean_burst { "mean_quiet" } else { "mean_burst" },
            ),
        };
        let place = |key: &str| match &self.node.value {
            Value::Table(table) => table.entries.get(key).map(|(_, node)| (node.place, format!("{}.{key}", self.path))),
            _ => None,
        };
        let whole = || (self.node.place, self.path.clone());
        ArrivalPlaces { rate: place(rate).unwrap_or_else(whole), stay: place(stay).unwrap_or_else(whole) }
    }

    /// The value as the law of a hold: a duration, or a table with a `kind`.
    pub(super) fn distribution(&self, report: &mut Report<'_>) -> Option<Distribution> {
        if !matches!(self.node.value, Value::Table(_)) {
            let expected_table = matches!(self.node.value, Value::List(_) | Value::Boolean(_) | Value::Date(_));
            if expected_table {
                self.mismatch(report, "a duration or a table with a `kind`", HOLD_EXAMPLE);
                return None;
            }
            return self.positive_duration("40ms", report).map(Distribution::Deterministic);
        }
        let mut section = self.section(HOLD_EXAMPLE, report)?;
        let kind = section
            .required("kind", "kind = \"exponential\"", report)?
            .word(&["deterministic", "uniform", "exponential", "lognormal", "weibull", "empirical"], report)?;
        let law = match kind {
            "deterministic" => time(&mut section, "value", report).map(Distribution::Deterministic),
            "uniform" => uniform(self, &mut section, report),
            "exponential" => time(&mut section, "mean", report).map(|mean| Distribution::Exponential { mean }),
            "lognormal" => {
                let (median, sigma) = (time(&mut section, "median", report), sigma(&mut section, report));
                median.zip(sigma).map(|(median, sigma)| Distribution::LogNormal { median, sigma })
            }
            "weibull" => {
                let (scale, shape) = (time(&mut section, "scale", report), shape(&mut section, report));
                scale.zip(shape).map(|(scale, shape)| Distribution::Weibull { scale, shape })
            }
            _ => empirical(&mut section, report),
        };
        section.finish(report);
        law
    }

    /// The value as an arrival process: a rate, which is that of a Poisson process, or a table with a `kind`.
    pub(super) fn arrivals(&self, report: &mut Report<'_>) -> Option<ArrivalProcess> {
        if !matches!(self.node.value, Value::Table(_)) {
            return self.rate("97.22/s", report).map(|rate| ArrivalProcess::Poisson { rate });
        }
        let mut section = self.section(ARRIVALS_EXAMPLE, report)?;
        let kind =
            section.required("kind", "kind = \"poisson\"", report)?.word(&["poisson", "even", "bursty"], report)?;
        let process =
            match kind {
                "poisson" => rate(&mut section, "rate", report).map(|rate| ArrivalProcess::Poisson { rate }),
                "even" => rate(&mut section, "rate", report).map(|rate| ArrivalProcess::Even { rate }),
                _ => {
                    let rates = rate(&mut section, "quiet_rate", report).zip(rate(&mut section, "burst_rate", report));
                    let means = time(&mut section, "mean_quiet", report).zip(time(&mut section, "mean_burst", report));
                    rates.zip(means).map(|((quiet_rate, burst_rate), (mean_quiet, mean_burst))| {
                        ArrivalProcess::Bursty { quiet_rate, burst_rate, mean_quiet, mean_burst }
                    })
                }
            };
        section.finish(report);
        process
    }
}

fn time(section: &mut Section<'_>, key: &'static str, report: &mut Report<'_>) -> Option<Duration> {
    section.required(key, &format!("{key} = \"40ms\""), report)?.positive_duration("40ms", report)
}

fn rate(section: &mut Section<'_>, key: &'static str, report: &mut Report<'_>) -> Option<f64> {
    section.required(key, &format!("{key} = \"97.22/s\""), report)?.rate("97.22/s", report)
}

fn sigma(section: &mut Section<'_>, report: &mut Report<'_>) -> Option<f64> {
    let field = section.required("sigma", "sigma = 0.5", report)?;
    field.number("a number that is not negative", "0.5", |sigma| sigma >= 0.0, report)
}

fn shape(section: &mut Section<'_>, report: &mut Report<'_>) -> Option<f64> {
    let field = section.required("shape", "shape = 1.5", report)?;
    field.number("a number above 0", "1.5", |shape| shape > 0.0, report)
}

fn uniform(field: &Field<'_>, section: &mut Section<'_>, report: &mut Report<'_>) -> Option<Distribution> {
    let mut end = |key, report: &mut Report<'_>| {
        section.required(key, &format!("{key} = \"40ms\""), report)?.duration("40ms", report)
    };
    let (from, to) = (end("from", report), end("to", report));
    let (from, to) = (from?, to?);
    if from >= to {
        field.blame(report, format!("`from` = {from} is not before `to` = {to}"), "let `from` be the shorter one");
        return None;
    }
    Some(Distribution::Uniform { from, to })
}

/// The values in ascending order, as the law wants them: their order in the file means nothing.
fn empirical(section: &mut Section<'_>, report: &mut Report<'_>) -> Option<Distribution> {
    const EXAMPLE: &str = "[\"20ms\", \"35ms\", \"90ms\"]";
    let field = section.required("values", &format!("values = {EXAMPLE}"), report)?;
    let Some(elements) = field.elements() else {
        field.mismatch(report, "a list of durations", EXAMPLE);
        return None;
    };
    let values: Vec<_> = elements.map(|element| element.positive_duration("40ms", report)).collect();
    if values.is_empty() {
        field.blame(report, "the list is empty", format!("list the observed durations: values = {EXAMPLE}"));
        return None;
    }
    let mut values = values.into_iter().collect::<Option<Vec<_>>>()?;
    values.sort_unstable();
    Some(Distribution::Empirical(values))
}
