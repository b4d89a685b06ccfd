/**
 * Which square of the pool's picture each holder is drawn in. The pool itself only counts its slots; a holder keeps its
 * square for as long as it holds, and the next one takes the first free square.
 */

import { countBelow } from "./search.js";

/**
 * @typedef {{from: number, to: number, by: "D" | "N"}} Hold
 * @typedef {{from: number[], holds: Hold[]}} Place
 */

/**
 * @param {Hold[]} holds in any order; at most `slots` at any instant
 * @param {number} slots
 * @returns {Place[]} one per slot, its holds ascending
 */
export function places(holds, slots) {
  /** @type {Place[]} */
  const all = Array.from({ length: slots }, () => ({ from: [], holds: [] }));
  const until = new Float64Array(slots);
  for (const hold of [...holds].sort((a, b) => a.from - b.from)) {
    // A slot given back at an instant can be taken at that instant.
    const free = until.findIndex((end) => end <= hold.from);
    if (free < 0) continue;
    until[free] = hold.to;
    all[free].from.push(hold.from);
    all[free].holds.push(hold);
  }
  return all;
}

/**
 * Who holds each place just before `t`: "D", "N" or "".
 * @param {Place[]} all
 * @param {number} t
 */
export function holders(all, t) {
  return all.map(({ from, holds }) => {
    const newest = holds[countBelow(from, t) - 1];
    return newest && newest.to >= t ? newest.by : "";
  });
}
