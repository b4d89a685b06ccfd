/** A run of the slot pool while it is looked at: the whole of it is recorded from the start, and nothing is edited on the way. */

import { Clock, NANOS } from "./clock.js";

export class PoolSession {
  /** @param {number} horizon nanoseconds @param {() => void} changed */
  constructor(horizon, changed) {
    this.changed = changed;
    this.stepSize = NANOS / 10;
    this.fixed = true;
    /** @type {import("./pool-history.js").PoolHistory | null} */
    this.history = null;
    this.clock = new Clock(horizon);
    this.clock.speed = 0.1;
  }

  get recording() {
    return this.history;
  }

  /** Shows another run at the same instant. @param {import("./pool-history.js").PoolHistory} history */
  adopt(history) {
    const first = this.history === null;
    this.history = history;
    // The first look is at what is about to happen; after that, at the same instant of another run.
    if (first) this.clock.shown = Math.max(0, history.answer.fault_at_ns - 2 * this.stepSize);
    this.clock.horizon = history.horizon;
    this.clock.recorded = history.horizon;
    this.clock.shown = Math.min(this.clock.shown, history.horizon);
    this.changed();
  }

  play() {
    this.clock.replay();
    this.changed();
  }

  pause() {
    this.clock.pause();
    this.changed();
  }

  step() {
    this.clock.seek(this.clock.shown + this.stepSize);
    this.changed();
  }

  replay() {
    this.clock.shown = 0;
    this.play();
  }

  /** @param {number} at */
  seek(at) {
    this.clock.seek(at);
    this.changed();
  }

  restart() {
    this.seek(0);
  }

  /** @param {number} elapsed seconds of viewing */
  tick(elapsed) {
    return this.history !== null && this.clock.tick(elapsed);
  }
}
