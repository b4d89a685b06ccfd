import assert from "node:assert/strict";
import { test } from "node:test";

import { useLab } from "../support/lab.js";
import { counters, fragment, state, time } from "../support/page.js";

const lab = useLab();

test("the whole lesson can be done with the keyboard", async () => {
  const page = await lab.open();
  const press = async (/** @type {string} */ key) => {
    await page.keyboard.press(key);
    await page.waitForSelector("#stage:not([aria-busy=true])");
  };
  for (let steps = 0; steps < 10; steps += 1) await press("s");
  assert.equal(await time(page), 10);
  assert.match(String(await state(page)), /open/);
  await press("ArrowLeft");
  await press("ArrowLeft");
  assert.equal(await time(page), 8);
  await press("ArrowRight");
  assert.equal(await time(page), 9);
  await press("Home");
  assert.equal(await time(page), 0);
  await press("End");
  assert.equal(await time(page), 10);
  await press("f");
  await press("t");
  assert.deepEqual((await fragment(page)).getAll("edit"), ["10000000000~repair_service", "10000000000~breaker_enabled~false"]);
  await press("s");
  assert.match(String(await state(page)), /bypassed/);
  await press("b");
  assert.equal((await fragment(page)).getAll("edit").at(-1), "11000000000~break_service");
  await press("+");
  assert.equal(await page.inputValue("#speed"), "2");
  await press("-");
  assert.equal(await page.inputValue("#speed"), "1");
  await press(" ");
  assert.equal(await page.textContent("#play"), "Pause");
  await press(" ");
  assert.equal(await page.textContent("#play"), "Play");
  await press("p");
  assert.equal(await page.textContent("#play"), "Pause");
  await press("r");
  assert.equal(await time(page), 0);
  for (const [key, view] of [["2", "compare"], ["3", "pool"], ["1", "experiment"]]) {
    await press(key);
    assert.equal(await page.getAttribute(`#tab-${view}`, "aria-selected"), "true");
  }
  await page.done();
});

test("keys that a field or a button needs are left to it", async () => {
  const page = await lab.open("seed=1&at=3000000000");
  await page.locator('#controls [data-key="response_time"] input[type=number]').focus();
  await page.keyboard.press("s");
  await page.keyboard.press("Home");
  assert.equal(await time(page), 3);
  await page.focus("#step");
  await page.keyboard.press(" ");
  assert.equal(await time(page), 4, "Space on a button presses it, once");
  assert.equal(await page.textContent("#play"), "Play");
  await page.focus("#scrub");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await time(page), 3.9);
  await page.done();
});

test("the first link skips to the diagram, and the run stays", async () => {
  const page = await lab.open("seed=1&at=3000000000");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "stage");
  assert.equal(await time(page), 3);
  await page.done();
});

test("the help lists every key, and closes again", async () => {
  const page = await lab.open();
  await page.keyboard.press("?");
  assert.ok(await page.isVisible("#help"));
  const keys = await page.$$eval("#keys kbd", (all) => all.map((key) => key.textContent));
  for (const key of ["Space", "S", "←", "→", "Home", "End", "P", "R", "B", "F", "T", "1", "2", "3", "?"]) assert.ok(keys.includes(key), key);
  await page.keyboard.press("s");
  assert.equal(await time(page), 0, "keys do nothing behind the dialog");
  await page.keyboard.press("Escape");
  assert.ok(await page.isHidden("#help"));
  await page.done();
});

test("tabs move with the arrow keys, and Tab reaches every control in sight", async () => {
  const page = await lab.open("seed=1&at=3000000000");
  await page.focus("#tab-experiment");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getAttribute("#tab-compare", "aria-selected"), "true");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await time(page), 3);
  const wanted = await page.$$eval("button, select, input, summary, .scroller, .trace", (all) =>
    all.filter((each) => each.checkVisibility() && !each.disabled && each.tabIndex >= 0 && !each.closest(".visually-hidden")).length,
  );
  const seen = new Set();
  await page.focus(".brand");
  for (let steps = 0; steps < 2 * wanted; steps += 1) {
    await page.keyboard.press("Tab");
    const place = await page.evaluate(() => [...document.querySelectorAll("*")].indexOf(/** @type {Element} */ (document.activeElement)));
    if (await page.evaluate(() => document.activeElement?.matches("button, select, input, summary, .scroller, .trace"))) seen.add(place);
  }
  assert.equal(seen.size, wanted);
  assert.equal((await counters(page)).generated, 36);
  await page.done();
});
