/** Protected and bypassed side by side: two diagrams of the same requests, and the difference counted. */

import { Newest, ask } from "./api.js";
import { rowAt } from "./columns.js";
import { Diagram } from "./diagram.js";
import { byId, html, setText, tableScroller } from "./dom.js";
import { requestOf } from "./experiment.js";
import { icon } from "./marks.js";
import { RunHistory } from "./run-history.js";
import { plural, signed, whole } from "./words.js";

/** @type {[key: keyof import("./run-history.js").Counts, label: string, mark: import("./moves.js").Kind | null][]} */
const ROWS = [
  ["generated", "Generated", null],
  ["attempted", "Attempted at the dependency", null],
  ["succeeded", "Succeeded", "response"],
  ["failed", "Failed at the dependency", "failure"],
  ["rejected", "Rejected by the breaker", "rejection"],
  ["inFlight", "In flight", "request"],
];

/** @type {[key: keyof import("./run-history.js").Counts, tone: string, letter: string, hatched: boolean][]} */
const PARTS = [
  ["succeeded", "--response", "✓", false],
  ["failed", "--failure", "✕", false],
  ["rejected", "--failure", "▽", true],
  ["inFlight", "--request", "›", false],
];

export class Comparison {
  constructor() {
    this.newest = new Newest();
    /** @type {{experiment: unknown, protected: RunHistory, bypassed: RunHistory, counters: any, same: boolean} | null} */
    this.loaded = null;
    this.protected = new Diagram(byId("diagram-protected"), "The protected run");
    this.bypassed = new Diagram(byId("diagram-bypassed"), "The bypassed run");
    this.verdict = html("p", { class: "verdict" });
    this.cells = ROWS.map(() => [html("td"), html("td"), html("td", { class: "strong" })]);
    this.bars = [bar(), bar()];
    byId("difference").replaceChildren(this.verdict, this.buildBars(), this.buildTable());
  }

  buildBars() {
    const names = ["Protected", "Bypassed"];
    return html("div", { class: "bars", "aria-hidden": true }, ...names.flatMap((name, index) => [html("span", {}, name), this.bars[index].root]));
  }

  buildTable() {
    const head = ["Requests", "Protected", "Bypassed", "Difference"].map((text) => html("th", { scope: "col" }, text));
    const rows = ROWS.map(([, label, kind], index) => {
      const swatch = html("span", { class: "swatch" }, ...(kind ? [icon(kind, 16)] : []));
      return html("tr", {}, html("th", { scope: "row" }, swatch, label), ...this.cells[index]);
    });
    const caption = html("caption", {}, "Up to the shown instant");
    return tableScroller("Both runs counted", html("table", {}, caption, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows)));
  }

  /**
   * Asks for both runs of an experiment.
   * @param {import("./experiment.js").Experiment} experiment
   */
  async load(experiment) {
    if (this.loaded?.experiment === experiment) return this.loaded;
    const answer = await this.newest.of(ask("/api/compare", requestOf(experiment)));
    if (answer === null) return null;
    this.loaded = {
      experiment,
      protected: new RunHistory(answer.protected),
      bypassed: new RunHistory(answer.bypassed),
      counters: answer.counters,
      same: answer.difference.same_requests,
    };
    return this.loaded;
  }

  /** @param {number} t @param {import("./experiment.js").Settings} settings */
  update(t, settings) {
    if (!this.loaded) return;
    const runs = [this.loaded.protected, this.loaded.bypassed];
    this.protected.update(runs[0], t, settings);
    this.bypassed.update(runs[1], t, settings);
    const [with_, without] = runs.map((run) => run.countsAt(t));
    ROWS.forEach(([key], index) => {
      const [left, right, difference] = this.cells[index];
      setText(left, whole(with_[key]));
      setText(right, whole(without[key]));
      setText(difference, signed(with_[key] - without[key]));
    });
    this.bars[0].update(with_);
    this.bars[1].update(without);
    setText(this.verdict, verdict(this.differenceAt(t), this.loaded.same));
  }

  /** The server's count of the difference at `t`. @param {number} t */
  differenceAt(t) {
    return rowAt(this.loaded?.counters, t);
  }
}

/** @param {Record<string, number>} difference @param {boolean} same */
function verdict(difference, same) {
  const traffic = same ? "" : " (the two runs did not get the same requests: this should not happen)";
  const { attempts_avoided: attempts, failures_avoided: failures, successes_lost: successes, in_flight_avoided: inFlight } = difference;
  if (attempts === 0) return `So far the breaker has turned nothing away: the two runs are alike${traffic}.`;
  const under = inFlight === 0 ? "" : `, and ${whole(inFlight)} would still be in flight`;
  return `The breaker spared the dependency ${plural(attempts, "attempt")}: ${whole(failures)} would have failed by now, ${whole(successes)} would have succeeded${under}${traffic}.`;
}

/** A bar of what became of the generated requests. */
function bar() {
  const parts = PARTS.map(([, tone, , hatched]) => {
    const part = html("div", { class: hatched ? "hatched" : undefined });
    part.style.setProperty("--tone", `var(${tone})`);
    return part;
  });
  return {
    root: html("div", { class: "bar" }, ...parts),
    /** @param {import("./run-history.js").Counts} counts */
    update(counts) {
      PARTS.forEach(([key, , letter], index) => {
        const share = counts.generated === 0 ? 0 : counts[key] / counts.generated;
        parts[index].style.width = `${100 * share}%`;
        parts[index].style.padding = share === 0 ? "0" : "";
        setText(parts[index], share > 0.06 ? `${letter} ${whole(counts[key])}` : "");
      });
    },
  };
}
