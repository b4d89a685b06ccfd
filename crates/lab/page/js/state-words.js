/** What the breaker's states and the dependency's health are called and how they show: a word, a letter and a tone each. */

import { percent, seconds } from "./words.js";

/** @type {Record<import("./recording.js").State, {word: string, letter: string, meaning: string}>} */
export const STATES = {
  closed: { word: "Closed", letter: "C", meaning: "requests go through" },
  open: { word: "Open", letter: "O", meaning: "requests are turned away" },
  half_open: { word: "Half-open", letter: "H", meaning: "probes only" },
  bypassed: { word: "Bypassed", letter: "B", meaning: "every request goes through" },
};

/** @param {import("./recording.js").HealthSpan} span */
export function healthTone({ failing, normal }) {
  if (normal) return "healthy";
  return failing < 0.5 ? "partly" : "failing";
}

/** @param {import("./recording.js").HealthSpan} span */
export function healthWord({ failing, label }) {
  if (label) return `${label}: ${failing === 1 ? "all fail" : `${percent(failing)} fail`}`;
  if (failing === 0) return "Healthy";
  return failing === 1 ? "Failing" : `${percent(failing)} failing`;
}

/** The sign of the dependency's health. @param {import("./recording.js").HealthSpan} span */
export function healthSign({ normal }) {
  return normal ? "✓" : "✕";
}

/**
 * The state and, while it cools down, for how long still.
 * @param {import("./recording.js").Recording} recording
 * @param {number} t
 */
export function stateSentence(recording, t) {
  const { word, meaning } = STATES[recording.stateAt(t)];
  const cooldown = recording.cooldownAt(t);
  return cooldown ? `${word}: probes in ${seconds(cooldown.to - t)} s` : `${word}: ${meaning}`;
}
