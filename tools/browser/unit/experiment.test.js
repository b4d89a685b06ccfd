import assert from "node:assert/strict";
import { test } from "node:test";

import { branchAt, changed, editAt, overlaid, requestOf, settingsAt } from "../../../crates/lab/page/js/experiment.js";

const SETTINGS = {
  requests_per_second: 12,
  schedule: "outage",
  dependency_errors_percent: 100,
  response_time: 0.6,
  breaker_enabled: true,
  rule: { kind: "consecutive", threshold: 3, open_for: 6 },
};
const start = { settings: SETTINGS, seed: 1, interventions: [] };

test("an edit at the very start changes the settings themselves", () => {
  const edited = editAt(start, 0, "response_time", 1.5);
  assert.equal(edited.settings.response_time, 1.5);
  assert.deepEqual(edited.interventions, []);
  assert.equal(start.settings.response_time, 0.6, "the experiment that was edited stays as it was");
});

test("an edit on the way is an intervention, and settings before it stay", () => {
  const edited = editAt(start, 5e9, "rule.threshold", 7);
  assert.deepEqual(edited.interventions, [{ at: 5e9, key: "rule.threshold", value: 7 }]);
  assert.equal(settingsAt(edited, 5e9 - 1).rule.threshold, 3);
  assert.equal(settingsAt(edited, 5e9).rule.threshold, 7);
  assert.equal(settingsAt(edited, 5e9).rule.open_for, 6);
});

test("a second edit of the same key at the same instant replaces the first, others stay", () => {
  const once = editAt(editAt(start, 5e9, "response_time", 1), 5e9, "requests_per_second", 20);
  const twice = editAt(once, 5e9, "response_time", 2);
  assert.deepEqual(twice.interventions, [
    { at: 5e9, key: "requests_per_second", value: 20 },
    { at: 5e9, key: "response_time", value: 2 },
  ]);
});

test("an edit in the past discards the edits after it", () => {
  const later = editAt(editAt(start, 5e9, "response_time", 1), 9e9, "response_time", 2);
  assert.deepEqual(editAt(later, 7e9, "response_time", 3).interventions, [
    { at: 5e9, key: "response_time", value: 1 },
    { at: 7e9, key: "response_time", value: 3 },
  ]);
});

test("a branch keeps the edits up to and at its instant", () => {
  const edited = editAt(editAt(start, 5e9, "response_time", 1), 9e9, "response_time", 2);
  assert.equal(branchAt(edited, 9e9).interventions.length, 2);
  assert.equal(branchAt(edited, 9e9 - 1).interventions.length, 1);
});

test("breaking, repairing and a new error rate leave the schedule; everything else keeps it", () => {
  assert.deepEqual(pick(changed(SETTINGS, "break_service")), ["manual", 100]);
  assert.deepEqual(pick(changed(SETTINGS, "repair_service")), ["manual", 0]);
  assert.deepEqual(pick(changed(SETTINGS, "dependency_errors_percent", 40)), ["manual", 40]);
  for (const [key, value] of [["requests_per_second", 3], ["response_time", 2], ["breaker_enabled", false], ["rule.threshold", 9]]) {
    assert.deepEqual(pick(changed(SETTINGS, key, value)), ["outage", 100], key);
  }
});

test("the request to the server names instants in nanoseconds", () => {
  const edited = editAt(start, 8_766_666_666, "break_service");
  assert.deepEqual(requestOf(edited), { seed: 1, settings: SETTINGS, interventions: [{ at_ns: 8_766_666_666, key: "break_service" }] });
});

function pick({ schedule, dependency_errors_percent: errors }) {
  return [schedule, errors];
}

test("what an address leaves out is taken from the preset, but never across kinds of rules", () => {
  const usual = (kind) => ({ kind, threshold: 0.5 });
  assert.deepEqual(overlaid(SETTINGS, { rule: { threshold: 5 } }, usual).rule, { kind: "consecutive", threshold: 5, open_for: 6 });
  assert.deepEqual(overlaid(SETTINGS, { rule: { kind: "ratio", window: 9 } }, usual).rule, { kind: "ratio", window: 9, threshold: 0.5 });
  assert.deepEqual(overlaid(SETTINGS, { response_time: 2 }, usual), { ...SETTINGS, response_time: 2 });
});
