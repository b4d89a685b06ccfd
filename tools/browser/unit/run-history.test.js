import assert from "node:assert/strict";
import { test } from "node:test";

import { moves } from "../../../crates/lab/page/js/moves.js";
import { RunHistory, conservation } from "../../../crates/lab/page/js/run-history.js";

/** Four requests, a second apart: one succeeds, one fails, one is rejected, and a probe is still under way at the end. */
function history() {
  const request = (id, answer, fate, due, probe = false) => ({ id, created_ns: id * 1e9, answer, fate, probe, due_ns: due, ended_ns: due ?? id * 1e9 });
  return new RunHistory({
    horizon_ns: 4e9,
    input: {},
    requests: [
      request(0, "admitted", "success", 1.5e9),
      request(1, "admitted", "failure", 2e9),
      request(2, "rejected", "failure", null),
      request(3, "admitted", "success", 5e9, true),
    ],
    states: [
      { from_ns: 0, to_ns: 2e9, state: "closed" },
      { from_ns: 2e9, to_ns: 3e9, state: "open" },
      { from_ns: 3e9, to_ns: 4e9, state: "half_open" },
    ],
    transitions: [
      { at_ns: 2e9, from: "closed", to: "open", cause: "result", why: "It failed." },
      { at_ns: 3e9, from: "open", to: "half_open", cause: "timer", why: "It has waited." },
    ],
    dependency: [{ from_ns: 0, to_ns: 4e9, errors_percent: 50, mode: "manual" }],
    trace: [
      { at_ns: 2e9, kind: "result", request: 1, text: "Request 1 failed." },
      { at_ns: 2e9, kind: "transition", request: 1, text: "It opens." },
      { at_ns: 3e9, kind: "transition", request: null, text: "It probes." },
    ],
  });
}

/** generated, succeeded, failed, rejected, in flight, attempted, probes */
function row(t) {
  const { generated, succeeded, failed, rejected, inFlight, attempted, probes } = history().countsAt(t);
  return [generated, succeeded, failed, rejected, inFlight, attempted, probes];
}

test("an instant shows what happened strictly before it", () => {
  assert.deepEqual(row(0), [0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(row(1), [1, 0, 0, 0, 1, 1, 0]);
  assert.deepEqual(row(1.5e9), [2, 0, 0, 0, 2, 2, 0], "what is due at 1.5 s has not ended at 1.5 s");
  assert.deepEqual(row(1.5e9 + 1), [2, 1, 0, 0, 1, 2, 0]);
  assert.deepEqual(row(2e9 + 1), [3, 1, 1, 1, 0, 2, 0]);
  assert.deepEqual(row(4e9), [4, 1, 1, 1, 1, 3, 1]);
});

test("both balances hold at every instant, and a lost request would show", () => {
  for (let t = 0; t <= 4e9; t += 12_345_678) assert.ok(conservation(history().countsAt(t)).holds, `at ${t} ns`);
  const lossy = { ...history().countsAt(4e9), inFlight: 0 };
  assert.equal(conservation(lossy).holds, false);
  assert.equal(conservation({ ...lossy, inFlight: 1, attempted: 2 }).holds, false);
});

test("the state changes just after the instant of its transition", () => {
  const run = history();
  assert.deepEqual([0, 2e9, 2e9 + 1, 3e9, 3e9 + 1, 4e9].map((t) => run.stateAt(t)), ["closed", "closed", "open", "open", "half_open", "half_open"]);
  assert.deepEqual([2e9, 2e9 + 1, 4e9].map((t) => run.sentencesBefore(t)), [0, 2, 3]);
  assert.deepEqual([2e9, 2e9 + 1, 4e9].map((t) => run.transitionsBefore(t)), [0, 1, 2]);
});

test("an edit's transition and the dependency's health show at their own instant", () => {
  const run = history();
  run.transitions[1].cause = "intervention";
  assert.equal(run.stateAt(3e9), "half_open");
  run.health = [
    { from: 0, to: 2e9, failing: 0, label: "", normal: true },
    { from: 2e9, to: 4e9, failing: 1, label: "", normal: false },
  ];
  assert.deepEqual([2e9 - 1, 2e9, 4e9].map((t) => run.healthAt(t).failing), [0, 1, 1]);
});

test("a cooldown is told only where a timer ends it", () => {
  const run = history();
  assert.deepEqual(run.cooldownAt(2.5e9), { from: 2e9, to: 3e9 });
  assert.equal(run.cooldownAt(1e9), null);
  assert.equal(run.cooldownAt(3.5e9), null);
  run.transitions[1].cause = "intervention";
  assert.equal(run.cooldownAt(2.5e9), null);
});

test("what is drawn on its way is what is in flight, and what has just ended", () => {
  const run = history();
  for (let t = 1; t <= 4e9; t += 7_654_321) {
    const underWay = moves(run, t).filter(({ id }) => run.requests[id].due_ns !== null && run.requests[id].due_ns >= t);
    assert.equal(underWay.length, run.countsAt(t).inFlight, `at ${t} ns`);
  }
});

test("a result is at the breaker when it is due, and a rejection falls in front of it", () => {
  const run = history();
  const at = (t, id) => moves(run, t).find((move) => move.id === id);
  assert.equal(at(2e9, 1).kind, "failure");
  assert.ok(Math.abs(at(2e9, 1).x - 1) < 1e-9);
  assert.equal(at(1.2e9, 1).kind, "request");
  assert.ok(at(2.4e9, 2).x < 1 && at(2.4e9, 2).fall > 0);
  assert.equal(at(2.4e9, 2).kind, "rejection");
  assert.equal(at(3.5e9, 3).kind, "probe");
  assert.equal(at(3.5e9, 3).waiting, true);
});

test("a request that waits at the breaker is in flight, and its call begins when it may", () => {
  const base = { horizon_ns: 4e9, input: {}, states: [{ from_ns: 0, to_ns: 4e9, state: "half_open" }], transitions: [], trace: [] };
  const common = { fate: "success", probe: false };
  const run = new RunHistory({
    ...base,
    dependency: [{ from_ns: 0, to_ns: 4e9, errors_percent: 0, mode: "manual" }],
    requests: [
      { ...common, id: 0, created_ns: 0, answer: "admitted", began_ns: 1e9, due_ns: 2e9, ended_ns: 2e9 },
      { ...common, id: 1, created_ns: 0.5e9, answer: "rejected", began_ns: null, due_ns: null, ended_ns: 1e9 },
      { ...common, id: 2, created_ns: 3e9, answer: "waiting", began_ns: null, due_ns: null, ended_ns: null },
    ],
  });
  const counts = (t) => {
    const { generated, succeeded, rejected, inFlight, attempted } = run.countsAt(t);
    return [generated, succeeded, rejected, inFlight, attempted];
  };
  assert.deepEqual(counts(0.9e9), [2, 0, 0, 2, 2]);
  assert.deepEqual(counts(1.1e9), [2, 0, 1, 1, 1]);
  assert.deepEqual(counts(2.1e9), [2, 1, 1, 0, 1]);
  assert.deepEqual(counts(4e9), [3, 1, 1, 1, 2]);
  for (let t = 1; t <= 4e9; t += 7_654_321) assert.ok(conservation(run.countsAt(t)).holds, `at ${t} ns`);
  const at = (t, id) => moves(run, t).find((move) => move.id === id);
  assert.ok(at(0.9e9, 0).x < 1, "in front of the gate");
  assert.equal(at(1.5e9, 0).waiting, true);
  assert.equal(at(0.9e9, 1).kind, "request");
  assert.equal(at(1.2e9, 1).kind, "rejection");
  assert.ok(at(4e9, 2).x < 1);
});
