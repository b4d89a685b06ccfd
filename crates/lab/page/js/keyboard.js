/** The page's keys, and their list in the help dialog. */

import { html } from "./dom.js";

/**
 * @typedef {object} Key
 * @property {string[]} keys as `KeyboardEvent.key` tells them
 * @property {string} shown what the help calls them
 * @property {string} does in words
 * @property {() => unknown} act
 */

/**
 * @param {Key[]} keys
 * @param {Element} list where they are listed
 */
export function listenToKeys(keys, list) {
  const rows = keys.flatMap(({ shown, does }) => [
    html("dt", {}, ...shown.split(" ").flatMap((each, index) => [...(index > 0 ? [" "] : []), html("kbd", {}, each)])),
    html("dd", {}, does),
  ]);
  list.replaceChildren(html("dl", { class: "keys" }, ...rows));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (isTaken(event.key, /** @type {Element} */ (event.target))) return;
    const found = keys.find((each) => each.keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    found.act();
  });
}

/** Does the element in focus use this key itself? @param {string} key @param {Element} target */
function isTaken(key, target) {
  if (target.matches("input[type=range], input[type=checkbox]")) return key.startsWith("Arrow") || key === " " || key === "Home" || key === "End";
  if (target.matches("input, select, textarea")) return true;
  if (target.matches("button, summary, a, [role=option]") && (key === " " || key === "Enter")) return true;
  if (target.matches("[role=tab], .point") && key.startsWith("Arrow")) return true;
  return target.matches(".scroller, .trace") && (key.startsWith("Arrow") || key === "Home" || key === "End");
}
