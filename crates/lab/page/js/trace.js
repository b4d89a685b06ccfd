/** The list of the decision trace: it tells no more than the shown instant knows, and follows its newest line. */

import { html } from "./dom.js";
import { instant } from "./words.js";

/** No more lines than this are in the page at once. */
const KEPT = 250;

/** @type {Record<string, string>} */
const SIGNS = { service: "⚑", result: "•", transition: "⇄", rejection: "▽", probe: "◆", intervention: "✎" };

export class Trace {
  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    /** @type {import("./recording.js").Recording | null} */
    this.recording = null;
    /** @type {(request: number) => string | undefined} */
    this.fateOf = () => undefined;
    /** How many sentences have happened, as far as they are shown. */
    this.known = -1;
  }

  /**
   * @param {import("./recording.js").Recording} recording
   * @param {(request: number) => string | undefined} fateOf a request's fate
   */
  show(recording, fateOf) {
    this.recording = recording;
    this.fateOf = fateOf;
    this.known = -1;
  }

  /** @param {number} t */
  update(t) {
    if (!this.recording) return;
    const known = this.recording.sentencesBefore(t);
    if (known === this.known) return;
    const goesOn = this.known > 0 && known > this.known;
    const from = Math.max(goesOn ? this.known : 0, known - KEPT);
    if (!goesOn) this.list.replaceChildren();
    this.list.append(...this.recording.trace.slice(from, known).map((sentence) => this.item(sentence)));
    while (this.list.children.length > KEPT) this.list.firstElementChild?.remove();
    if (known === 0) this.list.append(html("li", { class: "empty" }, "Nothing to tell yet."));
    this.known = known;
    this.list.scrollTop = this.list.scrollHeight;
  }

  /** @param {import("./recording.js").Sentence} sentence */
  item({ at, kind, request, text }) {
    const fate = kind === "result" && request !== null ? this.fateOf(request) : undefined;
    const tone = fate === "failure" ? "failure" : fate === "success" ? "response" : undefined;
    const sign = fate === "failure" ? "✕" : fate === "success" ? "✓" : (SIGNS[kind] ?? "•");
    const when = html("time", {}, `${instant(at)} s`);
    return html("li", { "data-kind": kind, "data-tone": tone }, when, html("span", { class: "sign", "aria-hidden": true }, sign), html("span", {}, text));
  }
}
