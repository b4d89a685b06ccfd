import assert from "node:assert/strict";
import { test } from "node:test";

import { useLab } from "../support/lab.js";
import { counters, fragment, scrub, state, time, trace } from "../support/page.js";

const lab = useLab();

test("Play records time, and Pause stops it", async () => {
  const page = await lab.open();
  assert.equal(await time(page), 0);
  await page.selectOption("#speed", "10");
  await page.click("#play");
  assert.equal(await page.textContent("#play"), "Pause");
  await page.waitForFunction(() => Number(document.getElementById("time")?.textContent) > 3);
  await page.click("#play");
  const paused = await time(page);
  await page.waitForTimeout(150);
  assert.equal(await time(page), paused);
  assert.equal(await page.textContent("#play"), "Play");
  await page.done();
});

test("Step goes on by one second, and Restart goes back to the start", async () => {
  const page = await lab.open();
  for (let steps = 1; steps <= 9; steps += 1) {
    await page.click("#step");
    assert.equal(await time(page), steps);
  }
  assert.match(String(await state(page)), /open/);
  await page.click("#restart");
  await page.waitForFunction(() => document.getElementById("time")?.textContent === "0.0");
  assert.deepEqual(Object.values(await counters(page)), [0, 0, 0, 0, 0, 0]);
  await page.done();
});

test("a run ends at its horizon", async () => {
  const page = await lab.open("seed=1&at=89500000000");
  await page.click("#step");
  assert.equal(await time(page), 90);
  assert.ok(await page.isDisabled("#play"));
  assert.ok(await page.isDisabled("#step"));
  await page.done();
});

test("the golden run ends with the numbers and transitions derived by hand", async () => {
  const page = await lab.open("seed=1&at=90000000000");
  assert.deepEqual(await counters(page), { generated: 1080, succeeded: 744, failed: 13, rejected: 316, inFlight: 7, probes: 4 });
  const transitions = (await trace(page)).filter(({ kind }) => kind === "transition");
  assert.deepEqual(transitions.map(({ at }) => at), [8.767, 14.767, 15.433, 21.433, 22.1, 28.1, 28.767, 34.767, 35.433]);
  await page.done();
});

test("the bar shows recorded time only, and looking changes nothing", async () => {
  const page = await lab.open("seed=1&at=20000000000");
  const newest = await counters(page);
  await scrub(page, 60);
  assert.equal(await time(page), 20);
  assert.deepEqual(await counters(page), newest);
  await scrub(page, 9.3);
  assert.equal(await time(page), 9.3);
  assert.match(String(await page.textContent("#scrub-note")), /recorded instant/);
  assert.equal((await fragment(page)).get("recorded"), "20000000000");
  await scrub(page, 20);
  assert.deepEqual(await counters(page), newest);
  await page.done();
});

test("the trace tells nothing that the shown instant does not know", async () => {
  const page = await lab.open("seed=1&at=40000000000");
  for (const seconds of [8.5, 14.9, 22, 35.4, 2]) {
    await scrub(page, seconds);
    const lines = await trace(page);
    assert.ok(lines.every(({ at }) => at <= seconds), `at ${seconds} s`);
    if (seconds > 9) assert.ok(lines.length > 5);
  }
  await page.done();
});

test("Replay goes through what is recorded and keeps it", async () => {
  const page = await lab.open("seed=1&at=6000000000");
  const newest = await counters(page);
  await page.selectOption("#speed", "5");
  await page.click("#replay");
  await page.waitForFunction(() => document.getElementById("play")?.textContent === "Pause");
  await page.waitForFunction(() => document.getElementById("play")?.textContent === "Play");
  assert.equal(await time(page), 6);
  assert.deepEqual(await counters(page), newest);
  await page.done();
});

test("going on from the past starts a branch and says what it discards", async () => {
  const page = await lab.open("seed=1&at=40000000000");
  await scrub(page, 12);
  await page.click("#step");
  assert.equal(await time(page), 13);
  assert.match(String(await page.textContent("#notice")), /New branch at 12\.0 s.*40\.0 s is discarded/);
  assert.equal((await fragment(page)).get("recorded"), null, "13 s is the newest instant");
  await scrub(page, 30);
  assert.equal(await time(page), 13);

  await scrub(page, 5);
  await page.click("#play");
  await page.click("#play");
  assert.match(String(await page.textContent("#notice")), /New branch at 5\.0 s.*13\.0 s is discarded/);
  await page.done();
});

test("a branch drops the edits made after it", async () => {
  const page = await lab.open("seed=1&edit=10000000000~response_time~2&edit=20000000000~break_service&at=30000000000");
  await scrub(page, 15);
  await page.click("#step");
  await page.waitForFunction(() => document.getElementById("time")?.textContent === "16.0");
  assert.deepEqual((await fragment(page)).getAll("edit"), ["10000000000~response_time~2"]);
  assert.match(String(await page.textContent("#notice")), /1 edit/);
  await page.done();
});

test("after an edit everything that was played is as it was", async () => {
  const page = await lab.open("seed=1&at=20000000000");
  const before = [];
  for (let tenth = 1; tenth <= 120; tenth += 7) {
    await scrub(page, tenth / 10);
    before.push([await counters(page), await state(page)]);
  }
  await scrub(page, 12);
  await page.click('[data-action="repair_service"]');
  await page.waitForSelector("#stage[aria-busy=false]");
  assert.match(String(await page.textContent("#notice")), /20\.0 s is discarded/);
  const after = [];
  for (let tenth = 1; tenth <= 120; tenth += 7) {
    await scrub(page, tenth / 10);
    after.push([await counters(page), await state(page)]);
  }
  assert.deepEqual(after, before);
  await page.done();
});

test("actions that follow one another quickly are all taken, in order", async () => {
  const page = await lab.open("seed=1&at=5000000000");
  await page.evaluate(() => {
    for (const selector of ['[data-action="break_service"]', "#step", '[data-action="repair_service"]', "#step", "#step"]) {
      /** @type {HTMLElement} */ (document.querySelector(selector)).click();
    }
  });
  await page.waitForFunction(() => document.getElementById("time")?.textContent === "8.0");
  assert.deepEqual((await fragment(page)).getAll("edit"), ["5000000000~break_service", "6000000000~repair_service"]);
  await page.done();
});
