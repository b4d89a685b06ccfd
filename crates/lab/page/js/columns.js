/** Tables that the server writes in columns, a row for every instant at which something changed. */

import { countBelow } from "./search.js";

/** @typedef {Record<string, number>} Row */

/**
 * The last row before `t`; zeros if there is none.
 * @param {any} columns with `at_ns`, ascending, among them
 * @param {number} t
 * @returns {Row}
 */
export function rowAt(columns, t) {
  return pick(columns, countBelow(columns.at_ns, t) - 1);
}

/**
 * @param {any} columns
 * @param {number} row below 0 for zeros
 * @returns {Row}
 */
export function pick(columns, row) {
  const values = Object.entries(columns).filter(([name]) => name !== "at_ns");
  return Object.fromEntries(values.map(([name, each]) => [name, row < 0 ? 0 : /** @type {number[]} */ (each)[row]]));
}
