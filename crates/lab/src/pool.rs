//! The gateway of the sweeps as a history: a slot pool that the dependency's calls share with a neighbour flow.

mod columns;
mod watcher;

use experiments::columns::COLUMNS;
use scenario::{
    Fate as SimulatedFate, Mode, Opening, Replication, Request, RequestStream, RunRecord, Scenario, observe_any,
};
use serde::Serialize;
use serde_json::Value;

use crate::body::{Field, LARGEST_WHOLE};
use crate::history::{Conservation, Fate, Sentence, Stay, Transition};
use crate::{Refusal, rules};
use columns::{PoolCounters, SlotColumns};
use policies::AnyRule;
use watcher::Watcher;

/// No history has more requests, both flows together.
pub const MOST_REQUESTS: usize = 200_000;

/// The history of one run of the gateway. All instants are in nanoseconds; what is seen *at* an instant is what happened
/// strictly before it. The counters count every request; the record leaves out what arrives before the end of the warm-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PoolHistory {
    /// The rule in words.
    pub label: String,
    /// The rule written out.
    pub rule: Value,
    /// What goes wrong.
    pub mode: String,
    /// The root seed.
    pub seed: u64,
    /// The replication's number.
    pub replication: u32,
    /// Slots in the pool.
    pub slots: u32,
    /// The end of the run.
    pub horizon_ns: u64,
    /// What arrives earlier counts in no column of the record.
    pub warm_up_ns: u64,
    /// The beginning of the fault.
    pub fault_at_ns: u64,
    /// The end of the fault, if it heals.
    pub heal_at_ns: Option<u64>,
    /// The regimes of the dependency.
    pub regimes: Vec<RegimeHistory>,
    /// Requests that call the dependency, in the order of arrival.
    pub dependency_requests: Vec<PoolRequest>,
    /// Requests that only need a slot, in the order of arrival.
    pub neighbour_requests: Vec<PoolRequest>,
    /// Who holds how many slots, whenever that changed.
    pub slots_in_use: SlotColumns,
    /// The phases of the breaker, one after the other, without gaps.
    pub states: Vec<Stay>,
    /// Every change of phase.
    pub transitions: Vec<Transition>,
    /// What happened and why, in sentences.
    pub trace: Vec<Sentence>,
    /// The counters whenever they changed.
    pub counters: PoolCounters,
    /// The columns of `runs.parquet`.
    pub record: Vec<RecordColumn>,
    /// Whether every request and every slot was accounted for after every event.
    pub conservation: Conservation,
}

/// A regime of the dependency.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RegimeHistory {
    /// When it begins.
    pub at_ns: u64,
    /// What it is called.
    pub name: String,
    /// The share of the calls arriving in it that fail, in percent.
    pub failure_percent: f64,
    /// Whether opening the breaker now is `right` or `false`.
    pub opening: &'static str,
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PoolRequest {
    /// Its number within its flow.
    pub id: u32,
    /// When it arrived.
    pub created_ns: u64,
    /// How it ends if it is let through; `None` for neighbours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fate: Option<Fate>,
    /// How it ended.
    pub result: PoolOutcome,
    /// When it ended; `None` if it held a slot at the end.
    pub ended_ns: Option<u64>,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PoolOutcome {
    /// The dependency answered.
    Succeeded,
    /// The dependency failed.
    Failed,
    /// The breaker turned it away.
    Rejected,
    /// It found no free slot.
    NoSlot,
    /// A neighbour that had its slot for as long as it needed.
    Served,
    /// It held a slot at the end.
    InFlight,
}

/// A column of the run's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordColumn {
    /// Its name.
    pub column: &'static str,
    /// Its value.
    pub value: String,
}

/// Which run of the gateway is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolInput {
    /// The breaker.
    pub rule: AnyRule,
    /// What goes wrong: one of the given modes.
    pub mode: &'static str,
    /// The root seed.
    pub seed: u64,
    /// The replication's number.
    pub replication: u32,
}

impl Default for PoolInput {
    fn default() -> Self {
        let usual = serde_json::json!({ "kind": "consecutive", "threshold": 5, "open_for": 1 });
        let rule = rules::read(&Field { path: "rule".to_owned(), value: &usual });
        Self { rule: rule.unwrap_or_else(|_| rules::default()), mode: "slowdown", seed: 1, replication: 0 }
    }
}

impl PoolInput {
    /// Reads a body.
    ///
    /// # Errors
    ///
    /// When a key is unknown or a value impossible.
    pub fn read(body: &Value) -> Result<Self, Refusal> {
        let root = Field::root(body).section(&["rule", "mode", "seed", "replication"])?;
        let usual = Self::default();
        let whole =
            |key: &str, usual: u64, most: u64| root.optional(key).map_or(Ok(usual), |field| field.whole(0, most));
        Ok(Self {
            rule: root.optional("rule").map_or(Ok(usual.rule), |field| rules::read(&field))?,
            mode: root.optional("mode").map_or(Ok(usual.mode), |field| field.word(&Mode::GIVEN))?,
            seed: whole("seed", usual.seed, LARGEST_WHOLE)?,
            replication: whole("replication", 0, u64::from(u32::MAX))? as u32,
        })
    }
}

impl PoolHistory {
    /// A run of the default gateway.
    ///
    /// # Errors
    ///
    /// When there are too many requests.
    pub fn of(input: &PoolInput) -> Result<Self, Refusal> {
        let mode = Mode::given(input.mode, None).ok_or_else(|| Refusal::of_key("mode", "There is no such mode."))?;
        let run = PoolRun { scenario: &Scenario::default(), mode: &mode, rule: &input.rule };
        run.history(input.seed, input.replication).map(|(history, _)| history)
    }
}

/// What is run.
#[derive(Clone, Copy, Debug)]
pub struct PoolRun<'a> {
    /// The world.
    pub scenario: &'a Scenario,
    /// What goes wrong.
    pub mode: &'a Mode,
    /// The breaker.
    pub rule: &'a AnyRule,
}

impl PoolRun<'_> {
    /// The history of one replication, and its record.
    ///
    /// # Errors
    ///
    /// When there are too many requests, or the run needs the richer world.
    pub fn history(&self, seed: u64, replication: u32) -> Result<(PoolHistory, RunRecord), Refusal> {
        self.check_size()?;
        let stream = Replication::draw(self.scenario, seed, replication).stream(self.mode);
        if stream.needs_service() {
            return Err(Refusal::new(
                422,
                "A run of this sweep needs the richer world (a queue, time-outs, retries …), which the page cannot draw: print it \
                 with `experiments trace`, and check its row with `experiments verify`.",
            ));
        }
        let watcher = Watcher::new(&stream, self.mode);
        let (record, watched) = observe_any(self.rule, &stream, watcher);
        let history = self.tell(&stream, watched, &record, seed, replication);
        Ok((history, record))
    }

    /// Refuses what a page could not show, before any of it is drawn.
    fn check_size(&self) -> Result<(), Refusal> {
        let Scenario { dependency, neighbour, warm_up, .. } = self.scenario;
        let seconds = self.scenario.mean_observed().as_secs_f64() + warm_up.as_secs_f64();
        let expected = (dependency.mean_rate() + neighbour.mean_rate()) * seconds;
        if expected > 0.9 * MOST_REQUESTS as f64 {
            return Err(Refusal::new(
                422,
                format!(
                    "A run of this sweep has about {expected:.0} requests, and the page shows {MOST_REQUESTS} at most: print \
                     it with `experiments trace`."
                ),
            ));
        }
        Ok(())
    }

    fn tell(
        &self,
        stream: &RequestStream,
        watched: Watcher<'_>,
        record: &RunRecord,
        seed: u64,
        replication: u32,
    ) -> PoolHistory {
        let plan = stream.plan();
        let (neighbours, dependency): (Vec<&Request>, Vec<&Request>) =
            stream.requests().iter().partition(|request| request.fate == SimulatedFate::Neighbour);
        PoolHistory {
            label: self.rule.to_string(),
            rule: rules::write(self.rule),
            mode: self.mode.name.clone(),
            seed,
            replication,
            slots: plan.slots,
            horizon_ns: plan.horizon.as_nanos(),
            warm_up_ns: plan.warm_up.as_nanos(),
            fault_at_ns: plan.fault_at.as_nanos(),
            heal_at_ns: plan.heal_at.map(engine::Time::as_nanos),
            regimes: self.regimes(stream),
            dependency_requests: watched.dependency.tell(&dependency),
            neighbour_requests: watched.neighbour.tell(&neighbours),
            slots_in_use: watched.slots,
            states: watcher::states(&watched.transitions, plan.horizon),
            transitions: watched.transitions,
            trace: watched.trace,
            counters: watched.counters,
            record: COLUMNS
                .iter()
                .map(|column| RecordColumn { column: column.name, value: column.read.text(record) })
                .collect(),
            conservation: watched.conservation,
        }
    }

    fn regimes(&self, stream: &RequestStream) -> Vec<RegimeHistory> {
        let starts = stream.plan().regimes.iter().zip(&self.mode.timeline);
        let regime =
            |(&(at, opening), (_, regime)): (&(engine::Time, Opening), &(scenario::Start, scenario::Regime))| {
                RegimeHistory {
                    at_ns: at.as_nanos(),
                    name: regime.name.clone(),
                    failure_percent: regime.failure_probability * 100.0,
                    opening: match opening {
                        Opening::Right => "right",
                        Opening::False => "false",
                    },
                }
            };
        starts.map(regime).collect()
    }
}
