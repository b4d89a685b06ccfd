/**
 * The live experiment while it is being played: its clock, its history, and what an action does to both. Whatever was
 * played before an edit stays, because the run is a pure function of the experiment and an edit only adds to its end.
 */

import { Refusal, ask } from "./api.js";
import { Clock, NANOS } from "./clock.js";
import { branchAt, editAt, requestOf, settingsAt } from "./experiment.js";
import { RunHistory } from "./run-history.js";
import { plural, seconds } from "./words.js";

/** @typedef {import("./experiment.js").Experiment} Experiment */

export class LiveSession {
  /**
   * @param {Experiment} experiment
   * @param {number} horizon nanoseconds
   * @param {{changed: () => void, say: (text: string, tone?: string) => void, refused: (refusal: Refusal) => void}} page
   */
  constructor(experiment, horizon, page) {
    this.experiment = experiment;
    this.clock = new Clock(horizon);
    this.page = page;
    this.stepSize = NANOS;
    this.fixed = false;
    /** @type {RunHistory | null} */
    this.history = null;
    this.busy = false;
    /** The last action's end: actions that ask the server are taken one after the other, so that none is lost. */
    this.turn = Promise.resolve();
  }

  /** @param {() => unknown} act once everything that was asked for before has been done */
  inTurn(act) {
    this.turn = this.turn.then(async () => void (await act()));
    return this.turn;
  }

  get recording() {
    return this.history;
  }

  /** The settings in force at the shown instant. */
  get settings() {
    return settingsAt(this.experiment, this.clock.shown);
  }

  /**
   * Asks for the experiment's run; if the server refuses it, everything stays as it was.
   * @param {Experiment} experiment
   * @param {() => void} [accepted] what to do once the run is there
   * @returns {Promise<boolean>} whether the server accepted
   */
  async adopt(experiment, accepted = () => {}) {
    this.busy = true;
    try {
      this.history = new RunHistory(await ask("/api/run", requestOf(experiment)));
      this.experiment = experiment;
      accepted();
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.page.refused(error);
      return false;
    } finally {
      this.busy = false;
      this.page.changed();
    }
  }

  /**
   * Changes a setting, or takes an action, from the shown instant on.
   * @param {string} key
   * @param {unknown} value
   * @param {string} what the edit in words: "Cooldown is 3 s"
   */
  edit(key, value, what) {
    return this.inTurn(() => {
      const { shown } = this.clock;
      const scheduled = this.settings.schedule !== "manual";
      return this.adopt(editAt(this.experiment, shown, key, value), () => this.page.say(this.editSentence(what, scheduled), "edit"));
    });
  }

  /** @param {string} what @param {boolean} scheduled whether the dependency followed its schedule before */
  editSentence(what, scheduled) {
    const { shown, horizon } = this.clock;
    const from = shown === 0 ? "From the start" : `From ${seconds(shown)} s on`;
    const left = scheduled && this.settings.schedule === "manual";
    const schedule = left ? " The dependency leaves its schedule." : scheduled ? " The schedule stays." : "";
    const over = shown >= horizon ? " This run is over: it counts after a restart." : "";
    return `${from}: ${what}.${schedule}${over}${this.discard()}`;
  }

  /** Forgets the recorded future; says so in a sentence, or nothing if there was none. */
  discard() {
    const until = this.clock.discardFuture();
    return until === null ? "" : ` New branch at ${seconds(this.clock.shown)} s: what was recorded up to ${seconds(until)} s is discarded.`;
  }

  /** Makes the shown instant the newest one, so that the run can go on from it. */
  async branch() {
    if (!this.clock.inThePast) return true;
    const kept = branchAt(this.experiment, this.clock.shown);
    const dropped = this.experiment.interventions.length - kept.interventions.length;
    const edits = dropped > 0 ? ` So ${dropped === 1 ? "is" : "are"} ${plural(dropped, "edit")} made in it.` : "";
    const accept = () => this.page.say(`${this.discard().trim()}${edits}`, "warning");
    if (dropped > 0) return this.adopt(kept, accept);
    accept();
    return true;
  }

  play() {
    return this.inTurn(async () => {
      if (this.clock.atTheEnd && !this.clock.inThePast) return;
      if (await this.branch()) this.clock.play();
      this.page.changed();
    });
  }

  pause() {
    this.clock.pause();
    this.page.changed();
  }

  step() {
    return this.inTurn(async () => {
      this.clock.pause();
      if (await this.branch()) this.clock.advance(this.stepSize);
      this.page.changed();
    });
  }

  replay() {
    this.clock.replay();
    this.page.changed();
  }

  /** @param {number} at */
  seek(at) {
    this.clock.seek(at);
    this.page.changed();
  }

  /** Starts again at 0 with the settings as they are now; the edits on the way become part of them. */
  restart() {
    return this.inTurn(() => {
      const edits = this.experiment.interventions.length;
      return this.adopt({ ...this.experiment, settings: this.settings, interventions: [] }, () => {
        this.clock.restart();
        this.page.say(edits > 0 ? "Started again, with the settings as they were just now from the start." : "Started again.");
      });
    });
  }

  /** Starts another run. @param {Partial<Experiment>} parts @param {string} what in words */
  begin(parts, what) {
    return this.inTurn(() =>
      this.adopt({ ...this.experiment, settings: this.settings, interventions: [], ...parts }, () => {
        this.clock.restart();
        this.page.say(what);
      }),
    );
  }

  /** Opens an experiment as somebody shared it. @param {Experiment} experiment @param {number} shown @param {number} recorded */
  open(experiment, shown, recorded) {
    return this.adopt(experiment, () => {
      this.clock.restart();
      this.clock.advance(recorded);
      this.clock.seek(shown);
    });
  }

  /** @param {number} elapsed seconds of viewing @returns {boolean} whether the shown instant changed */
  tick(elapsed) {
    return !this.busy && this.history !== null && this.clock.tick(elapsed);
  }
}
