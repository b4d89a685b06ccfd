import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { useLab } from "../support/lab.js";
import { sweepFolder } from "../support/server.js";
import { overflowing, violations } from "../support/looks.js";

const lab = useLab(["--sweep", sweepFolder()]);

/** Screenshots are for people: they go to `LAB_SCREENSHOTS`, or to a new folder that the test names. */
const folder = process.env.LAB_SCREENSHOTS ?? mkdtempSync(join(tmpdir(), "lab-screenshots-"));
mkdirSync(folder, { recursive: true });

const VIEWS = {
  experiment: "seed=1&at=14900000000",
  compare: "view=compare&seed=1&at=40000000000",
  pool: "view=pool",
  sweep: "view=sweep",
};

for (const [view, fragment] of Object.entries(VIEWS)) {
  for (const width of [360, 1280]) {
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      test(`${view}, ${width} px, ${colorScheme}: fits and is accessible`, async (t) => {
        const page = await lab.open(fragment, { viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
        await page.waitForSelector("#stage[aria-busy=false]");
        await page.waitForTimeout(200);
        const picture = join(folder, `${view}-${width}-${colorScheme}.png`);
        await page.screenshot({ path: picture, fullPage: true });
        t.diagnostic(picture);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "the page scrolls sideways");
        assert.deepEqual(await page.evaluate(overflowing), []);
        assert.deepEqual(await violations(page), []);
        await page.done();
      });
    }
  }
}

test("on a narrow screen the diagram scrolls, to its last label", async () => {
  const page = await lab.open("seed=1&at=9000000000", { viewport: { width: 360, height: 800 } });
  const scroller = page.locator("#stage .scroller").first();
  const [inside, outside] = await scroller.evaluate((node) => [node.scrollWidth, node.clientWidth]);
  assert.ok(inside > outside + 200, `${inside} in ${outside}`);
  await scroller.focus();
  for (let presses = 0; presses < 20; presses += 1) await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => {
    const [node] = document.querySelectorAll("#stage .scroller");
    return node.scrollLeft + node.clientWidth >= node.scrollWidth - 1;
  });
  assert.ok(await page.isVisible(".scroll-hint"));
  await page.done();
});
