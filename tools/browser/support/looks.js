/** What a page must not look like. */

import axe from "axe-core";

/** Elements that stick out of the page, outside of scrollers; runs in the page. @returns {string[]} */
export function overflowing() {
  const width = document.documentElement.clientWidth;
  return [...document.querySelectorAll("body *")]
    .filter((each) => each.checkVisibility() && !each.closest(".scroller, .table-scroller, .strip, .visually-hidden, .skip, svg"))
    .filter((each) => {
      const box = each.getBoundingClientRect();
      return box.right > width + 0.5 || box.left < -0.5 || each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== "inline" && !["INPUT", "SELECT", "LABEL"].includes(each.tagName) && each.clientWidth > 0;
    })
    .map((each) => `${each.tagName} ${each.id} ${each.className} ${each.textContent?.trim().slice(0, 40)}`);
}

/**
 * What axe finds against the page's accessibility: names, roles, contrast, structure. Needs a context with `bypassCSP`.
 * @param {import("playwright-core").Page} page
 * @returns {Promise<string[]>}
 */
export async function violations(page) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run({ resultTypes: ["violations"] }));
  return found.violations.flatMap((/** @type {any} */ { id, help, nodes }) => nodes.map((/** @type {any} */ node) => `${id}: ${help}: ${node.html}`));
}
