//! The keys of `[scenario]` and of regimes beyond the plain world: callers, queue, time-outs, retries, and so on.

use engine::Time;
use scenario::Service;
use scenario::service::{
    Budget, Callers, ClockStep, Fallback, Load, Pause, Ramp, RateLimit, RegimeOptions, Retries, Slowness,
};

use super::document::{Place, Report, Value};
use super::field::{Field, Section};
use super::modes::PlacedMode;

/// Where the options are written, for what is said about how they fit together.
pub(super) type OptionPlaces = Vec<(&'static str, Place)>;

const SHARE: fn(f64) -> bool = |number| (0.0..=1.0).contains(&number);
const NOT_NEGATIVE: fn(f64) -> bool = |number| number >= 0.0;
const MOST: u64 = u32::MAX as u64;

fn count(field: &Field<'_>, from: u64, example: u64, report: &mut Report<'_>) -> Option<u32> {
    field.whole(from..=MOST, example, report).and_then(|number| u32::try_from(number).ok())
}

/// Reads the options of the section; what is wrong in them is reported, and the default stands in.
pub(super) fn read(section: &mut Section<'_>, report: &mut Report<'_>) -> (Service, OptionPlaces) {
    let mut service = Service::default();
    let mut places = OptionPlaces::new();
    let mut field = |key: &'static str| {
        let field = section.optional(key)?;
        places.push((key, field.node.place));
        Some(field)
    };
    service.callers = field("callers").and_then(|field| callers(&field, report));
    service.pauses = field("pauses").map(|field| pauses(&field, report)).unwrap_or_default();
    service.queue = field("queue").and_then(|field| count(&field, 0, 50, report)).unwrap_or(0);
    service.time_out = field("time_out").and_then(|field| field.positive_duration("300ms", report));
    service.retries = field("retries").and_then(|field| retries(&field, report));
    service.fallback = field("fallback").and_then(|field| fallback(&field, report)).unwrap_or_default();
    service.shards = field("shards").map(|field| shards(&field, report)).unwrap_or_default();
    if let Some(word) = field("breakers").and_then(|field| field.word(&["shared", "per_shard"], report)) {
        service.breaker_per_shard = word == "per_shard";
    }
    service.instances = field("instances").and_then(|field| count(&field, 1, 10, report)).unwrap_or(1);
    let below_one: fn(f64) -> bool = |number| (0.0..1.0).contains(&number);
    service.timer_jitter = field("timer_jitter")
        .and_then(|field| field.number("a number from 0 to less than 1", "0.15", below_one, report))
        .unwrap_or(0.0);
    service.bulkhead = field("bulkhead").and_then(|field| count(&field, 1, 8, report));
    service.rate_limit = field("rate_limit").and_then(|field| rate_limit(&field, report));
    service.load = field("load").and_then(|field| load(&field, report));
    service.clock_steps = field("clock_steps").map(|field| clock_steps(&field, report)).unwrap_or_default();
    service.stuck_after = field("stuck_after").and_then(|field| field.positive_duration("5s", report));
    (service, places)
}

fn callers(field: &Field<'_>, report: &mut Report<'_>) -> Option<Callers> {
    let example = "{ number = 50, think = \"200ms\" }";
    let mut section = field.section(example, report)?;
    let number = section.required("number", "number = 50", report).and_then(|field| count(&field, 1, 50, report));
    let think = section.required("think", "think = \"200ms\"", report).and_then(|field| field.distribution(report));
    section.finish(report);
    Some(Callers { number: number?, think: think? })
}

fn instant(field: &Field<'_>, report: &mut Report<'_>) -> Option<Time> {
    field.duration("3s", report).map(|after| Time::ZERO + after)
}

fn pauses(field: &Field<'_>, report: &mut Report<'_>) -> Vec<Pause> {
    const EXAMPLE: &str = "[[\"3s\", \"5s\"]]";
    let Some(elements) = field.elements() else {
        field.mismatch(report, "a list of pauses, each with its two ends", EXAMPLE);
        return Vec::new();
    };
    let pauses = elements.filter_map(|pause| {
        let ends: Vec<_> = pause.elements().map(Iterator::collect).unwrap_or_default();
        let [from, to] = &ends[..] else {
            pause.mismatch(report, "the two ends of a pause", "[\"3s\", \"5s\"]");
            return None;
        };
        let (from, to) = (instant(from, report), instant(to, report));
        let (from, to) = (from?, to?);
        if from >= to {
            pause.blame(report, format!("the pause from {from} to {to} is empty"), "put the earlier instant first");
            return None;
        }
        Some(Pause { from, to })
    });
    pauses.collect()
}

fn retries(field: &Field<'_>, report: &mut Report<'_>) -> Option<Retries> {
    let mut section = field.section("{ attempts = 3, delay = \"50ms\" }", report)?;
    let attempts = section
        .required("attempts", "attempts = 3", report)
        .and_then(|field| field.whole(2..=u64::from(Retries::MOST_ATTEMPTS), 3, report));
    let delay = section.required("delay", "delay = \"50ms\"", report).and_then(|field| field.duration("50ms", report));
    let from_one: fn(f64) -> bool = |number| number >= 1.0;
    let growth = section
        .optional("growth")
        .and_then(|field| field.number("a factor from 1 up", "2.0", from_one, report))
        .unwrap_or(1.0);
    let longest = section.optional("longest").and_then(|field| field.positive_duration("2s", report));
    let jitter = section
        .optional("jitter")
        .and_then(|field| field.number("a share from 0 to 1", "1.0", SHARE, report))
        .unwrap_or(0.0);
    let breaker = section.optional("breaker").and_then(|field| field.word(&["inside", "outside"], report));
    let budget = section.optional("budget").and_then(|field| budget(&field, report));
    section.finish(report);
    Some(Retries {
        attempts: u32::try_from(attempts?).ok()?,
        delay: delay?,
        growth,
        longest: longest.unwrap_or(super::units::LONGEST),
        jitter,
        breaker_outside: breaker == Some("outside"),
        budget,
    })
}

fn budget(field: &Field<'_>, report: &mut Report<'_>) -> Option<Budget> {
    let mut section = field.section("{ per_request = 0.1, most = 10 }", report)?;
    let in_range: fn(f64) -> bool = |number| (0.0..=1e6).contains(&number);
    let per_request = section
        .required("per_request", "per_request = 0.1", report)
        .and_then(|field| field.number("a number of tokens from 0 up", "0.1", in_range, report));
    let most = section.required("most", "most = 10", report).and_then(|field| count(&field, 1, 10, report));
    section.finish(report);
    Some(Budget { per_request: per_request?, most: most? })
}

fn fallback(field: &Field<'_>, report: &mut Report<'_>) -> Option<Fallback> {
    const KINDS: [&str; 4] = ["fail", "stale", "review", "silent"];
    let (kind, wrong) = if matches!(field.node.value, Value::Table(_)) {
        let mut section = field.section("\"fail\"", report)?;
        let kind = section.required("kind", "kind = \"stale\"", report).and_then(|field| field.word(&KINDS, report));
        let wrong = section.optional("wrong").and_then(|field| {
            if matches!(kind, Some("fail" | "review")) {
                field.blame(report, "this fallback never tells anything wrong", "leave the key out");
            }
            field.number("a probability from 0 to 1", "0.05", SHARE, report)
        });
        section.finish(report);
        (kind?, wrong)
    } else {
        (field.word(&KINDS, report)?, None)
    };
    Some(match kind {
        "fail" => Fallback::Fail,
        "review" => Fallback::Review,
        "stale" => Fallback::Stale { wrong: wrong.unwrap_or(0.0) },
        _ => Fallback::Silent { wrong: wrong.unwrap_or(1.0) },
    })
}

fn shards(field: &Field<'_>, report: &mut Report<'_>) -> Vec<f64> {
    let Some(elements) = field.elements() else {
        field.mismatch(report, "a list of weights, one for each shard", "[0.7, 0.2, 0.1]");
        return Vec::new();
    };
    let positive: fn(f64) -> bool = |weight| weight > 0.0;
    elements.filter_map(|weight| weight.number("a weight above 0", "1.0", positive, report)).collect()
}

fn rate_limit(field: &Field<'_>, report: &mut Report<'_>) -> Option<RateLimit> {
    let mut section = field.section("{ rate = \"100/s\", burst = 20 }", report)?;
    let rate = section.required("rate", "rate = \"100/s\"", report);
    let rate = rate.and_then(|field| {
        let rate = field.rate("100/s", report)?;
        if rate == 0.0 {
            field.blame(report, "no call would ever pass", "write a rate above 0, such as \"100/s\"");
        }
        Some(rate)
    });
    let burst = section.required("burst", "burst = 20", report).and_then(|field| count(&field, 1, 20, report));
    section.finish(report);
    Some(RateLimit { rate: rate?, burst: burst? })
}

fn load(field: &Field<'_>, report: &mut Report<'_>) -> Option<Load> {
    let mut section = field.section("{ slots = 20, slowdown = 1.0 }", report)?;
    let slots = section.required("slots", "slots = 20", report).and_then(|field| count(&field, 1, 20, report));
    let mut effect = |key| {
        let field = section.optional(key)?;
        field.number("a number that is not negative", "1.0", NOT_NEGATIVE, report)
    };
    let (slowdown, failures) = (effect("slowdown"), effect("failures"));
    section.finish(report);
    Some(Load { slots: slots?, slowdown: slowdown.unwrap_or(0.0), failures: failures.unwrap_or(0.0) })
}

fn clock_steps(field: &Field<'_>, report: &mut Report<'_>) -> Vec<ClockStep> {
    const EXAMPLE: &str = "[{ at = \"5s\", forward = \"30s\" }]";
    let Some(elements) = field.elements() else {
        field.mismatch(report, "a list of steps", EXAMPLE);
        return Vec::new();
    };
    let steps = elements.filter_map(|step| {
        let mut section = step.section("{ at = \"5s\", forward = \"30s\" }", report)?;
        let at = section.required("at", "at = \"5s\"", report).and_then(|field| instant(&field, report));
        let mut by = |key, sign: i64| {
            let by = section.optional(key)?.positive_duration("30s", report)?;
            i64::try_from(by.as_nanos()).ok().map(|nanos| sign * nanos)
        };
        let (forward, back) = (by("forward", 1), by("back", -1));
        section.finish(report);
        match (forward, back) {
            (Some(by), None) | (None, Some(by)) => Some(ClockStep { at: at?, by }),
            _ => {
                step.blame(report, "a step goes either forward or back", "write one of `forward` and `back`");
                None
            }
        }
    });
    steps.collect()
}

/// The options of a regime, as far as a table gives them.
#[derive(Clone, Debug, Default)]
pub(super) struct RegimeChanges {
    lost: Option<f64>,
    cancelled: Option<f64>,
    ignored: Option<f64>,
    slow: Option<Slowness>,
    ramp: Option<Ramp>,
    shard: Option<u32>,
}

impl RegimeChanges {
    pub(super) fn read(section: &mut Section<'_>, report: &mut Report<'_>) -> Self {
        let place = section.place();
        let path = section.path().to_owned();
        let mut probability = |key| section.optional(key)?.number("a probability from 0 to 1", "0.01", SHARE, report);
        let (lost, cancelled, ignored) = (probability("lost"), probability("cancelled"), probability("ignored"));
        if [lost, cancelled, ignored].into_iter().flatten().sum::<f64>() > 1.0 {
            let problem = "`lost`, `cancelled` and `ignored` together are more than all calls";
            report.add(place, &path, problem, "let them add up to 1 at most");
        }
        Self {
            lost,
            cancelled,
            ignored,
            slow: section.optional("slow").and_then(|field| slow(&field, report)),
            ramp: section.optional("ramp").and_then(|field| ramp(&field, report)),
            shard: section.optional("shard").and_then(|field| count(&field, 0, 1, report)),
        }
    }

    /// Puts the given options in the place of a regime's.
    pub(super) fn apply(self, options: &mut RegimeOptions) {
        options.lost = self.lost.unwrap_or(options.lost);
        options.cancelled = self.cancelled.unwrap_or(options.cancelled);
        options.ignored = self.ignored.unwrap_or(options.ignored);
        options.slow = self.slow.or(options.slow.take());
        options.ramp = self.ramp.or(options.ramp);
        options.shard = self.shard.or(options.shard);
    }
}

fn slow(field: &Field<'_>, report: &mut Report<'_>) -> Option<Slowness> {
    let mut section = field.section("{ probability = 0.1, hold = \"400ms\" }", report)?;
    let probability = section
        .required("probability", "probability = 0.1", report)
        .and_then(|field| field.number("a probability from 0 to 1", "0.1", SHARE, report));
    let hold = section.required("hold", "hold = \"400ms\"", report).and_then(|field| field.distribution(report));
    section.finish(report);
    Some(Slowness { probability: probability?, hold: hold? })
}

fn ramp(field: &Field<'_>, report: &mut Report<'_>) -> Option<Ramp> {
    if !matches!(field.node.value, Value::Table(_)) {
        return field.positive_duration("5s", report).map(|over| Ramp { over, from: None });
    }
    let mut section = field.section("\"5s\"", report)?;
    let over = section.required("over", "over = \"5s\"", report);
    let over = over.and_then(|field| field.positive_duration("5s", report));
    let from = section.optional("from");
    let from = from.and_then(|field| field.number("a probability from 0 to 1", "1.0", SHARE, report));
    section.finish(report);
    Some(Ramp { over: over?, from })
}

/// Reports what does not fit together.
pub(super) fn check(service: &Service, slots: u32, places: &[(&str, Place)], here: Place, report: &mut Report<'_>) {
    if let Err(error) = service.validate(slots) {
        let key = error.key.split('.').next().unwrap_or(error.key);
        let place = places.iter().find(|(written, _)| *written == key).map_or(here, |&(_, place)| place);
        report.add(place, &format!("scenario.{}", error.key), error.problem, error.remedy);
    }
}

/// Reports regimes whose options do not fit the scenario.
pub(super) fn check_regimes(service: &Service, modes: &[PlacedMode], here: Place, report: &mut Report<'_>) {
    for PlacedMode { mode, starts } in modes {
        for (index, (_, regime)) in mode.timeline.iter().enumerate() {
            let at = starts.as_ref().and_then(|starts| starts.get(index)).map_or(here, |(place, _)| *place);
            let key = format!("mode \"{}\", regime {index} (\"{}\")", mode.name, regime.name);
            let options = &regime.options;
            if let Some(shard) = options.shard.filter(|&shard| shard as usize >= service.shard_count()) {
                let problem = format!("it is for shard {shard}, and there are {} (from 0)", service.shard_count());
                report.add(at, &key, problem, "name one of them, or list more weights in scenario.shards");
            }
            if options.lost + options.cancelled + options.ignored > 1.0 {
                let problem = "`lost`, `cancelled` and `ignored` together are more than all calls";
                report.add(at, &key, problem, "let them add up to 1 at most");
            }
        }
    }
}
