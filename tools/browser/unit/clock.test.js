import assert from "node:assert/strict";
import { test } from "node:test";

import { Clock, NANOS } from "../../../crates/lab/page/js/clock.js";

const HORIZON = 90 * NANOS;

test("playing records time at the chosen speed, and stops at the horizon", () => {
  const clock = new Clock(HORIZON);
  clock.speed = 2;
  clock.play();
  clock.tick(1.5);
  assert.deepEqual([clock.shown, clock.recorded], [3 * NANOS, 3 * NANOS]);
  clock.tick(1000);
  assert.deepEqual([clock.shown, clock.recorded, clock.motion], [HORIZON, HORIZON, "paused"]);
  clock.play();
  assert.equal(clock.motion, "paused", "there is nothing to play after the horizon");
});

test("only recorded time can be shown", () => {
  const clock = new Clock(HORIZON);
  clock.advance(10 * NANOS);
  clock.seek(50 * NANOS);
  assert.equal(clock.shown, 10 * NANOS);
  clock.seek(-5);
  assert.equal(clock.shown, 0);
  assert.equal(clock.recorded, 10 * NANOS, "looking changes nothing");
});

test("a replay goes through recorded time from the shown instant and keeps it", () => {
  const clock = new Clock(HORIZON);
  clock.advance(10 * NANOS);
  clock.seek(4 * NANOS);
  clock.replay();
  clock.tick(2);
  assert.deepEqual([clock.shown, clock.recorded, clock.motion], [6 * NANOS, 10 * NANOS, "replay"]);
  clock.tick(60);
  assert.deepEqual([clock.shown, clock.recorded, clock.motion], [10 * NANOS, 10 * NANOS, "paused"]);
  clock.replay();
  assert.equal(clock.shown, 0, "from the newest instant it starts over");
});

test("discarding the future says up to when it went, once", () => {
  const clock = new Clock(HORIZON);
  clock.advance(10 * NANOS);
  clock.seek(4 * NANOS);
  assert.equal(clock.discardFuture(), 10 * NANOS);
  assert.equal(clock.recorded, 4 * NANOS);
  assert.equal(clock.discardFuture(), null);
});

test("restarting forgets everything but the speed", () => {
  const clock = new Clock(HORIZON);
  clock.speed = 5;
  clock.advance(10 * NANOS);
  clock.play();
  clock.restart();
  assert.deepEqual([clock.shown, clock.recorded, clock.motion, clock.speed], [0, 0, "paused", 5]);
});
