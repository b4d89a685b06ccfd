/** The state history: which state the breaker was in and how the dependency was, as far as the run has been recorded. */

import { NANOS } from "./clock.js";
import { html } from "./dom.js";
import { STATES, healthSign, healthTone, healthWord } from "./state-words.js";

/** Narrower spans than this share of the run get no letter. */
const ROOM_FOR_A_LETTER = 0.022;
const ROOM_FOR_A_WORD = 0.13;

export class Strip {
  /**
   * @param {Element} container
   * @param {{name: string, health?: boolean}[]} lanes a breaker lane per name; `health` adds the dependency's below it
   * @param {string} [chart] the name of a lane for a chart
   */
  constructor(container, lanes, chart) {
    this.horizon = NANOS;
    this.playhead = html("div", { class: "playhead" });
    this.marks = html("div", { class: "marks", "aria-hidden": true });
    this.lanes = lanes.map(({ name, health }) => {
      const spans = html("div", { class: "spans" });
      const states = html("div", { class: "lane", role: "img", "aria-label": `${name}: state history` }, spans, ...covers());
      const below = health ? html("div", { class: "spans" }) : null;
      const healthLane = below && html("div", { class: "lane", role: "img", "aria-label": "Dependency: errors over time" }, below, ...covers());
      return { name, spans, states, below, healthLane };
    });
    const nodes = this.lanes.flatMap(({ name, states, healthLane }) => [
      html("span", { class: "lane-name" }, name),
      states,
      ...(healthLane ? [healthLane] : []),
    ]);
    this.chart = html("div", { class: "spans" });
    if (chart) nodes.push(html("span", { class: "lane-name" }, chart), html("div", { class: "lane tall" }, this.chart, ...covers()));
    this.root = html("div", { class: "strip" }, ...nodes, this.marks, this.playhead);
    container.replaceChildren(this.root);
  }

  /** @param {import("./recording.js").Recording[]} recordings one per lane */
  show(recordings) {
    this.horizon = recordings[0].horizon;
    recordings.forEach((recording, index) => {
      const { spans, below } = this.lanes[index];
      spans.replaceChildren(...recording.states.map((span) => this.span(span, span.state, STATES[span.state].letter, STATES[span.state].word)));
      below?.replaceChildren(...recording.health.map((span) => this.span(span, healthTone(span), shortHealth(span), healthWord(span))));
    });
    this.marks.replaceChildren(...this.ticks());
  }

  /** @param {Element} chart */
  showChart(chart) {
    this.chart.replaceChildren(chart);
  }

  /** @param {{from: number, to: number}} span @param {string} tone @param {string} letter @param {string} word */
  span({ from, to }, tone, letter, word) {
    const share = (to - from) / this.horizon;
    const label = share > ROOM_FOR_A_WORD ? word : letter;
    const node = html("div", { class: share < ROOM_FOR_A_LETTER ? "span bare" : "span", "data-tone": tone }, html("span", {}, label));
    node.style.left = `${(100 * from) / this.horizon}%`;
    node.style.width = `${100 * share}%`;
    return node;
  }

  ticks() {
    const total = this.horizon / NANOS;
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((each) => total / each <= 10) ?? 1000;
    return Array.from({ length: Math.floor(total / step) + 1 }, (_, index) => {
      const tick = html("span", {}, `${index * step}`);
      tick.style.left = `${(100 * index * step) / total}%`;
      return tick;
    });
  }

  /** @param {import("./clock.js").Clock} clock */
  update({ shown, recorded }) {
    const now = (100 * shown) / this.horizon;
    const newest = (100 * recorded) / this.horizon;
    this.playhead.style.left = `${now}%`;
    for (const cover of this.root.querySelectorAll(".cover.past")) {
      cover.style.left = `${now}%`;
      cover.style.right = `${100 - newest}%`;
    }
    for (const cover of this.root.querySelectorAll(".cover.unplayed")) cover.style.left = `${newest}%`;
  }
}

function covers() {
  return [html("div", { class: "cover past" }), html("div", { class: "cover unplayed" })];
}

/** @param {import("./recording.js").HealthSpan} span */
function shortHealth(span) {
  return span.normal ? healthSign(span) : `${healthSign(span)} ${Math.round(span.failing * 100)}%`;
}
