/** Binary search in ascending numbers: the page asks "what was at t?" sixty times a second. */

/**
 * How many of the ascending `values` are below `limit`.
 * @param {ArrayLike<number>} values
 * @param {number} limit
 * @returns {number}
 */
export function countBelow(values, limit) {
  return countWhile(values.length, (index) => values[index] < limit);
}

/**
 * How many of the first `length` indexes fulfil `holds`, which must hold up to some index and nowhere after it.
 * @param {number} length
 * @param {(index: number) => boolean} holds
 * @returns {number}
 */
export function countWhile(length, holds) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
