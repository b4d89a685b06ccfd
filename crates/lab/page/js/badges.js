/** The words above the diagram: the breaker's state, the dependency's health, and who decides on the latter. */

import { byId, html } from "./dom.js";
import { STATES, healthSign, healthTone, healthWord } from "./state-words.js";

let shown = "";

/**
 * @param {import("./recording.js").Recording} recording
 * @param {number} t
 * @param {string} [mode] "Scheduled" or "Manual"
 */
export function showBadges(recording, t, mode) {
  const state = recording.stateAt(t);
  const health = recording.healthAt(t);
  const parts = [state, healthWord(health), mode].join();
  if (parts === shown) return;
  shown = parts;
  const { word, letter } = STATES[state];
  const nodes = [badge(state, letter, `Breaker ${word.toLowerCase()}`), badge(healthTone(health), healthSign(health), `Dependency ${healthWord(health).toLowerCase()}`)];
  if (mode) nodes.push(badge("plain", mode[0], mode));
  byId("badges").replaceChildren(...nodes);
}

/** @param {string} tone @param {string} letter @param {string} text */
function badge(tone, letter, text) {
  return html("span", { class: "badge", "data-tone": tone }, html("span", { class: "letter", "aria-hidden": true }, letter), text);
}
