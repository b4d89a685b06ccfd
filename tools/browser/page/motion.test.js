import assert from "node:assert/strict";
import { test } from "node:test";

import { useLab } from "../support/lab.js";
import { answered, counters } from "../support/page.js";

const lab = useLab();

/** The marks that move in the diagram. @param {any} page */
const moving = (page) => page.locator("#diagram svg > g:last-of-type > .mark").count();

test("requests, responses, failures, rejections and probes each have a shape and a sign of their own", async () => {
  const page = await lab.open("seed=1&at=9000000000");
  const legend = await page.$$eval("#legend .mark", (marks) => marks.map((mark) => [...mark.children].map((path) => path.getAttribute("d")).join(" | ")));
  assert.equal(legend.length, 7);
  assert.equal(new Set(legend).size, 7);
  for (const kind of ["request", "failure", "rejection"]) assert.ok((await page.locator(`#diagram .mark-${kind}`).count()) > 0, kind);
  await page.done();
});

test("only what is on its way is in the page", async () => {
  const page = await lab.open("seed=1&at=90000000000");
  const { inFlight } = await counters(page);
  const marks = await moving(page);
  assert.ok(marks >= inFlight && marks <= inFlight + 12, `${marks} marks for ${inFlight} in flight`);
  await page.done();
});

test("with reduced motion nothing moves: numbers stand where marks would glide", async () => {
  const page = await lab.open("seed=1&at=9000000000", { reducedMotion: "reduce" });
  assert.equal(await moving(page), 0);
  assert.match(String(await page.textContent("#diagram .summary")), /in flight/);
  assert.equal(await page.$eval("#diagram .lever", (lever) => getComputedStyle(lever).transitionDuration), "0s");

  // While it plays, the picture is renewed in steps of half a second of viewing.
  await page.evaluate(() => {
    const seen = /** @type {any} */ (globalThis);
    seen.times = [];
    const time = /** @type {Element} */ (document.getElementById("time"));
    new MutationObserver(() => seen.times.push(Number(time.textContent))).observe(time, { childList: true, characterData: true, subtree: true });
  });
  await page.click("#play");
  await page.waitForFunction(() => /** @type {any} */ (globalThis).times.length >= 4);
  await page.click("#play");
  const times = await page.evaluate(() => /** @type {number[]} */ (/** @type {any} */ (globalThis).times));
  const steps = times.slice(1).map((each, index) => each - times[index]);
  assert.ok(steps.every((step) => step > 0.39), times.join(" "));
  assert.equal(await moving(page), 0);
  await page.done();
});

test("transitions are announced, not every number", async () => {
  const page = await lab.open("seed=1&at=8000000000");
  assert.equal(await page.textContent("#announcer"), "");
  await page.click("#step");
  assert.match(String(await page.textContent("#announcer")), /^8\.7 seconds\. .*3 failures/);
  const before = await page.textContent("#announcer");
  await page.click("#step");
  assert.equal(await page.textContent("#announcer"), before);
  await answered(page, () => page.click('[data-action="repair_service"]'));
  assert.equal(await page.getAttribute("#notice", "role"), "status");
  await page.done();
});
