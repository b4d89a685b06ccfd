import assert from "node:assert/strict";
import { test } from "node:test";

import { useLab } from "../support/lab.js";
import { answered, fragment, instants, look, scrub, setNumber, time } from "../support/page.js";

const lab = useLab();
const READY = '#stage[aria-busy="false"]';

/** How many squares of the pool's picture show each letter. @param {(string | null)[]} letters */
function holders(letters) {
  const count = (/** @type {string} */ letter) => letters.filter((each) => each === letter).length;
  return { slots: letters.length, dependency: count("D"), neighbour: count("N"), rejection: count("R") };
}

test("the squares show who holds the slots at every instant", async () => {
  const page = await lab.open("view=pool");
  await page.waitForSelector(READY);
  const { slots, slots_in_use: use } = await lab.ask("/api/pool", {});
  for (const seconds of instants(50, 12, 4)) {
    const tenths = Math.round(seconds * 10);
    const { squares, balances } = await look(page, tenths / 10);
    const row = use.at_ns.filter((/** @type {number} */ at) => at < tenths * 1e8).length - 1;
    const at = (/** @type {string} */ column) => (row < 0 ? 0 : use[column][row]);
    assert.deepEqual(holders(squares), { slots, dependency: at("dependency"), neighbour: at("neighbour"), rejection: at("rejection") }, `at ${tenths / 10} s`);
    assert.deepEqual(balances, ["true", "true"]);
  }
  await page.done();
});

test("a slow dependency takes slots from its neighbours, and the breaker gives them back", async () => {
  const page = await lab.open("view=pool");
  await page.waitForSelector(READY);
  await scrub(page, 12);
  assert.match(String(await page.textContent("#pool-counts .verdict")), /the breaker saved \d/);
  await answered(page, () => page.getByLabel("The breaker opens by").locator("visible=true").selectOption("none"));
  assert.equal(await time(page), 12, "another run is shown at the same instant");
  assert.match(String(await page.textContent("#pool-counts .verdict")), /as many as without a breaker/);
  await page.done();
});

test("mode, seed and replication make other runs, and the address tells them", async () => {
  const page = await lab.open("view=pool");
  await page.waitForSelector(READY);
  await answered(page, () => page.locator('#pool-controls [data-key="mode"] select').selectOption("down"));
  await setNumber(page, "seed", 11);
  await setNumber(page, "replication", 4);
  await setNumber(page, "threshold", 7);
  const address = await fragment(page);
  assert.deepEqual(
    ["pool.mode", "pool.seed", "pool.replication", "pool.rule.threshold"].map((key) => address.get(key)),
    ["down", "11", "4", "7"],
  );
  const { final } = await page.evaluate(() => ({ final: document.querySelector("#pool-counts table")?.textContent }));
  await page.done();
  const again = await lab.open(address.toString());
  await again.waitForSelector(READY);
  assert.equal(await again.textContent("#pool-counts table"), final);
  await again.done();
});

test("the pool plays, steps and restarts", async () => {
  const page = await lab.open("view=pool");
  await page.waitForSelector(READY);
  await page.click("#restart");
  assert.equal(await time(page), 0);
  assert.match(String(await page.textContent("#scrub-note")), /whole run is recorded/);
  await page.click("#step");
  assert.equal(await time(page), 0.1);
  await page.selectOption("#speed", "2");
  await page.click("#play");
  await page.waitForFunction(() => Number(document.getElementById("time")?.textContent) > 1);
  await page.click("#play");
  await page.click("#replay");
  await page.waitForFunction(() => Number(document.getElementById("time")?.textContent) < 1);
  await page.done();
});
