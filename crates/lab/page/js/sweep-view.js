/** A sweep's designs and fronts: plays any of its runs as the sweep ran it, and compares it with the file column by column. */

import { Newest, Refusal, ask } from "./api.js";
import { byId, html, setText, tableScroller } from "./dom.js";
import { NANOS } from "./clock.js";
import { Front, axisNames } from "./front.js";
import { PoolHistory } from "./pool-history.js";
import { PoolSession } from "./pool-session.js";
import { PoolStage } from "./pool-stage.js";
import { plural } from "./words.js";

/** @typedef {{design: number, mode: string, replication: number}} Choice */

export class SweepView {
  /** @param {any} page */
  constructor(page) {
    this.page = page;
    this.session = new PoolSession(12 * NANOS, page.changed);
    this.stage = new PoolStage(page);
    this.newest = new Newest();
    /** @type {any} */
    this.sweep = null;
    /** What an address asked for. @type {Choice | null} */
    this.wanted = null;
    /** What is playing. @type {Choice | null} */
    this.playing = null;
    this.front = new Front(byId("front"), (design) => this.play({ ...this.choice(), design }));
    this.buildForm();
  }

  buildForm() {
    const form = byId("sweep-controls");
    this.filter = html("input", { type: "search", id: "design-filter", placeholder: "consecutive, 0.5, 1s …" });
    this.designs = html("select", { id: "design", size: 10 });
    this.modes = html("select", { id: "mode" });
    this.replication = html("input", { type: "number", id: "replication", min: 0, step: 1, value: 0 });
    this.problem = html("p", { class: "problem", role: "alert" });
    form.replaceChildren(
      html("div", { class: "field wide-field" }, html("label", { for: "design-filter" }, "Find a design"), this.filter),
      html("div", { class: "field wide-field" }, html("label", { for: "design" }, "Design"), this.designs),
      html("div", { class: "field wide-field" }, html("label", { for: "mode" }, "Mode"), this.modes),
      html("div", { class: "field" }, html("label", { for: "replication" }, "Replication"), this.replication, this.problem),
      html("button", { type: "submit", class: "primary", id: "sweep-play" }, "Play this run"),
    );
    form.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.play(this.choice());
    });
    this.filter.addEventListener("input", () => this.list());
    this.designs.addEventListener("change", () => this.front.choose(Number(this.designs.value)));
    byId("front-choice").addEventListener("change", () => this.showFront());
  }

  /** @returns {Choice} */
  choice() {
    return { design: Number(this.designs.value), mode: this.modes.value, replication: Number(this.replication.value) };
  }

  enter() {
    this.stage.enter();
    if (!this.sweep) this.load().catch((refusal) => this.page.refused(refusal));
    else if (this.session.history) this.stage.renew(this.session.history);
  }

  async load() {
    this.sweep = await ask("/api/sweep");
    const { name, folder, designs, modes, replications, fronts, notes, slots } = this.sweep;
    setText(byId("sweep-lead"), `${name}, read from ${folder}: ${plural(designs.length, "design")}, ${plural(replications, "replication")}, ${plural(slots, "slot")}. Pick a design and play any of its runs exactly as the sweep ran it.`);
    this.modes.replaceChildren(...modes.map((/** @type {any} */ mode) => html("option", { value: mode.name }, `${mode.name} (opening is ${mode.opening})`)));
    this.replication.max = String(replications - 1);
    byId("front-choice").replaceChildren(...fronts.map((/** @type {any} */ front, /** @type {number} */ index) => html("option", { value: index }, frontName(front))));
    setText(byId("front-note"), [`Every mark is a setting, with its confidence interval. Down and to the left is better.`, ...notes].join(" "));
    this.list();
    this.showFront();
    const [first] = fronts;
    const usual = { design: middleOf(first), mode: first?.x_mode ?? modes[0].name, replication: 0 };
    await this.play({ ...usual, ...this.wanted });
    // An address that makes no sense is said, and a run that does is on show.
    if (!this.playing) await this.play(usual);
  }

  /** Lists the designs whose label has all the words of the filter. */
  list() {
    const words = this.filter.value.toLowerCase().split(/[\s,]+/).filter(Boolean);
    const chosen = this.designs.value;
    const found = this.sweep.designs.filter((/** @type {any} */ one) => words.every((/** @type {string} */ word) => one.label.toLowerCase().includes(word)));
    this.designs.replaceChildren(...found.map((/** @type {any} */ one) => html("option", { value: one.design }, `${one.design}: ${one.label}${equivalence(one)}`)));
    if (found.some((/** @type {any} */ one) => String(one.design) === chosen)) this.designs.value = chosen;
    else if (found.length > 0) this.designs.value = String(found[0].design);
  }

  showFront() {
    const front = this.sweep.fronts[Number(byId("front-choice").value)];
    if (!front) return;
    this.front.show(front, this.sweep.families);
    this.front.choose(this.playing?.design ?? Number(this.designs.value));
  }

  /** @param {Choice} choice */
  async play(choice) {
    this.show(choice);
    try {
      const answer = await this.newest.of(ask("/api/sweep/run", choice));
      if (answer === null) return;
      setText(this.problem, "");
      this.playing = choice;
      this.wanted = null;
      this.page.say(`${answer.label}, ${answer.mode}, replication ${answer.replication}: as the sweep ran it.`);
      this.compare(answer.comparison);
      this.session.adopt(new PoolHistory(answer));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.key === "replication") setText(this.problem, error.message);
      else this.page.refused(error);
    }
  }

  /** Shows a choice in the form and on the front. @param {Choice} choice */
  show({ design, mode, replication }) {
    if (![...this.designs.options].some((option) => option.value === String(design))) {
      this.filter.value = "";
      this.list();
    }
    this.designs.value = String(design);
    this.modes.value = mode;
    this.replication.value = String(replication);
    this.front.choose(design);
  }

  /** @param {any} comparison */
  compare({ all_equal: allEqual, columns }) {
    const unequal = columns.filter((/** @type {any} */ one) => !one.equal).length;
    const verdict = allEqual ? `✓ All ${columns.length} columns of the row are what the replay gives.` : `✕ ${plural(unequal, "column")} of ${columns.length} differ from the replay.`;
    const rows = columns.map((/** @type {any} */ one) =>
      html("tr", {}, html("th", { scope: "row" }, one.column), html("td", {}, one.file ?? "null"), html("td", {}, one.replay ?? "null"), html("td", { class: one.equal ? "equal" : "unequal" }, one.equal ? "✓ equal" : "✕ differs")),
    );
    const head = ["Column", "In the file", "Replayed", "Verdict"].map((text) => html("th", { scope: "col" }, text));
    byId("comparison").replaceChildren(
      html("p", { class: allEqual ? "verdict" : "verdict bad", "data-all-equal": String(allEqual) }, verdict),
      tableScroller("Columns compared", html("table", {}, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows)), "tall"),
    );
  }

  update() {
    const { history, clock } = this.session;
    if (!history) return;
    if (this.stage.history !== history) this.stage.renew(history);
    this.stage.update(clock, null);
  }

  /** What an address has to tell. */
  shared() {
    return this.playing ? { sweep: this.playing } : {};
  }
}

/** @param {any} front */
function frontName(front) {
  const { x, y } = axisNames(front);
  return `${x} × ${y}`;
}

/** A design worth a first look: in the middle of the overall front. @param {any} front @returns {number} */
function middleOf(front) {
  const points = front?.points.filter((/** @type {any} */ point) => point.on_overall_front && point.rule !== "none") ?? [];
  return points.sort((/** @type {any} */ a, /** @type {any} */ b) => a.x - b.x)[Math.floor(points.length / 2)]?.design ?? 0;
}

/** @param {any} design */
function equivalence({ equivalent_to: same }) {
  return same === null || same === undefined ? "" : ` (as ${same})`;
}
