/** Tells screen readers what changed: the breaker's transitions as time passes, not every number. */

import { byId } from "./dom.js";
import { seconds } from "./words.js";

export class Announcer {
  constructor() {
    this.region = byId("announcer");
    this.told = 0;
  }

  /** @param {import("./recording.js").Recording} recording @param {number} t */
  update(recording, t) {
    const known = recording.transitionsBefore(t);
    const newest = recording.transitions[known - 1];
    if (known > this.told && newest) this.region.textContent = `${seconds(newest.at)} seconds. ${newest.why}`;
    this.told = known;
  }
}
