import assert from "node:assert/strict";
import { test } from "node:test";

import { useLab } from "../support/lab.js";
import { answered, counters, fragment, setNumber, state, time } from "../support/page.js";

const lab = useLab();
const AT = "seed=1&at=5000000000";

const OWN = ["consecutive", "ratio", "none"];

/** @param {any} page */
const mode = (page) => page.getAttribute("#service-status", "data-mode");
/** @param {any} page */
const notice = (page) => page.textContent("#notice");

test("every setting can be edited on the way, and leaves or keeps the schedule as the server says", async () => {
  const { controls } = await lab.ask("/api/about");
  assert.ok(controls.length >= 4);
  for (const { key, type, default: usual, step, max, leaves_schedule: leaves } of controls) {
    const page = await lab.open(AT);
    const before = await counters(page);
    let value;
    if (type === "flag") {
      value = !usual;
      await answered(page, () => page.click(`#controls [data-key="${key}"] input`));
    } else {
      value = usual + step > max ? usual - step : Number((usual + step).toFixed(6));
      await setNumber(page, key, value);
    }
    assert.deepEqual((await fragment(page)).getAll("edit"), [`5000000000~${key}~${value}`]);
    assert.equal(await mode(page), leaves ? "manual" : "scheduled", key);
    assert.match(await notice(page), leaves ? /From 5\.0 s on: .*leaves its schedule/ : /From 5\.0 s on: .*schedule stays/);
    assert.deepEqual(await counters(page), before, `${key} changed what had been played`);
    await page.done();
  }
});

test("an edit at the start changes the setting itself, and no intervention is made", async () => {
  const page = await lab.open();
  await setNumber(page, "requests_per_second", 20);
  assert.deepEqual((await fragment(page)).getAll("edit"), []);
  assert.equal((await fragment(page)).get("requests_per_second"), "20");
  await page.click("#step");
  assert.equal((await counters(page)).generated, 20);
  await page.done();
});

test("a slider edits once, when it is let go", async () => {
  const page = await lab.open(AT);
  const slider = page.locator('#controls [data-key="dependency_errors_percent"] input[type=range]');
  const box = await slider.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width - 8, box.y + box.height / 2);
  await page.mouse.down();
  for (const share of [0.8, 0.6, 0.5]) await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
  await answered(page, () => page.mouse.up());
  const edits = (await fragment(page)).getAll("edit");
  assert.equal(edits.length, 1);
  const value = Number(edits[0].split("~")[2]);
  assert.ok(value > 40 && value < 60, edits[0]);
  assert.equal(await page.inputValue('#controls [data-key="dependency_errors_percent"] input[type=number]'), String(value));
  await page.done();
});

test("Break service and Repair service leave the schedule for good, and the schedule can be taken up again", async () => {
  const page = await lab.open(AT);
  assert.equal(await mode(page), "scheduled");
  await answered(page, () => page.click('[data-action="break_service"]'));
  assert.equal(await mode(page), "manual");
  assert.match(String(await page.textContent("#service-status")), /100 %/);
  for (let steps = 0; steps < 3; steps += 1) await page.click("#step");
  assert.ok((await counters(page)).failed > 0);
  assert.match(String(await state(page)), /open/);
  await answered(page, () => page.click('[data-action="repair_service"]'));
  assert.match(String(await page.textContent("#service-status")), /0 %/);
  await answered(page, () => page.click('[data-action="schedule"]'));
  assert.equal(await mode(page), "scheduled");
  assert.ok(await page.isHidden('[data-action="schedule"]'));
  await page.done();
});

test("the breaker can be bypassed and put back, and then starts closed", async () => {
  const page = await lab.open("seed=1&at=10000000000");
  const flag = '#controls [data-key="breaker_enabled"] input';
  const rejected = (await counters(page)).rejected;
  assert.match(String(await state(page)), /open/);
  await answered(page, () => page.click(flag));
  assert.match(String(await state(page)), /bypassed/, "the edit shows at once");
  await page.click("#step");
  assert.match(String(await state(page)), /bypassed/);
  assert.equal((await counters(page)).rejected, rejected, "nothing is turned away while it is bypassed");
  await answered(page, () => page.click(flag));
  await page.click("#step");
  const trace = await page.$$eval('#trace li[data-kind="transition"]', (lines) => lines.map((line) => line.textContent));
  assert.match(trace.join("\n"), /closed/i);
  await page.done();
});

test("presets begin another run", async () => {
  const page = await lab.open(AT);
  await answered(page, () => page.click('[data-preset="healthy"]'));
  assert.equal(await time(page), 0);
  assert.equal(await mode(page), "manual");
  for (let steps = 0; steps < 12; steps += 1) await page.click("#step");
  const { failed, rejected, generated } = await counters(page);
  assert.deepEqual([failed, rejected, generated], [0, 0, 144]);
  await answered(page, () => page.click('[data-preset="outage_recovery"]'));
  assert.equal(await time(page), 0);
  assert.equal(await mode(page), "scheduled");
  await page.done();
});

test("every rule of the workspace has its form, and every parameter can be edited on the way", async () => {
  const { rules } = await lab.ask("/api/about");
  assert.ok(rules.length >= 3);
  for (const { kind, parameters } of rules) {
    const page = await lab.open(AT);
    const choice = page.getByLabel("The breaker opens by").locator("visible=true");
    if ((await choice.inputValue()) !== kind) await answered(page, () => choice.selectOption(kind));
    const form = page.locator("#controls .parameters");
    assert.equal(await form.locator(".field > :is(input[type=number], input[type=text], input[type=checkbox], select)").count(), parameters.length, kind);
    const details = form.locator("summary");
    if ((await details.count()) > 0) await details.click();
    await page.click("#step");
    // Every parameter of the workspace's own rules, and one of each library's.
    const numbers = parameters.filter(({ type, default: usual }) => ["whole", "number", "duration"].includes(type) && typeof usual === "number");
    for (const { name, default: usual, step, min = 0 } of OWN.includes(kind) ? numbers : numbers.slice(0, 1)) {
      const lower = Number((usual - step).toFixed(6));
      const value = lower >= min && name !== "open_for" ? lower : Number((usual + step).toFixed(6));
      const input = form.locator(`[data-key="${name}"] input[type=number]`);
      await answered(page, async () => {
        await input.fill(String(value));
        await input.press("Enter");
      });
      assert.equal((await fragment(page)).getAll("edit").at(-1), `6000000000~rule.${name}~${value}`, `${kind}: ${await notice(page)}`);
    }
    await page.click("#step");
    assert.equal(await time(page), 7);
    await page.done();
  }
});

test("a value that the server refuses is said beside its field, and what is in force comes back", async () => {
  const page = await lab.open();
  const field = page.locator('#controls [data-key="threshold"]');
  await setNumber(page, "threshold", 0);
  await field.locator(".problem:not(:empty)").waitFor();
  assert.match(String(await field.locator(".problem").textContent()), /threshold/);
  assert.equal(await field.locator("input[type=number]").inputValue(), "3");
  assert.equal((await fragment(page)).get("rule.threshold"), "3");
  await setNumber(page, "threshold", 4);
  assert.equal(await field.locator(".problem").textContent(), "");
  await page.done();
});

test("another seed is another run, the same one is the same", async () => {
  const errors = "schedule=manual&dependency_errors_percent=40&rule.kind=none&at=30000000000";
  const page = await lab.open(`seed=1&${errors}`);
  const first = await counters(page);
  await setNumber(page, "seed", 2);
  assert.equal(await time(page), 0);
  await page.done();
  const other = await lab.open(`seed=2&${errors}`);
  assert.notDeepEqual(await counters(other), first);
  await other.done();
  const again = await lab.open(`seed=1&${errors}`);
  assert.deepEqual(await counters(again), first);
  await again.done();
});

test("help is there for every field", async () => {
  const page = await lab.open();
  const hints = page.locator("#controls .hint").locator("visible=true");
  const count = await hints.count();
  assert.ok(count >= 7);
  for (let index = 0; index < count; index += 1) {
    await hints.nth(index).click();
    assert.equal(await hints.nth(index).getAttribute("aria-expanded"), "true");
  }
  const helps = await page.$$eval("#controls .field .help", (all) => all.filter((each) => each.checkVisibility()).map((each) => each.textContent ?? ""));
  assert.ok(helps.length >= count && helps.every((help) => help.length > 10), helps.join("\n"));
  await page.done();
});

test("the speed is said in viewing time", async () => {
  const page = await lab.open();
  await page.selectOption("#speed", "10");
  assert.match(String(await page.getAttribute("#speed", "title")), /takes 9 s/);
  await page.selectOption("#speed", "0.5");
  assert.match(String(await page.getAttribute("#speed", "title")), /takes 180 s/);
  await page.done();
});

test("words, switches, texts and absent values of a library's rule can be set", async () => {
  const page = await lab.open("seed=1&rule.kind=cockatiel&rule.halfOpenAfter=2000&rule.breaker.kind=ConsecutiveBreaker&rule.breaker.threshold=3&at=9000000000");
  await page.locator("#controls .parameters summary").click();
  const form = page.locator("#controls .parameters");
  assert.match(String(await state(page)), /open/);
  await answered(page, async () => {
    await form.locator('[data-key="breaker.threshold"] input[type=number]').fill("4");
    await form.locator('[data-key="breaker.threshold"] input[type=number]').press("Enter");
  });
  assert.equal((await fragment(page)).getAll("edit").at(-1), "9000000000~rule.breaker.threshold~4");
  for (let steps = 0; steps < 4; steps += 1) await page.click("#step");
  assert.ok((await counters(page)).probes > 0);
  await page.done();

  const other = await lab.open("seed=1&rule.kind=opossum&at=4000000000");
  const flag = other.locator('#controls [data-key="allowWarmUp"] input');
  await other.locator("#controls .parameters summary").click();
  await answered(other, () => flag.click());
  assert.equal((await fragment(other)).getAll("edit").at(-1), "4000000000~rule.allowWarmUp~true", String(await notice(other)));
  await other.done();
});
