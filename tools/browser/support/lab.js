/** The lab in a browser, for a test file: one server, one Chromium, a fresh context per page, and what must never happen. */

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { chromium } from "playwright-core";

import { chromiumPath } from "./chromium.js";
import { startServer } from "./server.js";

/** Nothing but loopback resolves, names and numbers alike, and nothing is updated in the background. */
const ARGUMENTS = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];

/**
 * Registers hooks that start and stop the lab around a file's tests.
 * @param {string[]} [more] further arguments of the server
 */
export function useLab(more = []) {
  /** @type {any} */
  const lab = { url: "", open, ask };
  /** @type {any} */
  let server;
  /** @type {import("playwright-core").Browser} */
  let browser;

  before(async () => {
    server = await startServer(more);
    lab.url = server.url;
    // Chromium's sandbox does not work for root, as whom containers usually run.
    const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    browser = await chromium.launch({ executablePath: chromiumPath(), args: [...ARGUMENTS, ...sandbox] });
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
  return lab;

  /**
   * Opens the page, ready to be used.
   * @param {string} [fragment]
   * @param {import("playwright-core").BrowserContextOptions} [options]
   */
  async function open(fragment = "", options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    /** @type {string[]} */
    const wrong = [];
    context.on("request", (request) => {
      if (new URL(request.url()).hostname !== "127.0.0.1") wrong.push(`a request left loopback: ${request.url()}`);
    });
    page.on("console", (message) => {
      // A refusal that a test provokes is logged by the browser as a failed resource.
      if (["error", "warning"].includes(message.type()) && !message.text().includes("status of 4")) wrong.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => wrong.push(`page error: ${error.stack}`));
    await page.goto(`${lab.url}#${fragment}`);
    await page.waitForSelector("body[data-ready]");
    return Object.assign(page, {
      /** Closes the page, on which nothing may have gone wrong. */
      async done() {
        await context.close();
        assert.deepEqual(wrong, []);
      },
    });
  }

  /** Asks the server directly. @param {string} path @param {unknown} [body] */
  async function ask(path, body) {
    const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(new URL(path, lab.url), options);
    assert.equal(response.status, 200, await response.clone().text());
    return response.json();
  }
}
