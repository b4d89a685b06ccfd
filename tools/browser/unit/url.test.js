import assert from "node:assert/strict";
import { test } from "node:test";

import { decode, encode } from "../../../crates/lab/page/js/url.js";

const EXPERIMENT = {
  seed: 9_007_199_254_740_991,
  settings: {
    requests_per_second: 12.5,
    schedule: "outage",
    breaker_enabled: false,
    rule: { kind: "ratio", window: 10, threshold: 0.5, open_for: 6 },
  },
  interventions: [
    { at: 8_766_666_666, key: "break_service" },
    { at: 9e9, key: "response_time", value: 1.2 },
    { at: 9e9, key: "rule", value: { kind: "consecutive", threshold: 3, open_for: 2 } },
    { at: 20e9, key: "schedule", value: "outage" },
  ],
};

test("a run and where it is looked at survive the way through an address", () => {
  const shared = { view: "compare", experiment: EXPERIMENT, shown: 12_345_678_901, recorded: 40e9 };
  assert.deepEqual(decode(encode(shared)), shared);
});

test("the newest instant is not told twice", () => {
  const shared = { view: "experiment", experiment: EXPERIMENT, shown: 40e9, recorded: 40e9 };
  assert.doesNotMatch(encode(shared), /recorded=/);
  assert.deepEqual(decode(encode(shared)), shared);
});

test("a pool run and a sweep's run survive it too", () => {
  const pool = { view: "pool", pool: { rule: { kind: "none" }, mode: "down", seed: 3, replication: 12 } };
  const sweep = { view: "sweep", sweep: { design: 26, mode: "slowdown", replication: 199 } };
  assert.deepEqual(decode(encode(pool)), pool);
  assert.deepEqual(decode(encode(sweep)), sweep);
});

test("text that looks like a number stays text", () => {
  const experiment = { ...EXPERIMENT, settings: { name: "12", other: "true", rule: { kind: "consecutive" } }, interventions: [] };
  assert.deepEqual(decode(encode({ view: "experiment", experiment })).experiment, experiment);
});

test("a rule's parameter may have a dotted name", () => {
  const experiment = { ...EXPERIMENT, settings: { rule: { kind: "failsafe_rs", "backoff.start": 10 } }, interventions: [] };
  assert.deepEqual(decode(encode({ view: "experiment", experiment })).experiment, experiment);
  const pool = { rule: { kind: "failsafe_rs", "backoff.start": 10 } };
  assert.deepEqual(decode(encode({ view: "pool", pool })).pool, pool);
});

test("an empty address tells no run, and a broken one nothing dangerous", () => {
  assert.deepEqual(decode(""), { view: "experiment" });
  const broken = decode("seed=x&at=-5&recorded=NaN&__proto__.polluted=1&constructor=2&edit=abc");
  assert.equal({}.polluted, undefined);
  assert.deepEqual([broken.shown, broken.recorded], [0, 0]);
  assert.deepEqual(broken.experiment.interventions, [{ at: 0, key: undefined }]);
});
