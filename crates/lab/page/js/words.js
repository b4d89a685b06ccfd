/** Numbers in words, the same everywhere on the page. */

import { NANOS } from "./clock.js";

/** A clock's seconds: floored, since 7.99 s is not yet the 8.0 s at which something starts. @param {number} nanos @param {number} [decimals] */
export function seconds(nanos, decimals = 1) {
  const unit = 10 ** decimals;
  return (Math.floor(nanos / (NANOS / unit)) / unit).toFixed(decimals);
}

/** When something happened, to the millisecond: "8.767". @param {number} nanos */
export function instant(nanos) {
  return (nanos / NANOS).toFixed(3);
}

/** A share as a percentage without needless decimals. @param {number} share */
export function percent(share) {
  return `${Number((share * 100).toFixed(2))} %`;
}

/** "1 request", "2 requests". @param {number} count @param {string} one @param {string} [many] */
export function plural(count, one, many = `${one}s`) {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

const grouped = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

/** A count with its thousands grouped. @param {number} count */
export function whole(count) {
  return grouped.format(count);
}

/** A count with its sign: "+12", "−3", "0". @param {number} count */
export function signed(count) {
  if (count === 0) return "0";
  return `${count > 0 ? "+" : "−"}${whole(Math.abs(count))}`;
}

/** A measured number, short. @param {number} value */
export function short(value) {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return whole(value);
  return Number(value.toPrecision(4)).toLocaleString("en-GB", { maximumSignificantDigits: 4 });
}
