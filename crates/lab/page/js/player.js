/** The player's buttons and the bar over recorded time. It shows a session's clock and hands actions to the session. */

import { NANOS } from "./clock.js";
import { byId, html, setAttribute, setText } from "./dom.js";
import { STATES } from "./state-words.js";
import { seconds, short } from "./words.js";

/**
 * What can be played.
 * @typedef {object} Session
 * @property {import("./clock.js").Clock} clock
 * @property {import("./recording.js").Recording | null} recording
 * @property {number} stepSize nanoseconds
 * @property {boolean} fixed the whole run is recorded, and cannot be edited
 * @property {() => unknown} play
 * @property {() => void} pause
 * @property {() => unknown} step
 * @property {() => unknown} restart
 * @property {() => void} replay
 * @property {(at: number) => void} seek
 */

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
/** The bar counts in milliseconds. */
const BAR_UNIT = NANOS / 1000;

export class Player {
  /** @param {() => Session} session the one on show */
  constructor(session) {
    this.session = session;
    this.playButton = byId("play");
    this.stepButton = byId("step");
    this.replayButton = byId("replay");
    this.bar = byId("scrub");
    this.speed = byId("speed");
    this.speed.append(...SPEEDS.map((each) => html("option", { value: each }, `${each}×`)));
    this.playButton.addEventListener("click", () => this.toggle());
    this.stepButton.addEventListener("click", () => session().step());
    this.replayButton.addEventListener("click", () => session().replay());
    byId("restart").addEventListener("click", () => session().restart());
    this.bar.addEventListener("input", () => {
      session().seek(Number(this.bar.value) * BAR_UNIT);
      // What is not recorded cannot be shown: the thumb stays where recorded time ends.
      this.bar.value = String(session().clock.shown / BAR_UNIT);
    });
    this.speed.addEventListener("change", () => {
      session().clock.speed = Number(this.speed.value);
      this.update();
    });
  }

  toggle() {
    const session = this.session();
    if (session.clock.motion === "paused") session.play();
    else session.pause();
  }

  /** One speed up or down. @param {number} by */
  changeSpeed(by) {
    const clock = this.session().clock;
    const index = Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(clock.speed) + by));
    clock.speed = SPEEDS[index];
    this.update();
  }

  update() {
    const { clock, recording, stepSize } = this.session();
    const running = clock.motion !== "paused";
    setText(this.playButton, running ? "Pause" : "Play");
    setText(this.stepButton, `Step +${short(stepSize / NANOS)} s`);
    this.playButton.disabled = !running && clock.atTheEnd && !clock.inThePast;
    this.stepButton.disabled = clock.atTheEnd;
    this.replayButton.disabled = clock.recorded === 0;
    setText(byId("time"), seconds(clock.shown, clock.horizon < 30 * NANOS ? 2 : 1));
    setText(byId("horizon"), short(clock.horizon / NANOS));
    setAttribute(this.bar, "max", clock.horizon / BAR_UNIT);
    const value = String(Math.round(clock.shown / BAR_UNIT));
    if (this.bar.value !== value) this.bar.value = value;
    this.bar.style.setProperty("--recorded", `${(100 * clock.recorded) / clock.horizon}%`);
    const state = recording ? `, breaker ${STATES[recording.stateAt(clock.shown)].word.toLowerCase()}` : "";
    setAttribute(this.bar, "aria-valuetext", `${seconds(clock.shown)} of ${seconds(clock.recorded)} recorded seconds${state}`);
    if (this.speed.value !== String(clock.speed)) this.speed.value = String(clock.speed);
    const pace = clock.horizon / NANOS / clock.speed;
    setAttribute(this.speed, "title", `The whole run takes ${short(pace)} s to watch`);
    setText(byId("scrub-note"), this.note(clock));
  }

  /** @param {import("./clock.js").Clock} clock */
  note(clock) {
    if (clock.motion === "replay") return `Replaying what is recorded, up to ${seconds(clock.recorded)} s.`;
    if (this.session().fixed) return "The whole run is recorded: drag along the bar to any instant.";
    if (clock.recorded === 0) return "Replay recorded history: what has been played can be looked at again by dragging along the bar.";
    if (!clock.inThePast) return `Replay recorded history: drag along the bar, from 0 to ${seconds(clock.recorded)} s.`;
    return this.pastNote(clock);
  }

  /** @param {import("./clock.js").Clock} clock */
  pastNote(clock) {
    const recorded = seconds(clock.recorded);
    return `You are looking at a recorded instant. Play, Step or an edit goes on from here, and discards what is recorded up to ${recorded} s.`;
  }
}
