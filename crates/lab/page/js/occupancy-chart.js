/** The slots in use over the whole run, stacked by who holds them. */

import { svg } from "./dom.js";

const COLUMNS = 480;
const HEIGHT = 100;

/** @type {[column: string, tone: string][]} from the bottom up */
const LAYERS = [
  ["dependency", "area-dependency"],
  ["rejection", "area-rejection"],
  ["neighbour", "area-neighbour"],
];

/** @param {import("./pool-history.js").PoolHistory} history */
export function occupancyChart(history) {
  const profile = history.profile(COLUMNS);
  const floor = new Float64Array(COLUMNS);
  const layers = LAYERS.map(([column, tone]) => {
    const lower = Float64Array.from(floor);
    profile.forEach((row, index) => (floor[index] += row[column]));
    return svg("path", { class: tone, d: band(lower, floor, history.slots) });
  });
  return svg("svg", { viewBox: `0 0 ${COLUMNS} ${HEIGHT}`, preserveAspectRatio: "none", class: "occupancy", "aria-hidden": true }, ...layers);
}

/** The area between two step functions. @param {Float64Array} lower @param {Float64Array} upper @param {number} top */
function band(lower, upper, top) {
  const y = (/** @type {number} */ value) => (HEIGHT * (1 - value / top)).toFixed(1);
  const there = Array.from(upper, (value, index) => `${index} ${y(value)}H${index + 1}`).join("L");
  const back = Array.from(lower, (value, index) => `${index + 1} ${y(value)}H${index}`).reverse().join("L");
  return `M${there}L${back}Z`;
}
