/** A run that was kept, to stand beside the next one: change a setting, and see at every instant what it did. */

import { html, setText } from "./dom.js";

export class KeptRun {
  /**
   * @param {HTMLElement} place
   * @param {() => import("./run-history.js").RunHistory | null} present the run on show
   * @param {() => void} changed
   */
  constructor(place, present, changed) {
    /** @type {import("./run-history.js").RunHistory | null} */
    this.history = null;
    this.present = present;
    this.text = html("span", { class: "small" });
    this.button = html("button", { type: "button", class: "quiet", id: "keep" });
    this.button.addEventListener("click", () => {
      this.history = this.history ? null : present();
      this.update();
      changed();
    });
    place.replaceChildren(this.button, this.text);
    this.update();
  }

  /** Says what is kept, and whether it met the same requests as the run on show. */
  update() {
    setText(this.button, this.history ? "Drop the kept run" : "Keep this run");
    setText(this.text, this.sentence());
  }

  sentence() {
    const present = this.present();
    if (!this.history || !present) return "Keep it to compare another run with it, on the same requests.";
    if (this.history === present) return "Kept. Now change a setting, or restart: its counts stay beside the new ones.";
    return sameRequests(this.history, present) ? "The kept run met the very same requests." : "The kept run met other requests: load, seed or dependency differ.";
  }
}

/** @param {import("./run-history.js").RunHistory} one @param {import("./run-history.js").RunHistory} other */
export function sameRequests({ requests: one }, { requests: other }) {
  return one.length === other.length && one.every(({ created_ns: created, fate }, index) => created === other[index].created_ns && fate === other[index].fate);
}
