import assert from "node:assert/strict";
import { test } from "node:test";

import { useLab } from "../support/lab.js";
import { sweepFolder } from "../support/server.js";
import { answered, fragment, look } from "../support/page.js";

const lab = useLab(["--sweep", sweepFolder()]);
const PLAYING = "#comparison [data-all-equal]";

test("any run of the sweep is played as the sweep ran it: every column of its row is equal", async () => {
  const { designs, modes, replications } = await lab.ask("/api/sweep");
  const page = await lab.open("view=sweep");
  await page.waitForSelector(PLAYING);
  for (const [index, { name: mode }] of modes.entries()) {
    const { design } = designs[(index * 5 + 1) % designs.length];
    await page.selectOption("#design", String(design));
    await page.selectOption("#mode", mode);
    await page.fill("#replication", String((index * 7 + 3) % replications));
    await answered(page, () => page.click("#sweep-play"));
    assert.equal(await page.getAttribute(PLAYING, "data-all-equal"), "true");
    assert.ok((await page.locator("#comparison .equal").count()) >= 24);
    assert.equal(await page.locator("#comparison .unequal").count(), 0);
    const rows = await page.$$eval("#comparison tbody tr", (all) => all.map((row) => [...row.children].slice(0, 3).map((cell) => cell.textContent)));
    const row = Object.fromEntries(rows.map(([column, file]) => [column, file]));
    assert.deepEqual([row.design, row.mode, row.replication], [String(design), mode, String((index * 7 + 3) % replications)]);

    // The picture's last instant counts what the row says.
    assert.deepEqual((await look(page, 12)).balances, ["true", "true"]);
    const counts = await page.$$eval("#pool-counts tbody tr", (all) => all.map((each) => [...each.querySelectorAll("td")].map((cell) => cell.textContent?.replaceAll(",", ""))));
    assert.equal(counts[0][0], row.requests);
    assert.equal(counts[3][0], row.rejected);
    assert.equal(counts[0][1], row.neighbour_requests);
    assert.equal(counts[4][1], row.neighbour_no_slot);
  }
  await page.done();
});

test("every front of the sweep is drawn, and its points can be chosen with the keyboard", async () => {
  const { fronts } = await lab.ask("/api/sweep");
  assert.ok(fronts.length > 0);
  const page = await lab.open("view=sweep");
  await page.waitForSelector(PLAYING);
  for (const [index, front] of fronts.entries()) {
    await page.selectOption("#front-choice", String(index));
    const points = page.locator("#front svg[role=listbox] .point");
    assert.equal(await points.count(), front.points.length);
    assert.equal(await page.locator('#front .point[tabindex="0"]').count(), 1);
  }
  await page.selectOption("#front-choice", "0");
  await page.locator('#front .point[tabindex="0"]').focus();
  for (let steps = 0; steps < fronts[0].points.length; steps += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const focused = await page.evaluate(() => document.activeElement?.getAttribute("data-design"));
  await answered(page, () => page.keyboard.press("Enter"));
  assert.equal((await fragment(page)).get("sweep.design"), focused);
  assert.equal(await page.locator(`#front .point.chosen`).getAttribute("data-design"), focused);
  assert.equal(await page.inputValue("#design"), focused);
  await page.done();
});

test("families look as in the sweep's figures, and what was never seen is hollow above the axis", async () => {
  const { families, fronts } = await lab.ask("/api/sweep");
  const page = await lab.open("view=sweep");
  await page.waitForSelector(PLAYING);
  await page.selectOption("#front-choice", "0");
  const colours = new Map(families.map((/** @type {any} */ family) => [family.rule, family.colour]));
  assert.deepEqual([colours.get("none"), colours.get("consecutive"), colours.get("ratio")], ["#000000", "#0072b2", "#d55e00"]);
  for (const { design, rule, zero_events: never } of fronts[0].points) {
    const mark = page.locator(`#front .point[data-design="${design}"]`);
    assert.equal(await mark.getAttribute("color"), rule === "none" ? null : colours.get(rule));
    assert.equal(await mark.evaluate((node) => node.classList.contains("unseen")), never);
    if (never) assert.match((await mark.getAttribute("aria-label")) ?? "", /none seen, at most/);
  }
  assert.ok(fronts[0].points.some((/** @type {any} */ point) => point.zero_events));
  await page.done();
});

test("a point can be chosen with the pointer, and the address opens it again", async () => {
  const page = await lab.open("view=sweep");
  await page.waitForSelector(PLAYING);
  const last = page.locator("#front .point").last();
  const design = await last.getAttribute("data-design");
  await answered(page, () => last.click({ force: true }));
  assert.equal((await fragment(page)).get("sweep.design"), design);
  const [address, table] = [await fragment(page), await page.textContent("#comparison table")];
  await page.done();
  const again = await lab.open(address.toString());
  await again.waitForSelector(PLAYING);
  assert.equal(await again.textContent("#comparison table"), table);
  await again.done();
});

test("designs are found by their words, and a replication out of range is refused in words", async () => {
  const { designs, replications } = await lab.ask("/api/sweep");
  const page = await lab.open("view=sweep");
  await page.waitForSelector(PLAYING);
  await page.fill("#design-filter", "ratio");
  const wanted = designs.filter((/** @type {any} */ one) => one.label.includes("ratio")).length;
  assert.equal(await page.locator("#design option").count(), wanted);
  await page.fill("#replication", String(replications));
  await answered(page, () => page.locator("#sweep-controls").evaluate((form) => form.dispatchEvent(new Event("submit", { cancelable: true }))));
  const said = `${await page.textContent("#sweep-controls .problem")} ${await page.textContent("#notice")}`;
  assert.match(said, /replication/);
  await page.done();
});
