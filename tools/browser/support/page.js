/** What a visitor sees and does, in the tests' words. */

/** @typedef {import("playwright-core").Page} Page */

/** The shown instant in seconds. @param {Page} page */
export async function time(page) {
  return Number(await page.textContent("#time"));
}

/** The counters as the page shows them. @param {Page} page @returns {Promise<Record<string, number>>} */
export function counters(page) {
  return page.$$eval("[data-count]", (cells) =>
    Object.fromEntries(cells.map((cell) => [cell.getAttribute("data-count"), Number(cell.textContent?.replaceAll(",", ""))])),
  );
}

/** The state that the breaker's badge names. @param {Page} page */
export function state(page) {
  return page.textContent("#badges .badge >> nth=0");
}

/** Drags the bar to an instant. @param {Page} page @param {number} seconds */
export async function scrub(page, seconds) {
  await page.$eval(
    "#scrub",
    (bar, value) => {
      /** @type {HTMLInputElement} */ (bar).value = String(value);
      bar.dispatchEvent(new Event("input", { bubbles: true }));
    },
    Math.round(seconds * 1000),
  );
}

/**
 * Drags the bar to an instant and reads what the page then shows, in one go.
 * @param {Page} page
 * @param {number} seconds
 */
export function look(page, seconds) {
  return page.$eval(
    "#scrub",
    (bar, value) => {
      /** @type {HTMLInputElement} */ (bar).value = String(value);
      bar.dispatchEvent(new Event("input", { bubbles: true }));
      const number = (/** @type {Element} */ cell) => Number(cell.textContent?.replaceAll(",", ""));
      const seen = (/** @type {string} */ selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
      const lines = seen("[data-balance]");
      return {
        counters: Object.fromEntries(seen("[data-count]").map((cell) => [cell.getAttribute("data-count"), number(cell)])),
        balances: lines.map((line) => line.getAttribute("data-holds")),
        numbers: lines.map((line) => (line.textContent?.replaceAll(",", "").match(/\d+/g) ?? []).map(Number)),
        squares: seen("#diagram-pool .slot").map((slot) => slot.getAttribute("data-by")),
      };
    },
    Math.round(seconds * 1000),
  );
}

/** Types a number into the field of a setting and leaves it. @param {Page} page @param {string} key @param {number} value */
export async function setNumber(page, key, value) {
  const input = page.locator(`#controls [data-key="${key}"] input[type=number], #pool-controls [data-key="${key}"] input[type=number]`).locator("visible=true");
  await answered(page, async () => {
    await input.fill(String(value));
    await input.press("Tab");
  });
}

/** Does something that asks the server, and waits until the page shows the answer. @param {Page} page @param {() => Promise<unknown>} act */
export async function answered(page, act) {
  await act();
  await page.waitForSelector("#stage[aria-busy=false]");
}

/** The fragment of the address, taken apart, once it tells what is on show. @param {Page} page */
export async function fragment(page) {
  await page.waitForTimeout(300);
  return new URLSearchParams(new URL(page.url()).hash.slice(1));
}

/** The trace's lines. @param {Page} page @returns {Promise<{at: number, kind: string, text: string}[]>} */
export function trace(page) {
  return page.$$eval("#trace li[data-kind]", (lines) =>
    lines.map((line) => ({
      at: Number.parseFloat(line.querySelector("time")?.textContent ?? ""),
      kind: line.getAttribute("data-kind") ?? "",
      text: line.lastElementChild?.textContent ?? "",
    })),
  );
}

/** Seeded instants: the same ones in every run of the tests. @param {number} count @param {number} until @param {number} seed */
export function instants(count, until, seed) {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32) * until;
  });
}
