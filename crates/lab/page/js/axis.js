/** A chart's axis: where values lie, and round numbers to mark. Logarithmic where the values span a wide range. */

/** From this ratio of the largest to the smallest positive value on, an axis is logarithmic. */
const WIDE = 20;

/**
 * @typedef {object} Axis
 * @property {(value: number) => number} place 0 to 1
 * @property {number[]} ticks
 */

/**
 * @param {number[]} values
 * @returns {Axis}
 */
export function axis(values) {
  const finite = values.filter(Number.isFinite);
  const high = Math.max(...finite, 0);
  const positive = finite.filter((value) => value > 0);
  const low = Math.min(...positive, high);
  if (positive.length > 0 && low > 0 && high / low > WIDE) return logarithmic(low, high, finite.length > positive.length);
  return linear(Math.min(...finite, high), high);
}

/** @param {number} low @param {number} high @returns {Axis} */
function linear(low, high) {
  const span = high - low || Math.abs(high) || 1;
  const step = roundStep(span / 5);
  const from = low >= 0 && low < 0.5 * high ? 0 : Math.floor(low / step) * step;
  const to = Math.max(from + step, Math.ceil(high / step) * step);
  const ticks = Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => Number((from + index * step).toPrecision(10)));
  return { place: (value) => (value - from) / (to - from), ticks };
}

/**
 * Marks are powers of ten, or where that leaves few of them 1, 2 and 5 times these. Zero, which has no logarithm, gets a
 * place of its own below the lowest mark.
 * @param {number} low
 * @param {number} high
 * @param {boolean} zero
 * @returns {Axis}
 */
function logarithmic(low, high, zero) {
  const digits = Math.log10(high / low) > 2.5 ? [1] : [1, 2, 5];
  const decades = Array.from({ length: 40 }, (_, index) => index - 20).flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)));
  const first = decades.findLastIndex((mark) => mark <= low);
  const last = decades.findIndex((mark) => mark >= high);
  const marks = decades.slice(first, last + 1);
  const span = Math.log10(marks[marks.length - 1] / marks[0]);
  const room = zero ? 0.08 : 0;
  const place = (/** @type {number} */ value) => (value <= 0 ? 0 : room + (1 - room) * Math.max(0, Math.log10(value / marks[0]) / span));
  return { place, ticks: zero ? [0, ...marks] : marks };
}

/** The nearest of 1, 2, 5 times a power of ten above `step`. @param {number} step */
function roundStep(step) {
  const decade = 10 ** Math.floor(Math.log10(step));
  return decade * ([1, 2, 5].find((each) => each * decade >= step) ?? 10);
}
