/**
 * The player's clock: which instant is shown, and how much has been recorded. Time that was played is recorded and can
 * be looked at again; running on from an earlier instant discards what was recorded after it.
 */

export const NANOS = 1_000_000_000;

/**
 * `live` records new time; `replay` goes through recorded time and stops at its end.
 * @typedef {"paused" | "live" | "replay"} Motion
 */

export class Clock {
  /** @param {number} horizon nanoseconds */
  constructor(horizon) {
    this.horizon = horizon;
    this.shown = 0;
    this.recorded = 0;
    /** Simulated seconds per second of viewing. */
    this.speed = 1;
    /** @type {Motion} */
    this.motion = "paused";
  }

  /** Is the shown instant before the newest one? */
  get inThePast() {
    return this.shown < this.recorded;
  }

  get atTheEnd() {
    return this.shown >= this.horizon;
  }

  /** Forgets what was recorded after the shown instant; says up to when that was, or null if there was nothing. */
  discardFuture() {
    if (!this.inThePast) return null;
    const discarded = this.recorded;
    this.recorded = this.shown;
    return discarded;
  }

  /** Runs on from the shown instant, which is the newest one: callers discard the future first. */
  play() {
    if (!this.atTheEnd) this.motion = "live";
  }

  /** Goes through recorded time without changing it: from the shown instant, or from the start if that is the newest. */
  replay() {
    if (this.recorded === 0) return;
    if (!this.inThePast) this.shown = 0;
    this.motion = "replay";
  }

  pause() {
    this.motion = "paused";
  }

  restart() {
    this.pause();
    this.shown = 0;
    this.recorded = 0;
  }

  /** Shows a recorded instant. @param {number} at */
  seek(at) {
    this.pause();
    this.shown = Math.max(0, Math.min(Math.round(at), this.recorded));
  }

  /** Records and shows `by` more nanoseconds. @param {number} by */
  advance(by) {
    this.shown = Math.min(this.horizon, this.shown + by);
    this.recorded = Math.max(this.recorded, this.shown);
  }

  /**
   * Lets `elapsed` seconds of viewing pass.
   * @param {number} elapsed
   * @returns {boolean} whether the shown instant changed
   */
  tick(elapsed) {
    if (this.motion === "paused") return false;
    const by = Math.round(elapsed * this.speed * NANOS);
    if (this.motion === "live") {
      this.advance(by);
      if (this.atTheEnd) this.pause();
    } else {
      this.shown = Math.min(this.recorded, this.shown + by);
      if (!this.inThePast) this.pause();
    }
    return true;
  }
}
