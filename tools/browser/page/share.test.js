import assert from "node:assert/strict";
import { test } from "node:test";

import { useLab } from "../support/lab.js";
import { answered, counters, fragment, scrub, setNumber, state, time, trace } from "../support/page.js";

const lab = useLab();

test("an address reproduces the run, its edits, and the instant that was looked at", async () => {
  const page = await lab.open();
  await setNumber(page, "requests_per_second", 15);
  for (let steps = 0; steps < 9; steps += 1) await page.click("#step");
  await answered(page, () => page.click('[data-action="break_service"]'));
  await setNumber(page, "open_for", 2.5);
  for (let steps = 0; steps < 8; steps += 1) await page.click("#step");
  await answered(page, () => page.getByLabel("The breaker opens by").locator("visible=true").selectOption("ratio"));
  for (let steps = 0; steps < 8; steps += 1) await page.click("#step");
  await scrub(page, 21);
  const seen = [await time(page), await counters(page), await state(page), await trace(page)];
  const address = await fragment(page);
  await page.done();

  const other = await lab.open(address.toString());
  assert.deepEqual([await time(other), await counters(other), await state(other), await trace(other)], seen);
  await scrub(other, 25);
  assert.equal(await time(other), 25, "what was recorded after it is there, too");
  await other.done();
});

test("the address follows what is on show, and the button copies it", async () => {
  const page = await lab.open("", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.click("#step");
  await page.click("#share");
  await page.waitForFunction(() => document.getElementById("share")?.textContent === "Link copied");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
  await page.click("#tab-compare");
  assert.equal((await fragment(page)).get("view"), "compare");
  await page.done();
});

test("pasting another address into the same tab opens it", async () => {
  const page = await lab.open("seed=1&at=3000000000");
  await page.evaluate(() => (location.hash = "seed=1&at=7000000000"));
  await page.waitForFunction(() => document.body.dataset.ready && document.getElementById("time")?.textContent === "7.0");
  await page.done();
});

test("an address that makes no sense is said, and a sound run is on show", async () => {
  for (const fragment of ["seed=1&rule.kind=nonsense&at=5000000000", "seed=-3", "seed=1&edit=99~nonsense~1", "view=nowhere"]) {
    const page = await lab.open(fragment);
    const said = String(await page.textContent("#notice"));
    if (fragment === "view=nowhere") assert.equal(said, "");
    else assert.match(said, /nonsense|seed|interventions/, fragment);
    await page.click("#step");
    assert.equal((await counters(page)).generated, 12);
    await page.done();
  }
  const pool = await lab.open("view=pool&pool.mode=nonsense");
  await pool.waitForFunction(() => document.querySelectorAll("#diagram-pool .slot").length > 0);
  assert.match(String(await pool.textContent("#notice")), /nonsense|mode/);
  await pool.done();
});

test("a request that would leave this machine would be noticed, and gets nowhere", async () => {
  const page = await lab.open();
  await assert.rejects(page.goto("http://192.0.2.1/"), /ERR_/);
  await assert.rejects(page.done(), /a request left loopback: http:\/\/192\.0\.2\.1/);
});

test("of a rule that an address only names, the rest is as it is offered", async () => {
  const page = await lab.open("rule.kind=cockatiel&at=9000000000");
  assert.equal(await page.textContent("#notice"), "");
  assert.equal((await fragment(page)).get("rule.breaker.kind"), "ConsecutiveBreaker");
  await page.done();
});

test("what an address leaves out is as in the preset", async () => {
  const page = await lab.open("rule.threshold=7&at=9000000000");
  const fragmentNow = await fragment(page);
  assert.deepEqual([fragmentNow.get("seed"), fragmentNow.get("rule.kind"), fragmentNow.get("rule.open_for")], ["1", "consecutive", "6"]);
  assert.equal(await time(page), 9);
  assert.match(String(await state(page)), /closed/, "the seventh failure has not ended yet");
  await page.done();
});
