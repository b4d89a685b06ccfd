/** What became of each flow's requests, and whether every one of them is accounted for. */

import { html, setAttribute, setText, tableScroller } from "./dom.js";
import { whole } from "./words.js";

/** @type {[label: string, dependency: string | null, neighbour: string | null][]} */
const ROWS = [
  ["Requests", "requests", "neighbour_requests"],
  ["Ended well", "responses", "neighbour_responses"],
  ["Failed", "errors", null],
  ["Turned away by the breaker", "rejected", null],
  ["Found no slot", "no_slot", "neighbour_no_slot"],
  ["In flight", "in_flight", "neighbour_in_flight"],
];

export class PoolCounts {
  /** @param {Element} container */
  constructor(container) {
    this.verdict = html("p", { class: "verdict" });
    this.balance = html("div", { class: "balance" }, balanceLine("dependency"), balanceLine("neighbour"));
    this.table = html("table");
    container.replaceChildren(this.verdict, tableScroller("Both flows counted", this.table), this.balance);
    /** @type {{cells: Element[], keys: [run: number, column: string | null][]}[]} */
    this.rows = [];
    this.runs = 0;
  }

  /** @param {boolean} twin whether the run without a breaker stands beside */
  build(twin) {
    const runs = twin ? ["breaker", "no breaker"] : [""];
    this.runs = runs.length;
    const flows = ["Dependency", "Neighbours"].map((flow) => html("th", { scope: "colgroup", colspan: runs.length }, flow));
    const below = [html("td"), ...[...runs, ...runs].map((run) => html("th", { scope: "col" }, run))];
    this.rows = ROWS.map(([, dependency, neighbour]) => {
      const keys = [dependency, neighbour].flatMap((column) => runs.map((_, run) => /** @type {[number, string | null]} */ ([run, column])));
      return { keys, cells: keys.map(() => html("td")) };
    });
    const body = ROWS.map(([label], index) => html("tr", {}, html("th", { scope: "row" }, label), ...this.rows[index].cells));
    const caption = html("caption", {}, "Up to the shown instant");
    this.table.replaceChildren(caption, html("thead", {}, html("tr", {}, html("td"), ...flows), ...(twin ? [html("tr", {}, ...below)] : [])), html("tbody", {}, ...body));
  }

  /**
   * @param {import("./pool-history.js").PoolHistory} history
   * @param {import("./pool-history.js").PoolHistory | null} twin the same requests without a breaker
   * @param {number} t
   */
  update(history, twin, t) {
    if (this.runs !== (twin ? 2 : 1)) this.build(twin !== null);
    const counts = [history.countsAt(t), ...(twin ? [twin.countsAt(t)] : [])];
    for (const { cells, keys } of this.rows) {
      keys.forEach(([run, column], index) => setText(cells[index], column ? whole(counts[run][column]) : "–"));
    }
    const [own, without] = counts;
    setText(this.verdict, verdict(own.neighbour_no_slot, without?.neighbour_no_slot));
    const dependency = own.responses + own.errors + own.rejected + own.no_slot + own.in_flight;
    const neighbour = own.neighbour_responses + own.neighbour_no_slot + own.neighbour_in_flight;
    say(this.balance.children[0], "Dependency", own.requests, dependency, [own.responses, own.errors, own.rejected, own.no_slot, own.in_flight]);
    say(this.balance.children[1], "Neighbours", own.neighbour_requests, neighbour, [own.neighbour_responses, own.neighbour_no_slot, own.neighbour_in_flight]);
  }
}

/** @param {number} lost @param {number | undefined} without */
function verdict(lost, without) {
  if (without === undefined) return `${whole(lost)} neighbours’ requests have found no slot.`;
  if (lost === without) return `${whole(lost)} neighbours’ requests have found no slot, as many as without a breaker.`;
  const change = lost < without ? `the breaker saved ${whole(without - lost)}` : `${whole(lost - without)} more than without`;
  return `${whole(lost)} neighbours’ requests have found no slot, ${whole(without)} without a breaker: ${change}.`;
}

/** @param {string} flow */
function balanceLine(flow) {
  return html("p", { "data-balance": flow }, html("span", { class: "mark" }), html("span"));
}

/** @param {Element} line @param {string} flow @param {number} requests @param {number} accounted @param {number[]} parts */
function say(line, flow, requests, accounted, parts) {
  const holds = requests === accounted;
  setAttribute(line, "data-holds", String(holds));
  setText(line.children[0], holds ? "✓" : "✕");
  setText(line.children[1], `${flow}: ${whole(requests)} requests ${holds ? "=" : "≠"} ${parts.map(whole).join(" + ")}`);
}
