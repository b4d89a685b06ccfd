import assert from "node:assert/strict";
import { test } from "node:test";

import { useLab } from "../support/lab.js";
import { answered, scrub, setNumber } from "../support/page.js";

const lab = useLab();

/** The comparison's table: a row's protected, bypassed and difference. @param {any} page @param {string} row */
async function row(page, row) {
  const cells = await page.locator("#difference tr", { hasText: row }).locator("td").allTextContents();
  return cells.map((/** @type {string} */ cell) => Number(cell.replaceAll(",", "").replace("−", "-")));
}

test("the golden run and its bypassed twin stand side by side, and the difference is counted", async () => {
  const page = await lab.open("view=compare&seed=1&at=90000000000");
  await page.waitForSelector("#stage[aria-busy=false]");
  // Requests 96 to 359 are created in the outage: bypassed, all 264 of them fail.
  assert.deepEqual(await row(page, "Generated"), [1080, 1080, 0]);
  assert.deepEqual(await row(page, "Succeeded"), [744, 809, -65]);
  assert.deepEqual(await row(page, "Failed"), [13, 264, -251]);
  assert.deepEqual(await row(page, "Rejected"), [316, 0, 316]);
  assert.deepEqual(await row(page, "In flight"), [7, 7, 0]);
  assert.match(String(await page.textContent("#difference .verdict")), /316 attempts: 251 would have failed by now, 65 would have succeeded\./);
  await page.done();
});

test("the counted difference follows the shown instant", async () => {
  const page = await lab.open("view=compare&seed=5&schedule=manual&dependency_errors_percent=60&at=90000000000");
  const { counters } = await lab.ask("/api/compare", { seed: 5, settings: { schedule: "manual", dependency_errors_percent: 60 } });
  for (const seconds of [0, 1.5, 4, 17.3, 44.4, 90]) {
    await scrub(page, seconds);
    const index = counters.at_ns.filter((/** @type {number} */ at) => at < seconds * 1e9).length - 1;
    const attempts = index < 0 ? 0 : counters.attempts_avoided[index];
    const verdict = String(await page.textContent("#difference .verdict")).replaceAll(/(\d),(\d)/g, "$1$2");
    assert.match(verdict, attempts === 0 ? /alike/ : new RegExp(`spared the dependency ${attempts} attempt`), `at ${seconds} s`);
    assert.equal((await row(page, "Attempted"))[2], attempts === 0 ? 0 : -attempts);
  }
  await page.done();
});

test("both diagrams show their own breaker, and an edit asks for both anew", async () => {
  const page = await lab.open("view=compare&seed=1&at=10000000000");
  await page.waitForSelector("#stage[aria-busy=false]");
  assert.match(String(await page.textContent("#diagram-protected .state")), /Open/);
  assert.match(String(await page.textContent("#diagram-bypassed .state")), /Bypassed/);
  await answered(page, () => page.click('[data-action="repair_service"]'));
  await page.click("#step");
  assert.match(String(await page.textContent("#diagram-bypassed")), /Healthy/);
  assert.equal(await page.locator("#strip .lane-name").count(), 2);
  await page.done();
});

test("a kept run stands beside the next one, and it is said whether both met the same requests", async () => {
  const page = await lab.open("seed=1&at=40000000000");
  await page.click("#keep");
  await setNumber(page, "threshold", 10);
  await answered(page, () => page.click("#restart"));
  for (let steps = 0; steps < 12; steps += 1) await page.click("#step");
  const { counters } = await lab.ask("/api/run", {});
  const row = counters.at_ns.filter((/** @type {number} */ at) => at < 12e9).length - 1;
  assert.equal(await page.textContent('[data-kept="rejected"]'), `kept run: ${counters.rejected[row]}`);
  assert.notEqual(Number(await page.textContent('[data-count="rejected"]')), counters.rejected[row]);
  assert.match(String(await page.textContent("#kept")), /very same requests/);
  assert.equal(await page.locator("#strip .lane-name").count(), 2);
  await setNumber(page, "requests_per_second", 5);
  assert.match(String(await page.textContent("#kept")), /other requests/);
  await page.click("#keep");
  assert.equal(await page.textContent('[data-kept="rejected"]'), "");
  assert.equal(await page.locator("#strip .lane-name").count(), 1);
  await page.done();
});
