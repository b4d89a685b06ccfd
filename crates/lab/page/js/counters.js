/** The counters of the live experiment, and the two balances that must hold at every instant. */

import { html, setAttribute, setText } from "./dom.js";
import { icon } from "./marks.js";
import { conservation } from "./run-history.js";
import { whole } from "./words.js";

/** @type {[key: keyof import("./run-history.js").Counts, label: string, tone: string, mark: import("./moves.js").Kind | null][]} */
const TILES = [
  ["generated", "Generated", "--ink-soft", null],
  ["succeeded", "Succeeded", "--response", "response"],
  ["failed", "Failed at the dependency", "--failure", "failure"],
  ["rejected", "Rejected by the breaker", "--failure", "rejection"],
  ["inFlight", "In flight", "--request", "request"],
  ["probes", "Recovery probes", "--probe", "probe"],
];

export class Counters {
  /** @param {Element} tiles @param {Element} balance */
  constructor(tiles, balance) {
    /** @type {[keyof import("./run-history.js").Counts, Element, Element][]} */
    this.values = [];
    const nodes = TILES.map(([key, label, tone, kind]) => {
      const value = html("span", { "data-count": key }, "0");
      const kept = html("dd", { class: "kept", "data-kept": key });
      this.values.push([key, value, kept]);
      const tile = html("div", { class: "tile" }, html("dt", {}, label), html("dd", {}, value, ...(kind ? [icon(kind)] : [])), kept);
      tile.style.setProperty("--tone", `var(${tone})`);
      return tile;
    });
    tiles.replaceChildren(...nodes);
    this.demand = line("demand");
    this.attempts = line("attempts");
    balance.replaceChildren(this.demand.root, this.attempts.root);
  }

  /**
   * @param {import("./run-history.js").Counts} counts
   * @param {import("./run-history.js").Counts | null} kept those of the kept run at the same instant
   */
  update(counts, kept) {
    for (const [key, value, beside] of this.values) {
      setText(value, whole(counts[key]));
      setText(beside, kept ? `kept run: ${whole(kept[key])}` : "");
    }
    const { accounted, attempted } = conservation(counts);
    const { generated, succeeded, failed, rejected, inFlight } = counts;
    const parts = [succeeded, failed, rejected, inFlight].map(whole);
    this.demand.say(
      generated === accounted,
      `${whole(generated)} generated ${sign(generated, accounted)} ${parts[0]} succeeded + ${parts[1]} failed + ${parts[2]} rejected + ${parts[3]} in flight`,
    );
    this.attempts.say(
      counts.attempted === attempted,
      `${whole(counts.attempted)} attempted ${sign(counts.attempted, attempted)} ${parts[0]} succeeded + ${parts[1]} failed + ${parts[3]} in flight`,
    );
  }
}

/** @param {number} left @param {number} right */
function sign(left, right) {
  return left === right ? "=" : "≠";
}

/** A balance with its mark: a tick if it holds. @param {string} name */
function line(name) {
  const mark = html("span", { class: "mark" });
  const text = html("span");
  const root = html("p", { "data-balance": name }, mark, text);
  return {
    root,
    /** @param {boolean} holds @param {string} sentence */
    say(holds, sentence) {
      setAttribute(root, "data-holds", String(holds));
      setText(mark, holds ? "✓" : "✕");
      setText(text, sentence);
    },
  };
}
